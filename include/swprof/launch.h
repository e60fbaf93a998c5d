/*
 * What libswprof.so tells swprof-run while and after a program runs: a small
 * shared structure that swprof-run passes in, so that it can say why nothing
 * was recorded. Internal to the two; not installed as an interface.
 *
 * THE LAUNCHER creates a memfd of SWPROF_LAUNCH_BYTES, seals it against
 * shrinking and growing (F_SEAL_SHRINK | F_SEAL_GROW; the shim ignores it
 * otherwise), writes magic, version and struct_bytes, moves the descriptor to a
 * high number so that the program's own numbers stay what they were, leaves it
 * open across exec and names it in the environment variable SWPROF_STATUS_FD
 * (decimal).
 *
 * THE SHIM maps it when it is loaded, in every process that inherits the
 * variable, and adds to it with atomic operations. A process takes a slot only
 * when it has something to say: it recorded, failed to, or met a library whose
 * hooks do not reach it. The others only count.
 *
 * WHAT A LAUNCHER CONCLUDES when n_slots is 0 or no slot has a report:
 *   n_loaded == 0                    the shim was never loaded: static or set-uid
 *                                    program, LD_PRELOAD dropped, other architecture
 *   flags & HOOKS_ELSEWHERE, ABI_MISMATCH, REPORT_FAILED, PAUSED  as they say
 *   n_without_library == n_ended     no process used libstrideweave
 *   otherwise                        libstrideweave was there, no operation ran
 * A set-uid program hides the variable from the shim, so inertness shows as n_loaded == 0.
 */
#ifndef SWPROF_LAUNCH_H
#define SWPROF_LAUNCH_H

#include <stdint.h>

#define SWPROF_LAUNCH_VARIABLE "SWPROF_STATUS_FD"
#define SWPROF_LAUNCH_MAGIC "SWPLNCH\n"
#define SWPROF_LAUNCH_MAGIC_BYTES 8
#define SWPROF_LAUNCH_VERSION 1
#define SWPROF_LAUNCH_SLOTS 126
/** Size of the memfd; struct swprof_launch fits into it. */
#define SWPROF_LAUNCH_BYTES 65536

/** Of one process (swprof_launch_slot.flags) and of all together (swprof_launch.flags). */
enum swprof_launch_flags {
    SWPROF_LAUNCH_HOOKED = 1,          /* a hook was called */
    SWPROF_LAUNCH_RECORDED = 2,        /* a report was created: its path is in the slot */
    SWPROF_LAUNCH_REPORT_FAILED = 4,   /* it could not be created: error and path say why */
    SWPROF_LAUNCH_HOOKS_ELSEWHERE = 8, /* libstrideweave calls other hooks than the shim's */
    SWPROF_LAUNCH_ABI_MISMATCH = 16,   /* libstrideweave speaks another major version */
    SWPROF_LAUNCH_PAUSED = 32,         /* SWPROF_START=off, and no round was ever begun */
    SWPROF_LAUNCH_BAD_SETTING = 64,    /* a SWPROF_ variable had a bad value: the default was used */
    SWPROF_LAUNCH_FROZEN = 128,        /* the report was frozen at a regular exit */
    SWPROF_LAUNCH_PATH_CUT = 256       /* the path did not fit */
};

/** One process. `pid` is stored last, with release order: a slot with pid 0 is not ready. */
struct swprof_launch_slot {
    int32_t pid;          /* in the process's own PID namespace */
    uint32_t flags;       /* enum swprof_launch_flags */
    int32_t error;        /* errno of REPORT_FAILED */
    uint32_t reserved;
    uint64_t start_time;  /* field 22 of /proc/PID/stat */
    char report[488];     /* absolute path, NUL-terminated */
};

struct swprof_launch {
    char magic[SWPROF_LAUNCH_MAGIC_BYTES]; /* the launcher's */
    uint32_t version;                      /* the launcher's */
    uint32_t struct_bytes;                 /* the launcher's: sizeof(struct swprof_launch) */
    /* From here on the shim's; the launcher leaves them zero. */
    uint32_t n_loaded;          /* program images into which the shim was loaded */
    uint32_t n_ended;           /* of those, how many ended by exit() or return */
    uint32_t n_without_library; /* of those, in how many libstrideweave was never seen */
    uint32_t n_recorded;        /* reports created, those of forked children included */
    uint32_t n_slots;           /* slots asked for; only the first SWPROF_LAUNCH_SLOTS exist */
    uint32_t flags;             /* all processes' flags together */
    char bad_settings[200];     /* names of variables with bad values, with commas */
    uint64_t reserved[2];
    struct swprof_launch_slot slots[SWPROF_LAUNCH_SLOTS];
};

#endif
