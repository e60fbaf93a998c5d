/*
 * Index maps: immutable functions from the coordinates of a shape (the domain)
 * to indices in [0, codomain size). A layout is the kind with strides, and the
 * only one that can place a tensor, tile or be broadcast; the others are read:
 *
 *   permutation   a list of distinct indices
 *   swizzle       XORs bit fields of the ordinal into one another: a bijection
 *   product       children side by side, each with a mode of the domain
 *   composition   maps one after another, where no other kind says the same
 *
 * Maps are reference counted and may be shared between threads. Nothing is
 * enumerated when one is made.
 *
 * For every call: a pointer that is NULL or not of the right kind is a
 * TypeError, outputs are untouched on failure, sw_error_message() says what was
 * refused, no hook is called, and any thread may call. What a call gives out has
 * one reference and is owned by the caller, given back with
 * sw_index_map_unref(); it may be an argument itself. Every call that makes
 * something may return SW_MEMORY_ERROR. Domain and codomain are bounded like a
 * layout's size and cosize: OverflowError beyond 64 bits.
 */
#ifndef STRIDEWEAVE_INDEX_MAP_H
#define STRIDEWEAVE_INDEX_MAP_H

#include <strideweave/layout.h>

SW_BEGIN_DECLS

struct sw_index_map;

enum sw_index_map_kind {
    SW_INDEX_MAP_NONE = 0, /* of what is no index map */
    SW_INDEX_MAP_LAYOUT = 1,
    SW_INDEX_MAP_PERMUTATION = 2,
    SW_INDEX_MAP_SWIZZLE = 3,
    SW_INDEX_MAP_PRODUCT = 4,
    SW_INDEX_MAP_COMPOSITION = 5
};

/** What is known of a property: a composition may be injective although one of its maps is not. */
enum sw_answer { SW_ANSWER_NO = 0, SW_ANSWER_YES = 1, SW_ANSWER_UNKNOWN = 2 };

/* ---- Making and sharing ------------------------------------------------------ */

/** The index map of a layout, which it then shares; its codomain size is the layout's cosize. */
SW_API SW_NODISCARD enum sw_status sw_index_map_from_layout(const struct sw_layout *layout,
                                                            struct sw_index_map **ret_map);

/**
 * sw_index_map_permutation - ordinal i has the index values[i].
 *
 * @values         @n distinct indices in [0, codomain_size); copied.
 * @n              At least 1: the domain is the flat shape (n).
 * @codomain_size  At least 1; may exceed @n (a partial injection).
 *
 * Returns SW_OK; SW_VALUE_ERROR when any of this does not hold.
 */
SW_API SW_NODISCARD enum sw_status sw_index_map_permutation(const int64_t *values, size_t n, int64_t codomain_size,
                                                            struct sw_index_map **ret_map);

/**
 * One step of a swizzle on an ordinal x. shift > 0: the @bits bits of x from
 * base+shift on are XORed into those from @base on; shift < 0: those from @base
 * on into those from base-shift on.
 */
struct sw_swizzle_stage {
    int64_t bits;  /* at least 1 */
    int64_t base;  /* at least 0 */
    int64_t shift; /* at least @bits away from 0 */
};

/**
 * sw_index_map_swizzle - the stages applied to the ordinal, in order.
 *
 * @shape   A shape whose size is a power of two; the codomain size is the same.
 * @stages  @n_stages stages, copied, all of whose bits lie below log2(size).
 *          NULL only with none.
 *
 * Returns SW_OK; SW_VALUE_ERROR for another size or stage; the errors of
 * sw_shape_size().
 */
SW_API SW_NODISCARD enum sw_status sw_index_map_swizzle(const struct sw_tree *shape,
                                                        const struct sw_swizzle_stage *stages, size_t n_stages,
                                                        struct sw_index_map **ret_map);

/**
 * sw_index_map_product - the Cartesian packing of maps.
 *
 * The domain has one mode per child: the child's shape, nested unless it is a
 * single leaf. With the children's indices r0, r1, ... and codomain sizes m0,
 * m1, ... the index is r0 + m0*(r1 + m1*(...)).
 *
 * @children  @n maps, which the product shares; at least 2.
 *
 * Returns SW_OK; SW_VALUE_ERROR for fewer children or when maps would nest
 * more than 1000 levels deep; SW_OVERFLOW_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_index_map_product(struct sw_index_map *const *children, size_t n,
                                                        struct sw_index_map **ret_map);

/**
 * sw_index_map_compose - the coordinate q has the index outer(inner(q)), the
 * inner index taken as an ordinal of the outer map.
 *
 * The result is the simplest kind that says it: one of the two where the other
 * changes nothing; a layout where sw_layout_compose() gives one; a permutation
 * of two permutations; a swizzle of two swizzles of one size (stages that undo
 * their neighbours drop out); a product of two products whose children fit one
 * by one; otherwise a composition.
 *
 * Returns SW_OK; SW_VALUE_ERROR when the inner codomain exceeds the outer size
 * or maps would nest more than 1000 levels deep; SW_OVERFLOW_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_index_map_compose(struct sw_index_map *outer, struct sw_index_map *inner,
                                                        struct sw_index_map **ret_map);

/** One more reference to @map, which is returned; NULL is passed through. */
SW_API struct sw_index_map *sw_index_map_ref(struct sw_index_map *map);
/** Give back a reference; the last one frees the map, on whatever thread. NULL is accepted. */
SW_API void sw_index_map_unref(struct sw_index_map *map);

/* ---- Reading; 0 or NULL for what is no index map ---------------------------------- */

SW_API enum sw_index_map_kind sw_index_map_kind(const struct sw_index_map *map);
/** The domain. Borrowed; lives as long as the map. */
SW_API const struct sw_tree *sw_index_map_shape(const struct sw_index_map *map);
/** Number of coordinates of the domain. */
SW_API int64_t sw_index_map_size(const struct sw_index_map *map);
/** Every index lies in [0, this). */
SW_API int64_t sw_index_map_codomain_size(const struct sw_index_map *map);
/** The layout that the map is; NULL for every other kind. Borrowed; lives as long as the map. */
SW_API const struct sw_layout *sw_index_map_layout(const struct sw_index_map *map);

/**
 * sw_index_map_is_injective - whether no two coordinates share an index.
 *
 * Exact for layouts (with the cost of sw_layout_is_injective()), permutations
 * and swizzles. A product is injective exactly when all its children are. A
 * composition is not when its innermost map is not, it is when all its maps
 * are, and otherwise nothing is known.
 *
 * Returns SW_OK; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_index_map_is_injective(const struct sw_index_map *map,
                                                             enum sw_answer *ret_answer);
/** The index of a coordinate of the domain, with the errors of sw_shape_encode(). */
SW_API SW_NODISCARD enum sw_status sw_index_map_index(const struct sw_index_map *map,
                                                      const struct sw_tree *coordinate, int64_t *ret_index);
/** The index of an ordinal of the domain, its first mode varying fastest. ValueError outside of [0, size). */
SW_API SW_NODISCARD enum sw_status sw_index_map_index_ordinal(const struct sw_index_map *map, int64_t ordinal,
                                                              int64_t *ret_index);

SW_END_DECLS

#endif
