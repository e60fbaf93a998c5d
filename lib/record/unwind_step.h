/*
 * How the frame of a code address is left, as libunwind tells it, and the
 * modules that code lies in.
 */
#ifndef RECORD_UNWIND_STEP_H
#define RECORD_UNWIND_STEP_H

#include "record/unwind.h"

/** What an address is told from. */
enum unwind_base {
    UNWIND_SP = 0,   /* the frame's own stack pointer */
    UNWIND_BP = 1,   /* its base pointer */
    UNWIND_SAVED = 2 /* the word at `saved` */
};

struct unwind_place {
    int32_t offset;
    uint32_t base; /* enum unwind_base */
};

enum unwind_kind {
    UNWIND_STEP = 0,
    UNWIND_SIGNAL = 1, /* the frame that a signal handler returns to: what it interrupted is no call */
    UNWIND_LAST = 2,   /* nothing called it */
    UNWIND_UNKNOWN = 3 /* no way to go on is known */
};

/** From one frame to its caller. */
struct unwind_step {
    uint32_t kind;             /* enum unwind_kind */
    struct unwind_place saved; /* where a word stands that other places are told from */
    struct unwind_place sp;    /* the caller's stack pointer: a value, not where it stands */
    struct unwind_place ip;    /* where the return address stands */
    struct unwind_place bp;    /* where the caller's base pointer stands */
    uint32_t keeps_bp;         /* it has not been touched: `bp` means nothing */
};

/** Where in memory the file of an address is. */
struct unwind_object {
    uintptr_t low;
    uintptr_t high;
    uintptr_t bias;
    const void *headers;  /* what finds the unwind information of an address (.eh_frame_hdr); NULL: none */
    const char *name;     /* the loader's: "" for the program itself */
    int is_program;       /* the executable */
    int is_permanent;     /* it can never be unloaded */
};

/** Find libunwind and the loader's look-up. Allocates. */
enum sw__unwind_state unwind_step_load(void);

/** The file that holds an address now; 0 when there is none. Takes no lock; safe in a signal handler. */
int unwind_find_object(uintptr_t address, struct unwind_object *ret_object);

/** Only whether the same object is still there: its extent. */
int unwind_object_is(uintptr_t address, uintptr_t low, uintptr_t high);

/** Ask libunwind about an address. One caller at a time. */
void unwind_step_find(uintptr_t address, const struct unwind_object *object, struct unwind_step *ret_step);

/** The build id in the object's notes; its length, at most SW__UNWIND_BUILD_ID_BYTES, 0 for none. */
uint32_t unwind_build_id(const struct unwind_object *object, uint8_t *ret_build_id);

#endif
