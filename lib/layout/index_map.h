/*
 * Index maps from the inside: one structure, and a table of what each kind does
 * in its own way. Everything beyond domain and codomain lies in `own`.
 */
#ifndef LAYOUT_INDEX_MAP_H
#define LAYOUT_INDEX_MAP_H

#include <strideweave/hooks.h>
#include <strideweave/index_map.h>

#include "layout/layout.h"

/** Deepest nesting of maps in maps: what bounds the recursion of everything that walks one. */
#define SW__INDEX_MAP_MAX_DEPTH 1000

/** What a kind does; ordinals and indices are in range. */
struct sw__index_map_class {
    enum sw_index_map_kind kind;
    int64_t (*index)(const struct sw_index_map *map, int64_t ordinal);
    enum sw_status (*is_injective)(const struct sw_index_map *map, enum sw_answer *ret_answer);
    /** Whether the index of every ordinal is the ordinal itself. */
    int (*is_identity)(const struct sw_index_map *map);
};

struct sw_index_map {
    uint32_t kind;   /* SW_KIND_INDEX_MAP */
    uint32_t n_refs; /* atomic */
    const struct sw__index_map_class *index_map_class;
    const struct sw_tree *shape; /* one reference */
    int64_t size;
    int64_t codomain_size;
    uint32_t depth;  /* 1, or one more than the deepest part's */
    uint32_t n_parts; /* maps among parts[] whose references it holds */
    const struct sw_layout *layout; /* of a layout: one reference */
    size_t n;        /* entries of what follows */
    union {
        int64_t values[0];                 /* a permutation's */
        struct sw_swizzle_stage stages[0]; /* a swizzle's */
        struct sw_index_map *parts[0];     /* a product's children; a composition's maps, the innermost first */
    } own;
};

static inline int sw__is_index_map(const struct sw_index_map *map)
{
    return map != NULL && map->kind == SW_KIND_INDEX_MAP;
}

SW__DEFINE_CLEANUP(index_map, struct sw_index_map, sw_index_map_unref)
#define SW__OWNED_INDEX_MAP SW__CLEANUP(sw__cleanup_index_map)

/** TypeError about @what, a word of the sentence, when it is no index map. */
SW_NODISCARD enum sw_status sw__check_index_map(const struct sw_index_map *map, const char *what);

static inline int64_t sw__index_map_at(const struct sw_index_map *map, int64_t ordinal)
{
    return map->index_map_class->index(map, ordinal);
}

/**
 * sw__index_map_new - a map whose entries the caller fills in, zeroed.
 *
 * @n, @entry_bytes  Entries of `own`.
 * @shape            The domain, a shape of @size; shared.
 */
SW_NODISCARD enum sw_status sw__index_map_new(const struct sw__index_map_class *index_map_class, size_t n,
                                              size_t entry_bytes, const struct sw_tree *shape, int64_t size,
                                              struct sw_index_map **ret_map);

/** Let a map own one more part: parts[] is filled in order. ValueError when it would nest too deep. */
SW_NODISCARD enum sw_status sw__index_map_add_part(struct sw_index_map *map, struct sw_index_map *part);

/* Composition of two maps of one kind; *ret_map is NULL with SW_OK where it is none of that kind. */

SW_NODISCARD enum sw_status sw__permutation_compose(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                                    struct sw_index_map **ret_map);
SW_NODISCARD enum sw_status sw__swizzle_compose(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                                struct sw_index_map **ret_map);
SW_NODISCARD enum sw_status sw__product_compose(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                                struct sw_index_map **ret_map);

/** For kinds that are injective by construction. */
enum sw_status sw__index_map_injective(const struct sw_index_map *map, enum sw_answer *ret_answer);

#endif
