/*
 * Instances of carrier classes: construction, references, queries.
 */
#include "config.h"

#include <strideweave/hierarchy.h>

#include <pthread.h>
#include <string.h>

#include "carrier/carrier.h"
#include "carrier/foreign.h"
#include "check_main.h"

START_TEST(a_new_carrier_has_a_zeroed_aligned_payload)
{
    static const char zeros[200];
    struct sw_carrier *carrier = NULL;

    ck_assert_int_eq(sw_carrier_new(&foreign_class, sizeof zeros, &carrier), SW_OK);
    ck_assert_uint_eq((uintptr_t)sw_carrier_payload(carrier) % 64, 0);
    ck_assert_mem_eq(sw_carrier_payload(carrier), zeros, sizeof zeros);
    ck_assert_ptr_eq(sw_carrier_class_of(carrier), &foreign_class);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    ck_assert(!sw_carrier_is_released(carrier));
    ck_assert(!sw_carrier_is_owned(carrier));
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(what_is_no_carrier_class_is_a_type_error)
{
    struct sw_carrier_class other = FOREIGN_CLASS_INIT;
    struct sw_carrier *carrier = NULL;

    ck_assert_int_eq(sw_carrier_new(NULL, 0, &carrier), SW_TYPE_ERROR);
    other.head.kind = SW_KIND_OPERATION_CLASS;
    ck_assert_int_eq(sw_carrier_new(&other, 0, &carrier), SW_TYPE_ERROR);
    other.head.kind = SW_KIND_CARRIER_CLASS;
    other.head.struct_bytes = sizeof(struct sw_class_head);
    ck_assert_int_eq(sw_carrier_new(&other, 0, &carrier), SW_TYPE_ERROR);
    ck_assert_ptr_null(carrier);
}
END_TEST

START_TEST(a_class_without_a_required_member_is_a_value_error)
{
    struct sw_carrier_class classes[7];
    struct sw_carrier *carrier = NULL;

    for (size_t i = 0; i < 7; i++)
        classes[i] = (struct sw_carrier_class)FOREIGN_CLASS_INIT;
    classes[0].size = NULL;
    classes[1].dtype = NULL;
    classes[2].get = NULL;
    classes[3].new_like = NULL;
    classes[4].allocate_like = NULL;
    classes[5].head.module = NULL;
    classes[6].head.qualified_name = NULL;
    for (size_t i = 0; i < 7; i++)
        ck_assert_int_eq(sw_carrier_new(&classes[i], 0, &carrier), SW_VALUE_ERROR);
}
END_TEST

START_TEST(a_payload_beyond_memory_is_a_memory_error)
{
    struct sw_carrier *carrier = NULL;

    ck_assert_int_eq(sw_carrier_new(&foreign_class, SIZE_MAX, &carrier), SW_MEMORY_ERROR);
    ck_assert_int_eq(sw_carrier_new(&foreign_class, SIZE_MAX / 2, &carrier), SW_MEMORY_ERROR);
    ck_assert_ptr_null(carrier);
}
END_TEST

START_TEST(the_last_reference_destroys_and_only_that)
{
    struct sw_carrier *carrier = foreign_new(3, SW_FLOAT32);

    foreign_n_destroyed = 0;
    ck_assert_ptr_eq(sw_carrier_ref(carrier), carrier);
    sw_carrier_unref(carrier);
    ck_assert_int_eq(foreign_n_destroyed, 0);
    sw_carrier_unref(carrier);
    ck_assert_int_eq(foreign_n_destroyed, 1);
    ck_assert_int_eq(foreign_n_alive, 0);
}
END_TEST

START_TEST(destroying_a_released_carrier_frees_its_storage_once)
{
    struct sw_carrier *carrier = foreign_new(3, SW_FLOAT32);

    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    ck_assert_int_eq(foreign_n_alive, 0);
    sw_carrier_unref(carrier);
    ck_assert_int_eq(foreign_n_alive, 0);
}
END_TEST

static void *drop(void *carrier)
{
    for (int i = 0; i < 10000; i++)
        sw_carrier_unref(sw_carrier_ref(carrier));
    sw_carrier_unref(carrier);
    return NULL;
}

START_TEST(references_may_be_given_back_on_any_thread)
{
    struct sw_carrier *carrier = foreign_new(3, SW_FLOAT32);
    pthread_t threads[4];

    foreign_n_destroyed = 0;
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, drop, sw_carrier_ref(carrier)), 0);
    sw_carrier_unref(carrier);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(foreign_n_destroyed, 1);
}
END_TEST

START_TEST(queries_of_what_is_no_carrier_are_harmless)
{
    struct sw_carrier_class *impostor = sw_cpu_class();
    const struct sw_carrier *no_carriers[] = { NULL, (const struct sw_carrier *)(const void *)impostor };

    for (size_t i = 0; i < 2; i++) {
        const struct sw_carrier *carrier = no_carriers[i];

        ck_assert_ptr_null(sw_carrier_ref(carrier));
        sw_carrier_unref(carrier);
        ck_assert_ptr_null(sw_carrier_payload(carrier));
        ck_assert_ptr_null(sw_carrier_class_of(carrier));
        ck_assert_uint_eq(sw_carrier_size(carrier), 0);
        ck_assert_int_eq(sw_carrier_dtype(carrier), SW_DTYPE_NONE);
        ck_assert(!sw_carrier_is_mutable(carrier));
        ck_assert(!sw_carrier_is_released(carrier));
        ck_assert(!sw_carrier_is_owned(carrier));
        ck_assert_uint_eq(sw_carrier_version(carrier), 0);
        ck_assert_int_eq(sw__carrier_check(carrier, "it"), SW_TYPE_ERROR);
    }
}
END_TEST

START_TEST(shipped_classes_are_two_with_the_library_s_module)
{
    ck_assert_ptr_ne(sw_generic_class(), sw_cpu_class());
    ck_assert_str_eq(sw_generic_class()->head.module, "strideweave");
    ck_assert_str_eq(sw_generic_class()->head.qualified_name, "Generic");
    ck_assert_str_eq(sw_cpu_class()->head.qualified_name, "CPU");
    ck_assert_int_eq(sw__carrier_class_check(sw_generic_class()), SW_OK);
    ck_assert_int_eq(sw__carrier_class_check(sw_cpu_class()), SW_OK);
}
END_TEST

START_TEST(shipped_classes_are_closed)
{
    struct sw_carrier_class *const classes[] = {sw_generic_class(), sw_cpu_class(), sw_file_backed_class(),
                                                sw_evictable_class()};
    struct sw_carrier *carrier = NULL;

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        ck_assert_int_eq(sw_carrier_new(classes[i], 64, &carrier), SW_TYPE_ERROR);
        ck_assert_ptr_null(carrier);
    }
}
END_TEST

/* A copy under another name is what deriving is in C. */
START_TEST(nothing_derives_from_a_shipped_class)
{
    struct sw_carrier_class *const classes[] = {sw_generic_class(), sw_cpu_class(), sw_file_backed_class(),
                                                sw_evictable_class()};
    struct sw_carrier *carrier = NULL;
    struct sw_tensor *tensor = NULL;
    struct sw_tree *shape = NULL;

    ck_assert_int_eq(sw_tree_parse("(2)", &shape), SW_OK);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        struct sw_carrier_class derived = *classes[i];
        derived.head = (struct sw_class_head)SW_CARRIER_CLASS_HEAD("tests", "Derived");
        ck_assert_int_eq(sw_carrier_new(&derived, 64, &carrier), SW_TYPE_ERROR);
        ck_assert_ptr_nonnull(strstr(sw_error_message(), classes[i]->head.qualified_name));
        ck_assert_int_eq(sw_tensor_zeros(&derived, SW_FLOAT32, shape, &tensor), SW_TYPE_ERROR);
        ck_assert_int_eq(sw_move_register(&derived, sw_cpu_class(), NULL), SW_TYPE_ERROR);
        ck_assert_ptr_null(carrier);
        ck_assert_ptr_null(tensor);
    }
    sw_tree_unref(shape);
}
END_TEST

START_TEST(one_borrowed_function_is_enough_to_be_refused)
{
    struct sw_carrier_class sibling = foreign_class;
    struct sw_carrier *carrier = NULL;

    sibling.dispatch = sw_cpu_class()->dispatch;
    ck_assert_int_eq(sw_carrier_new(&sibling, sizeof(struct foreign), &carrier), SW_TYPE_ERROR);
    ck_assert_ptr_null(carrier);
    /* One that has functions of its own is as welcome as those it stands beside. */
    sibling.dispatch = foreign_class.dispatch;
    ck_assert_int_eq(sw_carrier_new(&sibling, sizeof(struct foreign), &carrier), SW_OK);
    sw_carrier_unref(carrier);
}
END_TEST

CHECK_MAIN("carrier", a_new_carrier_has_a_zeroed_aligned_payload, what_is_no_carrier_class_is_a_type_error,
           a_class_without_a_required_member_is_a_value_error, a_payload_beyond_memory_is_a_memory_error,
           the_last_reference_destroys_and_only_that, destroying_a_released_carrier_frees_its_storage_once,
           references_may_be_given_back_on_any_thread, queries_of_what_is_no_carrier_are_harmless,
           shipped_classes_are_two_with_the_library_s_module, shipped_classes_are_closed,
           nothing_derives_from_a_shipped_class, one_borrowed_function_is_enough_to_be_refused)
