/*
 * Files of rows: where they lie, who may write one, what a row looks like.
 */
#include "config.h"

#include "bench/bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/json_text.h"
#include "base/alloc.h"
#include "base/folders.h"
#include "base/settings.h"

struct sw_bench_report {
    FILE *stream;
    char *path;
};

static void report_free(struct sw_bench_report *report)
{
    if (report->stream != NULL)
        fclose(report->stream);
    sw__free(report->path);
    sw__free(report);
}

SW__DEFINE_CLEANUP(report, struct sw_bench_report, report_free)

/* ---- Opening -------------------------------------------------------------------------------- */

/* A test runner that has several workers says so to them. */
static const struct worker_sign {
    const char *variable;
    const char *part; /* of its value */
} worker_signs[] = {
    { "MAKEFLAGS", "--jobserver" },
    { "PYTEST_XDIST_WORKER", "" },
};

static enum sw_status refuse_workers(void)
{
    for (size_t i = 0; i < sizeof worker_signs / sizeof *worker_signs; i++) {
        const char *value = sw__environment(worker_signs[i].variable);
        if (value != NULL && strstr(value, worker_signs[i].part) != NULL)
            return sw_error_set(SW_RUNTIME_ERROR, "host range profiling does not support parallel test workers: "
                                                  "%s says that this is one", worker_signs[i].variable);
    }
    return SW_OK;
}

static enum sw_status os_error(const char *what, const char *path)
{
    return sw_error_set(SW_OS_ERROR, "cannot %s %s: %s", what, path, strerror(errno));
}

static enum sw_status expand_home(const char *path, char **ret_path)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    const char *home = path[0] == '~' && path[1] == '/' ? sw__environment("HOME") : NULL;

    if (home != NULL) {
        SW__TRY(sw__builder_string(&text, home));
        path++;
    }
    SW__TRY(sw__builder_string(&text, path));
    return sw__builder_take(&text, ret_path);
}

enum sw_status sw_bench_report_open(const char *path, struct sw_bench_report **ret_report)
{
    SW__TRY(refuse_workers());
    if (!sw_host_range_compiled())
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "host-range profiling is not compiled into libstrideweave");
    if (path == NULL || path[0] == '\0')
        return sw_error_set(SW_TYPE_ERROR, "a file of rows needs a path");
    struct sw_bench_report *report SW__CLEANUP(sw__cleanup_report) = sw__alloc_zero(sizeof *report);
    if (report == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(expand_home(path, &report->path));
    if ((errno = sw__make_folders(report->path)) != 0)
        return os_error("make the folder", report->path);
    if ((report->stream = fopen(report->path, "we")) == NULL)
        return os_error("write", report->path);
    *ret_report = sw__take(report);
    return SW_OK;
}

enum sw_status sw_bench_report_close(struct sw_bench_report *report)
{
    struct sw_bench_report *owned SW__CLEANUP(sw__cleanup_report) = report;

    if (report == NULL)
        return SW_OK;
    FILE *stream = sw__take(report->stream);
    return fclose(stream) == 0 ? SW_OK : os_error("write", owned->path);
}

/* ---- Rows ------------------------------------------------------------------------------------- */

static enum sw_status put_text(struct sw__builder *line, const char *key, const char *text)
{
    SW__TRY(sw__builder_string(line, key));
    return sw__json_put_text(line, text);
}

static enum sw_status put_number(struct sw__builder *line, const char *key, double value)
{
    char text[SW_BENCH_NUMBER_BYTES];

    SW__TRY(sw__builder_string(line, key));
    return sw__builder_string(line, sw_bench_number_text(value, text));
}

/** What a row says beside its window. */
struct row {
    const char *range;
    const char *metric;
    int64_t count;
    double mean;
    double median;
};

/* The one place that knows the keys and their order. */
static enum sw_status put_row(struct sw__builder *lines, const struct sw__bench_window *window, const struct row *row)
{
    const struct sw_bench_case *bench_case = window->bench_case;

    SW__TRY(put_text(lines, "{\"nodeid\":", bench_case->nodeid));
    SW__TRY(put_text(lines, ",\"operator\":", bench_case->operator_name));
    SW__TRY(put_text(lines, ",\"backend\":", bench_case->backend != NULL ? bench_case->backend : "unknown"));
    SW__TRY(put_text(lines, ",\"phase\":", window->phase));
    SW__TRY(put_text(lines, ",\"range\":", row->range));
    SW__TRY(put_text(lines, ",\"metric\":", row->metric));
    SW__TRY(sw__builder_string(lines, ",\"count\":"));
    SW__TRY(sw__builder_integer(lines, row->count));
    SW__TRY(put_text(lines, ",\"unit\":", "ns"));
    SW__TRY(put_number(lines, ",\"mean\":", row->mean));
    SW__TRY(put_number(lines, ",\"median\":", row->median));
    return sw__builder_string(lines, "}\n");
}

/* Whole lines or none. */
static enum sw_status write_lines(struct sw_bench_report *report, const struct sw__builder *lines)
{
    if (lines->n_bytes == 0)
        return SW_OK;
    if (fwrite(lines->bytes, 1, lines->n_bytes, report->stream) != lines->n_bytes || fflush(report->stream) != 0)
        return os_error("write", report->path);
    return SW_OK;
}

enum sw_status sw__bench_report_ranges(struct sw_bench_report *report, const struct sw__bench_window *window,
                                       const struct sw_host_range_row *rows, size_t n_rows)
{
    struct sw__builder lines SW__OWNED_BUILDER = { 0 };

    for (size_t i = 0; i < n_rows; i++) {
        const struct sw_host_range_row *from = &rows[i];
        const char *range = sw_host_range_name((enum sw_host_range)from->range);
        const struct row inclusive = { range, "inclusive", (int64_t)from->count, from->inclusive_mean,
                                       from->inclusive_median };
        const struct row self = { range, "self", (int64_t)from->count, from->self_mean, from->self_median };
        SW__TRY(put_row(&lines, window, &inclusive));
        SW__TRY(put_row(&lines, window, &self));
    }
    return write_lines(report, &lines);
}

enum sw_status sw__bench_report_timing(struct sw_bench_report *report, const struct sw__bench_window *window,
                                       const struct sw_bench_timing *timing)
{
    struct sw__builder lines SW__OWNED_BUILDER = { 0 };
    const struct row row = { "end_to_end", "inclusive", timing->blocks * timing->calls_per_block, timing->mean_ns,
                             timing->median_ns };

    SW__TRY(put_row(&lines, window, &row));
    return write_lines(report, &lines);
}
