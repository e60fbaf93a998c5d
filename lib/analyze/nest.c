/*
 * Parents and self times from depths. Operations come in the reverse order of
 * their ends, so that a parent is known before its children and only the open
 * path is held. Events are handed on by the dozen: most cost less than a call.
 */
#include "config.h"

#include "analyze/analyze.h"
#include "base/alloc.h"

#define N_READY 64

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
    sw__nest_sinks *sink;
    sw__nest_sink *enter; /* NULL: nobody waits for it */
    void *context;
    struct frame *frames;
    size_t n_frames;
    size_t capacity;
    uint32_t thread;
    uint32_t next_serial;
    uint64_t n_anomalies;
    size_t n_ready;
    uint32_t serials[N_READY];
    struct sw__analyze_event ready[N_READY]; /* not yet handed to the sink */
};

enum sw_status sw__nest_new(uint32_t thread, uint32_t first_serial, sw__nest_sinks *sink, void *context,
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

static enum sw_status hand_on(struct sw__nest *nest)
{
    size_t n_ready = nest->n_ready;

    nest->n_ready = 0;
    return n_ready > 0 ? nest->sink(nest->context, nest->ready, nest->serials, n_ready) : SW_OK;
}

/* Where the next event goes that is ready. */
static inline struct sw__analyze_event *next_ready(struct sw__nest *nest, uint32_t serial)
{
    nest->serials[nest->n_ready] = serial;
    return &nest->ready[nest->n_ready++];
}

static inline int must_hand_on(const struct sw__nest *nest)
{
    return nest->n_ready == N_READY || nest->enter != NULL;
}

static enum sw_status pop(struct sw__nest *nest)
{
    struct frame *frame = &nest->frames[--nest->n_frames];

    charge_missing(frame);
    frame->event.n_children = frame->n_charged < UINT32_MAX ? (uint32_t)frame->n_charged : UINT32_MAX;
    if (nest->n_frames > 0)
        frame[-1].event.n_inside += frame->event.n_inside;
    *next_ready(nest, frame->serial) = frame->event;
    return must_hand_on(nest) ? hand_on(nest) : SW_OK;
}

static inline int encloses(int64_t start_ns, uint32_t depth, const struct sw__nest_operation *operation)
{
    return depth < operation->depth && start_ns <= operation->start_ns;
}

/* What comes later ends earlier: it lies in no frame that begins after @operation or is not less deep. */
static inline enum sw_status pop_until_encloses(struct sw__nest *nest, const struct sw__nest_operation *operation)
{
    while (nest->n_frames > 0) {
        const struct frame *top = &nest->frames[nest->n_frames - 1];
        if (encloses(top->event.start_ns, top->depth, operation))
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
    parent->event.n_inside++;
}

static inline int64_t duration_of(struct sw__nest *nest, const struct sw__nest_operation *operation)
{
    int64_t duration_ns = 0;

    if (operation->end_ns < operation->start_ns)
        nest->n_anomalies++;
    else if (__builtin_sub_overflow(operation->end_ns, operation->start_ns, &duration_ns))
        duration_ns = INT64_MAX;
    return duration_ns;
}

static inline void begin_event(const struct sw__nest *nest, const struct sw__nest_operation *operation,
                               const struct frame *parent, int64_t duration_ns, struct sw__analyze_event *event)
{
    event->start_ns = operation->start_ns;
    event->duration_ns = duration_ns;
    event->self_ns = duration_ns;
    event->parent = parent != NULL ? parent->visible : SW__ANALYZE_NONE;
    event->dispatch = operation->dispatch;
    event->shapes = operation->shapes;
    event->stack = operation->stack;
    event->depth = operation->depth;
    event->thread = nest->thread;
    event->flags = operation->flags | (parent == NULL ? SW__ANALYZE_ROOT : 0u);
    event->n_children = 0;
    event->n_inside = 0;
}

/* One that may have others inside. */
static enum sw_status push_frame(struct sw__nest *nest, const struct sw__nest_operation *operation,
                                 int64_t duration_ns)
{
    SW__TRY(make_room(nest));
    struct frame *frame = &nest->frames[nest->n_frames];

    begin_event(nest, operation, nest->n_frames > 0 ? frame - 1 : NULL, duration_ns, &frame->event);
    frame->depth = operation->depth;
    frame->serial = nest->next_serial++;
    frame->visible = operation->flags & SW__ANALYZE_HIDDEN ? frame->event.parent : frame->serial;
    frame->nested_ns = operation->nested_ns;
    frame->charged_ns = 0;
    frame->n_charged = 0;
    nest->n_frames++;
    return nest->enter != NULL ? nest->enter(nest->context, &frame->event, frame->serial) : SW_OK;
}

/* @next: the operation that is pushed behind it; NULL: not known yet. */
static inline enum sw_status push(struct sw__nest *nest, const struct sw__nest_operation *operation,
                                  const struct sw__nest_operation *next)
{
    int64_t duration_ns = duration_of(nest, operation);
    struct frame *parent;

    SW__TRY(pop_until_encloses(nest, operation));
    parent = nest->n_frames > 0 ? &nest->frames[nest->n_frames - 1] : NULL;
    if (parent != NULL)
        charge_parent(nest, parent, operation, duration_ns);
    if (next == NULL || operation->nested_ns != 0 || nest->enter != NULL ||
        encloses(operation->start_ns, operation->depth, next))
        return push_frame(nest, operation, duration_ns);
    /* As most: it would be popped at once. */
    begin_event(nest, operation, parent, duration_ns, next_ready(nest, nest->next_serial++));
    return must_hand_on(nest) ? hand_on(nest) : SW_OK;
}

enum sw_status sw__nest_push(struct sw__nest *nest, const struct sw__nest_operation *operations, size_t n_operations)
{
    for (size_t i = 0; i < n_operations; i++)
        SW__TRY(push(nest, &operations[i], i + 1 < n_operations ? &operations[i + 1] : NULL));
    return SW_OK;
}

enum sw_status sw__nest_finish(struct sw__nest *nest)
{
    while (nest->n_frames > 0)
        SW__TRY(pop(nest));
    return hand_on(nest);
}
