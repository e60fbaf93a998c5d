/*
 * The parts of samples: random values, shapes, layouts, operands.
 */
#include "config.h"

#include <math.h>

#include "op_test.h"
#include "sample_parts.h"

/* ---- Randomness ------------------------------------------------------------------------ */

int64_t sample_below(struct sample_random *random, int64_t n)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = random->state;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int64_t)((mixed ^ (mixed >> 31)) % (uint64_t)n);
}

int one_in(struct sample_random *random, int64_t n)
{
    return sample_below(random, n) == 0;
}

double random_real(struct sample_random *random)
{
    static const double odd[] = { 0.0, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY, 1e-45, 3e38, -3e38 };

    if (one_in(random, 8))
        return odd[sample_below(random, N_OF(odd))];
    if (one_in(random, 2))
        return (double)(sample_below(random, 9) - 4);
    return (double)(float)(((double)sample_below(random, 2000001) - 1e6) / 7e4);
}

static double random_integer(struct sample_random *random)
{
    static const double odd[] = { INT32_MAX, INT32_MIN, 65536, -46341 };

    return one_in(random, 40) ? odd[sample_below(random, N_OF(odd))] : (double)(sample_below(random, 21) - 10);
}

double random_value(struct sample_random *random, enum sw_dtype dtype)
{
    if (dtype == SW_BOOL)
        return (double)sample_below(random, 2);
    return dtype == SW_INT32 ? random_integer(random) : random_real(random);
}

/* ---- Shapes ------------------------------------------------------------------------------ */

/* Nodes of a shape in the making, and its size so far. */
struct nodes {
    int64_t at[MAX_NODES];
    size_t n;
    int64_t size;
};

static void add_leaf(struct nodes *nodes, struct sample_random *random)
{
    static const int64_t extents[] = { 1, 1, 2, 2, 3, 4, 5, 7, 17 };
    int64_t extent = extents[sample_below(random, N_OF(extents))];

    if (nodes->size * extent > MAX_SIZE)
        extent = 1;
    nodes->size *= extent;
    nodes->at[nodes->n++] = extent;
}

static void add_mode(struct nodes *nodes, struct sample_random *random)
{
    int64_t n_inner = sample_below(random, 3) + 1;

    if (!one_in(random, 4)) {
        add_leaf(nodes, random);
        return;
    }
    nodes->at[nodes->n++] = SW_TREE_NESTED(n_inner);
    for (int64_t i = 0; i < n_inner; i++)
        add_leaf(nodes, random);
}

struct sw_tree *make_tree(const int64_t *nodes, size_t n)
{
    struct sw_tree *tree;

    assert_ok(sw_tree_new(nodes, n, &tree));
    return tree;
}

struct sw_tree *random_shape(struct sample_random *random, int64_t n_modes)
{
    struct nodes nodes = { .size = 1 };

    for (int64_t i = 0; i < n_modes; i++)
        add_mode(&nodes, random);
    return make_tree(nodes.at, nodes.n);
}

/* The same with some extents 1, or with extents 1 made larger. */
struct sw_tree *narrowed(const struct sw_tree *shape, struct sample_random *random)
{
    int64_t nodes[MAX_NODES];

    for (size_t i = 0; i < shape->n_nodes; i++)
        nodes[i] = !SW_TREE_IS_NESTED(shape->nodes[i]) && one_in(random, 4) ? 1 : shape->nodes[i];
    return make_tree(nodes, shape->n_nodes);
}

struct sw_tree *widened(const struct sw_tree *shape, struct sample_random *random)
{
    int64_t nodes[MAX_NODES];

    for (size_t i = 0; i < shape->n_nodes; i++)
        nodes[i] = shape->nodes[i] == 1 ? 1 + sample_below(random, 3) : shape->nodes[i];
    return make_tree(nodes, shape->n_nodes);
}

/* Mode @mode replaced by the modes of @by; NULL: left out. */
struct sw_tree *replaced(const struct sw_tree *shape, size_t mode, const struct sw_tree *by)
{
    int64_t nodes[2 * MAX_NODES];
    size_t begin = sw__tree_mode_node(shape, mode), end = sw__tree_mode_node(shape, mode + 1), n = begin;

    memcpy(nodes, shape->nodes, begin * sizeof *nodes);
    memcpy(nodes + n, by->nodes, by->n_nodes * sizeof *nodes);
    n += by->n_nodes;
    memcpy(nodes + n, shape->nodes + end, (shape->n_nodes - end) * sizeof *nodes);
    return make_tree(nodes, n + shape->n_nodes - end);
}

int64_t mode_size(const struct sw_tree *shape, size_t mode)
{
    int64_t size = 1;

    for (size_t i = sw__tree_mode_node(shape, mode); i < sw__tree_mode_node(shape, mode + 1); i++)
        if (!SW_TREE_IS_NESTED(shape->nodes[i]))
            size *= shape->nodes[i];
    return size;
}

/* ---- Layouts ------------------------------------------------------------------------------ */

/* Leaves take their strides in a random order: with gaps, repeated or both, at times. */
struct sw_layout *random_layout(const struct sw_tree *shape, struct sample_random *random)
{
    int64_t strides[MAX_NODES * 2], running = 1;
    size_t leaves[MAX_NODES * 2], n_leaves = 0;
    struct sw_layout *layout;

    for (size_t i = 0; i < shape->n_nodes; i++) {
        strides[i] = shape->nodes[i];
        if (!SW_TREE_IS_NESTED(shape->nodes[i]))
            leaves[n_leaves++] = i;
    }
    if (!one_in(random, 3))
        for (size_t i = n_leaves; i > 1; i--) {
            size_t other = (size_t)sample_below(random, (int64_t)i), leaf = leaves[i - 1];
            leaves[i - 1] = leaves[other];
            leaves[other] = leaf;
        }
    for (size_t i = 0; i < n_leaves; i++) {
        const int64_t gap = one_in(random, 6) && running < 5000 ? 1 + sample_below(random, 3) : 0;
        if (one_in(random, 8)) {
            strides[leaves[i]] = 0;
            continue;
        }
        strides[leaves[i]] = running + gap;
        running = (running + gap) * shape->nodes[leaves[i]];
    }
    struct sw_tree *stride = make_tree(strides, shape->n_nodes);
    assert_ok(sw_layout_new(shape, stride, &layout));
    sw_tree_unref(stride);
    return layout;
}

/* ---- Operands ------------------------------------------------------------------------------- */

struct sample_operand *add_operand(struct sample *sample, struct sw_operand other)
{
    struct sample_operand *operand = &sample->operands[sample->n_operands++];

    operand->other = other;
    return operand;
}

void add_tree(struct sample *sample, struct sw_tree *tree)
{
    add_operand(sample, sw_operand_tree(tree))->tree = tree;
}

/* Takes over @layout. */
struct sample_operand *add_placed(struct sample *sample, enum sw_dtype dtype, struct sw_layout *layout,
                                  struct sample_random *random)
{
    struct sample_operand *operand = add_operand(sample, sw_operand_none());

    operand->dtype = dtype;
    operand->layout = layout;
    operand->offset = one_in(random, 3) ? sample_below(random, 7) : 0;
    operand->n_slots = (size_t)(operand->offset + layout->cosize + sample_below(random, 3));
    operand->slots = calloc(operand->n_slots, sizeof *operand->slots);
    for (size_t i = 0; i < operand->n_slots; i++)
        operand->slots[i] = random_value(random, dtype);
    return operand;
}

/* Takes over @shape. */
struct sample_operand *add_tensor(struct sample *sample, enum sw_dtype dtype, struct sw_tree *shape,
                                  struct sample_random *random)
{
    struct sample_operand *operand = add_placed(sample, dtype, random_layout(shape, random), random);

    sw_tree_unref(shape);
    return operand;
}
