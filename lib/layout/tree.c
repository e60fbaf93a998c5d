/*
 * Trees of integers: making, sharing and asking them. Text is in tree_text.c,
 * what a tree means as a shape in shape.c.
 */
#include "config.h"

#include "layout/tree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/refs.h"
#include "layout/layout.h"

enum sw_status sw__not_a_tree(const char *what)
{
    return sw_error_set(SW_TYPE_ERROR, "%s is not a tree of integers", what);
}

/* Multiply and mix; no per-process seed, since reports compare hashes of different processes. */
static uint64_t hash_nodes(const int64_t *nodes, size_t n_nodes)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) ^ n_nodes;

    for (size_t i = 0; i < n_nodes; i++) {
        hash = (hash ^ (uint64_t)nodes[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

enum sw_status sw__tree_alloc(size_t n_nodes, struct sw_tree **ret_tree)
{
    if (n_nodes > SW_TREE_MAX_NODES)
        return sw_error_set(SW_VALUE_ERROR, "a tree of %zu entries is too large: at most %lld", n_nodes,
                            (long long)SW_TREE_MAX_NODES);
    struct sw_tree *tree = sw__alloc(sizeof *tree + n_nodes * sizeof tree->nodes[0]);
    if (tree == NULL)
        return SW_MEMORY_ERROR;
    tree->kind = SW_KIND_TREE;
    tree->n_refs = 1;
    tree->n_nodes = (uint32_t)n_nodes;
    *ret_tree = tree;
    return SW_OK;
}

static int has_nesting(const struct sw_tree *tree)
{
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (SW_TREE_IS_NESTED(tree->nodes[i]))
            return 1;
    return 0;
}

/* Count modes, leaves and depth of a tree that nests. */
static enum sw_status survey(struct sw_tree *tree)
{
    uint32_t missing[SW__TREE_MAX_DEPTH]; /* entries still to come, per open level */
    uint32_t level = 0, deepest = 0, n_modes = 0, n_leaves = 0;

    for (size_t i = 0; i < tree->n_nodes; i++) {
        int64_t node = tree->nodes[i];

        if (level == 0)
            n_modes++;
        else
            missing[level]--;
        if (!SW_TREE_IS_NESTED(node)) {
            n_leaves++;
        } else {
            if (++level >= SW__TREE_MAX_DEPTH)
                return sw_error_set(SW_VALUE_ERROR, "a tree nests deeper than %d levels", SW__TREE_MAX_DEPTH);
            missing[level] = SW_TREE_COUNT(node);
            deepest = level > deepest ? level : deepest;
        }
        while (level > 0 && missing[level] == 0)
            level--;
    }
    if (level > 0)
        return sw_error_set(SW_VALUE_ERROR, "a nested mode of a tree announces %u entries more than there are",
                            missing[level]);
    tree->n_modes = n_modes;
    tree->n_leaves = n_leaves;
    tree->depth = deepest + 1;
    return SW_OK;
}

enum sw_status sw__tree_seal(struct sw_tree *tree)
{
    if (has_nesting(tree)) {
        SW__TRY(survey(tree));
    } else {
        tree->n_modes = tree->n_nodes;
        tree->n_leaves = tree->n_nodes;
        tree->depth = 1;
    }
    tree->hash = hash_nodes(tree->nodes, tree->n_nodes);
    return SW_OK;
}

void sw__tree_seal_like(struct sw_tree *tree, const struct sw_tree *model)
{
    tree->n_modes = model->n_modes;
    tree->n_leaves = model->n_leaves;
    tree->depth = model->depth;
    tree->hash = hash_nodes(tree->nodes, tree->n_nodes);
}

enum sw_status sw_tree_new(const int64_t *nodes, size_t n_nodes, struct sw_tree **ret_tree)
{
    struct sw_tree *tree SW__OWNED_TREE = NULL;

    if (nodes == NULL && n_nodes > 0)
        return sw_error_set(SW_TYPE_ERROR, "the entries of a tree are NULL");
    SW__TRY(sw__tree_alloc(n_nodes, &tree));
    if (n_nodes > 0)
        memcpy(tree->nodes, nodes, n_nodes * sizeof nodes[0]);
    SW__TRY(sw__tree_seal(tree));
    *ret_tree = sw__take(tree);
    return SW_OK;
}

enum sw_status sw_tree_flat(const int64_t *leaves, size_t n_leaves, struct sw_tree **ret_tree)
{
    for (size_t i = 0; leaves != NULL && i < n_leaves; i++)
        if (SW_TREE_IS_NESTED(leaves[i]))
            return sw_error_set(SW_VALUE_ERROR, "leaf %zu of a flat tree, %lld, is below the range of leaves", i,
                                (long long)leaves[i]);
    return sw_tree_new(leaves, n_leaves, ret_tree);
}

struct sw_tree *sw_tree_ref(const struct sw_tree *tree)
{
    struct sw_tree *counted = (struct sw_tree *)tree;

    if (counted != NULL)
        sw__refs_get(&counted->n_refs);
    return counted;
}

void sw_tree_unref(const struct sw_tree *tree)
{
    struct sw_tree *counted = (struct sw_tree *)tree;

    if (counted != NULL && sw__refs_put(&counted->n_refs))
        sw__free(counted);
}

size_t sw_tree_n_modes(const struct sw_tree *tree)
{
    return sw__is_tree(tree) ? tree->n_modes : 0;
}

size_t sw_tree_n_leaves(const struct sw_tree *tree)
{
    return sw__is_tree(tree) ? tree->n_leaves : 0;
}

size_t sw_tree_depth(const struct sw_tree *tree)
{
    return sw__is_tree(tree) ? tree->depth : 0;
}

enum sw_status sw_tree_leaf(const struct sw_tree *tree, size_t leaf, int64_t *ret_value)
{
    SW__TRY(sw__check_tree(tree, "the argument"));
    if (leaf >= tree->n_leaves)
        return sw_error_set(SW_INDEX_ERROR, "there is no leaf %zu in a tree of %u leaves", leaf, tree->n_leaves);
    size_t node = leaf;
    if (!sw__tree_is_flat(tree)) {
        node = 0;
        for (size_t before = leaf; SW_TREE_IS_NESTED(tree->nodes[node]) || before-- > 0;)
            node++;
    }
    *ret_value = tree->nodes[node];
    return SW_OK;
}

enum sw_status sw_tree_mode(const struct sw_tree *tree, size_t mode, struct sw_tree **ret_tree)
{
    SW__TRY(sw__check_tree(tree, "the argument"));
    if (mode >= tree->n_modes)
        return sw_error_set(SW_INDEX_ERROR, "there is no mode %zu in a tree of %u modes", mode, tree->n_modes);
    size_t begin = sw__tree_mode_node(tree, mode);
    size_t end = sw__tree_next(tree->nodes, begin);
    if (SW_TREE_IS_NESTED(tree->nodes[begin]))
        begin++;
    return sw_tree_new(tree->nodes + begin, end - begin, ret_tree);
}

int sw_tree_equal(const struct sw_tree *a, const struct sw_tree *b)
{
    if (!sw__is_tree(a) || !sw__is_tree(b))
        return 0;
    return a == b || (a->hash == b->hash && a->n_nodes == b->n_nodes &&
                      memcmp(a->nodes, b->nodes, a->n_nodes * sizeof a->nodes[0]) == 0);
}

int sw__tree_congruent(const struct sw_tree *a, const struct sw_tree *b)
{
    if (a->n_nodes != b->n_nodes || a->n_leaves != b->n_leaves || a->depth != b->depth)
        return 0;
    for (size_t i = 0; a->depth > 1 && i < a->n_nodes; i++)
        if (a->nodes[i] != b->nodes[i] && (SW_TREE_IS_NESTED(a->nodes[i]) || SW_TREE_IS_NESTED(b->nodes[i])))
            return 0;
    return 1;
}

int sw_tree_congruent(const struct sw_tree *a, const struct sw_tree *b)
{
    return sw__is_tree(a) && sw__is_tree(b) && sw__tree_congruent(a, b);
}
