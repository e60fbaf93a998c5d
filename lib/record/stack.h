/*
 * Where the calling thread's own stack lies. Looked up only when a question
 * about addresses cannot be answered without: by most threads never.
 */
#ifndef RECORD_STACK_H
#define RECORD_STACK_H

#include <stdint.h>

struct sw__stack {
    uintptr_t low;
    uintptr_t high; /* both 0: not looked up; low > high: could not be found */
};

/** Fill in the bounds if that has not been tried. Allocates nothing, takes no lock; may be called in a signal handler. */
void sw__stack_learn(struct sw__stack *stack);

/** Whether an address lies in a stack whose bounds were learned. */
static inline int sw__stack_has(const struct sw__stack *stack, uintptr_t address)
{
    return address >= stack->low && address < stack->high;
}

/** The alternate signal stack: whether the thread runs on it now, and whether an address lies in it. */
struct sw__alternate {
    uintptr_t low;
    uintptr_t high; /* both 0 when there is none */
    int in_use;
};

void sw__alternate_now(struct sw__alternate *alternate);

#endif
