/*
 * A pair of LTTng tracepoints with one small field each.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_events.h"

#include "peer.h"

static void trace(uint64_t i)
{
    lttng_ust_tracepoint(strideweave_bench, enter, (uint32_t)(i & 7));
    lttng_ust_tracepoint(strideweave_bench, leave, (uint32_t)(i & 7));
}

int main(void)
{
    peer_measure(trace, "lttng_ns");
    return 0;
}
