/*
 * Requirement: Profiling is local to the active thread.
 */
#include "config.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "support.h"

static void on_another_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, body, argument), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static void *operate(void *unused)
{
    (void)unused;
    run_neg();
    return NULL;
}

START_TEST(ignore_another_threads_operation)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    on_another_thread(operate, NULL);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 0);
    sw_profiler_free(profiler);
}
END_TEST

struct attempt {
    struct sw_profiler *profiler;
    enum sw_status status;
    char message[256];
};

static void *try_to_exit(void *argument)
{
    struct attempt *attempt = argument;

    attempt->status = sw_profiler_exit(attempt->profiler);
    strncpy(attempt->message, sw_error_message(), sizeof attempt->message - 1);
    return NULL;
}

START_TEST(reject_cross_thread_exit_and_recover)
{
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct attempt attempt = {.profiler = profiler};
    const struct sw_profiler_event *events;
    size_t n;

    run_neg();
    on_another_thread(try_to_exit, &attempt);
    ck_assert_int_eq(attempt.status, SW_RUNTIME_ERROR);
    ck_assert_ptr_nonnull(strstr(attempt.message, "thread"));
    run_neg();
    ck_assert_status(sw_profiler_events(profiler, &events, &n), SW_RUNTIME_ERROR);
    ck_assert_status(sw_profiler_exit(profiler), SW_RUNTIME_ERROR);
    struct sw_profiler *fresh = profile_one_neg(0);
    events_of(fresh, 1);
    sw_profiler_free(fresh);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(a_fresh_profiler_can_be_entered_right_after_abandonment)
{
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct attempt attempt = {.profiler = profiler};

    on_another_thread(try_to_exit, &attempt);
    sw_profiler_free(profile_one_neg(0));
    sw_profiler_free(profiler);
}
END_TEST

static void *free_it(void *profiler)
{
    sw_profiler_free(profiler);
    return NULL;
}

START_TEST(a_profiler_freed_elsewhere_leaves_its_thread_free)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    run_neg();
    on_another_thread(free_it, profiler);
    run_neg();
    sw_profiler_free(profile_one_neg(0));
}
END_TEST

static void *enter_and_end(void *ret_profiler)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    run_neg();
    *(struct sw_profiler **)ret_profiler = profiler;
    return NULL;
}

START_TEST(the_end_of_the_owning_thread_abandons_the_session)
{
    struct sw_profiler *profiler = NULL;

    on_another_thread(enter_and_end, &profiler);
    ck_assert_status(sw_profiler_exit(profiler), SW_RUNTIME_ERROR);
    sw_profiler_free(profiler);
    sw_profiler_free(profile_one_neg(0));
}
END_TEST

START_TEST(a_forked_child_abandons_the_session_and_leaves_the_parents_alone)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    run_neg();
    pid_t child = fork();
    if (child == 0) {
        int fine = sw_profiler_exit(profiler) == SW_RUNTIME_ERROR;
        struct sw_profiler *own;

        fine = fine && sw_profiler_new(NULL, &own) == SW_OK && sw_profiler_enter(own) == SW_OK;
        fine = fine && sw_profiler_exit(own) == SW_OK;
        _exit(fine ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 2);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("threads", ignore_another_threads_operation, reject_cross_thread_exit_and_recover,
           a_fresh_profiler_can_be_entered_right_after_abandonment,
           a_profiler_freed_elsewhere_leaves_its_thread_free, the_end_of_the_owning_thread_abandons_the_session,
           a_forked_child_abandons_the_session_and_leaves_the_parents_alone)
