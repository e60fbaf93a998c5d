/*
 * The call stacks of a completed Profiler as texts.
 */
#ifndef PROFILER_STACK_NAMES_H
#define PROFILER_STACK_NAMES_H

#include "analyze/stack_texts.h"
#include "base/cleanup.h"
#include "profiler/stack_table.h"

struct sw__stack_names {
    struct sw__stack_texts made; /* a stack per stack of the table */
    size_t n_stacks;
    char **texts; /* one per distinct frame */
    size_t n_texts;
};

/** Look up what the frames of @table are called, in the files of their modules. MemoryError. */
SW_NODISCARD enum sw_status sw__stack_names_new(const struct sw__stack_table *table,
                                                struct sw__stack_names **ret_names);
void sw__stack_names_free(struct sw__stack_names *names);

SW__DEFINE_CLEANUP(stack_names, struct sw__stack_names, sw__stack_names_free)
#define SW__OWNED_STACK_NAMES SW__CLEANUP(sw__cleanup_stack_names)

#endif
