/*
 * Products: index maps side by side. Ordinals are taken apart by the children's
 * sizes, indices put together by their codomain sizes.
 */
#include "config.h"

#include "base/alloc.h"
#include "layout/index_map.h"
#include "layout/leaf.h"
#include "layout/nodes.h"
#include "layout/tree.h"

static int64_t product_index(const struct sw_index_map *map, int64_t ordinal)
{
    int64_t index = 0, step = 1;

    for (size_t i = 0; i < map->n; i++) {
        const struct sw_index_map *child = map->own.parts[i];

        index += step * sw__index_map_at(child, ordinal % child->size);
        ordinal /= child->size;
        step *= child->codomain_size;
    }
    return index;
}

static enum sw_status product_is_injective(const struct sw_index_map *map, enum sw_answer *ret_answer)
{
    enum sw_answer all = SW_ANSWER_YES, answer;

    for (size_t i = 0; i < map->n && all != SW_ANSWER_NO; i++) {
        SW__TRY(sw_index_map_is_injective(map->own.parts[i], &answer));
        if (answer != SW_ANSWER_YES)
            all = answer;
    }
    *ret_answer = all;
    return SW_OK;
}

static int product_is_identity(const struct sw_index_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (!map->own.parts[i]->index_map_class->is_identity(map->own.parts[i]))
            return 0;
    return 1;
}

static const struct sw__index_map_class product_kind = {
    .kind = SW_INDEX_MAP_PRODUCT,
    .index = product_index,
    .is_injective = product_is_injective,
    .is_identity = product_is_identity,
};

/* One mode: the child's shape, nested unless it is a single leaf. */
static void push_domain(struct sw__nodes *nodes, const struct sw_tree *shape)
{
    if (!sw__tree_is_leaf(shape))
        sw__nodes_push(nodes, SW_TREE_NESTED(shape->n_modes));
    for (uint32_t i = 0; i < shape->n_nodes; i++)
        sw__nodes_push(nodes, shape->nodes[i]);
}

static enum sw_status domain_of(struct sw_index_map *const *children, size_t n, struct sw_tree **ret_shape)
{
    struct sw__nodes nodes SW__CLEANUP(sw__nodes_clear);

    sw__nodes_init(&nodes);
    for (size_t i = 0; i < n; i++)
        push_domain(&nodes, children[i]->shape);
    SW__TRY(nodes.status);
    return sw_tree_new(nodes.at, nodes.n, ret_shape);
}

static enum sw_status build(struct sw_index_map *const *children, size_t n, struct sw_index_map **ret_map)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_index_map *map SW__OWNED_INDEX_MAP = NULL;
    int64_t size = 1, codomain_size = 1;

    for (size_t i = 0; i < n; i++) {
        SW__TRY(sw__leaf_product(size, children[i]->size, "the size of a product", &size));
        SW__TRY(sw__leaf_product(codomain_size, children[i]->codomain_size, "the codomain size of a product",
                                 &codomain_size));
    }
    SW__TRY(domain_of(children, n, &shape));
    SW__TRY(sw__index_map_new(&product_kind, n, sizeof *children, shape, size, &map));
    map->codomain_size = codomain_size;
    for (size_t i = 0; i < n; i++)
        SW__TRY(sw__index_map_add_part(map, children[i]));
    *ret_map = sw__take(map);
    return SW_OK;
}

enum sw_status sw_index_map_product(struct sw_index_map *const *children, size_t n, struct sw_index_map **ret_map)
{
    if (n < 2)
        return sw_error_set(SW_VALUE_ERROR, "a product has at least two children, not %zu", n);
    if (children == NULL)
        return sw_error_set(SW_TYPE_ERROR, "the children are NULL");
    if (n > (size_t)SW_TREE_MAX_NODES)
        return sw_error_set(SW_VALUE_ERROR, "a product of %zu children is more than a shape can have", n);
    for (size_t i = 0; i < n; i++)
        SW__TRY(sw__check_index_map(children[i], "a child of a product"));
    return build(children, n, ret_map);
}

/* Child by child, when each inner child covers just what the outer child of its place takes apart. */
static int fits(const struct sw_index_map *outer, const struct sw_index_map *inner)
{
    if (outer->n != inner->n)
        return 0;
    for (size_t i = 0; i < outer->n; i++)
        if (inner->own.parts[i]->codomain_size != outer->own.parts[i]->size)
            return 0;
    return 1;
}

struct children {
    size_t n;
    struct sw_index_map **at;
};

static void release(struct children *children)
{
    for (size_t i = 0; i < children->n; i++)
        sw_index_map_unref(children->at[i]);
    sw__free(children->at);
}

enum sw_status sw__product_compose(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                   struct sw_index_map **ret_map)
{
    struct children composed SW__CLEANUP(release) = { 0, NULL };

    *ret_map = NULL;
    if (!fits(outer, inner))
        return SW_OK;
    composed.at = sw__alloc(outer->n * sizeof *composed.at);
    if (composed.at == NULL)
        return SW_MEMORY_ERROR;
    for (; composed.n < outer->n; composed.n++)
        SW__TRY(sw_index_map_compose(outer->own.parts[composed.n], inner->own.parts[composed.n],
                                     &composed.at[composed.n]));
    return build(composed.at, composed.n, ret_map);
}
