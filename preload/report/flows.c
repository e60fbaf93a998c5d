/*
 * Gathering notes of what operations took and made, and looking up producers in
 * what was made, sorted: n log n, however the notes of a report lie.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "report/flows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "report/inside.h"

/* Numbers are of one copy of the library, which stands above them. */
#define NUMBER_BITS 48
/* What an operation made inside of itself in the tick of its beginning: more is nobody's. */
#define MOST_INSIDE 64

/* ---- Reading ---------------------------------------------------------------------------- */

struct gathering {
    const struct report *report;
    struct flows *flows;
    size_t hint;
};

/* Room for one more; they are numbered with 32 bits. */
static enum report_outcome grow(const struct report *report, void *array_pointer, size_t n, size_t element_bytes)
{
    if (n >= SW__ANALYZE_NONE)
        return report_fail(REPORT_SYSTEM, "%s: more flows than can be numbered", report->source->path);
    return report_grow(array_pointer, n, element_bytes);
}

/* The operation of a note: that of the one before it, mostly. */
static enum report_outcome find_operation(struct gathering *gathering, const struct report_note *note,
                                          struct flow_operation **ret_operation)
{
    struct flows *flows = gathering->flows;
    struct flow_operation *last = flows->n_operations > 0 ? &flows->operations[flows->n_operations - 1] : NULL;

    if (last == NULL || last->thread != note->thread || last->start_ticks != note->start_ticks ||
        last->depth != note->depth) {
        REPORT_TRY(grow(gathering->report, &flows->operations, flows->n_operations, sizeof *flows->operations));
        last = &flows->operations[flows->n_operations++];
        *last = (struct flow_operation){
            .start_ticks = note->start_ticks,
            .start_ns = clock_ns(&gathering->report->clock, note->start_ticks, &gathering->hint),
            .thread = note->thread,
            .depth = (uint16_t)note->depth, /* of 16 bits in the file */
            .dispatch = SW__ANALYZE_NONE,
            .first_input = (uint32_t)flows->n_inputs,
        };
    }
    *ret_operation = last;
    return REPORT_OK;
}

static enum report_outcome take_input(struct gathering *gathering, const struct report_note *note)
{
    struct flows *flows = gathering->flows;
    struct flow_operation *operation = NULL;

    REPORT_TRY(find_operation(gathering, note, &operation));
    REPORT_TRY(grow(gathering->report, &flows->inputs, flows->n_inputs, sizeof *flows->inputs));
    flows->inputs[flows->n_inputs++] = (struct flow_input){ note->value, note->extra };
    operation->n_inputs++;
    return REPORT_OK;
}

static enum report_outcome take_output(struct gathering *gathering, const struct report_note *note)
{
    struct flows *flows = gathering->flows;
    struct flow_operation *operation = NULL;

    REPORT_TRY(find_operation(gathering, note, &operation));
    REPORT_TRY(grow(gathering->report, &flows->outputs, flows->n_outputs, sizeof *flows->outputs));
    flows->outputs[flows->n_outputs++] =
        (struct flow_output){ note->value, note->extra, (uint32_t)(flows->n_operations - 1) };
    operation->result = note->value;
    return REPORT_OK;
}

static enum report_outcome take_note(void *context, const struct report_note *note)
{
    if (note->kind == SWPROF_NOTE_INPUT)
        return take_input(context, note);
    return note->kind == SWPROF_NOTE_OUTPUT ? take_output(context, note) : REPORT_OK;
}

/* Rounds stand in the order of their beginnings. */
static enum report_outcome take_rounds(const struct report *report, struct flows *flows)
{
    for (size_t i = 0; i < report->n_sessions; i++) {
        const struct report_session *session = &report->sessions[i];

        if (session->kind != SWPROF_SESSION_ROUND)
            continue;
        REPORT_TRY(report_grow(&flows->rounds, flows->n_rounds, sizeof *flows->rounds));
        flows->rounds[flows->n_rounds++] = (struct flow_round){ session->begin_ticks, session->end_ticks };
    }
    return REPORT_OK;
}

/* ---- Order ------------------------------------------------------------------------------ */

static int compare_numbers(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

static int by_storage_and_end(const void *a, const void *b)
{
    const struct flow_output *left = a, *right = b;
    int order = compare_numbers(left->storage, right->storage);

    if (order == 0)
        order = compare_numbers(left->end_ticks, right->end_ticks);
    return order != 0 ? order : compare_numbers(left->operation, right->operation);
}

static int compare_places(const struct flow_operation *left, uint32_t thread, int64_t start_ns, uint32_t depth)
{
    int order = compare_numbers(left->thread, thread);

    if (order == 0)
        order = (left->start_ns > start_ns) - (left->start_ns < start_ns);
    return order != 0 ? order : compare_numbers(left->depth, depth);
}

static int by_place(const void *a, const void *b, void *context)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const struct flow_operation *operations = context;
    const struct flow_operation *other = &operations[right];
    int order = compare_places(&operations[left], other->thread, other->start_ns, other->depth);

    return order != 0 ? order : compare_numbers(left, right);
}

/* Where events are found, and which operations an event is found for. */
static enum report_outcome make_places(struct flows *flows)
{
    flows->places = sw__alloc(flows->n_operations * sizeof *flows->places);
    if (flows->places == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < flows->n_operations; i++)
        flows->places[i] = (uint32_t)i;
    qsort_r(flows->places, flows->n_operations, sizeof *flows->places, by_place, flows->operations);
    for (size_t i = 0; i < flows->n_operations; i++) {
        struct flow_operation *operation = &flows->operations[flows->places[i]];
        const struct flow_operation *before = i > 0 ? &flows->operations[flows->places[i - 1]] : NULL;
        int is_same = before != NULL &&
                      compare_places(before, operation->thread, operation->start_ns, operation->depth) == 0;
        operation->place = is_same ? before->place : flows->places[i];
    }
    return REPORT_OK;
}

enum report_outcome flows_read(const struct report *report, struct flows *ret_flows)
{
    struct flows flows REPORT_OWNED_FLOWS = { .operations = NULL };
    struct gathering gathering = { .report = report, .flows = &flows };

    REPORT_TRY(take_rounds(report, &flows));
    for (size_t i = 0; i < report->n_threads; i++)
        REPORT_TRY(report_each_note(report, &report->threads[i], take_note, &gathering));
    if (flows.n_outputs > 1)
        qsort(flows.outputs, flows.n_outputs, sizeof *flows.outputs, by_storage_and_end);
    if (flows.n_operations > 0)
        REPORT_TRY(make_places(&flows));
    *ret_flows = flows;
    flows = (struct flows){ .operations = NULL };
    return REPORT_OK;
}

void flows_clear(struct flows *flows)
{
    sw__free(flows->operations);
    sw__free(flows->inputs);
    sw__free(flows->outputs);
    sw__free(flows->places);
    sw__free(flows->rounds);
    *flows = (struct flows){ .operations = NULL };
}

/* ---- Events ----------------------------------------------------------------------------- */

static struct flow_operation *at_place(struct flows *flows, size_t place, const struct sw__analyze_event *event)
{
    struct flow_operation *operation = place < flows->n_operations ? &flows->operations[flows->places[place]] : NULL;

    if (operation == NULL || compare_places(operation, event->thread, event->start_ns, event->depth) != 0)
        return NULL;
    flows->hint = place;
    return &flows->operations[operation->place];
}

struct flow_operation *flows_find(struct flows *flows, const struct sw__analyze_event *event)
{
    struct flow_operation *found = at_place(flows, flows->hint, event);
    size_t low = 0, high = flows->n_operations;

    /* Events come by in the reverse order of their starts, and each is asked for once or twice. */
    if (found == NULL && flows->hint > 0)
        found = at_place(flows, flows->hint - 1, event);
    if (found != NULL)
        return found;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_places(&flows->operations[flows->places[middle]], event->thread, event->start_ns,
                           event->depth) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return at_place(flows, low, event);
}

void flows_see(struct flows *flows, const struct sw__analyze_event *event)
{
    struct flow_operation *operation;

    if (event->flags & (SW__ANALYZE_HIDDEN | SW__ANALYZE_UNFINISHED))
        return;
    operation = flows_find(flows, event);
    if (operation == NULL)
        return;
    operation->dispatch = event->dispatch;
    if (__builtin_add_overflow(event->start_ns, event->duration_ns, &operation->end_ns))
        operation->end_ns = INT64_MAX;
}

/* ---- Producers --------------------------------------------------------------------------- */

/* Since when all that had ended when an operation began was noted: the beginning of its round. Never: UINT64_MAX. */
static uint64_t noted_since(const struct flows *flows, uint64_t start_ticks)
{
    size_t low = 0, high = flows->n_rounds;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flows->rounds[middle].begin_ticks <= start_ticks)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && start_ticks <= flows->rounds[low - 1].end_ticks ? flows->rounds[low - 1].begin_ticks : UINT64_MAX;
}

/* That began and ended in the tick in which the other began. */
static int is_inside(const struct flow_operation *operation, const struct flow_operation *outer)
{
    return operation->thread == outer->thread && operation->start_ticks >= outer->start_ticks &&
           operation->depth > outer->depth;
}

/* The last that was made of a storage before an operation began; NULL: nothing. */
static const struct flow_operation *find_producer(const struct flows *flows, uint64_t storage, size_t consumer)
{
    const struct flow_operation *operation = &flows->operations[consumer];
    const struct flow_output wanted = { storage, operation->start_ticks, (uint32_t)consumer };
    const uint64_t since = noted_since(flows, operation->start_ticks);
    size_t low = 0, high = flows->n_outputs;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_storage_and_end(&flows->outputs[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = 0; i < MOST_INSIDE && i < low; i++) {
        const struct flow_output *output = &flows->outputs[low - 1 - i];
        const struct flow_operation *producer = &flows->operations[output->operation];

        if (output->storage != storage || output->end_ticks < since)
            return NULL;
        if (!is_inside(producer, operation))
            return producer;
    }
    return NULL;
}

static const struct flow_operation *seen(const struct flows *flows, const struct flow_operation *operation)
{
    const struct flow_operation *noted = &flows->operations[operation->place];

    return noted->dispatch != SW__ANALYZE_NONE ? noted : NULL;
}

enum sw_status flows_each(const struct flows *flows, flow_sink *sink, void *context)
{
    for (size_t i = 0; i < flows->n_operations; i++) {
        const struct flow_operation *operation = &flows->operations[i];
        struct flow flow = { .to = seen(flows, operation) };

        for (uint32_t k = 0; flow.to != NULL && k < operation->n_inputs; k++) {
            const struct flow_input *input = &flows->inputs[operation->first_input + k];
            const struct flow_operation *producer = find_producer(flows, input->storage, i);
            flow.from = producer != NULL ? seen(flows, producer) : NULL;
            flow.storage = input->storage;
            flow.position = input->position;
            /* A report that contradicts itself may have an end that lies behind the start. */
            if (flow.from != NULL && flow.from != flow.to && flow.from->end_ns <= flow.to->start_ns)
                SW__TRY(sink(context, &flow));
        }
    }
    return SW_OK;
}

void flows_name(uint64_t storage, char *name)
{
    const uint64_t library = storage >> NUMBER_BITS, number = storage & ((UINT64_C(1) << NUMBER_BITS) - 1);

    if (library == 0)
        snprintf(name, FLOWS_NAME_BYTES, "storage:%" PRIu64, number);
    else
        snprintf(name, FLOWS_NAME_BYTES, "storage:%" PRIu64 ":%" PRIu64, library, number);
}
