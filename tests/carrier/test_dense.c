/*
 * The storage that Generic and CPU share.
 */
#include "config.h"

#include "carrier/dense.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"

START_TEST(only_the_two_classes_have_dense_storage)
{
    struct sw_carrier *generic SW__OWNED_CARRIER = NULL;
    struct sw_carrier *cpu SW__OWNED_CARRIER = NULL;
    struct sw_carrier *foreign SW__OWNED_CARRIER = foreign_new(1, SW_FLOAT32);

    ck_assert_int_eq(sw_generic_new(NULL, 5, NULL, &generic), SW_OK);
    ck_assert_int_eq(sw_cpu_new(6, NULL, &cpu), SW_OK);
    ck_assert_uint_eq(sw__dense_of(generic)->n, 5);
    ck_assert_uint_eq(sw__dense_of(cpu)->n, 6);
    ck_assert_ptr_null(sw__dense_of(foreign));
    ck_assert_ptr_null(sw__dense_of(NULL));
}
END_TEST

START_TEST(small_storage_needs_no_allocation_of_its_own)
{
    struct sw_carrier *small SW__OWNED_CARRIER = NULL;
    struct sw_carrier *large SW__OWNED_CARRIER = NULL;

    ck_assert_int_eq(sw_cpu_new(64, NULL, &small), SW_OK);
    ck_assert_int_eq(sw_cpu_new(65536, NULL, &large), SW_OK);
    ck_assert_ptr_null(sw__dense_of(small)->block.memory);
    ck_assert_ptr_nonnull(sw__dense_of(large)->block.memory);
}
END_TEST

START_TEST(storage_of_the_caller_s_is_known_as_such)
{
    float memory[4] = { 0 };
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    ck_assert_int_eq(sw__dense_wrap(sw_cpu_class(), 4, 1, SW_FLOAT32, memory, &carrier), SW_OK);
    ck_assert(sw__dense_of(carrier)->is_external);
    ck_assert_ptr_eq(sw__dense_of(carrier)->data, memory);
    ck_assert_ptr_null(sw__dense_of(carrier)->block.memory);
}
END_TEST

START_TEST(release_forgets_the_storage)
{
    const size_t sizes[] = { 3, 65536 };

    for (size_t i = 0; i < 2; i++) {
        struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

        ck_assert_int_eq(sw_generic_new(NULL, sizes[i], NULL, &carrier), SW_OK);
        ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
        ck_assert_ptr_null(sw__dense_of(carrier)->data);
        ck_assert_ptr_null(sw__dense_of(carrier)->block.memory);
        ck_assert_uint_eq(sw__dense_of(carrier)->n, 0);
    }
}
END_TEST

START_TEST(a_refused_value_leaves_the_slot)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_scalar seven = integer(7), value;

    options.dtype = SW_INT32;
    ck_assert_int_eq(sw_generic_new(&seven, 1, &options, &carrier), SW_OK);
    ck_assert_int_eq(sw_carrier_set(carrier, 0, INTEGER(INT64_C(1) << 40)), SW_OVERFLOW_ERROR);
    ck_assert_int_eq(sw_carrier_set(carrier, 0, BOOLEAN(1)), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_get(carrier, 0, &value), SW_OK);
    ck_assert_int_eq(value.as.integer, 7);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
}
END_TEST

CHECK_MAIN("dense", only_the_two_classes_have_dense_storage, small_storage_needs_no_allocation_of_its_own,
           storage_of_the_caller_s_is_known_as_such, release_forgets_the_storage, a_refused_value_leaves_the_slot)
