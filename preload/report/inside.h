/*
 * Between the files that read a report's bytes: validate.c and view*.c.
 */
#ifndef REPORT_INSIDE_H
#define REPORT_INSIDE_H

#include "report/report.h"

/** Most bytes of texts, and of shapes, that are read into memory. */
#define REPORT_MAX_NAME_BYTES (UINT64_C(256) << 20)

/** Most bytes of one text and words of one shape list; the writer's own limits are far below. */
#define REPORT_MAX_TEXT_BYTES 16384u
#define REPORT_MAX_SHAPE_WORDS 16384u

/** Read and check the header; fills header and its texts. */
SW_NODISCARD enum report_outcome report_validate_header(struct report *report);
/** Find and check the blocks. */
SW_NODISCARD enum report_outcome report_validate_blocks(struct report *report);

/** Texts, dispatches, shapes, sessions. */
SW_NODISCARD enum report_outcome report_view_names(struct report *report);
/** Modules and call stacks. */
SW_NODISCARD enum report_outcome report_view_stacks(struct report *report);
SW_NODISCARD enum report_outcome report_view_sessions(struct report *report);
SW_NODISCARD enum report_outcome report_view_threads(struct report *report);
/** Events of each thread; losses of a ring that was killed while it dropped some. */
SW_NODISCARD enum report_outcome report_view_chunks(struct report *report);
/** Notes of each thread. */
SW_NODISCARD enum report_outcome report_view_note_chunks(struct report *report);
/** Aggregates; takes back open operations that have ended in one. */
SW_NODISCARD enum report_outcome report_view_aggregates(struct report *report);

/** The block of a known type whose payload holds an offset, or NULL. */
const struct report_block *report_block_at(const struct report *report, uint64_t offset);
/** The block of a known type whose payload begins at an offset, or NULL. */
const struct report_block *report_block_of(const struct report *report, uint64_t payload);

/** The index behind a reference; 0 when no record begins there. */
int report_find_reference(const struct report_reference *references, size_t n_references, uint64_t reference,
                          uint32_t *ret_index);
/** The text behind a reference; "" for none. */
SW_NODISCARD enum report_outcome report_find_text(const struct report *report, uint32_t reference,
                                                  const char **ret_text);
/** DAMAGED: an id that is not described. */
enum report_outcome report_no_dispatch(const struct report *report, uint32_t id);
/** The index of a dispatch id. */
SW_NODISCARD static inline enum report_outcome report_find_dispatch(const struct report *report, uint32_t id,
                                                                    uint32_t *ret_index)
{
    if (id >= report->n_dispatch_ids || report->dispatch_of_id[id] == SW__ANALYZE_NONE)
        return report_no_dispatch(report, id);
    *ret_index = report->dispatch_of_id[id];
    return REPORT_OK;
}
/** The index of a shape list; SW__ANALYZE_NONE for none. */
SW_NODISCARD enum report_outcome report_find_shapes(const struct report *report, uint32_t reference,
                                                    uint32_t *ret_index);

/** The index of a call stack; SW__ANALYZE_NONE for none. */
SW_NODISCARD enum report_outcome report_find_stack(const struct report *report, uint32_t reference,
                                                   uint32_t *ret_index);

/** Of names and the like: make room for one more element of a growing array. */
SW_NODISCARD enum report_outcome report_grow(void *array_pointer, size_t n_elements, size_t element_bytes);
/** Refuse more bytes of one type than are read into memory. */
SW_NODISCARD enum report_outcome report_check_total(const struct report *report, uint32_t type);
/** A block's payload, to be freed with sw__free(). */
SW_NODISCARD enum report_outcome report_load_payload(const struct report *report, const struct report_block *block,
                                                     void **ret_bytes);

/** The list of carriers behind a reference. */
SW_NODISCARD enum report_outcome report_find_carriers(const struct report *report, uint32_t reference,
                                                      struct report_carriers *ret_carriers);

/** When the last recorded operation of a thread ended; 0 when there is none. */
SW_NODISCARD enum report_outcome report_latest_end(const struct report *report, const struct report_thread *thread,
                                                   uint64_t *ret_ticks);

/** DAMAGED with the place: report_damaged(report, offset, "a sentence"). */
enum report_outcome report_damaged(const struct report *report, uint64_t offset, const char *what);

#endif
