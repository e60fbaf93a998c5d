/*
 * The table of dtypes.
 */
#include "config.h"

#include "check_main.h"
#include "dtype/dtype.h"

#define N_DTYPES 11

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

START_TEST(names_are_those_of_the_table)
{
    ck_assert_str_eq(sw_dtype_name(SW_FLOAT32), "Float32");
    ck_assert_str_eq(sw_dtype_name(SW_BOOL), "Bool");
    ck_assert_str_eq(sw_dtype_name(SW_E2M1), "E2M1");
    ck_assert_int_eq(sw__dtype_check(SW_E2M1), SW_OK);
}
END_TEST

CHECK_MAIN("dtype", stored_dtypes_have_their_element_sizes, dtypes_that_are_only_names_have_no_element_size,
           narrow_dtypes_know_how_many_bits_a_value_means, numbers_without_a_row_are_unknown_dtypes,
           names_are_those_of_the_table)
