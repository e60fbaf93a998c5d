/*
 * The registry of moves: what it takes, and which move a pair of classes has.
 */
#include "config.h"

#include "check_main.h"
#include "parts.h"

static struct sw_tensor *moved_to(struct sw_tensor *tensor, struct sw_carrier *destination)
{
    struct sw_tensor *moved = NULL;

    OK(sw_move(tensor, destination, &moved));
    sw_tensor_unref(tensor);
    sw_carrier_unref(destination);
    return moved;
}

START_TEST(a_registered_move_is_used_for_its_pair)
{
    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &counted_move));
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1, 2), "2:1"), CPU(0, 0)));
    ck_assert_int_eq(n_counted_moves, 1);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1, 2), "2:1"), CPU(0, 0)));
    ck_assert_int_eq(n_counted_moves, 1);
}
END_TEST

START_TEST(a_pair_is_ordered_and_exact)
{
    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &counted_move));
    sw_tensor_unref(moved_to(parts_tensor_over(CPU(1), "1:1"), GENERIC(0)));
    sw_tensor_unref(moved_to(parts_tensor_over(CPU(1), "1:1"), CPU(0)));
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1), "1:1"), GENERIC(0)));
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1), "1:1"), VAULT(0)));
    sw_tensor_unref(moved_to(parts_tensor_over(VAULT(1), "1:1"), CPU(0)));
    ck_assert_int_eq(n_counted_moves, 0);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
}
END_TEST

START_TEST(a_copy_is_told_how_many_slots_there_are)
{
    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &counted_move));
    /* Cosize of 2:2 is 3, of (2,3):(1,0) it is 2. */
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1, 5, 2), "2:2"), CPU(0, 0, 0)));
    ck_assert_uint_eq(n_counted_slots, 3);
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1, 2), "(2,3):(1,0)"), CPU(0, 0)));
    ck_assert_uint_eq(n_counted_slots, 2);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
}
END_TEST

START_TEST(a_second_registration_leaves_the_first)
{
    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &counted_move));
    FAILS(sw_move_register(sw_generic_class(), sw_cpu_class(), &failing_move), SW_VALUE_ERROR);
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1), "1:1"), CPU(0)));
    ck_assert_int_eq(n_counted_moves, 1);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    FAILS(sw_move_unregister(sw_generic_class(), sw_cpu_class()), SW_VALUE_ERROR);
}
END_TEST

START_TEST(pairs_come_and_go_in_any_order)
{
    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &counted_move));
    OK(sw_move_register(sw_cpu_class(), sw_generic_class(), &counted_move));
    OK(sw_move_register(sw_cpu_class(), sw_cpu_class(), &counted_move));
    OK(sw_move_unregister(sw_cpu_class(), sw_generic_class()));
    sw_tensor_unref(moved_to(parts_tensor_over(CPU(1), "1:1"), CPU(0)));
    sw_tensor_unref(moved_to(parts_tensor_over(GENERIC(1), "1:1"), CPU(0)));
    sw_tensor_unref(moved_to(parts_tensor_over(CPU(1), "1:1"), GENERIC(0)));
    ck_assert_int_eq(n_counted_moves, 2);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    OK(sw_move_unregister(sw_cpu_class(), sw_cpu_class()));
}
END_TEST

START_TEST(wrong_kinds_are_refused)
{
    static struct sw_operation_class operation_class = { .head = SW_OPERATION_CLASS_HEAD("tests", "None") };
    struct sw_carrier_class *no_carrier_class = (struct sw_carrier_class *)(void *)&operation_class;
    const struct sw_move_class *no_move_class = (const struct sw_move_class *)(const void *)sw_cpu_class();

    FAILS(sw_move_register(NULL, sw_cpu_class(), &counted_move), SW_TYPE_ERROR);
    FAILS(sw_move_register(sw_cpu_class(), no_carrier_class, &counted_move), SW_TYPE_ERROR);
    FAILS(sw_move_register(sw_cpu_class(), sw_cpu_class(), NULL), SW_TYPE_ERROR);
    FAILS(sw_move_register(sw_cpu_class(), sw_cpu_class(), no_move_class), SW_TYPE_ERROR);
    FAILS(sw_move_unregister(no_carrier_class, sw_cpu_class()), SW_TYPE_ERROR);
    FAILS(sw_move_unregister(sw_cpu_class(), NULL), SW_TYPE_ERROR);
    FAILS(sw_move_unregister(sw_cpu_class(), sw_cpu_class()), SW_VALUE_ERROR);
}
END_TEST

START_TEST(an_incomplete_move_class_is_refused)
{
    struct sw_move_class without_copy = { .head = SW_MOVE_CLASS_HEAD("tests", "WithoutCopy") };
    struct sw_move_class nameless = { .head = SW_MOVE_CLASS_HEAD("tests", NULL), .copy = counted_move.copy };
    struct sw_move_class truncated = counted_move;

    truncated.head.struct_bytes = sizeof truncated.head;
    FAILS(sw_move_register(sw_cpu_class(), sw_cpu_class(), &without_copy), SW_VALUE_ERROR);
    FAILS(sw_move_register(sw_cpu_class(), sw_cpu_class(), &nameless), SW_VALUE_ERROR);
    FAILS(sw_move_register(sw_cpu_class(), sw_cpu_class(), &truncated), SW_TYPE_ERROR);
}
END_TEST

START_TEST(a_pinned_move_serves_its_classes_only)
{
    struct sw_move_class pinned = { .head = SW_MOVE_CLASS_HEAD("tests", "Pinned"), .copy = failing_move.copy };
    struct sw_tensor *tensor = parts_tensor_over(GENERIC(1), "1:1"), *moved = NULL;
    struct sw_carrier *destination = CPU(0);

    OK(sw_move_register(sw_generic_class(), sw_cpu_class(), &pinned));
    pinned.source_class = sw_cpu_class();
    FAILS(sw_move(tensor, destination, &moved), SW_TYPE_ERROR);
    pinned.source_class = sw_generic_class();
    pinned.destination_class = sw_generic_class();
    FAILS(sw_move(tensor, destination, &moved), SW_TYPE_ERROR);
    EXPECT(destination, 0);
    pinned.destination_class = sw_cpu_class();
    FAILS(sw_move(tensor, destination, &moved), SW_OS_ERROR);
    EXPECT(destination, 1);
    OK(sw_move_unregister(sw_generic_class(), sw_cpu_class()));
    sw_tensor_unref(tensor);
    sw_carrier_unref(destination);
}
END_TEST

CHECK_MAIN("registry", a_registered_move_is_used_for_its_pair, a_pair_is_ordered_and_exact,
           a_copy_is_told_how_many_slots_there_are, a_second_registration_leaves_the_first,
           pairs_come_and_go_in_any_order, wrong_kinds_are_refused, an_incomplete_move_class_is_refused,
           a_pinned_move_serves_its_classes_only)
