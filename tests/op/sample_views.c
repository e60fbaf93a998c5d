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
    add_tree(sample, widened(viewed(sample), random));
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
    const size_t n = shuffled(viewed(sample)->n_modes, order, random);

    for (size_t i = 0; i < n; i++)
        add_operand(sample, sw_operand_integer(order[i]));
}

static void view_rearrange(struct sample *sample, struct sample_random *random)
{
    const struct sw_tree *shape = viewed(sample);
    int64_t order[MAX_NODES] = { 0 }, nodes[MAX_NODES + 2] = { 0 }, selection[MAX_NODES] = { 0 };
    const int by_mode = one_in(random, 2);
    const size_t n = shuffled(by_mode ? shape->n_modes : shape->n_leaves, order, random);
    const size_t n_grouped = n > 0 ? (size_t)sample_below(random, (int64_t)n) : 0;
    size_t at = 0;

    if (n_grouped > 0)
        nodes[at++] = SW_TREE_NESTED(n_grouped);
    for (size_t i = 0; i < n; i++)
        nodes[at++] = order[i];
    if (one_in(random, 2))
        nodes[at++] = SW_TREE_ANY;
    add_tree(sample, make_tree(nodes, at));
    for (size_t i = 0; i < n; i++)
        selection[i] = SW_TREE_ANY;
    if (by_mode)
        add_tree(sample, make_tree(selection, n));
    else
        add_operand(sample, sw_operand_none());
}

static void view_reshape(struct sample *sample, struct sample_random *random)
{
    const int64_t size = sample->operands[0].layout->size;
    const int64_t flat[] = { size }, halves[] = { 2, SW_TREE_NESTED(1), size / 2 };

    add_tree(sample, size % 2 == 0 && one_in(random, 2) ? make_tree(halves, N_OF(halves)) : make_tree(flat, 1));
}

static void view_unsqueeze(struct sample *sample, struct sample_random *random)
{
    const int64_t rank = viewed(sample)->n_modes;

    add_operand(sample, sw_operand_integer(sample_below(random, 2 * rank + 2) - rank - 1));
}

/* A mode that can be squeezed, where there is one. */
static void view_squeeze(struct sample *sample, struct sample_random *random)
{
    const struct sw_tree *shape = viewed(sample);
    const int64_t rank = shape->n_modes;
    int64_t dim = sample_below(random, rank + 1);

    for (int64_t i = 0; i < rank; i++)
        if (shape->nodes[sw__tree_mode_node(shape, (size_t)i)] == 1)
            dim = i;
    add_operand(sample, sw_operand_integer(one_in(random, 2) ? dim : dim - rank));
}

static void view_as_strided(struct sample *sample, struct sample_random *random)
{
    const int64_t n = 1 + sample_below(random, 3), step = 1 + sample_below(random, 4), m = 1 + sample_below(random, 3);
    const int64_t shape[] = { n, m }, stride[] = { step, step * n };

    add_tree(sample, make_tree(shape, 2));
    add_tree(sample, make_tree(stride, 2));
}

/* An ordinal, a range of a leaf mode or a whole mode, for each mode. */
static void view_view(struct sample *sample, struct sample_random *random)
{
    const struct sw_tree *shape = viewed(sample);
    int64_t key[4 * MAX_MODES + 4];
    size_t at = 0;

    for (size_t mode = 0; mode < shape->n_modes; mode++) {
        const int64_t size = mode_size(shape, mode), step = 1 + sample_below(random, 2);
        const int64_t begin = sample_below(random, size), count = (size - begin) / step;
        const int is_leaf = !SW_TREE_IS_NESTED(shape->nodes[sw__tree_mode_node(shape, mode)]);
        if (one_in(random, 3)) {
            key[at++] = begin;
            continue;
        }
        key[at++] = SW_TREE_NESTED(3);
        key[at++] = is_leaf && count > 0 ? begin : SW_TREE_ANY;
        key[at++] = is_leaf && count > 0 ? begin + count * step : SW_TREE_ANY;
        key[at++] = is_leaf && count > 0 ? step : SW_TREE_ANY;
    }
    add_tree(sample, make_tree(key, at));
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

    add_tensor(sample, dtypes[sample_below(random, N_OF(dtypes))],
               random_shape(random, sample_below(random, MAX_MODES + 1)), random);
    for (size_t i = 0; i < N_OF(views); i++)
        if (strcmp(views[i].name, sample->name) == 0) {
            views[i].add_arguments(sample, random);
            return;
        }
    ck_abort_msg("the view %s has no samples", sample->name);
}
