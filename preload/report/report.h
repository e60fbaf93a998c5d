/*
 * A report as the commands see it: checked, copied, in the reader's own
 * structures. Only validate.c and the view files know the format's bytes.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <swprof/format.h>

#include "analyze/analyze.h"
#include "analyze/stack_texts.h"
#include "report/clock.h"
#include "report/outcome.h"
#include "report/source.h"

enum report_state {
#define REPORT_STATE(enumerator, name, sentence) REPORT_STATE_##enumerator,
#include "report/state.def"
#undef REPORT_STATE
};

/** One published block of a known type. */
struct report_block {
    uint64_t offset;          /* of its payload */
    uint64_t published_bytes; /* of the payload, checked against the block's size */
    uint32_t type;
    uint32_t thread;
    uint32_t first_id;
    struct swprof_anchor anchor;
    uint64_t generation;      /* of a chunk that may be used again */
    uint64_t n_owners;        /* of a chunk in which other threads went on */
};

/** Events of one thread that stand together: a block, or a part of one. */
struct report_chunk {
    const struct report_block *block;
    uint64_t offset; /* of the first event */
    uint64_t n_bytes;
    uint32_t thread;
    uint32_t number; /* within the thread */
};

/** Operations that were only added up. */
struct report_aggregate {
    uint32_t dispatch; /* index into names.dispatches */
    uint32_t shapes;   /* index into names.shapes, or SW__ANALYZE_NONE */
    uint32_t thread;   /* number of the first of the threads that they are of */
    struct swprof_sums sums; /* whole; count 0: nothing yet */
    uint32_t octaves[SWPROF_OCTAVES]; /* references, checked; 0: none */
};

/** A text or shape list together with the reference by which the file names it. */
struct report_reference {
    uint64_t reference;
    uint32_t index;
};

/** A list of carrier numbers in the file. */
struct report_carriers {
    uint64_t offset; /* of the first number; 0: no list, all carriers */
    uint32_t n_numbers;
};

/** A file with code; see swprof/format.h. */
struct report_module {
    const char *path;
    uint64_t low;
    uint64_t high;
    uint64_t bias;
    uint32_t build_id_bytes;
    uint8_t build_id[SWPROF_BUILD_ID_BYTES];
};

struct report_session {
    uint32_t kind;  /* enum swprof_session_kind */
    int is_open;    /* no end yet: end_ticks is the largest stamp */
    int has_shapes;
    int is_partial; /* no round was open during some of it */
    const char *label;
    uint64_t begin_ticks;
    uint64_t end_ticks;
    int64_t begin_realtime_ns;
    /* Of a Profiler: */
    uint64_t n_events; /* that it had itself */
    int64_t tid;
    uint32_t thread;   /* 1 + number; 0: the report has none of the thread */
    struct report_carriers carriers;
};

/** A place in the recorded operations of a thread: behind so many slots of a chunk. */
struct report_position {
    uint32_t chunk;   /* its number within the thread */
    uint64_t n_slots;
};

/** An operation as it stands in the report. */
struct report_operation {
    uint64_t start_ticks;
    uint64_t end_ticks;
    uint32_t dispatch; /* index into names.dispatches */
    uint32_t shapes;   /* index into names.shapes, or SW__ANALYZE_NONE */
    uint32_t stack;    /* index into stacks, or SW__ANALYZE_NONE */
    uint32_t depth;
    uint32_t flags;    /* enum sw__analyze_flags */
    struct report_position behind; /* where the next one stands; of recorded ones */
    uint64_t children_ticks; /* known to have been inside, recorded or not; 0: what was recorded tells */
};

/** What happened on a thread and is no operation. */
struct report_note {
    uint32_t kind;       /* enum swprof_note_kind; those of later minors are not passed */
    int is_interval;     /* from start_ticks to end_ticks; else an instant, and the two are equal */
    int is_open;         /* an interval that had not ended: end_ticks is the largest stamp */
    int is_healed;       /* left without its end */
    int is_refused;      /* storage for which there was no room */
    uint64_t start_ticks;
    uint64_t end_ticks;
    const char *name;    /* valid UTF-8, owned by the report; "" for none */
    const char *text;    /* of a TEXT: its value; else "" */
    uint64_t value;      /* of an instant */
    uint64_t extra;      /* as the kind says */
    uint32_t depth;      /* operations open at its start */
    uint32_t thread;     /* number */
};

struct report_thread {
    int64_t tid;
    uint32_t number;
    int has_ended;
    char *name;
    uint64_t begin_ticks;
    uint64_t end_ticks; /* of a thread that has ended */
    uint64_t n_events;  /* recorded, without hidden ones */
    uint64_t tool_ticks;
    uint64_t lost[SWPROF_LOST_REASONS];
    uint64_t lost_begin_ticks;
    uint64_t lost_end_ticks;
    uint64_t drop_begin_ticks; /* of the events that a ring dropped; 0: none */
    uint64_t drop_end_ticks;
    uint64_t lost_stacks;
    uint64_t n_hidden;  /* operations that were neither recorded nor added up */
    uint32_t aggregates; /* 1 + number of the first thread of those that it adds to; 0: none */
    struct report_operation *open; /* outermost first */
    size_t n_open;                 /* in open[] */
    uint64_t depth;                /* operations open, known or not */
    const struct report_chunk *chunks; /* in the order of recording */
    size_t n_chunks;
    uint64_t n_notes;    /* appended */
    uint64_t lost_notes; /* not appended */
    const struct report_chunk *note_chunks; /* in the order of recording */
    size_t n_note_chunks;
};

struct report {
    struct report_source *source;
    struct swprof_header header; /* a copy; texts below */
    enum report_state state;
    char *path; /* the texts of the report, and this one, are valid UTF-8 */
    char *program;
    char *host;
    char *executable;
    char *command_line;
    char *carriers;
    struct report_block *blocks; /* in the order of the file */
    size_t n_blocks;
    struct report_clock clock;
    uint64_t seen_ticks; /* the latest stamp that there is; now when it is still recording */

    char **text_buffers; /* what texts point into */
    size_t n_text_buffers;
    const char **texts;
    struct report_reference *text_references; /* ascending */
    size_t n_texts;
    int64_t **word_buffers;
    size_t n_word_buffers;
    struct report_reference *shape_references; /* ascending */
    uint32_t *dispatch_of_id; /* index, or SW__ANALYZE_NONE */
    size_t n_dispatch_ids;
    struct sw__analyze_dispatch *dispatches;
    uint32_t *dispatch_flags; /* per index: SWPROF_DISPATCH_* */
    struct sw__analyze_shapes *shapes;
    struct sw__analyze_names names;
    struct report_module *modules; /* by number */
    size_t n_modules;
    uint64_t **frame_buffers; /* what stacks point into */
    size_t n_frame_buffers;
    struct sw__raw_stack *stacks; /* the modules of their frames are there */
    size_t n_stacks;
    struct report_reference *stack_references; /* ascending */
    struct stack_names *stack_names; /* NULL: frames have not been looked up; see stack_names.h */

    struct report_session *sessions; /* in the order of their beginnings */
    size_t n_sessions;
    struct report_thread *threads; /* by number */
    size_t n_threads;
    struct report_chunk *chunks; /* of all threads; each has its part */
    struct report_chunk *note_chunks; /* likewise */
    struct report_aggregate *aggregates; /* in the order of the file */
    size_t n_aggregates;
};

/**
 * report_open - read everything of a report but its events.
 *
 * Works on a report that is being written, and does not disturb the writer.
 */
SW_NODISCARD enum report_outcome report_open(const char *path, struct report **ret_report);
/** The same of a file that is open already: @descriptor is taken over; @path is for sentences. */
SW_NODISCARD enum report_outcome report_open_descriptor(int descriptor, const char *path, struct report **ret_report);
void report_close(struct report *report);
/**
 * report_refresh - read it again from the same file, wherever that is now.
 *
 * What was borrowed from @report (its texts, threads, sessions) is gone
 * afterwards. A report that cannot be read any more stays as it was.
 */
SW_NODISCARD enum report_outcome report_refresh(struct report *report);

SW__DEFINE_CLEANUP(report, struct report, report_close)
#define REPORT_OWNED SW__CLEANUP(sw__cleanup_report)

/** Receives some operations, at least 1; open ones and recorded ones never together. */
typedef enum report_outcome report_operation_sink(void *context, const struct report_operation *operations,
                                                  size_t n_operations);

/** Some of a thread's operations. */
struct report_stretch {
    const struct report_position *since; /* behind it; NULL: from the first on */
    const struct report_position *until; /* NULL: to the last, and those that are open */
};

/**
 * Pass the operations of a thread in the reverse order of their ends: those
 * that are open first (outermost first), then the recorded ones. @stretch NULL:
 * all. Where the report is damaged all before it have been passed.
 */
SW_NODISCARD enum report_outcome report_each_operation(const struct report *report, const struct report_thread *thread,
                                                       const struct report_stretch *stretch,
                                                       report_operation_sink *sink, void *context);
typedef enum report_outcome report_note_sink(void *context, const struct report_note *note);

/** Pass the notes of a thread in the order in which they were appended. */
SW_NODISCARD enum report_outcome report_each_note(const struct report *report, const struct report_thread *thread,
                                                  report_note_sink *sink, void *context);

/**
 * Find a place near the end of a chunk, behind an operation that nothing encloses and before another operation. 0: there
 * is none, or it cannot be read, which is told to whoever passes it.
 */
int report_find_outermost(const struct report *report, const struct report_chunk *chunk,
                          struct report_position *ret_behind);

/** Whether a thread's chunks reach to a position. */
int report_has_position(const struct report_thread *thread, const struct report_position *position);

/** The thread of a number; NULL when there is none. */
const struct report_thread *report_find_thread(const struct report *report, uint32_t number);

/** Whether a chunk still holds what it held when the report was opened. */
SW_NODISCARD enum report_outcome report_chunk_is_kept(const struct report *report, const struct report_block *block,
                                                      int *ret_is_kept);

/** The counters of an octave of an aggregate, the latest operation's included; all 0 where it has none. */
SW_NODISCARD enum report_outcome report_read_octave(const struct report *report,
                                                    const struct report_aggregate *aggregate, uint32_t octave,
                                                    struct swprof_octave *ret_counters);

/** Take back (selected[] is per dispatch) what a session did not select. */
SW_NODISCARD enum report_outcome report_session_selects(const struct report *report,
                                                        const struct report_session *session,
                                                        unsigned char *selected);

const char *report_state_name(enum report_state state);
const char *report_state_sentence(enum report_state state);
/** Name and sentence of a reason of loss (enum swprof_lost); reasons of later minors have a general one. */
const char *report_lost_name(size_t reason);
const char *report_lost_sentence(size_t reason);
/** Losses of all threads together, saturating. */
uint64_t report_lost(const struct report *report, size_t reason);
/** Operations that are there without their call stacks; of all threads together, saturating. */
uint64_t report_lost_stacks(const struct report *report);
/** Events that are missing; one without its shapes is not. */
uint64_t report_lost_total(const struct report *report);
/** Notes that are missing, and those that were appended; of all threads together, saturating. */
uint64_t report_lost_notes(const struct report *report);
uint64_t report_n_notes(const struct report *report);
/** Recorded events without hidden ones, and operations in sums; of all threads together, saturating. */
uint64_t report_n_events(const struct report *report);
uint64_t report_n_summed(const struct report *report);
/** Losses of which not even the sums are known, saturating. */
uint64_t report_missing(const struct report *report);
/** "stop", "ring" or "summary"; "other" for one of a later minor. */
const char *report_policy_name(const struct report *report);
/** "tsc" or "monotonic". */
const char *report_clock_name(const struct report *report);

#endif
