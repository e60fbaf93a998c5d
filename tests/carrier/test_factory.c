/*
 * Fresh carriers from a prototype or a class, and the dtypes that one stores.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"

START_TEST(allocate_like_gives_zeros_of_the_dtype_asked_for)
{
    struct sw_carrier *prototype SW__OWNED_CARRIER = NULL;
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;
    struct sw_scalar value = floating(9);

    ck_assert_int_eq(sw_cpu_new(3, NULL, &prototype), SW_OK);
    ck_assert_int_eq(sw_carrier_allocate_like(prototype, 2, 1, SW_INT32, 0, &made), SW_OK);
    ck_assert_int_eq(sw_carrier_get(made, 0, &value), SW_OK);
    ck_assert_uint_eq(value.kind, SW_SCALAR_INTEGER);
    ck_assert_int_eq(value.as.integer, 0);
    ck_assert_uint_eq(sw_carrier_size(made), 2);
    ck_assert_uint_eq(sw_carrier_version(made), 0);
    ck_assert_ptr_eq(sw_carrier_class_of(made), sw_cpu_class());
    ck_assert(sw_carrier_is_mutable(made));
}
END_TEST

START_TEST(what_a_factory_refuses)
{
    struct sw_carrier *prototype SW__OWNED_CARRIER = NULL;
    struct sw_carrier *made = NULL;
    struct sw_scalar one = floating(1);

    ck_assert_int_eq(sw_cpu_new(3, NULL, &prototype), SW_OK);
    ck_assert_int_eq(sw_carrier_allocate_like(prototype, -1, 1, SW_INT32, 0, &made), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_carrier_allocate_like(prototype, 1, 2, SW_INT32, 0, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_allocate_like(prototype, 1, 1, SW_INT32, 2, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_allocate_like(prototype, 1, 1, SW_FLOAT64, 0, &made), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_carrier_allocate_like(prototype, 1, 1, SW_DTYPE_NONE, 0, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_allocate_like(NULL, 1, 1, SW_INT32, 0, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_new_like(NULL, &one, 1, 1, SW_INT32, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_new_like(prototype, NULL, 1, 1, SW_INT32, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_new_like(prototype, &one, 1, 1, SW_INT32, &made), SW_TYPE_ERROR);
    ck_assert_ptr_null(made);
}
END_TEST

START_TEST(new_like_fills_holes_on_cpu_and_refuses_them_on_generic)
{
    struct sw_scalar values[] = { floating(1.0), { 0 }, floating(2.0) }, value;
    struct sw_carrier *cpu SW__OWNED_CARRIER = NULL;
    struct sw_carrier *generic SW__OWNED_CARRIER = NULL;
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;

    ck_assert_int_eq(sw_cpu_new(0, NULL, &cpu), SW_OK);
    ck_assert_int_eq(sw_generic_new(NULL, 0, NULL, &generic), SW_OK);
    ck_assert_int_eq(sw_carrier_new_like(generic, values, 3, 1, SW_FLOAT32, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_new_like(cpu, values, 3, 0, SW_FLOAT32, &made), SW_OK);
    ck_assert_int_eq(sw_carrier_get(made, 1, &value), SW_OK);
    ck_assert_double_eq(value.as.floating, 0.0);
    ck_assert_int_eq(sw_carrier_get(made, 2, &value), SW_OK);
    ck_assert_double_eq(value.as.floating, 2.0);
    ck_assert(!sw_carrier_is_mutable(made));
}
END_TEST

START_TEST(a_released_prototype_still_makes_carriers)
{
    struct sw_carrier *prototype SW__OWNED_CARRIER = foreign_new(2, SW_FLOAT32);
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;

    ck_assert_int_eq(sw_carrier_release(prototype), SW_OK);
    ck_assert_int_eq(sw_carrier_new_like(prototype, FLOATING(7), 1, 1, SW_FLOAT32, &made), SW_OK);
    ck_assert_ptr_eq(sw_carrier_class_of(made), &foreign_class);
}
END_TEST

START_TEST(without_an_answer_of_its_own_a_class_stores_its_current_dtype)
{
    struct sw_carrier_class plain = FOREIGN_CLASS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_carrier *made = NULL;
    int supported = -1;

    plain.supports_dtype = NULL;
    ck_assert_int_eq(foreign_allocate(&plain, 2, 1, SW_INT32, 0, &carrier), SW_OK);
    ck_assert_int_eq(sw_carrier_supports_dtype(carrier, SW_INT32, &supported), SW_OK);
    ck_assert_int_eq(supported, 1);
    ck_assert_int_eq(sw_carrier_supports_dtype(carrier, SW_BOOL, &supported), SW_OK);
    ck_assert_int_eq(supported, 0);
    ck_assert_int_eq(sw_carrier_supports_dtype(carrier, (enum sw_dtype)99, &supported), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_allocate_like(carrier, 1, 1, SW_BOOL, 0, &made), SW_VALUE_ERROR);
}
END_TEST

static enum sw_status forget(const struct sw_carrier *prototype, size_t n, int mutable_storage, enum sw_dtype dtype,
                             int uninitialized, struct sw_carrier **ret_carrier)
{
    (void)prototype, (void)n, (void)mutable_storage, (void)dtype, (void)uninitialized, (void)ret_carrier;
    return SW_OK;
}

static enum sw_status mistake(const struct sw_carrier *prototype, size_t n, int mutable_storage, enum sw_dtype dtype,
                              int uninitialized, struct sw_carrier **ret_carrier)
{
    return foreign_allocate_like(prototype, n, mutable_storage, dtype == SW_BOOL ? SW_INT32 : SW_BOOL, uninitialized,
                                 ret_carrier);
}

START_TEST(what_a_class_returns_is_looked_at)
{
    struct sw_carrier_class careless = FOREIGN_CLASS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_carrier *made = NULL;

    ck_assert_int_eq(foreign_allocate(&careless, 2, 1, SW_INT32, 0, &carrier), SW_OK);
    careless.allocate_like = forget;
    ck_assert_int_eq(sw_carrier_allocate_like(carrier, 1, 1, SW_INT32, 0, &made), SW_TYPE_ERROR);
    careless.allocate_like = mistake;
    ck_assert_int_eq(sw_carrier_allocate_like(carrier, 1, 1, SW_INT32, 0, &made), SW_TYPE_ERROR);
    ck_assert_ptr_null(made);
    ck_assert_int_eq(foreign_n_alive, 1);
}
END_TEST

START_TEST(a_class_alone_makes_storage_only_if_it_says_how)
{
    struct sw_carrier_class plain = FOREIGN_CLASS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    plain.allocate = NULL;
    ck_assert_int_eq(sw__carrier_allocate(&plain, 1, SW_INT32, 0, &carrier), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(sw__carrier_allocate(NULL, 1, SW_INT32, 0, &carrier), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__carrier_allocate(sw_cpu_class(), 1, SW_FLOAT64, 0, &carrier), SW_VALUE_ERROR);
    ck_assert_int_eq(sw__carrier_allocate(sw_generic_class(), 4, SW_BOOL, 0, &carrier), SW_OK);
    ck_assert_uint_eq(sw_carrier_size(carrier), 4);
}
END_TEST

CHECK_MAIN("factory", allocate_like_gives_zeros_of_the_dtype_asked_for, what_a_factory_refuses,
           new_like_fills_holes_on_cpu_and_refuses_them_on_generic, a_released_prototype_still_makes_carriers,
           without_an_answer_of_its_own_a_class_stores_its_current_dtype, what_a_class_returns_is_looked_at,
           a_class_alone_makes_storage_only_if_it_says_how)
