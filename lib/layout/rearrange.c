/*
 * Rearranging by trees: a selection names subtrees of a layout, an output tree
 * says where each of them goes.
 */
#include "config.h"

#include "base/alloc.h"
#include "layout/builder.h"
#include "layout/leaf.h"
#include "layout/make.h"

/* Modes are named, by the node of a nested tree, where the layout has the node @found. */
static enum sw_status mismatch(int64_t named, int64_t found)
{
    if (!SW_TREE_IS_NESTED(found))
        return sw_error_set(SW_VALUE_ERROR, "a selection or command names %u modes where the layout has a leaf",
                            SW_TREE_COUNT(named));
    return sw_error_set(SW_VALUE_ERROR, "a selection or command names %u modes where the layout has %u",
                        SW_TREE_COUNT(named), SW_TREE_COUNT(found));
}

static enum sw_status check_top(const struct sw_tree *selection, const struct sw_tree *shape)
{
    if (selection->n_modes == shape->n_modes)
        return SW_OK;
    return mismatch(SW_TREE_NESTED(selection->n_modes), SW_TREE_NESTED(shape->n_modes));
}

/*
 * Walk a selection beside the layout's entries. On entry *node is where the
 * subtree of the selection's entry begins; a leaf steps over the subtree.
 */
static enum sw_status step(const int64_t *nodes, int64_t entry, size_t *node)
{
    if (SW_TREE_IS_NESTED(entry)) {
        if (nodes[*node] != entry)
            return mismatch(entry, nodes[*node]);
        (*node)++;
        return SW_OK;
    }
    if (entry != SW_TREE_ANY)
        return sw_error_set(SW_VALUE_ERROR, "a leaf of a selection tree is %lld, it must be '*'", (long long)entry);
    *node = sw__tree_next(nodes, *node);
    return SW_OK;
}

struct coalescing {
    struct sw__layout_builder builder;
    const struct sw__modes *modes; /* of the layout */
    const int64_t *entry;          /* next of the selection */
    size_t node;                   /* next of the layout */
};

static void clear_coalescing(struct coalescing *work)
{
    sw__layout_builder_clear(&work->builder);
}

/* Like the two functions after it, gives the number of modes that came of it. */
static size_t coalesce_subtree(struct coalescing *work, size_t begin, size_t end)
{
    struct sw__layout_builder *builder = &work->builder;
    size_t place = sw__layout_builder_open(builder);

    if (sw__layout_builder_status(builder) != SW_OK)
        return 0;
    for (size_t i = begin; i < end; i++)
        if (!SW_TREE_IS_NESTED(work->modes->extents[i]))
            sw__layout_builder_coalesce(builder, place + 1, work->modes->extents[i], work->modes->strides[i]);
    return sw__layout_builder_append(builder, place, builder->extents.n - place - 1);
}

static enum sw_status coalesce_modes(struct coalescing *work, size_t n_modes, size_t *ret_n)
{
    size_t n = 0, n_inner;

    for (size_t mode = 0; mode < n_modes; mode++) {
        int64_t entry = *work->entry++;
        size_t begin = work->node;

        SW__TRY(step(work->modes->extents, entry, &work->node));
        if (!SW_TREE_IS_NESTED(entry)) {
            n += coalesce_subtree(work, begin, work->node);
            continue;
        }
        size_t place = sw__layout_builder_open(&work->builder);
        SW__TRY(coalesce_modes(work, SW_TREE_COUNT(entry), &n_inner));
        n += sw__layout_builder_append(&work->builder, place, n_inner);
    }
    *ret_n = n;
    return SW_OK;
}

enum sw_status sw_layout_coalesce_by_mode(const struct sw_layout *layout, const struct sw_tree *selection,
                                          struct sw_layout **ret_layout)
{
    struct coalescing work SW__CLEANUP(clear_coalescing);
    size_t n;

    sw__layout_builder_init(&work.builder);
    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__check_tree(selection, "the selection"));
    SW__TRY(check_top(selection, layout->shape));
    struct sw__modes modes = sw__modes_of(layout);
    work.modes = &modes;
    work.entry = selection->nodes;
    work.node = 0;
    SW__TRY(coalesce_modes(&work, selection->n_modes, &n));
    return sw__layout_builder_finish(&work.builder, ret_layout);
}

/* A subtree that a leaf of the selection names. */
struct extract {
    size_t node;
    int is_used;
};

struct rearranging {
    struct sw__layout_builder builder;
    struct extract *extracts;
    size_t n_extracts;
    const struct sw__modes *modes; /* of the layout */
    const int64_t *entry;          /* next of the output */
};

static void clear_rearranging(struct rearranging *work)
{
    sw__layout_builder_clear(&work->builder);
    sw__free(work->extracts);
}

/* Without a selection every leaf is extracted. */
static void extract_leaves(const struct sw_tree *shape, struct extract *extracts)
{
    for (size_t node = 0; node < shape->n_nodes; node++)
        if (!SW_TREE_IS_NESTED(shape->nodes[node]))
            *extracts++ = (struct extract){ node, 0 };
}

static enum sw_status extract_selected(const struct sw_tree *shape, const struct sw_tree *selection,
                                       struct extract *extracts)
{
    size_t node = 0;

    SW__TRY(check_top(selection, shape));
    for (size_t i = 0; i < selection->n_nodes; i++) {
        size_t begin = node;

        SW__TRY(step(shape->nodes, selection->nodes[i], &node));
        if (!SW_TREE_IS_NESTED(selection->nodes[i]))
            *extracts++ = (struct extract){ begin, 0 };
    }
    return SW_OK;
}

static enum sw_status extract(const struct sw_layout *layout, const struct sw_tree *selection, struct rearranging *work)
{
    size_t n = selection != NULL ? selection->n_leaves : layout->n_leaves;

    work->extracts = sw__alloc(n * sizeof work->extracts[0]);
    if (work->extracts == NULL)
        return SW_MEMORY_ERROR;
    work->n_extracts = n;
    if (selection != NULL)
        return extract_selected(layout->shape, selection, work->extracts);
    extract_leaves(layout->shape, work->extracts);
    return SW_OK;
}

static enum sw_status place_extract(struct rearranging *work, int64_t id, size_t *ret_n)
{
    if (id == SW_TREE_ANY) {
        sw__layout_builder_leaf(&work->builder, 1, 0);
        *ret_n = 1;
        return SW_OK;
    }
    if (id < 0 || (uint64_t)id >= work->n_extracts)
        return sw_error_set(SW_VALUE_ERROR, "the output tree names part %lld of %zu parts", (long long)id,
                            work->n_extracts);
    if (work->extracts[id].is_used)
        return sw_error_set(SW_VALUE_ERROR, "the output tree names part %lld twice", (long long)id);
    work->extracts[id].is_used = 1;
    struct sw__modes part = sw__modes_content(work->modes, work->extracts[id].node);
    size_t place = sw__layout_builder_open(&work->builder);
    sw__layout_builder_copy(&work->builder, &part);
    *ret_n = sw__layout_builder_append(&work->builder, place, part.n_modes);
    return SW_OK;
}

static enum sw_status place_modes(struct rearranging *work, size_t n_modes, size_t *ret_n)
{
    size_t n = 0, n_inner;

    for (size_t mode = 0; mode < n_modes; mode++) {
        int64_t entry = *work->entry++;

        if (!SW_TREE_IS_NESTED(entry)) {
            SW__TRY(place_extract(work, entry, &n_inner));
            n += n_inner;
            continue;
        }
        size_t place = sw__layout_builder_open(&work->builder);
        SW__TRY(place_modes(work, SW_TREE_COUNT(entry), &n_inner));
        n += sw__layout_builder_append(&work->builder, place, n_inner);
    }
    *ret_n = n;
    return SW_OK;
}

static enum sw_status check_unused(const struct rearranging *work)
{
    for (size_t i = 0; i < work->n_extracts; i++) {
        struct sw__modes part = sw__modes_whole(work->modes, work->extracts[i].node);
        int64_t size = sw__nodes_size(part.extents, part.n_nodes);

        if (!work->extracts[i].is_used && size != 1)
            return sw_error_set(SW_VALUE_ERROR, "the output tree leaves out part %zu, which has size %lld", i,
                                (long long)size);
    }
    return SW_OK;
}

enum sw_status sw_layout_rearrange(const struct sw_layout *layout, const struct sw_tree *output,
                                   const struct sw_tree *selection, struct sw_layout **ret_layout)
{
    struct rearranging work SW__CLEANUP(clear_rearranging);
    size_t n;

    work.extracts = NULL;
    sw__layout_builder_init(&work.builder);
    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__check_tree(output, "the output"));
    if (selection != NULL)
        SW__TRY(sw__check_tree(selection, "the selection"));
    SW__TRY(extract(layout, selection, &work));
    struct sw__modes modes = sw__modes_of(layout);
    work.modes = &modes;
    work.entry = output->nodes;
    SW__TRY(place_modes(&work, output->n_modes, &n));
    SW__TRY(check_unused(&work));
    return sw__layout_builder_finish(&work.builder, ret_layout);
}
