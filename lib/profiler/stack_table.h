/*
 * The distinct call stacks that a session has seen, each kept once: frames as
 * record/unwind.h finds them. What they are called is asked when a Profiler's
 * results are read (stack_names.h).
 */
#ifndef PROFILER_STACK_TABLE_H
#define PROFILER_STACK_TABLE_H

#include <strideweave/profiler.h>

#include "analyze/index_table.h"
#include "record/stack.h"

struct sw__call_stack {
    uint32_t n_frames;
    uint32_t flags;    /* enum sw__unwind_flags: how it is incomplete */
    uint64_t frames[]; /* the innermost first */
};

/** Zeroed: records nothing. */
struct sw__stack_table {
    struct sw__call_stack **stacks; /* by index */
    uint32_t n;
    uint32_t room;
    struct sw__index_table index;
    uint32_t depth;  /* most frames of a stack; 0: none are recorded */
    uint64_t *found; /* room for one */
    int64_t began_ns; /* CLOCK_REALTIME */
};

/** Whether stacks can be recorded in this process; opens libunwind at the first call. Threads: any. */
enum sw_profiler_stacks sw__stacks_load(void);

/** Make a table record. @depth: 1 to SW_PROFILER_MOST_STACK_DEPTH. MemoryError. */
SW_NODISCARD enum sw_status sw__stack_table_begin(struct sw__stack_table *table, uint32_t depth);

/**
 * The index of the calls that lead here; makes it at first sight. SW__ANALYZE_NONE
 * when nothing can be told. 0 when there is no memory.
 */
int sw__stack_table_find(struct sw__stack_table *table, struct sw__stack *own, uint32_t *ret_index);
void sw__stack_table_clear(struct sw__stack_table *table);

#endif
