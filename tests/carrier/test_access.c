/*
 * Reading, writing, versions and release through the public entry points, on a
 * class of the user's own.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"

static struct sw_carrier *carrier;

static void make_carrier(void)
{
    carrier = foreign_new(3, SW_FLOAT32);
}

static void drop_carrier(void)
{
    carrier->owner_token = 0;
    sw_carrier_unref(carrier);
}

static void expect_untouched(enum sw_status expected, enum sw_status status)
{
    ck_assert_int_eq(status, expected);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
}

START_TEST(what_was_set_is_read_back)
{
    struct sw_scalar value;

    ck_assert_int_eq(sw_carrier_set(carrier, 2, FLOATING(2.5)), SW_OK);
    ck_assert_int_eq(sw_carrier_get(carrier, 2, &value), SW_OK);
    ck_assert_double_eq(value.as.floating, 2.5);
}
END_TEST

START_TEST(slots_outside_are_index_errors_and_never_wrapped)
{
    struct sw_scalar value = integer(42);

    ck_assert_int_eq(sw_carrier_get(carrier, 3, &value), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_carrier_get(carrier, -1, &value), SW_INDEX_ERROR);
    ck_assert_int_eq(value.as.integer, 42);
    expect_untouched(SW_INDEX_ERROR, sw_carrier_set(carrier, 3, FLOATING(1)));
    expect_untouched(SW_INDEX_ERROR, sw_carrier_set(carrier, -1, FLOATING(1)));
}
END_TEST

START_TEST(a_refused_value_leaves_the_version)
{
    expect_untouched(SW_TYPE_ERROR, sw_carrier_set(carrier, 0, BOOLEAN(1)));
    expect_untouched(SW_TYPE_ERROR, sw_carrier_set(carrier, 0, NULL));
}
END_TEST

START_TEST(an_out_parameter_is_untouched_by_a_failing_class)
{
    struct sw_scalar value = integer(42);

    foreign_of(carrier)->fails_at = 1;
    ck_assert_int_eq(sw_carrier_get(carrier, 1, &value), SW_OS_ERROR);
    ck_assert_int_eq(value.as.integer, 42);
    ck_assert_str_eq(sw_error_message(), "box 1 is stuck");
}
END_TEST

START_TEST(one_write_is_one_version_whoever_counts_it)
{
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(1)), SW_OK);
    ck_assert_uint_eq(sw_carrier_version(carrier), 1);
    foreign_of(carrier)->bumps_itself = 1;
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(1)), SW_OK);
    ck_assert_uint_eq(sw_carrier_version(carrier), 2);
    ck_assert_int_eq(sw_carrier_bump_version(carrier), SW_OK);
    ck_assert_uint_eq(sw_carrier_version(carrier), 3);
}
END_TEST

START_TEST(mutability_is_checked_before_bounds)
{
    foreign_of(carrier)->is_mutable = 0;
    ck_assert(!sw_carrier_is_mutable(carrier));
    expect_untouched(SW_RUNTIME_ERROR, sw_carrier_set(carrier, 9, FLOATING(1)));
}
END_TEST

START_TEST(bounds_are_checked_before_the_value)
{
    expect_untouched(SW_INDEX_ERROR, sw_carrier_set(carrier, 9, BOOLEAN(1)));
}
END_TEST

START_TEST(a_class_without_set_or_mutability_is_not_mutable)
{
    struct sw_carrier_class no_set = FOREIGN_CLASS_INIT, no_mutability = FOREIGN_CLASS_INIT;

    no_set.set = NULL;
    no_mutability.is_mutable = NULL;
    struct sw_carrier_class *const classes[] = { &no_set, &no_mutability };
    for (size_t i = 0; i < 2; i++) {
        struct sw_carrier *fixed SW__OWNED_CARRIER = NULL;

        ck_assert_int_eq(foreign_allocate(classes[i], 2, 1, SW_FLOAT32, 0, &fixed), SW_OK);
        ck_assert(!sw_carrier_is_mutable(fixed));
        ck_assert_int_eq(sw_carrier_set(fixed, 0, FLOATING(1)), SW_RUNTIME_ERROR);
    }
}
END_TEST

START_TEST(after_release_there_is_nothing_to_read_or_write)
{
    struct sw_scalar value;

    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    ck_assert(sw_carrier_is_released(carrier));
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
    ck_assert_int_eq(sw_carrier_get(carrier, 0, &value), SW_RUNTIME_ERROR);
    expect_untouched(SW_RUNTIME_ERROR, sw_carrier_set(carrier, 0, FLOATING(1)));
    ck_assert(!sw_carrier_is_mutable(carrier));
    ck_assert_int_eq(sw_carrier_dtype(carrier), SW_FLOAT32);
}
END_TEST

START_TEST(release_is_idempotent_and_needs_no_mutability)
{
    foreign_of(carrier)->is_mutable = 0;
    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    ck_assert_int_eq(sw_carrier_release(carrier), SW_OK);
    ck_assert_int_eq(foreign_n_alive, 0);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
}
END_TEST

START_TEST(an_owned_carrier_can_only_be_read)
{
    struct sw_scalar value;

    carrier->owner_token = 17;
    ck_assert(sw_carrier_is_owned(carrier));
    ck_assert(!sw_carrier_is_mutable(carrier));
    ck_assert_int_eq(sw_carrier_get(carrier, 0, &value), SW_OK);
    expect_untouched(SW_RUNTIME_ERROR, sw_carrier_set(carrier, 0, FLOATING(1)));
    expect_untouched(SW_RUNTIME_ERROR, sw_carrier_bump_version(carrier));
    expect_untouched(SW_RUNTIME_ERROR, sw_carrier_release(carrier));
    ck_assert(!sw_carrier_is_released(carrier));
}
END_TEST

START_TEST(what_is_no_carrier_is_a_type_error)
{
    struct sw_scalar value;

    ck_assert_int_eq(sw_carrier_get(NULL, 0, &value), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_set(NULL, 0, FLOATING(1)), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_bump_version(NULL), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_release(NULL), SW_TYPE_ERROR);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_was_set_is_read_back,
        slots_outside_are_index_errors_and_never_wrapped,
        a_refused_value_leaves_the_version,
        an_out_parameter_is_untouched_by_a_failing_class,
        one_write_is_one_version_whoever_counts_it,
        mutability_is_checked_before_bounds,
        bounds_are_checked_before_the_value,
        a_class_without_set_or_mutability_is_not_mutable,
        after_release_there_is_nothing_to_read_or_write,
        release_is_idempotent_and_needs_no_mutability,
        an_owned_carrier_can_only_be_read,
        what_is_no_carrier_is_a_type_error,
    };
    Suite *suite = suite_create("access");
    TCase *tcase = tcase_create("access");

    tcase_add_checked_fixture(tcase, make_carrier, drop_carrier);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
