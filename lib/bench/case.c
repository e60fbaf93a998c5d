/*
 * A case: its windows of host ranges, the loop that times it from end to end,
 * and what is done around them.
 */
#include "config.h"

#include <strideweave/carrier.h>

#include "bench/bench.h"

#include "base/alloc.h"
#include "base/options.h"
#include "record/clock.h"

/* A block lasts at least so long: reading the clock is nothing against it. */
#define LEAST_BLOCK_NS 100000
/* Blocks that there are at least, if there may be so many calls. */
#define LEAST_BLOCKS 10

struct timer {
    sw_bench_call_fn *call;
    void *context;
    const struct sw_bench_case_options *options;
};

static enum sw_status time_block(const struct timer *timer, int64_t n_calls, uint64_t *ret_ns)
{
    const uint64_t begin_ns = sw__clock_monotonic_ns();

    for (int64_t i = 0; i < n_calls; i++)
        SW__TRY(timer->call(timer->context));
    *ret_ns = sw__clock_monotonic_ns() - begin_ns;
    return SW_OK;
}

/* A power of ten of calls that lasts long enough. */
static enum sw_status find_block(const struct timer *timer, int64_t *ret_n_calls)
{
    const int64_t most = timer->options->most_calls / LEAST_BLOCKS;
    int64_t n_calls = 1;
    uint64_t ns;

    for (;; n_calls *= 10) {
        SW__TRY(time_block(timer, n_calls, &ns));
        if (ns >= LEAST_BLOCK_NS || n_calls > most / 10)
            break;
    }
    *ret_n_calls = n_calls;
    return SW_OK;
}

static enum sw_status run_timer(const struct timer *timer, struct sw_bench_timing *ret_timing)
{
    double *means SW__OWNED = NULL;
    struct sw_bench_timing timing = { .blocks = 0 };
    uint64_t all_ns = 0, ns;

    SW__TRY(find_block(timer, &timing.calls_per_block));
    const int64_t most_blocks = timer->options->most_calls / timing.calls_per_block;
    if ((means = sw__alloc_rows(most_blocks, 1, sizeof *means)) == NULL)
        return SW_MEMORY_ERROR;
    do {
        SW__TRY(time_block(timer, timing.calls_per_block, &ns));
        means[timing.blocks++] = (double)ns / (double)timing.calls_per_block;
        all_ns += ns;
    } while (all_ns < (uint64_t)timer->options->min_run_ns && timing.blocks < most_blocks);
    sw__bench_sum_up(means, (size_t)timing.blocks, &timing.mean_ns, &timing.median_ns);
    *ret_timing = timing;
    return SW_OK;
}

/* ---- Windows ---------------------------------------------------------------------------------- */

static enum sw_status step(const struct sw_bench_case *bench_case, sw_bench_call_fn *function)
{
    return function != NULL ? function(bench_case->context) : SW_OK;
}

static enum sw_status collect(const struct sw_bench_case *bench_case, int64_t n_calls, struct sw_host_range_row **rows,
                              size_t *n_rows)
{
    struct sw__failure failure = { .status = SW_OK };
    enum sw_status status = SW_OK;

    SW__TRY(step(bench_case, bench_case->synchronize));
    SW__TRY(sw_host_ranges_start());
    for (int64_t i = 0; i < n_calls && status == SW_OK; i++)
        status = bench_case->call(bench_case->context);
    sw__failure_keep(&failure, status);
    sw__failure_keep(&failure, sw_host_ranges_stop(rows, n_rows));
    SW__TRY(sw__failure_return(&failure));
    return step(bench_case, bench_case->synchronize);
}

static enum sw_status write_window(const struct sw_bench_case *bench_case, const char *phase, int64_t n_calls,
                                   struct sw_bench_report *report)
{
    const struct sw__bench_window window = { bench_case, phase };
    struct sw_host_range_row *rows SW__OWNED = NULL;
    size_t n_rows = 0;

    SW__TRY(collect(bench_case, n_calls, &rows, &n_rows));
    return sw__bench_report_ranges(report, &window, rows, n_rows);
}

static enum sw_status write_cold_window(const struct sw_bench_case *bench_case, struct sw_bench_report *report)
{
    if (bench_case->clear != NULL)
        SW__TRY(bench_case->clear(bench_case->context));
    else
        sw_dispatch_cache_clear();
    return write_window(bench_case, "cold", 1, report);
}

static enum sw_status write_warm_window(const struct sw_bench_case *bench_case, const struct sw_bench_timing *timing,
                                        struct sw_bench_report *report)
{
    const struct sw__bench_window window = { bench_case, "warm" };

    SW__TRY(write_window(bench_case, "warm", timing->blocks * timing->calls_per_block, report));
    return sw__bench_report_timing(report, &window, timing);
}

/* ---- The case ----------------------------------------------------------------------------------- */

static enum sw_status check(const struct sw_bench_case *bench_case, const struct sw_bench_case_options *options)
{
    if (bench_case == NULL)
        return sw_error_set(SW_TYPE_ERROR, "expected a benchmark case, got NULL");
    SW__TRY(sw__check_bytes("benchmark case", bench_case->struct_bytes, sizeof *bench_case));
    SW__TRY(sw__check_bytes("case options", options->struct_bytes, sizeof *options));
    if (bench_case->call == NULL || bench_case->nodeid == NULL || bench_case->operator_name == NULL)
        return sw_error_set(SW_TYPE_ERROR, "a benchmark case needs a nodeid, the name of an operator and a call");
    if (options->min_run_ns < 0 || options->most_calls < 1)
        return sw_error_set(SW_VALUE_ERROR, "a benchmark case makes at least one call in no less than no time");
    return SW_OK;
}

enum sw_status sw_bench_case_run(const struct sw_bench_case *bench_case, const struct sw_bench_case_options *options,
                                 struct sw_bench_report *report, struct sw_bench_case_result *ret_result)
{
    static const struct sw_bench_case_options defaults = SW_BENCH_CASE_OPTIONS_INIT;
    struct sw_bench_case_result result = { .reference = { .blocks = 0 } };

    if (options == NULL)
        options = &defaults;
    SW__TRY(check(bench_case, options));
    SW__TRY(bench_case->call(bench_case->context));
    if (report != NULL)
        SW__TRY(write_cold_window(bench_case, report));
    const struct timer timer = { bench_case->call, bench_case->context, options };
    SW__TRY(run_timer(&timer, &result.end_to_end));
    if (report != NULL)
        SW__TRY(write_warm_window(bench_case, &result.end_to_end, report));
    if (bench_case->reference != NULL) {
        const struct timer other = { bench_case->reference, bench_case->context, options };
        SW__TRY(run_timer(&other, &result.reference));
    }
    SW__TRY(step(bench_case, bench_case->check));
    *ret_result = result;
    return SW_OK;
}
