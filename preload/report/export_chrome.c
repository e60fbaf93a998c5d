/*
 * The object form of a Chrome trace: names of process and threads, sessions,
 * operations, and what must be known of the run as "otherData". Times are
 * microseconds since the beginning of the run with three decimals, made from
 * integers. There is no "displayTimeUnit": some viewers scale times by it.
 */
#include "config.h"

#include "report/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/flops.h"
#include "analyze/json_text.h"
#include "base/alloc.h"
#include "report/names.h"
#include "report/storage_history.h"

struct state {
    struct class_names names;
    struct sw__flops *flops;
    struct storage storage;
    struct storage_history history; /* of it */
};
#include "report/stack_names.h"

/* A member of an object, behind another one. */
static enum sw_status put_text(struct sw__builder *text, const char *key, const char *value)
{
    SW__TRY(sw__builder_string(text, key));
    return sw__json_put_text(text, value);
}

static enum sw_status put_number(struct sw__builder *text, const char *key, int64_t value)
{
    SW__TRY(sw__builder_string(text, key));
    return sw__builder_integer(text, value);
}

static enum sw_status put_time(struct sw__builder *text, const char *key, int64_t ns)
{
    SW__TRY(sw__builder_string(text, key));
    return export_put_us(text, ns);
}

/* {"ph":"M","name":@what,"pid":...,"tid":@tid,"args":{@key: @value or @number}} */
static enum sw_status put_metadata(struct exporter *exporter, const char *what, int64_t tid, const char *key,
                                   const char *value, int64_t number)
{
    struct sw__builder *text = &exporter->text;

    SW__TRY(put_text(text, "{\"ph\":\"M\",\"name\":", what));
    SW__TRY(put_number(text, ",\"ts\":0,\"pid\":", exporter->report->header.pid));
    SW__TRY(put_number(text, ",\"tid\":", tid));
    SW__TRY(put_text(text, ",\"args\":{", key));
    SW__TRY(value != NULL ? put_text(text, ":", value) : put_number(text, ":", number));
    return sw__builder_string(text, "}},\n");
}

static enum sw_status put_threads(struct exporter *exporter)
{
    const struct report *report = exporter->report;

    for (size_t i = 0; i < report->n_threads; i++) {
        const struct report_thread *thread = &report->threads[i];
        SW__TRY(put_metadata(exporter, "thread_name", thread->tid, "name", thread->name, 0));
        SW__TRY(put_metadata(exporter, "thread_sort_index", thread->tid, "sort_index", NULL, thread->number));
    }
    return SW_OK;
}

static enum sw_status put_edge(struct exporter *exporter, const struct report_session *session, const char *phase,
                               uint64_t ticks)
{
    struct sw__builder *text = &exporter->text;
    size_t hint = 0;
    int64_t ns = clock_ns(&exporter->report->clock, ticks, &hint);

    SW__TRY(put_text(text, "{\"ph\":", phase));
    SW__TRY(put_text(text, ",\"cat\":\"session\",\"name\":", session->label[0] != '\0' ? session->label : "session"));
    SW__TRY(put_number(text, ",\"id\":", session - exporter->report->sessions + 1));
    SW__TRY(put_time(text, ",\"ts\":", clock_between(exporter->first_ns, ns)));
    SW__TRY(put_number(text, ",\"pid\":", exporter->report->header.pid));
    SW__TRY(put_number(text, ",\"tid\":", session->kind == SWPROF_SESSION_PROFILER ? session->tid : 0));
    return sw__builder_string(text, ",\"args\":{}},\n");
}

static enum sw_status put_sessions(struct exporter *exporter)
{
    const struct report *report = exporter->report;

    for (size_t i = 0; i < report->n_sessions; i++) {
        const struct report_session *session = &report->sessions[i];
        SW__TRY(put_edge(exporter, session, "b", session->begin_ticks));
        SW__TRY(put_edge(exporter, session, "e", session->is_open ? report->seen_ticks : session->end_ticks));
    }
    return SW_OK;
}

static enum sw_status put_beginning(struct exporter *exporter)
{
    const struct report *report = exporter->report;
    struct sw__builder *text = &exporter->text;

    SW__TRY(put_number(text, "{\"schemaVersion\":1,\"baseTimeNanoseconds\":", report->header.realtime_ns));
    SW__TRY(sw__builder_string(text, ",\"traceEvents\":[\n"));
    SW__TRY(put_metadata(exporter, "process_name", 0, "name", report->program, 0));
    SW__TRY(put_metadata(exporter, "process_labels", 0, "labels", report->host, 0));
    SW__TRY(put_threads(exporter));
    return put_sessions(exporter);
}

static enum report_outcome begin(struct exporter *exporter)
{
    struct state *state = sw__alloc_zero(sizeof *state);

    if (state == NULL)
        return REPORT_SYSTEM;
    exporter->state = state;
    REPORT_TRY(report_status(sw__flops_new(&exporter->report->names, &state->flops)));
    REPORT_TRY(storage_read(exporter->report, exporter->filter, &state->storage));
    REPORT_TRY(storage_history_build(&state->storage, &state->history));
    return report_status(put_beginning(exporter));
}

/* One mode: an extent, or a list of modes. */
static enum sw_status put_mode(struct sw__builder *text, const int64_t **word)
{
    int64_t value = *(*word)++;

    if (value >= SW__ANALYZE_SHAPE_NESTED_BOUND)
        return sw__builder_integer(text, value);
    SW__TRY(sw__builder_string(text, "["));
    for (int64_t i = 0, n = value - INT64_MIN; i < n; i++) {
        SW__TRY(sw__builder_string(text, i == 0 ? "" : ","));
        SW__TRY(put_mode(text, word));
    }
    return sw__builder_string(text, "]");
}

/* [[2,3],null]: per input its modes, or null where there was no tensor. */
static enum sw_status put_shapes(struct sw__builder *text, const struct sw__analyze_shapes *shapes)
{
    const int64_t *word = shapes->words;

    SW__TRY(sw__builder_string(text, ",\"Input Dims\":["));
    for (uint32_t input = 0; input < shapes->n_inputs; input++) {
        int64_t n = *word++;
        SW__TRY(sw__builder_string(text, input == 0 ? "" : ","));
        if (n == SW__ANALYZE_SHAPE_NONE) {
            SW__TRY(sw__builder_string(text, "null"));
            continue;
        }
        SW__TRY(sw__builder_string(text, "["));
        for (const int64_t *first = word, *end = word + n; word < end;) {
            SW__TRY(sw__builder_string(text, word == first ? "" : ","));
            SW__TRY(put_mode(text, &word));
        }
        SW__TRY(sw__builder_string(text, "]"));
    }
    return sw__builder_string(text, "]");
}

/* As Kineto writes it: one text, the innermost entry first. */
static enum sw_status put_stack(struct sw__builder *text, const struct report *report, uint32_t stack)
{
    struct sw__builder entries SW__OWNED_BUILDER = { 0 };

    SW__TRY(stack_names_put(&entries, report, stack, SIZE_MAX));
    return put_text(text, ",\"Call stack\":", entries.bytes);
}

static const char *state_of(uint32_t flags)
{
    if (flags & SW__ANALYZE_UNFINISHED)
        return ",\"state\":\"open\"";
    return flags & SW__ANALYZE_HEALED ? ",\"state\":\"left by a jump\"" : "";
}

static enum sw_status put_arguments(struct exporter *exporter, const struct sw__analyze_event *event, uint32_t serial)
{
    const struct report *report = exporter->report;
    struct state *state = exporter->state;
    struct class_names *names = &state->names;
    int64_t flops = sw__flops_of_event(state->flops, event);
    struct sw__builder *text = &exporter->text;

    SW__TRY(names_make(names, &report->dispatches[event->dispatch]));
    SW__TRY(put_number(text, ",\"args\":{\"External id\":", (int64_t)serial + 1));
    if (event->parent != SW__ANALYZE_NONE)
        SW__TRY(put_number(text, ",\"Parent id\":", (int64_t)event->parent + 1));
    SW__TRY(put_text(text, ",\"carrier\":", names_text(&names->carrier)));
    SW__TRY(put_text(text, ",\"implementation\":", names_text(&names->implementation)));
    SW__TRY(sw__builder_string(text, event->flags & SW__ANALYZE_SUCCEEDED ? ",\"succeeded\":true"
                                                                          : ",\"succeeded\":false"));
    SW__TRY(sw__builder_string(text, state_of(event->flags)));
    SW__TRY(put_number(text, ",\"self_ns\":", event->self_ns));
    if (flops != SW__FLOPS_NONE)
        SW__TRY(put_number(text, ",\"flops\":", flops));
    if (event->shapes != SW__ANALYZE_NONE)
        SW__TRY(put_shapes(text, &report->shapes[event->shapes]));
    if (event->stack < report->names.n_stacks)
        SW__TRY(put_stack(text, report, event->stack));
    return sw__builder_string(text, "}},\n");
}

static enum sw_status put_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    const struct report *report = exporter->report;
    const struct report_thread *thread = report_find_thread(report, event->thread);
    struct sw__builder *text = &exporter->text;
    int is_hidden = (event->flags & SW__ANALYZE_HIDDEN) != 0;
    int is_overhead = is_hidden && report_is_recorder(report, event->dispatch);

    /* What the recorder took is in nobody's self time: a gap that only it explains. */
    if (is_hidden && !is_overhead)
        return SW_OK;
    SW__TRY(put_text(text, "{\"ph\":\"X\",\"cat\":", is_overhead ? "overhead" : "cpu_op"));
    SW__TRY(put_text(text, ",\"name\":", report->dispatches[event->dispatch].name));
    SW__TRY(put_number(text, ",\"pid\":", report->header.pid));
    SW__TRY(put_number(text, ",\"tid\":", thread != NULL ? thread->tid : 0));
    SW__TRY(put_time(text, ",\"ts\":", clock_between(exporter->first_ns, event->start_ns)));
    SW__TRY(put_time(text, ",\"dur\":", event->duration_ns));
    return put_arguments(exporter, event, serial);
}

/* A slice of its thread, or of the process: phases lie across what the thread does. */
static enum sw_status put_place(struct exporter *exporter, const struct noted *noted, const char *phase, int64_t ns)
{
    struct sw__builder *text = &exporter->text;

    SW__TRY(put_text(text, "{\"ph\":", phase));
    SW__TRY(put_text(text, ",\"cat\":", noted->kind->category));
    SW__TRY(put_text(text, ",\"name\":", noted_name(noted)));
    SW__TRY(put_number(text, ",\"pid\":", exporter->report->header.pid));
    SW__TRY(put_number(text, ",\"tid\":", noted->thread->tid));
    return put_time(text, ",\"ts\":", clock_between(exporter->first_ns, ns));
}

static enum sw_status put_phase(struct exporter *exporter, const struct noted *noted)
{
    struct sw__builder *text = &exporter->text;

    SW__TRY(put_place(exporter, noted, "b", noted->start_ns));
    SW__TRY(put_number(text, ",\"id\":", noted->start_ns));
    SW__TRY(sw__builder_string(text, ",\"args\":{}},\n"));
    SW__TRY(put_place(exporter, noted, "e", noted->end_ns));
    SW__TRY(put_number(text, ",\"id\":", noted->start_ns));
    return sw__builder_string(text, ",\"args\":{}},\n");
}

/* JSON has no numbers that are none. */
static enum sw_status put_double(struct sw__builder *text, uint64_t bits)
{
    char digits[40];
    double number;

    memcpy(&number, &bits, sizeof number);
    if (!isfinite(number))
        return sw__builder_string(text, "null");
    snprintf(digits, sizeof digits, "%.17g", number);
    for (char *at = digits; *at != '\0'; at++)
        if (*at == ',')
            *at = '.';
    return sw__builder_string(text, digits);
}

static enum sw_status put_instant(struct exporter *exporter, const struct noted *noted)
{
    struct sw__builder *text = &exporter->text;

    SW__TRY(put_place(exporter, noted, "i", noted->start_ns));
    SW__TRY(sw__builder_string(text, ",\"s\":\"p\",\"args\":{\"value\":"));
    if (noted->kind->has_text)
        SW__TRY(sw__json_put_text(text, noted->note.text));
    else
        SW__TRY(put_double(text, noted->note.value));
    return sw__builder_string(text, "}},\n");
}

static enum sw_status put_slice(struct exporter *exporter, const struct noted *noted)
{
    struct sw__builder *text = &exporter->text;

    SW__TRY(put_place(exporter, noted, "X", noted->start_ns));
    SW__TRY(put_time(text, ",\"dur\":", clock_between(noted->start_ns, noted->end_ns)));
    SW__TRY(put_text(text, ",\"args\":{\"kind\":", noted->kind->name));
    if (noted->note.kind == SWPROF_NOTE_STEP)
        SW__TRY(put_number(text, ",\"step\":", (int64_t)noted->note.extra));
    SW__TRY(sw__builder_string(text, state_of((noted->note.is_open ? SW__ANALYZE_UNFINISHED : 0u) |
                                              (noted->note.is_healed ? SW__ANALYZE_HEALED : 0u))));
    return sw__builder_string(text, "}},\n");
}

/* What other records are made of has its own place. */
static enum sw_status put_note(void *context, const struct noted *noted)
{
    static enum sw_status (*const puts[])(struct exporter *, const struct noted *) = {
        [SWPROF_NOTE_RANGE] = put_slice, [SWPROF_NOTE_HOST_RANGE] = put_slice, [SWPROF_NOTE_STEP] = put_slice,
        [SWPROF_NOTE_PHASE] = put_phase, [SWPROF_NOTE_TEXT] = put_instant,     [SWPROF_NOTE_NUMBER] = put_instant,
    };
    uint32_t kind = noted->note.kind;

    return kind < sizeof puts / sizeof *puts && puts[kind] != NULL ? puts[kind](context, noted) : SW_OK;
}

/* An end of a flow, inside of its operation. */
static enum sw_status put_flow_end(struct exporter *exporter, const struct flow *flow, int is_beginning)
{
    const struct flow_operation *operation = is_beginning ? flow->from : flow->to;
    const struct report_thread *thread = report_find_thread(exporter->report, operation->thread);
    int64_t ns = is_beginning ? flow_begin_ns(flow) : flow->to->start_ns;
    struct sw__builder *text = &exporter->text;
    char name[FLOWS_NAME_BYTES];

    flows_name(flow->storage, name);
    SW__TRY(sw__builder_string(text, is_beginning ? "{\"ph\":\"s\"" : "{\"ph\":\"f\",\"bp\":\"e\""));
    SW__TRY(put_number(text, ",\"cat\":\"tensor\",\"name\":\"tensor\",\"id\":", (int64_t)exporter->n_flows));
    SW__TRY(put_number(text, ",\"pid\":", exporter->report->header.pid));
    SW__TRY(put_number(text, ",\"tid\":", thread != NULL ? thread->tid : 0));
    SW__TRY(put_time(text, ",\"ts\":", clock_between(exporter->first_ns, ns)));
    SW__TRY(put_text(text, ",\"args\":{\"storage\":", name));
    SW__TRY(put_number(text, ",\"position\":", flow->position > INT64_MAX ? INT64_MAX : (int64_t)flow->position));
    return sw__builder_string(text, "}},\n");
}

static enum sw_status put_flow(void *context, const struct flow *flow)
{
    SW__TRY(put_flow_end(context, flow, 1));
    return put_flow_end(context, flow, 0);
}

/* A counter per carrier class: its bytes of storage after each change. */
static enum sw_status put_storage(struct exporter *exporter)
{
    const struct state *state = exporter->state;
    struct sw__builder *text = &exporter->text;

    for (size_t i = 0; i < state->history.n_steps; i++) {
        const struct storage_step *step = &state->history.steps[i];
        const struct storage_record *record = &state->storage.records[step->record];
        if (!step->is_counted)
            continue;
        SW__TRY(put_text(text, "{\"ph\":\"C\",\"cat\":\"storage\",\"name\":", state->storage.classes.texts[record->class_index]));
        SW__TRY(put_number(text, ",\"pid\":", exporter->report->header.pid));
        SW__TRY(put_time(text, ",\"tid\":0,\"ts\":", clock_between(exporter->first_ns, record->ns)));
        SW__TRY(put_number(text, ",\"args\":{\"bytes\":",
                           step->class_bytes > INT64_MAX ? INT64_MAX : (int64_t)step->class_bytes));
        SW__TRY(sw__builder_string(text, "}},\n"));
        export_flush(exporter);
    }
    return SW_OK;
}

/* Those of the run, and whether self times are of more than what is here. */
static enum sw_status put_facts(struct exporter *exporter)
{
    struct fact facts[HEADING_MAX_FACTS + 1];
    size_t n_facts = exporter->heading.n_facts;

    memcpy(facts, exporter->heading.facts, n_facts * sizeof *facts);
    facts[n_facts++] = (struct fact){ "left_out", CELL_OF_COUNT((uint64_t)exporter->leaves_out), 0 };
    return format_json_facts(&exporter->text, "otherData", facts, n_facts);
}

/* The mark of the end also saves the comma before it from a special case. */
static enum sw_status end(struct exporter *exporter)
{
    const struct report *report = exporter->report;
    struct sw__builder *text = &exporter->text;
    size_t hint = 0;
    int64_t seen_ns = clock_ns(&report->clock, report->seen_ticks, &hint);

    SW__TRY(put_storage(exporter));
    SW__TRY(put_time(text, "{\"ph\":\"i\",\"s\":\"g\",\"name\":\"Record Window End\",\"pid\":\"\",\"tid\":\"\",\"ts\":",
                     clock_between(exporter->first_ns, seen_ns)));
    SW__TRY(sw__builder_string(text, "}\n],\n"));
    SW__TRY(put_facts(exporter));
    return sw__builder_string(text, "}\n");
}

static void clear(struct exporter *exporter)
{
    struct state *state = sw__take(exporter->state);

    if (state == NULL)
        return;
    names_clear(&state->names);
    storage_history_clear(&state->history);
    storage_clear(&state->storage);
    sw__flops_free(state->flops);
    sw__free(state);
}

const struct export_form export_chrome = { begin, NULL, put_event, put_note, put_flow, end, clear, 0 };
