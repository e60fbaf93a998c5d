/*
 * The computation boundary as seen by a tool: the hook symbols that libstrideweave
 * calls, the structures it passes, and the inlines with which a preloadable tool
 * records and chains. This header is enough to write one, without a link with the
 * library. doc/examples has a call counter in 30 lines.
 *
 * HOW A HOOK IS FOUND. libstrideweave exports every hook as a weak definition
 * and calls it through a table that the dynamic loader fills. A preloaded
 * object that defines a function of the same name is therefore called instead,
 * however the program was linked and also when the library was opened with
 * RTLD_LOCAL.
 *
 * WHEN IT IS CALLED. While the kind of hook is wanted: the library tests one
 * word, sw_hooks_wanted, before anything else. A tool raises and lowers its
 * kinds with sw_hooks_want() and sw_hooks_unwant(). What the library itself
 * counts or collects, it is told too, and a tool then sees it pass. The enter
 * hook of a computation, or of a range of the library, that was called is always
 * followed by its exit hook, with the same structure; for others see sw_hook_range.
 *
 * ABI. Structures begin with their size in bytes and only grow at the end; a
 * tool checks SW_HOOK_HAS() before it reads a field that came later.
 *
 * Not hookable: static executables, RTLD_DEEPBIND, dlmopen, set-uid programs.
 */
#ifndef STRIDEWEAVE_HOOKS_H
#define STRIDEWEAVE_HOOKS_H

#include <strideweave/export.h>

SW_BEGIN_DECLS

/** Major number in the upper half (incompatible), minor in the lower (additions). */
#define SW_HOOKS_ABI UINT32_C(0x00010002)
#define SW_HOOKS_ABI_MAJOR(abi) ((abi) >> 16)

/** Whether a structure passed to a hook is large enough to hold a field. */
#define SW_HOOK_HAS(pointer, type, field) \
    ((pointer)->struct_bytes >= offsetof(type, field) + sizeof(((const type *)0)->field))

/* ---- What a tool may read of the library's values (all read-only) -------- */

/** First word of every object and class of the library: what it really is. */
enum sw_kind {
    SW_KIND_TREE = 0x45525453,            /* "STRE" */
    SW_KIND_LAYOUT = 0x59414c53,          /* "SLAY" */
    SW_KIND_CARRIER = 0x52414353,         /* "SCAR" */
    SW_KIND_CARRIER_CLASS = 0x4c434353,   /* "SCCL" */
    SW_KIND_TENSOR = 0x4e455453,          /* "STEN" */
    SW_KIND_OPERATION = 0x52504f53,       /* "SOPR" */
    SW_KIND_OPERATION_CLASS = 0x4c434f53, /* "SOCL" */
    SW_KIND_PROFILER = 0x4f525053,        /* "SPRO" */
    SW_KIND_MOVE_CLASS = 0x4c434d53,      /* "SMCL" */
    SW_KIND_INDEX_MAP = 0x50414d53,       /* "SMAP" */
    SW_KIND_EVENT_LIST = 0x4c564553       /* "SEVL" */
};

/**
 * A tree of integers: shape, stride, coordinate or arrangement. The top level
 * is a sequence of modes; nodes[] lists them depth first. An entry is a leaf
 * value, or SW_TREE_NESTED(k) followed by the entries of k modes.
 *
 * (2,(3,4)) is { 2, SW_TREE_NESTED(2), 3, 4 }.
 */
struct sw_tree {
    uint32_t kind;     /* SW_KIND_TREE */
    uint32_t n_refs;   /* the library's, atomic */
    uint32_t n_nodes;  /* entries of nodes[] */
    uint32_t n_modes;  /* modes at the top level */
    uint32_t n_leaves; /* entries that are leaves */
    uint32_t depth;    /* 1 when flat or empty, one more per nesting level */
    uint64_t hash;     /* of nodes[]: equal trees have equal hashes, in every process */
    int64_t nodes[];
};

/** Most entries that a tree may have. */
#define SW_TREE_MAX_NODES INT64_C(0x1000000)
#define SW_TREE_NESTED(count) (INT64_MIN + (int64_t)(count))
#define SW_TREE_IS_NESTED(node) ((node) <= SW_TREE_NESTED(SW_TREE_MAX_NODES))
#define SW_TREE_COUNT(node) ((uint32_t)((node) - INT64_MIN))
/** In arrangements: a leaf without an identity. In slice keys: "omitted". */
#define SW_TREE_ANY INT64_MAX

/** What stands at one position of an operation's arguments. */
enum sw_operand_kind {
    SW_OPERAND_NONE = 0,
    SW_OPERAND_TENSOR = 1,
    SW_OPERAND_INTEGER = 2,
    SW_OPERAND_FLOATING = 3,
    SW_OPERAND_BOOLEAN = 4,
    SW_OPERAND_TREE = 5,
    SW_OPERAND_STRING = 6
};

struct sw_tensor;

/** One positional argument of an operation; everything in it is borrowed. */
struct sw_operand {
    uint32_t kind; /* enum sw_operand_kind */
    uint32_t reserved;
    union {
        const struct sw_tensor *tensor;
        int64_t integer;
        double floating;
        int boolean;
        const struct sw_tree *tree;
        const char *string;
    } as;
};

/** How every tensor begins. */
struct sw_tensor_head {
    uint32_t kind;   /* SW_KIND_TENSOR */
    uint32_t n_refs; /* the library's, atomic */
    const struct sw_tree *shape;
};

/**
 * How every class (of carriers, of operations) begins. Class identity is the
 * address of this structure together with its serial: a plug-in that was closed
 * can be followed by another at the same address.
 */
struct sw_class_head {
    uint32_t kind;              /* SW_KIND_CARRIER_CLASS or SW_KIND_OPERATION_CLASS */
    uint32_t struct_bytes;      /* size of the whole class structure */
    uint64_t serial;            /* 0 until the first dispatch, then unique in the process; the library's */
    const char *module;         /* "strideweave" for what the library ships */
    const char *qualified_name; /* "Generic" */
};

/**
 * One (dispatch name, carrier class, operation class): what a boundary is
 * accounted to. Made once, kept until the process ends, never changed: its
 * address identifies it and a tool may keep it. The texts are copies, valid
 * after the classes are gone.
 */
struct sw_hook_dispatch {
    uint32_t struct_bytes;
    uint32_t id; /* 0, 1, 2, ... within one copy of the library: fits an array */
    const char *name;
    const char *carrier_module;
    const char *carrier_name;
    const char *implementation_module;
    const char *implementation_name;
    const struct sw_class_head *carrier_class;        /* identity only */
    const struct sw_class_head *implementation_class; /* identity only */
    uint64_t carrier_serial;
    uint64_t implementation_serial;
};

/* ---- The hooks -------------------------------------------------------------- */

struct sw_hook_library;

/** Bits of sw_hook_compute.flags. */
enum sw_hook_compute_flags {
    /** A tool has recorded this boundary; a second one only passes it on. */
    SW_HOOK_RECORDED = 1u << 0,
    /** The library's default hook has work to do: the thread has an active Profiler. */
    SW_HOOK_DEFAULT_WANTED = 1u << 1,
    /** At exit: the computation returned a valid tensor. */
    SW_HOOK_SUCCEEDED = 1u << 2
};

/** One passage of the computation boundary; lives on the caller's stack from enter to exit. */
struct sw_hook_compute {
    uint32_t struct_bytes;
    uint32_t flags;
    const struct sw_hook_library *library;
    const struct sw_hook_dispatch *dispatch;
    const struct sw_operand *operands; /* valid at enter only */
    uint32_t n_operands;
    uint32_t operand_bytes; /* size of one entry of operands */
    uint64_t tool_token;    /* of the tool that set SW_HOOK_RECORDED */
    uint64_t default_token; /* of the library's default hook */
    const struct sw_tensor *result; /* valid at the exit of one that succeeded, else NULL; since minor 2 */
};

/** Bits of sw_hook_range.flags. */
enum sw_hook_range_flags {
    SW_HOOK_RANGE_RECORDED = 1u << 0,       /* as SW_HOOK_RECORDED */
    SW_HOOK_RANGE_DEFAULT_WANTED = 1u << 1, /* as SW_HOOK_DEFAULT_WANTED */
    SW_HOOK_RANGE_HOST = 1u << 2,           /* of the library itself, inside the dispatch path */
    SW_HOOK_RANGE_USER = 1u << 3,           /* swprof_range_push() and swprof_range_pop() */
    SW_HOOK_RANGE_STEP = 1u << 4            /* swprof_step(): entered only; a step lasts until the next is entered */
};

/**
 * A range of host time. That of the library is entered and left with the same
 * structure, as a boundary is. One of the program is left with another one than
 * it was entered with: its level says which it is.
 */
struct sw_hook_range {
    uint32_t struct_bytes;
    uint32_t flags;   /* enum sw_hook_range_flags */
    const struct sw_hook_library *library;
    const char *name; /* HOST: a static string, its address identifies it; USER: valid at enter only; STEP: NULL */
    uint64_t tool_token;
    uint64_t default_token;
    uint32_t level;   /* USER: ranges of the program open around it on the thread; those of higher levels end with it */
    uint32_t reserved;
    uint64_t step;    /* STEP: its number; HOST: of the tool that set SW_HOOK_RANGE_RECORDED */
    uint64_t before;  /* STEP: number of the one that ends, or SW_HOOK_NO_STEP */
};
#define SW_HOOK_NO_STEP UINT64_MAX

enum sw_hook_note_kind {
    SW_HOOK_NOTE_PHASE = 1, /* swprof_phase(): `name` begins and the one before ends; NULL: none begins */
    SW_HOOK_NOTE_TEXT = 2,  /* swprof_metadata_text(): `text` of the key `name` */
    SW_HOOK_NOTE_NUMBER = 3 /* swprof_metadata_number(): `number` of the key `name` */
};

/** What a program says of itself at a moment. */
struct sw_hook_note {
    uint32_t struct_bytes;
    uint32_t kind;    /* enum sw_hook_note_kind */
    const struct sw_hook_library *library;
    const char *name; /* texts are valid during the call */
    const char *text;
    double number;
};

/** Bits of sw_hook_storage.flags. */
enum sw_hook_storage_flags {
    /** In the counters of <strideweave/memory.h>: the library's default hook has work to do. */
    SW_HOOK_STORAGE_COUNTED = 1u << 1,
    /** At an allocation: there was no room, and nothing was allocated. */
    SW_HOOK_STORAGE_REFUSED = 1u << 2
};

/**
 * Storage that a carrier has made for its slots, or is about to give back, on
 * the thread that does so. Views have none, external memory is the caller's; of
 * an Evictable its tiers come. Storage of 0 bytes is not told. What was made
 * before anybody wanted to know is given back all the same.
 */
struct sw_hook_storage {
    uint32_t struct_bytes;
    uint32_t flags;
    const struct sw_hook_library *library;
    const struct sw_class_head *carrier_class;
    const void *carrier; /* identity only, while it lives */
    uint64_t bytes;
    uint64_t carrier_serial; /* of the class: with the address its identity */
    uint64_t carrier_number; /* 1, 2, ... within one copy of the library: storage_number() of tensors on it */
};

/** Bits of sw_hook_session.flags. */
enum sw_hook_session_flags {
    SW_HOOK_SESSION_SHAPES = 1u << 0,  /* shapes were recorded */
    SW_HOOK_SESSION_SELECTED = 1u << 1 /* only the carrier classes in carriers[] */
};

/** The same moment on two clocks. */
struct sw_hook_moment {
    uint64_t ticks;
    int64_t monotonic_ns; /* CLOCK_MONOTONIC */
};

/** Identity of a class: another one may follow at its address. */
struct sw_hook_class {
    const struct sw_class_head *address;
    uint64_t serial;
};

/** A Profiler that has just completed; called on its thread. */
struct sw_hook_session {
    uint32_t struct_bytes;
    uint32_t flags;
    const struct sw_hook_library *library;
    const void *profiler; /* identity only */
    int64_t begin_ns;     /* CLOCK_MONOTONIC */
    int64_t end_ns;
    int64_t thread_id;    /* the kernel's */
    uint64_t n_events;
    uint32_t clock;       /* what ticks are of: enum swprof_clock (swprof/format.h) */
    uint32_t reserved;
    /** As they were measured: all its operations began at or after the first and ended before the last. */
    struct sw_hook_moment begin;
    struct sw_hook_moment end;
    const struct sw_hook_class *carriers; /* valid during the call; NULL unless selected */
    uint64_t n_carriers;
};

/** What a control call asks for. */
enum sw_hook_control_verb { SW_HOOK_CONTROL_QUERY = 0, SW_HOOK_CONTROL_ENABLE = 1, SW_HOOK_CONTROL_DISABLE = 2 };

struct sw_hook_control {
    uint32_t struct_bytes;
    uint32_t verb; /* enum sw_hook_control_verb */
    const struct sw_hook_library *library;
    const void *argument; /* ENABLE: const struct swprof_options *, or NULL */
};

typedef void sw_hook_compute_fn(struct sw_hook_compute *);
typedef void sw_hook_range_fn(struct sw_hook_range *);
typedef void sw_hook_storage_fn(const struct sw_hook_storage *);
typedef void sw_hook_session_fn(const struct sw_hook_session *);
/** Returns an enum swprof_status (swprof/swprof.h). */
typedef int sw_hook_control_fn(struct sw_hook_control *);
typedef void sw_hook_note_fn(const struct sw_hook_note *);

/** One pointer per hook: HOOK(name, type) for every hook there is. */
#define SW_HOOKS(HOOK)                           \
    HOOK(compute_enter, sw_hook_compute_fn)      \
    HOOK(compute_exit, sw_hook_compute_fn)       \
    HOOK(range_enter, sw_hook_range_fn)          \
    HOOK(range_exit, sw_hook_range_fn)           \
    HOOK(storage_alloc, sw_hook_storage_fn)      \
    HOOK(storage_free, sw_hook_storage_fn)       \
    HOOK(session_frozen, sw_hook_session_fn)     \
    HOOK(control, sw_hook_control_fn)            \
    HOOK(note, sw_hook_note_fn)

struct sw_hook_table {
    uint32_t struct_bytes;
    uint32_t reserved;
    uint64_t *wanted; /* the sw_hooks_wanted that the loader chose */
#define SW_HOOK_MEMBER(name, type) type *name;
    SW_HOOKS(SW_HOOK_MEMBER)
#undef SW_HOOK_MEMBER
};

/** The library that makes a call: one per loaded copy. */
struct sw_hook_library {
    uint32_t struct_bytes;
    uint32_t abi;        /* SW_HOOKS_ABI it was built with */
    const char *version; /* "0.1.0" */
    /** What it calls: compare with your own functions to see whether you are bound. */
    const struct sw_hook_table *bound;
    /** What its weak definitions do: the end of the chain. */
    const struct sw_hook_table *defaults;
    /** Its own weak definitions; a next tool that equals one of them is no tool. */
    const struct sw_hook_table *own;
    /**
     * Which storage an operand at enter, or the result at exit, lies on: a number of its carrier (an Evictable's its
     * own), given when first asked for and never another's; views share it. 0: no tensor. No lock, since minor 2.
     */
    uint64_t (*storage_number)(const struct sw_tensor *tensor);
};

/* The hooks themselves. In libstrideweave they are weak and call the defaults. */
SW_API void sw_hook_compute_enter(struct sw_hook_compute *call);
SW_API void sw_hook_compute_exit(struct sw_hook_compute *call);
SW_API void sw_hook_range_enter(struct sw_hook_range *range);
SW_API void sw_hook_range_exit(struct sw_hook_range *range);
SW_API void sw_hook_storage_alloc(const struct sw_hook_storage *storage);
SW_API void sw_hook_storage_free(const struct sw_hook_storage *storage);
SW_API void sw_hook_session_frozen(const struct sw_hook_session *session);
SW_API int sw_hook_control(struct sw_hook_control *control);
SW_API void sw_hook_note(const struct sw_hook_note *note);

/**
 * sw_hook_library_info - the calling structures of the loaded library; for
 * tools that want to know, outside of a hook, whether they are bound (by dlsym).
 */
SW_API const struct sw_hook_library *sw_hook_library_info(void);

/* ---- Saying what a tool wants ----------------------------------------------- */

/** Kinds of hooks; each has a byte in sw_hooks_wanted that counts who wants it. */
#define SW_HOOK_WANT_COMPUTE (UINT64_C(1) << 0)
#define SW_HOOK_WANT_RANGE (UINT64_C(1) << 8)
#define SW_HOOK_WANT_STORAGE (UINT64_C(1) << 16)
#define SW_HOOK_WANT_SESSION (UINT64_C(1) << 24)
#define SW_HOOK_WANT_NOTE (UINT64_C(1) << 32) /* what the program says of itself: ranges, steps, notes */
#define SW_HOOK_WANT_MASK(kind) ((kind)*UINT64_C(0xff))

/** In the initial value of a tool's word: nobody has taken the kinds raised there into account yet. */
#define SW_HOOK_WANT_INITIAL (UINT64_C(1) << 63)

/**
 * Weak in the library. A tool defines its own, with what it wants from the
 * first call on:
 *     uint64_t sw_hooks_wanted = SW_HOOK_WANT_COMPUTE | SW_HOOK_WANT_INITIAL;
 * All objects of a process share the definition of the first in link order
 * (or the executable's copy of it); the constructor of such a tool calls
 * sw_hooks_want_at_load(), so that it is counted once whichever that is. A tool
 * that starts with 0 simply calls sw_hooks_want() when it begins.
 * Written by tools (atomic, relaxed), read by the library at every boundary.
 */
SW_API extern uint64_t sw_hooks_wanted;

static inline void sw_hooks_want(uint64_t kinds)
{
    __atomic_fetch_add(&sw_hooks_wanted, kinds, __ATOMIC_RELAXED);
}

static inline void sw_hooks_unwant(uint64_t kinds)
{
    __atomic_fetch_sub(&sw_hooks_wanted, kinds, __ATOMIC_RELAXED);
}

/** Count a tool that starts with @kinds wanted, unless the word's initial value counts one such tool already. */
static inline void sw_hooks_want_at_load(uint64_t kinds)
{
    uint64_t before = __atomic_fetch_and(&sw_hooks_wanted, ~SW_HOOK_WANT_INITIAL, __ATOMIC_RELAXED);

    if ((before & SW_HOOK_WANT_INITIAL) == 0)
        sw_hooks_want(kinds);
}

/* ---- Chaining ----------------------------------------------------------------- */

/**
 * Pass a call on: to the next tool when there is one, else to the library.
 *
 * @next  dlsym(RTLD_NEXT, "sw_hook_compute_enter"), looked up once; NULL when
 *        there is none (it finds nothing when the library was opened RTLD_LOCAL).
 */
static inline void sw_hook_pass_compute_enter(struct sw_hook_compute *call, sw_hook_compute_fn *next)
{
    if (next != NULL && next != call->library->own->compute_enter)
        next(call);
    else if (call->flags & SW_HOOK_DEFAULT_WANTED)
        call->library->defaults->compute_enter(call);
}

/** The same for the exit of a boundary. */
static inline void sw_hook_pass_compute_exit(struct sw_hook_compute *call, sw_hook_compute_fn *next)
{
    if (next != NULL && next != call->library->own->compute_exit)
        next(call);
    else if (call->flags & SW_HOOK_DEFAULT_WANTED)
        call->library->defaults->compute_exit(call);
}

/** The same for a range; for the library alone where it wants that. */
static inline void sw_hook_pass_range_enter(struct sw_hook_range *range, sw_hook_range_fn *next)
{
    if (next != NULL && next != range->library->own->range_enter)
        next(range);
    else if (range->flags & SW_HOOK_RANGE_DEFAULT_WANTED)
        range->library->defaults->range_enter(range);
}

/** The same for the end of a range. */
static inline void sw_hook_pass_range_exit(struct sw_hook_range *range, sw_hook_range_fn *next)
{
    if (next != NULL && next != range->library->own->range_exit)
        next(range);
    else if (range->flags & SW_HOOK_RANGE_DEFAULT_WANTED)
        range->library->defaults->range_exit(range);
}

/** The same for a note; a library that has none of them makes no such call. */
static inline void sw_hook_pass_note(const struct sw_hook_note *note, sw_hook_note_fn *next)
{
    if (next != NULL && next != note->library->own->note)
        next(note);
    else
        note->library->defaults->note(note);
}

/** The same for a completed Profiler. */
static inline void sw_hook_pass_session_frozen(const struct sw_hook_session *session, sw_hook_session_fn *next)
{
    if (next != NULL && next != session->library->own->session_frozen)
        next(session);
    else
        session->library->defaults->session_frozen(session);
}

/** The same for storage that was made; a tool that does not pass it on keeps it out of the program's own counters. */
static inline void sw_hook_pass_storage_alloc(const struct sw_hook_storage *storage, sw_hook_storage_fn *next)
{
    if (next != NULL && next != storage->library->own->storage_alloc)
        next(storage);
    else if (storage->flags & SW_HOOK_STORAGE_COUNTED)
        storage->library->defaults->storage_alloc(storage);
}

/** The same for storage that is given back. */
static inline void sw_hook_pass_storage_free(const struct sw_hook_storage *storage, sw_hook_storage_fn *next)
{
    if (next != NULL && next != storage->library->own->storage_free)
        next(storage);
    else if (storage->flags & SW_HOOK_STORAGE_COUNTED)
        storage->library->defaults->storage_free(storage);
}

/** The tensor at a position of a boundary's arguments; NULL for what is none. At enter only. */
static inline const struct sw_tensor *sw_hook_operand_tensor(const struct sw_hook_compute *call, uint32_t position)
{
    const struct sw_operand *operand =
        (const struct sw_operand *)(const void *)((const char *)call->operands + (size_t)position * call->operand_bytes);

    return operand->kind == SW_OPERAND_TENSOR ? operand->as.tensor : NULL;
}

/** The shape at a position of a boundary's arguments; NULL for what is no tensor. */
static inline const struct sw_tree *sw_hook_operand_shape(const struct sw_hook_compute *call, uint32_t position)
{
    const struct sw_tensor *tensor = sw_hook_operand_tensor(call, position);

    return tensor != NULL ? ((const struct sw_tensor_head *)(const void *)tensor)->shape : NULL;
}

SW_END_DECLS

#endif
