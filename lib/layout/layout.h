/*
 * What the other rooms of the library may know about a layout's inside: the
 * leaves as arrays, so that kernels walk them without calls.
 */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include <strideweave/hooks.h>
#include <strideweave/layout.h>

#include "base/cleanup.h"

struct sw_layout {
    uint32_t kind;   /* SW_KIND_LAYOUT */
    uint32_t n_refs; /* atomic */
    uint32_t n_leaves;
    uint32_t is_canonical; /* every leaf's stride is the product of the extents before it */
    int64_t size;
    int64_t cosize;
    const struct sw_tree *shape;  /* one reference each */
    const struct sw_tree *stride; /* congruent with shape */
    const int64_t *extents;       /* leaves depth first, n_leaves of each */
    const int64_t *strides;
    /*
     * The canonical layout of the same shape, one reference: made when a result first takes it, NULL before and where
     * this is canonical itself. Any thread may write it, once: the first one to exchange it, which releases what all
     * others acquire.
     */
    struct sw_layout *canonical;
};

SW__DEFINE_CLEANUP(tree, struct sw_tree, sw_tree_unref)
SW__DEFINE_CLEANUP(layout, struct sw_layout, sw_layout_unref)

/** Owning locals. */
#define SW__OWNED_TREE SW__CLEANUP(sw__cleanup_tree)
#define SW__OWNED_LAYOUT SW__CLEANUP(sw__cleanup_layout)

/** The canonical layout of the same shape: one reference to what later calls are given, too. MemoryError. */
SW_NODISCARD enum sw_status sw__layout_canonical_like(const struct sw_layout *layout, struct sw_layout **ret_layout);

/** The index of an ordinal in [0, size). */
int64_t sw__layout_at(const struct sw_layout *layout, int64_t ordinal);

/**
 * sw__shape_broadcast - the common shape of congruent shapes: leaf by leaf the
 * extent that is not 1. ValueError when the profiles differ or two extents do.
 */
SW_NODISCARD enum sw_status sw__shape_broadcast(const struct sw_tree *const *shapes, size_t n_shapes,
                                                struct sw_tree **ret_shape);

/**
 * sw__layout_coalesced - leaves of @layout merged where they follow each other,
 * extent 1 dropped: what a kernel loops over. Arrays of n_leaves entries;
 * returns how many are used (0 for a layout of size 1).
 */
size_t sw__layout_coalesced(const struct sw_layout *layout, int64_t *extents, int64_t *strides);

#endif
