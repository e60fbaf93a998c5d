/*
 * Parents and self times from depths. Operations come in the reverse order of
 * their ends, so that a parent is known before its children and only the open
 * path is held.
 */
#include "config.h"

#include "analyze/analyze.h"
#include "base/alloc.h"

struct frame {
    struct sw__analyze_event event;
    uint32_t depth;
    uint32_t serial;
    uint32_t visible; /* serial of the nearest one that is not hidden, itself included */
    int64_t nested_ns;  /* known to have been inside */
    int64_t charged_ns; /* inside, and pushed */
    int64_t n_charged;
};

struct sw__nest {
    sw__nest_sink *sink;
    sw__nest_sink *enter; /* NULL: nobody waits for it */
    void *context;
    struct frame *frames;
    size_t n_frames;
    size_t capacity;
    uint32_t thread;
    uint32_t next_serial;
    uint64_t n_anomalies;
};

enum sw_status sw__nest_new(uint32_t thread, uint32_t first_serial, sw__nest_sink *sink, void *context,
                            struct sw__nest **ret_nest)
{
    struct sw__nest *nest = sw__alloc_zero(sizeof *nest);

    if (nest == NULL)
        return SW_MEMORY_ERROR;
    nest->thread = thread;
    nest->next_serial = first_serial;
    nest->sink = sink;
    nest->context = context;
    *ret_nest = nest;
    return SW_OK;
}

void sw__nest_on_enter(struct sw__nest *nest, sw__nest_sink *enter)
{
    nest->enter = enter;
}

void sw__nest_free(struct sw__nest *nest)
{
    if (nest == NULL)
        return;
    sw__free(nest->frames);
    sw__free(nest);
}

uint64_t sw__nest_anomalies(const struct sw__nest *nest)
{
    return nest->n_anomalies;
}

/* What was inside and is not there. Sums of rounded times differ by up to one nanosecond each. */
static void charge_missing(struct frame *frame)
{
    int64_t missing_ns = frame->nested_ns - frame->charged_ns;

    if (missing_ns > frame->n_charged)
        frame->event.self_ns = frame->event.self_ns > missing_ns ? frame->event.self_ns - missing_ns : 0;
}

static enum sw_status pop(struct sw__nest *nest)
{
    struct frame *frame = &nest->frames[--nest->n_frames];

    charge_missing(frame);
    frame->event.n_children = frame->n_charged < UINT32_MAX ? (uint32_t)frame->n_charged : UINT32_MAX;
    return nest->sink(nest->context, &frame->event, frame->serial);
}

/* What comes later ends earlier: it lies in no frame that begins after @operation or is not less deep. */
static enum sw_status pop_until_encloses(struct sw__nest *nest, const struct sw__nest_operation *operation)
{
    while (nest->n_frames > 0) {
        const struct frame *top = &nest->frames[nest->n_frames - 1];
        if (top->depth < operation->depth && top->event.start_ns <= operation->start_ns)
            return SW_OK;
        SW__TRY(pop(nest));
    }
    return SW_OK;
}

static enum sw_status make_room(struct sw__nest *nest)
{
    if (nest->n_frames < nest->capacity)
        return SW_OK;
    size_t capacity = nest->capacity != 0 ? nest->capacity * 2 : 32;
    struct frame *frames = sw__realloc(nest->frames, capacity * sizeof *frames);
    if (frames == NULL)
        return SW_MEMORY_ERROR;
    nest->frames = frames;
    nest->capacity = capacity;
    return SW_OK;
}

static void charge_parent(struct sw__nest *nest, struct frame *parent, const struct sw__nest_operation *operation,
                          int64_t duration_ns)
{
    int64_t parent_end_ns = 0;

    if (__builtin_add_overflow(parent->event.start_ns, parent->event.duration_ns, &parent_end_ns))
        parent_end_ns = INT64_MAX;
    if (operation->end_ns > parent_end_ns || duration_ns > parent->event.self_ns) {
        nest->n_anomalies++;
        if (duration_ns > parent->event.self_ns)
            duration_ns = parent->event.self_ns;
    }
    parent->event.self_ns -= duration_ns;
    parent->charged_ns += duration_ns;
    parent->n_charged++;
}

enum sw_status sw__nest_push(struct sw__nest *nest, const struct sw__nest_operation *operation)
{
    int64_t duration_ns = 0;

    if (operation->end_ns < operation->start_ns)
        nest->n_anomalies++;
    else if (__builtin_sub_overflow(operation->end_ns, operation->start_ns, &duration_ns))
        duration_ns = INT64_MAX;
    SW__TRY(pop_until_encloses(nest, operation));
    SW__TRY(make_room(nest));
    struct frame *frame = &nest->frames[nest->n_frames];
    struct frame *parent = nest->n_frames > 0 ? frame - 1 : NULL;
    if (parent != NULL)
        charge_parent(nest, parent, operation, duration_ns);
    uint32_t enclosing = parent != NULL ? parent->visible : SW__ANALYZE_NONE;
    *frame = (struct frame){
        .event = {
            .start_ns = operation->start_ns,
            .duration_ns = duration_ns,
            .self_ns = duration_ns,
            .parent = enclosing,
            .dispatch = operation->dispatch,
            .shapes = operation->shapes,
            .thread = nest->thread,
            .flags = operation->flags | (parent == NULL ? SW__ANALYZE_ROOT : 0u),
        },
        .depth = operation->depth,
        .serial = nest->next_serial,
        .nested_ns = operation->nested_ns,
        .visible = operation->flags & SW__ANALYZE_HIDDEN ? enclosing : nest->next_serial,
    };
    nest->next_serial++;
    nest->n_frames++;
    return nest->enter != NULL ? nest->enter(nest->context, &frame->event, frame->serial) : SW_OK;
}

enum sw_status sw__nest_finish(struct sw__nest *nest)
{
    while (nest->n_frames > 0)
        SW__TRY(pop(nest));
    return SW_OK;
}
