/*
 * How much storage carriers have: counters of this process, per carrier class.
 *
 *     struct sw_memory_stats stats = SW_MEMORY_STATS_INIT;
 *     if (sw_memory_start_counting() != SW_OK) ...
 *     step();
 *     if (sw_memory_stats(sw_cpu_class(), &stats) == SW_OK)
 *         printf("%llu bytes at the peak\n", (unsigned long long)stats.bytes.peak);
 *
 * WHAT IS COUNTED. The storage that carriers make for their slots while
 * counting is on, in bytes of slots (size times bytes of the dtype), from the
 * moment it is made to sw_carrier_release() or the last reference, on whatever
 * thread and also when counting has been turned off in between:
 *     Generic, CPU   memory of the library's own; the caller's (external) is not
 *     FileBacked     bytes of its file, on disk
 *     Evictable      nothing of its own: each tier counts as what it is
 *     others         what their class tells with sw_carrier_storage_made()
 * A view has no storage, a carrier without slots neither. What is no carrier's
 * (tensors, layouts, the scratch memory of kernels, cotangents in a backward
 * pass) is not counted.
 *
 * THE CACHE. Storage of Generic and CPU carriers that is given back, from 128 KiB
 * on, waits to become the storage of another carrier: the C library would return
 * it to the system, and its next use would take a page fault for every page. It
 * serves what needs as many bytes or up to an eighth less, cleared where the new
 * carrier is to begin as zeros. A block that waits counts as given back above;
 * sw_memory_cached() tells the bytes of those that do. They are never more than
 * SW_STORAGE_CACHE says (environment; bytes, 64 MiB when it is unset, 0 for no
 * cache), in at most 256 blocks, for all threads together: the blocks that have
 * waited longest go. All of them go before an allocation of the library fails.
 *
 * What existed when counting began is not counted, nor its release. Counting
 * costs some additions to shared memory per storage made and given back; while
 * it is off it costs one load.
 *
 * PyTorch's names: memory_allocated() is sw_memory_allocated(),
 * max_memory_allocated() sw_memory_max_allocated(), memory_stats() the function
 * of that name, reset_peak_memory_stats() sw_memory_reset_peak(),
 * reset_accumulated_memory_stats() sw_memory_reset_totals(), empty_cache()
 * sw_memory_empty_cache(); memory_reserved() is about sw_memory_allocated() of
 * Generic and CPU, where everything is counted, and sw_memory_cached() together:
 * that counts whole blocks.
 *
 * A class is given by its address; NULL means all classes together, bytes on
 * disk included. What is no carrier class is a TypeError, or 0 where no status is
 * returned. Of more than 63 classes the later ones are in the sum of all only.
 *
 * Hooks:   these functions call none. Counting raises SW_HOOK_WANT_STORAGE and is
 *          what the library's default for sw_hook_storage_alloc and
 *          sw_hook_storage_free does; a tool that takes these hooks passes them on.
 * Threads: any. A figure is exact when no other thread makes or releases storage;
 *          a peak is the largest that the current figure has been.
 */
#ifndef STRIDEWEAVE_MEMORY_H
#define STRIDEWEAVE_MEMORY_H

#include <strideweave/carrier.h>

SW_BEGIN_DECLS

/**
 * sw_memory_start_counting - count from now on. Counting already is no error;
 * figures go on from where they are.
 *
 * Returns SW_OK; SW_NOT_IMPLEMENTED_ERROR in a library built without profiling.
 */
SW_API SW_NODISCARD enum sw_status sw_memory_start_counting(void);
/** sw_memory_stop_counting - count nothing new; what was counted is still counted back when it is released. */
SW_API void sw_memory_stop_counting(void);
/** Whether new storage is counted. */
SW_API int sw_memory_is_counting(void);

/** Bytes of storage now. */
SW_API uint64_t sw_memory_allocated(const struct sw_carrier_class *carrier_class);
/** The most bytes since counting first began, or since the last sw_memory_reset_peak(). */
SW_API uint64_t sw_memory_max_allocated(const struct sw_carrier_class *carrier_class);

/** current = allocated - freed, until the totals are reset. */
struct sw_memory_figures {
    uint64_t current;
    uint64_t peak;
    uint64_t allocated; /* in all */
    uint64_t freed;     /* in all */
};

struct sw_memory_stats {
    uint32_t struct_bytes;
    uint32_t reserved;
    struct sw_memory_figures bytes;
    struct sw_memory_figures pieces; /* storages: as many as carriers that have one */
    uint64_t n_refused;              /* for which there was no room */
};
#define SW_MEMORY_STATS_INIT { .struct_bytes = (uint32_t)sizeof(struct sw_memory_stats) }

/**
 * sw_memory_stats - all figures of a class.
 *
 * @stats  Begins as SW_MEMORY_STATS_INIT; filled in. Untouched on failure.
 *
 * Returns SW_OK; SW_TYPE_ERROR for NULL or a structure that is too small.
 */
SW_API SW_NODISCARD enum sw_status sw_memory_stats(const struct sw_carrier_class *carrier_class,
                                                   struct sw_memory_stats *stats);
/** sw_memory_reset_peak - both peaks become what is there now. */
SW_API SW_NODISCARD enum sw_status sw_memory_reset_peak(const struct sw_carrier_class *carrier_class);
/** sw_memory_reset_totals - allocated, freed and refused begin at 0 again. */
SW_API SW_NODISCARD enum sw_status sw_memory_reset_totals(const struct sw_carrier_class *carrier_class);

/**
 * Bytes of storage that was given back and waits for its next use, whether or
 * not storage is counted. Threads: any, but no signal handler.
 */
SW_API uint64_t sw_memory_cached(void);
/**
 * sw_memory_empty_cache - give what waits back to the C library, which usually
 * returns large blocks to the system. For a program that will need no more storage for
 * a while; speed is all that depends on it.
 *
 * Returns the bytes that waited.
 */
SW_API uint64_t sw_memory_empty_cache(void);

SW_END_DECLS

#endif
