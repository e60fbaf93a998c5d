/*
 * However and whenever a process ends, what it has completed is in its report.
 * SW_KILLS says how often it is killed, SW_SEED at which moments.
 */
#include "config.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check_main.h"
#include "shim/counts.h"
#include "shim/run.h"
#include "shim/scale.h"

#define LONGEST_LIFE_NS 25000000

/* A fresh file of counts, mapped; its path is in @path. */
static struct counts *make_counts(char *path)
{
    struct counts *counts;
    int file;

    strcpy(path, "/tmp/swprof-counts-XXXXXX");
    file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(ftruncate(file, sizeof *counts), 0);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ck_assert(counts != MAP_FAILED);
    close(file);
    return counts;
}

static uint64_t total_of(const struct counts *counts)
{
    uint64_t total = 0;

    for (int i = 0; i < COUNTS_THREADS; i++)
        total += __atomic_load_n(&counts->threads[i].n_completed, __ATOMIC_RELAXED);
    return total;
}

/* Each thread's completed operations, and at most the one that it was about to count; or there was no room for it. */
static void check_counts(const struct probe *probe, const struct counts *counts)
{
    struct probe_counts all;
    uint64_t n_without_thread = 0;

    probe_sum_up(probe, &all);
    for (int i = 0; i < COUNTS_THREADS; i++) {
        uint64_t n_completed = counts->threads[i].n_completed;
        struct probe_thread found = {0, 0, 0};

        if (counts->threads[i].tid == 0)
            continue;
        if (!probe_thread(probe, counts->threads[i].tid, &found)) {
            n_without_thread += n_completed;
            continue;
        }
        ck_assert_uint_ge(found.n_events + found.n_lost, n_completed);
        ck_assert_uint_le(found.n_events + found.n_lost, n_completed + 1);
    }
    ck_assert_uint_ge(all.n_lost_apart, n_without_thread);
    ck_assert_uint_le(all.n_lost_apart, n_without_thread + COUNTS_THREADS);
}

/* The reader takes the report and says how it ended. */
static void check_reader(const struct run *run, const struct probe *probe)
{
    char command[4096], text[8192];
    FILE *reader;
    size_t n;

    snprintf(command, sizeof command, "'%s/preload/swprof-report' %s/swprof-* 2>&1", getenv("abs_top_builddir"),
             run->directory);
    reader = popen(command, "r");
    ck_assert_ptr_nonnull(reader);
    n = fread(text, 1, sizeof text - 1, reader);
    text[n] = '\0';
    while (fread(command, 1, sizeof command, reader) > 0)
        ;
    ck_assert_msg(pclose(reader) == 0, "the reader fails: %s", text);
    if (probe->header->state == SWPROF_REPORT_RECORDING)
        ck_assert_msg(strstr(text, "ended abruptly") != NULL, "the reader does not say so: %s", text);
}

static void check_report(const struct run *run, const struct counts *counts)
{
    struct probe probe;
    struct probe_totals totals;

    if (run_count_files(run) == 0) {
        ck_assert_uint_eq(total_of(counts), 0);
        return;
    }
    run_report(run, 0, &probe);
    check_counts(&probe, counts);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
    ck_assert_uint_eq(totals.n_escaped, 0);
    check_reader(run, &probe);
    probe_close(&probe);
}

/* Now from its first instruction on, now while it is surely busy. */
static void let_live(const struct counts *counts, unsigned number)
{
    struct timespec life = {0, rand() % LONGEST_LIFE_NS};

    while (number % 2 == 1 && total_of(counts) == 0)
        sched_yield();
    nanosleep(&life, NULL);
}

START_TEST(what_was_completed_before_a_kill_at_any_moment_is_in_the_report)
{
    static const char *const settings[] = {NULL, "SWPROF_BUFFER=1M", "SWPROF_SHAPES=1", "SWPROF_CLOCK=monotonic"};
    unsigned n = (unsigned)scale("SW_KILLS", 24);
    unsigned seed = (unsigned)scale("SW_SEED", (unsigned long)time(NULL));

    srand(seed);
    for (unsigned i = 0; i < n; i++) {
        char path[64];
        struct counts *counts = make_counts(path);
        struct run run;

        printf("seed %u, kill %u\n", seed, i);
        fflush(stdout);
        run_begin(&run);
        run.program = "fake_killed";
        run_spawn(&run, settings[i / 2 % 4], path);
        let_live(counts, i);
        run_kill(&run, SIGKILL);
        ck_assert_int_eq(WTERMSIG(run.status), SIGKILL);
        check_report(&run, counts);
        run_end(&run);
        munmap(counts, sizeof *counts);
        unlink(path);
    }
}
END_TEST

/* A way of fake_killed, by the signal of that number or by an exit with 0. */
static void check_end(const char *wrapper, const char *settings, const char *way, int signal)
{
    char path[64], arguments[128];
    struct counts *counts = make_counts(path);
    struct run run;

    run_begin(&run);
    run.program = "fake_killed";
    run.wrapper = wrapper;
    run.apart = 1;
    snprintf(arguments, sizeof arguments, "%s %s", path, way);
    run_program(&run, settings, arguments);
    if (run.status != 77 << 8) {
        ck_assert_int_eq(WIFSIGNALED(run.status) ? WTERMSIG(run.status) : 0, signal);
        ck_assert_int_eq(WIFEXITED(run.status) ? WEXITSTATUS(run.status) : 0, 0);
        check_report(&run, counts);
    }
    run_end(&run);
    munmap(counts, sizeof *counts);
    unlink(path);
}

START_TEST(what_was_completed_before_any_other_end_is_in_the_report)
{
    check_end(NULL, NULL, "abort", SIGABRT);
    check_end(NULL, NULL, "_exit", 0);
    check_end(NULL, NULL, "quick_exit", 0);
    check_end(NULL, NULL, "stack", SIGSEGV);
}
END_TEST

static int write_number(const char *directory, const char *name, const char *number)
{
    char path[256];
    int file, written;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = open(path, O_WRONLY);
    written = file >= 0 && write(file, number, strlen(number)) == (ssize_t)strlen(number);
    if (file >= 0)
        close(file);
    return written;
}

/* A control group of 64 MiB, of either version; 0 when none can be made here. */
static int make_group(char *directory, size_t room)
{
    static const struct {
        const char *root;
        const char *limit;
    } kinds[] = {{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(directory, room, "%s/swprof-test-%d", kinds[i].root, (int)getpid());
        if (mkdir(directory, 0700) != 0)
            continue;
        if (write_number(directory, kinds[i].limit, "67108864"))
            return 1;
        rmdir(directory);
    }
    return 0;
}

START_TEST(what_was_completed_before_the_memory_ran_out_is_in_the_report)
{
    char group[128], settings[256];

    if (!make_group(group, sizeof group))
        return;
    snprintf(settings, sizeof settings, "START_AS=member GROUP=%s", group);
    check_end("start_as", settings, "memory", SIGKILL);
    rmdir(group);
}
END_TEST

CHECK_MAIN("killed", what_was_completed_before_a_kill_at_any_moment_is_in_the_report,
           what_was_completed_before_any_other_end_is_in_the_report,
           what_was_completed_before_the_memory_ran_out_is_in_the_report)
