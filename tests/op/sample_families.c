/*
 * Samples of the families that compute: operands as the dtype policy has them.
 */
#include "config.h"

#include <math.h>

#include "op_test.h"
#include "sample_parts.h"

/* Sums of them are exact in whatever order they are made. */
static void make_small(struct sample_operand *operand)
{
    for (size_t i = 0; i < operand->n_slots; i++)
        operand->slots[i] = isfinite(operand->slots[i]) ? fmod(rint(operand->slots[i]), 8) : 1;
}

/* ---- Operands as the dtype policy has them ---------------------------------------------------- */

static const struct sw__policy_row *next_row(struct sample *sample, struct sample_random *random)
{
    const struct sw__policy_rows rows = sw__policy_find(sample->name);

    ck_assert_msg(rows.n > 0, "%s has no dtype policy", sample->name);
    sample->policy = &rows.first[random->turn++ % rows.n];
    return sample->policy;
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

void make_elementwise(struct sample *sample, struct sample_random *random)
{
    const struct sw__policy_row *row = next_row(sample, random);
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

void make_ternary(struct sample *sample, struct sample_random *random)
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

void make_reduce(struct sample *sample, struct sample_random *random)
{
    add_tensor(sample, dtype_at(next_row(sample, random), 0, random),
               random_shape(random, one_in(random, 30) ? 3 : 2), random);
    add_options(sample, random);
}

/* A last mode of @size elements behind a random one. */
static struct sw_tree *factor_shape(int64_t free, int64_t size, struct sample_random *random)
{
    const int64_t nodes[] = { free, size }, split[] = { free, SW_TREE_NESTED(2), 2, size / 2 };

    return size % 2 == 0 && one_in(random, 3) ? make_tree(split, N_OF(split)) : make_tree(nodes, N_OF(nodes));
}

void make_matmul(struct sample *sample, struct sample_random *random)
{
    const struct sw__policy_row *row = next_row(sample, random);
    /* Beyond 32^3 multiply-adds the order is free. */
    const int is_large = one_in(random, 25), is_small = one_in(random, 2);
    const int64_t most = is_large ? 48 : 20, least = is_large ? 33 : 1, k = least + sample_below(random, most - least);

    for (unsigned i = 0; i < 2; i++) {
        const int64_t shared = one_in(random, 30) ? k + 1 : k;
        struct sw_tree *shape = factor_shape(least + sample_below(random, most - least), shared, random);
        struct sample_operand *operand = add_tensor(sample, dtype_at(row, i, random), shape, random);
        /* Integers leave their range soon. */
        if (is_large || (is_small && operand->dtype == SW_INT32))
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

/* A mode of @a * @b elements, nested at times. */
static size_t add_role(int64_t *nodes, size_t n, int64_t a, int64_t b, struct sample_random *random)
{
    if (!one_in(random, 4)) {
        nodes[n++] = a * b;
        return n;
    }
    nodes[n++] = SW_TREE_NESTED(2);
    nodes[n++] = a;
    nodes[n++] = b;
    return n;
}

void make_conv(struct sample *sample, struct sample_random *random)
{
    const int64_t n_spatial = 1 + sample_below(random, 3), groups = 1 + sample_below(random, 3);
    const int64_t in = 1 + sample_below(random, 3), out = 1 + sample_below(random, 3);
    int64_t x[MAX_MODES + 4], w[MAX_MODES + 4];
    size_t n_x = add_role(x, 0, 1 + sample_below(random, 2), 1 + sample_below(random, 2), random);
    size_t n_w = add_role(w, 0, groups, out, random);

    n_x = add_role(x, n_x, groups, in, random);
    n_w = add_role(w, n_w, 1, in, random);
    for (int64_t i = 0; i < n_spatial; i++) {
        x[n_x++] = 2 + sample_below(random, 5);
        w[n_w++] = 1 + sample_below(random, 3);
    }
    next_row(sample, random);
    add_tensor(sample, SW_FLOAT32, make_tree(x, n_x), random);
    add_tensor(sample, one_in(random, 40) ? SW_INT32 : SW_FLOAT32, make_tree(w, n_w), random);
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

void make_scan(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);

    add_tensor(sample, dtype_at(next_row(sample, random), 0, random), shape, random);
    add_operand(sample, sw_operand_integer(axis));
}

static void set_indices(struct sample_operand *index, int64_t extent, struct sample_random *random)
{
    for (size_t i = 0; i < index->n_slots; i++)
        index->slots[i] = (double)sample_below(random, extent);
    if (one_in(random, 20))
        index->slots[index->n_slots - 1] = one_in(random, 2) ? -1 : (double)extent;
}

void make_gather(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);
    const int64_t extent = mode_size(shape, (size_t)axis);

    next_row(sample, random);
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

void make_scatter(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);
    const int64_t extent = mode_size(shape, (size_t)axis);

    next_row(sample, random);
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

void make_sort(struct sample *sample, struct sample_random *random)
{
    int64_t axis;
    struct sw_tree *shape = shape_with_axis(random, &axis);
    const int64_t extent = mode_size(shape, (size_t)axis);

    add_tensor(sample, dtype_at(next_row(sample, random), 0, random), shape, random);
    if (strstr(sample->name, "topk") != NULL)
        add_operand(sample, sw_operand_integer(one_in(random, 30) ? 0 : 1 + sample_below(random, extent)));
    add_operand(sample, sw_operand_integer(axis));
    add_operand(sample, sw_operand_boolean((int)sample_below(random, 2)));
}
