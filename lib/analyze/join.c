/*
 * One loop for all kinds of things that are joined: a hash, and a comparison.
 */
#include "config.h"

#include "analyze/join.h"

#include <string.h>

#include "analyze/index_table.h"
#include "base/alloc.h"

struct joining {
    const struct sw__analyze_names *names;
    enum sw__grouping grouping; /* of dispatches */
    size_t n_entries;           /* of stacks */
};

typedef uint64_t hash_one(const struct joining *joining, size_t index);
typedef int is_equal(const struct joining *joining, size_t a, size_t b);

static enum sw_status join(const struct joining *joining, size_t n, hash_one *hash_of, is_equal *equal,
                           uint32_t **ret_first)
{
    struct sw__index_table table SW__OWNED_INDEX_TABLE = { NULL, 0, 0 };
    uint32_t *first SW__OWNED = sw__alloc(n * sizeof *first);

    if (first == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++) {
        uint64_t hash = hash_of(joining, i);
        struct sw__index_probe probe = sw__index_probe(&table, hash);
        uint32_t other;
        while ((other = sw__index_next(&probe)) != SW__ANALYZE_NONE)
            if (equal(joining, other, i))
                break;
        if (other == SW__ANALYZE_NONE)
            SW__TRY(sw__index_put(&table, hash, (uint32_t)i));
        first[i] = other != SW__ANALYZE_NONE ? other : (uint32_t)i;
    }
    *ret_first = sw__take(first);
    return SW_OK;
}

static uint64_t hash_dispatch(const struct joining *joining, size_t index)
{
    const struct sw__analyze_dispatch *dispatch = &joining->names->dispatches[index];
    uint64_t hash = sw__hash_text(SW__HASH_BEGIN, dispatch->name);

    return joining->grouping & SW__GROUP_ANY_CARRIER ? hash : sw__hash_number(hash, dispatch->carrier);
}

static int dispatches_equal(const struct joining *joining, size_t a, size_t b)
{
    const struct sw__analyze_dispatch *left = &joining->names->dispatches[a], *right = &joining->names->dispatches[b];

    if (strcmp(left->name, right->name) != 0)
        return 0;
    if (!(joining->grouping & SW__GROUP_ANY_CARRIER) && left->carrier != right->carrier)
        return 0;
    return !(joining->grouping & SW__GROUP_BY_IMPLEMENTATION) ||
           (strcmp(left->implementation_name, right->implementation_name) == 0 &&
            strcmp(left->implementation_module, right->implementation_module) == 0);
}

enum sw_status sw__join_dispatches(const struct sw__analyze_names *names, enum sw__grouping grouping,
                                   uint32_t **ret_first)
{
    const struct joining joining = { .names = names, .grouping = grouping };

    return join(&joining, names->n_dispatches, hash_dispatch, dispatches_equal, ret_first);
}

static uint64_t hash_shapes(const struct joining *joining, size_t index)
{
    return sw__analyze_shapes_hash(&joining->names->shapes[index]);
}

static int shapes_equal(const struct joining *joining, size_t a, size_t b)
{
    return sw__analyze_shapes_equal(&joining->names->shapes[a], &joining->names->shapes[b]);
}

enum sw_status sw__join_shapes(const struct sw__analyze_names *names, uint32_t **ret_first)
{
    const struct joining joining = { .names = names };

    return join(&joining, names->n_shapes, hash_shapes, shapes_equal, ret_first);
}

static size_t entries_of(const struct joining *joining, size_t index)
{
    size_t n = joining->names->stacks[index].n_entries;

    return n < joining->n_entries ? n : joining->n_entries;
}

static uint64_t hash_stack(const struct joining *joining, size_t index)
{
    uint64_t hash = SW__HASH_BEGIN;

    for (size_t i = 0; i < entries_of(joining, index); i++)
        hash = sw__hash_text(hash, joining->names->stacks[index].entries[i]);
    return hash;
}

static int stacks_equal(const struct joining *joining, size_t a, size_t b)
{
    const struct sw__analyze_stack *left = &joining->names->stacks[a], *right = &joining->names->stacks[b];

    if (entries_of(joining, a) != entries_of(joining, b))
        return 0;
    for (size_t i = 0; i < entries_of(joining, a); i++)
        if (strcmp(left->entries[i], right->entries[i]) != 0)
            return 0;
    return 1;
}

enum sw_status sw__join_stacks(const struct sw__analyze_names *names, size_t n_entries, uint32_t **ret_first)
{
    const struct joining joining = { .names = names, .n_entries = n_entries };

    return join(&joining, names->n_stacks, hash_stack, stacks_equal, ret_first);
}
