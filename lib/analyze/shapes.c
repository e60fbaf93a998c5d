/*
 * Shape lists: made from trees, their check, their text as Python writes it,
 * equality and hash.
 */
#include "config.h"

#include <string.h>

#include "analyze/analyze.h"
#include "analyze/builder.h"
#include "base/alloc.h"

#define MAX_NESTING 1024

/* How a list of shapes is written. */
struct syntax {
    const char *open;
    const char *close;
    const char *close_single; /* after one mode */
    const char *none;         /* for what is no tensor */
};

static const struct syntax tuples = { "(", ")", ",)", "None" };
static const struct syntax lists = { "[", "]", "]", "[]" };

/* One entry per open parenthesis. */
struct level {
    uint64_t left;    /* modes still to come */
    uint64_t n_modes; /* modes in all */
};

static int is_nested(int64_t node)
{
    return node <= SW__ANALYZE_SHAPE_NESTED_BOUND;
}

/* The nodes of one shape: modes one after the other until none is left. */
static int nodes_valid(const int64_t *nodes, uint64_t n_nodes)
{
    uint64_t left[MAX_NESTING];
    size_t depth = 0;

    for (uint64_t i = 0; i < n_nodes; i++) {
        while (depth > 0 && left[depth - 1] == 0)
            depth--;
        if (depth > 0)
            left[depth - 1]--;
        if (!is_nested(nodes[i])) {
            if (nodes[i] < 0)
                return 0;
            continue;
        }
        if (depth == MAX_NESTING)
            return 0;
        left[depth++] = (uint64_t)nodes[i] - (uint64_t)INT64_MIN;
    }
    while (depth > 0 && left[depth - 1] == 0)
        depth--;
    return depth == 0;
}

int sw__analyze_shapes_valid(const struct sw__analyze_shapes *list)
{
    uint64_t at = 0;

    for (uint32_t input = 0; input < list->n_inputs; input++) {
        if (at == list->n_words)
            return 0;
        int64_t count = list->words[at++];
        if (count == SW__ANALYZE_SHAPE_NONE)
            continue;
        if (count < 0 || (uint64_t)count > list->n_words - at)
            return 0;
        if (!nodes_valid(list->words + at, (uint64_t)count))
            return 0;
        at += (uint64_t)count;
    }
    return at == list->n_words;
}

/* Number of modes at the top of a valid shape. */
static uint64_t top_modes(const int64_t *nodes, uint64_t n_nodes)
{
    uint64_t n_modes = 0, open = 0;

    for (uint64_t i = 0; i < n_nodes; i++) {
        if (open == 0)
            n_modes++;
        else
            open--;
        if (is_nested(nodes[i]))
            open += (uint64_t)nodes[i] - (uint64_t)INT64_MIN;
    }
    return n_modes;
}

/* Close every parenthesis that is complete; after it the mode it belongs to is complete too. */
static enum sw_status close_levels(struct sw__builder *text, const struct syntax *syntax, const struct level *levels,
                                   size_t *depth)
{
    while (*depth > 0 && levels[*depth - 1].left == 0) {
        SW__TRY(sw__builder_string(text, levels[*depth - 1].n_modes == 1 ? syntax->close_single : syntax->close));
        (*depth)--;
    }
    return SW_OK;
}

static enum sw_status format_shape(struct sw__builder *text, const struct syntax *syntax, const int64_t *nodes,
                                   uint64_t n_nodes)
{
    struct level levels[MAX_NESTING + 1];
    size_t depth = 1;
    uint64_t n_top = top_modes(nodes, n_nodes);

    levels[0] = (struct level){ n_top, n_top };
    SW__TRY(sw__builder_string(text, syntax->open));
    for (uint64_t i = 0; i < n_nodes; i++) {
        struct level *level = &levels[depth - 1];
        if (level->left != level->n_modes)
            SW__TRY(sw__builder_string(text, ", "));
        level->left--;
        if (is_nested(nodes[i])) {
            uint64_t n_modes = (uint64_t)nodes[i] - (uint64_t)INT64_MIN;
            levels[depth++] = (struct level){ n_modes, n_modes };
            SW__TRY(sw__builder_string(text, syntax->open));
        } else {
            SW__TRY(sw__builder_integer(text, nodes[i]));
        }
        SW__TRY(close_levels(text, syntax, levels, &depth));
    }
    return close_levels(text, syntax, levels, &depth);
}

static enum sw_status format_list(struct sw__builder *text, const struct syntax *syntax,
                                  const struct sw__analyze_shapes *list)
{
    uint64_t at = 0;

    SW__TRY(sw__builder_string(text, syntax->open));
    for (uint32_t input = 0; input < list->n_inputs; input++) {
        int64_t count = list->words[at++];
        if (input != 0)
            SW__TRY(sw__builder_string(text, ", "));
        if (count == SW__ANALYZE_SHAPE_NONE) {
            SW__TRY(sw__builder_string(text, syntax->none));
            continue;
        }
        SW__TRY(format_shape(text, syntax, list->words + at, (uint64_t)count));
        at += (uint64_t)count;
    }
    return sw__builder_string(text, list->n_inputs == 1 ? syntax->close_single : syntax->close);
}

static enum sw_status format(const struct sw__analyze_shapes *list, const struct syntax *syntax, char **ret_text)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    if (list == NULL)
        SW__TRY(sw__builder_string(&text, "None"));
    else if (!sw__analyze_shapes_valid(list))
        return sw_error_set(SW_VALUE_ERROR, "a shape list of %u inputs in %u words is not well formed",
                            (unsigned)list->n_inputs, (unsigned)list->n_words);
    else
        SW__TRY(format_list(&text, syntax, list));
    return sw__builder_take(&text, ret_text);
}

enum sw_status sw__analyze_shapes_format(const struct sw__analyze_shapes *list, char **ret_text)
{
    return format(list, &tuples, ret_text);
}

enum sw_status sw__analyze_shapes_format_lists(const struct sw__analyze_shapes *list, char **ret_text)
{
    return format(list, &lists, ret_text);
}

enum sw_status sw__analyze_shapes_words(const struct sw_tree *const *trees, size_t n_trees, int64_t **ret_words,
                                        uint32_t *ret_n_words)
{
    size_t n = 0;

    for (size_t i = 0; i < n_trees; i++)
        n += 1 + (trees[i] != NULL ? trees[i]->n_nodes : 0);
    if (n > UINT32_MAX)
        return sw_error_set(SW_OVERFLOW_ERROR, "a list of shapes of %zu words", n);
    int64_t *words = sw__alloc(n * sizeof *words);
    int64_t *at = words;
    if (words == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n_trees; i++) {
        *at++ = trees[i] != NULL ? (int64_t)trees[i]->n_nodes : SW__ANALYZE_SHAPE_NONE;
        if (trees[i] == NULL)
            continue;
        memcpy(at, trees[i]->nodes, trees[i]->n_nodes * sizeof *at);
        at += trees[i]->n_nodes;
    }
    *ret_words = words;
    *ret_n_words = (uint32_t)n;
    return SW_OK;
}

int sw__analyze_shapes_equal(const struct sw__analyze_shapes *a, const struct sw__analyze_shapes *b)
{
    return a->n_inputs == b->n_inputs && a->n_words == b->n_words &&
           (a->n_words == 0 || memcmp(a->words, b->words, a->n_words * sizeof *a->words) == 0);
}

uint64_t sw__analyze_shapes_hash(const struct sw__analyze_shapes *list)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) ^ list->n_inputs;

    for (uint32_t i = 0; i < list->n_words; i++) {
        hash = (hash ^ (uint64_t)list->words[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}
