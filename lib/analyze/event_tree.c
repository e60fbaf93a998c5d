/*
 * The tree of a list from its intervals, as PyTorch finds it; what was recorded
 * with depths has its tree already (nest.c).
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "analyze/event_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Of each row, in arrays beside the rows. */
struct tree {
    struct sw_event_list *list;
    uint32_t *order;   /* rows by node, thread, start, longer first */
    uint32_t *stack;   /* open ones of a thread */
    uint32_t *child;   /* the first child */
    uint32_t *sibling; /* the next child of the same parent */
    uint32_t *n_children;
};

static void tree_clear(struct tree *tree)
{
    sw__free(tree->order);
    sw__free(tree->stack);
    sw__free(tree->child);
    sw__free(tree->sibling);
    sw__free(tree->n_children);
}

static enum sw_status tree_init(struct tree *tree, struct sw_event_list *list)
{
    size_t n = list->n_rows;

    tree->list = list;
    tree->order = sw__alloc(n * sizeof *tree->order);
    tree->stack = sw__alloc(n * sizeof *tree->stack);
    tree->child = sw__alloc(n * sizeof *tree->child);
    tree->sibling = sw__alloc(n * sizeof *tree->sibling);
    tree->n_children = sw__alloc_zero(n * sizeof *tree->n_children);
    if (tree->order == NULL || tree->stack == NULL || tree->child == NULL || tree->sibling == NULL ||
        tree->n_children == NULL)
        return SW_MEMORY_ERROR;
    memset(tree->child, 0xff, n * sizeof *tree->child); /* SW__ANALYZE_NONE */
    memset(tree->sibling, 0xff, n * sizeof *tree->sibling);
    return SW_OK;
}

static int64_t end_of(const struct sw__function *row)
{
    return row->start_ns + row->total_ns;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b, void *rows)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct sw__function *left = (const struct sw__function *)rows + i;
    const struct sw__function *right = (const struct sw__function *)rows + k;
    int order = compare(left->node_id, right->node_id);

    if (order == 0)
        order = compare(left->thread_id, right->thread_id);
    if (order == 0)
        order = compare(left->start_ns, right->start_ns);
    if (order == 0)
        order = compare(end_of(right), end_of(left));
    return order != 0 ? order : compare(i, k);
}

/* Synchronous rows, thread by thread. */
static size_t put_in_order(struct tree *tree)
{
    size_t n = 0;

    for (size_t i = 0; i < tree->list->n_rows; i++)
        if (!(tree->list->rows[i].flags & SW__FUNCTION_ASYNC))
            tree->order[n++] = (uint32_t)i;
    if (n > 1)
        qsort_r(tree->order, n, sizeof *tree->order, by_place, tree->list->rows);
    return n;
}

static int encloses(const struct sw__function *parent, const struct sw__function *row)
{
    return parent->thread_id == row->thread_id && parent->node_id == row->node_id &&
           row->start_ns < end_of(parent) && end_of(row) <= end_of(parent);
}

static void find_parents(struct tree *tree)
{
    struct sw__function *rows = tree->list->rows;
    size_t n = put_in_order(tree), depth = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t at = tree->order[i];
        while (depth > 0 && !encloses(&rows[tree->stack[depth - 1]], &rows[at]))
            depth--;
        if (depth > 0) {
            uint32_t parent = tree->stack[depth - 1];
            rows[at].parent = parent;
            tree->sibling[at] = tree->child[parent];
            tree->child[parent] = at;
            tree->n_children[parent]++;
        }
        tree->stack[depth++] = at;
    }
}

/* An only child of the same name goes, and its children are its parent's. */
static int is_duplicate(const struct tree *tree, uint32_t at)
{
    const struct sw__function *rows = tree->list->rows;
    uint32_t parent = rows[at].parent;

    return parent != SW__ANALYZE_NONE && tree->n_children[parent] == 1 &&
           strcmp(tree->list->names->dispatches[rows[parent].dispatch].name,
                  tree->list->names->dispatches[rows[at].dispatch].name) == 0;
}

static void lift_children(struct tree *tree, uint32_t at)
{
    struct sw__function *rows = tree->list->rows;
    uint32_t parent = rows[at].parent;

    tree->child[parent] = tree->child[at];
    tree->n_children[parent] = tree->n_children[at];
    for (uint32_t child = tree->child[at]; child != SW__ANALYZE_NONE; child = tree->sibling[child])
        rows[child].parent = parent;
}

/* The stack is no longer needed: it marks what has gone. Until nothing changes, as order may matter. */
static void remove_duplicates(struct tree *tree)
{
    uint32_t *gone = tree->stack;
    int has_changed = 1;

    memset(gone, 0, tree->list->n_rows * sizeof *gone);
    while (has_changed) {
        has_changed = 0;
        for (uint32_t at = 0; at < tree->list->n_rows; at++) {
            if (gone[at] || !is_duplicate(tree, at))
                continue;
            lift_children(tree, at);
            gone[at] = 1;
            has_changed = 1;
        }
    }
}

static void subtract(int64_t *value, int64_t part)
{
    if (__builtin_sub_overflow(*value, part, value))
        *value = part > 0 ? INT64_MIN : INT64_MAX;
}

static void settle_self(struct tree *tree)
{
    struct sw__function *rows = tree->list->rows;

    for (uint32_t at = 0; at < tree->list->n_rows; at++) {
        if (tree->stack[at] || rows[at].parent == SW__ANALYZE_NONE)
            continue;
        rows[at].flags |= SW__FUNCTION_NESTED;
        subtract(&rows[rows[at].parent].self_ns, rows[at].total_ns);
        subtract(&rows[rows[at].parent].self_memory_bytes, rows[at].memory_bytes);
    }
}

/* Rows move up to the places of those that have gone; parents follow. */
static void close_ranks(struct tree *tree)
{
    struct sw_event_list *list = tree->list;
    uint32_t *new_place = tree->order;
    uint32_t n = 0;

    for (uint32_t at = 0; at < list->n_rows; at++)
        new_place[at] = tree->stack[at] ? SW__ANALYZE_NONE : n++;
    for (uint32_t at = 0; at < list->n_rows; at++) {
        if (tree->stack[at])
            continue;
        struct sw__function row = list->rows[at];
        if (row.parent != SW__ANALYZE_NONE)
            row.parent = new_place[row.parent];
        list->rows[new_place[at]] = row;
    }
    list->n_rows = n;
}

static enum sw_status check_has_no_tree(const struct sw_event_list *list)
{
    for (size_t i = 0; i < list->n_rows; i++)
        if (list->rows[i].parent != SW__ANALYZE_NONE || list->is_averages)
            return sw_error_set(SW_RUNTIME_ERROR, "there is already a CPU parent event for '%s'",
                                list->names->dispatches[list->rows[i].dispatch].name);
    return SW_OK;
}

enum sw_status sw_event_list_build_tree(struct sw_event_list *list)
{
    struct tree tree SW__CLEANUP(tree_clear) = { .list = NULL };

    SW__TRY(sw__event_list_check(list));
    SW__TRY(check_has_no_tree(list));
    SW__TRY(tree_init(&tree, list));
    find_parents(&tree);
    remove_duplicates(&tree);
    settle_self(&tree);
    close_ranks(&tree);
    list->tree_is_built = 1;
    return SW_OK;
}
