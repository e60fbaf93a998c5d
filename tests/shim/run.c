/*
 * Processes under test.
 */
#define _GNU_SOURCE 1 /* pipe2 */
#include "config.h"

#include "shim/run.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS 16

void run_begin(struct run *run)
{
    memset(run, 0, sizeof *run);
    run->program = "fake_caller";
    snprintf(run->directory, sizeof run->directory, "/tmp/swprof-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(run->directory));
}

static void split(char *text, char **words)
{
    int n = 0;

    for (char *word = strtok(text, " "); word != NULL && n < MAX_WORDS - 1; word = strtok(NULL, " "))
        words[n++] = word;
    words[n] = NULL;
}

/* The sanitizer's runtime that this test has itself: it has to be loaded first. Empty without one. */
static void find_runtime(char *path, size_t room)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];

    path[0] = '\0';
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char *name = strchr(line, '/');

        if (name == NULL || (strstr(name, "/libasan.so") == NULL && strstr(name, "/libtsan.so") == NULL))
            continue;
        name[strcspn(name, "\n")] = '\0';
        snprintf(path, room, "%s", name);
        break;
    }
    if (maps != NULL)
        fclose(maps);
}

/* In the child: environment, redirection, exec. */
static void become_program(const struct run *run, const char *settings, const char *arguments, int output, int errors)
{
    const char *build = getenv("abs_top_builddir");
    char shim[2048], program[2048], wrapper[2048], runtime[1024], preload[4096], list[8192], line[4096];
    char *words[MAX_WORDS] = {NULL};
    char *argv[MAX_WORDS + 2] = {wrapper, program};
    char **first = run->wrapper != NULL ? argv : argv + 1;
    int with_shim = 1;

    if (build == NULL || strlen(build) > 1024)
        _exit(98);
    snprintf(shim, sizeof shim, "%s/preload/.libs/libswprof.so", build);
    snprintf(program, sizeof program, "%s/tests/shim/%s", build, run->program);
    snprintf(wrapper, sizeof wrapper, "%s/tests/shim/%s", build, run->wrapper != NULL ? run->wrapper : "");
    setenv("SWPROF_OUTPUT", run->directory, 1);
    snprintf(list, sizeof list, "%s", settings != NULL ? settings : "");
    split(list, words);
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], "PLAIN=1") == 0)
            with_shim = 0;
        else
            putenv(words[i]);
    }
    snprintf(line, sizeof line, "%s", arguments);
    split(line, argv + 2);
    dup2(output, 1);
    dup2(errors, 2);
    if (run->apart && chdir(run->directory) != 0)
        _exit(96);
    if (with_shim) {
        find_runtime(runtime, sizeof runtime);
        snprintf(preload, sizeof preload, "%s %s", runtime, shim);
        setenv("LD_PRELOAD", preload, 1);
    }
    execv(first[0], first);
    _exit(97);
}

/* Ends of pipes to read the program's output and errors from. */
struct ends {
    int output;
    int errors; /* -1: with the output */
};

static struct ends start(struct run *run, const char *settings, const char *arguments)
{
    int output[2], errors[2] = {-1, -1};

    ck_assert_int_eq(pipe2(output, O_CLOEXEC), 0);
    if (run->apart)
        ck_assert_int_eq(pipe2(errors, O_CLOEXEC), 0);
    run->pid = fork();
    ck_assert_int_ge(run->pid, 0);
    if (run->pid == 0)
        become_program(run, settings, arguments, output[1], run->apart ? errors[1] : output[1]);
    close(output[1]);
    if (run->apart)
        close(errors[1]);
    return (struct ends){output[0], errors[0]};
}

/* Fill a text of sizeof run->output bytes. */
static void read_text(char *text, int file, int only_a_line)
{
    size_t room = sizeof((struct run *)NULL)->output, used = 0;
    ssize_t got;

    while (used + 1 < room && (got = read(file, text + used, room - 1 - used)) > 0) {
        used += (size_t)got;
        text[used] = '\0';
        if (only_a_line && strchr(text, '\n') != NULL)
            break;
    }
    text[used] = '\0';
    close(file);
}

static void read_ends(struct run *run, struct ends ends, int only_a_line)
{
    read_text(run->output, ends.output, only_a_line);
    if (ends.errors >= 0)
        read_text(run->errors, ends.errors, only_a_line);
}

void run_program(struct run *run, const char *settings, const char *arguments)
{
    read_ends(run, start(run, settings, arguments), 0);
    ck_assert_int_eq(waitpid(run->pid, &run->status, 0), run->pid);
}

void run_start(struct run *run, const char *settings, const char *arguments)
{
    read_ends(run, start(run, settings, arguments), 1);
}

void run_spawn(struct run *run, const char *settings, const char *arguments)
{
    struct ends ends = start(run, settings, arguments);

    close(ends.output);
    if (ends.errors >= 0)
        close(ends.errors);
}

void run_kill(struct run *run, int signal)
{
    kill(run->pid, signal);
    ck_assert_int_eq(waitpid(run->pid, &run->status, 0), run->pid);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int run_count_files(const struct run *run)
{
    struct dirent **entries;
    int n = scandir(run->directory, &entries, is_file, alphasort);

    for (int i = 0; i < n; i++)
        free(entries[i]);
    if (n >= 0)
        free(entries);
    return n;
}

int run_try_report(const struct run *run, int n, struct probe *probe)
{
    struct dirent **entries;
    int n_entries = scandir(run->directory, &entries, is_file, alphasort);
    char path[4096] = "";

    for (int i = 0; i < n_entries; i++) {
        if (i == n)
            snprintf(path, sizeof path, "%s/%s", run->directory, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return probe_open(probe, path);
}

void run_report(const struct run *run, int n, struct probe *probe)
{
    ck_assert_msg(run_try_report(run, n, probe), "no report number %d in %s", n, run->directory);
}

void run_record(struct run *run, const char *program, const char *settings, const char *arguments,
                struct probe *probe)
{
    run_begin(run);
    run->program = program;
    run_program(run, settings, arguments);
    ck_assert_int_eq(run->status, 0);
    run_report(run, 0, probe);
}

size_t run_record_notes(struct run *run, const char *program, const char *settings, const char *arguments,
                        struct probe *probe, struct probe_note *notes, size_t room)
{
    run_record(run, program, settings, arguments, probe);
    size_t n = probe_notes(probe, notes, room);
    ck_assert_uint_le(n, room);
    return n;
}

void run_close(struct run *run, struct probe *probe)
{
    probe_close(probe);
    run_end(run);
}

void run_totals(const char *settings, const char *arguments, struct probe_totals *totals)
{
    struct run run;
    struct probe probe;

    run_record(&run, "fake_caller", settings, arguments, &probe);
    probe_totals(&probe, totals);
    ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_FROZEN);
    ck_assert_uint_eq(probe.header->used_bytes, probe.n_bytes);
    ck_assert_uint_eq(totals->n_out_of_order, 0);
    ck_assert_uint_eq(totals->n_escaped, 0);
    ck_assert_uint_eq(totals->n_miscounted, 0);
    run_close(&run, &probe);
}

void run_end(struct run *run)
{
    struct dirent **entries;
    int n = scandir(run->directory, &entries, is_file, alphasort);

    for (int i = 0; i < n; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", run->directory, entries[i]->d_name);
        unlink(path);
        rmdir(path);
        free(entries[i]);
    }
    free(entries);
    rmdir(run->directory);
}
