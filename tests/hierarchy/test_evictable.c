/*
 * The Evictable as a carrier: construction, what goes through the primary
 * tier, factories, release and destruction.
 */
#include "config.h"

#include "check_main.h"
#include "parts.h"

/* ---- Construction ------------------------------------------------------------------------- */

/* A refused construction leaves both tiers as they were. */
static void expect_refused(struct sw_carrier *primary, struct sw_carrier *secondary, enum sw_status status)
{
    struct sw_carrier *carrier = NULL;

    FAILS(sw_evictable_new(primary, secondary, &carrier), status);
    ck_assert_ptr_null(carrier);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 0);
    ck_assert_int_eq(sw_carrier_is_owned(secondary), 0);
    sw_carrier_unref(primary);
    if (secondary != primary)
        sw_carrier_unref(secondary);
}

static struct sw_carrier *released(struct sw_carrier *carrier)
{
    OK(sw_carrier_release(carrier));
    return carrier;
}

START_TEST(both_tiers_must_be_carriers)
{
    struct sw_carrier *carrier = GENERIC(1), *made = NULL;

    FAILS(sw_evictable_new(NULL, carrier, &made), SW_TYPE_ERROR);
    FAILS(sw_evictable_new(carrier, NULL, &made), SW_TYPE_ERROR);
    FAILS(sw_evictable_new(parts_no_carrier(), carrier, &made), SW_TYPE_ERROR);
    expect_refused(carrier, parts_no_carrier(), SW_TYPE_ERROR);
}
END_TEST

START_TEST(the_tiers_must_be_two)
{
    struct sw_carrier *carrier = GENERIC(1);

    expect_refused(carrier, carrier, SW_VALUE_ERROR);
}
END_TEST

START_TEST(released_tiers_are_refused)
{
    expect_refused(released(GENERIC(1)), GENERIC(1), SW_RUNTIME_ERROR);
    expect_refused(GENERIC(1), released(GENERIC(1)), SW_RUNTIME_ERROR);
    /* Before the dtypes are compared. */
    expect_refused(released(GENERIC(1)), parts_zeros(1, SW_INT32), SW_RUNTIME_ERROR);
}
END_TEST

START_TEST(owned_tiers_are_refused)
{
    struct sw_carrier *owned = GENERIC(1), *other = GENERIC(2), *integers = parts_zeros(1, SW_INT32), *made = NULL;
    uint64_t token = 0;

    OK(sw_carrier_claim(owned, &token));
    FAILS(sw_evictable_new(owned, other, &made), SW_RUNTIME_ERROR);
    FAILS(sw_evictable_new(other, owned, &made), SW_RUNTIME_ERROR);
    FAILS(sw_evictable_new(integers, owned, &made), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_carrier_is_owned(other), 0);
    OK(sw_carrier_relinquish(owned, token));
    sw_carrier_unref(owned);
    sw_carrier_unref(other);
    sw_carrier_unref(integers);
}
END_TEST

START_TEST(the_tiers_must_have_one_dtype)
{
    expect_refused(GENERIC(1), parts_zeros(1, SW_INT32), SW_TYPE_ERROR);
}
END_TEST

START_TEST(the_secondary_tier_must_be_mutable)
{
    expect_refused(GENERIC(1), IMMUTABLE(1), SW_RUNTIME_ERROR);
    /* Before the primary tier's size is looked at. */
    expect_refused(parts_zeros(0, SW_FLOAT32), IMMUTABLE(1), SW_RUNTIME_ERROR);
}
END_TEST

START_TEST(an_empty_primary_tier_is_refused)
{
    expect_refused(parts_zeros(0, SW_FLOAT32), GENERIC(1), SW_VALUE_ERROR);
}
END_TEST

START_TEST(moves_between_the_tiers_must_exist_in_both_directions)
{
    struct sw_move_class pinned = { .head = SW_MOVE_CLASS_HEAD("tests", "Pinned"), .source_class = &vault_class,
                                    .copy = counted_move.copy };

    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &pinned));
    expect_refused(GENERIC(1), CPU(1), SW_TYPE_ERROR);
    expect_refused(CPU(1), GENERIC(1), SW_TYPE_ERROR);
    /* An empty primary tier is refused before. */
    expect_refused(parts_zeros(0, SW_FLOAT32), CPU(1), SW_VALUE_ERROR);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    sw_carrier_unref(parts_evictable(GENERIC(1), CPU(1)));
}
END_TEST

START_TEST(construction_claims_both_tiers)
{
    struct sw_carrier *primary = GENERIC(1, 2), *secondary = CPU(0), *carrier = NULL;

    OK(sw_evictable_new(primary, secondary, &carrier));
    ck_assert_ptr_eq(sw_carrier_class_of(carrier), sw_evictable_class());
    ck_assert_ptr_eq(sw_evictable_primary(carrier), primary);
    ck_assert_ptr_eq(sw_evictable_secondary(carrier), secondary);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 1);
    ck_assert_int_eq(sw_carrier_is_owned(secondary), 1);
    ck_assert_int_eq(sw_carrier_is_owned(carrier), 0);
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 0);
    ck_assert_uint_eq(sw_carrier_size(carrier), 2);
    ck_assert_int_eq(sw_carrier_dtype(carrier), SW_FLOAT32);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    FAILS(parts_set(primary, 0, 5), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_release(secondary), SW_RUNTIME_ERROR);
    EXPECT(primary, 1, 2);
    sw_carrier_unref(carrier);
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
}
END_TEST

START_TEST(other_classes_have_no_tiers)
{
    struct sw_carrier *carrier = GENERIC(1);

    ck_assert_ptr_null(sw_evictable_primary(carrier));
    ck_assert_ptr_null(sw_evictable_secondary(carrier));
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 0);
    FAILS(sw_evictable_evict(carrier), SW_TYPE_ERROR);
    FAILS(sw_evictable_promote(carrier), SW_TYPE_ERROR);
    FAILS(sw_evictable_evict(NULL), SW_TYPE_ERROR);
    sw_carrier_unref(carrier);
}
END_TEST

/* ---- Reading and writing ---------------------------------------------------------------------- */

START_TEST(a_write_raises_the_versions_of_primary_and_evictable_by_one)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1, 2), GENERIC(0));

    OK(parts_set(carrier, 1, 5));
    EXPECT(carrier, 1, 5);
    ck_assert_uint_eq(sw_carrier_version(carrier), 1);
    ck_assert_uint_eq(sw_carrier_version(sw_evictable_primary(carrier)), 1);
    ck_assert_uint_eq(sw_carrier_version(sw_evictable_secondary(carrier)), 0);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_write_that_fails_raises_nothing)
{
    struct sw_carrier *carrier = parts_evictable(VAULT(1), VAULT(0));
    const struct sw_scalar truth = { SW_SCALAR_BOOLEAN, 0, { .boolean = 1 } };
    struct sw_carrier *integers = parts_evictable(parts_zeros(1, SW_INT32), parts_zeros(0, SW_INT32));

    vault_writes_left = 0;
    FAILS(parts_set(carrier, 0, 5), SW_OS_ERROR);
    FAILS(parts_set(carrier, 1, 5), SW_INDEX_ERROR);
    FAILS(parts_set(carrier, -1, 5), SW_INDEX_ERROR);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    vault_writes_left = -1;
    /* No scope was left open. */
    FAILS(parts_set(sw_evictable_primary(carrier), 0, 5), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_set(integers, 0, &truth), SW_TYPE_ERROR);
    ck_assert_uint_eq(sw_carrier_version(integers), 0);
    sw_carrier_unref(carrier);
    sw_carrier_unref(integers);
}
END_TEST

START_TEST(over_an_immutable_primary_tier_nothing_is_written)
{
    struct sw_carrier *carrier = parts_evictable(IMMUTABLE(1), parts_zeros(0, SW_FLOAT32));

    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 0);
    FAILS(parts_set(carrier, 0, 2), SW_RUNTIME_ERROR);
    OK(sw_evictable_evict(carrier));
    OK(sw_evictable_promote(carrier));
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 0);
    FAILS(parts_set(carrier, 0, 2), SW_RUNTIME_ERROR);
    EXPECT(carrier, 1);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(whole_tensors_are_read_and_written)
{
    struct sw_tensor *tensor = parts_tensor_over(parts_evictable(CPU(1, 2, 3, 4), CPU(0)), "(2,2):(2,1)");
    const float fresh[] = { 5, 6, 7, 8 };
    float came[4];

    OK(sw_tensor_read_f32(tensor, came, 4));
    ck_assert_float_eq(came[1], 3);
    OK(sw_tensor_write_f32(tensor, fresh, 4));
    EXPECT(sw_tensor_carrier(tensor), 5, 7, 6, 8);
    ck_assert_uint_eq(sw_carrier_version(sw_tensor_carrier(tensor)), 4);
    sw_tensor_unref(tensor);
}
END_TEST

START_TEST(a_scatter_goes_to_the_primary_tier)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(0, 0, 0, 0), GENERIC(0));
    struct sw_tensor *onto = parts_tensor(carrier, 1, "2:1"), *source = parts_tensor_over(CPU(5, 6), "2:1");
    struct sw_layout *mapping = NULL;

    OK(sw_layout_parse("2:2", &mapping));
    OK(sw_carrier_scatter(carrier, source, onto, mapping, 0));
    EXPECT(carrier, 0, 5, 0, 6);
    ck_assert_uint_eq(sw_carrier_version(carrier), 1);
    /* From the Evictable into itself, one slot on: [0, 5] to slots 1 and 3. */
    sw_tensor_unref(source);
    source = parts_tensor(carrier, 0, "2:1");
    OK(sw_carrier_scatter(carrier, source, onto, mapping, 0));
    EXPECT(carrier, 0, 0, 0, 5);
    FAILS(sw_carrier_scatter(carrier, source, onto, mapping, 1), SW_VALUE_ERROR);
    ck_assert_uint_eq(sw_carrier_version(carrier), 2);
    OK(sw_evictable_evict(carrier));
    FAILS(sw_carrier_scatter(carrier, source, onto, mapping, 0), SW_RUNTIME_ERROR);
    sw_layout_unref(mapping);
    sw_tensor_unref(source);
    sw_tensor_unref(onto);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_class_that_does_not_scatter_does_not_here)
{
    struct sw_carrier *carrier = parts_evictable(VAULT(0, 0), GENERIC(0));
    struct sw_tensor *onto = parts_tensor(carrier, 0, "2:1"), *source = parts_tensor_over(CPU(5, 6), "2:1");

    FAILS(sw_carrier_scatter(carrier, source, onto, sw_tensor_layout(onto), 0), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    sw_tensor_unref(source);
    sw_tensor_unref(onto);
    sw_carrier_unref(carrier);
}
END_TEST

/* ---- Dtypes ------------------------------------------------------------------------------------- */

static int supports(const struct sw_carrier *carrier, enum sw_dtype dtype)
{
    int supported = -1;

    OK(sw_carrier_supports_dtype(carrier, dtype, &supported));
    return supported;
}

START_TEST(only_what_both_tiers_store_is_stored)
{
    struct sw_carrier *all = parts_evictable(GENERIC(1), CPU(0));
    struct sw_carrier *reals_below = parts_evictable(GENERIC(1), VAULT(0));
    struct sw_carrier *reals_above = parts_evictable(VAULT(1), GENERIC(0));
    struct sw_carrier *made = NULL;

    ck_assert_int_eq(supports(all, SW_FLOAT32) && supports(all, SW_INT32) && supports(all, SW_BOOL), 1);
    ck_assert_int_eq(supports(all, SW_FLOAT64), 0);
    ck_assert_int_eq(supports(reals_below, SW_FLOAT32) && supports(reals_above, SW_FLOAT32), 1);
    ck_assert_int_eq(supports(reals_below, SW_INT32) || supports(reals_above, SW_INT32), 0);
    FAILS(sw_carrier_allocate_like(reals_below, 1, 1, SW_INT32, 0, &made), SW_VALUE_ERROR);
    OK(sw_evictable_evict(reals_below));
    ck_assert_int_eq(supports(reals_below, SW_INT32), 0);
    OK(sw_carrier_release(all));
    ck_assert_int_eq(supports(all, SW_BOOL), 1);
    sw_carrier_unref(all);
    sw_carrier_unref(reals_below);
    sw_carrier_unref(reals_above);
}
END_TEST

/* ---- Factories ------------------------------------------------------------------------------------ */

static void expect_fresh(struct sw_carrier *prototype)
{
    const struct sw_scalar values[] = { parts_number(3), parts_number(4) };
    struct sw_carrier *made = NULL;

    OK(sw_carrier_new_like(prototype, values, 2, 1, SW_FLOAT32, &made));
    ck_assert_ptr_eq(sw_carrier_class_of(made), sw_evictable_class());
    ck_assert_ptr_eq(sw_carrier_class_of(sw_evictable_primary(made)), sw_generic_class());
    ck_assert_ptr_eq(sw_carrier_class_of(sw_evictable_secondary(made)), sw_cpu_class());
    ck_assert_int_eq(sw_evictable_is_evicted(made), 0);
    ck_assert_uint_eq(sw_carrier_size(sw_evictable_secondary(made)), 0);
    EXPECT(made, 3, 4);
    sw_carrier_unref(made);

    OK(sw_carrier_allocate_like(prototype, 3, 1, SW_INT32, 0, &made));
    ck_assert_int_eq(sw_evictable_is_evicted(made), 0);
    ck_assert_int_eq(sw_carrier_dtype(made), SW_INT32);
    ck_assert_uint_eq(sw_carrier_size(made), 3);
    ck_assert_uint_eq(sw_carrier_size(sw_evictable_secondary(made)), 0);
    sw_carrier_unref(made);
}

START_TEST(factories_work_in_every_state)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1, 2), CPU(7, 8, 9));

    expect_fresh(carrier);
    OK(sw_evictable_evict(carrier));
    expect_fresh(carrier);
    OK(sw_carrier_release(carrier));
    expect_fresh(carrier);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(an_empty_evictable_is_not_made)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1), CPU(0)), *made = NULL;

    FAILS(sw_carrier_new_like(carrier, NULL, 0, 1, SW_FLOAT32, &made), SW_VALUE_ERROR);
    FAILS(sw_carrier_allocate_like(carrier, 0, 1, SW_FLOAT32, 0, &made), SW_VALUE_ERROR);
    ck_assert_ptr_null(made);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(an_immutable_one_is_made_when_asked_for)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1), CPU(0)), *made = NULL;

    OK(sw_carrier_allocate_like(carrier, 1, 0, SW_FLOAT32, 0, &made));
    ck_assert_int_eq(sw_carrier_is_mutable(made), 0);
    sw_carrier_unref(made);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_class_alone_is_not_enough_for_an_evictable)
{
    struct sw_tree *shape = NULL;
    struct sw_tensor *tensor = NULL;

    OK(sw_tree_parse("(2)", &shape));
    FAILS(sw_tensor_zeros(sw_evictable_class(), SW_FLOAT32, shape, &tensor), SW_NOT_IMPLEMENTED_ERROR);
    sw_tree_unref(shape);
}
END_TEST

/* ---- Release and destruction -------------------------------------------------------------------------- */

START_TEST(release_releases_both_tiers)
{
    struct sw_carrier *primary = GENERIC(1), *secondary = CPU(0), *carrier = NULL;

    OK(sw_evictable_new(primary, secondary, &carrier));
    OK(sw_carrier_release(carrier));
    OK(sw_carrier_release(carrier));
    ck_assert_int_eq(sw_carrier_is_released(primary), 1);
    ck_assert_int_eq(sw_carrier_is_released(secondary), 1);
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
    ck_assert_int_eq(sw_carrier_dtype(carrier), SW_FLOAT32);
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 0);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    ck_assert_ptr_eq(sw_evictable_primary(carrier), primary);
    FAILS(parts_set(carrier, 0, 1), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_get(carrier, 0, &(struct sw_scalar){ 0 }), SW_RUNTIME_ERROR);
    FAILS(sw_evictable_evict(carrier), SW_RUNTIME_ERROR);
    FAILS(sw_evictable_promote(carrier), SW_RUNTIME_ERROR);
    sw_carrier_unref(carrier);
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
}
END_TEST

START_TEST(an_evicted_one_is_released_as_any_other)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1), CPU(0));

    OK(sw_evictable_evict(carrier));
    OK(sw_carrier_release(carrier));
    ck_assert_int_eq(sw_carrier_is_released(sw_evictable_primary(carrier)), 1);
    ck_assert_int_eq(sw_carrier_is_released(sw_evictable_secondary(carrier)), 1);
    ck_assert_int_eq(sw_evictable_is_evicted(carrier), 1);
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(an_evictable_over_an_immutable_tier_is_released)
{
    struct sw_carrier *carrier = parts_evictable(IMMUTABLE(1), CPU(0));

    OK(sw_carrier_release(carrier));
    ck_assert_int_eq(sw_carrier_is_released(sw_evictable_primary(carrier)), 1);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(destruction_sets_live_tiers_free)
{
    struct sw_carrier *primary = GENERIC(1), *secondary = CPU(0), *carrier = NULL;

    OK(sw_evictable_new(primary, secondary, &carrier));
    sw_carrier_unref(carrier);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 0);
    ck_assert_int_eq(sw_carrier_is_owned(secondary), 0);
    ck_assert_int_eq(sw_carrier_is_released(primary), 0);
    OK(parts_set(primary, 0, 5));
    EXPECT(primary, 5);
    OK(sw_evictable_new(primary, secondary, &carrier));
    sw_carrier_unref(carrier);
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
}
END_TEST

START_TEST(tiers_live_as_long_as_the_evictable)
{
    struct sw_carrier *carrier = parts_evictable(VAULT(1), VAULT(2));

    ck_assert_int_eq(vault_count, 2);
    EXPECT(carrier, 1);
    sw_carrier_unref(carrier);
    ck_assert_int_eq(vault_count, 0);
}
END_TEST

CHECK_MAIN("evictable", both_tiers_must_be_carriers, the_tiers_must_be_two, released_tiers_are_refused,
           owned_tiers_are_refused, the_tiers_must_have_one_dtype, the_secondary_tier_must_be_mutable,
           an_empty_primary_tier_is_refused, moves_between_the_tiers_must_exist_in_both_directions,
           construction_claims_both_tiers, other_classes_have_no_tiers,
           a_write_raises_the_versions_of_primary_and_evictable_by_one, a_write_that_fails_raises_nothing,
           over_an_immutable_primary_tier_nothing_is_written, whole_tensors_are_read_and_written,
           a_scatter_goes_to_the_primary_tier, a_class_that_does_not_scatter_does_not_here,
           only_what_both_tiers_store_is_stored, factories_work_in_every_state, an_empty_evictable_is_not_made,
           an_immutable_one_is_made_when_asked_for, a_class_alone_is_not_enough_for_an_evictable,
           release_releases_both_tiers, an_evicted_one_is_released_as_any_other,
           an_evictable_over_an_immutable_tier_is_released, destruction_sets_live_tiers_free,
           tiers_live_as_long_as_the_evictable)
