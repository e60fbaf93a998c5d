/*
 * Collisions found by arithmetic.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/collisions.h"

START_TEST(arithmetic_agrees_with_marking)
{
    uint64_t state = 1;
    int n_collide = 0;

    for (int i = 0; i < 5000; i++) {
        struct collision one;

        random_collision(&state, &one);
        ck_assert_int_eq(sw__leaves_collide(one.leaves, one.n), one.collide ? SW_ANSWER_YES : SW_ANSWER_NO);
        n_collide += one.collide;
    }
    ck_assert_int_gt(n_collide, 500);
    ck_assert_int_lt(n_collide, 4500);
}
END_TEST

START_TEST(huge_extents_and_strides_are_decided)
{
    static const struct sw__leaf apart[] = { { INT64_C(1) << 30, (INT64_C(1) << 31) - 1 },
                                             { INT64_C(1) << 30, INT64_C(1) << 31 } };
    static const struct sw__leaf together[] = { { INT64_C(1) << 30, 6 }, { INT64_C(1) << 30, 10 } };
    static const struct sw__leaf three[] = { { 1000000, 999983 }, { 1000000, 1000003 },
                                             { 1000000, INT64_C(999999999993) } };

    ck_assert_int_eq(sw__leaves_collide(apart, 2), SW_ANSWER_NO);
    ck_assert_int_eq(sw__leaves_collide(together, 2), SW_ANSWER_YES);
    ck_assert_int_eq(sw__leaves_collide(three, 3), SW_ANSWER_YES);
}
END_TEST

START_TEST(leaves_that_go_on_from_each_other_count_as_one)
{
    static const struct sw__leaf chain[] = { { 2, 1 }, { 2, 2 }, { 2, 4 }, { 2, 8 }, { 2, 16 }, { 2, 31 } };
    static const struct sw__leaf free_chain[] = { { 2, 1 }, { 2, 2 }, { 2, 4 }, { 2, 8 }, { 2, 16 }, { 2, 32 } };

    ck_assert_int_eq(sw__leaves_collide(chain, 6), SW_ANSWER_YES);
    ck_assert_int_eq(sw__leaves_collide(free_chain, 6), SW_ANSWER_NO);
}
END_TEST

START_TEST(the_search_gives_up_after_a_bounded_number_of_steps)
{
    struct sw__leaf leaves[40];
    int64_t stride = INT64_C(1) << 40;

    /* Distinct sums of 40 leaves near each other: nothing can be ruled out early. */
    for (size_t i = 0; i < 40; i++) {
        stride += (INT64_C(1) << 40) / 100 + (int64_t)(i * i * i * i * 7919);
        leaves[i] = (struct sw__leaf){ 2, stride };
    }
    ck_assert_int_ne(sw__leaves_collide(leaves, 40), SW_ANSWER_NO);
}
END_TEST

CHECK_MAIN("relation", arithmetic_agrees_with_marking, huge_extents_and_strides_are_decided,
           leaves_that_go_on_from_each_other_count_as_one, the_search_gives_up_after_a_bounded_number_of_steps)
