/*
 * Moves between host memory and files.
 */
#include "config.h"

#include <unistd.h>

#include "check_main.h"
#include "parts.h"

static struct sw_carrier *empty_file(void)
{
    struct sw_carrier *carrier = NULL;

    OK(sw_file_backed_new(NULL, &carrier));
    return carrier;
}

static struct sw_carrier *file_of(size_t n, double first)
{
    struct sw_carrier *prototype = empty_file(), *carrier = NULL;

    OK(sw_carrier_allocate_like(prototype, (int64_t)n, 1, SW_FLOAT32, 0, &carrier));
    for (size_t i = 0; i < n; i++)
        OK(parts_set(carrier, (int64_t)i, first + (double)i));
    sw_carrier_unref(prototype);
    return carrier;
}

START_TEST(an_empty_file_gets_the_slots_it_needs)
{
    struct sw_carrier *file = parts_moved(CPU(1, 2), 0, "2:1", empty_file());

    EXPECT(file, 1, 2);
    ck_assert_uint_eq(sw_carrier_version(file), 1);
    sw_carrier_unref(file);
}
END_TEST

START_TEST(spans_are_copied_from_the_offset_with_their_holes)
{
    struct sw_carrier *file = parts_moved(CPU(1, 2, 3, 4, 5), 1, "2:2", empty_file());

    EXPECT(file, 2, 3, 4);
    sw_carrier_unref(file);
    struct sw_carrier *memory = parts_moved(file_of(4, 6), 1, "(2,2):(1,0)", CPU(0, 0, 9));
    EXPECT(memory, 7, 8, 9);
    sw_carrier_unref(memory);
}
END_TEST

START_TEST(other_classes_exchange_elements_with_files)
{
    struct sw_carrier *file = parts_moved(GENERIC(1, 2), 0, "2:1", empty_file());

    EXPECT(file, 1, 2);
    struct sw_carrier *generic = parts_moved(file, 0, "2:1", GENERIC(0, 0));
    EXPECT(generic, 1, 2);
    sw_carrier_unref(generic);
}
END_TEST

START_TEST(a_file_with_slots_does_not_grow)
{
    struct sw_tensor *tensor = parts_tensor_over(CPU(1, 2, 3), "3:1"), *at = NULL;
    struct sw_carrier *file = file_of(2, 0);

    FAILS(sw_move(tensor, file, &at), SW_VALUE_ERROR);
    ck_assert_double_eq(parts_element(tensor, 2), 3);
    sw_tensor_unref(tensor);
    sw_carrier_unref(file);
}
END_TEST

START_TEST(a_move_that_the_system_refuses_leaves_the_values)
{
    struct sw_tensor *tensor = parts_tensor_over(CPU(1, 2), "2:1"), *at = NULL;
    struct sw_carrier *file = empty_file();

    ck_assert_int_eq(unlink(sw_file_backed_path(file)), 0);
    FAILS(sw_move(tensor, file, &at), SW_OS_ERROR);
    ck_assert_double_eq(parts_element(tensor, 1), 2);
    ck_assert_ptr_null(at);
    sw_tensor_unref(tensor);
    sw_carrier_unref(file);
}
END_TEST

START_TEST(an_evictable_keeps_its_values_in_a_file)
{
    struct sw_carrier *evictable = parts_evictable(CPU(1, 2, 3), empty_file());

    OK(sw_evictable_evict(evictable));
    ck_assert_ptr_eq(sw_carrier_class_of(sw_evictable_secondary(evictable)), sw_file_backed_class());
    ck_assert_uint_eq(sw_carrier_size(sw_evictable_secondary(evictable)), 3);
    OK(sw_evictable_promote(evictable));
    EXPECT(evictable, 1, 2, 3);
    sw_carrier_unref(evictable);
}
END_TEST

START_TEST(what_is_registered_from_the_start_can_be_replaced)
{
    struct sw_carrier_class *memory = sw_cpu_class(), *file = sw_file_backed_class();
    int before = n_counted_moves;

    FAILS(sw_move_register(memory, file, &counted_move), SW_VALUE_ERROR);
    OK(sw_move_unregister(memory, file));
    FAILS(sw_move_unregister(memory, file), SW_VALUE_ERROR);
    OK(sw_move_register(memory, file, &counted_move));
    sw_carrier_unref(parts_moved(CPU(1), 0, "1:1", empty_file()));
    ck_assert_int_eq(n_counted_moves, before + 1);
    OK(sw_move_unregister(memory, file));
    struct sw_carrier *elements = parts_moved(CPU(4), 0, "1:1", empty_file());
    EXPECT(elements, 4);
    sw_carrier_unref(elements);
}
END_TEST

CHECK_MAIN("blocks", an_empty_file_gets_the_slots_it_needs, spans_are_copied_from_the_offset_with_their_holes,
           other_classes_exchange_elements_with_files, a_file_with_slots_does_not_grow,
           a_move_that_the_system_refuses_leaves_the_values, an_evictable_keeps_its_values_in_a_file,
           what_is_registered_from_the_start_can_be_replaced)
