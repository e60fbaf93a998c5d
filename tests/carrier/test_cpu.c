/*
 * CPU carriers: construction, life cycle, memory of the caller's.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"

START_TEST(a_cpu_carrier_lives_from_construction_to_release)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_scalar value = integer(9);
    int supported = -1;

    ck_assert_int_eq(sw_cpu_new(3, NULL, &carrier), SW_OK);
    ck_assert_int_eq(sw_carrier_get(carrier, 1, &value), SW_OK);
    ck_assert_double_eq(value.as.floating, 0.0);
    ck_assert_int_eq(sw_carrier_supports_dtype(carrier, SW_BOOL, &supported), SW_OK);
    ck_assert_int_eq(supported, 1);
    ck_assert_int_eq(sw_carrier_supports_dtype(carrier, SW_FLOAT64, &supported), SW_OK);
    ck_assert_int_eq(supported, 0);
    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
    ck_assert_int_eq(sw_carrier_get(carrier, 0, &value), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_carrier_supports_dtype(carrier, SW_INT32, &supported), SW_OK);
    ck_assert_int_eq(supported, 1);
}
END_TEST

START_TEST(a_negative_size_is_a_value_error)
{
    struct sw_carrier *carrier = NULL;

    ck_assert_int_eq(sw_cpu_new((size_t)-1, NULL, &carrier), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_cpu_new(INT64_MAX, NULL, &carrier), SW_MEMORY_ERROR);
    ck_assert_int_eq(sw_cpu_new(SIZE_MAX / 8, NULL, &carrier), SW_MEMORY_ERROR);
    ck_assert_ptr_null(carrier);
}
END_TEST

START_TEST(storage_is_aligned_and_never_null_before_release)
{
    const size_t sizes[] = { 0, 1, 255, 256, 257, 100000 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

        ck_assert_int_eq(sw_cpu_new(sizes[i], NULL, &carrier), SW_OK);
        ck_assert_ptr_nonnull(sw_cpu_pointer(carrier));
        ck_assert_uint_eq((uintptr_t)sw_cpu_pointer(carrier) % 64, 0);
        ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
        ck_assert_ptr_null(sw_cpu_pointer(carrier));
    }
}
END_TEST

START_TEST(all_of_fresh_storage_is_zero)
{
    const size_t sizes[] = { 7, 256, 257, 5000 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

        ck_assert_int_eq(sw_cpu_new(sizes[i], NULL, &carrier), SW_OK);
        const float *slots = sw_cpu_pointer(carrier);
        for (size_t k = 0; k < sizes[i]; k++)
            ck_assert_float_eq(slots[k], 0.0f);
    }
}
END_TEST

START_TEST(uninitialized_storage_can_be_written_everywhere)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    options.uninitialized = 1;
    options.dtype = SW_INT32;
    ck_assert_int_eq(sw_cpu_new(1000, &options, &carrier), SW_OK);
    int32_t *slots = sw_cpu_pointer(carrier);
    for (int32_t i = 0; i < 1000; i++)
        slots[i] = i;
    struct sw_scalar value;
    ck_assert_int_eq(sw_carrier_get(carrier, 999, &value), SW_OK);
    ck_assert_int_eq(value.as.integer, 999);
}
END_TEST

START_TEST(external_memory_is_used_in_place_and_left_to_its_owner)
{
    float memory[3] = { 1, 2, 3 };
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;
    struct sw_scalar value;

    options.external = 1;
    options.pointer = memory;
    ck_assert_int_eq(sw_cpu_new(3, &options, &carrier), SW_OK);
    ck_assert_ptr_eq(sw_cpu_pointer(carrier), memory);
    ck_assert_int_eq(sw_carrier_get(carrier, 2, &value), SW_OK);
    ck_assert_double_eq(value.as.floating, 3.0);
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(9)), SW_OK);
    ck_assert_float_eq(memory[0], 9.0f);
    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    sw_carrier_unref(carrier);
    ck_assert_float_eq(memory[1], 2.0f);
}
END_TEST

START_TEST(external_memory_needs_an_aligned_address)
{
    float memory[2] = { 0 };
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;

    options.external = 1;
    ck_assert_int_eq(sw_cpu_new(1, &options, &carrier), SW_VALUE_ERROR);
    options.pointer = (char *)memory + 1;
    ck_assert_int_eq(sw_cpu_new(1, &options, &carrier), SW_VALUE_ERROR);
    options.external = 0;
    options.pointer = memory;
    ck_assert_int_eq(sw_cpu_new(1, &options, &carrier), SW_VALUE_ERROR);
    ck_assert_ptr_null(carrier);
}
END_TEST

START_TEST(bad_options_are_refused)
{
    struct sw_carrier *carrier = NULL;

    for (int i = 0; i < 6; i++) {
        struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;

        options.struct_bytes = i == 0 ? 0 : options.struct_bytes;
        options.immutable = i == 1 ? 2 : 0;
        options.uninitialized = i == 2 ? -1 : 0;
        options.external = i == 3 ? 7 : 0;
        options.dtype = i == 4 ? (int32_t)SW_DTYPE_NONE : (int32_t)SW_FLOAT32;
        options.dtype = i == 5 ? (int32_t)SW_INT8 : options.dtype;
        ck_assert_int_eq(sw_cpu_new(1, &options, &carrier), i < 5 ? SW_TYPE_ERROR : SW_VALUE_ERROR);
    }
    ck_assert_ptr_null(carrier);
}
END_TEST

START_TEST(an_immutable_carrier_may_be_released)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    options.immutable = 1;
    ck_assert_int_eq(sw_cpu_new(1, &options, &carrier), SW_OK);
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(2.0)), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_carrier_set(carrier, 9, FLOATING(2.0)), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
}
END_TEST

START_TEST(only_cpu_carriers_have_an_address)
{
    struct sw_carrier *generic SW__OWNED_CARRIER = NULL;
    struct sw_carrier *foreign SW__OWNED_CARRIER = foreign_new(2, SW_FLOAT32);

    ck_assert_int_eq(sw_generic_new(NULL, 2, NULL, &generic), SW_OK);
    ck_assert_ptr_null(sw_cpu_pointer(generic));
    ck_assert_ptr_null(sw_cpu_pointer(foreign));
    ck_assert_ptr_null(sw_cpu_pointer(NULL));
}
END_TEST

CHECK_MAIN("cpu", a_cpu_carrier_lives_from_construction_to_release, a_negative_size_is_a_value_error,
           storage_is_aligned_and_never_null_before_release, all_of_fresh_storage_is_zero,
           uninitialized_storage_can_be_written_everywhere, external_memory_is_used_in_place_and_left_to_its_owner,
           external_memory_needs_an_aligned_address, bad_options_are_refused, an_immutable_carrier_may_be_released,
           only_cpu_carriers_have_an_address)
