/*
 * Collisions found by listing indices.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/collisions.h"

START_TEST(marks_agree_with_the_tests_own)
{
    uint64_t state = 2;

    for (int i = 0; i < 500; i++) {
        struct collision one;
        int collide = -1;

        random_collision(&state, &one);
        ck_assert_int_eq(sw__leaves_collide_enumerated(one.leaves, one.n, &collide), SW_OK);
        ck_assert_int_eq(collide, one.collide);
    }
}
END_TEST

/* Strides times a large factor collide as before, but have too many indices for marks. */
START_TEST(sorting_agrees_with_the_tests_own)
{
    uint64_t state = 3;

    for (int i = 0; i < 500; i++) {
        struct collision one;
        int collide = -1;

        random_collision(&state, &one);
        for (size_t k = 0; k < one.n; k++)
            one.leaves[k].stride *= INT64_C(1) << 40;
        ck_assert_int_eq(sw__leaves_collide_enumerated(one.leaves, one.n, &collide), SW_OK);
        ck_assert_int_eq(collide, one.collide);
    }
}
END_TEST

START_TEST(what_does_not_fit_is_a_memory_error)
{
    static const struct sw__leaf leaves[] = { { INT64_C(1) << 20, INT64_C(1) << 40 }, { INT64_C(1) << 20, 1 } };
    int collide = -7;

    ck_assert_int_eq(sw__leaves_collide_enumerated(leaves, 2, &collide), SW_MEMORY_ERROR);
    ck_assert_int_eq(collide, -7);
}
END_TEST

CHECK_MAIN("enumerate", marks_agree_with_the_tests_own, sorting_agrees_with_the_tests_own,
           what_does_not_fit_is_a_memory_error)
