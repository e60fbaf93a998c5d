/*
 * Contract of the policy table: its rows as a whole, and how they are found.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "dtype/policy_table.h"

START_TEST(the_table_has_102_plans_for_56_operations)
{
    struct sw__policy_rows all = sw__policy_all();
    size_t n_operations = 0, n_plans = 0;

    for (size_t i = 0; i < all.n; i++) {
        n_operations += i == 0 || strcmp(all.first[i].operation, all.first[i - 1].operation) != 0;
        n_plans += all.first[i].accumulation == SW__ACCUMULATE_FLOATING ? 2 : 1;
    }
    ck_assert_uint_eq(n_operations, 56);
    ck_assert_uint_eq(n_plans, 102);
}
END_TEST

START_TEST(rows_of_one_operation_stand_together)
{
    struct sw__policy_rows all = sw__policy_all();

    for (size_t i = 0; i < all.n;) {
        struct sw__policy_rows found = sw__policy_find(all.first[i].operation);

        ck_assert_ptr_eq(found.first, &all.first[i]);
        for (size_t k = 0; k < found.n; k++)
            ck_assert_str_eq(found.first[k].operation, all.first[i].operation);
        i += found.n;
    }
}
END_TEST

START_TEST(names_are_found_by_text_not_by_address)
{
    char add[] = "add";

    ck_assert_uint_eq(sw__policy_find(add).n, 4);
}
END_TEST

START_TEST(other_names_have_no_rows)
{
    const char *const names[] = { "", "ad", "adds", "view", "permute", "gt", "mean", "ADD", "sort" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_uint_eq(sw__policy_find(names[i]).n, 0);
}
END_TEST

START_TEST(every_row_says_what_each_operand_becomes)
{
    struct sw__policy_rows all = sw__policy_all();

    for (size_t i = 0; i < all.n; i++) {
        for (unsigned k = 0; k < SW__PLAN_OPERANDS; k++) {
            int present = k < all.first[i].n_operands;

            ck_assert_int_eq(SW__UNPACK_CLASSES(all.first[i].accepts, k) != 0, present);
            ck_assert_int_eq(all.first[i].convert_to[k] != SW_DTYPE_NONE, present);
        }
    }
}
END_TEST

CHECK_MAIN("policy_table", the_table_has_102_plans_for_56_operations, rows_of_one_operation_stand_together,
           names_are_found_by_text_not_by_address, other_names_have_no_rows, every_row_says_what_each_operand_becomes)
