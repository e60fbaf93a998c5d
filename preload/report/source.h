/*
 * The bytes of a report file. They are copied by position, never mapped: a file
 * that shrinks gives a short read and no signal, a value that was read stays
 * what it was, and holes of a live report stay holes.
 */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include "base/cleanup.h"
#include "report/outcome.h"

struct report_source {
    int descriptor;
    uint64_t n_bytes; /* size when last asked */
    char *path; /* as it was given: any bytes */
};

/** Open a regular file without waiting; pipes, folders and devices are NOT_A_REPORT. */
SW_NODISCARD enum report_outcome source_open(const char *path, struct report_source **ret_source);
/** The same of what is open already: @descriptor is taken over; below 0 it is the failure that errno tells. */
SW_NODISCARD enum report_outcome source_open_descriptor(int descriptor, const char *path,
                                                        struct report_source **ret_source);
void source_close(struct report_source *source);
/** Ask for the size again: a live report grows. */
SW_NODISCARD enum report_outcome source_refresh(struct report_source *source);
/** Copy exactly @n_bytes at @offset; DAMAGED when the file ends before. */
SW_NODISCARD enum report_outcome source_read(const struct report_source *source, uint64_t offset, void *ret_bytes,
                                             size_t n_bytes);
/** The first offset >= @offset that holds data; the size of the file when only a hole is left. */
uint64_t source_skip_hole(const struct report_source *source, uint64_t offset);

SW__DEFINE_CLEANUP(source, struct report_source, source_close)
#define REPORT_OWNED_SOURCE SW__CLEANUP(sw__cleanup_source)

#endif
