/*
 * What each dtype accepts, and how values are rounded on the way in.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "check_main.h"
#include "dtype/value.h"

static struct sw_scalar integer(int64_t value)
{
    return (struct sw_scalar){ .kind = SW_SCALAR_INTEGER, .as.integer = value };
}

static struct sw_scalar floating(double value)
{
    return (struct sw_scalar){ .kind = SW_SCALAR_FLOATING, .as.floating = value };
}

static struct sw_scalar boolean(int value)
{
    return (struct sw_scalar){ .kind = SW_SCALAR_BOOLEAN, .as.boolean = value };
}

static float stored_float(struct sw_scalar value)
{
    float slot = 0;

    ck_assert_int_eq(sw__value_store(SW_FLOAT32, &value, &slot), SW_OK);
    return slot;
}

/* The status; the slot must be what it was. */
static enum sw_status refused(enum sw_dtype dtype, struct sw_scalar value)
{
    unsigned char slot[8], before[8];

    memset(slot, 0x5a, sizeof slot);
    memcpy(before, slot, sizeof slot);
    enum sw_status status = sw__value_store(dtype, &value, slot);
    ck_assert_mem_eq(slot, before, sizeof slot);
    return status;
}

START_TEST(float32_rounds_to_nearest_with_ties_to_even)
{
    ck_assert_float_eq(stored_float(floating(0.1)), 0.1f);
    ck_assert_float_eq(stored_float(floating(16777217.0)), 16777216.0f);
    ck_assert_float_eq(stored_float(floating(16777219.0)), 16777220.0f);
    ck_assert(signbit(stored_float(floating(-0.0))));
}
END_TEST

START_TEST(float32_keeps_nan_and_overflows_to_infinity)
{
    ck_assert(isnan(stored_float(floating(NAN))));
    ck_assert_float_eq(stored_float(floating(1e40)), INFINITY);
    ck_assert_float_eq(stored_float(floating(-1e40)), -INFINITY);
}
END_TEST

START_TEST(float32_takes_integers_and_booleans)
{
    ck_assert_float_eq(stored_float(integer(-7)), -7.0f);
    ck_assert_float_eq(stored_float(boolean(1)), 1.0f);
    ck_assert_float_eq(stored_float(boolean(0)), 0.0f);
}
END_TEST

/* 2^54 + 2^30 + 1 is just above half a unit of 2^54: through binary64 it would be a tie, and go down. */
START_TEST(float32_rounds_an_integer_once)
{
    volatile int64_t value = (INT64_C(1) << 54) + (INT64_C(1) << 30) + 1;

    /* An emulated processor (valgrind's) may not have this conversion. */
    if ((float)value == 0x1.000002p54f)
        ck_assert_float_eq(stored_float(integer(value)), 0x1.000002p54f);
}
END_TEST

START_TEST(int32_takes_integers_of_32_bits)
{
    const int64_t ends[] = { INT32_MIN, -1, 0, INT32_MAX };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sw_scalar value = integer(ends[i]);
        int32_t slot = 77;

        ck_assert_int_eq(sw__value_store(SW_INT32, &value, &slot), SW_OK);
        ck_assert_int_eq(slot, ends[i]);
    }
}
END_TEST

START_TEST(int32_overflows_outside_of_32_bits)
{
    ck_assert_int_eq(refused(SW_INT32, integer(INT64_C(2147483648))), SW_OVERFLOW_ERROR);
    ck_assert_int_eq(refused(SW_INT32, integer(INT64_C(-2147483649))), SW_OVERFLOW_ERROR);
}
END_TEST

START_TEST(int32_refuses_reals_and_booleans)
{
    ck_assert_int_eq(refused(SW_INT32, floating(1.0)), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_INT32, floating(1.5)), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_INT32, boolean(1)), SW_TYPE_ERROR);
}
END_TEST

START_TEST(bool_takes_booleans_only)
{
    struct sw_scalar yes = boolean(1);
    unsigned char slot = 9;

    ck_assert_int_eq(sw__value_store(SW_BOOL, &yes, &slot), SW_OK);
    ck_assert_uint_eq(slot, 1);
    ck_assert_int_eq(refused(SW_BOOL, integer(1)), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_BOOL, floating(1.0)), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_BOOL, boolean(2)), SW_TYPE_ERROR);
}
END_TEST

START_TEST(what_is_no_value_is_a_type_error)
{
    struct sw_scalar none = { 0 };
    float slot = 3;

    ck_assert_int_eq(refused(SW_FLOAT32, none), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_FLOAT32, boolean(2)), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_FLOAT32, (struct sw_scalar){ .kind = 99 }), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__value_store(SW_FLOAT32, NULL, &slot), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_FLOAT64, floating(1.0)), SW_TYPE_ERROR);
    ck_assert_int_eq(refused(SW_DTYPE_NONE, floating(1.0)), SW_TYPE_ERROR);
}
END_TEST

START_TEST(loading_gives_the_kind_of_the_dtype)
{
    const float real = 0.1f;
    const int32_t whole = -5;
    struct sw_scalar value;

    sw__value_load(SW_FLOAT32, &real, &value);
    ck_assert_uint_eq(value.kind, SW_SCALAR_FLOATING);
    ck_assert_double_eq(value.as.floating, 0.10000000149011612);
    sw__value_load(SW_INT32, &whole, &value);
    ck_assert_uint_eq(value.kind, SW_SCALAR_INTEGER);
    ck_assert_int_eq(value.as.integer, -5);
}
END_TEST

START_TEST(any_byte_but_zero_loads_as_true)
{
    const unsigned char bytes[] = { 0, 1, 2, 255 };
    struct sw_scalar value;

    for (size_t i = 0; i < sizeof bytes; i++) {
        sw__value_load(SW_BOOL, &bytes[i], &value);
        ck_assert_uint_eq(value.kind, SW_SCALAR_BOOLEAN);
        ck_assert_int_eq(value.as.boolean, i != 0);
    }
}
END_TEST

START_TEST(storage_of_a_named_only_dtype_is_a_value_error_and_of_none_a_type_error)
{
    ck_assert_int_eq(sw__dtype_check_stored(SW_BOOL), SW_OK);
    ck_assert_int_eq(sw__dtype_check_stored(SW_FLOAT64), SW_VALUE_ERROR);
    ck_assert_int_eq(sw__dtype_check_stored(SW_DTYPE_NONE), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__dtype_check_stored((enum sw_dtype)77), SW_TYPE_ERROR);
}
END_TEST

CHECK_MAIN("value", float32_rounds_to_nearest_with_ties_to_even, float32_keeps_nan_and_overflows_to_infinity,
           float32_takes_integers_and_booleans, float32_rounds_an_integer_once, int32_takes_integers_of_32_bits,
           int32_overflows_outside_of_32_bits, int32_refuses_reals_and_booleans, bool_takes_booleans_only,
           what_is_no_value_is_a_type_error, loading_gives_the_kind_of_the_dtype, any_byte_but_zero_loads_as_true,
           storage_of_a_named_only_dtype_is_a_value_error_and_of_none_a_type_error)
