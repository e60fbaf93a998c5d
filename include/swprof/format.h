/*
 * The report: one mapped file per process, written by libswprof.so while the
 * program runs and read by swprof-report. The only thing that writer and reader
 * agree on. The same tables are in swprof_report(5); a test compares the two
 * with the compiled offsets.
 *
 * LAYOUT. A header of header_bytes, then blocks. Every block begins at a
 * multiple of SWPROF_BLOCK_ALIGN and with struct swprof_block; its first word
 * (type and size together) is stored last, with release order. A reader walks
 * from header_bytes to used_bytes (or the end of the file, whichever comes
 * first) block by block; where the first word is still zero the block was
 * never published and the walk goes on at the next multiple of the alignment.
 * Blocks of a type that a reader does not know are skipped.
 *
 *   header   4096 bytes   struct swprof_header
 *   STRINGS               interned texts, struct swprof_string after one another
 *   DISPATCH              struct swprof_dispatch, ids ascending from first_id
 *   SHAPES                shape lists, struct swprof_shapes after one another
 *   SESSIONS              struct swprof_session after one another
 *   THREADS               struct swprof_thread after one another
 *   EVENTS                struct swprof_event after one another, one thread
 *   CARRIERS              struct swprof_carriers after one another
 *   FRAMES                SWPROF_OPEN_FRAMES struct swprof_frame per thread that runs
 *   AGGREGATES            struct swprof_aggregate after one another
 *   OCTAVES               struct swprof_octave after one another
 *   NOTES                 struct swprof_note after one another, one thread
 *   MODULES               struct swprof_module, numbers ascending from 0
 *   STACKS                struct swprof_stack after one another
 *
 * PUBLICATION. `published` of a block counts bytes of its payload that are
 * whole; it is stored with release order after them. Any prefix of the
 * writer's stores is a valid report.
 *
 * Two of its consequences: an operation is appended to the events before
 * `depth` of its thread is lowered, so after a kill an open frame may have the
 * start and depth of an event that is there already: it has ended. And a frame
 * in FRAMES whose start is 0 was entered, but its clock not yet read.
 *
 * SIZE. While the program runs the file has the size of the cap and is sparse;
 * it is cut to used_bytes when it is frozen, where its path can still be
 * reached. An operation that runs after that (in a destructor of the process)
 * takes FROZEN back for as long as it lasts.
 *
 * FULL. What becomes of operations when the cap is reached is the header's
 * `policy`. STOP: a thread whose events find no room goes on in aggregates, for
 * which a part of the cap is kept; each operation is either an event or in one
 * aggregate, and those of the latter count as lost events. RING: the oldest
 * chunks are used again. SUMMARY: there are aggregates only, from the start.
 *
 * AGGREGATES. One per (dispatch, shapes) and thread, or for several threads that
 * followed one another; written by one thread at a time. `count` is stored last
 * and says which half of sums[] is whole: sums[count % 2], whose own count and
 * check equal it. The histogram follows: where the bucket of the latest
 * operation holds less than the sums' in_bucket, it is to be raised to that.
 * `last` and `depth` of the sums tell whether an open frame has ended, as above.
 *
 * CHUNKS. A thread may go on in a chunk of one that has ended: an event with the
 * flag OWNER stands before its events and names it. In a RING a chunk whose
 * `generation` is odd is being emptied and holds nothing; one whose generation
 * has changed while it was read holds something else.
 *
 * NOTES. What is no boundary stands in chunks of its own, which follow the rules
 * of chunks of events; the mark of an owner is a note. They take at most a part
 * of the cap: half of it, with RING and SUMMARY a quarter. In a RING the oldest
 * chunk of the thread is used again then, and what it held is counted as lost
 * before it is gone. A note may be appended open, without its duration, and
 * completed where it stands: its flags, with OPEN taken back, are stored after
 * the duration. One that stays open was never completed. The notes of a thread
 * stand in the order in which they were appended, not in that of their starts.
 * A RING's chunks stay with their threads: of one that comes later notes may be lost.
 *
 * FLOWS. Where asked for, an operation that has ended is followed by notes of the
 * storages of what it took and made, one that is only added up of what it made;
 * `start` and `depth` are those of its event. The producer of what it took is the
 * operation, of any thread, whose result had that storage and that was the last to end before it; see swprof_report(5).
 *
 * STACKS. The call stack of an operation is found through the extension of its
 * event. Each distinct one stands once, behind the modules that its frames name. It
 * begins with what called the library: the library's own frames and the
 * recorder's, where they are the innermost ones, are left out.
 *
 * REFERENCES. A reference to a string, a shape list, a list of carriers, frames,
 * an octave or a stack is its offset in the file divided by 8; 0 is "none".
 *
 * TIME. Stamps are ticks of the recorded clock. The header holds two anchors
 * (ticks, CLOCK_MONOTONIC), the second renewed now and then, every session two
 * of its own. Conversion to nanoseconds is one monotone function applied to
 * stamps; durations are differences of converted stamps.
 *
 * NESTING. A thread's events stand in the order of their ends. An event's
 * immediate children are the earlier events one level deeper whose start lies
 * inside it. In a RING they may be gone: an event that had children then has an
 * extension with the flag CHILDREN and the sum of their durations. An event belongs to the round in which it ends:
 * begin_ticks <= start + duration < end_ticks.
 *
 * PROFILERS. The session of a Profiler refers to the same events, none is
 * stored twice: those of its thread and carriers with
 * begin_ticks <= start < end_ticks. They have ended in it too, because a
 * Profiler is not left during an operation; one that was left by a jump may
 * have been noticed later. A Profiler that completed before the first operation
 * was recorded is in no report.
 *
 * The recorder's own time inside of an operation (a new chunk, a first sight)
 * stands as a hidden event of SWPROF_DISPATCH_RECORDER one level below it, so
 * that it is nobody's self time. No event ends before its predecessor on the
 * thread.
 *
 * VERSIONS. A reader refuses a report of another major version or with an
 * unknown bit in `incompatible`; it ignores unknown bits in `compatible`,
 * unknown block types, and fields beyond those it knows.
 */
#ifndef SWPROF_FORMAT_H
#define SWPROF_FORMAT_H

#include <stdint.h>

#define SWPROF_MAGIC "SWPROF\r\n"
#define SWPROF_MAGIC_BYTES 8
#define SWPROF_BYTE_ORDER UINT32_C(0x01020304)
#define SWPROF_MAJOR 1
#define SWPROF_MINOR 3
#define SWPROF_HEADER_BYTES 4096
#define SWPROF_BLOCK_ALIGN 4096

/** How a report stands. FROZEN is the last store of the writer. */
enum swprof_report_state { SWPROF_REPORT_RECORDING = 1, SWPROF_REPORT_FROZEN = 2 };

enum swprof_clock {
    SWPROF_CLOCK_MONOTONIC = 1, /* ticks are nanoseconds of CLOCK_MONOTONIC */
    SWPROF_CLOCK_TSC = 2        /* ticks of the invariant time stamp counter */
};

/** Why something that happened is not in the report. Index into the counters `lost`. */
enum swprof_lost {
    SWPROF_LOST_FULL = 0,     /* the cap (SWPROF_BUFFER) was reached */
    SWPROF_LOST_SPACE = 1,    /* the file system, a quota or a limit refused more space */
    SWPROF_LOST_DEPTH = 2,    /* nested deeper than can be recorded */
    SWPROF_LOST_REENTRY = 3,  /* ended while the recorder itself was at work on the thread */
    SWPROF_LOST_TABLE = 4,    /* more distinct names than are kept; before version 1.2 also as SHAPES */
    SWPROF_LOST_ANOMALY = 5,  /* enter and exit did not match */
    SWPROF_LOST_OLD = 6,      /* older than what the ring keeps */
    SWPROF_LOST_SHAPES = 7,   /* no event: one is there without its shapes, which found no room */
    SWPROF_LOST_REASONS = 8
};

/** What to do when the cap is reached. */
enum swprof_policy { SWPROF_POLICY_STOP = 0, SWPROF_POLICY_RING = 1, SWPROF_POLICY_SUMMARY = 2 };

/** Bits of `incompatible`: a reader that does not know them would show too little. */
#define SWPROF_FEATURE_RING UINT64_C(1)
#define SWPROF_FEATURE_SUMMARY UINT64_C(2)
#define SWPROF_FEATURE_THREADS UINT64_C(8) /* threads stand in THREADS, their open operations in FRAMES */
#define SWPROF_FEATURES (SWPROF_FEATURE_RING | SWPROF_FEATURE_SUMMARY | SWPROF_FEATURE_THREADS)

/** A pair of the same moment on two clocks. */
struct swprof_anchor {
    uint64_t ticks;
    int64_t monotonic_ns;
};

struct swprof_header {
    char magic[SWPROF_MAGIC_BYTES];
    uint32_t byte_order;   /* SWPROF_BYTE_ORDER in the writer's order */
    uint16_t major;
    uint16_t minor;
    uint32_t header_bytes;
    uint32_t state;        /* enum swprof_report_state */
    uint64_t compatible;
    uint64_t incompatible;
    uint64_t used_bytes;   /* end of the last block handed out; only grows */
    uint64_t cap_bytes;    /* never exceeded by used_bytes */
    int32_t pid;
    uint32_t uid;
    uint64_t start_time;   /* of the process, field 22 of /proc/PID/stat: tells a reused pid */
    uint32_t clock;        /* enum swprof_clock */
    int32_t rank;          /* from the launcher; -1 when there is none */
    struct swprof_anchor first; /* taken when the shim was loaded */
    struct swprof_anchor last;  /* renewed at chunk hand-over and at freeze */
    int64_t realtime_ns;   /* CLOCK_REALTIME at `first` */
    uint64_t lost[SWPROF_LOST_REASONS]; /* what no thread's counter holds */
    uint64_t shapes_requested; /* 1: shapes are recorded unless a round says otherwise */
    uint64_t anchor_sequence;  /* odd while `last` is being written */
    uint64_t policy;           /* enum swprof_policy */
    uint64_t pid_namespace;    /* inode of /proc/PID/ns/pid of the process; 0: unknown, as before version 1.2 */
    uint64_t lost_notes;       /* dropped by a ring, or that no thread counts */
    uint32_t stacks;           /* enum swprof_stacks; since version 1.3, as the next */
    uint32_t stack_depth;      /* most frames of a call stack; 0: none were asked for */
    /* Of writing an event: adding an operation up, or a full ring, takes more. */
    uint64_t cost_inside;      /* ticks that an operation lasts longer for being recorded; 0: not measured */
    uint64_t cost_outside;     /* ticks that what is around it lasts longer besides */
    char program[64];      /* NUL-terminated, cut when longer */
    char host[64];
    char executable[512];
    char command_line[1024]; /* arguments separated by blanks, cut when longer */
    char carriers[256];    /* SWPROF_CARRIERS, empty when all are selected */
};

enum swprof_block_type {
    SWPROF_BLOCK_STRINGS = 1,
    SWPROF_BLOCK_DISPATCH = 2,
    SWPROF_BLOCK_SHAPES = 3,
    SWPROF_BLOCK_SESSIONS = 4,
    SWPROF_BLOCK_THREAD = 5, /* of version 1.0 alone: one thread, see SWPROF_THREAD_BLOCK_FIELDS */
    SWPROF_BLOCK_EVENTS = 6,
    SWPROF_BLOCK_CARRIERS = 7,
    SWPROF_BLOCK_FRAMES = 8,
    SWPROF_BLOCK_AGGREGATES = 9,
    SWPROF_BLOCK_OCTAVES = 10,
    SWPROF_BLOCK_THREADS = 11,
    SWPROF_BLOCK_NOTES = 12,
    SWPROF_BLOCK_MODULES = 13,
    SWPROF_BLOCK_STACKS = 14
};

/** How every block begins. */
struct swprof_block {
    uint32_t type;      /* enum swprof_block_type; stored last, together with pages */
    uint32_t pages;     /* size of the block in units of SWPROF_BLOCK_ALIGN */
    uint64_t published; /* whole bytes of payload behind this structure */
    uint32_t thread;    /* EVENTS, NOTES: number of the thread, from 0 */
    uint32_t first_id;  /* DISPATCH: id of the first record; EVENTS, NOTES: number of the chunk within its thread */
    struct swprof_anchor anchor; /* taken when the block was handed out */
    uint64_t generation; /* EVENTS, NOTES: how often it was begun to be emptied or emptied; see CHUNKS */
    uint64_t n_owners;   /* EVENTS, NOTES: threads that went on in the chunk of another; stored before what is theirs */
    uint64_t previous;   /* EVENTS: offset of the thread's previous chunk: the writer's business */
};

struct swprof_string {
    uint32_t bytes;     /* of the text, without the NUL */
    uint32_t reserved;
    char text[];        /* UTF-8, NUL, padded to a multiple of 8 */
};

struct swprof_dispatch {
    uint32_t id;
    uint32_t flags;     /* bit 0: hidden, that is outside SWPROF_CARRIERS */
    uint32_t name;      /* references to strings */
    uint32_t carrier_module;
    uint32_t carrier_name;
    uint32_t implementation_module;
    uint32_t implementation_name;
    uint32_t carrier;   /* number of the carrier class: equal names of two classes stay two */
    uint32_t implementation; /* number of the operation class */
    uint32_t reserved;
};
#define SWPROF_DISPATCH_HIDDEN UINT32_C(1)
/** Id of the recorder itself, in every report: hidden, named "(recorder)". */
#define SWPROF_DISPATCH_RECORDER UINT32_C(0)

/**
 * One shape list: for each positional input SWPROF_SHAPE_NONE or the number of
 * nodes of its shape, followed by them. A node is an extent, or INT64_MIN + k
 * before the k modes of a nested mode.
 */
struct swprof_shapes {
    uint32_t n_inputs;
    uint32_t n_words;   /* of words[] */
    int64_t words[];
};
#define SWPROF_SHAPE_NONE INT64_C(-1)

/** Whether call stacks were recorded, and why not. */
enum swprof_stacks {
    SWPROF_STACKS_OFF = 0,        /* nobody asked */
    SWPROF_STACKS_RECORDED = 1,
    SWPROF_STACKS_NO_LIBRARY = 2, /* asked for, but libunwind was not there */
    SWPROF_STACKS_NO_SUPPORT = 3  /* asked for, but there is no way on that system */
};

#define SWPROF_BUILD_ID_BYTES 32

/** A file with code, as it was mapped when a frame in it was first seen. */
struct swprof_module {
    uint32_t number;    /* from 0; another file at the same place has another */
    uint32_t path;      /* reference to a string */
    uint64_t low;       /* extent in memory */
    uint64_t high;
    uint64_t bias;      /* address in memory less address in the file */
    uint32_t build_id_bytes; /* 0: it has none */
    uint32_t reserved;
    uint8_t build_id[SWPROF_BUILD_ID_BYTES];
};

/**
 * A call stack, the innermost frame first. A frame: bits 48-63 number of the
 * module, bits 0-47 address in its file. It lies inside of the instruction that
 * called, or is where a signal came.
 */
struct swprof_stack {
    uint32_t n_frames;
    uint32_t flags;     /* enum swprof_stack_flags */
    uint64_t frames[];
};
#define SWPROF_FRAME_OFFSET_BITS 48

enum swprof_stack_flags {
    SWPROF_STACK_CUT = 1, /* there are more than were asked for */
    SWPROF_STACK_LOST = 2 /* there is more, behind a frame that says not how to go on */
};

/** Carrier classes, by the numbers that dispatches have in `carrier`. */
struct swprof_carriers {
    uint32_t n_numbers;
    uint32_t reserved;
    uint32_t numbers[]; /* padded to a multiple of 8 bytes */
};

enum swprof_session_kind { SWPROF_SESSION_ROUND = 1, SWPROF_SESSION_PROFILER = 2 };
enum swprof_session_state { SWPROF_SESSION_OPEN = 1, SWPROF_SESSION_FROZEN = 2 };

struct swprof_session {
    uint32_t kind;      /* enum swprof_session_kind */
    uint32_t state;     /* enum swprof_session_state; FROZEN is stored last */
    uint32_t label;     /* reference to a string */
    uint32_t flags;     /* bit 0: shapes were recorded; bit 1: no round was open during some of it */
    struct swprof_anchor begin;
    struct swprof_anchor end; /* valid when frozen */
    int64_t begin_realtime_ns;
    /* Of a Profiler: */
    uint64_t n_events;  /* that it has itself */
    int64_t tid;        /* of its thread, the kernel's */
    uint32_t thread;    /* 1 + number of its thread; 0 when the report has none of it */
    uint32_t carriers;  /* reference to those it selected; 0: all */
    uint64_t reserved[4];
};
#define SWPROF_SESSION_SHAPES UINT32_C(1)
#define SWPROF_SESSION_PARTIAL UINT32_C(2)

/** An operation that has been entered and not left. */
struct swprof_frame {
    uint64_t start;
    uint64_t stack;     /* stack address at entry: the writer's business */
    uint32_t dispatch;  /* id */
    uint32_t shapes;    /* reference */
    uint64_t token;     /* the writer's business */
};

/** What a thread's frames in FRAMES have room for: two threads fill a page. */
#define SWPROF_OPEN_FRAMES 63

enum swprof_thread_state { SWPROF_THREAD_LIVE = 1, SWPROF_THREAD_ENDED = 2 };

/** One thread: written by that thread alone, but for what says otherwise. */
struct swprof_thread {
    int64_t tid;        /* the kernel's */
    uint32_t number;    /* from 0, in the order of first boundaries */
    uint32_t state;     /* enum swprof_thread_state */
    uint64_t begin;     /* ticks: first seen; of the main thread: when the shim was loaded */
    uint64_t end;       /* ticks; valid when ended */
    uint64_t n_events;  /* recorded, without hidden ones and without those in aggregates */
    uint64_t tool_ticks; /* spent in the recorder's slow path, inside nobody's self time */
    uint64_t lost[SWPROF_LOST_REASONS]; /* that of SWPROF_LOST_OLD by whoever needs the room */
    uint64_t lost_begin; /* ticks of the first loss, 0 when there was none */
    uint64_t lost_end;   /* ticks of the last loss */
    char name[16];
    uint32_t depth;     /* operations open; only the outermost SWPROF_OPEN_FRAMES are in its frames */
    uint32_t frames;    /* reference to them; those of a thread that has ended are another's */
    uint64_t n_hidden;  /* hidden operations that are no events: their time is in their parents' aggregates */
    uint32_t aggregates; /* 1 + number of the thread that began the aggregates which it adds to; 0: none */
    /* Of a RING, by whoever needs the room: */
    uint32_t drop_chunk; /* reference to the chunk that was emptied last, or is about to be; 0: none */
    uint64_t drop_generation; /* of that chunk before; where it is higher now, lost[SWPROF_LOST_OLD] is drop_lost */
    uint64_t drop_lost;
    uint64_t drop_begin; /* ticks: start of the first event that was dropped, 0 when there was none */
    uint64_t drop_end;   /* ticks: end of the last one */
    uint64_t n_notes;    /* appended */
    uint64_t lost_notes; /* not appended */
    uint64_t lost_stacks; /* operations that are there without their call stack, which found no room; since version 1.3 */
    uint64_t reserved[4];
};

/*
 * In version 1.0 each thread had a block of its own: the first
 * SWPROF_THREAD_BLOCK_FIELDS bytes of struct swprof_thread, with 0 for `frames`,
 * and behind them SWPROF_THREAD_BLOCK_FRAMES frames.
 */
#define SWPROF_THREAD_BLOCK_FIELDS 152
#define SWPROF_THREAD_BLOCK_FRAMES 64

/** Linear counters per octave of durations, so that the middle of one is within 1/128 of what it counts. */
#define SWPROF_OCTAVE_COUNTERS 64
/** Octave 0 counts 0..63 ticks, octave k 2^(k+5)..2^(k+6)-1. */
#define SWPROF_OCTAVES 59

struct swprof_octave {
    uint64_t counters[SWPROF_OCTAVE_COUNTERS];
};

/** The octave and counter of a duration. */
static inline uint32_t swprof_bucket(uint64_t ticks)
{
    uint32_t octave = ticks < 64 ? 0 : 58 - (uint32_t)__builtin_clzll(ticks);

    return octave * SWPROF_OCTAVE_COUNTERS + (uint32_t)(ticks >> (octave > 1 ? octave - 1 : 0)) % 64;
}

/** Of `sums.bucket`: the histogram has no room for the latest operation. */
#define SWPROF_NO_BUCKET UINT32_MAX

/** What an aggregate holds after `count` operations. Sums saturate at UINT64_MAX, and flags then say so. */
struct swprof_sums {
    uint64_t count;
    uint64_t total;     /* ticks, nested operations included */
    uint64_t self;
    uint64_t outer;     /* part of `total`: of operations that no recorded one encloses, without events inside of them */
    uint64_t min;
    uint64_t max;
    uint64_t worst;     /* ticks: start of the longest */
    uint64_t failures;
    uint64_t last;      /* ticks: start of the latest */
    uint32_t bucket;    /* of the latest: 64 * octave + counter, or SWPROF_NO_BUCKET */
    uint16_t depth;     /* of the latest */
    uint16_t flags;     /* enum swprof_sums_flags */
    uint64_t in_bucket; /* what that counter holds with the latest */
    uint64_t check;     /* equals count */
};

enum swprof_sums_flags {
    SWPROF_SUMS_SATURATED = 1,
    SWPROF_SUMS_GAPS = 2 /* the histogram lacks operations: there was no room */
};

struct swprof_aggregate {
    uint32_t dispatch;  /* id */
    uint32_t shapes;    /* reference */
    uint32_t thread;    /* number of the thread that began it */
    uint32_t reserved;
    uint64_t count;     /* stored last */
    uint64_t spare;     /* zero */
    struct swprof_sums sums[2];
    uint32_t octaves[SWPROF_OCTAVES]; /* references; 0: nothing counted there */
    uint32_t padding[13];
};

/**
 * One boundary, 24 bytes. word: bits 0-39 duration in ticks, bits 40-63
 * dispatch id. With a duration of SWPROF_EVENT_WIDE_DURATION the next slot is an
 * extension: it has the flag SWPROF_EVENT_EXTENSION, the duration as `start`
 * and, with the flag SWPROF_EVENT_CHILDREN, that of its children as `word`,
 * with the flag SWPROF_EVENT_STACK the reference of its call stack as `shapes`.
 * A recorded call stack makes any event a wide one.
 */
struct swprof_event {
    uint64_t start;     /* ticks */
    uint64_t word;
    uint32_t shapes;    /* reference */
    uint16_t depth;     /* enclosing operations of the thread, recorded or not */
    uint8_t flags;      /* enum swprof_event_flags */
    uint8_t reserved;
};

enum swprof_event_flags {
    SWPROF_EVENT_SUCCEEDED = 1,
    SWPROF_EVENT_HIDDEN = 2,   /* outside SWPROF_CARRIERS: only accounts for its parent's time */
    SWPROF_EVENT_EXTENSION = 4, /* second slot of a wide event */
    SWPROF_EVENT_HEALED = 8,   /* left by longjmp, or closed by a crossed end: ended when that was noticed */
    SWPROF_EVENT_OWNER = 16,   /* no event: what follows is of the thread with the number `start` */
    SWPROF_EVENT_CHILDREN = 32, /* of an extension: `word` is what the event's children lasted together */
    SWPROF_EVENT_STACK = 64 /* of an extension: `shapes` is the reference of the event's call stack */
};

/**
 * What happened on a thread and is no boundary. An interval has its duration in
 * `value`, an instant has there what its kind says.
 */
struct swprof_note {
    uint64_t start;     /* ticks */
    uint64_t value;     /* RANGE, HOST_RANGE, STEP, PHASE: duration in ticks */
    uint64_t extra;     /* RANGE: ranges open around it; STEP: its number; else as the kind says */
    uint32_t name;      /* reference to a string; 0: none */
    uint16_t depth;     /* operations of the thread open at its start, recorded or not; INPUT, OUTPUT: around theirs */
    uint8_t kind;       /* enum swprof_note_kind; readers skip those that they do not know */
    uint8_t flags;      /* enum swprof_note_flags */
};

enum swprof_note_kind {
    SWPROF_NOTE_OWNER = 1,      /* no note: what follows is of the thread with the number `start` */
    SWPROF_NOTE_RANGE = 2,      /* swprof_range_push() to swprof_range_pop() */
    SWPROF_NOTE_HOST_RANGE = 3, /* a range of the library inside of the dispatch path */
    SWPROF_NOTE_STEP = 4,       /* a step of the program, of all of its threads; noted where it began */
    SWPROF_NOTE_PHASE = 5,      /* likewise a phase of it */
    SWPROF_NOTE_TEXT = 6,       /* instant: `value` is a reference to the text of the key `name` */
    SWPROF_NOTE_NUMBER = 7,     /* instant: `value` is the number of the key `name`, bits of a double */
    SWPROF_NOTE_ALLOC = 8,      /* instant: `value` bytes of storage of the carrier `extra`, whose class is `name` */
    SWPROF_NOTE_FREE = 9,       /* likewise given back */
    SWPROF_NOTE_INPUT = 11,     /* of an operation, see FLOWS: `value` is the storage of its operand `extra` */
    SWPROF_NOTE_OUTPUT = 12     /* likewise: `value` is the storage of its result, `extra` the ticks of its end */
};

enum swprof_note_flags {
    SWPROF_NOTE_OPEN = 1,   /* of an interval: not ended, `value` is 0 */
    SWPROF_NOTE_HEALED = 2, /* of an interval: left without its end, which is when that was noticed */
    SWPROF_NOTE_REFUSED = 4 /* of an ALLOC: there was no room, and nothing was allocated */
};

#define SWPROF_EVENT_DURATION_BITS 40
#define SWPROF_EVENT_WIDE_DURATION ((UINT64_C(1) << SWPROF_EVENT_DURATION_BITS) - 1)
#define SWPROF_MAX_DISPATCH ((UINT32_C(1) << 24) - 1)

#endif
