/*
 * Benchmarks as functions: texts of numbers, control runs, windows and rows.
 */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <regex.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"
#include "profiler/support.h"

/* ---- Numbers ------------------------------------------------------------------------------ */

START_TEST(numbers_are_as_short_as_they_read_back)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        { 0, "0.0" },
        { 1, "1.0" },
        { 100, "100.0" },
        { 775383, "775383.0" },
        { 25542.5, "25542.5" },
        { 32297.0 / 3, "10765.666666666666" },
        { 30906.074895308568, "30906.074895308568" },
        { 3287.0886153846154, "3287.0886153846154" },
        { -1.5, "-1.5" },
        { 0.1, "0.1" },
        { 0.0001, "0.0001" },
        { 0.00012, "0.00012" },
        { 0.00001, "1e-05" },
        { 1.5e-7, "1.5e-07" },
        { 123456789012345680.0, "1.2345678901234568e+17" },
        { 1e16, "1e+16" },
        { 9007199254740993.0, "9007199254740992.0" },
        { 5e-324, "5e-324" },
        { -INFINITY, "null" },
        { NAN, "null" },
    };
    char text[SW_BENCH_NUMBER_BYTES];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_str_eq(sw_bench_number_text(rows[i].value, text), rows[i].text);
}
END_TEST

/* ---- Control runs --------------------------------------------------------------------------- */

struct counted {
    int n_calls;
    int n_begun;
    int n_ended;
    int fails_at; /* 0: never */
};

static enum sw_status count_call(void *context)
{
    struct counted *counted = context;

    if (++counted->n_calls == counted->fails_at)
        return sw_error_set(SW_INDEX_ERROR, "call %d", counted->n_calls);
    return SW_OK;
}

static enum sw_status count_begin(void *context)
{
    ((struct counted *)context)->n_begun++;
    return SW_OK;
}

static enum sw_status count_end(void *context)
{
    ((struct counted *)context)->n_ended++;
    return sw_error_set(SW_OS_ERROR, "the end is never well");
}

static enum sw_status count_good_end(void *context)
{
    ((struct counted *)context)->n_ended++;
    return SW_OK;
}

static enum sw_status control(const struct sw_bench_control_options *options)
{
    struct counted counted = { 0 };
    struct sw_bench_series series;

    return sw_bench_control(count_call, &counted, NULL, options, &series);
}

START_TEST(control_options_are_checked)
{
    struct sw_bench_control_options options = SW_BENCH_CONTROL_OPTIONS_INIT;

    ck_assert_int_eq(options.warmup_iterations, 2000);
    ck_assert_int_eq(options.iterations, 5000);
    ck_assert_int_eq(options.rounds, 7);
    options.warmup_iterations = -1;
    ck_assert_status(control(&options), SW_VALUE_ERROR);
    ck_assert_str_eq(sw_error_message(), "warmup_iterations must be non-negative");
    options.warmup_iterations = 0;
    options.iterations = 0;
    ck_assert_status(control(&options), SW_VALUE_ERROR);
    ck_assert_str_eq(sw_error_message(), "iterations must be positive");
    options.iterations = 1;
    options.rounds = 0;
    ck_assert_status(control(&options), SW_VALUE_ERROR);
    ck_assert_str_eq(sw_error_message(), "rounds must be positive");
}
END_TEST

START_TEST(control_runs_make_the_calls_they_say)
{
    const struct sw_bench_control_options options = { sizeof options, 0, 3, 10, 5 };
    struct counted counted = { 0 };
    const struct sw_bench_observer observer = { count_begin, count_good_end, &counted };
    struct sw_bench_series inactive, active;

    ck_assert_status(sw_bench_control(count_call, &counted, &observer, &options, &active), SW_OK);
    ck_assert_int_eq(counted.n_calls, 53);
    ck_assert_int_eq(counted.n_begun, 5);
    ck_assert_int_eq(counted.n_ended, 5);
    double sum = 0;
    for (int i = 0; i < 5; i++)
        sum += active.samples_ns[i];
    ck_assert_double_eq_tol(active.mean_ns, sum / 5, 1e-6 * sum);
    sw_free(active.samples_ns);

    counted = (struct counted){ 0 };
    ck_assert_status(sw_bench_alternate(count_call, &counted, &observer, &options, &inactive, &active), SW_OK);
    ck_assert_int_eq(counted.n_calls, 103);
    ck_assert_int_eq(counted.n_begun, 5);
    ck_assert_int_eq(inactive.rounds, 5);
    ck_assert_double_eq_tol(sw_bench_effect(&inactive, &active), active.median_ns / inactive.median_ns - 1, 1e-12);
    sw_free(inactive.samples_ns);
    sw_free(active.samples_ns);
}
END_TEST

START_TEST(the_observer_is_ended_and_the_first_error_is_the_one_that_is_told)
{
    const struct sw_bench_control_options options = { sizeof options, 0, 0, 10, 5 };
    struct counted counted = { .fails_at = 4 };
    const struct sw_bench_observer observer = { count_begin, count_end, &counted };
    struct sw_bench_series series = { .rounds = 77 };

    ck_assert_status(sw_bench_control(count_call, &counted, &observer, &options, &series), SW_INDEX_ERROR);
    ck_assert_str_eq(sw_error_message(), "call 4");
    ck_assert_int_eq(counted.n_ended, 1);
    ck_assert_int_eq(series.rounds, 77);
}
END_TEST

/* ---- Cases -------------------------------------------------------------------------------------- */

struct steps {
    struct sw_tensor *a;
    char order[64]; /* C: cleared, S: synchronised, R: referred to, K: checked */
    int n_calls;
    int calls_at_warm_start;
    int n_synchronized;
    int fails_at;
};

static void note(struct steps *steps, char what)
{
    size_t n = strlen(steps->order);

    if (n + 1 < sizeof steps->order && (n == 0 || steps->order[n - 1] != what))
        steps->order[n] = what;
}

static enum sw_status run_add(void *context)
{
    struct steps *steps = context;
    struct sw_tensor *sum = NULL;

    if (++steps->n_calls == steps->fails_at)
        return sw_error_set(SW_INDEX_ERROR, "call %d", steps->n_calls);
    enum sw_status status = sw_add(steps->a, steps->a, &sum);
    sw_tensor_unref(sum);
    note(steps, '.');
    return status;
}

static enum sw_status clear(void *context)
{
    note(context, 'C');
    sw_dispatch_cache_clear();
    return SW_OK;
}

static enum sw_status synchronize(void *context)
{
    struct steps *steps = context;

    ck_assert_uint_eq(sw_host_ranges_session(), 0); /* outside of windows only */
    if (++steps->n_synchronized == 3)
        steps->calls_at_warm_start = steps->n_calls;
    note(steps, 'S');
    return SW_OK;
}

static enum sw_status refer(void *context)
{
    note(context, 'R');
    return SW_OK;
}

static enum sw_status check(void *context)
{
    note(context, 'K');
    return SW_OK;
}

static struct sw_bench_case case_of(struct steps *steps)
{
    const struct sw_bench_case bench_case = {
        .struct_bytes = sizeof bench_case,
        .nodeid = "tests::add[\"cpu\\0\"]",
        .operator_name = "add",
        .backend = "cpu",
        .call = run_add,
        .clear = clear,
        .synchronize = synchronize,
        .reference = refer,
        .check = check,
        .context = steps,
    };

    steps->a = make_shaped(sw_cpu_class(), "(13,4)");
    return bench_case;
}

static const struct sw_bench_case_options brief = { sizeof brief, 0, 1000000, 500 };

START_TEST(without_rows_a_case_is_timed_and_checked_only)
{
    struct steps steps = { 0 };
    const struct sw_bench_case bench_case = case_of(&steps);
    struct sw_bench_case_result result;

    ck_assert_status(sw_bench_case_run(&bench_case, &brief, NULL, &result), SW_OK);
    ck_assert_str_eq(steps.order, ".RK");
    ck_assert_int_ge(result.end_to_end.blocks, 1);
    ck_assert_int_le(result.end_to_end.blocks * result.end_to_end.calls_per_block, brief.most_calls);
    ck_assert_double_gt(result.end_to_end.mean_ns, 0);
    sw_tensor_unref(steps.a);
}
END_TEST

START_TEST(parallel_workers_are_refused)
{
    struct sw_bench_report *report = NULL;

    setenv("MAKEFLAGS", " -j2 --jobserver-auth=3,4", 1);
    ck_assert_status(sw_bench_report_open("rows.jsonl", &report), SW_RUNTIME_ERROR);
    ck_assert_message("host range profiling does not support parallel test workers");
    unsetenv("MAKEFLAGS");
    setenv("PYTEST_XDIST_WORKER", "gw0", 1);
    ck_assert_status(sw_bench_report_open("rows.jsonl", &report), SW_RUNTIME_ERROR);
    ck_assert_message("host range profiling does not support parallel test workers");
    unsetenv("PYTEST_XDIST_WORKER");
    ck_assert_ptr_null(report);
}
END_TEST

#if SW_ENABLE_HOST_RANGES

static char folder[] = "windows.XXXXXX";

static struct sw_bench_report *open_rows(const char *path)
{
    struct sw_bench_report *report;

    unsetenv("MAKEFLAGS");
    ck_assert_status(sw_bench_report_open(path, &report), SW_OK);
    return report;
}

/* One line, exactly these keys. */
#define ROW                                                                                                        \
    "^\\{\"nodeid\":\"tests::add\\[\\\\\"cpu\\\\\\\\0\\\\\"\\]\",\"operator\":\"add\",\"backend\":\"cpu\"," \
    "\"phase\":\"(cold|warm)\",\"range\":\"([a-z_.]+)\",\"metric\":\"(inclusive|self)\",\"count\":([0-9]+),"       \
    "\"unit\":\"ns\",\"mean\":[0-9]+\\.[0-9]+,\"median\":[0-9]+\\.[0-9]+\\}$"

static void copy_match(const char *line, const regmatch_t *match, char *text)
{
    const size_t n = (size_t)(match->rm_eo - match->rm_so);

    memcpy(text, line + match->rm_so, n);
    text[n] = '\0';
}

/* phase/range/metric/count of each row, a line each. */
static void read_rows(const char *path, char *text, size_t room)
{
    FILE *stream = fopen(path, "r");
    char line[1024];
    regex_t row;

    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(regcomp(&row, ROW, REG_EXTENDED), 0);
    text[0] = '\0';
    while (fgets(line, sizeof line, stream) != NULL) {
        char part[5][64];
        regmatch_t match[5];
        line[strcspn(line, "\n")] = '\0';
        ck_assert_msg(regexec(&row, line, 5, match, 0) == 0, "no row: %s", line);
        for (int i = 1; i < 5; i++)
            copy_match(line, &match[i], part[i]);
        size_t n = strlen(text);
        snprintf(text + n, room - n, "%s %s %s %s\n", part[1], part[2], part[3], part[4]);
    }
    regfree(&row);
    fclose(stream);
}

static void expect(char *text, size_t room, const char *phase, const char *range, int metrics, int64_t count)
{
    static const char *const metric[] = { "inclusive", "self" };

    for (int i = 0; i < metrics; i++) {
        size_t n = strlen(text);
        snprintf(text + n, room - n, "%s %s %s %lld\n", phase, range, metric[i], (long long)count);
    }
}

START_TEST(rows_are_those_of_a_cold_and_a_warm_window)
{
    static const struct {
        const char *range;
        int cold;
        int warm;
    } ranges[] = {
        { "binding.body", 1, 1 },       { "binding.tensor_conversion", 2, 2 },
        { "dispatch.call", 1, 1 },      { "dispatch.lookup", 1, 1 },
        { "operator.call", 1, 1 },      { "operator.preflight", 1, 1 },
        { "cache.key", 1, 1 },          { "cache.lookup", 1, 1 },
        { "cache.construct", 1, 0 },    { "operator.invoke", 1, 1 },
        { "backend.submit", 1, 1 },
    };
    struct steps steps = { 0 };
    const struct sw_bench_case bench_case = case_of(&steps);
    struct sw_bench_case_result result;
    char path[64], expected[4096] = "", found[4096];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a/b/rows.jsonl", folder); /* folders are made */
    struct sw_bench_report *report = open_rows(path);
    ck_assert_status(sw_bench_case_run(&bench_case, &brief, report, &result), SW_OK);
    ck_assert_status(sw_bench_report_close(report), SW_OK);
    const int64_t n_calls = result.end_to_end.blocks * result.end_to_end.calls_per_block;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        expect(expected, sizeof expected, "cold", ranges[i].range, 2, ranges[i].cold);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].warm)
            expect(expected, sizeof expected, "warm", ranges[i].range, 2, ranges[i].warm * n_calls);
    expect(expected, sizeof expected, "warm", "end_to_end", 1, n_calls);
    read_rows(path, found, sizeof found);
    ck_assert_str_eq(found, expected);
    /* The warm window replays exactly the calls that were timed, after them. */
    ck_assert_int_eq(steps.n_calls - steps.calls_at_warm_start, n_calls);
    ck_assert_str_eq(steps.order, ".CS.S.S.SRK");

    /* What was there is gone when a file is opened anew. */
    ck_assert_status(sw_bench_report_close(open_rows(path)), SW_OK);
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_size, 0);
    for (char *end = path + strlen(path); end != NULL; end = strrchr(path, '/')) {
        *end = '\0';
        ck_assert_int_eq(remove(path), 0);
    }
    sw_tensor_unref(steps.a);
}
END_TEST

START_TEST(a_call_that_fails_in_a_window_ends_it)
{
    struct steps steps = { .fails_at = 2 }; /* the cold one */
    const struct sw_bench_case bench_case = case_of(&steps);
    struct sw_bench_case_result result = { .end_to_end = { .blocks = 77 } };
    char name[] = "failing.XXXXXX", path[64];

    ck_assert_ptr_nonnull(mkdtemp(name));
    snprintf(path, sizeof path, "%s/rows.jsonl", name);
    struct sw_bench_report *report = open_rows(path);
    ck_assert_status(sw_bench_case_run(&bench_case, &brief, report, &result), SW_INDEX_ERROR);
    ck_assert_str_eq(sw_error_message(), "call 2");
    ck_assert_uint_eq(sw_host_ranges_session(), 0);
    ck_assert_int_eq(result.end_to_end.blocks, 77);
    ck_assert_status(sw_bench_report_close(report), SW_OK);
    unlink(path);
    rmdir(name);
    sw_tensor_unref(steps.a);
}
END_TEST

CHECK_MAIN("windows", numbers_are_as_short_as_they_read_back, control_options_are_checked,
           control_runs_make_the_calls_they_say,
           the_observer_is_ended_and_the_first_error_is_the_one_that_is_told,
           without_rows_a_case_is_timed_and_checked_only, parallel_workers_are_refused,
           rows_are_those_of_a_cold_and_a_warm_window, a_call_that_fails_in_a_window_ends_it)

#else

CHECK_MAIN("windows", numbers_are_as_short_as_they_read_back, control_options_are_checked,
           control_runs_make_the_calls_they_say,
           the_observer_is_ended_and_the_first_error_is_the_one_that_is_told,
           without_rows_a_case_is_timed_and_checked_only, parallel_workers_are_refused)

#endif
