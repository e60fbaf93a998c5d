/*
 * Ways out of a kernel that are no return, and Profilers that are entered, left
 * or freed at odd moments.
 */
#include "config.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

#include "check_main.h"
#include "support.h"

#ifdef __SANITIZE_ADDRESS__
/* What a jump passes over in the tests' own kernels is not given back: leaks are looked for in the other programs. */
SW_API const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

static enum sw_status call(enum sw_status (*callback)(void *argument), void *argument)
{
    plugin_callback = callback;
    plugin_argument = argument;
    return run_plugin("calls");
}

/* ---- longjmp --------------------------------------------------------------------------- */

static jmp_buf way_out;

/* Nest until *@levels is used up, then jump past all of them. */
static enum sw_status jump_below(void *levels)
{
    int *left = levels;

    if (--*left == 0)
        longjmp(way_out, 1);
    return call(jump_below, levels);
}

START_TEST(longjmp_out_of_nested_kernels_heals)
{
    /* volatile: longjmp may not restore a register. */
    for (volatile int n_levels = 1; n_levels <= 50; n_levels++) {
        volatile int jumped = 0;
        int levels = n_levels;
        struct sw_profiler *profiler = enter_profiler(NULL);

        if (setjmp(way_out) == 0)
            (void)call(jump_below, &levels);
        else
            jumped = 1;
        ck_assert_int_eq(jumped, 1);
        ck_assert_status(run_plugin("inner"), SW_OK);
        ck_assert_status(sw_profiler_exit(profiler), SW_OK);
        const struct sw_profiler_event *events = events_of(profiler, (size_t)n_levels + 2);
        for (int i = 0; i < n_levels; i++) {
            ck_assert_int_eq(events[i].succeeded, 0);
            ck_assert_int_eq(events[i].has_parent, i > 0);
            ck_assert_int_ge(events[i].self_time_ns, 0);
        }
        ck_assert_int_eq(events[n_levels].has_parent, 0);
        ck_assert_int_eq(events[n_levels + 1].parent_id, n_levels);
        sw_profiler_free(profiler);
    }
}
END_TEST

START_TEST(exit_right_after_a_longjmp_is_possible)
{
    int levels = 3;
    struct sw_profiler *profiler = enter_profiler(NULL);

    if (setjmp(way_out) == 0)
        (void)call(jump_below, &levels);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 3);
    sw_profiler_free(profiler);
}
END_TEST

/* ---- Cancellation ------------------------------------------------------------------------- */

static enum sw_status wait_to_be_cancelled(void *unused)
{
    (void)unused;
    for (;;)
        pause();
    return SW_OK;
}

static enum sw_status cancel_oneself(void *unused)
{
    pthread_cancel(pthread_self());
    return wait_to_be_cancelled(unused);
}

struct last_words {
    struct sw_profiler *profiler;
    enum sw_status exit_status;
};

static void leave_profiler(void *argument)
{
    struct last_words *words = argument;

    words->exit_status = sw_profiler_exit(words->profiler);
}

static void *be_cancelled(void *argument)
{
    struct last_words *words = argument;

    words->profiler = enter_profiler(NULL);
    pthread_cleanup_push(leave_profiler, words);
    (void)call(cancel_oneself, NULL);
    pthread_cleanup_pop(0);
    return NULL;
}

START_TEST(a_cancelled_kernel_is_a_failed_event)
{
#ifdef __SANITIZE_ADDRESS__
    /* gcc's runtime leaves the frames that a cancellation unwinds poisoned, and stumbles over them. */
    return;
#endif
    struct last_words words = {NULL, SW_OS_ERROR};
    pthread_t thread;
    void *result;

    ck_assert_int_eq(pthread_create(&thread, NULL, be_cancelled, &words), 0);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_eq(result, PTHREAD_CANCELED);
    ck_assert_status(words.exit_status, SW_OK);
    ck_assert_int_eq(events_of(words.profiler, 1)[0].succeeded, 0);
    sw_profiler_free(words.profiler);
}
END_TEST

/* ---- From inside a kernel -------------------------------------------------------------------- */

static enum sw_status exit_inside(void *profiler)
{
    enum sw_status status = sw_profiler_exit(profiler);

    return status == SW_RUNTIME_ERROR && strstr(sw_error_message(), "operation") != NULL ? SW_OK : SW_OS_ERROR;
}

START_TEST(exit_from_inside_a_kernel_is_refused_and_leaves_the_profiler_active)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(call(exit_inside, profiler), SW_OK);
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 2);
    sw_profiler_free(profiler);
}
END_TEST

static enum sw_status free_inside(void *profiler)
{
    sw_profiler_free(profiler);
    run_neg();
    return SW_OK;
}

START_TEST(a_profiler_can_be_freed_from_inside_a_kernel)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(call(free_inside, profiler), SW_OK);
    sw_profiler_free(profile_one_neg(0));
}
END_TEST

static enum sw_status enter_inside(void *ret_profiler)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    run_neg();
    *(struct sw_profiler **)ret_profiler = profiler;
    return SW_OK;
}

START_TEST(boundaries_opened_before_entry_are_neither_events_nor_parents)
{
    struct sw_profiler *profiler = NULL;

    ck_assert_status(call(enter_inside, &profiler), SW_OK);
    ck_assert_status(run_plugin("leaf"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 2);
    ck_assert_str_eq(events[0].name, "neg");
    ck_assert_int_eq(events[0].has_parent, 0);
    ck_assert_str_eq(events[1].name, "leaf");
    sw_profiler_free(profiler);
}
END_TEST

static enum sw_status reenter_inside(void *ret_profiler)
{
    struct sw_profiler **profiler = ret_profiler;

    sw_profiler_free(*profiler);
    return enter_inside(ret_profiler);
}

START_TEST(a_profiler_entered_inside_an_abandoned_ones_kernel_is_its_own)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(call(reenter_inside, &profiler), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_str_eq(events_of(profiler, 1)[0].name, "neg");
    sw_profiler_free(profiler);
}
END_TEST

static void *free_elsewhere(void *profiler)
{
    sw_profiler_free(profiler);
    return NULL;
}

static enum sw_status lose_profiler(void *profiler)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, free_elsewhere, profiler) != 0 || pthread_join(thread, NULL) != 0)
        return SW_OS_ERROR;
    run_neg();
    return SW_OK;
}

START_TEST(a_profiler_freed_by_another_thread_during_an_operation_is_harmless)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(call(lose_profiler, profiler), SW_OK);
    sw_profiler_free(profile_one_neg(0));
}
END_TEST

/* ---- Depth ------------------------------------------------------------------------------------- */

static enum sw_status dive(void *levels)
{
    int *left = levels;

    return --*left == 0 ? SW_OK : call(dive, levels);
}

START_TEST(five_hundred_levels_nest)
{
    int levels = 500;
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(call(dive, &levels), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 500);
    int64_t sum = 0;
    for (int i = 0; i < 500; i++) {
        ck_assert_int_eq(events[i].has_parent, i > 0);
        ck_assert(i == 0 || events[i].parent_id == i - 1);
        sum += events[i].self_time_ns;
    }
    ck_assert_int_eq(sum, events[0].duration_ns);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("robust", longjmp_out_of_nested_kernels_heals, exit_right_after_a_longjmp_is_possible,
           a_cancelled_kernel_is_a_failed_event, exit_from_inside_a_kernel_is_refused_and_leaves_the_profiler_active,
           a_profiler_can_be_freed_from_inside_a_kernel,
           boundaries_opened_before_entry_are_neither_events_nor_parents,
           a_profiler_entered_inside_an_abandoned_ones_kernel_is_its_own,
           a_profiler_freed_by_another_thread_during_an_operation_is_harmless, five_hundred_levels_nest)
