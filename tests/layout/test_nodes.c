/*
 * The growing list of tree entries.
 */
#include "config.h"

#include <check.h>

#include <strideweave/hooks.h>

#include "check_main.h"
#include "layout/nodes.h"

START_TEST(entries_survive_growth)
{
    struct sw__nodes nodes;

    sw__nodes_init(&nodes);
    for (int64_t i = 0; i < 10 * SW__NODES_FIXED; i++)
        sw__nodes_push(&nodes, i);
    ck_assert_int_eq(nodes.status, SW_OK);
    ck_assert_uint_eq(nodes.n, 10 * SW__NODES_FIXED);
    for (size_t i = 0; i < nodes.n; i++)
        ck_assert_int_eq(nodes.at[i], (int64_t)i);
    sw__nodes_clear(&nodes);
    ck_assert_uint_eq(nodes.n, 0);
}
END_TEST

START_TEST(a_failure_is_remembered_and_stops_growth)
{
    struct sw__nodes nodes;

    sw__nodes_init(&nodes);
    sw__nodes_push(&nodes, 5);
    ck_assert(!sw__nodes_reserve(&nodes, (size_t)SW_TREE_MAX_NODES));
    ck_assert_int_eq(nodes.status, SW_VALUE_ERROR);
    sw__nodes_push(&nodes, 6);
    ck_assert_uint_eq(nodes.n, 1);
    ck_assert(!sw__nodes_reserve(&nodes, 0));
    sw__nodes_clear(&nodes);
    ck_assert_int_eq(nodes.status, SW_OK);
}
END_TEST

CHECK_MAIN("nodes", entries_survive_growth, a_failure_is_remembered_and_stops_growth)
