/*
 * Eviction and promotion: which storage the values come to, what becomes of
 * the storage they leave, and that a failure changes nothing.
 */
#include "config.h"

#include <pthread.h>

#include "check_main.h"
#include "parts.h"

static enum sw_status get(const struct sw_carrier *carrier)
{
    struct sw_scalar value;

    return sw_carrier_get(carrier, 0, &value);
}

static enum sw_status dispatch(struct sw_carrier *carrier)
{
    struct sw_operation *operation = NULL;
    enum sw_status status = sw_carrier_dispatch(carrier, "relu", &operation);

    sw_operation_unref(operation);
    return status;
}

/* ---- States ---------------------------------------------------------------------------------- */

START_TEST(evicted_values_cannot_be_reached)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1, 2), CPU(0));

    OK(get(carrier));
    OK(dispatch(carrier));
    OK(sw_evictable_evict(carrier));
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 1);
    FAILS(get(carrier), SW_RUNTIME_ERROR);
    FAILS(parts_set(carrier, 0, 5), SW_RUNTIME_ERROR);
    FAILS(dispatch(carrier), SW_RUNTIME_ERROR);
    ck_assert_uint_eq(sw_carrier_size(carrier), 2);
    ck_assert_int_eq(sw_carrier_dtype(carrier), SW_FLOAT32);
    OK(sw_evictable_promote(carrier));
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 0);
    EXPECT(carrier, 1, 2);
    OK(dispatch(carrier));
    OK(sw_carrier_release(carrier));
    FAILS(get(carrier), SW_RUNTIME_ERROR);
    FAILS(dispatch(carrier), SW_RUNTIME_ERROR);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(evicting_and_promoting_twice_is_nothing)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1), GENERIC(0));
    struct sw_carrier *primary = sw_evictable_primary(carrier);

    OK(sw_evictable_promote(carrier));
    ck_assert_ptr_eq(sw_evictable_primary(carrier), primary);
    OK(sw_evictable_evict(carrier));
    struct sw_carrier *secondary = sw_evictable_secondary(carrier);
    OK(sw_evictable_evict(carrier));
    ck_assert_ptr_eq(sw_evictable_secondary(carrier), secondary);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(the_version_stays)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1), GENERIC(0));

    OK(parts_set(carrier, 0, 5));
    OK(sw_evictable_evict(carrier));
    OK(sw_evictable_promote(carrier));
    ck_assert_uint_eq(sw_carrier_version(carrier), 1);
    OK(parts_set(carrier, 0, 6));
    ck_assert_uint_eq(sw_carrier_version(carrier), 2);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(tensors_find_the_promoted_values)
{
    struct sw_tensor *tensor = parts_tensor_over(parts_evictable(GENERIC(1, 2, 3, 4), CPU(0)), "2:2");

    OK(sw_evictable_evict(sw_tensor_carrier(tensor)));
    OK(sw_evictable_promote(sw_tensor_carrier(tensor)));
    ck_assert_double_eq(parts_element(tensor, 0), 1);
    ck_assert_double_eq(parts_element(tensor, 1), 3);
    sw_tensor_unref(tensor);
}
END_TEST

/* ---- Which storage ------------------------------------------------------------------------------ */

START_TEST(a_large_enough_secondary_tier_is_kept)
{
    struct sw_carrier *secondary = GENERIC(7, 8, 9);
    struct sw_carrier *carrier = parts_evictable(GENERIC(1, 2), sw_carrier_ref(secondary));

    OK(sw_evictable_evict(carrier));
    ck_assert_ptr_eq(sw_evictable_secondary(carrier), secondary);
    EXPECT(secondary, 1, 2, 9);
    ck_assert_int_eq(sw_carrier_is_owned(secondary), 1);
    sw_carrier_unref(carrier);
    sw_carrier_unref(secondary);
}
END_TEST

START_TEST(a_secondary_tier_that_is_too_small_is_replaced_and_released)
{
    struct sw_carrier *secondary = CPU(7);
    struct sw_carrier *carrier = parts_evictable(GENERIC(1, 2), sw_carrier_ref(secondary));

    OK(sw_evictable_evict(carrier));
    ck_assert_ptr_ne(sw_evictable_secondary(carrier), secondary);
    ck_assert_ptr_eq(sw_carrier_class_of(sw_evictable_secondary(carrier)), sw_cpu_class());
    ck_assert_int_eq(sw_carrier_is_owned(sw_evictable_secondary(carrier)), 1);
    EXPECT(sw_evictable_secondary(carrier), 1, 2);
    ck_assert_int_eq(sw_carrier_is_released(secondary), 1);
    ck_assert_int_eq(sw_carrier_is_owned(secondary), 0);
    sw_carrier_unref(carrier);
    sw_carrier_unref(secondary);
}
END_TEST

START_TEST(the_tier_that_is_left_behind_is_released_and_still_owned)
{
    struct sw_carrier *primary = GENERIC(1, 2);
    struct sw_carrier *carrier = parts_evictable(sw_carrier_ref(primary), CPU(0, 0));

    OK(sw_evictable_evict(carrier));
    ck_assert_ptr_eq(sw_evictable_primary(carrier), primary);
    ck_assert_int_eq(sw_carrier_is_released(primary), 1);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 1);
    sw_carrier_unref(carrier);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 0);
    sw_carrier_unref(primary);
}
END_TEST

START_TEST(promotion_makes_a_fresh_primary_tier_and_gives_up_the_old_one)
{
    struct sw_carrier *primary = CPU(1, 2);
    struct sw_carrier *carrier = parts_evictable(sw_carrier_ref(primary), GENERIC(0, 0));

    OK(sw_evictable_evict(carrier));
    OK(sw_evictable_promote(carrier));
    ck_assert_ptr_ne(sw_evictable_primary(carrier), primary);
    ck_assert_ptr_eq(sw_carrier_class_of(sw_evictable_primary(carrier)), sw_cpu_class());
    ck_assert_int_eq(sw_carrier_is_owned(sw_evictable_primary(carrier)), 1);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 0);
    ck_assert_int_eq(sw_carrier_is_released(sw_evictable_secondary(carrier)), 1);
    EXPECT(carrier, 1, 2);
    OK(parts_set(carrier, 0, 5));
    OK(sw_evictable_evict(carrier));
    ck_assert_int_eq(sw_carrier_is_released(sw_evictable_secondary(carrier)), 0);
    EXPECT(sw_evictable_secondary(carrier), 5, 2);
    sw_carrier_unref(carrier);
    sw_carrier_unref(primary);
}
END_TEST

START_TEST(no_storage_piles_up)
{
    struct sw_carrier *carrier = parts_evictable(VAULT(1, 2, 3), VAULT(0));

    for (int i = 0; i < 5; i++) {
        OK(sw_evictable_evict(carrier));
        ck_assert_int_eq(vault_count, 2);
        OK(sw_evictable_promote(carrier));
        ck_assert_int_eq(vault_count, 2);
    }
    EXPECT(carrier, 1, 2, 3);
    sw_carrier_unref(carrier);
    ck_assert_int_eq(vault_count, 0);
}
END_TEST

START_TEST(every_stored_dtype_is_evicted)
{
    struct sw_carrier *integers = parts_evictable(parts_zeros(2, SW_INT32), parts_zeros(0, SW_INT32));
    struct sw_carrier *truths = parts_evictable(parts_zeros(2, SW_BOOL), parts_zeros(0, SW_BOOL));
    const struct sw_scalar number = { SW_SCALAR_INTEGER, 0, { .integer = INT32_MIN } };
    const struct sw_scalar truth = { SW_SCALAR_BOOLEAN, 0, { .boolean = 1 } };
    struct sw_scalar came;

    OK(sw_carrier_set(integers, 1, &number));
    OK(sw_evictable_evict(integers));
    OK(sw_evictable_promote(integers));
    OK(sw_carrier_get(integers, 1, &came));
    ck_assert_int_eq(came.as.integer, INT32_MIN);
    OK(sw_carrier_set(truths, 1, &truth));
    OK(sw_evictable_evict(truths));
    OK(sw_evictable_promote(truths));
    OK(sw_carrier_get(truths, 1, &came));
    ck_assert_int_eq(came.as.boolean, 1);
    sw_carrier_unref(integers);
    sw_carrier_unref(truths);
}
END_TEST

/* ---- The registry, and failures ------------------------------------------------------------------- */

START_TEST(the_registry_is_asked_each_time)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1, 2), CPU(0));

    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &counted_move));
    OK(sw_evictable_evict(carrier));
    ck_assert_int_eq(n_counted_moves, 1);
    ck_assert_uint_eq(n_counted_slots, 2);
    OK(sw_evictable_promote(carrier));
    ck_assert_int_eq(n_counted_moves, 1);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    OK(sw_evictable_evict(carrier));
    ck_assert_int_eq(n_counted_moves, 1);
    OK(sw_evictable_promote(carrier));
    EXPECT(carrier, 1, 2);
    sw_carrier_unref(carrier);
}
END_TEST

/* Promoted with the same tiers, which it owns and nobody is inside of. */
static void expect_unchanged(struct sw_carrier *carrier, const struct sw_carrier *primary,
                             const struct sw_carrier *secondary)
{
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 0);
    ck_assert_ptr_eq(sw_evictable_primary(carrier), primary);
    ck_assert_ptr_eq(sw_evictable_secondary(carrier), secondary);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 1);
    ck_assert_int_eq(sw_carrier_is_owned(secondary), 1);
    ck_assert_int_eq(sw_carrier_is_mutable(primary), 0);
    ck_assert_int_eq(sw_carrier_is_mutable(secondary), 0);
    ck_assert_int_eq(sw_carrier_is_released(primary), 0);
    ck_assert_int_eq(sw_carrier_is_released(secondary), 0);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    EXPECT(carrier, 1, 2);
}

START_TEST(an_eviction_that_fails_changes_nothing)
{
    struct sw_carrier *primary = VAULT(1, 2), *secondary = VAULT(7);
    struct sw_carrier *carrier = parts_evictable(primary, secondary);

    vault_allocations_left = 0;
    FAILS(sw_evictable_evict(carrier), SW_MEMORY_ERROR);
    expect_unchanged(carrier, primary, secondary);
    vault_allocations_left = -1;
    /* The second element does not arrive: the fresh storage goes. */
    vault_writes_left = 1;
    FAILS(sw_evictable_evict(carrier), SW_OS_ERROR);
    ck_assert_str_eq(sw_error_message(), "the vault does not open");
    ck_assert_int_eq(vault_count, 2);
    expect_unchanged(carrier, primary, secondary);
    vault_writes_left = -1;
    OK(sw_evictable_evict(carrier));
    sw_carrier_unref(carrier);
    ck_assert_int_eq(vault_count, 0);
}
END_TEST

START_TEST(a_registered_move_that_fails_changes_nothing)
{
    struct sw_carrier *primary = GENERIC(1, 2), *secondary = CPU(7, 8);
    struct sw_carrier *carrier = parts_evictable(primary, secondary);

    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &failing_move));
    FAILS(sw_evictable_evict(carrier), SW_OS_ERROR);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    expect_unchanged(carrier, primary, secondary);
    OK(sw_evictable_evict(carrier));
    EXPECT(secondary, 1, 2);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_promotion_that_fails_changes_nothing)
{
    struct sw_carrier *carrier = parts_evictable(VAULT(1, 2), GENERIC(0, 0));
    struct sw_carrier *primary = sw_evictable_primary(carrier), *secondary = sw_evictable_secondary(carrier);

    OK(sw_evictable_evict(carrier));
    vault_writes_left = 1;
    FAILS(sw_evictable_promote(carrier), SW_OS_ERROR);
    vault_writes_left = -1;
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 1);
    ck_assert_ptr_eq(sw_evictable_primary(carrier), primary);
    ck_assert_ptr_eq(sw_evictable_secondary(carrier), secondary);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 1);
    ck_assert_int_eq(sw_carrier_is_mutable(secondary), 0);
    ck_assert_int_eq(vault_count, 1);
    EXPECT(secondary, 1, 2);
    OK(sw_evictable_promote(carrier));
    EXPECT(carrier, 1, 2);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_pinned_move_registered_meanwhile_refuses_the_eviction)
{
    struct sw_move_class pinned = { .head = SW_MOVE_CLASS_HEAD("tests", "Pinned"), .source_class = &vault_class,
                                    .copy = counted_move.copy };
    struct sw_carrier *primary = GENERIC(1, 2), *secondary = CPU(0);
    struct sw_carrier *carrier = parts_evictable(primary, secondary);

    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &pinned));
    FAILS(sw_evictable_evict(carrier), SW_TYPE_ERROR);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    expect_unchanged(carrier, primary, secondary);
    sw_carrier_unref(carrier);
}
END_TEST

static void *evict(void *carrier)
{
    return sw_evictable_evict(carrier) == SW_OK ? carrier : NULL;
}

START_TEST(a_cancelled_eviction_changes_nothing)
{
#ifdef __SANITIZE_ADDRESS__
    /* gcc's runtime leaves the frames that a cancellation unwinds poisoned, and stumbles over them. */
    return;
#endif
    struct sw_carrier *primary = VAULT(1, 2), *secondary = VAULT(7);
    struct sw_carrier *carrier = parts_evictable(primary, secondary);
    pthread_t thread;
    void *result = NULL;

    OK(sw_move_register(&vault_class, &vault_class, &cancelled_move));
    ck_assert_int_eq(pthread_create(&thread, NULL, evict, carrier), 0);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_eq(result, PTHREAD_CANCELED);
    OK(sw_move_unregister(&vault_class, &vault_class));
    ck_assert_int_eq(vault_count, 2);
    expect_unchanged(carrier, primary, secondary);
    OK(sw_evictable_evict(carrier));
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(another_threads_scope_refuses_the_eviction)
{
    /* The scope belongs to the outer Evictable's thread; the tier of it is evicted by another. */
    struct sw_carrier *inner = parts_evictable(GENERIC(1, 2), CPU(0));
    uint64_t token = 0;
    pthread_t thread;
    void *result = inner;

    OK(sw_carrier_claim(inner, &token));
    OK(sw_carrier_begin_owner_access(inner, token));
    ck_assert_int_eq(pthread_create(&thread, NULL, evict, inner), 0);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_null(result);
    EXPECT(inner, 1, 2);
    OK(sw_carrier_end_owner_access(inner, token));
    OK(sw_carrier_relinquish(inner, token));
    sw_carrier_unref(inner);
}
END_TEST

/* ---- Evictables that are owned, and that are tiers ----------------------------------------------------- */

START_TEST(an_owned_evictable_moves_inside_of_its_owners_scope_only)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1), GENERIC(0));
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    FAILS(sw_evictable_evict(carrier), SW_RUNTIME_ERROR);
    FAILS(sw_evictable_promote(carrier), SW_RUNTIME_ERROR);
    OK(sw_carrier_begin_owner_access(carrier, token));
    OK(sw_evictable_evict(carrier));
    OK(sw_evictable_promote(carrier));
    OK(sw_carrier_end_owner_access(carrier, token));
    OK(sw_carrier_relinquish(carrier, token));
    EXPECT(carrier, 1);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(an_evictable_may_be_a_tier)
{
    struct sw_carrier *inner = parts_evictable(GENERIC(1, 2), CPU(0));
    struct sw_carrier *carrier = parts_evictable(sw_carrier_ref(inner), VAULT(0));

    OK(parts_set(carrier, 0, 5));
    ck_assert_uint_eq(sw_carrier_version(inner), 1);
    OK(sw_evictable_evict(carrier));
    ck_assert_int_eq(sw_carrier_is_released(inner), 1);
    ck_assert_int_eq(sw_carrier_is_released(sw_evictable_primary(inner)), 1);
    EXPECT(sw_evictable_secondary(carrier), 5, 2);
    OK(sw_evictable_promote(carrier));
    ck_assert_ptr_eq(sw_carrier_class_of(sw_evictable_primary(carrier)), sw_evictable_class());
    EXPECT(carrier, 5, 2);
    OK(sw_carrier_release(carrier));
    ck_assert_int_eq(sw_carrier_is_released(sw_evictable_primary(sw_evictable_primary(carrier))), 1);
    sw_carrier_unref(carrier);
    sw_carrier_unref(inner);
}
END_TEST

CHECK_MAIN("residence", evicted_values_cannot_be_reached, evicting_and_promoting_twice_is_nothing, the_version_stays,
           tensors_find_the_promoted_values, a_large_enough_secondary_tier_is_kept,
           a_secondary_tier_that_is_too_small_is_replaced_and_released,
           the_tier_that_is_left_behind_is_released_and_still_owned,
           promotion_makes_a_fresh_primary_tier_and_gives_up_the_old_one, no_storage_piles_up,
           every_stored_dtype_is_evicted, the_registry_is_asked_each_time, an_eviction_that_fails_changes_nothing,
           a_registered_move_that_fails_changes_nothing, a_promotion_that_fails_changes_nothing,
           a_pinned_move_registered_meanwhile_refuses_the_eviction, a_cancelled_eviction_changes_nothing,
           another_threads_scope_refuses_the_eviction, an_owned_evictable_moves_inside_of_its_owners_scope_only,
           an_evictable_may_be_a_tier)
