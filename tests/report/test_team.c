/*
 * Parts are all worked on, wherever that is, and the first that fails is told.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* cpu_set_t, pthread_setattr_default_np */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "check_main.h"
#include "report/team.h"

#include "processors.h"

#define N_PARTS 8

/* Each part writes to its own. */
struct work {
    unsigned failing; /* parts, a bit each */
    int n_times[N_PARTS];
    int is_blocked[N_PARTS]; /* whether signals were */
    pthread_t thread[N_PARTS];
};

static enum report_outcome do_part(void *context, size_t part)
{
    struct work *work = context;
    sigset_t blocked;

    ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
    work->is_blocked[part] = sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGPIPE);
    work->thread[part] = pthread_self();
    work->n_times[part]++;
    if (work->failing & (1u << part))
        return report_fail(part % 2 == 0 ? REPORT_DAMAGED : REPORT_NEWER, "part %zu failed", part);
    return REPORT_OK;
}

static void check_whole(size_t n_parts)
{
    struct work work = { .failing = 0 };

    ck_assert_int_eq(team_run(n_parts, do_part, &work), REPORT_OK);
    for (size_t i = 0; i < N_PARTS; i++)
        ck_assert_int_eq(work.n_times[i], i < n_parts);
}

/* Whichever fail, the first of them is told, and all before it were worked on. */
static void check_failures(void)
{
    for (unsigned failing = 1; failing < 1u << N_PARTS; failing += 5) {
        struct work work = { .failing = failing };
        size_t first = (size_t)__builtin_ctz(failing);
        char sentence[64];

        snprintf(sentence, sizeof sentence, "part %zu failed", first);
        ck_assert_int_eq(team_run(N_PARTS, do_part, &work), first % 2 == 0 ? REPORT_DAMAGED : REPORT_NEWER);
        ck_assert_str_eq(sw_error_message(), sentence);
        for (size_t i = 0; i < first; i++)
            ck_assert_int_eq(work.n_times[i], 1);
    }
}

START_TEST(every_part_is_worked_on_once)
{
    for (size_t n_parts = 1; n_parts <= N_PARTS; n_parts++)
        check_whole(n_parts);
}
END_TEST

START_TEST(the_first_part_that_failed_is_told)
{
    check_failures();
}
END_TEST

START_TEST(only_the_calling_thread_has_signals)
{
    struct work work = { .failing = 0 };

    ck_assert_int_eq(team_run(3, do_part, &work), REPORT_OK);
    ck_assert(pthread_equal(work.thread[0], pthread_self()));
    ck_assert_int_eq(work.is_blocked[0], 0);
    for (size_t i = 1; i < 3; i++) {
        ck_assert(!pthread_equal(work.thread[i], pthread_self()));
        ck_assert_int_eq(work.is_blocked[i], 1);
    }
    sigset_t after;
    ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
    ck_assert_int_eq(sigismember(&after, SIGINT), 0);
}
END_TEST

START_TEST(threads_that_cannot_be_created_are_done_without)
{
    struct work work = { .failing = 0 };

    refuse_threads();
    ck_assert_int_eq(team_run(N_PARTS, do_part, &work), REPORT_OK);
    for (size_t i = 0; i < N_PARTS; i++)
        ck_assert(pthread_equal(work.thread[i], pthread_self()));
    check_failures();
}
END_TEST

START_TEST(a_team_is_no_larger_than_the_processors_that_may_be_used)
{
    n_processors = 3;
    ck_assert_uint_eq(team_size(8), 3);
    ck_assert_uint_eq(team_size(2), 2);
    n_processors = 1;
    ck_assert_uint_eq(team_size(8), 1);
    n_processors = 0; /* more than the set has room for */
    ck_assert_uint_eq(team_size(8), 8);
}
END_TEST

CHECK_MAIN("report/team", every_part_is_worked_on_once, the_first_part_that_failed_is_told,
           only_the_calling_thread_has_signals, threads_that_cannot_be_created_are_done_without,
           a_team_is_no_larger_than_the_processors_that_may_be_used)
