/*
 * Contractions, "lhs, rhs -> out": from text to what is executed for them.
 */
#ifndef OP_CONTRACTION_H
#define OP_CONTRACTION_H

#include <strideweave/tree.h>

#include "base/cleanup.h"

/** A symbol of both operands: leaves of their selections. */
struct sw__shared {
    size_t leaves[2];
};

/**
 * Both factors are rearranged; then they meet, in a matmul when every shared
 * symbol is contracted and in an elementwise_mul otherwise; then the result is
 * rearranged, and with is_summed the second of its two modes is folded.
 */
struct sw__contraction {
    struct sw_tree *selection[2]; /* of the factors, lhs first */
    struct sw_tree *output[2];
    struct sw_tree *result_selection;
    struct sw_tree *result_output;
    struct sw__shared *shared;
    size_t n_shared;
    int is_elementwise;
    int is_summed;
};

void sw__contraction_clear(struct sw__contraction *contraction);
/** An owning local; begins as { .shared = NULL }. */
#define SW__OWNED_CONTRACTION SW__CLEANUP(sw__contraction_clear)

/** TypeError for NULL; ValueError, with the position, for anything that is no contraction; MemoryError. */
SW_NODISCARD enum sw_status sw__contraction_compile(const char *text, struct sw__contraction *contraction);

#endif
