/*
 * The columns of an event list's table: how wide, and what is in them.
 */
#ifndef ANALYZE_EVENT_CELLS_H
#define ANALYZE_EVENT_CELLS_H

#include "analyze/builder.h"
#include "analyze/event_list.h"

enum sw__event_time_unit { SW__EVENT_TIME_AUTO = 0, SW__EVENT_TIME_US, SW__EVENT_TIME_MS, SW__EVENT_TIME_S };

/** A table while it is printed. Widths are characters; SIZE_MAX: no limit. */
struct sw__event_table {
    const struct sw_event_list *list;
    int is_new_style;
    enum sw__event_time_unit unit;
    size_t max_name, max_shapes, max_source;
    double sum_self_us; /* of all rows */
    size_t name_width;
    size_t shapes_width;
    size_t source_width; /* 0: no row has a stack */
    int shows_overload, shows_node;
    double flops_scale;  /* 0: no row has any */
    const char *flops_title;
    char **shape_texts;  /* one per shape list, made at first use */
};

enum sw__event_fill { FILL_LEFT, FILL_RIGHT };

typedef size_t sw__event_width(const struct sw__event_table *table);
typedef enum sw_status sw__event_put(struct sw__builder *text, const struct sw__event_table *table,
                                     const struct sw__function *row);

struct sw__event_column {
    const char *title;
    sw__event_width *width;
    sw__event_put *put;
    enum sw__event_fill fill;
};

extern const struct sw__event_column sw__event_columns[];
extern const size_t sw__event_n_columns;
#define SW__EVENT_MAX_COLUMNS 16

/** Find out what is in the rows: widths, sums, scales. */
SW_NODISCARD enum sw_status sw__event_table_measure(struct sw__event_table *table);
void sw__event_table_clear(struct sw__event_table *table);

/** Entries of a row's stack that are shown. */
size_t sw__event_n_entries(const struct sw__event_table *table, const struct sw__function *row);
/** One of them, its end where it is too long. */
SW_NODISCARD enum sw_status sw__event_put_entry(struct sw__builder *text, const struct sw__event_table *table,
                                                const struct sw__function *row, size_t entry);
SW_NODISCARD enum sw_status sw__event_put_time(struct sw__builder *text, enum sw__event_time_unit unit, double us);

#endif
