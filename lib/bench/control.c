/*
 * Control runs: the same calls with and without an observer.
 */
#include "config.h"

#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/options.h"
#include "record/clock.h"

/* ---- Failures ---------------------------------------------------------------------------- */

void sw__failure_keep(struct sw__failure *failure, enum sw_status status)
{
    if (status == SW_OK || failure->status != SW_OK)
        return;
    failure->status = status;
    snprintf(failure->text, sizeof failure->text, "%s", sw_error_message());
}

enum sw_status sw__failure_return(const struct sw__failure *failure)
{
    return failure->status != SW_OK ? sw_error_set(failure->status, "%s", failure->text) : SW_OK;
}

/* ---- The observer of host ranges ------------------------------------------------------------ */

static enum sw_status begin_ranges(void *context)
{
    (void)context;
    return sw_host_ranges_start();
}

static enum sw_status end_ranges(void *context)
{
    struct sw_host_range_row *rows SW__OWNED = NULL;
    size_t n_rows;

    (void)context;
    return sw_host_ranges_stop(&rows, &n_rows);
}

const struct sw_bench_observer *sw_bench_host_ranges(void)
{
    static const struct sw_bench_observer observer = { begin_ranges, end_ranges, NULL };

    return &observer;
}

/* ---- Rounds ----------------------------------------------------------------------------------- */

/** What is called, and how often. */
struct run {
    sw_bench_call_fn *call;
    void *context;
    struct sw_bench_control_options options;
};

static enum sw_status prepare(struct run *run, const struct sw_bench_control_options *options)
{
    static const struct sw_bench_control_options defaults = SW_BENCH_CONTROL_OPTIONS_INIT;

    if (options == NULL)
        options = &defaults;
    SW__TRY(sw__check_bytes("control options", options->struct_bytes, sizeof *options));
    if (run->call == NULL)
        return sw_error_set(SW_TYPE_ERROR, "a benchmark needs a function to call");
    if (options->warmup_iterations < 0)
        return sw_error_set(SW_VALUE_ERROR, "warmup_iterations must be non-negative");
    if (options->iterations <= 0)
        return sw_error_set(SW_VALUE_ERROR, "iterations must be positive");
    if (options->rounds <= 0)
        return sw_error_set(SW_VALUE_ERROR, "rounds must be positive");
    run->options = *options;
    return SW_OK;
}

static enum sw_status repeat(const struct run *run, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        SW__TRY(run->call(run->context));
    return SW_OK;
}

static enum sw_status measure_round(const struct run *run, const struct sw_bench_observer *observer, double *ret_ns)
{
    struct sw__failure failure = { .status = SW_OK };

    if (observer != NULL)
        SW__TRY(observer->begin(observer->context));
    const uint64_t begin_ns = sw__clock_monotonic_ns();
    enum sw_status status = repeat(run, run->options.iterations);
    const uint64_t end_ns = sw__clock_monotonic_ns();
    sw__failure_keep(&failure, status);
    if (observer != NULL)
        sw__failure_keep(&failure, observer->end(observer->context));
    *ret_ns = (double)(end_ns - begin_ns) / (double)run->options.iterations;
    return sw__failure_return(&failure);
}

/* Samples stay in the order of the rounds. */
static enum sw_status finish(const struct run *run, double **samples, struct sw_bench_series *ret_series)
{
    const size_t n = (size_t)run->options.rounds;
    double *sorted SW__OWNED = sw__alloc(n * sizeof *sorted);

    if (sorted == NULL)
        return SW_MEMORY_ERROR;
    memcpy(sorted, *samples, n * sizeof *sorted);
    struct sw_bench_series series = { run->options.warmup_iterations, run->options.iterations, run->options.rounds,
                                      0, 0, sw__take(*samples) };
    sw__bench_sum_up(sorted, n, &series.mean_ns, &series.median_ns);
    *ret_series = series;
    return SW_OK;
}

static double *samples_new(const struct run *run)
{
    return sw__alloc_rows(run->options.rounds, 1, sizeof(double));
}

enum sw_status sw_bench_control(sw_bench_call_fn *call, void *context, const struct sw_bench_observer *observer,
                                const struct sw_bench_control_options *options, struct sw_bench_series *ret_series)
{
    struct run run = { .call = call, .context = context };
    double *samples SW__OWNED = NULL;

    SW__TRY(prepare(&run, options));
    if ((samples = samples_new(&run)) == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(repeat(&run, run.options.warmup_iterations));
    for (int64_t i = 0; i < run.options.rounds; i++)
        SW__TRY(measure_round(&run, observer, &samples[i]));
    return finish(&run, &samples, ret_series);
}

enum sw_status sw_bench_alternate(sw_bench_call_fn *call, void *context, const struct sw_bench_observer *observer,
                                  const struct sw_bench_control_options *options, struct sw_bench_series *ret_inactive,
                                  struct sw_bench_series *ret_active)
{
    struct run run = { .call = call, .context = context };
    double *without SW__OWNED = NULL, *with SW__OWNED = NULL;
    struct sw_bench_series inactive;

    if (observer == NULL)
        return sw_error_set(SW_TYPE_ERROR, "alternating runs need an observer");
    SW__TRY(prepare(&run, options));
    if ((without = samples_new(&run)) == NULL || (with = samples_new(&run)) == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(repeat(&run, run.options.warmup_iterations));
    for (int64_t i = 0; i < run.options.rounds; i++) {
        SW__TRY(measure_round(&run, NULL, &without[i]));
        SW__TRY(measure_round(&run, observer, &with[i]));
    }
    SW__TRY(finish(&run, &without, &inactive));
    enum sw_status status = finish(&run, &with, ret_active);
    if (status != SW_OK) {
        sw__free(inactive.samples_ns);
        return status;
    }
    *ret_inactive = inactive;
    return SW_OK;
}

double sw_bench_effect(const struct sw_bench_series *inactive, const struct sw_bench_series *active)
{
    return active->median_ns / inactive->median_ns - 1;
}
