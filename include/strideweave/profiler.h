/*
 * The Profiler: records the dispatched operations that one thread executes
 * between enter and exit, and shows them as events, averages and a table.
 *
 * Works in every process that links the library; nothing is preloaded. One
 * Profiler is one measurement: it is entered once, on one thread, and its
 * results are there after a successful exit and unchanged until it is freed.
 *
 *     struct sw_profiler *profiler;
 *     if (sw_profiler_new(NULL, &profiler) != SW_OK) ...
 *     SW_WITH_PROFILER(profiler) {
 *         ... operations ...
 *     }
 *     char *text;
 *     if (sw_profiler_table(profiler, NULL, &text) == SW_OK)
 *         puts(text);
 *     sw_free(text);
 *     sw_profiler_free(profiler);
 */
#ifndef STRIDEWEAVE_PROFILER_H
#define STRIDEWEAVE_PROFILER_H

#include <strideweave/carrier.h>

SW_BEGIN_DECLS

struct sw_operation_class;
struct sw_profiler;

/* ---- Values -------------------------------------------------------------------- */

/**
 * A class as it was when an operation of it was executed. Two snapshots are of
 * the same class when address and serial are equal; the texts are copies that
 * outlive a plug-in which has been closed.
 */
struct sw_class_snapshot {
    const void *address; /* of the class structure; identity only */
    uint64_t serial;
    const char *module;
    const char *qualified_name;
};

/** The shapes of an operation's positional inputs. */
struct sw_input_shapes {
    size_t n_inputs;
    const struct sw_tree *const *shapes; /* n_inputs; NULL for an input that is no tensor */
};

/** One attempt at a computation: an immutable value. */
struct sw_profiler_event {
    int64_t id;                 /* from 0, in the order of execution starts */
    int64_t parent_id;          /* meaningful when has_parent */
    int32_t has_parent;
    int32_t succeeded;          /* 1 exactly when the boundary returned a valid tensor */
    const char *name;           /* dispatch name */
    const struct sw_class_snapshot *carrier_type;
    const struct sw_class_snapshot *implementation_type;
    const struct sw_input_shapes *input_shapes; /* NULL when shapes were not recorded */
    int64_t start_time_ns;      /* CLOCK_MONOTONIC */
    int64_t duration_ns;        /* inclusive */
    int64_t self_time_ns;       /* less the inclusive times of immediate children, recorded or not */
    int64_t thread_id;          /* the kernel's, as top, perf and gdb show it */
};

/** What the events of one key have in common and add up to: an immutable value. */
struct sw_profiler_aggregate {
    const char *name;
    const struct sw_class_snapshot *carrier_type;
    const struct sw_input_shapes *input_shapes; /* NULL unless grouped by recorded shapes */
    int64_t count;
    int64_t total_time_ns;
    int64_t self_total_time_ns;
    double mean_time_ns; /* total / count */
    int64_t min_time_ns;
    int64_t max_time_ns;
};

/* ---- Making and entering --------------------------------------------------------- */

struct sw_profiler_options {
    uint32_t struct_bytes;
    int32_t record_shapes; /* 0 or 1; 0 */
    /** Exact classes whose events are selected. NULL with n_carriers 0: all. Not NULL with 0: none. Copied. */
    struct sw_carrier_class *const *carriers;
    size_t n_carriers;
    /**
     * Most calls of the call stack that is recorded with each event: 1 to
     * SW_PROFILER_MOST_STACK_DEPTH; 0, the default, records none and costs nothing.
     */
    uint32_t stack_depth;
    uint32_t reserved;
};
#define SW_PROFILER_OPTIONS_INIT { (uint32_t)sizeof(struct sw_profiler_options), 0, NULL, 0, 0, 0 }

#define SW_PROFILER_MOST_STACK_DEPTH 1024

/**
 * sw_profiler_new - a Profiler, not yet entered.
 *
 * @options       NULL for all carriers, no shapes and no stacks. One that was
 *                compiled before stack_depth is taken as it is.
 * @ret_profiler  owned by the caller, given back with sw_profiler_free().
 *
 * Returns SW_OK; SW_TYPE_ERROR when record_shapes is neither 0 nor 1, when an
 * entry of carriers is not a carrier class, or when carriers is NULL with a
 * count; SW_VALUE_ERROR when stack_depth is too large; SW_MEMORY_ERROR. Where
 * call stacks cannot be recorded the Profiler is made all the same, and
 * sw_profiler_stacks() says why it has none.
 */
SW_API SW_NODISCARD enum sw_status sw_profiler_new(const struct sw_profiler_options *options,
                                                   struct sw_profiler **ret_profiler);
/** sw_profile - the short name of sw_profiler_new(). */
SW_API SW_NODISCARD enum sw_status sw_profile(const struct sw_profiler_options *options,
                                              struct sw_profiler **ret_profiler);

/** Whether a Profiler records call stacks, and why not. */
enum sw_profiler_stacks {
    SW_PROFILER_STACKS_OFF = 0,        /* not asked for; also of what is no Profiler */
    SW_PROFILER_STACKS_RECORDED = 1,
    SW_PROFILER_STACKS_NO_LIBRARY = 2, /* libunwind-x86_64.so.8 is not there: a package called libunwind8 or so */
    SW_PROFILER_STACKS_NO_SUPPORT = 3  /* this build, processor or C library has no way to do it */
};

/** Known from sw_profiler_new() on. Threads: any. */
SW_API enum sw_profiler_stacks sw_profiler_stacks(const struct sw_profiler *profiler);

/**
 * sw_profiler_enter - begin to record on this thread.
 *
 * An attempt uses the Profiler up, also when it fails.
 *
 * Returns SW_OK; SW_RUNTIME_ERROR when entry has been attempted before or when
 * another Profiler is active on the thread; SW_TYPE_ERROR when @profiler is not
 * a Profiler; SW_MEMORY_ERROR; SW_NOT_IMPLEMENTED_ERROR when the library was
 * built without profiling.
 */
SW_API SW_NODISCARD enum sw_status sw_profiler_enter(struct sw_profiler *profiler);

/**
 * sw_profiler_exit - end recording and freeze the events.
 *
 * Leaves the thread's pending error text readable when it succeeds.
 *
 * Returns SW_OK; SW_RUNTIME_ERROR when the Profiler is not active, when one of
 * its operations is still being executed (it stays active), or on another
 * thread than the one that entered (the session is abandoned and its events are
 * dropped); SW_MEMORY_ERROR (abandoned likewise).
 */
SW_API enum sw_status sw_profiler_exit(struct sw_profiler *profiler);

/** sw_profiler_free - give a Profiler and its results back; an active one is abandoned. Any thread; NULL is accepted. */
SW_API void sw_profiler_free(struct sw_profiler *profiler);

/* ---- Results: SW_RUNTIME_ERROR before a successful exit --------------------------- */

/** All events, in the order of execution starts; valid until sw_profiler_free(). */
SW_API SW_NODISCARD enum sw_status sw_profiler_events(struct sw_profiler *profiler,
                                                      const struct sw_profiler_event **ret_events, size_t *ret_n);

/**
 * sw_profiler_event_stack - the calls that led to an event.
 *
 * @id           of the event: its place in sw_profiler_events().
 * @ret_entries  texts, the innermost call first: "libmodel.so: attend", C++ names
 *               as in the source, and "libmodel.so+0x1f30" where no function is
 *               known. Frames of the library itself, and of a tool that is called
 *               by its hooks, are left out where they are the innermost ones; a
 *               program that the library is linked into statically has them. The
 *               last one says so when the stack is deeper than was recorded, or when
 *               it is not known how it goes on. Valid until sw_profiler_free().
 * @ret_n        0 when no stack was recorded.
 *
 * Names are looked up when they are first asked for, in the symbol tables of the
 * files that were loaded then. A file that has changed since (build id) is not
 * asked. Functions that the compiler put into others have no entries of their
 * own, and there are no lines: both are in the stacks that swprof-report shows.
 *
 * Returns SW_OK; SW_INDEX_ERROR when there is no such event; SW_RUNTIME_ERROR
 * before exit; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_profiler_event_stack(struct sw_profiler *profiler, int64_t id,
                                                           const char *const **ret_entries, size_t *ret_n);

struct sw_key_averages_options {
    uint32_t struct_bytes;
    int32_t group_by_input_shape; /* 0 or 1; 0 */
};
#define SW_KEY_AVERAGES_OPTIONS_INIT { (uint32_t)sizeof(struct sw_key_averages_options), 0 }

/**
 * sw_profiler_key_averages - one row per dispatch name and exact carrier class
 * (and input shapes, when asked), ascending by name, class, shapes.
 *
 * @ret_rows  given back with sw_free(); what the rows point to lives as long as
 *            the Profiler.
 *
 * Returns SW_OK; SW_TYPE_ERROR for an option that is neither 0 nor 1;
 * SW_RUNTIME_ERROR before exit; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_profiler_key_averages(struct sw_profiler *profiler,
                                                            const struct sw_key_averages_options *options,
                                                            struct sw_profiler_aggregate **ret_rows, size_t *ret_n);

struct sw_table_options {
    uint32_t struct_bytes;
    int32_t ascending;            /* 0 or 1; 0: the largest first */
    const char *sort_by;          /* name of an aggregate's member; "self_total_time_ns" */
    int32_t group_by_input_shape; /* 0 or 1; 0 */
    int32_t reserved;
    int64_t row_limit;            /* SW_NO_LIMIT or >= 0; SW_NO_LIMIT */
};
#define SW_TABLE_OPTIONS_INIT \
    { (uint32_t)sizeof(struct sw_table_options), 0, "self_total_time_ns", 0, 0, SW_NO_LIMIT }

/**
 * sw_profiler_table - the averages as aligned text: the same call gives the
 * same bytes, in every locale. No newline at the end.
 *
 * @ret_text  given back with sw_free().
 *
 * Returns SW_OK; SW_VALUE_ERROR for an unknown sort_by or a negative
 * row_limit; SW_TYPE_ERROR for a NULL sort_by or an option that is neither 0
 * nor 1; SW_RUNTIME_ERROR before exit; SW_MEMORY_ERROR. Arguments are checked
 * before the state of the Profiler.
 */
SW_API SW_NODISCARD enum sw_status sw_profiler_table(struct sw_profiler *profiler,
                                                     const struct sw_table_options *options, char **ret_text);

/* ---- Direct construction ------------------------------------------------------------- */

/** An event of the given values: deep copies, nothing normalised, nothing compared. */
SW_API SW_NODISCARD enum sw_status sw_profiler_event_new(
    int64_t id, const int64_t *parent_id, const char *name, const struct sw_class_snapshot *carrier_type,
    const struct sw_class_snapshot *implementation_type, const struct sw_input_shapes *input_shapes,
    int64_t start_time_ns, int64_t duration_ns, int64_t self_time_ns, int64_t thread_id, int succeeded,
    struct sw_profiler_event **ret_event);
SW_API void sw_profiler_event_free(struct sw_profiler_event *event);

/** An aggregate of the given values: deep copies, nothing normalised, nothing compared. */
SW_API SW_NODISCARD enum sw_status sw_profiler_aggregate_new(
    const char *name, const struct sw_class_snapshot *carrier_type, const struct sw_input_shapes *input_shapes,
    int64_t count, int64_t total_time_ns, int64_t self_total_time_ns, double mean_time_ns, int64_t min_time_ns,
    int64_t max_time_ns, struct sw_profiler_aggregate **ret_aggregate);
SW_API void sw_profiler_aggregate_free(struct sw_profiler_aggregate *aggregate);

/* ---- Leaving on every way out ---------------------------------------------------------- */

static inline void sw__profiler_leave(struct sw_profiler **profiler)
{
    if (*profiler != NULL)
        (void)sw_profiler_exit(*profiler);
}

/**
 * SW_WITH_PROFILER(profiler) { ... } - the body runs once with the Profiler
 * entered, and the Profiler is left on every way out: at the end, by break,
 * continue or return, by goto, by a C++ exception. When entry fails the body
 * does not run and sw_error_message() says why. break and continue leave the
 * body, not a loop around it.
 */
#define SW_WITH_PROFILER(profiler)                                                                          \
    for (struct sw_profiler *sw__active __attribute__((cleanup(sw__profiler_leave))) =                      \
             sw_profiler_enter(profiler) == SW_OK ? (profiler) : NULL,                                      \
                            *sw__once = sw__active;                                                         \
         sw__once != NULL; sw__once = NULL)

SW_END_DECLS

#ifdef __cplusplus
/** C++: what SW_WITH_PROFILER does, for the rest of a scope. status() says whether entry worked. */
class sw_profiler_guard {
public:
    explicit sw_profiler_guard(struct sw_profiler *profiler) : profiler_(profiler), status_(sw_profiler_enter(profiler))
    {
    }
    ~sw_profiler_guard()
    {
        if (status_ == SW_OK)
            (void)sw_profiler_exit(profiler_);
    }
    sw_profiler_guard(const sw_profiler_guard &) = delete;
    sw_profiler_guard &operator=(const sw_profiler_guard &) = delete;
    enum sw_status status() const { return status_; }

private:
    struct sw_profiler *profiler_;
    enum sw_status status_;
};
#endif

#endif
