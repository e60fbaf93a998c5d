/*
 * An event as a row of cells: names are put together, stamps told.
 */
#include "config.h"

#include "report/event_cells.h"

#include <string.h>

#include "base/alloc.h"
#include "report/stack_names.h"

typedef struct cell make_cell(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event);

static struct cell cell_id(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)cells;
    (void)event;
    return CELL_OF_ID(id);
}

static struct cell cell_parent(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)cells;
    (void)id;
    return event->parent != SW__ANALYZE_NONE ? CELL_OF_ID(event->parent) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_thread(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    const struct report_thread *thread = report_find_thread(cells->report, event->thread);

    (void)id;
    return thread != NULL ? CELL_OF_ID((uint64_t)thread->tid) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_start(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)id;
    return CELL_OF_TIME(clock_between(cells->first_ns, event->start_ns));
}

static struct cell cell_start_exact(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)cells;
    (void)id;
    return CELL_OF_TIME(event->start_ns);
}

static struct cell cell_duration(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)cells;
    (void)id;
    return CELL_OF_TIME(event->duration_ns);
}

static struct cell cell_self(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)cells;
    (void)id;
    return CELL_OF_TIME(event->self_ns);
}

/* None where it cannot be told, which is not 0. */
static struct cell cell_flops(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    int64_t flops = sw__flops_of_event(cells->flops, event);

    (void)id;
    return flops != SW__FLOPS_NONE ? CELL_OF_AMOUNT((uint64_t)flops) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_state(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    /* The first that applies. */
    static const struct {
        uint32_t flag;
        const char *name;
    } states[] = {
        { SW__ANALYZE_UNFINISHED, "open" },
        { SW__ANALYZE_HEALED, "left by a jump" },
        { SW__ANALYZE_SUCCEEDED, "ok" },
    };

    (void)cells;
    (void)id;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (event->flags & states[i].flag)
            return CELL_OF_TEXT(states[i].name);
    return CELL_OF_TEXT("failed");
}

static struct cell cell_name(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)id;
    return CELL_OF_TEXT(cells->report->dispatches[event->dispatch].name);
}

static struct cell cell_carrier(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)id;
    (void)event;
    return CELL_OF_TEXT(names_text(&cells->names.carrier));
}

static struct cell cell_implementation(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)id;
    (void)event;
    return CELL_OF_TEXT(names_text(&cells->names.implementation));
}

static struct cell cell_shapes(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)id;
    (void)event;
    return cells->shape_text != NULL ? CELL_OF_TEXT(cells->shape_text) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_stack(struct event_cells *cells, uint32_t id, const struct sw__analyze_event *event)
{
    (void)id;
    (void)event;
    return cells->stack.n_bytes != 0 ? CELL_OF_TEXT(cells->stack.bytes) : (struct cell){ .kind = CELL_NONE };
}

static make_cell *const makers[N_EVENT_COLUMNS] = {
#define EVENTS_COLUMN(title, key, flags, function) function,
#include "report/events_columns.def"
#undef EVENTS_COLUMN
};

static const struct column all_columns[N_EVENT_COLUMNS] = {
#define EVENTS_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/events_columns.def"
#undef EVENTS_COLUMN
};

enum sw_status event_cells_init(const struct report *report, unsigned wants, struct event_cells *ret_cells)
{
    size_t hint = 0;

    *ret_cells = (struct event_cells){
        .report = report,
        .first_ns = clock_ns(&report->clock, report->header.first.ticks, &hint),
    };
    memcpy(ret_cells->columns, all_columns, sizeof all_columns);
    if (!(wants & SW__WANT_FLOPS))
        ret_cells->columns[EVENT_COLUMN_cell_flops].flags |= COLUMN_SCREEN | COLUMN_EXPORT; /* nowhere */
    if (report->stack_names == NULL)
        ret_cells->columns[EVENT_COLUMN_cell_stack].flags |= COLUMN_SCREEN | COLUMN_EXPORT;
    return sw__flops_new(&report->names, &ret_cells->flops);
}

enum sw_status event_cells_make(struct event_cells *cells, const struct sw__analyze_event *event, uint32_t id,
                                struct cell *ret_cells)
{
    SW__TRY(names_make(&cells->names, &cells->report->dispatches[event->dispatch]));
    sw__free(sw__take(cells->shape_text));
    if (event->shapes != SW__ANALYZE_NONE)
        SW__TRY(sw__analyze_shapes_format(&cells->report->shapes[event->shapes], &cells->shape_text));
    cells->stack.n_bytes = 0;
    if (event->stack < cells->report->names.n_stacks)
        SW__TRY(stack_names_put(&cells->stack, cells->report, event->stack, SIZE_MAX));
    for (size_t i = 0; i < N_EVENT_COLUMNS; i++)
        ret_cells[i] = makers[i](cells, id, event);
    return SW_OK;
}

static const char *noted_state(const struct noted *noted)
{
    if (noted->note.is_open)
        return "open";
    return noted->note.is_healed ? "left by a jump" : noted->kind->name;
}

void event_cells_make_noted(struct event_cells *cells, const struct noted *noted, struct cell *ret_cells)
{
    for (size_t i = 0; i < N_EVENT_COLUMNS; i++)
        ret_cells[i] = (struct cell){ .kind = CELL_NONE };
    ret_cells[EVENT_COLUMN_cell_thread] = CELL_OF_ID((uint64_t)noted->thread->tid);
    ret_cells[EVENT_COLUMN_cell_start] = CELL_OF_TIME(clock_between(cells->first_ns, noted->start_ns));
    ret_cells[EVENT_COLUMN_cell_start_exact] = CELL_OF_TIME(noted->start_ns);
    ret_cells[EVENT_COLUMN_cell_duration] = CELL_OF_TIME(clock_between(noted->start_ns, noted->end_ns));
    ret_cells[EVENT_COLUMN_cell_state] = CELL_OF_TEXT(noted_state(noted));
    ret_cells[EVENT_COLUMN_cell_name] = CELL_OF_TEXT(noted_name(noted));
}

void event_cells_clear(struct event_cells *cells)
{
    sw__builder_clear(&cells->stack);
    names_clear(&cells->names);
    sw__free(cells->shape_text);
    sw__flops_free(cells->flops);
}
