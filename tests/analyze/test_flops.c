/*
 * Estimates of floating point operations. The numbers are counted by hand from
 * what the operations mean, or are PyTorch 1.13's where it has the operation.
 */
#include "config.h"

#include <strideweave/flops.h>
#include <strideweave/tree.h>

#include <string.h>

#include "analyze/flops.h"
#include "check_main.h"

#define NESTED(k) (INT64_MIN + (k))
#define LIST(n, ...)                                                                                  \
    ((struct sw__analyze_shapes){ n, (uint32_t)(sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)), \
                                  (const int64_t[]){ __VA_ARGS__ } })
START_TEST(every_operation_of_the_table_has_a_row)
{
    static const char *const with_row[] = {
#define FLOPS(name, formula, per_unit, source) name,
#define FLOPS_DELEGATED(module, name)
#include "analyze/flops.def"
#undef FLOPS
#undef FLOPS_DELEGATED
    };
    static const char *const operations[] = {
#define SW__OP(name, family, generic, cpu, gradient, flags) #name,
#include "op/ops.def"
#undef SW__OP
    };
    size_t n_found = 0;

    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (size_t row = 0; row < sizeof with_row / sizeof *with_row; row++)
            n_found += strcmp(operations[i], with_row[row]) == 0;
    ck_assert_uint_eq(n_found, sizeof operations / sizeof *operations);
    ck_assert_uint_eq(sizeof with_row / sizeof *with_row, sizeof operations / sizeof *operations);
}
END_TEST

#define FLOPS(name, ...) sw__flops_estimate(name, &LIST(__VA_ARGS__), NULL)

/* torch.profiler with with_flops, 1.13: mm of 64x64 matrices 524288, add and mul of 64x64 tensors 4096. */
START_TEST(numbers_are_pytorchs_where_it_has_them)
{
    ck_assert_int_eq(FLOPS("matmul", 2, 2, 64, 64, 2, 64, 64), 524288);
    ck_assert_int_eq(FLOPS("add", 2, 2, 64, 64, 2, 64, 64), 4096);
    ck_assert_int_eq(FLOPS("mul", 2, 2, 64, 64, 2, 64, 64), 4096);
}
END_TEST

START_TEST(a_product_is_two_per_multiply_and_add)
{
    ck_assert_int_eq(FLOPS("matmul", 2, 2, 5, 7, 2, 3, 7), 2 * 5 * 7 * 3);
    /* ((2,3),4) by (5,(2,2)): modes are multiplied out. */
    ck_assert_int_eq(FLOPS("matmul", 2, 4, NESTED(2), 2, 3, 4, 4, 5, NESTED(2), 2, 2), 2 * 6 * 4 * 5);
    ck_assert_int_eq(FLOPS("matmul", 2, 2, 5, 0, 2, 3, 0), 0);
    ck_assert_int_eq(FLOPS("matmul", 2, 2, INT64_MAX, 0, 2, INT64_MAX, 0), 0);
    ck_assert_int_eq(FLOPS("matmul", 2, 2, 5, 7, 2, 3, 8), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("matmul", 2, 1, 5, 2, 3, 8), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("matmul", 2, 2, INT64_MAX, 2, 2, 3, 2), SW__FLOPS_NONE);
}
END_TEST

START_TEST(an_elementwise_result_is_what_its_operands_are_widened_to)
{
    ck_assert_int_eq(FLOPS("sub", 2, 2, 1, 4, 2, 3, 1), 12);
    ck_assert_int_eq(FLOPS("add", 2, 1, 5, -1), 5);          /* a number is no tensor */
    ck_assert_int_eq(FLOPS("add", 2, -1, 1, 5), 5);
    ck_assert_int_eq(FLOPS("add", 2, 0, 0), 1);              /* rank zero: one element */
    ck_assert_int_eq(FLOPS("div", 2, 2, 1, 0, 2, 3, 0), 0);
    ck_assert_int_eq(FLOPS("select", 3, 1, 1, 1, 6, 1, 1), 6);
    ck_assert_int_eq(FLOPS("clamp", 3, 1, 6, -1, -1), 6);
    ck_assert_int_eq(FLOPS("le", 2, 4, NESTED(2), 2, 1, 4, 4, NESTED(2), 2, 3, 4), 24);
    ck_assert_int_eq(FLOPS("neg", 1, 3, 2, 3, 4), 24);
    ck_assert_int_eq(FLOPS("add", 2, 1, 3, 1, 4), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("add", 2, 1, 3, 2, 3, 3), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("add", 2, -1, -1), SW__FLOPS_NONE);
}
END_TEST

/* Ten numbers are added with nine additions. */
START_TEST(a_reduction_is_one_per_element_that_is_folded_into_another)
{
    ck_assert_int_eq(FLOPS("reduce_sum", 1, 2, 1, 10), 9);
    ck_assert_int_eq(FLOPS("reduce_max", 1, 2, 3, 10), 27);
    ck_assert_int_eq(FLOPS("argmin", 1, 5, NESTED(2), 3, 2, NESTED(1), 10), 54);
    ck_assert_int_eq(FLOPS("reduce_sum", 1, 2, 3, 0), 0);
    ck_assert_int_eq(FLOPS("reduce_sum", 1, 1, 3), SW__FLOPS_NONE);
}
END_TEST

START_TEST(no_estimate_is_not_zero)
{
    ck_assert_int_eq(FLOPS("view", 1, 1, 3), 0);
    ck_assert_int_eq(FLOPS("gather", 3, 1, 3, 1, 2, -1), 0);
    ck_assert_int_eq(FLOPS("scatter_add", 4, 1, 9, 1, 4, 1, 4, -1), 4);
    ck_assert_int_eq(FLOPS("exp", 1, 1, 3), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("_sort_values", 3, 1, 3, -1, -1), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("of_my_own", 1, 1, 3), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("conv_general", 7, 4, 1, 1, 64, 64, 4, 2, 1, 3, 3, -1, -1, -1, -1, -1), SW__FLOPS_NONE);
    ck_assert_int_eq(FLOPS("add", 2, 5, 1), SW__FLOPS_NONE); /* ill formed */
}
END_TEST

static int64_t conv(const struct sw__analyze_shapes *shapes, const struct sw_conv_options *options)
{
    return sw__flops_estimate("conv_general", shapes, options);
}

START_TEST(a_convolution_needs_its_options)
{
    const struct sw__analyze_shapes image = LIST(2, 4, 1, 1, 64, 64, 4, 2, 1, 3, 3);
    const struct sw__analyze_shapes groups = LIST(2, 3, 2, 6, 10, 3, 4, 3, 3);
    static const int64_t twos[] = { 2, 2 }, bad[] = { 0, 1 }, ones_padding[2][2] = { { 1, 1 }, { 1, 1 } };
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;

    /* torch.profiler with with_flops, 1.13: conv2d of 1x1x64x64 by 2x1x3x3. */
    ck_assert_int_eq(conv(&image, &options), 138384);
    options.padding = ones_padding; /* 64 x 64 positions */
    ck_assert_int_eq(conv(&image, &options), 2 * 64 * 64 * 9 * 2);
    options.strides = twos; /* 32 x 32 */
    ck_assert_int_eq(conv(&image, &options), 2 * 32 * 32 * 9 * 2);
    options.kernel_dilation = twos; /* 5 wide on 66: positions 0, 2, ... 60 */
    ck_assert_int_eq(conv(&image, &options), 2 * 31 * 31 * 9 * 2);
    options.strides = bad;
    ck_assert_int_eq(conv(&image, &options), SW__FLOPS_NONE);
    options = (struct sw_conv_options)SW_CONV_OPTIONS_INIT;
    ck_assert_int_eq(conv(&groups, &options), SW__FLOPS_NONE); /* 6 features, the kernel is for 3 */
    options.feature_groups = 2; /* 2 batches of 8 positions of 4 features, each 3 taps of 3 features */
    ck_assert_int_eq(conv(&groups, &options), 2 * 2 * 8 * 4 * 3 * 3);
    options.lhs_dilation = twos; /* 19 positions hold the 10 elements: 17 places for 3 taps */
    ck_assert_int_eq(conv(&groups, &options), 2 * 2 * 17 * 4 * 3 * 3);
}
END_TEST

START_TEST(trees_are_taken_as_well)
{
    struct sw_tree *tree = NULL;
    int64_t flops = 7;

    ck_assert_int_eq(sw_tree_flat((const int64_t[]){ 64, 64 }, 2, &tree), SW_OK);
    const struct sw_tree *const trees[] = { tree, tree };
    const struct sw_input_shapes inputs = { 2, trees };
    ck_assert_int_eq(sw_flops_estimate(NULL, &inputs, NULL, &flops), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_flops_estimate("matmul", NULL, NULL, &flops), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_flops_estimate("matmul", &inputs, &(struct sw_conv_options){ .struct_bytes = 4 }, &flops),
                     SW_TYPE_ERROR);
    ck_assert_int_eq(flops, 7);
    ck_assert_int_eq(sw_flops_estimate("matmul", &inputs, NULL, &flops), SW_OK);
    ck_assert_int_eq(flops, 524288);
    ck_assert_int_eq(sw_flops_estimate("exp", &inputs, NULL, &flops), SW_OK);
    ck_assert_int_eq(flops, SW_FLOPS_NONE);
    sw_tree_unref(tree);
}
END_TEST

#define EVENT(start, duration, of_dispatch, of_shapes, of_flags)                                                    \
    { .start_ns = (start), .duration_ns = (duration), .self_ns = (duration), .parent = SW__ANALYZE_NONE,              \
      .dispatch = (of_dispatch), .shapes = (of_shapes), .flags = (of_flags), .stack = SW__ANALYZE_NONE }

/* Four calls of matmul by two shape lists, one of which failed, one without shapes; one delegates. */
START_TEST(sums_are_of_the_calls_that_have_an_estimate)
{
    static const struct sw__analyze_dispatch dispatches[] = {
        { "matmul", "strideweave", "CPU", "strideweave", "CPU.matmul", 1 },
        { "matmul", "strideweave", "Evictable", "strideweave", "Evictable.adapter", 2 },
        { "exp", "strideweave", "CPU", "strideweave", "CPU.exp", 1 },
    };
    const struct sw__analyze_shapes shapes[] = { LIST(2, 2, 2, 3, 2, 4, 3), LIST(2, 2, 1, 1, 2, 1, 1) };
    const struct sw__analyze_names names = { .dispatches = dispatches, .n_dispatches = 3, .shapes = shapes,
                                             .n_shapes = 2 };
    static const struct sw__analyze_event events[] = {
        EVENT(0, 100, 0, 0, SW__ANALYZE_SUCCEEDED),
        EVENT(200, 30, 0, 1, SW__ANALYZE_SUCCEEDED),
        EVENT(300, 7, 0, 0, 0),
        EVENT(400, 9, 0, SW__ANALYZE_NONE, SW__ANALYZE_SUCCEEDED),
        EVENT(500, 9, 1, 0, SW__ANALYZE_SUCCEEDED),
        EVENT(600, 9, 2, 0, SW__ANALYZE_SUCCEEDED),
    };
    const struct sw__aggregate sums = { .count = 5, .failures = 1, .total_ns = 50, .first = INT64_MAX };
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;
    struct sw__aggregates *rows SW__OWNED_AGGREGATES = NULL;

    ck_assert_int_eq(sw__aggregation_new(&names, SW__GROUP_BY_CARRIER, &aggregation), SW_OK);
    ck_assert_int_eq(sw__aggregation_want(aggregation, SW__WANT_FLOPS), SW_OK);
    ck_assert_int_eq(sw__aggregation_add(aggregation, events, sizeof events / sizeof *events), SW_OK);
    ck_assert_int_eq(sw__aggregation_add_sums(aggregation, 0, 1, &sums), SW_OK);
    ck_assert_int_eq(sw__aggregation_rows(aggregation, &rows), SW_OK);
    ck_assert_uint_eq(rows->n_rows, 3);
    ck_assert_int_eq(rows->rows[0].flops, SW__FLOPS_NONE); /* exp */
    ck_assert_int_eq(rows->rows[1].flops, 48 + 2 + 4 * 2);
    ck_assert_int_eq(rows->rows[1].flops_ns, 100 + 30 + 50);
    ck_assert_int_eq(rows->rows[2].flops, SW__FLOPS_NONE); /* of the nested one */
}
END_TEST

CHECK_MAIN("flops", every_operation_of_the_table_has_a_row, numbers_are_pytorchs_where_it_has_them,
           a_product_is_two_per_multiply_and_add, an_elementwise_result_is_what_its_operands_are_widened_to,
           a_reduction_is_one_per_element_that_is_folded_into_another, no_estimate_is_not_zero,
           a_convolution_needs_its_options, trees_are_taken_as_well, sums_are_of_the_calls_that_have_an_estimate)
