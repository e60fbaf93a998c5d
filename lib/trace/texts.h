/*
 * Texts of which each is kept once: ids of a trace. Given back all together.
 */
#ifndef TRACE_TEXTS_H
#define TRACE_TEXTS_H

#include "analyze/index_table.h"

struct sw__texts_block;

/** Zeroed: none. */
struct sw__texts {
    struct sw__index_table table;
    const char **texts; /* in the order in which they came */
    size_t n_texts;
    size_t capacity;
    struct sw__texts_block *blocks; /* what they stand in, the newest first */
};

/** The kept text that is equal to @text; NULL for none. */
const char *sw__texts_find(const struct sw__texts *texts, const char *text);
/** The kept copy of @text, which lives as long as @texts; equal texts have one address. @ret_is_new may be NULL. */
SW_NODISCARD enum sw_status sw__texts_put(struct sw__texts *texts, const char *text, const char **ret_kept,
                                          int *ret_is_new);
void sw__texts_clear(struct sw__texts *texts);

#define SW__OWNED_TEXTS SW__CLEANUP(sw__texts_clear)

#endif
