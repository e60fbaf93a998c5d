/*
 * The formulas of flops.def, and a memory of what they gave: executions repeat
 * few pairs of operation and shapes.
 */
#include "config.h"

#include "analyze/flops.h"

#include <string.h>

#include <strideweave/convolution.h>
#include <strideweave/flops.h>

#include "analyze/index_table.h"
#include "base/alloc.h"

/* What a formula looks at. */
struct inputs {
    const struct sw__analyze_shapes *shapes;
    const struct sw_conv_options *conv; /* NULL: not known */
};

/* Words of one input. */
struct shape {
    const int64_t *nodes;
    uint64_t n_nodes;
};

/* Units of an execution; 0 when they cannot be told. */
typedef int formula(const struct inputs *inputs, int64_t *ret_units);

/* ---- Shapes ----------------------------------------------------------------------------- */

static int is_nested(int64_t node)
{
    return node <= SW__ANALYZE_SHAPE_NESTED_BOUND;
}

/* The shape at a position; 0 when there is no tensor. The list is well formed. */
static int shape_at(const struct sw__analyze_shapes *list, uint32_t position, struct shape *ret_shape)
{
    const int64_t *at = list->words;

    if (position >= list->n_inputs)
        return 0;
    while (position-- > 0)
        at += 1 + (*at == SW__ANALYZE_SHAPE_NONE ? 0 : *at);
    if (*at == SW__ANALYZE_SHAPE_NONE)
        return 0;
    *ret_shape = (struct shape){ at + 1, (uint64_t)*at };
    return 1;
}

static int multiply(int64_t *product, int64_t factor)
{
    return !__builtin_mul_overflow(*product, factor, product);
}

/* Elements of the modes from @node on, one of them or (@n_modes 0) all; @node moves behind them. */
static int elements(const struct shape *shape, uint64_t *node, uint64_t n_modes, int64_t *ret_n)
{
    uint64_t left = n_modes;
    int is_empty = 0, fits = 1;
    int64_t n = 1;

    while (*node < shape->n_nodes && (n_modes == 0 || left > 0)) {
        int64_t value = shape->nodes[(*node)++];
        left--;
        if (is_nested(value)) {
            left += (uint64_t)value - (uint64_t)INT64_MIN;
            continue;
        }
        is_empty |= value == 0;
        fits &= multiply(&n, value);
    }
    *ret_n = is_empty ? 0 : n;
    return is_empty || fits;
}

static int elements_at(const struct inputs *inputs, uint32_t position, int64_t *ret_n)
{
    struct shape shape;
    uint64_t node = 0;

    return shape_at(inputs->shapes, position, &shape) && elements(&shape, &node, 0, ret_n);
}

/* Elements of exactly two modes. */
static int two_modes(const struct inputs *inputs, uint32_t position, int64_t ret_n[2])
{
    struct shape shape;
    uint64_t node = 0;

    if (!shape_at(inputs->shapes, position, &shape))
        return 0;
    for (int mode = 0; mode < 2; mode++)
        if (node == shape.n_nodes || !elements(&shape, &node, 1, &ret_n[mode]))
            return 0;
    return node == shape.n_nodes;
}

/* ---- Formulas --------------------------------------------------------------------------- */

/* Leaf by leaf what the tensors are widened to: an extent of 1 becomes the others'. */
static int widened(const struct sw__analyze_shapes *list, const struct shape *first, uint64_t node, int64_t *ret_extent)
{
    int64_t extent = first->nodes[node];

    for (uint32_t i = 0; i < list->n_inputs; i++) {
        struct shape other;
        if (!shape_at(list, i, &other))
            continue;
        if (other.n_nodes != first->n_nodes || is_nested(other.nodes[node]) != is_nested(first->nodes[node]))
            return 0;
        if (extent == 1)
            extent = other.nodes[node];
        if (other.nodes[node] != extent && other.nodes[node] != 1)
            return 0;
    }
    *ret_extent = extent;
    return 1;
}

static int of_result(const struct inputs *inputs, int64_t *ret_units)
{
    struct shape first;
    uint32_t position = 0;
    int is_empty = 0, fits = 1;
    int64_t n = 1;

    while (position < inputs->shapes->n_inputs && !shape_at(inputs->shapes, position, &first))
        position++;
    if (position == inputs->shapes->n_inputs)
        return 0;
    for (uint64_t node = 0; node < first.n_nodes; node++) {
        int64_t extent = 0;
        if (!widened(inputs->shapes, &first, node, &extent))
            return 0;
        if (is_nested(extent))
            continue;
        is_empty |= extent == 0;
        fits &= multiply(&n, extent);
    }
    *ret_units = is_empty ? 0 : n;
    return is_empty || fits;
}

static int of_first(const struct inputs *inputs, int64_t *ret_units)
{
    return elements_at(inputs, 0, ret_units);
}

static int of_third(const struct inputs *inputs, int64_t *ret_units)
{
    return elements_at(inputs, 2, ret_units);
}

/* A reduction is given two modes: what is kept, and what is folded into it. */
static int of_folds(const struct inputs *inputs, int64_t *ret_units)
{
    int64_t modes[2], n = 0;

    if (!two_modes(inputs, 0, modes) || !elements_at(inputs, 0, &n))
        return 0;
    *ret_units = n > modes[0] ? n - modes[0] : 0;
    return 1;
}

static int of_product(const struct inputs *inputs, int64_t *ret_units)
{
    int64_t a[2], b[2];

    if (!two_modes(inputs, 0, a) || !two_modes(inputs, 1, b) || a[1] != b[1])
        return 0;
    *ret_units = a[0];
    if (a[0] == 0 || a[1] == 0 || b[0] == 0)
        *ret_units = 0;
    return multiply(ret_units, a[1]) && multiply(ret_units, b[0]);
}

static int entry_of(const int64_t *list, uint64_t i, int64_t *ret_value)
{
    *ret_value = list != NULL ? list[i] : 1;
    return *ret_value >= 1;
}

/* Positions of something @extent wide with @dilation between its elements. */
static int dilated(int64_t extent, int64_t dilation, int64_t *ret_width)
{
    return extent >= 1 && !__builtin_mul_overflow(extent - 1, dilation, ret_width) &&
           !__builtin_add_overflow(*ret_width, 1, ret_width);
}

/* Positions that the kernel takes along spatial mode @i. */
static int positions(const struct sw_conv_options *conv, uint64_t i, int64_t extent, int64_t kernel, int64_t *ret_n)
{
    int64_t stride, in_dilation, kernel_dilation, width, kernel_width;

    if (!entry_of(conv->strides, i, &stride) || !entry_of(conv->lhs_dilation, i, &in_dilation) ||
        !entry_of(conv->kernel_dilation, i, &kernel_dilation) || !dilated(extent, in_dilation, &width) ||
        !dilated(kernel, kernel_dilation, &kernel_width))
        return 0;
    for (int side = 0; side < 2 && conv->padding != NULL; side++)
        if (conv->padding[i][side] < 0 || __builtin_add_overflow(width, conv->padding[i][side], &width))
            return 0;
    *ret_n = (width - kernel_width) / stride + 1;
    return width >= kernel_width;
}

/* Per output position and batch: every feature of the result meets the kernel's taps of its group's features. */
static int of_patches(const struct inputs *inputs, int64_t *ret_units)
{
    const struct sw_conv_options *conv = inputs->conv;
    struct shape in, kernel;
    uint64_t node = 0, kernel_node = 0;
    int64_t batch, features, out_features, group_features, n;

    if (conv == NULL || !shape_at(inputs->shapes, 0, &in) || !shape_at(inputs->shapes, 1, &kernel))
        return 0;
    if (!elements(&in, &node, 1, &batch) || !elements(&in, &node, 1, &features) ||
        !elements(&kernel, &kernel_node, 0, ret_units))
        return 0;
    kernel_node = 0;
    if (!elements(&kernel, &kernel_node, 1, &out_features) || !elements(&kernel, &kernel_node, 1, &group_features) ||
        in.n_nodes - node != kernel.n_nodes - kernel_node || in.n_nodes == node ||
        (conv->n_spatial != 0 && conv->n_spatial != in.n_nodes - node) || conv->feature_groups < 1 ||
        features / conv->feature_groups != group_features || features % conv->feature_groups != 0 ||
        !multiply(ret_units, batch))
        return 0;
    for (uint64_t i = 0; node + i < in.n_nodes; i++)
        if (!positions(conv, i, in.nodes[node + i], kernel.nodes[kernel_node + i], &n) || !multiply(ret_units, n))
            return 0;
    return 1;
}

static int of_nothing(const struct inputs *inputs, int64_t *ret_units)
{
    (void)inputs;
    *ret_units = 0;
    return 1;
}

static int of_unknown(const struct inputs *inputs, int64_t *ret_units)
{
    (void)inputs;
    (void)ret_units;
    return 0;
}

/* ---- Rows ------------------------------------------------------------------------------- */

struct row {
    const char *name;
    formula *units;
    int64_t per_unit;
};

static const struct row rows[] = {
#define FLOPS(name, units, per_unit, source) { name, units, per_unit },
#define FLOPS_DELEGATED(module, name)
#include "analyze/flops.def"
#undef FLOPS
#undef FLOPS_DELEGATED
};
#define N_ROWS (sizeof rows / sizeof *rows)

static const struct {
    const char *module;
    const char *name;
} delegated[] = {
#define FLOPS(name, units, per_unit, source)
#define FLOPS_DELEGATED(module, name) { module, name },
#include "analyze/flops.def"
#undef FLOPS
#undef FLOPS_DELEGATED
};

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static int is_delegated(const struct sw__analyze_dispatch *dispatch)
{
    for (size_t i = 0; i < sizeof delegated / sizeof *delegated; i++)
        if (strcmp(delegated[i].name, dispatch->implementation_name) == 0 &&
            strcmp(delegated[i].module, dispatch->implementation_module) == 0)
            return 1;
    return 0;
}

static int64_t estimate(const struct row *row, const struct sw__analyze_shapes *shapes,
                        const struct sw_conv_options *conv)
{
    const struct inputs inputs = { shapes, conv };
    int64_t n = 0;

    if (row == NULL || !sw__analyze_shapes_valid(shapes) || !row->units(&inputs, &n) || !multiply(&n, row->per_unit))
        return SW__FLOPS_NONE;
    return n;
}

int64_t sw__flops_estimate(const char *name, const struct sw__analyze_shapes *shapes,
                           const struct sw_conv_options *conv)
{
    return estimate(find_row(name), shapes, conv);
}

enum sw_status sw_flops_estimate(const char *name, const struct sw_input_shapes *inputs,
                                 const struct sw_conv_options *conv, int64_t *ret_flops)
{
    int64_t *words SW__OWNED = NULL;
    struct sw__analyze_shapes list = { 0 };

    if (name == NULL || inputs == NULL || (inputs->shapes == NULL && inputs->n_inputs != 0))
        return sw_error_set(SW_TYPE_ERROR, "an estimate needs a name and input shapes, got NULL");
    if (conv != NULL && conv->struct_bytes < sizeof *conv)
        return sw_error_set(SW_TYPE_ERROR, "options of a convolution must begin as SW_CONV_OPTIONS_INIT");
    SW__TRY(sw__analyze_shapes_words(inputs->shapes, inputs->n_inputs, &words, &list.n_words));
    list.n_inputs = (uint32_t)inputs->n_inputs; /* no more than there are words */
    list.words = words;
    *ret_flops = sw__flops_estimate(name, &list, conv);
    return SW_OK;
}

/* ---- Of many executions ----------------------------------------------------------------- */

#define N_KEPT 1024 /* a power of two */

struct kept {
    uint32_t dispatch; /* SW__ANALYZE_NONE: nothing yet */
    uint32_t shapes;
    int64_t flops;
};

struct sw__flops {
    const struct sw__analyze_names *names;
    const struct row **rows; /* per dispatch; NULL: no estimate */
    struct kept kept[N_KEPT];
};

enum sw_status sw__flops_new(const struct sw__analyze_names *names, struct sw__flops **ret_flops)
{
    struct sw__flops *flops SW__OWNED_FLOPS = sw__alloc_zero(sizeof *flops);

    if (flops == NULL)
        return SW_MEMORY_ERROR;
    flops->names = names;
    memset(flops->kept, 0xff, sizeof flops->kept); /* SW__ANALYZE_NONE */
    flops->rows = sw__alloc(names->n_dispatches * sizeof *flops->rows);
    if (flops->rows == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < names->n_dispatches; i++)
        flops->rows[i] = is_delegated(&names->dispatches[i]) ? NULL : find_row(names->dispatches[i].name);
    *ret_flops = sw__take(flops);
    return SW_OK;
}

int64_t sw__flops_of(struct sw__flops *flops, uint32_t dispatch, uint32_t shapes)
{
    if (dispatch >= flops->names->n_dispatches || shapes >= flops->names->n_shapes || flops->rows[dispatch] == NULL)
        return SW__FLOPS_NONE;
    struct kept *kept = &flops->kept[sw__hash_number(dispatch, shapes) % N_KEPT];
    if (kept->dispatch != dispatch || kept->shapes != shapes)
        *kept = (struct kept){ dispatch, shapes, estimate(flops->rows[dispatch], &flops->names->shapes[shapes], NULL) };
    return kept->flops;
}

void sw__flops_free(struct sw__flops *flops)
{
    if (flops == NULL)
        return;
    sw__free(flops->rows);
    sw__free(flops);
}
