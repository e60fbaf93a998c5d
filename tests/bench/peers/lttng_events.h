/*
 * The two tracepoints that stand for a boundary.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER strideweave_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_events.h"

#if !defined(TESTS_BENCH_PEERS_LTTNG_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TESTS_BENCH_PEERS_LTTNG_EVENTS_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(strideweave_bench, enter, LTTNG_UST_TP_ARGS(uint32_t, dispatch),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, dispatch, dispatch)))
LTTNG_UST_TRACEPOINT_EVENT(strideweave_bench, leave, LTTNG_UST_TP_ARGS(uint32_t, dispatch),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, dispatch, dispatch)))

#endif

#include <lttng/tracepoint-event.h>
