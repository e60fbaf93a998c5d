/*
 * Whether two different coordinates of a layout can have the same index.
 */
#ifndef LAYOUT_RELATION_H
#define LAYOUT_RELATION_H

#include <strideweave/index_map.h>

#include "layout/leaves.h"

/**
 * sw__leaves_collide - look for two coordinates with one index by arithmetic
 * on the leaves (extent above 1, stride above 0, sorted, cosize known to fit).
 * SW_ANSWER_UNKNOWN after a bounded number of steps: so many leaves interlock that
 * enumerating is the better way.
 */
enum sw_answer sw__leaves_collide(const struct sw__leaf *leaves, size_t n);

/**
 * sw__leaves_collide_enumerated - the same by listing every index. MemoryError
 * when neither a bit per possible index nor a list of the indices fits in
 * SW__ENUMERATION_BYTES.
 */
SW_NODISCARD enum sw_status sw__leaves_collide_enumerated(const struct sw__leaf *leaves, size_t n, int *ret_collide);

/** Most memory that one enumeration takes. */
#define SW__ENUMERATION_BYTES (INT64_C(256) << 20)

#endif
