/*
 * Scatter into host memory: values, dtypes, all or nothing.
 */
#include "config.h"

#include <strideweave/tensor.h>

#include "carrier/dense.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

static struct sw_tensor *tensor_on(struct sw_carrier *carrier, int64_t offset, const char *text)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_layout_parse(text, &layout), SW_OK);
    ck_assert_int_eq(sw_tensor_new(carrier, offset, layout, &tensor), SW_OK);
    return tensor;
}

static struct sw_carrier *cpu_of(size_t n, enum sw_dtype dtype)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;

    options.dtype = (int32_t)dtype;
    ck_assert_int_eq(sw_cpu_new(n, &options, &carrier), SW_OK);
    return carrier;
}

static enum sw_status scatter(struct sw_carrier *receiver, struct sw_carrier *values, const char *source_layout,
                              const char *mapping_layout, int64_t offset)
{
    struct sw_tensor *source SW__OWNED_TENSOR = tensor_on(values, 0, source_layout);
    struct sw_tensor *onto SW__OWNED_TENSOR = tensor_on(receiver, 0, "1:1");
    struct sw_layout *mapping SW__OWNED_LAYOUT = NULL;

    ck_assert_int_eq(sw_layout_parse(mapping_layout, &mapping), SW_OK);
    return sw_carrier_scatter(receiver, source, onto, mapping, offset);
}

static void expect_floats(const struct sw_carrier *carrier, const float *expected)
{
    ck_assert_mem_eq(sw__dense_of(carrier)->data, expected, sw_carrier_size(carrier) * sizeof *expected);
}

START_TEST(elements_go_where_the_mapping_says)
{
    struct sw_carrier *receiver SW__OWNED_CARRIER = cpu_of(6, SW_FLOAT32);
    struct sw_carrier *values SW__OWNED_CARRIER = cpu_of(2, SW_FLOAT32);
    struct sw_tensor *onto SW__OWNED_TENSOR = tensor_on(receiver, 1, "2:1");
    struct sw_tensor *source SW__OWNED_TENSOR = tensor_on(values, 0, "2:1");
    struct sw_layout *mapping SW__OWNED_LAYOUT = NULL;

    ck_assert_int_eq(sw_carrier_set(values, 0, FLOATING(5)), SW_OK);
    ck_assert_int_eq(sw_carrier_set(values, 1, FLOATING(6)), SW_OK);
    ck_assert_int_eq(sw_layout_parse("2:2", &mapping), SW_OK);
    ck_assert_int_eq(sw_carrier_scatter(receiver, source, onto, mapping, 1), SW_OK);
    expect_floats(receiver, (const float[]){ 0, 0, 5, 0, 6, 0 });
    ck_assert_uint_eq(sw_carrier_version(receiver), 1);
    ck_assert_int_eq(sw_carrier_scatter(receiver, source, onto, mapping, 3), SW_VALUE_ERROR);
    expect_floats(receiver, (const float[]){ 0, 0, 5, 0, 6, 0 });
    ck_assert_uint_eq(sw_carrier_version(receiver), 1);
}
END_TEST

START_TEST(generic_counts_one_version_too)
{
    struct sw_carrier *receiver SW__OWNED_CARRIER = NULL;
    struct sw_carrier *values SW__OWNED_CARRIER = cpu_of(4, SW_FLOAT32);

    ck_assert_int_eq(sw_generic_new(NULL, 4, NULL, &receiver), SW_OK);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(sw_carrier_set(values, i, FLOATING(i + 1)), SW_OK);
    ck_assert_int_eq(scatter(receiver, values, "(2,2):(1,2)", "(2,2):(2,1)", 0), SW_OK);
    expect_floats(receiver, (const float[]){ 1, 3, 2, 4 });
    ck_assert_uint_eq(sw_carrier_version(receiver), 1);
}
END_TEST

START_TEST(int32_goes_into_float32_and_nothing_else_changes_dtype)
{
    struct sw_carrier *reals SW__OWNED_CARRIER = cpu_of(2, SW_FLOAT32);
    struct sw_carrier *integers SW__OWNED_CARRIER = cpu_of(2, SW_INT32);
    struct sw_carrier *truths SW__OWNED_CARRIER = cpu_of(2, SW_BOOL);

    ck_assert_int_eq(sw_carrier_set(integers, 1, INTEGER(16777217)), SW_OK);
    ck_assert_int_eq(scatter(reals, integers, "2:1", "2:1", 0), SW_OK);
    expect_floats(reals, (const float[]){ 0, 16777216 });
    ck_assert_int_eq(scatter(integers, reals, "2:1", "2:1", 0), SW_TYPE_ERROR);
    ck_assert_int_eq(scatter(reals, truths, "2:1", "2:1", 0), SW_TYPE_ERROR);
    ck_assert_int_eq(scatter(integers, truths, "2:1", "2:1", 0), SW_TYPE_ERROR);
    ck_assert_int_eq(scatter(truths, integers, "2:1", "2:1", 0), SW_TYPE_ERROR);
    ck_assert_int_eq(scatter(truths, truths, "2:1", "2:1", 0), SW_OK);
}
END_TEST

START_TEST(a_source_on_the_receiver_is_read_before_anything_is_written)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = cpu_of(4, SW_FLOAT32);

    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(sw_carrier_set(carrier, i, FLOATING(i)), SW_OK);
    ck_assert_int_eq(scatter(carrier, carrier, "3:1", "3:1", 1), SW_OK);
    expect_floats(carrier, (const float[]){ 0, 0, 1, 2 });
}
END_TEST

START_TEST(a_source_that_cannot_be_read_leaves_the_receiver)
{
    struct sw_carrier *receiver SW__OWNED_CARRIER = cpu_of(2, SW_FLOAT32);
    struct sw_carrier *values SW__OWNED_CARRIER = foreign_new(2, SW_FLOAT32);

    foreign_of(values)->boxes[0] = floating(4);
    foreign_of(values)->fails_at = 1;
    ck_assert_int_eq(scatter(receiver, values, "2:1", "2:1", 0), SW_OS_ERROR);
    expect_floats(receiver, (const float[]){ 0, 0 });
    ck_assert_uint_eq(sw_carrier_version(receiver), 0);
    foreign_of(values)->fails_at = -1;
    ck_assert_int_eq(scatter(receiver, values, "2:1", "2:1", 0), SW_OK);
    expect_floats(receiver, (const float[]){ 4, 0 });
}
END_TEST

CHECK_MAIN("dense_scatter", elements_go_where_the_mapping_says, generic_counts_one_version_too,
           int32_goes_into_float32_and_nothing_else_changes_dtype,
           a_source_on_the_receiver_is_read_before_anything_is_written,
           a_source_that_cannot_be_read_leaves_the_receiver)
