/*
 * Event lists: what users of PyTorch's profiler know as EventList, for the
 * operations that a Profiler recorded or that a program adds by itself.
 *
 * A list has rows. In the list of a Profiler a row is one execution of an
 * operation; sw_event_list_key_averages() makes a list in which a row is all
 * executions of a key. Both print as the table of that profiler:
 *
 *     struct sw_event_list *events, *averages;
 *     char *text;
 *     if (sw_profiler_event_list(profiler, NULL, &events) != SW_OK) ...
 *     if (sw_event_list_key_averages(events, NULL, &averages) != SW_OK) ...
 *     if (sw_event_list_table(averages, NULL, &text) == SW_OK)
 *         fputs(text, stdout);
 *
 * Times are nanoseconds in whole numbers; the table divides at its edge. Sums
 * that do not fit 64 bits stay at the largest. doc/from-pytorch.md tells call by
 * call what is the same and what differs.
 *
 * For every call: a pointer that is NULL or no event list, and an option that
 * is neither 0 nor 1 where it says yes or no, is a TypeError; outputs are
 * untouched on failure; sw_error_message() says what was refused; no hook is
 * called. Threads: calls that do not change a list may run beside each other.
 */
#ifndef STRIDEWEAVE_EVENT_LIST_H
#define STRIDEWEAVE_EVENT_LIST_H

#include <strideweave/profiler.h>

SW_BEGIN_DECLS

struct sw_event_list;

/**
 * One row of a list. What is not known is NULL, 0, or -1 where it says so.
 *
 * Given to sw_event_list_append() it is borrowed and copied, and the fields
 * from `parent` on are not read: they follow from the others and from the tree.
 * Got from sw_event_list_at() all that it points to lives as long as the list.
 */
struct sw_function_event {
    uint32_t struct_bytes;
    int32_t is_async;              /* ended on another thread than it began on: no parent, no children, no self time */
    const char *name;              /* what rows are grouped by */
    const struct sw_class_snapshot *carrier_type;        /* exact class that dispatched */
    const struct sw_class_snapshot *implementation_type; /* operation class: what an overload is elsewhere */
    const struct sw_input_shapes *input_shapes;
    const char *const *stack;      /* n_stack texts, the innermost frame first */
    size_t n_stack;
    int64_t id;
    int64_t thread_id;
    int64_t node_id;               /* of a distributed run; -1 for none */
    int64_t start_time_ns;
    int64_t cpu_time_total_ns;     /* from entry to exit, nested ones included; >= 0 */
    int64_t cpu_memory_bytes;      /* allocated less freed, nested ones included */
    int64_t flops;                 /* floating point operations; >= 0; 0 given to a list: not known */
    int64_t parent;                /* row of the list around it, -1 for none; of an average: -1 */
    int32_t has_parent;            /* 0: of the top level; of an average: of the first of its events */
    int32_t has_flops;             /* 0: no estimate, which is not 0; of an average: of none of its events */
    int64_t count;                 /* events that the row is of */
    int64_t self_cpu_time_total_ns; /* without what is nested in it */
    int64_t self_cpu_memory_bytes;
};
#define SW_FUNCTION_EVENT_INIT { .struct_bytes = (uint32_t)sizeof(struct sw_function_event), .node_id = -1 }

/* ---- Making -------------------------------------------------------------------- */

struct sw_event_list_options {
    uint32_t struct_bytes;
    int32_t profile_memory; /* 0 or 1; 0. Tables have the columns of memory */
    int32_t with_flops;     /* 0 or 1; 0. Tables have the column of flops, when any row has some; events of a
                               Profiler that recorded shapes are given the estimates of sw_flops_estimate() */
    int32_t reserved;
};
#define SW_EVENT_LIST_OPTIONS_INIT { (uint32_t)sizeof(struct sw_event_list_options), 0, 0, 0 }

/**
 * sw_event_list_new - an empty list.
 *
 * @options   NULL for the defaults.
 * @ret_list  owned by the caller, given back with sw_event_list_free().
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_new(const struct sw_event_list_options *options,
                                                     struct sw_event_list **ret_list);

/**
 * sw_profiler_event_list - the events of a completed Profiler as a list, in
 * the order of their starts, with the tree and the self times that were recorded,
 * and with call stacks where the Profiler had a stack_depth.
 *
 * Self times leave out what was nested and not selected, too, so that they may
 * be smaller than total less the children that are listed. The list is
 * independent of the Profiler.
 *
 * Returns SW_OK; SW_RUNTIME_ERROR before a successful exit; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_profiler_event_list(struct sw_profiler *profiler,
                                                          const struct sw_event_list_options *options,
                                                          struct sw_event_list **ret_list);

/** sw_event_list_free - give a list back. Any thread; NULL is accepted. */
SW_API void sw_event_list_free(struct sw_event_list *list);

/**
 * sw_event_list_append - add one event (count 1) at the end. The tree of the
 * list is then no longer built.
 *
 * Returns SW_OK; SW_TYPE_ERROR for a NULL name or stack entry, or a structure
 * that is too small; SW_VALUE_ERROR for a negative time or number of flops and
 * for an end that does not fit 64 bits; SW_RUNTIME_ERROR for a list of averages;
 * SW_OVERFLOW_ERROR for more rows than 2^32 - 2; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_append(struct sw_event_list *list,
                                                        const struct sw_function_event *event);

/**
 * sw_event_list_build_tree - find out what is nested in what, from the
 * intervals, and from that the self times.
 *
 * Of one thread and node: an event is a child of the innermost one before it
 * (by start, then by longer first, then by place in the list) with
 * parent.start <= start < parent.end and end <= parent.end; intervals that
 * overlap in part are no relatives. Asynchronous events take no part. Then an
 * event whose parent has the same name and no other child is removed, and the
 * parent has its children.
 *
 * Returns SW_OK; SW_RUNTIME_ERROR when events have parents already
 * (PyTorch: "There is already a CPU parent event for ..."); SW_MEMORY_ERROR.
 * Source: torch.autograd.profiler_util.EventList._build_tree; unlike there
 * equal thread ids of several nodes are told apart in any order of the events.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_build_tree(struct sw_event_list *list);

/* ---- Looking ------------------------------------------------------------------- */

/** Rows of a list; 0 also for what is none. */
SW_API size_t sw_event_list_size(const struct sw_event_list *list);

/** The row at @index, counted from 0. IndexError out of range. */
SW_API SW_NODISCARD enum sw_status sw_event_list_at(const struct sw_event_list *list, size_t index,
                                                    struct sw_function_event *ret_event);

/** Sum of the self times of all rows, in nanoseconds. */
SW_API SW_NODISCARD enum sw_status sw_event_list_self_cpu_time_total(const struct sw_event_list *list,
                                                                     int64_t *ret_ns);

/**
 * sw_event_list_total_average - all rows as one, called "Total". What describes
 * an event (thread, shapes, parent ...) is that of the last row.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_total_average(const struct sw_event_list *list,
                                                               struct sw_function_event *ret_event);

/* ---- As a list ------------------------------------------------------------------ */

/*
 * What Python's list does. Places are counted from 0, negative ones from the
 * end. Rows keep their parents wherever they come to stand; the parent of a row
 * is -1 when that was taken out, and has_parent stays. Self times stay, too.
 */

/** Whether an event is meant: not 0 when it is. @event is valid during the call; the list must not be changed. */
typedef int sw_event_match_fn(const struct sw_function_event *event, void *data);
/** Less than, equal to or greater than 0, as @a comes before, with or after @b. */
typedef int sw_event_compare_fn(const struct sw_function_event *a, const struct sw_function_event *b, void *data);

/**
 * sw_event_list_insert - put one event before the row at @index; at an end when
 * that lies beyond it. The tree of the list is then no longer built.
 *
 * Returns what sw_event_list_append() does.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_insert(struct sw_event_list *list, int64_t index,
                                                        const struct sw_function_event *event);

/**
 * sw_event_list_pop - take out the row at @index; -1 is the last one.
 *
 * @ret_event  what it was, or NULL. What it points to lives as long as the list.
 *
 * Returns SW_OK; SW_INDEX_ERROR out of range, as in an empty list.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_pop(struct sw_event_list *list, int64_t index,
                                                     struct sw_function_event *ret_event);

/** sw_event_list_clear - take out all rows. */
SW_API SW_NODISCARD enum sw_status sw_event_list_clear(struct sw_event_list *list);

/**
 * sw_event_list_index - where the first row stands for which @match(row, @data)
 * is not 0, from @start and before @stop (0 and SW_NO_LIMIT: the whole list).
 *
 * Returns SW_OK; SW_VALUE_ERROR when there is none.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_index(const struct sw_event_list *list, sw_event_match_fn *match,
                                                       void *data, int64_t start, int64_t stop, size_t *ret_index);

/** sw_event_list_count - how many rows there are for which @match(row, @data) is not 0. */
SW_API SW_NODISCARD enum sw_status sw_event_list_count(const struct sw_event_list *list, sw_event_match_fn *match,
                                                       void *data, size_t *ret_n);

/** sw_event_list_remove - take out the first such row. ValueError when there is none. */
SW_API SW_NODISCARD enum sw_status sw_event_list_remove(struct sw_event_list *list, sw_event_match_fn *match,
                                                        void *data);

/**
 * sw_event_list_sort - order the rows; equal ones stay as they stand.
 *
 * @reverse  0, or 1: the largest first, where equal ones stay as they stand, too.
 *
 * Returns SW_OK; SW_MEMORY_ERROR, and the list is as it was.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_sort(struct sw_event_list *list, sw_event_compare_fn *compare,
                                                      void *data, int reverse);

/** sw_event_list_reverse - the last row first. */
SW_API SW_NODISCARD enum sw_status sw_event_list_reverse(struct sw_event_list *list);

/**
 * sw_event_list_copy - a list of the same rows, changed independently of @list.
 *
 * @ret_list  given back with sw_event_list_free(). The two share names: no other
 *            thread may use one while the other is appended to.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_copy(const struct sw_event_list *list,
                                                      struct sw_event_list **ret_list);

/* ---- Averages ------------------------------------------------------------------ */

struct sw_event_averages_options {
    uint32_t struct_bytes;
    int32_t group_by_input_shapes;  /* 0 or 1; 0 */
    int32_t group_by_overload_name; /* 0 or 1; 0: by operation class */
    int32_t group_by_carrier;       /* 0 or 1; 0: classes of one name are one row */
    int64_t group_by_stack_n;       /* innermost entries of the stack that count; 0 */
};
#define SW_EVENT_AVERAGES_OPTIONS_INIT { (uint32_t)sizeof(struct sw_event_averages_options), 0, 0, 0, 0 }

/**
 * sw_event_list_key_averages - one row per name and node, and per what the
 * options name beside; in the order in which they first appear.
 *
 * What rows are not grouped by is NULL in them. What describes an event
 * otherwise is that of the first one.
 *
 * @ret_averages  given back with sw_event_list_free(); it outlives @list, and what
 *                is appended to @list later does not change its rows. The two share
 *                names: no other thread may use the averages while @list is appended to.
 *
 * Returns SW_OK; SW_RUNTIME_ERROR when the tree of the list is not built;
 * SW_VALUE_ERROR for a negative group_by_stack_n; SW_MEMORY_ERROR.
 * Source: torch.autograd.profiler_util.EventList.key_averages.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_key_averages(const struct sw_event_list *list,
                                                              const struct sw_event_averages_options *options,
                                                              struct sw_event_list **ret_averages);

/* ---- Table --------------------------------------------------------------------- */

/** Whose table it is, where versions of PyTorch differ. */
enum sw_event_table_style {
    SW_EVENT_TABLE_TORCH = 0,    /* 1.13.1, byte by byte */
    SW_EVENT_TABLE_TORCH_NEW = 1 /* 2.x: overload names, "KB" for "Kb", whole stacks */
};

struct sw_event_table_options {
    uint32_t struct_bytes;
    int32_t style;                   /* enum sw_event_table_style; SW_EVENT_TABLE_TORCH */
    const char *sort_by;             /* largest first, equal ones as they stand; NULL: all as they stand */
    int64_t row_limit;               /* rows that are printed; 100. -1 or SW_NO_LIMIT: all */
    int64_t max_src_column_width;    /* characters, >= 1, or SW_NO_LIMIT; 75 */
    int64_t max_name_column_width;   /* characters, >= 3, or SW_NO_LIMIT; 55 */
    int64_t max_shapes_column_width; /* characters, >= 1, or SW_NO_LIMIT; 80 */
    const char *header;              /* a line above the table, or NULL */
    const char *time_unit;           /* "s", "ms" or "us" for all times; NULL: what fits each */
    int32_t top_level_events_only;   /* 0 or 1; 0: rows with a parent too */
    int32_t reserved;
};
#define SW_EVENT_TABLE_OPTIONS_INIT \
    { (uint32_t)sizeof(struct sw_event_table_options), SW_EVENT_TABLE_TORCH, NULL, 100, 75, 55, 80, NULL, NULL, 0, 0 }

/**
 * sw_event_list_table - the rows as PyTorch's profiler prints them; "" for a
 * list without rows. The same bytes in every locale. Ends in a newline.
 *
 * Columns: swprof-report(1). sort_by is one of cpu_time, cpu_time_total,
 * self_cpu_time_total, cpu_memory_usage, self_cpu_memory_usage, count, flops,
 * key, node_id, or one of the times and memory of a device (cuda_time ...),
 * which are 0 in every row here and leave the order as it is.
 *
 * What a terminal would act on in names is made visible ("\n", "\x1b"), bytes
 * that are no UTF-8 become U+FFFD; shares and totals are of all rows.
 *
 * @ret_text  given back with sw_free().
 *
 * Returns SW_OK; SW_VALUE_ERROR for an unknown sort_by, time_unit or style, a
 * width that is too small, or a row_limit below -1; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_table(const struct sw_event_list *list,
                                                       const struct sw_event_table_options *options, char **ret_text);

/**
 * sw_event_list_export_stacks - the rows' call stacks with their self times, a
 * line each: entries outermost first with ";" between them, a blank, and whole
 * microseconds. Rows without a stack, and those of less than a microsecond, have
 * no line; equal stacks are not added up. Blanks, ";", tabs and line ends in
 * entries become "_". What flamegraph.pl and speedscope read.
 *
 * @metric    "self_cpu_time_total", which NULL means too; metrics of devices,
 *            such as "self_cuda_time_total", are 0 in every row.
 * @ret_text  "" when no row has a line; given back with sw_free().
 *
 * Returns SW_OK; SW_VALUE_ERROR for an unknown metric; SW_MEMORY_ERROR.
 * Source: torch.autograd.profiler_util.EventList.export_stacks.
 */
SW_API SW_NODISCARD enum sw_status sw_event_list_export_stacks(const struct sw_event_list *list, const char *metric,
                                                               char **ret_text);

SW_END_DECLS

#endif
