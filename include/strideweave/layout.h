/*
 * Layouts: a shape with a congruent stride; maps logical coordinates to
 * indices. Immutable and reference counted; may be shared between threads.
 * Text form: "(2,(3,4)):(1,(2,6))"; "20:2" is short for "(20):(2)".
 *
 * The index of a coordinate is the sum of leaf coordinate times leaf stride.
 * Size (number of coordinates) is at most INT64_MAX - 1, cosize (largest index
 * plus one) at most INT64_MAX: both are checked when a layout is made, and so
 * is every stride that a call computes; beyond them lies OverflowError. No index
 * can overflow afterwards.
 *
 * For every call: a pointer that is NULL or not of the right kind is a
 * TypeError, outputs are untouched on failure, sw_error_message() says what was
 * refused, no hook is called, and any thread may call. What a call gives out has
 * one reference and is owned by the caller, given back with sw_layout_unref();
 * it may be the argument itself where nothing changes. Every call that makes
 * something may return SW_MEMORY_ERROR.
 */
#ifndef STRIDEWEAVE_LAYOUT_H
#define STRIDEWEAVE_LAYOUT_H

#include <strideweave/tree.h>

SW_BEGIN_DECLS

struct sw_layout;

/* ---- Making and sharing ------------------------------------------------------ */

/**
 * sw_layout_new - a layout from its two trees, which it then shares.
 *
 * @shape   Extents of at least 1.
 * @stride  Strides of at least 0, nested like the shape.
 *
 * Returns SW_OK; SW_VALUE_ERROR for a smaller extent or stride or another
 * nesting; SW_TYPE_ERROR for a leaf "*"; SW_OVERFLOW_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_new(const struct sw_tree *shape, const struct sw_tree *stride,
                                                 struct sw_layout **ret_layout);
/** The compact layout of a shape, first mode fastest: what every computed result has. */
SW_API SW_NODISCARD enum sw_status sw_layout_canonical(const struct sw_tree *shape, struct sw_layout **ret_layout);
/** A flat canonical layout of @n extents, first mode fastest. */
SW_API SW_NODISCARD enum sw_status sw_layout_column_major(const int64_t *extents, size_t n,
                                                          struct sw_layout **ret_layout);
/** A flat compact layout of @n extents, last mode fastest. */
SW_API SW_NODISCARD enum sw_status sw_layout_row_major(const int64_t *extents, size_t n, struct sw_layout **ret_layout);
/** A layout from its text form; ValueError as for sw_tree_parse() and sw_layout_new(). */
SW_API SW_NODISCARD enum sw_status sw_layout_parse(const char *text, struct sw_layout **ret_layout);
/** Text form, freed with sw_free(). */
SW_API SW_NODISCARD enum sw_status sw_layout_format(const struct sw_layout *layout, char **ret_text);
/** One more reference to @layout, which is returned; NULL is passed through. */
SW_API struct sw_layout *sw_layout_ref(const struct sw_layout *layout);
/** Give back a reference; the last one frees the layout, on whatever thread. NULL is accepted. */
SW_API void sw_layout_unref(const struct sw_layout *layout);

/* ---- What is known of a layout; 0 or NULL for what is none ---------------------- */

/** Borrowed; lives as long as the layout. */
SW_API const struct sw_tree *sw_layout_shape(const struct sw_layout *layout);
/** Borrowed; lives as long as the layout. */
SW_API const struct sw_tree *sw_layout_stride(const struct sw_layout *layout);
/** Number of coordinates: the product of all extents. */
SW_API int64_t sw_layout_size(const struct sw_layout *layout);
/** One more than the largest index. */
SW_API int64_t sw_layout_cosize(const struct sw_layout *layout);
/** Modes at the top level. */
SW_API size_t sw_layout_rank(const struct sw_layout *layout);
/** 1 when flat, one more per nesting level. */
SW_API size_t sw_layout_depth(const struct sw_layout *layout);
/** Extents with their strides, at all levels. */
SW_API size_t sw_layout_n_leaves(const struct sw_layout *layout);
/** Equal shapes and equal strides; 0 also when either is no layout. */
SW_API int sw_layout_equal(const struct sw_layout *a, const struct sw_layout *b);

/**
 * sw_layout_is_injective - whether no two coordinates share an index.
 *
 * Exact, and decided by arithmetic on the leaves for all but contrived strides.
 * Only those have their indices listed, in at most 256 MiB of memory that is
 * given back before the call returns.
 *
 * Returns SW_OK; SW_MEMORY_ERROR when the indices would not fit.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_is_injective(const struct sw_layout *layout, int *ret_injective);

/**
 * sw_layout_is_broadcast_only - whether the layout is not injective, but would
 * be if every leaf of stride 0 had extent 1. Costs and errors as above.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_is_broadcast_only(const struct sw_layout *layout, int *ret_broadcast_only);

/**
 * sw_layout_index - the index of a coordinate.
 *
 * @coordinate  As for sw_shape_encode(): natural, mixed, or one leaf: the ordinal.
 *
 * Returns SW_OK; SW_VALUE_ERROR when a component is negative, out of range,
 * missing or one too many; SW_TYPE_ERROR for a leaf "*".
 */
SW_API SW_NODISCARD enum sw_status sw_layout_index(const struct sw_layout *layout, const struct sw_tree *coordinate,
                                                   int64_t *ret_index);
/** The index of an ordinal, the first mode varying fastest. ValueError outside of [0, size). */
SW_API SW_NODISCARD enum sw_status sw_layout_index_ordinal(const struct sw_layout *layout, int64_t ordinal,
                                                           int64_t *ret_index);

/* ---- Modes ------------------------------------------------------------------------ */

/** Mode @mode as a layout of its own: a leaf gives a layout of one leaf. IndexError out of range. */
SW_API SW_NODISCARD enum sw_status sw_layout_mode(const struct sw_layout *layout, size_t mode,
                                                  struct sw_layout **ret_layout);
/** The layout of modes @begin to @end, without @end. IndexError out of range. */
SW_API SW_NODISCARD enum sw_status sw_layout_modes(const struct sw_layout *layout, size_t begin, size_t end,
                                                   struct sw_layout **ret_layout);
/** The modes of @a followed by the modes of @b. */
SW_API SW_NODISCARD enum sw_status sw_layout_concat(const struct sw_layout *a, const struct sw_layout *b,
                                                    struct sw_layout **ret_layout);
/** @b as one more, nested mode of @a; as by concat when @b is a single leaf or empty. */
SW_API SW_NODISCARD enum sw_status sw_layout_append(const struct sw_layout *a, const struct sw_layout *b,
                                                    struct sw_layout **ret_layout);
/** All leaves at the top level. */
SW_API SW_NODISCARD enum sw_status sw_layout_flatten(const struct sw_layout *layout, struct sw_layout **ret_layout);
/**
 * sw_layout_coalesce - the same indices from as few leaves as neighbours allow:
 * leaves of extent 1 are dropped, and a leaf whose stride goes on where the one
 * before it ends becomes one with it. The result is flat; a layout of size 1
 * keeps its first leaf.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_coalesce(const struct sw_layout *layout, struct sw_layout **ret_layout);
/**
 * sw_layout_coalesce_by_mode - coalesce each part of a layout by itself.
 *
 * @selection  A tree of leaves "*" that mirrors the layout from the top as far
 *             as it goes; each leaf names the subtree at its place.
 *
 * Returns SW_OK; SW_VALUE_ERROR when @selection does not mirror the layout.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_coalesce_by_mode(const struct sw_layout *layout,
                                                              const struct sw_tree *selection,
                                                              struct sw_layout **ret_layout);
/** Mode order[i] becomes mode i. ValueError unless @order names every mode exactly once. */
SW_API SW_NODISCARD enum sw_status sw_layout_permute(const struct sw_layout *layout, const int64_t *order, size_t n,
                                                     struct sw_layout **ret_layout);
/**
 * sw_layout_broadcast_to - repeat extents of 1.
 *
 * @shape  Nested like the layout's; leaf by leaf the same extent, or any where
 *         the layout has 1. Ranks are never aligned.
 *
 * Returns SW_OK, the repeated leaves with stride 0; SW_VALUE_ERROR for another
 * nesting or extent.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_broadcast_to(const struct sw_layout *layout, const struct sw_tree *shape,
                                                          struct sw_layout **ret_layout);
/**
 * sw_layout_reshape - another shape for the same indices in the same order.
 *
 * Returns SW_OK; SW_VALUE_ERROR when the sizes differ, or when the indices of
 * ordinals 0, 1, 2, ... are not evenly spaced (nothing is ever copied).
 */
SW_API SW_NODISCARD enum sw_status sw_layout_reshape(const struct sw_layout *layout, const struct sw_tree *shape,
                                                     struct sw_layout **ret_layout);
/** Insert a mode 1:0 before mode @dim; from -(rank+1) to rank, negative from the end. ValueError out of range. */
SW_API SW_NODISCARD enum sw_status sw_layout_unsqueeze(const struct sw_layout *layout, int64_t dim,
                                                       struct sw_layout **ret_layout);
/** Remove mode @dim, a leaf of extent 1; negative from the end. ValueError otherwise. */
SW_API SW_NODISCARD enum sw_status sw_layout_squeeze(const struct sw_layout *layout, int64_t dim,
                                                     struct sw_layout **ret_layout);
/**
 * sw_layout_uniform_preimage_extent - how many coordinates share each index,
 * when the indices are 0 to the size of @shape without a gap and each leaf
 * either repeats (stride 0) or continues another.
 *
 * @ret_found   0: there is no such extent (not an error); *ret_extent is untouched.
 * @ret_extent  The number of coordinates per index.
 *
 * Never enumerates.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_uniform_preimage_extent(const struct sw_layout *layout,
                                                                     const struct sw_tree *shape, int *ret_found,
                                                                     int64_t *ret_extent);
/**
 * sw_layout_rearrange - put parts of a layout where a tree says.
 *
 * @output     Leaves are ids of extracted layouts or SW_TREE_ANY, which inserts
 *             a mode 1:0; a nested mode groups, and is a leaf when it has one.
 * @selection  Leaves SW_TREE_ANY, mirroring the layout from the top as far as it
 *             goes: each names one extracted layout, numbered from 0. NULL:
 *             every leaf of the layout is extracted.
 *
 * Returns SW_OK; SW_VALUE_ERROR when @selection does not mirror the layout, for
 * an id that is unknown or comes twice, and when a part of a size other than 1
 * is left out.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_rearrange(const struct sw_layout *layout, const struct sw_tree *output,
                                                       const struct sw_tree *selection, struct sw_layout **ret_layout);

/* ---- Composition and division ------------------------------------------------------- */

/**
 * sw_layout_compose - composition as functions: the coordinate q has the index
 * outer(inner(q)), the inner index taken as an ordinal of the outer layout.
 *
 * The result has the inner layout's shape, in which leaves may be split into
 * nested modes.
 *
 * Returns SW_OK; SW_VALUE_ERROR when the inner cosize exceeds the outer size,
 * and when the composition is not representable as a layout; SW_OVERFLOW_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_compose(const struct sw_layout *outer, const struct sw_layout *inner,
                                                     struct sw_layout **ret_layout);
/**
 * sw_layout_compose_by_mode - by-mode composition, as tilers and divisions use it.
 *
 * Each leaf extent:stride of @inner takes every stride-th element of @outer and,
 * of these, the first extent ones; an outer layout of a single leaf is taken to
 * go on without end. A result of one mode is that mode itself.
 *
 * Returns SW_OK; SW_VALUE_ERROR when an extent and a stride do not divide, when
 * @outer nests or has too few elements; SW_OVERFLOW_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_compose_by_mode(const struct sw_layout *outer,
                                                             const struct sw_layout *inner,
                                                             struct sw_layout **ret_layout);
/**
 * sw_layout_compose_tiler - by-mode composition of each leading mode with a tile
 * of its own; trailing modes stay.
 *
 * @tiles  @n_tiles layouts; NULL only with none.
 *
 * Returns as by-mode composition; SW_VALUE_ERROR also for more tiles than modes.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_compose_tiler(const struct sw_layout *outer,
                                                           const struct sw_layout *const *tiles, size_t n_tiles,
                                                           struct sw_layout **ret_layout);
/** One unit-stride tile per mode of @shape. */
SW_API SW_NODISCARD enum sw_status sw_layout_compose_shape(const struct sw_layout *outer, const struct sw_tree *shape,
                                                           struct sw_layout **ret_layout);
/**
 * sw_layout_complement - what a layout leaves out of [0, cotarget): sums of one
 * index of each are all of these numbers, each once.
 *
 * Leaves of extent 1 do not count; "():()" when nothing is left out.
 *
 * Returns SW_OK; SW_VALUE_ERROR when @layout repeats an index, when strides and
 * extents do not divide each other, when it does not fit, for a cotarget below 1.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_complement(const struct sw_layout *layout, int64_t cotarget,
                                                        struct sw_layout **ret_layout);
/** By-mode composition with the two modes (tile, complement of tile in the size of the layout). */
SW_API SW_NODISCARD enum sw_status sw_layout_divide(const struct sw_layout *layout, const struct sw_layout *tile,
                                                    struct sw_layout **ret_layout);
/** Divide each leading mode by a tile of its own; trailing modes stay. ValueError for more tiles than modes. */
SW_API SW_NODISCARD enum sw_status sw_layout_divide_tiler(const struct sw_layout *layout,
                                                          const struct sw_layout *const *tiles, size_t n_tiles,
                                                          struct sw_layout **ret_layout);
/**
 * sw_layout_divide_zipped - divide each leading mode, then gather the tiles in
 * the first mode and their rests in the second; trailing modes follow.
 *
 * With one divided mode its tile and its rest are these modes themselves. 1:0
 * stands for the rest of a tile that fills its mode.
 *
 * Returns as sw_layout_divide_tiler().
 */
SW_API SW_NODISCARD enum sw_status sw_layout_divide_zipped(const struct sw_layout *layout,
                                                           const struct sw_layout *const *tiles, size_t n_tiles,
                                                           struct sw_layout **ret_layout);

/* ---- Selecting elements ---------------------------------------------------------------- */

/**
 * sw_layout_select - the selector layout B over source ordinals: a layout with
 * B's shape and index L(B(q)); see sw_as_strided().
 *
 * "(5,4):(4,1)" with "(2,2):(1,2)" gives "(2,2):(4,8)".
 *
 * Returns SW_OK; SW_VALUE_ERROR when @selector is not injective or reaches
 * beyond the layout's size, when the result is not a layout or not injective;
 * SW_OVERFLOW_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_select(const struct sw_layout *layout, const struct sw_layout *selector,
                                                    struct sw_layout **ret_layout);
/**
 * sw_layout_slice - slice @layout by a key tree (see sw_slice()).
 *
 * @key         One entry per top-level mode. An integer is an ordinal of its
 *              mode, never negative, and removes it. A nested (start,stop,step)
 *              keeps a range of a leaf: start and stop may count from the end
 *              and are clipped, "*" omits one of the three; of a nested mode
 *              only the whole range can be kept.
 * @ret_offset  What the offset of a tensor grows by.
 *
 * Returns SW_OK; SW_VALUE_ERROR for another number of keys, an integer out of
 * range, an empty range, a step below 1 or one that does not divide the length,
 * part of a nested mode, and when all keys are integers (an element is read by
 * sw_tensor_get()); SW_TYPE_ERROR for any other entry.
 */
SW_API SW_NODISCARD enum sw_status sw_layout_slice(const struct sw_layout *layout, const struct sw_tree *key,
                                                   int64_t *ret_offset, struct sw_layout **ret_layout);

SW_END_DECLS

#endif
