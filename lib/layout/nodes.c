/*
 * Growth of the list of tree entries.
 */
#include "config.h"

#include "layout/nodes.h"

#include <strideweave/hooks.h>

#include <string.h>

#include "base/alloc.h"

void sw__nodes_clear(struct sw__nodes *nodes)
{
    if (nodes->at != nodes->fixed)
        sw__free(nodes->at);
    sw__nodes_init(nodes);
}

/* No further push may succeed by what room is left. */
static int fail(struct sw__nodes *nodes, enum sw_status status)
{
    nodes->status = status;
    nodes->capacity = nodes->n;
    return 0;
}

int sw__nodes_reserve(struct sw__nodes *nodes, size_t n_more)
{
    if (nodes->status != SW_OK)
        return 0;
    if (n_more <= nodes->capacity - nodes->n)
        return 1;
    if (n_more > SW_TREE_MAX_NODES || nodes->n + n_more > SW_TREE_MAX_NODES)
        return fail(nodes, sw_error_set(SW_VALUE_ERROR, "a tree would have more than %lld entries",
                                        (long long)SW_TREE_MAX_NODES));
    size_t capacity = nodes->capacity * 2;
    if (capacity < nodes->n + n_more)
        capacity = nodes->n + n_more;
    int is_fixed = nodes->at == nodes->fixed;
    int64_t *larger = sw__realloc(is_fixed ? NULL : nodes->at, capacity * sizeof larger[0]);
    if (larger == NULL)
        return fail(nodes, SW_MEMORY_ERROR);
    if (is_fixed)
        memcpy(larger, nodes->fixed, nodes->n * sizeof larger[0]);
    nodes->at = larger;
    nodes->capacity = capacity;
    return 1;
}
