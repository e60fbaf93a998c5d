/*
 * swprof-report --follow as its user sees it: on a terminal and on a pipe, over
 * a report that grows while the process that it names lives.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* posix_openpt, memmem */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check_main.h"
#include "make_report.h"

#define ALTERNATE "\x1b[?1049h"
#define NORMAL "\x1b[?1049l"
#define SHOW_CURSOR "\x1b[?25h"
#define HOME "\x1b[H"
#define END_OF_DRAWING "\x1b[J"

/* A running program's report, the program (which only waits), and the command that follows it. */
static struct {
    char path[64];
    struct made_report made;
    size_t chunk;
    uint64_t now;
    pid_t program;
    pid_t command;
    int screen; /* what the command writes */
    char *seen;
    size_t n_seen;
} run;

static uint64_t start_time_of(pid_t pid)
{
    char path[64], line[2048];
    unsigned long long start_time = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    size_t n = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[n] = '\0';
    ck_assert_int_eq(sscanf(strrchr(line, ')') + 2,
                            "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                            &start_time),
                     1);
    return start_time;
}

static void put_report(void)
{
    int file = open(run.path, O_WRONLY | O_CREAT, 0600);

    ck_assert_int_eq(pwrite(file, run.made.bytes, run.made.n_bytes, 0), (ssize_t)run.made.n_bytes);
    close(file);
}

/* @n_names operations, each once. */
static void begin_report(unsigned n_names)
{
    run.program = fork();
    if (run.program == 0) {
        for (;;)
            pause();
    }
    run.made = make_report();
    struct swprof_header *header = made_header(&run.made);
    header->state = SWPROF_REPORT_RECORDING;
    header->pid = run.program;
    header->start_time = start_time_of(run.program);
    gethostname(header->host, sizeof header->host);
    size_t thread = make_thread(&run.made, 0, 100, 1000, 0);
    made_thread(&run.made, thread)->state = SWPROF_THREAD_LIVE;
    run.chunk = make_chunk(&run.made, 0, 0, 1);
    run.now = 2000;
    for (unsigned i = 0; i < n_names; i++) {
        char name[32];
        snprintf(name, sizeof name, "operation%u", i);
        uint32_t dispatch = make_dispatch(&run.made, name, "Generic", 1);
        make_event(&run.made, run.chunk, run.now, 50, dispatch, 0, SWPROF_EVENT_SUCCEEDED, 0);
        run.now += 100;
    }
    snprintf(run.path, sizeof run.path, "/tmp/swprof-follow-%d", (int)getpid());
    put_report();
}

static void one_more_event(void)
{
    make_event(&run.made, run.chunk, run.now, 50, 0, 0, SWPROF_EVENT_SUCCEEDED, 0);
    run.now += 100;
    put_report();
}

static const char *command_path(void)
{
    static char path[4096];
    const char *folder = getenv("abs_top_builddir"), *chosen = getenv("SWPROF_REPORT");

    snprintf(path, sizeof path, "%s/preload/swprof-report", folder != NULL ? folder : ".");
    return chosen != NULL ? chosen : path;
}

static void become_command(void)
{
    unsetenv("COLUMNS");
    setenv("TERM", "xterm", 1);
    setenv("TZ", "UTC", 1);
    execl(command_path(), "swprof-report", "table", "--follow", "--interval", "0.05", run.path, (char *)NULL);
    _exit(127);
}

static void resize(unsigned short rows, unsigned short columns)
{
    struct winsize size = { .ws_row = rows, .ws_col = columns };

    ck_assert_int_eq(ioctl(run.screen, TIOCSWINSZ, &size), 0);
}

static void follow_on_terminal(unsigned short rows, unsigned short columns)
{
    run.screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(run.screen, 0);
    ck_assert_int_eq(grantpt(run.screen), 0);
    ck_assert_int_eq(unlockpt(run.screen), 0);
    resize(rows, columns);
    run.command = fork();
    if (run.command == 0) {
        setsid();
        int terminal = open(ptsname(run.screen), O_RDWR); /* becomes the controlling one */
        for (int i = 0; i < 3; i++)
            dup2(terminal, i);
        become_command();
    }
}

static void follow_on_pipe(void)
{
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    run.command = fork();
    if (run.command == 0) {
        dup2(ends[1], STDOUT_FILENO);
        become_command();
    }
    close(ends[1]);
    run.screen = ends[0];
}

/* Read what there is; 0 when there will be no more. */
static int read_more(void)
{
    struct pollfd ready = { run.screen, POLLIN, 0 };

    ck_assert_msg(poll(&ready, 1, 60000) == 1, "the command is silent");
    run.seen = realloc(run.seen, run.n_seen + 65536 + 1);
    ck_assert_ptr_nonnull(run.seen);
    ssize_t n = read(run.screen, run.seen + run.n_seen, 65536);
    run.n_seen += n > 0 ? (size_t)n : 0;
    run.seen[run.n_seen] = '\0';
    return n > 0;
}

static void read_until(const char *words)
{
    while (run.n_seen == 0 || strstr(run.seen, words) == NULL)
        ck_assert_msg(read_more(), "no '%s' in what was written", words);
}

/* From now on only what is written later counts. */
static void forget_seen(void)
{
    run.n_seen = 0;
}

/* One drawing that was begun from now on, and no older one's end before it. */
static void read_next_drawing(void)
{
    forget_seen();
    read_until(HOME);
    const char *begin = strstr(run.seen, HOME);
    run.n_seen -= (size_t)(begin - run.seen);
    memmove(run.seen, begin, run.n_seen + 1);
    read_until(END_OF_DRAWING);
}

static int status_of_command(void)
{
    int status = 0;

    while (read_more())
        continue;
    ck_assert_int_eq(waitpid(run.command, &status, 0), run.command);
    run.command = 0;
    return status;
}

static void end_program(void)
{
    kill(run.program, SIGKILL);
    waitpid(run.program, NULL, 0);
    run.program = 0;
}

static void end_run(void)
{
    if (run.program > 0)
        end_program();
    if (run.command > 0) {
        kill(run.command, SIGKILL);
        waitpid(run.command, NULL, 0);
    }
    unlink(run.path);
    close(run.screen);
    made_free(&run.made);
    free(run.seen);
}

/* Every whole drawing has at most @rows lines of at most @columns characters (all are ASCII here). */
static unsigned check_drawings(size_t rows, size_t columns)
{
    unsigned n_drawings = 0;

    for (const char *from = run.seen; (from = strstr(from, HOME)) != NULL; n_drawings++) {
        const char *end = strstr(from, END_OF_DRAWING);
        size_t n_lines = 1, width = 0;
        if (end == NULL)
            break;
        for (from += strlen(HOME); from < end; from++) {
            if (*from == '\x1b') {
                from += strcspn(from, "mK");
            } else if (*from == '\n') {
                n_lines++;
                width = 0;
            } else if (*from != '\r' && ((unsigned char)*from & 0xc0) != 0x80) {
                ck_assert_uint_le(++width, columns);
            }
        }
        ck_assert_uint_le(n_lines, rows);
    }
    return n_drawings;
}

START_TEST(drawing_fits_the_window_and_its_next_size)
{
    begin_report(30);
    follow_on_terminal(16, 60);
    read_until(END_OF_DRAWING);
    read_until("more rows");
    ck_assert_uint_ge(check_drawings(16, 60), 1);
    ck_assert_ptr_null(strstr(run.seen, "operation29"));
    resize(60, 140);
    read_until("operation29"); /* now there is room for all */
    ck_assert_ptr_nonnull(strstr(run.seen, "still running"));
    resize(5, 30);
    read_next_drawing(); /* perhaps still of the size before */
    read_next_drawing();
    ck_assert_uint_ge(check_drawings(5, 30), 1);
    end_run();
}
END_TEST

START_TEST(new_events_appear)
{
    begin_report(1);
    follow_on_terminal(24, 100);
    read_until("1 event of 1 thread");
    one_more_event();
    read_until("2 events of 1 thread");
    one_more_event();
    read_until("3 events of 1 thread");
    end_run();
}
END_TEST

/* What was on the terminal is there again, with the last table below it. */
static void check_restored(const char *last_words)
{
    const char *normal = strstr(run.seen, NORMAL);

    ck_assert_ptr_nonnull(strstr(run.seen, ALTERNATE));
    ck_assert_ptr_nonnull(normal);
    ck_assert_ptr_nonnull(strstr(run.seen, SHOW_CURSOR));
    ck_assert_ptr_null(strstr(normal, ALTERNATE));
    ck_assert_ptr_nonnull(strstr(normal, last_words));
    ck_assert_ptr_null(strstr(normal, HOME));
}

START_TEST(interrupt_ends_cleanly_and_leaves_the_last_table)
{
    begin_report(2);
    follow_on_terminal(24, 100);
    read_until(END_OF_DRAWING);
    ck_assert_int_eq(write(run.screen, "\x03", 1), 1);
    int status = status_of_command();
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    check_restored("still running");
    end_run();
}
END_TEST

START_TEST(termination_restores_the_terminal_and_ends_by_the_signal)
{
    begin_report(2);
    follow_on_terminal(24, 100);
    read_until(END_OF_DRAWING);
    kill(run.command, SIGTERM);
    int status = status_of_command();
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGTERM);
    check_restored("");
    end_run();
}
END_TEST

START_TEST(stopping_gives_the_terminal_back_meanwhile)
{
    int status = 0;

    begin_report(2);
    follow_on_terminal(24, 100);
    read_until(END_OF_DRAWING);
    ck_assert_int_eq(write(run.screen, "\x1a", 1), 1);
    ck_assert_int_eq(waitpid(run.command, &status, WUNTRACED), run.command);
    ck_assert(WIFSTOPPED(status));
    read_until(NORMAL);
    forget_seen();
    kill(run.command, SIGCONT);
    read_until(ALTERNATE);
    read_until(END_OF_DRAWING);
    end_run();
}
END_TEST

START_TEST(end_of_the_program_ends_it_with_the_whole_table)
{
    begin_report(30);
    follow_on_terminal(10, 100);
    read_until(END_OF_DRAWING);
    end_program();
    ck_assert_int_eq(status_of_command(), 0);
    check_restored("ended abruptly");
    ck_assert_ptr_nonnull(strstr(strstr(run.seen, NORMAL), "operation29"));
    end_run();
}
END_TEST

START_TEST(frozen_report_ends_it_once_the_program_is_gone)
{
    begin_report(1);
    follow_on_terminal(24, 100);
    read_until(END_OF_DRAWING);
    made_header(&run.made)->state = SWPROF_REPORT_FROZEN;
    put_report();
    read_until("ended normally");
    one_more_event(); /* of a destructor */
    read_until("2 events of 1 thread");
    end_program();
    ck_assert_int_eq(status_of_command(), 0);
    check_restored("2 events of 1 thread");
    end_run();
}
END_TEST

START_TEST(pipe_gets_plain_tables_apart_by_a_blank_line)
{
    begin_report(3);
    follow_on_pipe();
    read_until("3 events of 1 thread");
    one_more_event();
    read_until("4 events of 1 thread");
    end_program();
    ck_assert_int_eq(status_of_command(), 0);
    ck_assert_ptr_null(strchr(run.seen, '\x1b'));
    ck_assert_ptr_null(strchr(run.seen, '\r'));
    /* Every table begins with the command line, behind a blank line but for the first. */
    unsigned n_tables = 0;
    for (const char *at = run.seen; (at = strstr(at, "./ops --n 5")) != NULL; at++, n_tables++)
        ck_assert(at == run.seen || memcmp(at - 2, "\n\n", 2) == 0);
    ck_assert_uint_ge(n_tables, 3);
    ck_assert_ptr_nonnull(strstr(run.seen, "ended abruptly"));
    end_run();
}
END_TEST

CHECK_MAIN("report/follow", drawing_fits_the_window_and_its_next_size, new_events_appear,
           interrupt_ends_cleanly_and_leaves_the_last_table, termination_restores_the_terminal_and_ends_by_the_signal,
           stopping_gives_the_terminal_back_meanwhile, end_of_the_program_ends_it_with_the_whole_table,
           frozen_report_ends_it_once_the_program_is_gone, pipe_gets_plain_tables_apart_by_a_blank_line)
