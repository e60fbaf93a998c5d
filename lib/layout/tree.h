/*
 * Trees from the inside: how they are made and walked. The node form itself is
 * public and described at struct sw_tree.
 */
#ifndef LAYOUT_TREE_H
#define LAYOUT_TREE_H

#include <strideweave/hooks.h>
#include <strideweave/tree.h>

#include "base/cleanup.h"

/** Deepest nesting of a tree: what bounds the recursion of everything that walks one. */
#define SW__TREE_MAX_DEPTH 1000

/** Record that @what (a word of the sentence) is no tree; returns SW_TYPE_ERROR. */
enum sw_status sw__not_a_tree(const char *what) __attribute__((cold));

static inline int sw__is_tree(const struct sw_tree *tree)
{
    return tree != NULL && tree->kind == SW_KIND_TREE;
}

static inline enum sw_status sw__check_tree(const struct sw_tree *tree, const char *what)
{
    return __builtin_expect(sw__is_tree(tree), 1) ? SW_OK : sw__not_a_tree(what);
}

static inline int sw__tree_is_flat(const struct sw_tree *tree)
{
    return tree->n_nodes == tree->n_leaves;
}

/** Exactly one mode, and it is a leaf. */
static inline int sw__tree_is_leaf(const struct sw_tree *tree)
{
    return tree->n_nodes == 1 && tree->n_leaves == 1;
}

/** Where the subtree that begins at @node ends. */
static inline size_t sw__tree_next(const int64_t *nodes, size_t node)
{
    for (size_t pending = 1; pending > 0; node++) {
        pending--;
        if (SW_TREE_IS_NESTED(nodes[node]))
            pending += SW_TREE_COUNT(nodes[node]);
    }
    return node;
}

/** Where top-level mode @mode begins; @mode may be the number of modes: the end. */
static inline size_t sw__tree_mode_node(const struct sw_tree *tree, size_t mode)
{
    size_t node = 0;

    if (sw__tree_is_flat(tree))
        return mode;
    while (mode-- > 0)
        node = sw__tree_next(tree->nodes, node);
    return node;
}

/** A tree whose nodes the caller fills in and then seals. ValueError above SW_TREE_MAX_NODES. */
SW_NODISCARD enum sw_status sw__tree_alloc(size_t n_nodes, struct sw_tree **ret_tree);
/** Check the nodes and derive the rest from them. ValueError when they are no tree or nest too deep. */
SW_NODISCARD enum sw_status sw__tree_seal(struct sw_tree *tree);
/** Seal a tree that is congruent with @model. */
void sw__tree_seal_like(struct sw_tree *tree, const struct sw_tree *model);

/** Whether the nestings of @a and @b are the same. */
int sw__tree_congruent(const struct sw_tree *a, const struct sw_tree *b);

/** Read one tree that begins at text[*position]; on success *position is where it ends, blanks skipped. */
SW_NODISCARD enum sw_status sw__tree_read(const char *text, size_t *position, struct sw_tree **ret_tree);
/** Bytes that are enough for sw__tree_print(). */
size_t sw__tree_print_bytes(const struct sw_tree *tree);
/** Write the text form at @text, with no terminator; returns its end. */
char *sw__tree_print(const struct sw_tree *tree, char *text);

#endif
