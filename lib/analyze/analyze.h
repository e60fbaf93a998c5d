/*
 * From event lists to tables. Used by the Profiler and by swprof-report; knows
 * neither tensors nor the report's format: names are texts, shapes are words.
 *
 *   nested ends of one thread --sw__nest--> events with self times
 *   events --sw__aggregation--> rows in key order --sw__table_format--> text
 */
#ifndef ANALYZE_ANALYZE_H
#define ANALYZE_ANALYZE_H

#include <strideweave/hooks.h>
#include <strideweave/status.h>

#include "base/cleanup.h"

/** "None" where an index is expected. */
#define SW__ANALYZE_NONE UINT32_MAX

/** No estimate of floating point operations, which is not 0. */
#define SW__FLOPS_NONE INT64_C(-1)

/** What an event is accounted to: one (dispatch name, carrier class, operation class). Texts are borrowed. */
struct sw__analyze_dispatch {
    const char *name;
    const char *carrier_module;
    const char *carrier_name;
    const char *implementation_module;
    const char *implementation_name;
    uint64_t carrier; /* identity of the carrier class: equal texts of two classes stay two */
};

/** In words of a shape list: no tensor at this position. */
#define SW__ANALYZE_SHAPE_NONE INT64_C(-1)
/** In words of a shape list: a node below this bound stands before the modes of a nested mode. */
#define SW__ANALYZE_SHAPE_NESTED_BOUND (INT64_MIN + INT64_C(0x1000000))

/**
 * The shapes of one call's positional inputs. words: per input SW__ANALYZE_SHAPE_NONE,
 * or the number of nodes followed by them; a node is an extent, or INT64_MIN + k
 * before the k modes of a nested mode. ((2,3),4) is { 4, INT64_MIN + 2, 2, 3, 4 }.
 */
struct sw__analyze_shapes {
    uint32_t n_inputs;
    uint32_t n_words;
    const int64_t *words;
};

/** Where a call came from: texts such as "model.c:12 forward", the innermost first. */
struct sw__analyze_stack {
    const char *const *entries;
    size_t n_entries;
};

/** What the indices in events refer to. Borrowed by everything below, for as long as it lives. */
struct sw__analyze_names {
    const struct sw__analyze_dispatch *dispatches;
    size_t n_dispatches;
    const struct sw__analyze_shapes *shapes;
    size_t n_shapes;
    const struct sw__analyze_stack *stacks;
    size_t n_stacks;
};

enum sw__analyze_flags {
    SW__ANALYZE_SUCCEEDED = 1,
    SW__ANALYZE_UNFINISHED = 2, /* entered and not left: the duration is what was seen of it */
    SW__ANALYZE_HIDDEN = 4,     /* only accounts for its parent's time */
    SW__ANALYZE_HEALED = 8,     /* left by a jump: ended when that was noticed */
    SW__ANALYZE_ROOT = 16       /* set by nesting: nothing known encloses it, hidden ones included */
};

/** One passage of the computation boundary. */
struct sw__analyze_event {
    int64_t start_ns;
    int64_t duration_ns;
    int64_t self_ns;
    uint32_t parent;   /* index of the nearest enclosing event that is not hidden, or SW__ANALYZE_NONE */
    uint32_t dispatch; /* index */
    uint32_t shapes;   /* index, or SW__ANALYZE_NONE when shapes were not recorded */
    uint32_t thread;
    uint32_t flags;    /* enum sw__analyze_flags */
    uint32_t n_children; /* set by nesting: immediate ones, hidden ones included */
    uint64_t n_inside;   /* the same at any depth */
    uint32_t stack;    /* index, or SW__ANALYZE_NONE; looked at only where rows are told apart by it */
    uint32_t depth;    /* set by nesting: that of the operation */
};

/**
 * A row of a list: one passage (count 1) or several as one. What the recorder
 * has no record of is 0, none or -1.
 */
struct sw__function {
    uint32_t dispatch; /* index */
    uint32_t shapes;   /* index, or SW__ANALYZE_NONE */
    uint32_t stack;    /* index, or SW__ANALYZE_NONE */
    uint32_t parent;   /* index of the row around it, or SW__ANALYZE_NONE */
    uint32_t flags;    /* enum sw__function_flags */
    uint32_t reserved;
    int64_t id;
    int64_t thread_id;
    int64_t node_id;   /* of a distributed run; -1 for none */
    int64_t start_ns;
    int64_t total_ns;
    int64_t self_ns;
    int64_t memory_bytes; /* net: allocated less freed, nested ones included */
    int64_t self_memory_bytes;
    int64_t flops; /* SW__FLOPS_NONE: no estimate */
    uint64_t count;
};

enum sw__function_flags {
    SW__FUNCTION_NESTED = 1, /* something listed encloses it; of several: the first */
    SW__FUNCTION_ASYNC = 2   /* ended on another thread than it began on */
};

/* ---- Shapes ------------------------------------------------------------------------------------- */

/** Whether the words are what n_inputs and n_words promise: counts, nesting (at most 1024 deep), extents >= 0. */
int sw__analyze_shapes_valid(const struct sw__analyze_shapes *list);
/** Text as Python writes the tuple: "((2, 3), None)", "(2,)" for one mode, "()"; "None" for NULL. sw_free(). */
SW_NODISCARD enum sw_status sw__analyze_shapes_format(const struct sw__analyze_shapes *list, char **ret_text);
/** The same as lists of lists: "[[2, 3], []]", "[]" also for what is no tensor. sw_free(). */
SW_NODISCARD enum sw_status sw__analyze_shapes_format_lists(const struct sw__analyze_shapes *list, char **ret_text);
/** The words of shapes given as trees, NULL for no tensor. sw__free(). */
SW_NODISCARD enum sw_status sw__analyze_shapes_words(const struct sw_tree *const *trees, size_t n_trees,
                                                     int64_t **ret_words, uint32_t *ret_n_words);
/** Equal words. */
int sw__analyze_shapes_equal(const struct sw__analyze_shapes *a, const struct sw__analyze_shapes *b);
uint64_t sw__analyze_shapes_hash(const struct sw__analyze_shapes *list);

/* ---- Nesting ------------------------------------------------------------------------------------ */

/** An operation of one thread before its self time is known. */
struct sw__nest_operation {
    int64_t start_ns;
    int64_t end_ns;
    uint32_t depth; /* enclosing operations, known ones or not */
    uint32_t dispatch;
    uint32_t shapes;
    uint32_t flags; /* enum sw__analyze_flags */
    int64_t nested_ns; /* known to have been inside; more than what is pushed of it counts as nested all the same */
    uint32_t stack; /* as of the event */
};

/** Receives an event; serial is its place in the order of pushes. */
typedef enum sw_status sw__nest_sink(void *context, const struct sw__analyze_event *event, uint32_t serial);
/** Receives some events whose self times are final, with their serials; n_events is at least 1. */
typedef enum sw_status sw__nest_sinks(void *context, const struct sw__analyze_event *events, const uint32_t *serials,
                                      size_t n_events);

struct sw__nest;

/**
 * sw__nest_new - derive parents and self times of one thread's operations.
 *
 * Operations are pushed in the reverse order of their ends: a parent comes
 * before its children. An operation belongs to the nearest known one of a
 * smaller depth whose interval holds its start. Memory grows with the depth,
 * not with the number of operations. Each event's parent is a serial.
 */
SW_NODISCARD enum sw_status sw__nest_new(uint32_t thread, uint32_t first_serial, sw__nest_sinks *sink, void *context,
                                         struct sw__nest **ret_nest);
/**
 * Pass each operation to @enter too, when it is pushed and before anything inside
 * of it: calls of @enter and of the sink, which then has one event each, nest as
 * the operations do, last things first. The event's self time is not known by
 * then. Before the first push.
 */
void sw__nest_on_enter(struct sw__nest *nest, sw__nest_sink *enter);
SW_NODISCARD enum sw_status sw__nest_push(struct sw__nest *nest, const struct sw__nest_operation *operations,
                                          size_t n_operations);
/** Deliver what is still held. Nothing may be pushed afterwards. */
SW_NODISCARD enum sw_status sw__nest_finish(struct sw__nest *nest);
/** Intervals that contradict the nesting (crossed, or longer than their parent); self times stay >= 0. */
uint64_t sw__nest_anomalies(const struct sw__nest *nest);
void sw__nest_free(struct sw__nest *nest);

SW__DEFINE_CLEANUP(nest, struct sw__nest, sw__nest_free)
#define SW__OWNED_NEST SW__CLEANUP(sw__cleanup_nest)

/* ---- Aggregation -------------------------------------------------------------------------------- */

/** What rows are told apart by beside the name: flags. */
enum sw__grouping {
    SW__GROUP_BY_CARRIER = 0,
    SW__GROUP_BY_SHAPES = 1,
    SW__GROUP_ANY_CARRIER = 2, /* classes of carriers are one */
    SW__GROUP_BY_IMPLEMENTATION = 4
};

/** The percentiles that are shown. */
enum sw__percentile {
#define SW_PERCENTILE(percent) SW__P##percent,
#include "analyze/percentiles.def"
#undef SW_PERCENTILE
    SW__N_PERCENTILES
};

/** One aggregate. Times saturate at INT64_MAX, and `saturated` then says so. */
struct sw__aggregate {
    const struct sw__analyze_dispatch *dispatch; /* borrowed: the first one of the group */
    uint32_t dispatch_index;
    uint32_t shapes; /* index of an equal list, or SW__ANALYZE_NONE */
    const char *shape_text; /* "None" when there are none; borrowed from the aggregates */
    uint64_t count;
    uint64_t failures;
    uint64_t n_children; /* that its calls had; of calls known only as sums none is known */
    int64_t total_ns;
    int64_t self_total_ns;
    int64_t min_ns;
    int64_t max_ns;
    double mean_ns;
    int saturated;
    int64_t max_start_ns; /* start of the longest; of equal ones any */
    int64_t percentiles_ns[SW__N_PERCENTILES]; /* within 1 per cent; 0 unless asked for */
    uint64_t n_measured; /* operations that they are of */
    /* What lists of functions have beside; SW__ANALYZE_NONE, -1 and 0 else. */
    uint32_t stack;
    uint32_t first_flags; /* enum sw__function_flags of the first one */
    int64_t first;        /* its start, or its place in a list; INT64_MAX when it is not known */
    int64_t node_id;
    int64_t memory_bytes;      /* net: allocated less released */
    int64_t self_memory_bytes;
    int64_t allocated_bytes;
    int64_t released_bytes;
    int64_t flops;    /* of the executions that have an estimate; SW__FLOPS_NONE: none has one */
    int64_t flops_ns; /* how long those took */
};

/** Rows in ascending order of name, (module, qualified name), shape text, first-seen dispatch. */
struct sw__aggregates {
    enum sw__grouping grouping;
    size_t n_rows;
    struct sw__aggregate *rows;
    char **shape_texts; /* one per list that a row has; rows of the same one share it */
    size_t n_shape_texts;
};

struct sw__aggregation;

SW_NODISCARD enum sw_status sw__aggregation_new(const struct sw__analyze_names *names, enum sw__grouping grouping,
                                                struct sw__aggregation **ret_aggregation);
/**
 * An empty one of the same names that wants the same, to be merged into @aggregation, which must live longer.
 * Different threads may add to the two at a time.
 */
SW_NODISCARD enum sw_status sw__aggregation_new_alike(const struct sw__aggregation *aggregation,
                                                      struct sw__aggregation **ret_alike);
/** Linear in @n_events. Events that are hidden or unfinished are passed over. ValueError: an index without a name. */
SW_NODISCARD enum sw_status sw__aggregation_add(struct sw__aggregation *aggregation,
                                                const struct sw__analyze_event *events, size_t n_events);
/**
 * Add the rows of another aggregation of the same grouping, over the same names
 * or the first of them. Linear in its rows. ValueError: a row without a name.
 */
SW_NODISCARD enum sw_status sw__aggregation_merge(struct sw__aggregation *aggregation,
                                                  const struct sw__aggregation *more);
/** What costs something to know: flags. */
enum sw__want {
    SW__WANT_NOTHING = 0,
    SW__WANT_PERCENTILES = 1, /* memory grows with rows and magnitudes */
    SW__WANT_FLOPS = 2,       /* an estimate for each event and sum that is added */
    SW__WANT_MEMORY = 4       /* storage: whoever adds events adds it beside them */
};
/** Want more than the sums: flags of enum sw__want. Before anything is added. */
SW_NODISCARD enum sw_status sw__aggregation_want(struct sw__aggregation *aggregation, unsigned wants);
/** Tell rows apart by the innermost entries of their stacks. Before anything is added. */
SW_NODISCARD enum sw_status sw__aggregation_group_by_stack(struct sw__aggregation *aggregation, size_t n_entries);
/** Add a row of a list, which stands at @place of it. Functions of several nodes have rows of their own. */
SW_NODISCARD enum sw_status sw__aggregation_add_function(struct sw__aggregation *aggregation,
                                                         const struct sw__function *function, int64_t place);
/** Add sums of a dispatch and a shape list (index, or SW__ANALYZE_NONE); dispatch, shapes and texts of @sums are not looked at. */
SW_NODISCARD enum sw_status sw__aggregation_add_sums(struct sw__aggregation *aggregation, uint32_t dispatch,
                                                     uint32_t shapes, const struct sw__aggregate *sums);
/** Count a duration for the percentiles of sums that were added: of a dispatch and a shape list as there. */
SW_NODISCARD enum sw_status sw__aggregation_add_duration(struct sw__aggregation *aggregation, uint32_t dispatch,
                                                         uint32_t shapes, int64_t duration_ns, uint64_t count);
/** Add storage to the row of an event that was added: memory_bytes and the three below it of @memory. */
SW_NODISCARD enum sw_status sw__aggregation_add_memory(struct sw__aggregation *aggregation,
                                                       const struct sw__analyze_event *event,
                                                       const struct sw__aggregate *memory);
/** The rows so far, freed with sw__aggregates_free(). */
SW_NODISCARD enum sw_status sw__aggregation_rows(const struct sw__aggregation *aggregation,
                                                 struct sw__aggregates **ret_aggregates);
void sw__aggregation_free(struct sw__aggregation *aggregation);
void sw__aggregates_free(struct sw__aggregates *aggregates);

SW__DEFINE_CLEANUP(aggregation, struct sw__aggregation, sw__aggregation_free)
#define SW__OWNED_AGGREGATION SW__CLEANUP(sw__cleanup_aggregation)
SW__DEFINE_CLEANUP(aggregates, struct sw__aggregates, sw__aggregates_free)
#define SW__OWNED_AGGREGATES SW__CLEANUP(sw__cleanup_aggregates)

/* ---- Order and table ---------------------------------------------------------------------------- */

enum sw__column {
#define SW_COLUMN(enumerator, field, title, compare, format) SW__COLUMN_##enumerator,
#include "analyze/columns.def"
#undef SW_COLUMN
    SW__N_COLUMNS,
    SW__BEFORE_ORDERS = SW__N_COLUMNS - 1, /* rows can be ordered by these, too; the table does not show them */
#define SW_ORDER(enumerator, field, compare) SW__COLUMN_##enumerator,
#include "analyze/orders.def"
#undef SW_ORDER
    SW__N_ORDERS
};

enum sw__direction { SW__ASCENDING = 0, SW__DESCENDING = 1 };

/** The column of the table that has a field name such as "self_total_time_ns"; 0 when none has it. */
int sw__column_find(const char *field, enum sw__column *ret_column);
const char *sw__column_field(enum sw__column column);

/**
 * Indices of the rows in the order of @column; ties keep the ascending key in
 * both directions. sw_free().
 */
SW_NODISCARD enum sw_status sw__aggregates_order(const struct sw__aggregates *aggregates, enum sw__column column,
                                                 enum sw__direction direction, size_t **ret_order);

struct sw__table_options {
    enum sw__column sort_by;
    enum sw__direction direction;
    int64_t row_limit; /* SW_NO_LIMIT, or >= 0 */
};
#define SW__TABLE_OPTIONS_INIT { SW__COLUMN_SELF_TOTAL_TIME_NS, SW__DESCENDING, SW_NO_LIMIT }

/** The specification's table: no final newline, the same bytes in every locale. sw_free(). */
SW_NODISCARD enum sw_status sw__table_format(const struct sw__aggregates *aggregates,
                                             const struct sw__table_options *options, char **ret_text);

#endif
