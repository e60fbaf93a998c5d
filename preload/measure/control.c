/*
 * swprof-bench control: rounds of calls with and without an observer, as text
 * or as a report in JSON.
 */
#include "config.h"

#include "measure/measure.h"

#include <stdlib.h>

/** What was measured of one case. */
struct result {
    const struct builtin *builtin;
    int n_series;
    struct sw_bench_series series[2];
    int is_active[2];
};

struct results {
    size_t n;
    struct result *at;
};

/* ---- Measuring --------------------------------------------------------------------------- */

static enum sw_status measure(struct subject *subject, const struct options *options, struct result *result)
{
    struct sw_bench_control_options with = SW_BENCH_CONTROL_OPTIONS_INIT;
    const struct sw_bench_observer *observer = options->observer->observer();

    with.warmup_iterations = options->warmup;
    if (options->iterations != 0)
        with.iterations = options->iterations;
    with.rounds = options->rounds;
    if (options->is_alternating) {
        result->n_series = 2;
        result->is_active[1] = 1;
        return sw_bench_alternate(subject_call, subject, observer, &with, &result->series[0], &result->series[1]);
    }
    result->n_series = 1;
    result->is_active[0] = options->is_active;
    return sw_bench_control(subject_call, subject, options->is_active ? observer : NULL, &with, &result->series[0]);
}

static enum bench_outcome measure_all(const struct options *options, struct results *results)
{
    const struct builtin *builtin;

    for (size_t i = 0; builtin_select(options, i, &builtin); i++) {
        struct result result = { .builtin = builtin, .n_series = 0 };
        struct subject subject;
        if (subject_open(builtin, &subject) != SW_OK)
            return bench_fail_library(builtin->name);
        enum sw_status status = measure(&subject, options, &result);
        subject_close(&subject);
        if (status != SW_OK)
            return bench_fail_library(builtin->name);
        results->at[results->n++] = result;
    }
    return BENCH_OK;
}

/* ---- Telling ------------------------------------------------------------------------------- */

static void print(const struct options *options, const struct results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->at[i];
        for (int j = 0; j < result->n_series; j++)
            printf("%s: %s, %s: median %.1f ns, mean %.1f ns\n", result->builtin->name, result->builtin->params,
                   result->is_active[j] ? options->observer->name : "not observed", result->series[j].median_ns,
                   result->series[j].mean_ns);
        if (result->n_series == 2)
            printf("%s: the observer effect of %s is %+.1f %%\n", result->builtin->name, options->observer->name,
                   100 * sw_bench_effect(&result->series[0], &result->series[1]));
    }
}

static const char *truth(int value)
{
    return value ? "true" : "false";
}

/* Keys are sorted. */
static void put_series(FILE *stream, const struct result *result, int which)
{
    const struct sw_bench_series *series = &result->series[which];

    fputs("    {\n      \"benchmark\": ", stream);
    json_text(stream, result->builtin->name);
    fprintf(stream, ",\n      \"iterations_per_round\": %lld,\n      \"mean\": ",
            (long long)series->iterations_per_round);
    json_number(stream, series->mean_ns);
    fputs(",\n      \"median\": ", stream);
    json_number(stream, series->median_ns);
    fputs(",\n      \"params\": ", stream);
    json_text(stream, result->builtin->params);
    fprintf(stream, ",\n      \"profiling_active\": %s,\n      \"rounds\": %lld,\n      \"samples\": [",
            truth(result->is_active[which]), (long long)series->rounds);
    for (int64_t i = 0; i < series->rounds; i++) {
        fputs(i == 0 ? "\n        " : ",\n        ", stream);
        json_number(stream, series->samples_ns[i]);
    }
    fprintf(stream, "\n      ],\n      \"unit\": \"ns\",\n      \"warmup_iterations\": %lld\n    }",
            (long long)series->warmup_iterations);
}

static void put_effects(FILE *stream, const struct results *results)
{
    fputs("  \"observer_effect\": {", stream);
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->at[i];
        fputs(i == 0 ? "\n    " : ",\n    ", stream);
        json_text(stream, result->builtin->name);
        fputs(": ", stream);
        json_number(stream, sw_bench_effect(&result->series[0], &result->series[1]));
    }
    fputs("\n  },\n", stream);
}

static enum bench_outcome write_json(const struct options *options, const struct results *results)
{
    const char *separator = "";
    FILE *stream = json_open(options->output);

    if (stream == NULL)
        return BENCH_FAILED;
    fputs("{\n  \"device\": \"cpu\",\n  \"label\": ", stream);
    json_text(stream, options->label);
    fputs(",\n  \"measurement\": \"time of a round divided by its calls, observers switched outside of it\",\n", stream);
    fputs("  \"observer\": ", stream);
    json_text(stream, options->observer->name);
    fputs(",\n", stream);
    if (options->is_alternating)
        put_effects(stream, results);
    fprintf(stream, "  \"profiling_active\": %s,\n  \"profiling_compiled\": %s,\n  \"results\": [\n",
            truth(options->is_active || options->is_alternating), truth(sw_host_range_compiled()));
    for (size_t i = 0; i < results->n; i++)
        for (int j = 0; j < results->at[i].n_series; j++, separator = ",\n") {
            fputs(separator, stream);
            put_series(stream, &results->at[i], j);
        }
    fputs("\n  ]\n}\n", stream);
    return json_close(options->output, stream);
}

/* ---- The command ------------------------------------------------------------------------------ */

static enum bench_outcome check_options(const struct options *options)
{
    enum bench_outcome outcome = builtin_check_names(options);

    if (outcome != BENCH_OK)
        return outcome;
    if (options->is_active && options->is_alternating)
        return bench_fail(BENCH_USAGE, "--activate-profile observes every round, --alternate every second one");
    if ((options->is_active || options->is_alternating) && options->observer->check() != SW_OK)
        return bench_fail(BENCH_FAILED, "%s", sw_error_message());
    return BENCH_OK;
}

enum bench_outcome command_control(const struct options *options)
{
    struct results results = { .n = 0 };
    enum bench_outcome outcome = check_options(options);

    if (outcome != BENCH_OK)
        return outcome;
    results.at = calloc(options->n_names != 0 ? (size_t)options->n_names : builtin_count(), sizeof *results.at);
    if (results.at == NULL)
        return bench_fail(BENCH_FAILED, "no memory");
    outcome = measure_all(options, &results);
    if (outcome == BENCH_OK && options->output != NULL)
        outcome = write_json(options, &results);
    else if (outcome == BENCH_OK)
        print(options, &results);
    for (size_t i = 0; i < results.n; i++)
        for (int j = 0; j < results.at[i].n_series; j++)
            sw_free(results.at[i].series[j].samples_ns);
    free(results.at);
    return outcome;
}
