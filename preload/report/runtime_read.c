/*
 * Reading a runtime trace: its bytes, its form, its lines.
 */
#include "config.h"

#include "report/runtime.h"

#ifdef HAVE_JANSSON

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <swprof/format.h>

#include "report/gzip.h"
#include "report/runtime_records.h"

#define READ_BYTES 65536

/* ---- Bytes --------------------------------------------------------------------------------------------- */

static enum report_outcome read_failed(const char *path, const char *why)
{
    return report_fail(REPORT_SYSTEM, "%s: cannot be read: %s", path, why);
}

static enum report_outcome read_all(const char *path, struct gzip_input *input, struct sw__builder *bytes)
{
    char piece[READ_BYTES];
    ssize_t n;

    while ((n = gzip_input_read(input, piece, sizeof piece)) > 0) {
        if (bytes->n_bytes + (size_t)n > RUNTIME_MOST_BYTES)
            return report_fail(REPORT_DAMAGED, "%s: a trace of more than %d MiB is not read", path,
                               (int)(RUNTIME_MOST_BYTES >> 20));
        REPORT_TRY(report_status(sw__builder_append(bytes, piece, (size_t)n)));
    }
    return n == 0 ? REPORT_OK : read_failed(path, input->fault);
}

enum report_outcome runtime_read(const char *path, struct runtime_trace *ret_trace)
{
    struct sw__builder bytes SW__OWNED_BUILDER = { 0 };
    struct gzip_input input;

    if (gzip_input_open(path, &input) != 0)
        return read_failed(path, strerror(errno));
    enum report_outcome outcome = read_all(path, &input, &bytes);
    gzip_input_close(&input);
    REPORT_TRY(outcome);
    return runtime_parse(path, bytes.bytes, bytes.n_bytes, ret_trace);
}

/* ---- Forms --------------------------------------------------------------------------------------------- */

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Take the blanks off both ends. */
static void trim(const char **bytes, size_t *n_bytes)
{
    while (*n_bytes > 0 && is_blank((*bytes)[*n_bytes - 1]))
        --*n_bytes;
    while (*n_bytes > 0 && is_blank(**bytes)) {
        ++*bytes;
        --*n_bytes;
    }
}

static int has_schema_and_run(const json_t *json)
{
    return json_object_get(json, "schema") != NULL && json_object_get(json, "run") != NULL;
}

static int is_chrome_trace(const json_t *json)
{
    return json_object_get(json, "traceEvents") != NULL;
}

/* A line that is an object by itself is followed by others: the whole is none. */
static int begins_with_object(const char *bytes, size_t n_bytes)
{
    const char *end = memchr(bytes, '\n', n_bytes);
    json_error_t error;
    json_t *json = end != NULL ? runtime_json_load(bytes, (size_t)(end - bytes), &error) : NULL;
    int is_object = json != NULL;

    json_decref(json);
    return is_object;
}

/*
 * The document that the whole is; NULL when it is a stream. What stands in one line and is no object of a stream is
 * a document that cannot be read: then there is an error.
 */
static json_t *find_document(const char *bytes, size_t n_bytes, json_error_t *error, int *ret_is_document)
{
    int is_one_line = memchr(bytes, '\n', n_bytes) == NULL;

    *ret_is_document = 0;
    if (bytes[0] != '{' || begins_with_object(bytes, n_bytes))
        return NULL;
    json_t *json = runtime_json_load(bytes, n_bytes, error);
    *ret_is_document = is_one_line ? json == NULL || has_schema_and_run(json) ||
                                         !json_is_string(json_object_get(json, "kind"))
                                   : has_schema_and_run(json) || is_chrome_trace(json);
    if (*ret_is_document)
        return json;
    json_decref(json);
    return NULL;
}

static enum report_outcome fail_document(const struct runtime_trace *trace, const char *what)
{
    return report_fail(REPORT_DAMAGED, "%s: failed to parse runtime JSON document: %s", trace->path, what);
}

static enum report_outcome take_document(struct runtime_trace *trace, const json_t *document)
{
    const struct runtime_place place = { "run", RUNTIME_NO_NUMBER };
    const json_t *run = json_object_get(document, "run");

    if (is_chrome_trace(document))
        return report_fail(REPORT_DAMAGED, "%s: is a Chrome trace, no runtime trace: swprof-report check reads it",
                           trace->path);
    if (!json_is_object(run))
        return fail_document(trace, run == NULL ? "run is missing" : "run is no object");
    REPORT_TRY(runtime_take_run(trace, &place, run, json_object_get(document, "schema")));
    return runtime_take_arrays(trace, document);
}

static enum report_outcome take_line(struct runtime_trace *trace, size_t number, const char *line, size_t n_bytes)
{
    const struct runtime_place place = { NULL, number };
    json_error_t error;

    trim(&line, &n_bytes);
    if (n_bytes == 0)
        return REPORT_OK;
    json_t *json = runtime_json_load(line, n_bytes, &error);
    if (json == NULL)
        return runtime_fail_parse(trace, &place, "%s", error.text);
    enum report_outcome outcome = runtime_take_line(trace, &place, json);
    json_decref(json);
    return outcome;
}

static enum report_outcome take_stream(struct runtime_trace *trace, const char *bytes, size_t n_bytes)
{
    size_t number = 0;

    for (size_t at = 0; at < n_bytes;) {
        const char *end = memchr(bytes + at, '\n', n_bytes - at);
        size_t n = end != NULL ? (size_t)(end - (bytes + at)) : n_bytes - at;
        REPORT_TRY(take_line(trace, ++number, bytes + at, n));
        at += n + 1;
    }
    if (!trace->has_run)
        return report_fail(REPORT_DAMAGED, "%s: JSONL stream is missing a meta event with run metadata", trace->path);
    return REPORT_OK;
}

static enum report_outcome take_any(struct runtime_trace *trace, const char *bytes, size_t n_bytes)
{
    const char *trimmed = bytes;
    size_t n_trimmed = n_bytes;
    json_error_t error = { .line = 0 };
    int is_document = 0;

    if (n_bytes >= SWPROF_MAGIC_BYTES && memcmp(bytes, SWPROF_MAGIC, SWPROF_MAGIC_BYTES) == 0)
        return report_fail(REPORT_DAMAGED, "%s: is a report: export it first (swprof-report export runtime)",
                           trace->path);
    trim(&trimmed, &n_trimmed);
    if (n_trimmed == 0)
        return report_fail(REPORT_DAMAGED, "%s: empty runtime evidence input", trace->path);
    json_t *document = find_document(trimmed, n_trimmed, &error, &is_document);
    if (!is_document)
        return take_stream(trace, bytes, n_bytes);
    enum report_outcome outcome = document != NULL ? take_document(trace, document) : fail_document(trace, error.text);
    json_decref(document);
    return outcome;
}

enum report_outcome runtime_parse(const char *path, const char *bytes, size_t n_bytes, struct runtime_trace *ret_trace)
{
    struct runtime_trace trace RUNTIME_OWNED = { .path = path };

    REPORT_TRY(take_any(&trace, n_bytes > 0 ? bytes : "", n_bytes));
    runtime_normalise(&trace);
    *ret_trace = trace;
    trace = (struct runtime_trace){ .path = NULL };
    return REPORT_OK;
}

#else

enum report_outcome runtime_read(const char *path, struct runtime_trace *ret_trace)
{
    return runtime_parse(path, "", 0, ret_trace);
}

enum report_outcome runtime_parse(const char *path, const char *bytes, size_t n_bytes, struct runtime_trace *ret_trace)
{
    (void)bytes;
    (void)n_bytes;
    (void)ret_trace;
    return report_fail(REPORT_USAGE, "%s: this swprof-report was built without jansson and cannot read traces", path);
}

#endif
