/*
 * The table of dtypes.
 */
#include "config.h"

#include "check_main.h"
#include "dtype/dtype.h"

/* Simple ones, and all. */
#define N_SIMPLE 11
#define N_DTYPES 18

START_TEST(stored_dtypes_have_their_element_sizes)
{
    ck_assert_uint_eq(sw_dtype_bytes(SW_FLOAT32), 4);
    ck_assert_uint_eq(sw_dtype_bytes(SW_INT32), 4);
    ck_assert_uint_eq(sw_dtype_bytes(SW_BOOL), 1);
}
END_TEST

START_TEST(dtypes_that_are_only_names_have_no_element_size)
{
    for (int number = SW_FLOAT64; number <= N_DTYPES; number++) {
        ck_assert_uint_eq(sw_dtype_bytes((enum sw_dtype)number), 0);
        ck_assert(!sw__dtype_computes((enum sw_dtype)number));
    }
}
END_TEST

START_TEST(narrow_dtypes_know_how_many_bits_a_value_means)
{
    ck_assert_uint_eq(sw_dtype_bits(SW_BOOL), 8);
    ck_assert_uint_eq(sw_dtype_bits(SW_FLOAT64), 64);
    ck_assert_uint_eq(sw_dtype_bits(SW_E3M2), 6);
    ck_assert_uint_eq(sw_dtype_bits(SW_E2M1), 4);
}
END_TEST

START_TEST(numbers_without_a_row_are_unknown_dtypes)
{
    const int numbers[] = { SW_DTYPE_NONE, N_DTYPES + 1, -1, 1 << 20 };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        enum sw_dtype dtype = (enum sw_dtype)numbers[i];

        ck_assert_str_eq(sw_dtype_name(dtype), "unknown dtype");
        ck_assert_uint_eq(sw_dtype_bytes(dtype), 0);
        ck_assert_uint_eq(sw_dtype_bits(dtype), 0);
        ck_assert_int_eq(sw__dtype_check(dtype), SW_TYPE_ERROR);
    }
}
END_TEST

START_TEST(a_simple_dtype_is_its_own_only_plane)
{
    struct sw_dtype_plane plane;

    for (int number = 1; number <= N_SIMPLE; number++) {
        enum sw_dtype dtype = (enum sw_dtype)number;
        double bits;

        ck_assert_uint_eq(sw_dtype_n_planes(dtype), 1);
        ck_assert_int_eq(sw_dtype_plane(dtype, 0, &plane), SW_OK);
        ck_assert_int_eq(plane.dtype, dtype);
        ck_assert_int_eq(plane.block, 1);
        ck_assert_int_eq(sw_dtype_bits_per_element(dtype, 3, &bits), SW_OK);
        ck_assert_double_eq(bits, sw_dtype_bits(dtype));
        ck_assert(sw__dtype_is_simple(dtype));
    }
}
END_TEST

START_TEST(a_compound_dtype_has_scales_for_blocks_of_elements)
{
    static const struct {
        enum sw_dtype dtype, element, scale;
        const char *name;
        int64_t block;
    } expected[] = {
        { SW_MXFP8_E4M3, SW_E4M3, SW_E8M0, "MXFP8_E4M3", 32 }, { SW_MXFP8_E5M2, SW_E5M2, SW_E8M0, "MXFP8_E5M2", 32 },
        { SW_MXFP6_E3M2, SW_E3M2, SW_E8M0, "MXFP6_E3M2", 32 }, { SW_MXFP6_E2M3, SW_E2M3, SW_E8M0, "MXFP6_E2M3", 32 },
        { SW_MXFP4, SW_E2M1, SW_E8M0, "MXFP4", 32 },           { SW_MXINT8, SW_INT8, SW_E8M0, "MXINT8", 32 },
        { SW_NVFP4, SW_E2M1, SW_E4M3, "NVFP4", 16 },
    };

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct sw_dtype_plane element, scale;

        ck_assert_str_eq(sw_dtype_name(expected[i].dtype), expected[i].name);
        ck_assert_uint_eq(sw_dtype_n_planes(expected[i].dtype), expected[i].dtype == SW_NVFP4 ? 3 : 2);
        ck_assert_int_eq(sw_dtype_plane(expected[i].dtype, 0, &element), SW_OK);
        ck_assert_int_eq(sw_dtype_plane(expected[i].dtype, 1, &scale), SW_OK);
        ck_assert(element.dtype == expected[i].element && element.block == 1);
        ck_assert(scale.dtype == expected[i].scale && scale.block == expected[i].block);
        ck_assert_uint_eq(sw_dtype_bits(expected[i].dtype), sw_dtype_bits(expected[i].element));
        ck_assert(!sw__dtype_is_simple(expected[i].dtype));
        ck_assert_int_eq(sw__dtype_check(expected[i].dtype), SW_OK);
    }
}
END_TEST

START_TEST(scales_count_among_the_bits_of_an_element)
{
    double bits = -1;

    ck_assert_int_eq(sw_dtype_bits_per_element(SW_NVFP4, 1024, &bits), SW_OK);
    ck_assert_double_eq(bits, 4.53125);
    ck_assert_int_eq(sw_dtype_bits_per_element(SW_MXFP4, 64, &bits), SW_OK);
    ck_assert_double_eq(bits, 4.25);
    /* One element has a scale of its own. */
    ck_assert_int_eq(sw_dtype_bits_per_element(SW_MXINT8, 1, &bits), SW_OK);
    ck_assert_double_eq(bits, 16);
    ck_assert_int_eq(sw_dtype_bits_per_element(SW_MXINT8, 33, &bits), SW_OK);
    ck_assert_double_eq(bits, (33 * 8 + 2 * 8) / 33.0);
}
END_TEST

START_TEST(planes_that_are_not_there_are_refused)
{
    struct sw_dtype_plane plane = { SW_BOOL, 0, 7 };
    double bits = -1;

    ck_assert_int_eq(sw_dtype_plane(SW_FLOAT32, 1, &plane), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_dtype_plane(SW_NVFP4, 3, &plane), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_dtype_plane((enum sw_dtype)(N_DTYPES + 1), 0, &plane), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_dtype_bits_per_element(SW_DTYPE_NONE, 1, &bits), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_dtype_bits_per_element(SW_NVFP4, 0, &bits), SW_VALUE_ERROR);
    ck_assert(plane.dtype == SW_BOOL && plane.block == 7);
    ck_assert_double_eq(bits, -1);
    ck_assert_uint_eq(sw_dtype_n_planes(SW_DTYPE_NONE), 0);
}
END_TEST

START_TEST(names_are_those_of_the_table)
{
    ck_assert_str_eq(sw_dtype_name(SW_FLOAT32), "Float32");
    ck_assert_str_eq(sw_dtype_name(SW_BOOL), "Bool");
    ck_assert_str_eq(sw_dtype_name(SW_E2M1), "E2M1");
    ck_assert_int_eq(sw__dtype_check(SW_E2M1), SW_OK);
}
END_TEST

CHECK_MAIN("dtype", stored_dtypes_have_their_element_sizes, dtypes_that_are_only_names_have_no_element_size,
           a_simple_dtype_is_its_own_only_plane, a_compound_dtype_has_scales_for_blocks_of_elements,
           scales_count_among_the_bits_of_an_element, planes_that_are_not_there_are_refused,
           narrow_dtypes_know_how_many_bits_a_value_means, numbers_without_a_row_are_unknown_dtypes,
           names_are_those_of_the_table)
