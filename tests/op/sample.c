/*
 * Making samples: random values, layouts and shapes; then one function per
 * family of operations, and one per view.
 */
#include "config.h"

#include "sample.h"

#include <math.h>
#include <stdio.h>

#include "dtype/policy_table.h"
#include "layout/layout.h"
#include "layout/tree.h"
#include "op_test.h"

/* ---- Randomness ------------------------------------------------------------------------ */

int64_t sample_below(struct sample_random *random, int64_t n)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = random->state;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int64_t)((mixed ^ (mixed >> 31)) % (uint64_t)n);
}

static int one_in(struct sample_random *random, int64_t n)
{
    return sample_below(random, n) == 0;
}

static double random_real(struct sample_random *random)
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

static double random_value(struct sample_random *random, enum sw_dtype dtype)
{
    if (dtype == SW_BOOL)
        return (double)sample_below(random, 2);
    return dtype == SW_INT32 ? random_integer(random) : random_real(random);
}

/* ---- Shapes ------------------------------------------------------------------------------ */

#define MAX_MODES 5
#define MAX_NODES 32
#define MAX_SIZE 3000

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

static struct sw_tree *make_tree(const int64_t *nodes, size_t n)
{
    struct sw_tree *tree;

    assert_ok(sw_tree_new(nodes, n, &tree));
    return tree;
}

static struct sw_tree *random_shape(struct sample_random *random, int64_t n_modes)
{
    struct nodes nodes = { .size = 1 };

    for (int64_t i = 0; i < n_modes; i++)
        add_mode(&nodes, random);
    return make_tree(nodes.at, nodes.n);
}

/* The same with some extents 1, or with extents 1 made larger. */
static struct sw_tree *narrowed(const struct sw_tree *shape, struct sample_random *random)
{
    int64_t nodes[MAX_NODES];

    for (size_t i = 0; i < shape->n_nodes; i++)
        nodes[i] = !SW_TREE_IS_NESTED(shape->nodes[i]) && one_in(random, 4) ? 1 : shape->nodes[i];
    return make_tree(nodes, shape->n_nodes);
}

static struct sw_tree *widened(const struct sw_tree *shape, struct sample_random *random)
{
    int64_t nodes[MAX_NODES];

    for (size_t i = 0; i < shape->n_nodes; i++)
        nodes[i] = shape->nodes[i] == 1 ? 1 + sample_below(random, 3) : shape->nodes[i];
    return make_tree(nodes, shape->n_nodes);
}

/* Mode @mode replaced by the modes of @by; NULL: left out. */
static struct sw_tree *replaced(const struct sw_tree *shape, size_t mode, const struct sw_tree *by)
{
    int64_t nodes[2 * MAX_NODES];
    size_t begin = sw__tree_mode_node(shape, mode), end = sw__tree_mode_node(shape, mode + 1), n = begin;

    memcpy(nodes, shape->nodes, begin * sizeof *nodes);
    memcpy(nodes + n, by->nodes, by->n_nodes * sizeof *nodes);
    n += by->n_nodes;
    memcpy(nodes + n, shape->nodes + end, (shape->n_nodes - end) * sizeof *nodes);
    return make_tree(nodes, n + shape->n_nodes - end);
}

static int64_t mode_size(const struct sw_tree *shape, size_t mode)
{
    int64_t size = 1;

    for (size_t i = sw__tree_mode_node(shape, mode); i < sw__tree_mode_node(shape, mode + 1); i++)
        if (!SW_TREE_IS_NESTED(shape->nodes[i]))
            size *= shape->nodes[i];
    return size;
}

/* ---- Layouts ------------------------------------------------------------------------------ */

/* Leaves take their strides in a random order: with gaps, repeated or both, at times. */
static struct sw_layout *random_layout(const struct sw_tree *shape, struct sample_random *random)
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

static struct sample_operand *add_operand(struct sample *sample, struct sw_operand other)
{
    struct sample_operand *operand = &sample->operands[sample->n_operands++];

    operand->other = other;
    return operand;
}

static void add_tree(struct sample *sample, struct sw_tree *tree)
{
    add_operand(sample, sw_operand_tree(tree))->tree = tree;
}

/* Takes over @layout. */
static struct sample_operand *add_placed(struct sample *sample, enum sw_dtype dtype, struct sw_layout *layout,
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
static struct sample_operand *add_tensor(struct sample *sample, enum sw_dtype dtype, struct sw_tree *shape,
                                         struct sample_random *random)
{
    struct sample_operand *operand = add_placed(sample, dtype, random_layout(shape, random), random);

    sw_tree_unref(shape);
    return operand;
}

/* Sums of them are exact in whatever order they are made. */
static void make_small(struct sample_operand *operand)
{
    for (size_t i = 0; i < operand->n_slots; i++)
        operand->slots[i] = isfinite(operand->slots[i]) ? fmod(rint(operand->slots[i]), 8) : 1;
}

/* ---- Operands as the dtype policy has them ---------------------------------------------------- */

static const struct sw__policy_row *random_row(const char *name, struct sample_random *random)
{
    const struct sw__policy_rows rows = sw__policy_find(name);

    ck_assert_msg(rows.n > 0, "%s has no dtype policy", name);
    return &rows.first[sample_below(random, (int64_t)rows.n)];
}

/* One of the classes in the set, mostly. */
static unsigned random_class(unsigned classes, struct sample_random *random)
{
    unsigned class;

    if (one_in(random, 30))
        return 1u << sample_below(random, 6);
    do
        class = 1u << sample_below(random, 6);
    while ((class & classes) == 0);
    return class;
}

static enum sw_dtype dtype_of(unsigned class)
{
    return class == SW__CLASS_FLOAT32 ? SW_FLOAT32 : class == SW__CLASS_INT32 ? SW_INT32 : SW_BOOL;
}

static struct sw_operand scalar_of(unsigned class, struct sample_random *random)
{
    if (class == SW__CLASS_NATURAL)
        return sw_operand_integer(sample_below(random, 5));
    if (class == SW__CLASS_INTEGER)
        return sw_operand_integer(one_in(random, 4) ? INT64_C(1) << 40 : -1 - sample_below(random, 4));
    return one_in(random, 5) ? sw_operand_boolean((int)sample_below(random, 2))
                             : sw_operand_floating(random_real(random));
}

static enum sw_dtype dtype_at(const struct sw__policy_row *row, unsigned position, struct sample_random *random)
{
    return dtype_of(random_class(SW__UNPACK_CLASSES(row->accepts, position) & ~(unsigned)SW__CLASSES_SCALAR, random));
}

/* ---- Families ----------------------------------------------------------------------------------- */

static void make_elementwise(struct sample *sample, struct sample_random *random)
{
    const struct sw__policy_row *row = random_row(sample->name, random);
    struct sw_tree *shape = random_shape(random, sample_below(random, MAX_MODES + 1));

    for (unsigned i = 0; i < row->n_operands; i++) {
        const unsigned class = random_class(SW__UNPACK_CLASSES(row->accepts, i), random);
        if (class & SW__CLASSES_SCALAR)
            add_operand(sample, scalar_of(class, random));
        else
            add_tensor(sample, dtype_of(class), one_in(random, 2) ? sw_tree_ref(shape) : narrowed(shape, random),
                       random);
    }
    sw_tree_unref(shape);
}

static void make_ternary(struct sample *sample, struct sample_random *random)
{
    make_elementwise(sample, random);
}

static void add_options(struct sample *sample, struct sample_random *random)
{
    if (sw__policy_check_accumulator(sample->name, SW_DTYPE_NONE) != SW_OK || !one_in(random, 3))
        return;
    sample->options = (struct sw_execution_options)SW_EXECUTION_OPTIONS_INIT(sample->name);
    sample->options.accumulator = one_in(random, 2) ? SW_FLOAT64 : SW_FLOAT32;
    sample->has_options = 1;
}

static void make_reduce(struct sample *sample, struct sample_random *random)
{
    add_tensor(sample, dtype_at(random_row(sample->name, random), 0, random),
               random_shape(random, one_in(random, 30) ? 3 : 2), random);
    add_options(sample, random);
}

/* A last mode of @size elements behind a random one. */
static struct sw_tree *factor_shape(int64_t free, int64_t size, struct sample_random *random)
{
    const int64_t nodes[] = { free, size }, split[] = { free, SW_TREE_NESTED(2), 2, size / 2 };

    return size % 2 == 0 && one_in(random, 3) ? make_tree(split, N_OF(split)) : make_tree(nodes, N_OF(nodes));
}

static void make_matmul(struct sample *sample, struct sample_random *random)
{
    const struct sw__policy_row *row = random_row(sample->name, random);
    /* Beyond 32^3 multiply-adds the order is free. */
    const int is_large = one_in(random, 25);
    const int64_t most = is_large ? 48 : 20, least = is_large ? 33 : 1, k = least + sample_below(random, most - least);

    for (unsigned i = 0; i < 2; i++) {
        const int64_t shared = one_in(random, 30) ? k + 1 : k;
        struct sw_tree *shape = factor_shape(least + sample_below(random, most - least), shared, random);
        struct sample_operand *operand = add_tensor(sample, dtype_at(row, i, random), shape, random);
        if (is_large)
            make_small(operand);
    }
    add_options(sample, random);
}

static struct sw_tree *pairs(int64_t n, struct sample_random *random)
{
    int64_t nodes[3 * MAX_MODES];

    for (int64_t i = 0; i < n; i++) {
        nodes[3 * i] = SW_TREE_NESTED(2);
        nodes[3 * i + 1] = sample_below(random, 3);
        nodes[3 * i + 2] = sample_below(random, 3);
    }
    return make_tree(nodes, (size_t)(3 * n));
}

static struct sw_tree *list_below(int64_t n, int64_t most, struct sample_random *random)
{
    int64_t nodes[MAX_MODES];

    for (int64_t i = 0; i < n; i++)
        nodes[i] = 1 + sample_below(random, most);
    return make_tree(nodes, (size_t)n);
}

static void make_conv(struct sample *sample, struct sample_random *random)
{
    const int64_t n_spatial = 1 + sample_below(random, 3), groups = 1 + sample_below(random, 3);
    const int64_t in = 1 + sample_below(random, 3), out = groups * (1 + sample_below(random, 3));
    int64_t x[MAX_MODES] = { 1 + sample_below(random, 3), groups * in }, w[MAX_MODES] = { out, in };

    for (int64_t i = 2; i < n_spatial + 2; i++) {
        x[i] = 2 + sample_below(random, 5);
        w[i] = 1 + sample_below(random, 3);
    }
    add_tensor(sample, SW_FLOAT32, make_tree(x, (size_t)n_spatial + 2), random);
    add_tensor(sample, one_in(random, 40) ? SW_INT32 : SW_FLOAT32, make_tree(w, (size_t)n_spatial + 2), random);
    add_tree(sample, list_below(n_spatial, 2, random));
    add_tree(sample, pairs(n_spatial, random));
    add_tree(sample, list_below(n_spatial, 2, random));
    add_tree(sample, list_below(n_spatial, 2, random));
    add_operand(sample, sw_operand_integer(one_in(random, 30) ? groups + 1 : groups));
    /* All products of a block are one of matmul, whose order is free beyond 32^3. */
    make_small(&sample->operands[0]);
    make_small(&sample->operands[1]);
}

static struct sw_tree *shape_with_axis(struct sample_random *random, int64_t *ret_axis)
{
    const int64_t n_modes = 1 + sample_below(random, MAX_MODES - 1);

    *ret_axis = sample_below(random, n_modes);
    return random_shape(random, n_modes);
}

static void make_scan(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);

    add_tensor(sample, dtype_at(random_row(sample->name, random), 0, random), shape, random);
    add_operand(sample, sw_operand_integer(axis));
}

static void set_indices(struct sample_operand *index, int64_t extent, struct sample_random *random)
{
    for (size_t i = 0; i < index->n_slots; i++)
        index->slots[i] = (double)sample_below(random, extent);
    if (one_in(random, 20))
        index->slots[index->n_slots - 1] = one_in(random, 2) ? -1 : (double)extent;
}

static void make_gather(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);
    const int64_t extent = mode_size(shape, (size_t)axis);

    add_tensor(sample, SW_FLOAT32, shape, random);
    set_indices(add_tensor(sample, SW_INT32, random_shape(random, one_in(random, 2) ? 1 : 0), random), extent, random);
    add_operand(sample, sw_operand_integer(axis));
}

/* Distinct indices, mostly: the first of a shuffled list. */
static void add_distinct(struct sample *sample, int64_t extent, struct sample_random *random)
{
    const int64_t n = 1 + sample_below(random, extent);
    struct sw_layout *layout;
    double order[MAX_SIZE];

    assert_ok(sw_layout_column_major(&n, 1, &layout));
    struct sample_operand *index = add_placed(sample, SW_INT32, layout, random);
    for (int64_t i = 0; i < extent; i++) {
        const int64_t other = sample_below(random, i + 1);
        order[i] = order[other];
        order[other] = (double)i;
    }
    for (size_t i = 0; i < index->n_slots; i++)
        index->slots[i] = order[(int64_t)i >= index->offset ? ((int64_t)i - index->offset) % extent : 0];
}

static void make_scatter(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);
    const int64_t extent = mode_size(shape, (size_t)axis);

    add_tensor(sample, SW_FLOAT32, sw_tree_ref(shape), random);
    if (one_in(random, 2))
        add_distinct(sample, extent, random);
    else
        set_indices(add_tensor(sample, SW_INT32, random_shape(random, one_in(random, 2)), random), extent, random);
    struct sw_tree *updates = replaced(shape, (size_t)axis, sample->operands[1].layout->shape);
    add_tensor(sample, SW_FLOAT32, one_in(random, 30) ? sw_tree_ref(shape) : sw_tree_ref(updates), random);
    add_operand(sample, sw_operand_integer(axis));
    sw_tree_unref(updates);
    sw_tree_unref(shape);
}

static void make_sort(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);
    const int64_t extent = mode_size(shape, (size_t)axis);

    add_tensor(sample, dtype_at(random_row(sample->name, random), 0, random), shape, random);
    if (strstr(sample->name, "topk") != NULL)
        add_operand(sample, sw_operand_integer(one_in(random, 30) ? 0 : 1 + sample_below(random, extent)));
    add_operand(sample, sw_operand_integer(axis));
    add_operand(sample, sw_operand_boolean((int)sample_below(random, 2)));
}

/* ---- Views --------------------------------------------------------------------------------------- */

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

static void make_view(struct sample *sample, struct sample_random *random)
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

/* ---- The table -------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *family;
    void (*make)(struct sample *sample, struct sample_random *random);
} rows[] = {
#define SW__OP(name, family, generic, cpu, flags) { #name, #family, make_##family },
#include "op/ops.def"
#undef SW__OP
};

size_t sample_n_rows(void)
{
    return N_OF(rows);
}

void sample_make(struct sample *sample, size_t row, struct sample_random *random)
{
    memset(sample, 0, sizeof *sample);
    sample->name = rows[row].name;
    sample->family = rows[row].family;
    rows[row].make(sample, random);
}

void sample_clear(struct sample *sample)
{
    for (size_t i = 0; i < sample->n_operands; i++) {
        sw_tree_unref(sample->operands[i].tree);
        sw_layout_unref(sample->operands[i].layout);
        free(sample->operands[i].slots);
    }
}

/* ---- On carriers ------------------------------------------------------------------------------------- */

/* Assertions cost much: there is one per tensor here and not one per element. */
static enum sw_status fill(struct sw_carrier *carrier, const struct sample_operand *operand)
{
    enum sw_status status = SW_OK;

    for (size_t i = 0; i < operand->n_slots && status == SW_OK; i++) {
        struct sw_scalar value = { .kind = SW_SCALAR_FLOATING };
        value.as.floating = operand->slots[i];
        if (operand->dtype == SW_INT32) {
            value.kind = SW_SCALAR_INTEGER;
            value.as.integer = (int64_t)operand->slots[i];
        } else if (operand->dtype == SW_BOOL) {
            value.kind = SW_SCALAR_BOOLEAN;
            value.as.boolean = operand->slots[i] != 0;
        }
        status = sw_carrier_set(carrier, (int64_t)i, &value);
    }
    return status;
}

static struct sw_tensor *place(const struct sample_operand *operand, struct sw_carrier_class *on)
{
    struct sw_carrier *empty = carrier_of(on, operand->dtype, NULL, 0), *carrier;
    struct sw_tensor *tensor;

    assert_ok(sw_carrier_allocate_like(empty, (int64_t)operand->n_slots, 1, operand->dtype, 0, &carrier));
    assert_ok(fill(carrier, operand));
    assert_ok(sw_tensor_new(carrier, operand->offset, operand->layout, &tensor));
    sw_carrier_unref(empty);
    sw_carrier_unref(carrier);
    return tensor;
}

static enum sw_status copy_elements(const struct sw_tensor *from, const struct sw_tensor *to)
{
    enum sw_status status = SW_OK;
    struct sw_scalar value;

    for (int64_t i = 0; i < sw_tensor_size(from) && status == SW_OK; i++) {
        status = sw_tensor_get_ordinal(from, i, &value);
        if (status == SW_OK)
            status = sw_tensor_set_ordinal(to, i, &value);
    }
    return status;
}

static struct sw_tensor *canonical(struct sw_tensor *in)
{
    struct sw_tensor *copy;

    assert_ok(sw_tensor_zeros(sw_tensor_carrier_class(in), sw_tensor_dtype(in), sw_tensor_shape(in), &copy));
    assert_ok(copy_elements(in, copy));
    sw_tensor_unref(in);
    return copy;
}

void sample_build(const struct sample *sample, struct sw_carrier_class *on, enum sample_layouts layouts,
                  struct sw_operand *operands)
{
    for (size_t i = 0; i < sample->n_operands; i++) {
        operands[i] = sample->operands[i].other;
        if (sample->operands[i].layout == NULL)
            continue;
        struct sw_tensor *tensor = place(&sample->operands[i], on);
        operands[i] = sw_operand_tensor(layouts == SAMPLE_CANONICAL ? canonical(tensor) : tensor);
    }
}

void sample_drop(const struct sample *sample, struct sw_operand *operands)
{
    for (size_t i = 0; i < sample->n_operands; i++)
        if (operands[i].kind == SW_OPERAND_TENSOR)
            sw_tensor_unref(operands[i].as.tensor);
}

enum sw_status sample_run(const struct sample *sample, const struct sw_operand *operands,
                          struct sw_tensor **ret_tensor)
{
    struct sw_operation *operation;
    size_t first = 0;

    while (first < sample->n_operands && operands[first].kind != SW_OPERAND_TENSOR)
        first++;
    /* A policy may be given nothing but numbers. */
    if (first == sample->n_operands)
        return sw_error_set(SW_TYPE_ERROR, "no tensor");
    enum sw_status status = sw_carrier_dispatch(sw_tensor_carrier(operands[first].as.tensor), sample->name, &operation);
    if (status != SW_OK)
        return status;
    status = sw_operation_forward(operation, operands, sample->n_operands,
                                  sample->has_options ? &sample->options : NULL, ret_tensor);
    sw_operation_unref(operation);
    return status;
}

const char *sample_text(const struct sample *sample)
{
    static char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "%s:", sample->name);

    for (size_t i = 0; i < sample->n_operands && used < sizeof text; i++) {
        const struct sample_operand *operand = &sample->operands[i];
        char *written = NULL;
        if (operand->layout != NULL)
            assert_ok(sw_layout_format(operand->layout, &written));
        else if (operand->tree != NULL)
            assert_ok(sw_tree_format(operand->tree, &written));
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", written != NULL ? written : "number");
        sw_free(written);
    }
    return text;
}
