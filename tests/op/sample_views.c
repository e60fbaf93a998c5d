/*
 * Samples of views: arguments for each of them.
 */
#include "config.h"

#include "op_test.h"
#include "sample_parts.h"

static const struct sw_tree *viewed(const struct sample *sample)
{
    return sample->operands[0].layout->shape;
}

static void view_broadcast_to(struct sample *sample, struct sample_random *random)
{
    if (one_in(random, 12))
        add_tree(sample, random_shape(random, viewed(sample)->n_modes));
    else
        add_tree(sample, one_in(random, 12) ? narrowed(viewed(sample), random) : widened(viewed(sample), random));
}

static size_t shuffled(size_t n, int64_t *order, struct sample_random *random)
{
    for (size_t i = 0; i < n; i++) {
        const size_t other = (size_t)sample_below(random, (int64_t)i + 1);
        order[i] = order[other];
        order[other] = (int64_t)i;
    }
    return n;
}

static void view_permute(struct sample *sample, struct sample_random *random)
{
    int64_t order[MAX_MODES + 1] = { 0 };
    const size_t rank = viewed(sample)->n_modes, n = shuffled(rank, order, random) + (size_t)one_in(random, 20);

    if (n > 0 && one_in(random, 12))
        order[sample_below(random, (int64_t)n)] = sample_below(random, (int64_t)rank + 2) - 1;
    for (size_t i = 0; i < n; i++)
        add_operand(sample, sw_operand_integer(order[i]));
}

/* Nested modes are taken whole or descended into. Returns how many parts there are. */
static size_t random_selection(const struct sw_tree *shape, struct sample_random *random, struct sw_tree **ret_tree)
{
    int64_t selection[MAX_NODES];
    size_t n = 0, n_parts = 0;

    for (size_t node = 0; node < shape->n_nodes;) {
        if (SW_TREE_IS_NESTED(shape->nodes[node]) && one_in(random, 2)) {
            selection[n++] = shape->nodes[node++];
            continue;
        }
        selection[n++] = SW_TREE_ANY;
        n_parts++;
        node = sw__tree_next(shape->nodes, node);
    }
    *ret_tree = make_tree(selection, n);
    return n_parts;
}

static void view_rearrange(struct sample *sample, struct sample_random *random)
{
    const struct sw_tree *shape = viewed(sample);
    struct sw_tree *selection = NULL;
    int64_t order[MAX_NODES] = { 0 }, nodes[MAX_NODES + 2] = { 0 };
    const size_t n_parts = one_in(random, 2) ? random_selection(shape, random, &selection) : shape->n_leaves;
    const size_t n = shuffled(n_parts, order, random) - (size_t)(n_parts > 0 && one_in(random, 12));
    const size_t n_grouped = n > 0 ? (size_t)sample_below(random, (int64_t)n) : 0;
    const size_t begin = n > 0 ? (size_t)sample_below(random, (int64_t)(n - n_grouped)) : 0;
    size_t at = 0;

    if (n > 0 && one_in(random, 12))
        order[sample_below(random, (int64_t)n)] = sample_below(random, (int64_t)n_parts + 1);
    for (size_t i = 0; i < n; i++) {
        if (i == begin && n_grouped > 0)
            nodes[at++] = SW_TREE_NESTED(n_grouped);
        nodes[at++] = order[i];
    }
    if (one_in(random, 2))
        nodes[at++] = SW_TREE_ANY;
    add_tree(sample, make_tree(nodes, at));
    if (selection != NULL)
        add_tree(sample, selection);
    else
        add_operand(sample, sw_operand_none());
}

static void view_reshape(struct sample *sample, struct sample_random *random)
{
    int64_t left = sample->operands[0].layout->size + one_in(random, 20), nodes[MAX_NODES];
    size_t n = 0;

    /* Factors of the size, some of them in modes of their own. */
    while (left > 1 && n < MAX_NODES / 2) {
        const int64_t wanted = 2 + sample_below(random, 6), factor = left % wanted == 0 ? wanted : left;
        if (one_in(random, 4))
            nodes[n++] = SW_TREE_NESTED(1);
        nodes[n++] = factor;
        left /= factor;
    }
    nodes[n] = left;
    add_tree(sample, make_tree(nodes, n + (left > 1 || one_in(random, 3))));
}

static void view_unsqueeze(struct sample *sample, struct sample_random *random)
{
    const int64_t rank = viewed(sample)->n_modes;

    add_operand(sample, sw_operand_integer(sample_below(random, 2 * rank + 4) - rank - 2));
}

/* A mode that can be squeezed, where there is one. */
static void view_squeeze(struct sample *sample, struct sample_random *random)
{
    const struct sw_tree *shape = viewed(sample);
    const int64_t rank = shape->n_modes;
    int64_t dim = sample_below(random, rank + 2) - 1;

    for (int64_t i = 0; i < rank && !one_in(random, 6); i++)
        if (shape->nodes[sw__tree_mode_node(shape, (size_t)i)] == 1)
            dim = i;
    add_operand(sample, sw_operand_integer(one_in(random, 2) ? dim : dim - rank));
}

static void view_as_strided(struct sample *sample, struct sample_random *random)
{
    const int is_nested = one_in(random, 3), is_odd = one_in(random, 6);
    int64_t shape[4] = { SW_TREE_NESTED(2) }, stride[4] = { SW_TREE_NESTED(2) }, step = 1 + sample_below(random, 4);
    const size_t n = 1 + (size_t)sample_below(random, 3);

    for (size_t i = 1; i <= n; i++) {
        shape[i] = 1 + sample_below(random, 4);
        if (step * shape[i] > sample->operands[0].layout->size && !one_in(random, 10))
            shape[i] = 1;
        stride[i] = is_odd ? sample_below(random, 12) : step;
        step *= shape[i];
    }
    const size_t first = is_nested && n >= 2 ? 0 : 1;
    add_tree(sample, make_tree(shape + first, n + 1 - first));
    add_tree(sample, make_tree(stride + first, n + 1 - first));
}

/* A bound, at times counted from the end. */
static int64_t bound(int64_t at, int64_t extent, struct sample_random *random)
{
    return at < extent && one_in(random, 3) ? at - extent : at;
}

static void add_range(int64_t *range, int64_t size, struct sample_random *random)
{
    const int64_t step = 1 + sample_below(random, 2), begin = sample_below(random, size), n = (size - begin) / step;

    range[0] = SW_TREE_NESTED(3);
    range[1] = range[2] = range[3] = SW_TREE_ANY;
    if (n == 0 || one_in(random, 4))
        return;
    range[1] = bound(begin, size, random);
    range[2] = bound(begin + n * step, size, random);
    range[3] = step;
    if (one_in(random, 30))
        range[1 + sample_below(random, 3)] = sample_below(random, 3 * size) - size;
}

/* An ordinal, a range of a leaf mode or a whole mode, for each mode. */
static void view_view(struct sample *sample, struct sample_random *random)
{
    const struct sw_tree *shape = viewed(sample);
    int64_t key[4 * MAX_MODES + 4];
    size_t at = 0;

    for (size_t mode = 0; mode < shape->n_modes; mode++) {
        const int64_t size = mode_size(shape, mode);
        const int is_leaf = !SW_TREE_IS_NESTED(shape->nodes[sw__tree_mode_node(shape, mode)]);
        if (one_in(random, 3)) {
            key[at++] = one_in(random, 30) ? size - sample_below(random, 2) * (size + 1) : sample_below(random, size);
            continue;
        }
        key[at] = SW_TREE_NESTED(3);
        key[at + 1] = key[at + 2] = key[at + 3] = SW_TREE_ANY;
        if (is_leaf || one_in(random, 12))
            add_range(&key[at], size, random);
        at += 4;
    }
    if (one_in(random, 20))
        key[at++] = 0;
    add_tree(sample, make_tree(key, at));
}

/* Elements that lie evenly apart in ordinal order. */
static struct sw_layout *even_layout(const struct sw_tree *shape, struct sample_random *random)
{
    int64_t strides[MAX_NODES], step = sample_below(random, 4);
    struct sw_layout *layout;

    for (size_t i = 0; i < shape->n_nodes; i++) {
        strides[i] = SW_TREE_IS_NESTED(shape->nodes[i]) ? shape->nodes[i] : step;
        step *= SW_TREE_IS_NESTED(shape->nodes[i]) ? 1 : shape->nodes[i];
    }
    struct sw_tree *stride = make_tree(strides, shape->n_nodes);
    assert_ok(sw_layout_new(shape, stride, &layout));
    sw_tree_unref(stride);
    return layout;
}

static const struct {
    const char *name;
    void (*add_arguments)(struct sample *sample, struct sample_random *random);
} views[] = {
    { "as_strided", view_as_strided }, { "broadcast_to", view_broadcast_to }, { "permute", view_permute },
    { "rearrange", view_rearrange },   { "reshape", view_reshape },           { "squeeze", view_squeeze },
    { "unsqueeze", view_unsqueeze },   { "view", view_view },
};

void make_view(struct sample *sample, struct sample_random *random)
{
    static const enum sw_dtype dtypes[] = { SW_FLOAT32, SW_INT32, SW_BOOL };

    struct sw_tree *wide = random_shape(random, sample_below(random, MAX_MODES + 1));
    /* Others can rarely be squeezed or reshaped. */
    struct sw_tree *shape = strcmp(sample->name, "squeeze") == 0 ? narrowed(wide, random) : sw_tree_ref(wide);
    const int is_even = strcmp(sample->name, "reshape") == 0 && one_in(random, 2);

    add_placed(sample, dtypes[sample_below(random, N_OF(dtypes))],
               is_even ? even_layout(shape, random) : random_layout(shape, random), random);
    sw_tree_unref(wide);
    sw_tree_unref(shape);
    for (size_t i = 0; i < N_OF(views); i++)
        if (strcmp(views[i].name, sample->name) == 0) {
            views[i].add_arguments(sample, random);
            return;
        }
    ck_abort_msg("the view %s has no samples", sample->name);
}
