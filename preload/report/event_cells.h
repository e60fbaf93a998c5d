/*
 * An event as a row of cells.
 */
#ifndef REPORT_EVENT_CELLS_H
#define REPORT_EVENT_CELLS_H

#include "analyze/flops.h"
#include "report/grid.h"
#include "report/names.h"
#include "report/noted.h"

enum {
#define EVENTS_COLUMN(title, key, flags, function) EVENT_COLUMN_##function,
#include "report/events_columns.def"
#undef EVENTS_COLUMN
    N_EVENT_COLUMNS
};

struct event_cells {
    const struct report *report;
    struct column columns[N_EVENT_COLUMNS]; /* those that were not asked for are in no output */
    struct class_names names; /* of the row that was made last */
    char *shape_text;         /* likewise */
    struct sw__builder stack; /* likewise; the names of the report's stacks have been looked up */
    int64_t first_ns;         /* of the run */
    struct sw__flops *flops;
};

/** @wants: flags of enum sw__want. Leaves something that event_cells_clear() takes also on failure. */
SW_NODISCARD enum sw_status event_cells_init(const struct report *report, unsigned wants,
                                             struct event_cells *ret_cells);
/** The cells of an event that is called @id; they replace those of the one before. */
SW_NODISCARD enum sw_status event_cells_make(struct event_cells *cells, const struct sw__analyze_event *event,
                                             uint32_t id, struct cell *ret_cells);
/** The cells of an interval among the notes: a row that has no id, and its kind as its state. */
void event_cells_make_noted(struct event_cells *cells, const struct noted *noted, struct cell *ret_cells);
void event_cells_clear(struct event_cells *cells);

#define REPORT_OWNED_EVENT_CELLS SW__CLEANUP(event_cells_clear)

#endif
