/*
 * Equal names, shape lists and stacks as one: for each of them the first that
 * is equal to it, so that a key is a few numbers.
 */
#ifndef ANALYZE_JOIN_H
#define ANALYZE_JOIN_H

#include "analyze/analyze.h"

/** For each dispatch the first that @grouping does not tell from it. sw__free(). */
SW_NODISCARD enum sw_status sw__join_dispatches(const struct sw__analyze_names *names, enum sw__grouping grouping,
                                                uint32_t **ret_first);
/** For each shape list the first equal one. sw__free(). */
SW_NODISCARD enum sw_status sw__join_shapes(const struct sw__analyze_names *names, uint32_t **ret_first);
/** For each stack the first whose @n_entries innermost entries are the same. sw__free(). */
SW_NODISCARD enum sw_status sw__join_stacks(const struct sw__analyze_names *names, size_t n_entries,
                                            uint32_t **ret_first);

#endif
