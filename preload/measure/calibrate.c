/*
 * swprof-bench calibrate: what a host range itself costs.
 */
#include "config.h"

#include "measure/measure.h"

#define ITERATIONS 10000

static void put_row(FILE *stream, const struct sw_host_range_row *row)
{
    fprintf(stream, "    {\n      \"count\": %llu,\n      \"inclusive_mean\": ", (unsigned long long)row->count);
    json_number(stream, row->inclusive_mean);
    fputs(",\n      \"inclusive_median\": ", stream);
    json_number(stream, row->inclusive_median);
    fputs(",\n      \"range\": ", stream);
    json_text(stream, sw_host_range_name((enum sw_host_range)row->range));
    fputs(",\n      \"self_mean\": ", stream);
    json_number(stream, row->self_mean);
    fputs(",\n      \"self_median\": ", stream);
    json_number(stream, row->self_median);
    fputs("\n    }", stream);
}

/* Keys are sorted. */
static enum bench_outcome write_json(const char *path, const struct sw_host_range_calibration *calibration)
{
    FILE *stream = json_open(path);

    if (stream == NULL)
        return BENCH_FAILED;
    fputs("{\n  \"complete_scope\": ", stream);
    json_number(stream, calibration->complete_ns);
    fputs(",\n  \"depths\": [\n", stream);
    for (size_t i = 0; i < 3; i++) {
        put_row(stream, &calibration->depths[i]);
        fputs(i < 2 ? ",\n" : "\n", stream);
    }
    fputs("  ],\n  \"residual\": ", stream);
    json_number(stream, calibration->inside_ns);
    fputs(",\n  \"unit\": \"ns\"\n}\n", stream);
    return json_close(path, stream);
}

static void print(const struct sw_host_range_calibration *calibration)
{
    printf("%-20s %9s %12s %12s %12s %12s\n", "range", "count", "incl median", "incl mean", "self median", "self mean");
    for (size_t i = 0; i < 3; i++) {
        const struct sw_host_range_row *row = &calibration->depths[i];
        printf("%-20s %9llu %12.1f %12.1f %12.1f %12.1f\n", sw_host_range_name((enum sw_host_range)row->range),
               (unsigned long long)row->count, row->inclusive_median, row->inclusive_mean, row->self_median,
               row->self_mean);
    }
    printf("\na range costs %.1f ns, of which %.1f ns lie in its own time\n", calibration->complete_ns,
           calibration->inside_ns);
}

enum bench_outcome command_calibrate(const struct options *options)
{
    struct sw_host_range_calibration calibration = { .struct_bytes = sizeof calibration };

    if (options->n_names != 0)
        return bench_fail(BENCH_USAGE, "calibrate takes no cases");
    const uint64_t iterations = (uint64_t)(options->iterations != 0 ? options->iterations : ITERATIONS);
    if (sw_host_ranges_calibrate(iterations, &calibration) != SW_OK)
        return bench_fail(BENCH_FAILED, "%s", sw_error_message());
    if (options->output != NULL)
        return write_json(options->output, &calibration);
    print(&calibration);
    return BENCH_OK;
}
