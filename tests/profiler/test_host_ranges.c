/*
 * Host ranges, rule by rule: names, sessions, what is collected and what is
 * not, identities of times, calibration. Where they are not compiled in, the
 * other program of this name looks at what is left.
 */
#include "config.h"

#include <pthread.h>
#include <string.h>

#include "check_main.h"
#include "profiler/support.h"

#if SW_ENABLE_HOST_RANGES

#include "base/range.h"

static const char *const expected_names[] = {
    "binding.body",       "binding.tensor_conversion", "binding.device_conversion",
    "dispatch.call",      "dispatch.lookup",           "operator.call",
    "operator.preflight", "cache.key",                 "cache.lookup",
    "cache.construct",    "operator.invoke",           "backend.submit",
    "calibration.depth1", "calibration.depth2",        "calibration.depth3",
};

static struct sw_host_range_row *rows;
static size_t n_rows;

static void start(void)
{
    ck_assert_status(sw_host_ranges_start(), SW_OK);
}

static void stop(void)
{
    sw_free(rows);
    rows = NULL;
    ck_assert_status(sw_host_ranges_stop(&rows, &n_rows), SW_OK);
}

static void stop_fails(const char *sentence)
{
    size_t n = 77;
    struct sw_host_range_row *none = NULL;

    ck_assert_status(sw_host_ranges_stop(&none, &n), SW_RUNTIME_ERROR);
    ck_assert_str_eq(sw_error_message(), sentence);
    ck_assert_ptr_null(none);
    ck_assert_uint_eq(n, 77);
}

static const struct sw_host_range_row *row_of(enum sw_host_range range)
{
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i].range == (uint32_t)range)
            return &rows[i];
    return NULL;
}

static uint64_t count_of(enum sw_host_range range)
{
    const struct sw_host_range_row *row = row_of(range);

    return row != NULL ? row->count : 0;
}

static void begin(struct sw_host_range_scope *scope, enum sw_host_range range)
{
    ck_assert_status(sw_host_range_begin(scope, range), SW_OK);
}

static void pass(enum sw_host_range range)
{
    struct sw_host_range_scope scope __attribute__((cleanup(sw_host_range_end)));

    begin(&scope, range);
}

/* ---- Names ------------------------------------------------------------------------------ */

START_TEST(ranges_have_their_names_in_their_order)
{
    ck_assert_int_eq(sw_host_range_compiled(), 1);
    ck_assert_int_eq(SW_N_HOST_RANGES, sizeof expected_names / sizeof *expected_names);
    for (int i = 0; i < SW_N_HOST_RANGES; i++)
        ck_assert_str_eq(sw_host_range_name((enum sw_host_range)i), expected_names[i]);
    ck_assert_ptr_null(sw_host_range_name(SW_N_HOST_RANGES));
    ck_assert_ptr_null(sw_host_range_name((enum sw_host_range) - 1));
}
END_TEST

START_TEST(a_range_that_is_none_is_refused)
{
    struct sw_host_range_scope scope;

    start();
    ck_assert_status(sw_host_range_begin(&scope, SW_N_HOST_RANGES), SW_VALUE_ERROR);
    ck_assert_str_eq(sw_error_message(), "invalid host range layer");
    sw_host_range_end(&scope);
    stop();
    ck_assert_uint_eq(n_rows, 0);
    ck_assert_ptr_null(rows);
}
END_TEST

/* ---- Sessions ----------------------------------------------------------------------------- */

START_TEST(a_thread_collects_once_at_a_time)
{
    start();
    ck_assert_status(sw_host_ranges_start(), SW_RUNTIME_ERROR);
    ck_assert_str_eq(sw_error_message(), "host range profiler is already active");
    stop();
    stop_fails("host range profiler is not active");
}
END_TEST

START_TEST(sessions_are_numbered_per_thread)
{
    ck_assert_uint_eq(sw_host_ranges_session(), 0);
    start();
    const uint64_t first = sw_host_ranges_session();
    stop();
    ck_assert_uint_eq(sw_host_ranges_session(), 0);
    start();
    ck_assert_uint_eq(sw_host_ranges_session(), first + 1);
    stop();
}
END_TEST

START_TEST(sessions_can_be_exhausted)
{
    sw__thread.n_collections = UINT32_MAX;
    ck_assert_status(sw_host_ranges_start(), SW_OVERFLOW_ERROR);
    ck_assert_str_eq(sw_error_message(), "host range profiler session IDs are exhausted");
    sw__thread.n_collections = 0;
    start();
    stop();
}
END_TEST

START_TEST(a_session_with_open_ranges_is_lost_and_the_next_can_start)
{
    struct sw_host_range_scope scope;

    start();
    pass(SW_HOST_RANGE_CACHE_KEY);
    begin(&scope, SW_HOST_RANGE_BINDING_BODY);
    stop_fails("host range profiler has unclosed ranges");
    start();
    sw_host_range_end(&scope); /* of the session that is gone */
    stop();
    ck_assert_uint_eq(n_rows, 0);
}
END_TEST

START_TEST(ranges_that_cross_spoil_the_session)
{
    struct sw_host_range_scope outer, inner;

    start();
    begin(&outer, SW_HOST_RANGE_BINDING_BODY);
    begin(&inner, SW_HOST_RANGE_DISPATCH_CALL);
    sw_host_range_end(&outer); /* not the innermost: flagged, nothing is taken off */
    sw_host_range_end(&inner);
    struct sw_host_range_scope again = outer;
    sw_host_range_end(&again);
    stop_fails("host range profiler failed to record a sample");
    start();
    stop();
}
END_TEST

START_TEST(an_inactive_range_stays_inactive)
{
    struct sw_host_range_scope scope;

    begin(&scope, SW_HOST_RANGE_BINDING_BODY);
    start();
    sw_host_range_end(&scope);
    stop();
    ck_assert_uint_eq(n_rows, 0);
}
END_TEST

static void *pass_elsewhere(void *argument)
{
    pass(SW_HOST_RANGE_BINDING_BODY);
    sw_host_range_end(argument); /* began on another thread */
    ck_assert_uint_eq(sw_host_ranges_session(), 0);
    return NULL;
}

START_TEST(other_threads_are_ignored)
{
    struct sw_host_range_scope scope, copy;
    pthread_t thread;

    start();
    begin(&scope, SW_HOST_RANGE_OPERATOR_CALL);
    copy = scope;
    ck_assert_int_eq(pthread_create(&thread, NULL, pass_elsewhere, &copy), 0);
    pthread_join(thread, NULL);
    sw_host_range_end(&scope);
    stop();
    ck_assert_uint_eq(n_rows, 1);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_OPERATOR_CALL), 1);
}
END_TEST

static void *collect_and_end(void *argument)
{
    (void)argument;
    start();
    pass(SW_HOST_RANGE_BINDING_BODY);
    return NULL;
}

START_TEST(a_thread_may_end_while_it_collects)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, collect_and_end, NULL), 0);
    pthread_join(thread, NULL);
}
END_TEST

/* ---- Samples ------------------------------------------------------------------------------------ */

static void nest(int depth)
{
    struct sw_host_range_scope scope __attribute__((cleanup(sw_host_range_end)));

    begin(&scope, SW_HOST_RANGE_OPERATOR_CALL);
    if (depth > 1)
        nest(depth - 1);
}

START_TEST(nothing_is_dropped)
{
    start();
    nest(1000); /* room from the start is for 16 open ranges and 256 samples */
    for (int i = 0; i < 5000; i++)
        pass(SW_HOST_RANGE_CACHE_KEY);
    stop();
    ck_assert_uint_eq(n_rows, 2);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_OPERATOR_CALL), 1000);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_CACHE_KEY), 5000);
}
END_TEST

START_TEST(rows_come_in_the_order_of_ranges)
{
    start();
    for (int i = SW_N_HOST_RANGES - 1; i >= 0; i--)
        pass((enum sw_host_range)i);
    stop();
    ck_assert_uint_eq(n_rows, SW_N_HOST_RANGES);
    for (size_t i = 0; i < n_rows; i++)
        ck_assert_uint_eq(rows[i].range, i);
}
END_TEST

/* ---- The library's own path ------------------------------------------------------------------------ */

static void add_once(struct sw_tensor *a, struct sw_tensor *b)
{
    struct sw_tensor *sum = NULL;

    ck_assert_status(sw_add(a, b, &sum), SW_OK);
    sw_tensor_unref(sum);
}

static double inclusive(enum sw_host_range range)
{
    const struct sw_host_range_row *row = row_of(range);

    return row != NULL ? row->inclusive_mean * (double)row->count : 0;
}

static double self(enum sw_host_range range)
{
    return row_of(range)->self_mean * (double)row_of(range)->count;
}

/* Sums of whole nanoseconds, from means of doubles. */
static void ck_assert_same_time(double a, double b)
{
    ck_assert_msg(a - b < 0.01 && b - a < 0.01, "%.9g ns are not %.9g ns", a, b);
}

static void check_identities(void)
{
    ck_assert_same_time(self(SW_HOST_RANGE_BINDING_BODY),
                        inclusive(SW_HOST_RANGE_BINDING_BODY) - inclusive(SW_HOST_RANGE_BINDING_TENSOR_CONVERSION) -
                            inclusive(SW_HOST_RANGE_DISPATCH_CALL));
    ck_assert_same_time(self(SW_HOST_RANGE_DISPATCH_CALL), inclusive(SW_HOST_RANGE_DISPATCH_CALL) -
                                                               inclusive(SW_HOST_RANGE_DISPATCH_LOOKUP) -
                                                               inclusive(SW_HOST_RANGE_OPERATOR_CALL));
    ck_assert_same_time(self(SW_HOST_RANGE_DISPATCH_LOOKUP),
                        inclusive(SW_HOST_RANGE_DISPATCH_LOOKUP) - inclusive(SW_HOST_RANGE_CACHE_KEY) -
                            inclusive(SW_HOST_RANGE_CACHE_LOOKUP) - inclusive(SW_HOST_RANGE_CACHE_CONSTRUCT));
    ck_assert_same_time(self(SW_HOST_RANGE_OPERATOR_CALL), inclusive(SW_HOST_RANGE_OPERATOR_CALL) -
                                                               inclusive(SW_HOST_RANGE_OPERATOR_PREFLIGHT) -
                                                               inclusive(SW_HOST_RANGE_OPERATOR_INVOKE));
    ck_assert_same_time(self(SW_HOST_RANGE_OPERATOR_INVOKE),
                        inclusive(SW_HOST_RANGE_OPERATOR_INVOKE) - inclusive(SW_HOST_RANGE_BACKEND_SUBMIT));
    ck_assert_same_time(self(SW_HOST_RANGE_BACKEND_SUBMIT), inclusive(SW_HOST_RANGE_BACKEND_SUBMIT));
}

static void check_counts(uint64_t n_calls, uint64_t n_constructed)
{
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_BINDING_BODY), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_BINDING_TENSOR_CONVERSION), 2 * n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_BINDING_DEVICE_CONVERSION), 0);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_DISPATCH_CALL), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_DISPATCH_LOOKUP), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_OPERATOR_CALL), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_OPERATOR_PREFLIGHT), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_CACHE_KEY), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_CACHE_LOOKUP), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_CACHE_CONSTRUCT), n_constructed);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_OPERATOR_INVOKE), n_calls);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_BACKEND_SUBMIT), n_calls);
}

START_TEST(an_operation_passes_its_ranges_cold_and_warm)
{
    struct sw_tensor *a = make_tensor(sw_cpu_class()), *b = make_tensor(sw_cpu_class());

    add_once(a, b);
    sw_dispatch_cache_clear();
    start();
    add_once(a, b);
    stop();
    check_counts(1, 1);
    check_identities();

    start();
    for (int i = 0; i < 100; i++)
        add_once(a, b);
    stop();
    check_counts(100, 0);
    check_identities();
    sw_tensor_unref(a);
    sw_tensor_unref(b);
}
END_TEST

START_TEST(a_failed_operation_leaves_no_range_open)
{
    struct sw_tensor *a = make_tensor(sw_cpu_class()), *b = make_tensor(sw_generic_class()), *sum = NULL;

    start();
    ck_assert_status(sw_add(a, b, &sum), SW_TYPE_ERROR);
    stop();
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_BINDING_BODY), 1);
    ck_assert_uint_eq(count_of(SW_HOST_RANGE_DISPATCH_CALL), 0);
    sw_tensor_unref(a);
    sw_tensor_unref(b);
}
END_TEST

/* ---- Calibration ---------------------------------------------------------------------------------- */

START_TEST(calibration_refuses_what_it_cannot_measure)
{
    struct sw_host_range_calibration calibration = { .struct_bytes = sizeof calibration };

    start();
    ck_assert_status(sw_host_ranges_calibrate(1, &calibration), SW_RUNTIME_ERROR);
    ck_assert_str_eq(sw_error_message(), "cannot calibrate while the host range profiler is active");
    stop();
    ck_assert_status(sw_host_ranges_calibrate(0, &calibration), SW_VALUE_ERROR);
    ck_assert_str_eq(sw_error_message(), "host range calibration requires iterations");
    calibration.struct_bytes = 4;
    ck_assert_status(sw_host_ranges_calibrate(1, &calibration), SW_TYPE_ERROR);
}
END_TEST

START_TEST(calibration_adds_up)
{
    struct sw_host_range_calibration calibration = { .struct_bytes = sizeof calibration };
    const struct sw_host_range_row *depth = calibration.depths;

    ck_assert_status(sw_host_ranges_calibrate(1001, &calibration), SW_OK);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(depth[i].range, SW_HOST_RANGE_CALIBRATION_DEPTH1 + i);
        ck_assert_uint_eq(depth[i].count, 1001);
    }
    ck_assert_same_time(depth[0].inclusive_mean, depth[0].self_mean + depth[1].inclusive_mean);
    ck_assert_same_time(depth[1].inclusive_mean, depth[1].self_mean + depth[2].inclusive_mean);
    ck_assert_same_time(depth[2].inclusive_mean, depth[2].self_mean);
    ck_assert_double_ge(depth[0].inclusive_median, depth[1].inclusive_median);
    ck_assert_double_ge(depth[1].inclusive_median, depth[2].inclusive_median);
    ck_assert_same_time(calibration.inside_ns, depth[2].inclusive_median);
    ck_assert_double_ge(calibration.complete_ns, depth[0].self_median);
    ck_assert_double_ge(calibration.complete_ns, depth[1].self_median);
}
END_TEST

START_TEST(excess_follows_the_formulas)
{
    const struct sw_host_range_calibration calibration = { .inside_ns = 20, .complete_ns = 134.12 };
    struct sw_host_range_excess excess;

    sw_host_range_excess(&calibration, 9, 3, &excess);
    ck_assert_same_time(excess.inclusive_ns, 1227.08); /* 20 + 9 * 134.12 */
    ck_assert_same_time(excess.self_ns, 362.36);       /* 20 + 3 * 114.12 */
}
END_TEST

CHECK_MAIN("host_ranges", ranges_have_their_names_in_their_order, a_range_that_is_none_is_refused,
           a_thread_collects_once_at_a_time, sessions_are_numbered_per_thread, sessions_can_be_exhausted,
           a_session_with_open_ranges_is_lost_and_the_next_can_start, ranges_that_cross_spoil_the_session,
           an_inactive_range_stays_inactive, other_threads_are_ignored, a_thread_may_end_while_it_collects,
           nothing_is_dropped, rows_come_in_the_order_of_ranges, an_operation_passes_its_ranges_cold_and_warm,
           a_failed_operation_leaves_no_range_open,
           calibration_refuses_what_it_cannot_measure, calibration_adds_up, excess_follows_the_formulas)

#else

int main(void)
{
    return check_main_skip("SW_EXPECT_HOST_RANGES", "built without --enable-host-ranges");
}

#endif
