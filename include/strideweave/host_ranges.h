/*
 * Host ranges: where inside of a call the host's time goes. The library's own
 * path (front end, dispatch, its cache, preflight, computation, kernel) is
 * divided into named ranges; a collector of the calling thread measures each
 * passage, inclusive and self. Host time only: a range ends when its function
 * returns.
 *
 *     struct sw_host_range_row *rows;
 *     size_t n_rows;
 *     if (sw_host_ranges_start() != SW_OK) ...
 *     ... operations ...
 *     if (sw_host_ranges_stop(&rows, &n_rows) == SW_OK)
 *         for (size_t i = 0; i < n_rows; i++)
 *             printf("%s %.1f\n", sw_host_range_name(rows[i].range), rows[i].inclusive_median);
 *     sw_free(rows);
 *
 * Built in by configure --enable-host-ranges. Without it ranges cost nothing
 * and these functions are there all the same: they return
 * NotImplementedError, "host range profiling is not compiled".
 *
 * NESTING of one operation:
 *
 *     binding.body                     a front-end function such as sw_add()
 *         binding.tensor_conversion    one operand is looked at; as many as there are tensors
 *         dispatch.call
 *             dispatch.lookup          from a carrier and a name to an operation
 *                 cache.key            the name becomes a key
 *                 cache.lookup         the table of dispatch entries is searched
 *                 cache.construct      an entry is put there; on a miss only
 *             operator.call            the operation is executed
 *                 operator.preflight   options and operands are checked
 *                 operator.invoke      the computation boundary
 *                     backend.submit   a kernel, or a call of the BLAS library
 *
 * Operations inside of an operation (widening) nest dispatch.lookup and so on
 * once more. binding.device_conversion is for bindings of other languages: the
 * library has no device handles.
 *
 * TOOLS see the same ranges as sw_hook_range_enter() and sw_hook_range_exit()
 * with the flag SW_HOOK_RANGE_HOST (strideweave/hooks.h), while
 * SW_HOOK_WANT_RANGE is wanted or the thread collects.
 */
#ifndef STRIDEWEAVE_HOST_RANGES_H
#define STRIDEWEAVE_HOST_RANGES_H

#include <strideweave/status.h>

SW_BEGIN_DECLS

/** The fixed set of ranges, in the order of summaries. */
enum sw_host_range {
#define SW_HOST_RANGE(enumerator, number, name) SW_HOST_RANGE_##enumerator = number,
#include <strideweave/host_range.def>
#undef SW_HOST_RANGE
    SW_N_HOST_RANGES
};

/** sw_host_range_compiled - 1 when the library was configured with --enable-host-ranges, else 0. Threads: any. */
SW_API int sw_host_range_compiled(void);

/** sw_host_range_name - for example "dispatch.call"; NULL for what is no range. A static string. Threads: any. */
SW_API const char *sw_host_range_name(enum sw_host_range range);

/* ---- Collecting ------------------------------------------------------------------ */

/** What was measured of one range: a value. All times are nanoseconds of CLOCK_MONOTONIC. */
struct sw_host_range_row {
    uint32_t range; /* enum sw_host_range */
    uint32_t reserved;
    uint64_t count; /* passages, each one sample of either kind */
    double inclusive_mean;
    double inclusive_median; /* of an even count: the mean of the middle two */
    double self_mean;        /* less the inclusive times of the ranges directly inside */
    double self_median;
};

/**
 * sw_host_ranges_start - begin to collect on the calling thread.
 *
 * One collection per thread; those of different threads do not see each other.
 * A range that was entered before is not collected, nor is one of an earlier
 * collection. Nothing is dropped: samples take 16 bytes each until the stop.
 *
 * Threads: starts, stops and ranges belong to the thread on which they happen.
 * A thread that ends while it collects loses what it has.
 *
 * Returns SW_OK; RuntimeError "host range profiler is already active";
 * OverflowError when the thread's 2^32 - 1 collections are used up; MemoryError;
 * NotImplementedError when host ranges are not compiled in.
 */
SW_API SW_NODISCARD enum sw_status sw_host_ranges_start(void);

/**
 * sw_host_ranges_stop - end the collection and sum it up.
 *
 * @ret_rows    One row per range that was passed, in the order of enum
 *              sw_host_range; given back with sw_free(). NULL, with 0 rows,
 *              when there was none. Untouched on failure.
 * @ret_n_rows  How many.
 *
 * Whatever this returns, the collection is over and another can start.
 *
 * Returns SW_OK; RuntimeError "host range profiler is not active", "host range
 * profiler has unclosed ranges" when it is called inside of one, "host range
 * profiler failed to record a sample" when ranges were left in another order
 * than entered (longjmp) or there was no memory: the data are lost;
 * MemoryError; NotImplementedError when host ranges are not compiled in.
 */
SW_API SW_NODISCARD enum sw_status sw_host_ranges_stop(struct sw_host_range_row **ret_rows, size_t *ret_n_rows);

/** sw_host_ranges_session - which collection of this thread is under way, counted from 1; 0 when none is. */
SW_API uint64_t sw_host_ranges_session(void);

/* ---- Ranges of a program's own ------------------------------------------------------ */

/** One passage of a range; on the stack of who passes, from begin to end. */
struct sw_host_range_scope {
    uint64_t words[16]; /* the library's */
};

/**
 * sw_host_range_begin - enter a range: for bindings of other languages, whose
 * conversions belong to the same picture.
 *
 * @scope  Room for the passage; stays where it is until sw_host_range_end().
 * @range  Which range.
 *
 * Costs one branch while nobody collects. Pairs nest like blocks. In C:
 *
 *     struct sw_host_range_scope body __attribute__((cleanup(sw_host_range_end)));
 *     if (sw_host_range_begin(&body, SW_HOST_RANGE_BINDING_BODY) != SW_OK) ...
 *
 * Returns SW_OK, also while nobody collects; ValueError "invalid host range
 * layer"; NotImplementedError when host ranges are not compiled in. After a
 * failure sw_host_range_end() does nothing.
 */
SW_API SW_NODISCARD enum sw_status sw_host_range_begin(struct sw_host_range_scope *scope, enum sw_host_range range);

/** sw_host_range_end - leave the range. Never fails; sw_host_ranges_stop() tells what could not be recorded. */
SW_API void sw_host_range_end(struct sw_host_range_scope *scope);

/* ---- What a range itself costs ---------------------------------------------------------- */

/** Result of a calibration; all times in nanoseconds. */
struct sw_host_range_calibration {
    uint32_t struct_bytes; /* set by the caller: sizeof(struct sw_host_range_calibration) */
    uint32_t reserved;
    struct sw_host_range_row depths[3]; /* calibration.depth1 around depth2 around depth3, which is empty */
    double inside_ns;   /* r: of a range, what lies in its own time */
    double complete_ns; /* C: of a range, what the range around it sees */
};

/**
 * sw_host_ranges_calibrate - measure what a range costs, with ranges.
 *
 * @iterations       How often three empty ranges, each in the one before, are passed.
 * @ret_calibration  Written on success.
 *
 * inside_ns is the median of depth 3, which is empty. complete_ns is the larger
 * of the self medians of depths 1 and 2, each of which has one range inside.
 * A range with d ranges inside of it, k of them directly, is therefore longer by
 * about
 *     inclusive   inside_ns + d * complete_ns
 *     self        inside_ns + k * (complete_ns - inside_ns)
 * of which sw_host_range_excess() is the sum. A tool that records ranges is part
 * of the cost.
 *
 * Returns SW_OK; RuntimeError "cannot calibrate while the host range profiler is
 * active"; ValueError "host range calibration requires iterations"; TypeError
 * for a structure that is too small; otherwise as start and stop.
 */
SW_API SW_NODISCARD enum sw_status sw_host_ranges_calibrate(uint64_t iterations,
                                                            struct sw_host_range_calibration *ret_calibration);

/** What the ranges have added to a range's inclusive and self time. */
struct sw_host_range_excess {
    double inclusive_ns;
    double self_ns;
};

/**
 * sw_host_range_excess - the formulas above.
 *
 * @n_inside  d: ranges inside, at any depth.
 * @n_direct  k: ranges directly inside.
 */
SW_API void sw_host_range_excess(const struct sw_host_range_calibration *calibration, uint64_t n_inside,
                                 uint64_t n_direct, struct sw_host_range_excess *ret_excess);

SW_END_DECLS

#endif
