/*
 * Generic carriers: construction and life cycle.
 */
#include "config.h"

#include <math.h>

#include "carrier/carrier.h"
#include "carrier/scalars.h"
#include "check_main.h"

static struct sw_generic_options options_of(enum sw_dtype dtype)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;

    options.dtype = (int32_t)dtype;
    return options;
}

static double real_at(const struct sw_carrier *carrier, int64_t slot)
{
    struct sw_scalar value;

    ck_assert_int_eq(sw_carrier_get(carrier, slot, &value), SW_OK);
    ck_assert_uint_eq(value.kind, SW_SCALAR_FLOATING);
    return value.as.floating;
}

START_TEST(a_float32_carrier_lives_from_construction_to_release)
{
    struct sw_scalar values[] = { floating(0.1), floating(2.0) }, value;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_carrier *like SW__OWNED_CARRIER = NULL;

    ck_assert_int_eq(sw_generic_new(values, 2, NULL, &carrier), SW_OK);
    ck_assert_double_eq(real_at(carrier, 0), 0.10000000149011612);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(0.5)), SW_OK);
    ck_assert_uint_eq(sw_carrier_version(carrier), 1);
    ck_assert_int_eq(sw_carrier_get(carrier, 2, &value), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_carrier_get(carrier, -1, &value), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_carrier_set(carrier, 2, FLOATING(1.0)), SW_INDEX_ERROR);
    ck_assert_uint_eq(sw_carrier_version(carrier), 1);
    ck_assert_int_eq(sw_carrier_set(carrier, 1, FLOATING(1e40)), SW_OK);
    ck_assert_double_eq(real_at(carrier, 1), INFINITY);
    ck_assert(sw_carrier_is_mutable(carrier));
    ck_assert(!sw_carrier_is_owned(carrier));
    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    ck_assert(sw_carrier_is_released(carrier));
    ck_assert_int_eq(sw_carrier_get(carrier, 0, &value), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(1.0)), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_carrier_dtype(carrier), SW_FLOAT32);
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
    ck_assert_int_eq(sw_carrier_new_like(carrier, FLOATING(7.0), 1, 1, SW_FLOAT32, &like), SW_OK);
    ck_assert_double_eq(real_at(like, 0), 7.0);
    ck_assert_ptr_eq(sw_carrier_class_of(like), sw_generic_class());
}
END_TEST

START_TEST(no_values_are_zeros_of_the_dtype)
{
    const enum sw_dtype dtypes[] = { SW_FLOAT32, SW_INT32, SW_BOOL };

    for (size_t i = 0; i < 3; i++) {
        struct sw_generic_options options = options_of(dtypes[i]);
        struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
        struct sw_scalar value = integer(9);

        ck_assert_int_eq(sw_generic_new(NULL, 2, &options, &carrier), SW_OK);
        ck_assert_int_eq(sw_carrier_get(carrier, 1, &value), SW_OK);
        ck_assert_int_eq(sw_carrier_dtype(carrier), dtypes[i]);
        ck_assert_int_eq(value.as.integer, 0);
    }
}
END_TEST

START_TEST(values_are_normalised_at_construction)
{
    struct sw_scalar large[] = { integer(1), integer(INT64_C(2147483648)) };
    struct sw_scalar fraction[] = { floating(1.5) };
    struct sw_scalar hole[] = { { 0 } };
    struct sw_generic_options options = options_of(SW_INT32);
    struct sw_carrier *carrier = NULL;

    ck_assert_int_eq(sw_generic_new(large, 2, &options, &carrier), SW_OVERFLOW_ERROR);
    ck_assert_int_eq(sw_generic_new(fraction, 1, &options, &carrier), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_generic_new(hole, 1, &options, &carrier), SW_TYPE_ERROR);
    options = options_of(SW_BOOL);
    ck_assert_int_eq(sw_generic_new(large, 1, &options, &carrier), SW_TYPE_ERROR);
    ck_assert_ptr_null(carrier);
}
END_TEST

START_TEST(a_size_of_zero_is_a_size)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    ck_assert_int_eq(sw_generic_new(NULL, 0, NULL, &carrier), SW_OK);
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
}
END_TEST

START_TEST(an_immutable_carrier_refuses_writes)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    options.immutable = 1;
    ck_assert_int_eq(sw_generic_new(NULL, 1, &options, &carrier), SW_OK);
    ck_assert(!sw_carrier_is_mutable(carrier));
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(1)), SW_RUNTIME_ERROR);
}
END_TEST

START_TEST(bad_options_are_refused)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;

    options.struct_bytes = 0;
    ck_assert_int_eq(sw_generic_new(NULL, 1, &options, &carrier), SW_TYPE_ERROR);
    options = (struct sw_generic_options)SW_GENERIC_OPTIONS_INIT;
    options.immutable = 2;
    ck_assert_int_eq(sw_generic_new(NULL, 1, &options, &carrier), SW_TYPE_ERROR);
    options = options_of(SW_FLOAT64);
    ck_assert_int_eq(sw_generic_new(NULL, 1, &options, &carrier), SW_VALUE_ERROR);
    options = options_of((enum sw_dtype)99);
    ck_assert_int_eq(sw_generic_new(NULL, 1, &options, &carrier), SW_TYPE_ERROR);
    ck_assert_ptr_null(carrier);
}
END_TEST

CHECK_MAIN("generic", a_float32_carrier_lives_from_construction_to_release, no_values_are_zeros_of_the_dtype,
           values_are_normalised_at_construction, a_size_of_zero_is_a_size, an_immutable_carrier_refuses_writes,
           bad_options_are_refused)
