/*
 * What the shim is, apart from any report: settings, clock, next tools. Survives
 * a fork, unlike struct capture.
 */
#ifndef SHIM_SHIM_H
#define SHIM_SHIM_H

#include <strideweave/hooks.h>
#include <swprof/format.h>
#include <swprof/launch.h>

#include "shim/settings.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

struct shim {
    /* Read at every boundary. */
    uint32_t ways;           /* enum shim_ways: of rounds.c, atomic */
    uint32_t clock;          /* enum swprof_clock; atomic, relaxed: constant once there is a report */
    sw_hook_compute_fn *next_enter; /* the next tool's, or NULL; constant once loaded */
    sw_hook_compute_fn *next_exit;
    /* The rest is for slow paths. */
    sw_hook_control_fn *next_control;
    sw_hook_session_fn *next_session;
    sw_hook_range_fn *next_range_enter;
    sw_hook_range_fn *next_range_exit;
    sw_hook_note_fn *next_note;
    sw_hook_storage_fn *next_storage_alloc;
    sw_hook_storage_fn *next_storage_free;
    uint32_t loaded;         /* enum below; atomic */
    uint32_t inert;          /* set-uid: only pass calls on */
    int32_t pid;             /* of the process that loaded the shim */
    uint32_t hooked;         /* a hook was called; atomic, relaxed */
    struct swprof_anchor first;
    int64_t realtime_ns;
    struct swprof_launch *launch; /* of swprof-run, or NULL */
    struct settings settings;
};

/** What a boundary has to look out for, in one word. */
enum shim_ways {
    SHIM_RECORDING = 1, /* a round is open */
    SHIM_SHAPES = 2,    /* shapes are recorded in it */
    SHIM_FILTERED = 4, /* SWPROF_CARRIERS selects: constant once loaded */
    SHIM_STACKS = 8,   /* call stacks are recorded: constant once loaded */
    SHIM_FLOWS = 16    /* storage of operands and results is recorded: constant once loaded */
};

enum shim_loaded { SHIM_UNTOUCHED = 0, SHIM_LOADING = 1, SHIM_LOADED = 2 };

extern struct shim shim;

/** The ways of now; what is recorded while a round is open is stored before it is. */
static inline uint32_t shim_ways(void)
{
    return __atomic_load_n(&shim.ways, __ATOMIC_ACQUIRE);
}

/**
 * Make `shim` ready. By the constructor, or by a hook that is called earlier;
 * a call that finds another at it returns at once with 0: try again at the next
 * boundary.
 */
int shim_load(void);

/**
 * Make sure that the clock is one to record with; until then it is the one that
 * most machines have, since a program that records nothing is not to wait for
 * the answer. For the holder of the capture's lock, before anything is recorded.
 */
void shim_confirm_clock(void);

/** A line "swprof: ..." of the given parts (up to a NULL) on stderr, when SWPROF_VERBOSE asks for it. */
void shim_say(const char *part, ...) __attribute__((sentinel));

/** The same for a number, as text. */
struct number_text {
    char text[24];
};
struct number_text shim_number(uint64_t number);

#endif
