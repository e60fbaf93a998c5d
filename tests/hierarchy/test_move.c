/*
 * Moving a tensor: what arrives, what is released, and everything that is
 * refused, in its order. The program is its own tool: a move crosses no
 * boundary.
 */
#include "config.h"

#include "check_main.h"
#include "parts.h"
#include "trace.h"

/* A move that is refused changes nothing: the tensor's values are still there. */
static void expect_refused(struct sw_tensor *tensor, struct sw_carrier *destination, enum sw_status status)
{
    struct sw_tensor *moved = NULL;
    double before = parts_element(tensor, 0);

    FAILS(sw_move(tensor, destination, &moved), status);
    ck_assert_ptr_null(moved);
    ck_assert_int_eq(sw_carrier_is_released(sw_tensor_carrier(tensor)), 0);
    ck_assert_double_eq(parts_element(tensor, 0), before);
    sw_carrier_unref(destination);
}

/* Consumes the source; the destination is returned for a look at its slots. */
static struct sw_carrier *expect_moved(struct sw_tensor *tensor, struct sw_carrier *destination)
{
    struct sw_tensor *moved = NULL;

    OK(sw_move(tensor, destination, &moved));
    ck_assert_ptr_eq(sw_tensor_carrier(moved), destination);
    ck_assert_int_eq(sw_tensor_offset(moved), 0);
    ck_assert_int_eq(sw_layout_equal(sw_tensor_layout(moved), sw_tensor_layout(tensor)), 1);
    ck_assert_int_eq(sw_carrier_is_released(sw_tensor_carrier(tensor)), 1);
    ck_assert_int_eq(sw_carrier_is_released(destination), 0);
    sw_tensor_unref(moved);
    sw_tensor_unref(tensor);
    return destination;
}

static struct sw_tensor *with_offset(struct sw_carrier *carrier, int64_t offset, const char *layout)
{
    struct sw_tensor *tensor = parts_tensor(carrier, offset, layout);

    sw_carrier_unref(carrier);
    return tensor;
}

/* ---- What arrives ------------------------------------------------------------------------- */

START_TEST(values_arrive_and_the_source_is_released)
{
    struct sw_carrier *at = expect_moved(parts_tensor_over(GENERIC(1, 2), "2:1"), CPU(0, 0));

    EXPECT(at, 1, 2);
    sw_carrier_unref(at);
}
END_TEST

START_TEST(the_offset_becomes_0)
{
    struct sw_carrier *at = expect_moved(with_offset(CPU(1, 2, 3), 1, "2:1"), CPU(0, 0));

    EXPECT(at, 2, 3);
    sw_carrier_unref(at);
}
END_TEST

START_TEST(a_broadcast_tensor_needs_its_cosize_only)
{
    struct sw_tensor *tensor = parts_tensor_over(CPU(1, 2), "(2,3):(1,0)"), *moved = NULL;
    struct sw_carrier *destination = CPU(0, 0);

    OK(sw_move(tensor, destination, &moved));
    for (int64_t ordinal = 0; ordinal < 6; ordinal++)
        ck_assert_double_eq(parts_element(moved, ordinal), ordinal % 2 == 0 ? 1 : 2);
    sw_tensor_unref(moved);
    sw_tensor_unref(tensor);
    sw_carrier_unref(destination);
}
END_TEST

START_TEST(slots_between_the_elements_keep_what_they_held)
{
    struct sw_carrier *dense = expect_moved(parts_tensor_over(GENERIC(1, 5, 2), "2:2"), CPU(9, 9, 9));
    struct sw_carrier *vault = expect_moved(parts_tensor_over(GENERIC(1, 5, 2), "2:2"), VAULT(9, 9, 9));

    EXPECT(dense, 1, 9, 2);
    EXPECT(vault, 1, 9, 2);
    sw_carrier_unref(dense);
    sw_carrier_unref(vault);
}
END_TEST

START_TEST(every_element_counts_as_one_write)
{
    struct sw_carrier *dense = expect_moved(parts_tensor_over(GENERIC(1, 2), "(2,3):(1,0)"), CPU(0, 0));
    struct sw_carrier *vault = expect_moved(parts_tensor_over(GENERIC(1, 2), "(2,3):(1,0)"), VAULT(0, 0));

    ck_assert_uint_eq(sw_carrier_version(dense), 6);
    ck_assert_uint_eq(sw_carrier_version(vault), 6);
    sw_carrier_unref(dense);
    sw_carrier_unref(vault);
}
END_TEST

START_TEST(classes_from_outside_move_both_ways)
{
    struct sw_carrier *vault = expect_moved(parts_tensor_over(CPU(1, 2, 3, 4, 5, 6), "(3,2):(2,1)"),
                                            VAULT(0, 0, 0, 0, 0, 0));
    struct sw_tensor *tensor = parts_tensor(vault, 0, "(2,3):(3,1)");

    EXPECT(vault, 1, 2, 3, 4, 5, 6);
    sw_carrier_unref(vault);
    struct sw_carrier *cpu = expect_moved(tensor, CPU(0, 0, 0, 0, 0, 0));
    EXPECT(cpu, 1, 2, 3, 4, 5, 6);
    sw_carrier_unref(cpu);
}
END_TEST

START_TEST(every_stored_dtype_moves)
{
    static const int32_t integers[] = { INT32_MIN, INT32_MAX };
    static const uint8_t truths[] = { 1, 0 };
    struct sw_tree *shape = NULL;
    struct sw_tensor *source = NULL, *moved = NULL;
    int32_t integers_came[2] = { 0, 0 };
    uint8_t truths_came[2] = { 7, 7 };

    OK(sw_tree_parse("(2)", &shape));
    OK(sw_tensor_from_i32(sw_cpu_class(), integers, shape, &source));
    struct sw_carrier *destination = parts_zeros(2, SW_INT32);
    OK(sw_move(source, destination, &moved));
    OK(sw_tensor_read_i32(moved, integers_came, 2));
    ck_assert_int_eq(integers_came[0], INT32_MIN);
    ck_assert_int_eq(integers_came[1], INT32_MAX);
    sw_tensor_unref(source);
    sw_tensor_unref(moved);
    sw_carrier_unref(destination);

    OK(sw_tensor_from_bool(sw_cpu_class(), truths, shape, &source));
    destination = parts_zeros(2, SW_BOOL);
    OK(sw_move(source, destination, &moved));
    OK(sw_tensor_read_bool(moved, truths_came, 2));
    ck_assert_int_eq(truths_came[0], 1);
    ck_assert_int_eq(truths_came[1], 0);
    sw_tensor_unref(source);
    sw_tensor_unref(moved);
    sw_carrier_unref(destination);
    sw_tree_unref(shape);
}
END_TEST

START_TEST(an_immutable_source_may_be_moved)
{
    struct sw_carrier *at = expect_moved(parts_tensor_over(IMMUTABLE(1), "1:1"), CPU(0));

    EXPECT(at, 1);
    sw_carrier_unref(at);
}
END_TEST

START_TEST(an_evictable_is_source_and_destination_as_any_other)
{
    struct sw_carrier *at = expect_moved(parts_tensor_over(parts_evictable(GENERIC(1, 2), GENERIC(0)), "2:1"),
                                         parts_evictable(CPU(0, 0), CPU(0)));

    EXPECT(at, 1, 2);
    ck_assert_uint_eq(sw_carrier_version(at), 2);
    sw_carrier_unref(at);
}
END_TEST

START_TEST(memory_that_both_carriers_wrap_survives)
{
    float memory[4] = { 1, 2, 3, 4 };
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *source = NULL, *destination = NULL;

    options.external = 1;
    options.pointer = memory;
    OK(sw_cpu_new(4, &options, &source));
    options.pointer = memory + 1;
    OK(sw_cpu_new(3, &options, &destination));
    sw_carrier_unref(expect_moved(parts_tensor_over(source, "3:1"), destination));
    ck_assert_float_eq(memory[0], 1);
    ck_assert_float_eq(memory[1], 1);
    ck_assert_float_eq(memory[2], 2);
    ck_assert_float_eq(memory[3], 3);
}
END_TEST

/* ---- What is refused ------------------------------------------------------------------------- */

START_TEST(what_is_no_tensor_does_not_move)
{
    struct sw_carrier *destination = CPU(0);
    struct sw_tensor *moved = NULL;

    FAILS(sw_move(NULL, destination, &moved), SW_TYPE_ERROR);
    FAILS(sw_move((const struct sw_tensor *)(const void *)destination, destination, &moved), SW_TYPE_ERROR);
    sw_carrier_unref(destination);
}
END_TEST

START_TEST(a_released_source_does_not_move)
{
    struct sw_tensor *tensor = parts_tensor_over(GENERIC(1), "1:1"), *moved = NULL;

    OK(sw_carrier_release(sw_tensor_carrier(tensor)));
    /* Before the destination is looked at. */
    FAILS(sw_move(tensor, parts_no_carrier(), &moved), SW_RUNTIME_ERROR);
    sw_tensor_unref(tensor);
}
END_TEST

START_TEST(an_owned_source_does_not_move)
{
    struct sw_tensor *tensor = parts_tensor_over(GENERIC(1), "1:1"), *moved = NULL;
    uint64_t token = 0;

    OK(sw_carrier_claim(sw_tensor_carrier(tensor), &token));
    FAILS(sw_move(tensor, parts_no_carrier(), &moved), SW_RUNTIME_ERROR);
    expect_refused(tensor, CPU(0), SW_RUNTIME_ERROR);
    OK(sw_carrier_relinquish(sw_tensor_carrier(tensor), token));
    sw_tensor_unref(tensor);
}
END_TEST

START_TEST(the_destination_must_be_another_live_mutable_carrier_of_the_dtype)
{
    struct sw_tensor *tensor = parts_tensor_over(GENERIC(1), "1:1"), *moved = NULL;
    struct sw_carrier *released = CPU(0), *owned = CPU(0);
    uint64_t token = 0;

    FAILS(sw_move(tensor, NULL, &moved), SW_TYPE_ERROR);
    FAILS(sw_move(tensor, parts_no_carrier(), &moved), SW_TYPE_ERROR);
    expect_refused(tensor, sw_carrier_ref(sw_tensor_carrier(tensor)), SW_VALUE_ERROR);
    OK(sw_carrier_release(released));
    expect_refused(tensor, released, SW_RUNTIME_ERROR);
    expect_refused(tensor, IMMUTABLE(0), SW_RUNTIME_ERROR);
    OK(sw_carrier_claim(owned, &token));
    expect_refused(tensor, sw_carrier_ref(owned), SW_RUNTIME_ERROR);
    OK(sw_carrier_relinquish(owned, token));
    sw_carrier_unref(owned);
    expect_refused(tensor, parts_zeros(1, SW_INT32), SW_TYPE_ERROR);
    sw_tensor_unref(tensor);
}
END_TEST

START_TEST(the_destination_must_be_large_enough)
{
    struct sw_tensor *tensor = parts_tensor_over(GENERIC(1, 2), "2:1");

    expect_refused(tensor, CPU(0), SW_VALUE_ERROR);
    expect_refused(tensor, parts_zeros(0, SW_FLOAT32), SW_VALUE_ERROR);
    /* The dtype is looked at first. */
    expect_refused(tensor, parts_zeros(0, SW_INT32), SW_TYPE_ERROR);
    sw_tensor_unref(tensor);
}
END_TEST

START_TEST(a_copy_that_fails_leaves_both_carriers_usable)
{
    struct sw_tensor *tensor = parts_tensor_over(GENERIC(1, 2), "2:1");
    struct sw_carrier *destination = VAULT(0, 0);

    vault_writes_left = 1;
    expect_refused(tensor, sw_carrier_ref(destination), SW_OS_ERROR);
    ck_assert_str_eq(sw_error_message(), "the vault does not open");
    vault_writes_left = -1;
    EXPECT(destination, 1, 0);
    destination = expect_moved(tensor, destination);
    EXPECT(destination, 1, 2);
    sw_carrier_unref(destination);
}
END_TEST

START_TEST(an_evicted_source_does_not_move)
{
    struct sw_tensor *tensor = parts_tensor_over(parts_evictable(GENERIC(1, 2), GENERIC(0)), "2:1"), *moved = NULL;
    struct sw_carrier *destination = CPU(0, 0);

    OK(sw_evictable_evict(sw_tensor_carrier(tensor)));
    FAILS(sw_move(tensor, destination, &moved), SW_RUNTIME_ERROR);
    OK(sw_evictable_promote(sw_tensor_carrier(tensor)));
    EXPECT(sw_tensor_carrier(tensor), 1, 2);
    sw_carrier_unref(destination);
    sw_tensor_unref(tensor);
}
END_TEST

START_TEST(a_move_crosses_no_boundary)
{
    struct sw_tensor *tensor = parts_tensor_over(GENERIC(1, 2), "2:1");
    uint64_t before = sw_boundary_count();

    expect_refused(tensor, CPU(0), SW_VALUE_ERROR);
    sw_carrier_unref(expect_moved(tensor, CPU(0, 0)));
    ck_assert_int_eq(n_traced, 0);
    ck_assert_uint_eq(sw_boundary_count(), before);
}
END_TEST

CHECK_MAIN("move", values_arrive_and_the_source_is_released, the_offset_becomes_0,
           a_broadcast_tensor_needs_its_cosize_only, slots_between_the_elements_keep_what_they_held,
           every_element_counts_as_one_write, classes_from_outside_move_both_ways, every_stored_dtype_moves,
           an_immutable_source_may_be_moved, an_evictable_is_source_and_destination_as_any_other,
           memory_that_both_carriers_wrap_survives, what_is_no_tensor_does_not_move, a_released_source_does_not_move,
           an_owned_source_does_not_move, the_destination_must_be_another_live_mutable_carrier_of_the_dtype,
           the_destination_must_be_large_enough, a_copy_that_fails_leaves_both_carriers_usable,
           an_evicted_source_does_not_move, a_move_crosses_no_boundary)
