/*
 * Views by their definitions.
 */
#include "config.h"

#include "view_model.h"

#include "op_test.h"

/* ---- Trees as arrays of nodes -------------------------------------------------------------------- */

static size_t end_of(const int64_t *nodes, size_t node)
{
    for (int64_t open = 1; open > 0; open--, node++)
        if (SW_TREE_IS_NESTED(nodes[node]))
            open += SW_TREE_COUNT(nodes[node]);
    return node;
}

static int64_t size_of(const int64_t *shape, size_t begin, size_t end)
{
    int64_t size = 1;

    for (size_t i = begin; i < end; i++)
        size *= SW_TREE_IS_NESTED(shape[i]) ? 1 : shape[i];
    return size;
}

/* ---- The tensor ---------------------------------------------------------------------------------- */

int64_t model_slot(const struct sample_operand *tensor, int64_t ordinal)
{
    const struct sw_tree *shape = tensor->layout->shape, *stride = tensor->layout->stride;
    int64_t slot = tensor->offset;

    for (size_t i = 0; i < shape->n_nodes; i++) {
        if (SW_TREE_IS_NESTED(shape->nodes[i]))
            continue;
        slot += ordinal % shape->nodes[i] * stride->nodes[i];
        ordinal /= shape->nodes[i];
    }
    return slot;
}

/* Itself, as a view. */
static void whole(struct view_model *model, const struct sw_tree *shape)
{
    int64_t step = 1;

    for (size_t i = 0; i < shape->n_nodes; i++) {
        model->shape[i] = model->step[i] = shape->nodes[i];
        if (SW_TREE_IS_NESTED(shape->nodes[i]))
            continue;
        model->step[i] = step;
        step *= shape->nodes[i];
    }
    model->n = shape->n_nodes;
}

/* ---- Building ------------------------------------------------------------------------------------- */

static void add_node(struct view_model *model, int64_t extent, int64_t step)
{
    ck_assert_uint_lt(model->n, MODEL_NODES);
    model->shape[model->n] = extent;
    model->step[model->n++] = step;
}

static void add_nodes(struct view_model *model, const struct view_model *from, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        add_node(model, from->shape[i], from->step[i]);
}

int64_t model_size(const struct view_model *model)
{
    return size_of(model->shape, 0, model->n);
}

int64_t model_source(const struct view_model *model, int64_t ordinal)
{
    int64_t source = model->first;

    for (size_t i = 0; i < model->n; i++) {
        if (SW_TREE_IS_NESTED(model->shape[i]))
            continue;
        source += ordinal % model->shape[i] * model->step[i];
        ordinal /= model->shape[i];
    }
    return source;
}

/* ---- The views ------------------------------------------------------------------------------------- */

typedef enum model_verdict view_fn(struct view_model *model, const struct view_model *in, const struct sample *sample);

static const struct sw_tree *tree_at(const struct sample *sample, size_t i)
{
    return sample->operands[i].tree;
}

/* A node of the target over a node of the tensor; 0 where the target cannot be that. */
static int add_broadcast(struct view_model *model, const struct view_model *in, size_t i, int64_t wanted)
{
    const int is_repeated = in->shape[i] == 1 && !SW_TREE_IS_NESTED(wanted);

    if (wanted != in->shape[i] && !is_repeated)
        return 0;
    add_node(model, wanted, wanted != in->shape[i] ? 0 : in->step[i]);
    return 1;
}

static enum model_verdict broadcast_to(struct view_model *model, const struct view_model *in,
                                       const struct sample *sample)
{
    const struct sw_tree *shape = tree_at(sample, 1);

    if (shape->n_nodes != in->n)
        return MODEL_REFUSED;
    for (size_t i = 0; i < in->n; i++)
        if (!add_broadcast(model, in, i, shape->nodes[i]))
            return MODEL_REFUSED;
    return MODEL_EXISTS;
}

enum model_verdict model_broadcast_in_dim(struct view_model *model, const struct sample *sample, const int64_t *dims,
                                          size_t n_dims)
{
    const struct sw_tree *target = tree_at(sample, 1);
    struct view_model in = { .n = 0 };
    size_t next = 0, from = 0;

    *model = in;
    whole(&in, sample->operands[0].layout->shape);
    for (size_t mode = 0, node = 0; mode < target->n_modes; mode++) {
        const size_t end = end_of(target->nodes, node);
        if (next < n_dims && dims[next] == (int64_t)mode) {
            next++;
            for (const size_t part = from < in.n ? end_of(in.shape, from) : from; node < end; node++, from++)
                if (from >= part || !add_broadcast(model, &in, from, target->nodes[node]))
                    return MODEL_REFUSED;
            continue;
        }
        if (SW_TREE_IS_NESTED(target->nodes[node]))
            return MODEL_REFUSED;
        add_node(model, target->nodes[node], 0);
        node = end;
    }
    return next == n_dims && from == in.n ? MODEL_EXISTS : MODEL_REFUSED;
}

/* Where mode @mode begins; mode n is the end. */
static size_t mode_at(const struct view_model *in, int64_t mode)
{
    size_t node = 0;

    while (mode-- > 0)
        node = end_of(in->shape, node);
    return node;
}

static int64_t rank_of(const struct view_model *in)
{
    int64_t rank = 0;

    for (size_t node = 0; node < in->n; node = end_of(in->shape, node))
        rank++;
    return rank;
}

static enum model_verdict permute(struct view_model *model, const struct view_model *in, const struct sample *sample)
{
    const int64_t rank = rank_of(in);
    unsigned used = 0;

    if ((int64_t)sample->n_operands - 1 != rank)
        return MODEL_REFUSED;
    for (int64_t i = 0; i < rank; i++) {
        const int64_t mode = sample->operands[i + 1].other.as.integer;
        if (mode < 0 || mode >= rank || (used & 1u << mode))
            return MODEL_REFUSED;
        used |= 1u << mode;
        add_nodes(model, in, mode_at(in, mode), mode_at(in, mode + 1));
    }
    return MODEL_EXISTS;
}

/* Whether equal steps in ordinals are equal steps in slots; the latter. */
static int is_even(const struct sample_operand *tensor, int64_t *ret_step)
{
    const int64_t first = model_slot(tensor, 0);

    *ret_step = tensor->layout->size > 1 ? model_slot(tensor, 1) - first : 0;
    for (int64_t i = 2; i < tensor->layout->size; i++)
        if (model_slot(tensor, i) - first != i * *ret_step)
            return 0;
    return 1;
}

static enum model_verdict reshape(struct view_model *model, const struct view_model *in, const struct sample *sample)
{
    int64_t step;

    whole(model, tree_at(sample, 1));
    return model_size(model) == model_size(in) && is_even(&sample->operands[0], &step) ? MODEL_EXISTS : MODEL_REFUSED;
}

static enum model_verdict unsqueeze(struct view_model *model, const struct view_model *in, const struct sample *sample)
{
    const int64_t rank = rank_of(in), given = sample->operands[1].other.as.integer;
    const int64_t dim = given < 0 ? given + rank + 1 : given;

    if (dim < 0 || dim > rank)
        return MODEL_REFUSED;
    add_nodes(model, in, 0, mode_at(in, dim));
    add_node(model, 1, 0);
    add_nodes(model, in, mode_at(in, dim), in->n);
    return MODEL_EXISTS;
}

static enum model_verdict squeeze(struct view_model *model, const struct view_model *in, const struct sample *sample)
{
    const int64_t rank = rank_of(in), given = sample->operands[1].other.as.integer;
    const int64_t dim = given < 0 ? given + rank : given;

    if (dim < 0 || dim >= rank || in->shape[mode_at(in, dim)] != 1)
        return MODEL_REFUSED;
    add_nodes(model, in, 0, mode_at(in, dim));
    add_nodes(model, in, mode_at(in, dim + 1), in->n);
    return MODEL_EXISTS;
}

/* A part that has one leaf is that leaf. */
static size_t leaf_or_itself(const struct view_model *in, size_t node)
{
    size_t leaf = node;

    while (in->shape[leaf] == SW_TREE_NESTED(1))
        leaf++;
    return SW_TREE_IS_NESTED(in->shape[leaf]) ? node : leaf;
}

/* Where what a selection extracts begins; every leaf where there is none. */
static size_t extracted(const struct view_model *in, const struct sw_tree *selection, size_t *parts)
{
    size_t n = 0;

    for (size_t node = 0, mark = 0; node < in->n; mark++) {
        const int is_descended = SW_TREE_IS_NESTED(selection != NULL ? selection->nodes[mark] : in->shape[node]);
        if (!is_descended)
            parts[n++] = leaf_or_itself(in, node);
        node = is_descended ? node + 1 : end_of(in->shape, node);
    }
    return n;
}

/* It is that leaf. */
static int is_group_of_one_leaf(const struct view_model *in, const size_t *parts, size_t n_parts, const int64_t *nodes)
{
    if (nodes[0] != SW_TREE_NESTED(1) || SW_TREE_IS_NESTED(nodes[1]))
        return 0;
    return nodes[1] < 0 || nodes[1] >= (int64_t)n_parts || !SW_TREE_IS_NESTED(in->shape[parts[nodes[1]]]);
}

static enum model_verdict rearrange(struct view_model *model, const struct view_model *in, const struct sample *sample)
{
    const struct sw_tree *output = tree_at(sample, 1);
    size_t parts[MAX_NODES];
    const size_t n_parts = extracted(in, tree_at(sample, 2), parts);
    uint64_t used = 0;

    for (size_t i = 0; i < output->n_nodes; i++) {
        const int64_t node = output->nodes[i];
        if (SW_TREE_IS_NESTED(node)) {
            if (!is_group_of_one_leaf(in, parts, n_parts, &output->nodes[i]))
                add_node(model, node, node);
        } else if (node == SW_TREE_ANY) {
            add_node(model, 1, 0);
        } else if (node < 0 || node >= (int64_t)n_parts || (used >> node & 1)) {
            return MODEL_REFUSED;
        } else {
            used |= UINT64_C(1) << node;
            add_nodes(model, in, parts[node], end_of(in->shape, parts[node]));
        }
    }
    for (size_t i = 0; i < n_parts; i++)
        if (!(used >> i & 1) && size_of(in->shape, parts[i], end_of(in->shape, parts[i])) != 1)
            return MODEL_REFUSED;
    return MODEL_EXISTS;
}

static int has_equal(int64_t *values, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < i; k++)
            if (values[i] == values[k])
                return 1;
    return 0;
}

static enum model_verdict as_strided(struct view_model *model, const struct view_model *in,
                                     const struct sample *sample)
{
    const struct sw_tree *shape = tree_at(sample, 1), *stride = tree_at(sample, 2);
    int64_t sources[MAX_SIZE], slots[MAX_SIZE], step;

    if (shape->n_nodes != stride->n_nodes)
        return MODEL_REFUSED;
    for (size_t i = 0; i < shape->n_nodes; i++) {
        if (SW_TREE_IS_NESTED(shape->nodes[i]) != SW_TREE_IS_NESTED(stride->nodes[i]))
            return MODEL_REFUSED;
        add_node(model, shape->nodes[i], stride->nodes[i]);
    }
    const int64_t n = model_size(model);
    for (int64_t i = 0; i < n; i++) {
        sources[i] = model_source(model, i);
        if (sources[i] >= model_size(in))
            return MODEL_REFUSED;
        slots[i] = model_slot(&sample->operands[0], sources[i]);
    }
    if (has_equal(sources, n) || has_equal(slots, n))
        return MODEL_REFUSED;
    return is_even(&sample->operands[0], &step) ? MODEL_EXISTS : MODEL_PERHAPS;
}

static int64_t clipped(int64_t bound, int64_t extent)
{
    const int64_t from_start = bound < 0 ? bound + extent : bound;

    return from_start < 0 ? 0 : from_start > extent ? extent : from_start;
}

/* A range of the mode that begins at @node. */
static enum model_verdict slice_range(struct view_model *model, const struct view_model *in, size_t node,
                                      const int64_t *key)
{
    const int64_t by = key[3] == SW_TREE_ANY ? 1 : key[3];

    if (SW_TREE_IS_NESTED(in->shape[node])) {
        add_nodes(model, in, node, end_of(in->shape, node));
        return key[1] == SW_TREE_ANY && key[2] == SW_TREE_ANY && by == 1 ? MODEL_EXISTS : MODEL_REFUSED;
    }
    const int64_t begin = key[1] == SW_TREE_ANY ? 0 : clipped(key[1], in->shape[node]);
    const int64_t end = key[2] == SW_TREE_ANY ? in->shape[node] : clipped(key[2], in->shape[node]);
    if (by < 1 || end <= begin || (end - begin) % by != 0)
        return MODEL_REFUSED;
    model->first += begin * in->step[node];
    add_node(model, (end - begin) / by, by * in->step[node]);
    return MODEL_EXISTS;
}

/* The step of a mode's first leaf is that of its ordinals. */
static enum model_verdict slice(struct view_model *model, const struct view_model *in, const struct sample *sample)
{
    const struct sw_tree *key = tree_at(sample, 1);
    enum model_verdict verdict = (int64_t)key->n_modes == rank_of(in) ? MODEL_EXISTS : MODEL_REFUSED;
    int has_range = 0;

    for (size_t node = 0, entry = 0; verdict == MODEL_EXISTS && node < in->n;) {
        const size_t end = end_of(in->shape, node);
        const int64_t k = key->nodes[entry];
        if (SW_TREE_IS_NESTED(k)) {
            verdict = slice_range(model, in, node, &key->nodes[entry]);
            has_range = 1;
        } else if (k < 0 || k >= size_of(in->shape, node, end)) {
            return MODEL_REFUSED;
        } else {
            size_t leaf = node;
            while (SW_TREE_IS_NESTED(in->shape[leaf]))
                leaf++;
            model->first += k * in->step[leaf];
        }
        entry = end_of(key->nodes, entry);
        node = end;
    }
    return has_range ? verdict : MODEL_REFUSED;
}

static const struct {
    const char *name;
    view_fn *view;
} views[] = {
    { "as_strided", as_strided }, { "broadcast_to", broadcast_to }, { "permute", permute },
    { "rearrange", rearrange },   { "reshape", reshape },           { "squeeze", squeeze },
    { "unsqueeze", unsqueeze },   { "view", slice },
};

void model_view(struct view_model *model, const struct sample *sample)
{
    struct view_model in = { .n = 0 };

    *model = in;
    whole(&in, sample->operands[0].layout->shape);
    for (size_t i = 0; i < N_OF(views); i++)
        if (strcmp(views[i].name, sample->name) == 0) {
            model->verdict = views[i].view(model, &in, sample);
            return;
        }
    ck_abort_msg("the view %s has no model", sample->name);
}

/* ---- Against the library --------------------------------------------------------------------------- */

void model_number_slots(struct sample_operand *tensor)
{
    tensor->dtype = SW_INT32;
    for (size_t i = 0; i < tensor->n_slots; i++)
        tensor->slots[i] = (double)i;
}

void model_check(const struct sample *sample, const struct view_model *model, const struct sw_tensor *view)
{
    struct sw_tree *shape = make_tree(model->shape, model->n);
    char *text, *expected;
    struct sw_scalar value;

    assert_ok(sw_tree_format(shape, &expected));
    assert_ok(sw_tree_format(sw_tensor_shape(view), &text));
    ck_assert_msg(strcmp(text, expected) == 0, "the shape is %s instead of %s: %s", text, expected,
                  sample_text(sample));
    for (int64_t i = 0; i < model_size(model); i++) {
        const int64_t slot = model_slot(&sample->operands[0], model_source(model, i));
        if (sw_tensor_get_ordinal(view, i, &value) != SW_OK || value.as.integer != slot)
            ck_abort_msg("element %lld comes from slot %lld instead of %lld: %s", (long long)i,
                         (long long)value.as.integer, (long long)slot, sample_text(sample));
    }
    sw_tree_unref(shape);
    sw_free(expected);
    sw_free(text);
}
