/*
 * conv_general against its definition, term by term; geometry, roles, refusals.
 */
#include "config.h"

#include "op_test.h"

#define MAX_SPATIAL 3

struct geometry {
    int64_t batch, in, out, groups;
    uint32_t n_spatial;
    int64_t size[MAX_SPATIAL], kernel[MAX_SPATIAL], strides[MAX_SPATIAL];
    int64_t padding[MAX_SPATIAL][2];
    int64_t lhs_dilation[MAX_SPATIAL], kernel_dilation[MAX_SPATIAL];
};

static const struct geometry geometries[] = {
    { 1, 1, 1, 1, 1, { 5 }, { 3 }, { 1 }, { { 0, 0 } }, { 1 }, { 1 } },
    { 2, 3, 4, 1, 1, { 7 }, { 3 }, { 2 }, { { 1, 2 } }, { 1 }, { 1 } },
    { 1, 2, 3, 1, 2, { 4, 5 }, { 2, 3 }, { 1, 1 }, { { 0, 0 }, { 1, 1 } }, { 1, 1 }, { 1, 1 } },
    { 3, 4, 6, 2, 2, { 5, 4 }, { 3, 1 }, { 2, 3 }, { { 2, 0 }, { 0, 1 } }, { 1, 2 }, { 2, 1 } },
    { 2, 6, 6, 6, 2, { 3, 3 }, { 2, 2 }, { 1, 1 }, { { 1, 1 }, { 1, 1 } }, { 1, 1 }, { 1, 1 } },
    { 2, 2, 2, 1, 3, { 3, 2, 4 }, { 2, 2, 2 }, { 1, 1, 2 }, { { 0, 1 }, { 1, 0 }, { 3, 3 } }, { 2, 1, 3 }, { 1, 2, 2 } },
    /* Beyond what is done term by term, and more patches than a block has. */
    { 1, 16, 24, 1, 2, { 40, 33 }, { 3, 3 }, { 1, 1 }, { { 1, 1 }, { 1, 1 } }, { 1, 1 }, { 1, 1 } },
    { 2, 16, 8, 2, 2, { 60, 57 }, { 5, 3 }, { 1, 1 }, { { 0, 0 }, { 0, 0 } }, { 1, 1 }, { 1, 1 } },
};

static int64_t product_of(const int64_t *extents, uint32_t n)
{
    int64_t size = 1;

    for (uint32_t i = 0; i < n; i++)
        size *= extents[i];
    return size;
}

static void out_extents(const struct geometry *g, int64_t *out)
{
    for (uint32_t i = 0; i < g->n_spatial; i++) {
        int64_t width = g->padding[i][0] + (g->size[i] - 1) * g->lhs_dilation[i] + 1 + g->padding[i][1];
        out[i] = (width - (g->kernel[i] - 1) * g->kernel_dilation[i] - 1) / g->strides[i] + 1;
    }
}

/* Where a tap reads, as an ordinal of the spatial modes; -1 for a zero. */
static int64_t place_read(const struct geometry *g, const int64_t *out, int64_t position, int64_t tap)
{
    int64_t place = 0, scale = 1;

    for (uint32_t i = 0; i < g->n_spatial; i++) {
        int64_t at = position % out[i] * g->strides[i] + tap % g->kernel[i] * g->kernel_dilation[i] - g->padding[i][0];
        if (at < 0 || at % g->lhs_dilation[i] != 0 || at / g->lhs_dilation[i] >= g->size[i])
            return -1;
        place += scale * (at / g->lhs_dilation[i]);
        scale *= g->size[i];
        position /= out[i];
        tap /= g->kernel[i];
    }
    return place;
}

/* Canonical arrays; rounded after each step, features fastest, then taps. */
static void correlate(const struct geometry *g, const int64_t *out, const float *x, const float *w, float *y)
{
    const int64_t n_taps = product_of(g->kernel, g->n_spatial), n_positions = product_of(out, g->n_spatial);
    const int64_t in_group = g->in / g->groups, out_group = g->out / g->groups;

    for (int64_t p = 0; p < n_positions; p++)
        for (int64_t o = 0; o < g->out; o++)
            for (int64_t b = 0; b < g->batch; b++) {
                float sum = 0;
                for (int64_t t = 0; t < n_taps; t++) {
                    int64_t place = place_read(g, out, p, t);
                    for (int64_t c = 0; c < in_group; c++) {
                        int64_t feature = o / out_group * in_group + c;
                        float element = place < 0 ? 0.0f : x[b + g->batch * (feature + g->in * place)];
                        float term = element * w[o + g->out * (c + in_group * t)];
                        sum += term;
                    }
                }
                y[b + g->batch * (o + g->out * p)] = sum;
            }
}

static struct sw_tensor *tensor_of(struct sw_carrier_class *on, int64_t first, int64_t second, const int64_t *spatial,
                                   uint32_t n_spatial, const float *values)
{
    int64_t extents[MAX_SPATIAL + 2] = { first, second };
    struct sw_tensor *tensor;
    struct sw_tree *shape;

    memcpy(extents + 2, spatial, n_spatial * sizeof *spatial);
    assert_ok(sw_tree_flat(extents, n_spatial + 2, &shape));
    assert_ok(sw_tensor_from_f32(on, values, shape, &tensor));
    sw_tree_unref(shape);
    return tensor;
}

static float *numbers(int64_t n, unsigned seed)
{
    float *values = calloc((size_t)n, sizeof *values);

    /* Small integers: sums are exact in whatever order they are made. */
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        values[i] = (float)((int)(seed >> 16) % 9 - 4);
    }
    return values;
}

static void assert_canonical(const struct sw_tensor *result, const struct geometry *g, const int64_t *out)
{
    int64_t extents[MAX_SPATIAL + 2] = { g->batch, g->out };
    struct sw_layout *layout;

    memcpy(extents + 2, out, g->n_spatial * sizeof *out);
    assert_ok(sw_layout_column_major(extents, g->n_spatial + 2, &layout));
    ck_assert(sw_layout_equal(sw_tensor_layout(result), layout));
    sw_layout_unref(layout);
}

static void check_geometry(struct sw_carrier_class *on, const struct geometry *g)
{
    int64_t out[MAX_SPATIAL];
    out_extents(g, out);
    const int64_t n_x = g->batch * g->in * product_of(g->size, g->n_spatial);
    const int64_t n_w = g->out * (g->in / g->groups) * product_of(g->kernel, g->n_spatial);
    const int64_t n_y = g->batch * g->out * product_of(out, g->n_spatial);
    float *x = numbers(n_x, 1), *w = numbers(n_w, 2), *y = numbers(n_y, 3), *came = numbers(n_y, 4);
    struct sw_tensor *in = tensor_of(on, g->batch, g->in, g->size, g->n_spatial, x), *result;
    struct sw_tensor *kernel = tensor_of(on, g->out, g->in / g->groups, g->kernel, g->n_spatial, w);
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;

    options.n_spatial = g->n_spatial;
    options.strides = g->strides;
    options.padding = g->padding;
    options.lhs_dilation = g->lhs_dilation;
    options.kernel_dilation = g->kernel_dilation;
    options.feature_groups = g->groups;
    correlate(g, out, x, w, y);
    assert_ok(sw_conv_general(in, kernel, &options, &result));
    ck_assert_int_eq(sw_tensor_size(result), n_y);
    assert_canonical(result, g, out);
    assert_ok(sw_tensor_read_f32(result, came, (size_t)n_y));
    for (int64_t i = 0; i < n_y; i++)
        ck_assert_msg(came[i] == y[i], "element %lld is %g, expected %g", (long long)i, (double)came[i], (double)y[i]);
    sw_tensor_unref(in);
    sw_tensor_unref(kernel);
    sw_tensor_unref(result);
    free(x);
    free(w);
    free(y);
    free(came);
}

START_TEST(every_geometry_agrees_with_the_definition)
{
    FOR_BOTH(on) {
        for (size_t i = 0; i < N_OF(geometries); i++)
            check_geometry(on, &geometries[i]);
    }
}
END_TEST

START_TEST(layouts_do_not_matter_and_roles_may_be_nested)
{
    FOR_BOTH(on) {
        /* (batch (1,2), features (2), space 3) with space fastest in storage. */
        struct sw_tensor *in = F32(on, "((1,2),2,3):((0,6),3,1)", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), *out;
        struct sw_tensor *kernel = F32(on, "((2),(2,1),2):((4),(2,9),1)", 1, 0, 0, 1, 1, 1, 1, 1);
        assert_ok(sw_conv_general(in, kernel, NULL, &out));
        assert_f32(out, "((1,2),(2),2):((1,1),(2),4)", 6, 18, 12, 36, 8, 20, 16, 40);
        struct sw_tensor *same = F32(on, "(1,2,3):(0,0,1)", 1, 2, 3), *one = F32(on, "(1,2,1):(0,1,0)", 1, 10);
        assert_ok(sw_conv_general(same, one, NULL, &out));
        assert_f32(out, "(1,1,3):(1,1,1)", 11, 22, 33);
        sw_tensor_unref(in);
        sw_tensor_unref(kernel);
        sw_tensor_unref(same);
        sw_tensor_unref(one);
    }
}
END_TEST

START_TEST(zeros_of_padding_are_multiplied)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(1,1,2):(1,1,1)", 1, -1), *kernel = F32(on, "(1,1,2):(1,1,1)", INFINITY, 0);
        const int64_t padding[][2] = { { 1, 0 } };
        struct sw_conv_options options = SW_CONV_OPTIONS_INIT;
        struct sw_tensor *out;
        options.padding = padding;
        assert_ok(sw_conv_general(in, kernel, &options, &out));
        assert_f32(out, "(1,1,2):(1,1,1)", NAN, INFINITY);
        sw_tensor_unref(in);
        sw_tensor_unref(kernel);
    }
}
END_TEST

START_TEST(dims_bring_operands_to_the_order_of_roles_and_the_result_from_it)
{
    FOR_BOTH(on) {
        /* As stored: space, features, batch; the kernel: features, space, features of the result. */
        struct sw_tensor *in = F32(on, "(3,2,1):(1,3,6)", 1, 2, 3, 10, 20, 30), *out;
        struct sw_tensor *kernel = F32(on, "(2,2,1):(1,2,4)", 1, 2, 3, 4);
        const int64_t lhs_dims[] = { 2, 1, 0 }, kernel_dims[] = { 2, 0, 1 }, output_dims[] = { 2, 0, 1 };
        struct sw_conv_options options = SW_CONV_OPTIONS_INIT;
        options.lhs_dims = lhs_dims;
        options.kernel_dims = kernel_dims;
        assert_ok(sw_conv_general(in, kernel, &options, &out));
        assert_f32(out, "(1,1,2):(1,1,1)", 1 + 20 + 6 + 80, 2 + 40 + 9 + 120);
        options.output_dims = output_dims;
        assert_ok(sw_conv_general(in, kernel, &options, &out));
        assert_f32(out, "(2,1,1):(1,1,1)", 107, 171);
        sw_tensor_unref(in);
        sw_tensor_unref(kernel);
    }
}
END_TEST

/* Lists that differ from the defaults in one place each. */
static enum sw_status with(const struct sw_tensor *in, const struct sw_tensor *kernel, const char *strides,
                           const char *padding, const char *lhs, const char *dilation, int64_t groups)
{
    struct sw_tree *lists[] = { tree_of(strides), tree_of(padding), tree_of(lhs), tree_of(dilation) };
    const struct sw_operand operands[] = {
        sw_operand_tensor(in),     sw_operand_tensor(kernel), sw_operand_tree(lists[0]), sw_operand_tree(lists[1]),
        sw_operand_tree(lists[2]), sw_operand_tree(lists[3]), sw_operand_integer(groups),
    };
    struct sw_tensor *out = NULL;
    enum sw_status status = forward("conv_general", sw_tensor_carrier(in), operands, N_OF(operands), &out);

    sw_tensor_unref(out);
    for (size_t i = 0; i < N_OF(lists); i++)
        sw_tree_unref(lists[i]);
    return status;
}

START_TEST(arguments_are_checked)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(1,4,5):(0,0,1)", 1, 2, 3, 4, 5);
        struct sw_tensor *kernel = F32(on, "(2,4,3):(0,0,0)", 1), *halved = F32(on, "(2,2,3):(0,0,0)", 1);
        assert_ok(with(in, kernel, "(1)", "((0,0))", "(1)", "(1)", 1));
        assert_ok(with(in, halved, "(1)", "((0,0))", "(1)", "(1)", 2));
        static const struct {
            const char *strides, *padding, *lhs, *dilation;
            int64_t groups;
            enum sw_status expected;
        } rows[] = {
            { "(0)", "((0,0))", "(1)", "(1)", 1, SW_VALUE_ERROR },
            { "(1,1)", "((0,0))", "(1)", "(1)", 1, SW_VALUE_ERROR },
            { "()", "((0,0))", "(1)", "(1)", 1, SW_VALUE_ERROR },
            { "((1))", "((0,0))", "(1)", "(1)", 1, SW_TYPE_ERROR },
            { "(*)", "((0,0))", "(1)", "(1)", 1, SW_TYPE_ERROR },
            { "(1)", "((-1,0))", "(1)", "(1)", 1, SW_VALUE_ERROR },
            { "(1)", "((0,-1))", "(1)", "(1)", 1, SW_VALUE_ERROR },
            { "(1)", "(0)", "(1)", "(1)", 1, SW_TYPE_ERROR },
            { "(1)", "((0,0,0))", "(1)", "(1)", 1, SW_TYPE_ERROR },
            { "(1)", "((0,*))", "(1)", "(1)", 1, SW_TYPE_ERROR },
            { "(1)", "((0,0),(0,0))", "(1)", "(1)", 1, SW_VALUE_ERROR },
            { "(1)", "((0,0))", "(0)", "(1)", 1, SW_VALUE_ERROR },
            { "(1)", "((0,0))", "(1)", "(0)", 1, SW_VALUE_ERROR },
            { "(1)", "((0,0))", "(1)", "(3)", 1, SW_VALUE_ERROR },
            { "(1)", "((0,0))", "(1)", "(1)", 0, SW_VALUE_ERROR },
            { "(1)", "((0,0))", "(1)", "(1)", 2, SW_VALUE_ERROR },
            { "(1)", "((0,0))", "(1)", "(1)", 3, SW_VALUE_ERROR },
            { "(1)", "((0,0))", "(9000000000000000000)", "(1)", 1, SW_OVERFLOW_ERROR },
            { "(1)", "((9000000000000000000,9000000000000000000))", "(1)", "(1)", 1, SW_OVERFLOW_ERROR },
        };
        for (size_t i = 0; i < N_OF(rows); i++) {
            enum sw_status status = with(in, kernel, rows[i].strides, rows[i].padding, rows[i].lhs, rows[i].dilation,
                                         rows[i].groups);
            ck_assert_msg(status == rows[i].expected, "row %zu: %s", i, sw_status_name(status));
        }
        sw_tensor_unref(in);
        sw_tensor_unref(kernel);
        sw_tensor_unref(halved);
    }
}
END_TEST

START_TEST(operands_are_checked)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(1,1,3):(0,0,1)", 1, 2, 3), *kernel = F32(on, "(1,1,2):(0,0,0)", 1), *out = NULL;
        struct sw_tensor *matrix = F32(on, "(1,3):(0,1)", 1, 2, 3), *deep = F32(on, "(1,1,(3)):(0,0,(1))", 1, 2, 3);
        struct sw_tensor *wider = F32(on, "(1,1,2,1):(0,0,0,0)", 1), *whole = I32(on, "(1,1,2):(0,0,0)", 1);
        struct sw_tensor *truth = BOOL(on, "(1,1,2):(0,0,0)", 1);
        assert_status(sw_conv_general(matrix, matrix, NULL, &out), SW_VALUE_ERROR);
        assert_status(sw_conv_general(in, wider, NULL, &out), SW_VALUE_ERROR);
        assert_status(sw_conv_general(deep, kernel, NULL, &out), SW_VALUE_ERROR);
        assert_status(sw_conv_general(in, deep, NULL, &out), SW_VALUE_ERROR);
        /* The dtype comes before the ranks. */
        assert_status(sw_conv_general(in, whole, NULL, &out), SW_TYPE_ERROR);
        assert_status(sw_conv_general(truth, wider, NULL, &out), SW_NOT_IMPLEMENTED_ERROR);
        const uint64_t before = sw_boundary_count();
        struct sw_conv_options options = SW_CONV_OPTIONS_INIT, odd = { .struct_bytes = 0 };
        const int64_t twice[] = { 0, 0, 2 }, far[] = { 0, 1, 3 };
        assert_status(sw_conv_general(in, NULL, NULL, &out), SW_TYPE_ERROR);
        assert_status(sw_conv_general(in, kernel, &odd, &out), SW_TYPE_ERROR);
        options.output_dims = twice;
        assert_status(sw_conv_general(in, kernel, &options, &out), SW_VALUE_ERROR);
        options.output_dims = NULL;
        options.lhs_dims = far;
        assert_status(sw_conv_general(in, kernel, &options, &out), SW_VALUE_ERROR);
        options.lhs_dims = NULL;
        options.kernel_dims = twice;
        assert_status(sw_conv_general(in, kernel, &options, &out), SW_VALUE_ERROR);
        assert_status(sw_conv_general(in, wider, &options, &out), SW_VALUE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        assert_ok(sw_carrier_release(sw_tensor_carrier(in)));
        assert_status(sw_conv_general(in, kernel, NULL, &out), SW_RUNTIME_ERROR);
        ck_assert_ptr_null(out);
        struct sw_tensor *all[] = { in, kernel, matrix, deep, wider, whole, truth };
        for (size_t i = 0; i < N_OF(all); i++)
            sw_tensor_unref(all[i]);
    }
}
END_TEST

START_TEST(what_an_older_structure_lacks_keeps_its_default)
{
    FOR_BOTH(on) {
        const int64_t twice[] = { 0, 0, 2 }, strides[] = { 2 };
        struct sw_conv_options options = SW_CONV_OPTIONS_INIT;
        struct sw_tensor *in = F32(on, "(1,1,3):(0,0,1)", 1, 2, 3), *kernel = F32(on, "(1,1,1):(0,0,1)", 5), *out = NULL;

        options.strides = strides;
        options.feature_groups = 0;
        options.lhs_dims = options.kernel_dims = options.output_dims = twice;
        options.struct_bytes = offsetof(struct sw_conv_options, feature_groups);
        assert_ok(sw_conv_general(in, kernel, &options, &out));
        assert_f32(out, "(1,1,2):(1,1,1)", 5, 15);
        sw_tensor_unref(in);
        sw_tensor_unref(kernel);
    }
}
END_TEST

CHECK_MAIN("conv", every_geometry_agrees_with_the_definition, layouts_do_not_matter_and_roles_may_be_nested,
           zeros_of_padding_are_multiplied, dims_bring_operands_to_the_order_of_roles_and_the_result_from_it,
           arguments_are_checked, operands_are_checked, what_an_older_structure_lacks_keeps_its_default)
