/*
 * Requirement: Profiler contexts are single-use and publish results on exit.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

START_TEST(read_results_after_normal_exit)
{
    struct sw_profiler *profiler = profile_one_neg(0);
    const struct sw_profiler_event *events = events_of(profiler, 1);

    ck_assert_str_eq(events[0].name, "neg");
    ck_assert_ptr_eq(events_of(profiler, 1), events);
    sw_profiler_free(profiler);
}
END_TEST

static void refuse_results(struct sw_profiler *profiler)
{
    const struct sw_profiler_event *events = NULL;
    struct sw_profiler_aggregate *rows = NULL;
    char *text = NULL;
    size_t n;

    ck_assert_status(sw_profiler_events(profiler, &events, &n), SW_RUNTIME_ERROR);
    ck_assert_message("only after context exit");
    ck_assert_status(sw_profiler_key_averages(profiler, NULL, &rows, &n), SW_RUNTIME_ERROR);
    ck_assert_message("only after context exit");
    ck_assert_status(sw_profiler_table(profiler, NULL, &text), SW_RUNTIME_ERROR);
    ck_assert_message("only after context exit");
    ck_assert_ptr_null(events);
    ck_assert_ptr_null(rows);
    ck_assert_ptr_null(text);
}

START_TEST(refuse_results_before_exit)
{
    struct sw_profiler *profiler;

    ck_assert_status(sw_profiler_new(NULL, &profiler), SW_OK);
    refuse_results(profiler);
    ck_assert_status(sw_profiler_enter(profiler), SW_OK);
    refuse_results(profiler);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 0);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(reject_a_reused_context)
{
    struct sw_profiler *profiler = profile_one_neg(0);

    ck_assert_status(sw_profiler_enter(profiler), SW_RUNTIME_ERROR);
    ck_assert_message("single-use");
    events_of(profiler, 1);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(reject_nested_contexts_on_one_thread)
{
    struct sw_profiler *outer = enter_profiler(NULL);
    struct sw_profiler *rejected;

    ck_assert_status(sw_profiler_new(NULL, &rejected), SW_OK);
    ck_assert_status(sw_profiler_enter(rejected), SW_RUNTIME_ERROR);
    ck_assert_message("already active");
    run_neg();
    ck_assert_status(sw_profiler_exit(outer), SW_OK);
    events_of(outer, 1);
    ck_assert_status(sw_profiler_enter(rejected), SW_RUNTIME_ERROR);
    ck_assert_message("single-use");
    ck_assert_status(sw_profiler_exit(rejected), SW_RUNTIME_ERROR);
    sw_profiler_free(rejected);
    sw_profiler_free(outer);
}
END_TEST

START_TEST(preserve_results_when_the_context_body_fails)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("fails"), SW_VALUE_ERROR);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_str_eq(sw_error_message(), "fails on purpose");
    const struct sw_profiler_event *events = events_of(profiler, 1);
    ck_assert_int_eq(events[0].succeeded, 0);
    sw_profiler_free(profiler);
    /* The thread is free for another. */
    sw_profiler_free(profile_one_neg(0));
}
END_TEST

START_TEST(exit_of_an_inactive_profiler_is_refused)
{
    struct sw_profiler *profiler;

    ck_assert_status(sw_profiler_new(NULL, &profiler), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_RUNTIME_ERROR);
    ck_assert_message("not active");
    sw_profiler_free(profiler);
    profiler = profile_one_neg(0);
    ck_assert_status(sw_profiler_exit(profiler), SW_RUNTIME_ERROR);
    events_of(profiler, 1);
    sw_profiler_free(profiler);
    ck_assert_status(sw_profiler_exit(NULL), SW_TYPE_ERROR);
    ck_assert_status(sw_profiler_enter(NULL), SW_TYPE_ERROR);
}
END_TEST

START_TEST(freeing_an_active_profiler_leaves_the_thread_free)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    run_neg();
    sw_profiler_free(profiler);
    run_neg();
    sw_profiler_free(profile_one_neg(0));
    sw_profiler_free(NULL);
}
END_TEST

static int leave_by_return(struct sw_profiler *profiler)
{
    SW_WITH_PROFILER(profiler)
    {
        run_neg();
        return 1;
    }
    return 0;
}

START_TEST(the_scope_macro_leaves_on_every_way_out)
{
    struct sw_profiler *profiler;
    int n_loops = 0;

    ck_assert_status(sw_profile(NULL, &profiler), SW_OK);
    ck_assert_int_eq(leave_by_return(profiler), 1);
    events_of(profiler, 1);
    sw_profiler_free(profiler);

    for (int i = 0; i < 3; i++) {
        ck_assert_status(sw_profile(NULL, &profiler), SW_OK);
        SW_WITH_PROFILER(profiler)
        {
            run_neg();
            if (i == 0)
                break;
            if (i == 1)
                continue;
            run_neg();
        }
        n_loops++;
        events_of(profiler, i == 2 ? 2 : 1);
        sw_profiler_free(profiler);
    }
    ck_assert_int_eq(n_loops, 3);
}
END_TEST

START_TEST(the_scope_macro_skips_its_body_when_entry_fails)
{
    struct sw_profiler *profiler = profile_one_neg(0);
    int entered = 0;

    SW_WITH_PROFILER(profiler)
    {
        entered = 1;
    }
    ck_assert_int_eq(entered, 0);
    ck_assert_message("single-use");
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("lifecycle", read_results_after_normal_exit, refuse_results_before_exit, reject_a_reused_context,
           reject_nested_contexts_on_one_thread, preserve_results_when_the_context_body_fails,
           exit_of_an_inactive_profiler_is_refused, freeing_an_active_profiler_leaves_the_thread_free,
           the_scope_macro_leaves_on_every_way_out, the_scope_macro_skips_its_body_when_entry_fails)
