/*
 * Reading a Chrome trace.
 */
#include "config.h"

#include "report/trace.h"

#ifdef HAVE_JANSSON

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "report/gzip.h"
#include "report/output.h"
#include "report/overlap.h"

/* The most microseconds of a time: ends of slices, and the distance of any two moments, fit 64 bits of nanoseconds. */
#define MOST_US 3.0e15

enum needs {
    NEEDS_NAME = 1,
    NEEDS_TIME = 2,
    NEEDS_LANE = 4,
    NEEDS_DURATION = 8
};

/* The phases of the format; those that carry no time are not looked at further. */
static const struct {
    char phase;
    unsigned needs;
} phases[] = {
    { 'X', NEEDS_NAME | NEEDS_TIME | NEEDS_LANE | NEEDS_DURATION },
    { 'B', NEEDS_NAME | NEEDS_TIME | NEEDS_LANE },
    { 'E', NEEDS_TIME | NEEDS_LANE },
    { 'i', NEEDS_NAME | NEEDS_TIME },
    { 'I', NEEDS_NAME | NEEDS_TIME },
    { 'C', NEEDS_NAME | NEEDS_TIME },
    { 's', NEEDS_NAME | NEEDS_TIME | NEEDS_LANE },
    { 't', NEEDS_NAME | NEEDS_TIME | NEEDS_LANE },
    { 'f', NEEDS_NAME | NEEDS_TIME | NEEDS_LANE },
    { 'b', NEEDS_NAME | NEEDS_TIME },
    { 'n', NEEDS_NAME | NEEDS_TIME },
    { 'e', NEEDS_TIME },
    { 'M', NEEDS_NAME },
    { 'N', 0 }, { 'O', 0 }, { 'D', 0 }, { 'v', 0 }, { 'V', 0 }, { 'R', 0 }, { 'c', 0 }, { '(', 0 }, { ')', 0 },
    { 'P', 0 }, { 'S', 0 }, { 'T', 0 }, { 'p', 0 }, { 'F', 0 },
};

static size_t read_some(void *buffer, size_t n_bytes, void *input)
{
    return (size_t)gzip_input_read(input, buffer, n_bytes);
}

/* What follows the document is of no interest, but that it is there. */
static void pass_rest(struct gzip_input *input)
{
    char piece[4096];

    while (gzip_input_read(input, piece, sizeof piece) > 0)
        ;
}

/* What cannot be read to its end is no trace, whatever its beginning would be. */
static enum report_outcome read_document(struct check *check, json_t **ret_document)
{
    json_error_t error = { .line = 0 };
    struct gzip_input input;

    *ret_document = NULL;
    if (gzip_input_open(check->path, &input) != 0)
        return report_fail(REPORT_SYSTEM, "%s: cannot be read: %s", check->path, strerror(errno));
    json_t *document = json_load_callback(read_some, &input, JSON_DISABLE_EOF_CHECK, &error);
    if (document != NULL)
        pass_rest(&input);
    gzip_input_close(&input);
    if (input.fault[0] != '\0') {
        json_decref(document);
        return report_fail(REPORT_SYSTEM, "%s: cannot be read: %s", check->path, input.fault);
    }
    if (document == NULL)
        check_find(check, CHECK_DOCUMENT, SIZE_MAX, "not JSON: %s, line %d", error.text, error.line);
    *ret_document = document;
    return REPORT_OK;
}

/* ---- Single events ------------------------------------------------------------------------------ */

/* Threads by "pid" and "tid" as they stand in the file, numbers or texts. */
struct lanes {
    json_t *numbers; /* "pid tid" to the number of the lane */
};

static enum report_outcome find_lane(struct lanes *lanes, json_t *event, uint32_t *ret_lane)
{
    char *pid = json_dumps(json_object_get(event, "pid"), JSON_ENCODE_ANY);
    char *tid = json_dumps(json_object_get(event, "tid"), JSON_ENCODE_ANY);
    size_t n_bytes = (pid != NULL ? strlen(pid) : 0) + (tid != NULL ? strlen(tid) : 0) + 2;
    char *key SW__OWNED = sw__alloc(n_bytes);
    int failed = key == NULL;

    *ret_lane = NO_LANE;
    if (!failed && pid != NULL && tid != NULL) {
        snprintf(key, n_bytes, "%s %s", pid, tid);
        json_t *number = json_object_get(lanes->numbers, key);
        *ret_lane = number != NULL ? (uint32_t)json_integer_value(number) : (uint32_t)json_object_size(lanes->numbers);
        if (number == NULL)
            failed = json_object_set_new(lanes->numbers, key, json_integer(*ret_lane)) != 0;
    }
    free(pid);
    free(tid);
    return failed ? REPORT_SYSTEM : REPORT_OK;
}

static int needs_of(char phase, unsigned *ret_needs)
{
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (phases[i].phase == phase) {
            *ret_needs = phases[i].needs;
            return 1;
        }
    }
    return 0;
}

/* A number of microseconds as nanoseconds; 0 when it is none. */
static int read_us(json_t *number, int64_t *ret_ns)
{
    double us = json_number_value(number);

    if (!json_is_number(number) || !(fabs(us) < MOST_US))
        return 0;
    *ret_ns = llround(us * 1000);
    return 1;
}

static const char *text_of(json_t *json)
{
    const char *text = json_string_value(json);

    return text != NULL ? text : "";
}

/* Whether an event has what its phase needs; what is missing is found. */
static int read_event(struct check *check, json_t *json, struct trace_event *event)
{
    const char *phase = text_of(json_object_get(json, "ph"));
    unsigned needs = 0;
    int64_t duration_ns = 0;
    size_t before = check->counts[CHECK_EVENT] + check->counts[CHECK_TIME] + check->counts[CHECK_LANE];

    event->json = json;
    event->phase = phase[0];
    event->name = text_of(json_object_get(json, "name"));
    event->category = text_of(json_object_get(json, "cat"));
    if (!json_is_object(json) || strlen(phase) != 1 || !needs_of(phase[0], &needs)) {
        check_find(check, CHECK_EVENT, event->index, "a phase that is not known: '%s'", phase);
        return 0;
    }
    if ((needs & NEEDS_NAME) && !json_is_string(json_object_get(json, "name")))
        check_find(check, CHECK_EVENT, event->index, "an event of phase %s without a name", phase);
    if ((needs & NEEDS_TIME) && !read_us(json_object_get(json, "ts"), &event->begin_ns))
        check_find(check, CHECK_TIME, event->index, "%s: ts is no finite number", event->name);
    if ((needs & NEEDS_DURATION) && (!read_us(json_object_get(json, "dur"), &duration_ns) || duration_ns < 0))
        check_find(check, CHECK_TIME, event->index, "%s: dur is no finite number from 0", event->name);
    if ((needs & NEEDS_LANE) && event->lane == NO_LANE)
        check_find(check, CHECK_LANE, event->index, "%s: pid or tid is missing", event->name);
    event->end_ns = event->begin_ns + duration_ns;
    return (needs & NEEDS_TIME) &&
           before == check->counts[CHECK_EVENT] + check->counts[CHECK_TIME] + check->counts[CHECK_LANE];
}

/* A double of so many microseconds is that far from its neighbours. */
static void note_slack(struct trace *trace, const struct trace_event *event)
{
    double us = fabs((double)event->begin_ns) / 1000;
    int64_t slack_ns = (int64_t)(2000 * (nextafter(us, INFINITY) - us));

    if (slack_ns > trace->slack_ns)
        trace->slack_ns = slack_ns;
}

static enum report_outcome read_events(struct check *check, json_t *list, struct trace *trace)
{
    struct lanes lanes = { json_object() };
    enum report_outcome outcome = lanes.numbers != NULL ? REPORT_OK : REPORT_SYSTEM;

    sw__free(sw__take(trace->events));
    trace->n_events = 0;
    trace->events = sw__alloc((json_array_size(list) + 1) * sizeof *trace->events);
    if (trace->events == NULL)
        outcome = REPORT_SYSTEM;
    for (size_t i = 0; outcome == REPORT_OK && i < json_array_size(list); i++) {
        struct trace_event *event = &trace->events[trace->n_events];
        *event = (struct trace_event){ .index = i };
        outcome = find_lane(&lanes, json_array_get(list, i), &event->lane);
        if (outcome == REPORT_OK && read_event(check, json_array_get(list, i), event)) {
            note_slack(trace, event);
            trace->n_events++;
        }
    }
    json_decref(lanes.numbers);
    return outcome;
}

/* Of one in lines the first is the document that was read. */
static int is_runtime_trace(const json_t *document)
{
    static const char prefix[] = "candle-graph/runtime/";
    const char *schema = json_string_value(json_object_get(document, "schema"));

    return schema != NULL && strncmp(schema, prefix, sizeof prefix - 1) == 0;
}

/* What a document without a list of events is, is found. */
static enum report_outcome read_list(struct check *check, struct trace *trace)
{
    json_t *list = json_is_array(trace->document) ? trace->document : json_object_get(trace->document, "traceEvents");

    if (trace->document == NULL)
        return REPORT_OK;
    if (is_runtime_trace(trace->document)) {
        check_find(check, CHECK_DOCUMENT, SIZE_MAX, "a runtime trace, no Chrome trace: swprof-report runtime reads it");
        return REPORT_OK;
    }
    if (!json_is_array(list)) {
        check_find(check, CHECK_DOCUMENT, SIZE_MAX, "neither a list nor an object whose traceEvents is one");
        return REPORT_OK;
    }
    if (json_array_size(list) == 0)
        check_find(check, CHECK_EMPTY, SIZE_MAX, "no event at all");
    return read_events(check, list, trace);
}

void trace_clear(struct trace *trace)
{
    sw__free(trace->events);
    json_decref(trace->document);
    *trace = (struct trace){ .document = NULL };
}

int trace_by_place(const void *a, const void *b)
{
    const struct trace_event *left = *(const struct trace_event *const *)a;
    const struct trace_event *right = *(const struct trace_event *const *)b;

    if (left->lane != right->lane)
        return left->lane < right->lane ? -1 : 1;
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

int trace_is_host(const struct trace_event *event)
{
    return strcmp(event->category, "kernel") != 0 && strncmp(event->category, "gpu_", 4) != 0;
}

json_t *trace_argument(const struct trace_event *event, const char *key)
{
    return json_object_get(json_object_get(event->json, "args"), key);
}

/* What the writer says of what is missing. */
static void check_facts(struct check *check, const struct trace *trace)
{
    json_t *facts = json_object_get(trace->document, "otherData");
    json_int_t lost = json_integer_value(json_object_get(facts, "lost_events"));
    json_int_t open = json_integer_value(json_object_get(facts, "unfinished_operations"));

    check_count(check, CHECK_LOST, lost > 0 ? (uint64_t)lost : 0, "event was lost", "events were lost");
    check_count(check, CHECK_OPEN, open > 0 ? (uint64_t)open : 0, "operation was still open", "operations were still open");
}

static enum report_outcome write_mended(const struct check *check, const struct trace *trace)
{
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };

    if (check->mended == NULL || trace->document == NULL)
        return REPORT_OK;
    REPORT_TRY(output_open(check->mended, &output));
    if (json_dumpf(trace->document, output.stream, JSON_COMPACT) == 0)
        fputc('\n', output.stream);
    return output_finish(&output);
}

/* The events are read once more of what the treatment made: what is wrong with single ones is found then. */
static enum report_outcome treat(struct check *check, struct trace *trace)
{
    struct check unheard SW__CLEANUP(check_clear) = { .path = check->path };

    if (check->overlap == OVERLAP_FAULT || check->overlap == OVERLAP_WARN)
        return REPORT_OK;
    REPORT_TRY(read_list(&unheard, trace));
    return overlap_treat(check, trace, check->overlap);
}

enum report_outcome check_trace(struct check *check)
{
    struct trace trace SW__CLEANUP(trace_clear) = { .document = NULL };

    REPORT_TRY(read_document(check, &trace.document));
    REPORT_TRY(treat(check, &trace));
    REPORT_TRY(read_list(check, &trace));
    check_facts(check, &trace);
    REPORT_TRY(check_slices(check, &trace));
    REPORT_TRY(check_links(check, &trace));
    return write_mended(check, &trace);
}

#else

enum report_outcome check_trace(struct check *check)
{
    return report_fail(REPORT_USAGE, "%s: this swprof-report was built without jansson and cannot read traces",
                       check->path);
}

#endif
