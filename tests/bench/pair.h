/*
 * The two hooks of a boundary, called as the library calls them, with nothing
 * between: what a boundary costs beyond the operation. Measured by itself and
 * not as a difference of two operations, because a processor hides part of a
 * clock reading behind the operation's other work.
 */
#ifndef TESTS_BENCH_PAIR_H
#define TESTS_BENCH_PAIR_H

#include <strideweave/strideweave.h>
#include <strideweave/hooks.h>

struct bench_pair {
    const struct sw_hook_table *bound; /* what the library calls */
    struct sw_hook_library library;    /* a caller of its own, so that its dispatch may have an id of its own */
    struct sw_hook_dispatch dispatch;
    struct sw_operand operands[2];     /* tensors */
    uint32_t flags;                    /* enum sw_hook_compute_flags that every call begins with */
};

void bench_pair_make(struct bench_pair *pair);
void bench_pair_drop(struct bench_pair *pair);

/** A bench_body: pass @n boundaries; @context is the pair. */
void bench_pair_pass(void *context, size_t n);

/** A bench_body: read the recorder's clock 2 * @n times. */
void bench_read_clock_twice(void *context, size_t n);

/** One reading. */
uint64_t bench_ticks(void);

#endif
