/*
 * Reading option structures of any age.
 */
#include "config.h"

#include "base/options.h"
#include "check_main.h"

struct options {
    uint32_t struct_bytes;
    int32_t first;
    int32_t second;
    int32_t third;
};

static const struct options defaults = { sizeof defaults, 1, 2, 3 };

START_TEST(no_options_are_the_defaults)
{
    struct options known = defaults;

    ck_assert_int_eq(sw__options_read(NULL, &known, sizeof known), SW_OK);
    ck_assert_mem_eq(&known, &defaults, sizeof known);
}
END_TEST

START_TEST(a_size_of_zero_is_a_type_error)
{
    struct options known = defaults, given = { 0, 7, 7, 7 };

    ck_assert_int_eq(sw__options_read(&given, &known, sizeof known), SW_TYPE_ERROR);
    given.struct_bytes = 3;
    ck_assert_int_eq(sw__options_read(&given, &known, sizeof known), SW_TYPE_ERROR);
    ck_assert_mem_eq(&known, &defaults, sizeof known);
}
END_TEST

START_TEST(what_an_older_structure_lacks_keeps_its_default)
{
    struct options known = defaults, given = { 8, 7, 7, 7 };

    ck_assert_int_eq(sw__options_read(&given, &known, sizeof known), SW_OK);
    ck_assert_int_eq(known.first, 7);
    ck_assert_int_eq(known.second, 2);
}
END_TEST

START_TEST(of_a_newer_structure_the_known_part_is_read)
{
    struct {
        struct options options;
        int32_t later;
    } given = { { sizeof given, 7, 8, 9 }, 5 };
    struct options known = defaults;

    ck_assert_int_eq(sw__options_read(&given, &known, sizeof known), SW_OK);
    ck_assert_int_eq(known.third, 9);
}
END_TEST

START_TEST(booleans_are_zero_or_one)
{
    ck_assert_int_eq(sw__check_boolean("it", 0), SW_OK);
    ck_assert_int_eq(sw__check_boolean("it", 1), SW_OK);
    ck_assert_int_eq(sw__check_boolean("it", 2), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__check_boolean("it", -1), SW_TYPE_ERROR);
}
END_TEST

CHECK_MAIN("options", no_options_are_the_defaults, a_size_of_zero_is_a_type_error,
           what_an_older_structure_lacks_keeps_its_default, of_a_newer_structure_the_known_part_is_read,
           booleans_are_zero_or_one)
