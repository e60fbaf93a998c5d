/*
 * From the frames of call stacks to the texts of their entries: each distinct
 * frame is looked up once, and a stack is a list of references to texts.
 */
#ifndef ANALYZE_STACK_TEXTS_H
#define ANALYZE_STACK_TEXTS_H

#include "analyze/analyze.h"

/** A call stack as it was recorded, the innermost frame first. */
struct sw__raw_stack {
    uint32_t n_frames;
    uint32_t flags; /* enum sw__unwind_flags: how it is incomplete */
    const uint64_t *frames;
};

/** A distinct frame and its texts, innermost first: of functions that were put into one another there are several. */
struct sw__frame_texts {
    uint64_t frame;
    size_t first; /* of the texts of all */
    size_t n;
};

/** Zeroed: nothing. */
struct sw__stack_texts {
    struct sw__frame_texts *frames; /* ascending: those of a module stand together */
    size_t n_frames;
    struct sw__analyze_stack *stacks;
    const char **entries; /* what stacks point into */
};

/** Find the distinct frames of stacks, without texts so far. MemoryError. */
SW_NODISCARD enum sw_status sw__stack_texts_begin(struct sw__stack_texts *texts, const struct sw__raw_stack *stacks,
                                                  size_t n_stacks);
/**
 * Make the entries of the same stacks, once every frame has its place among
 * @of_frames, which are borrowed. A stack that is incomplete ends with an entry
 * that says so. MemoryError.
 */
SW_NODISCARD enum sw_status sw__stack_texts_finish(struct sw__stack_texts *texts, const struct sw__raw_stack *stacks,
                                                   size_t n_stacks, char *const *of_frames);
void sw__stack_texts_clear(struct sw__stack_texts *texts);

#endif
