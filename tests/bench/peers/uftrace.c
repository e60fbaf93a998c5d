/*
 * A function that does nothing, for uftrace to trace: build with -pg.
 */
#include "peer.h"

static __attribute__((noinline)) void traced(uint64_t i)
{
    __asm__ volatile("" ::"r"(i));
}

int main(void)
{
    peer_measure(traced, "uftrace_ns");
    return 0;
}
