/*
 * Operations on Evictables: results, refusals, and the two boundaries of each
 * execution. The program is its own tool.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "parts.h"
#include "trace.h"

/* Evictables over Generic and Generic unless said otherwise. */
static struct sw_tensor *on_evictable(struct sw_carrier *primary, const char *layout)
{
    return parts_tensor_over(parts_evictable(primary, parts_zeros(0, sw_carrier_dtype(primary))), layout);
}

static void unref_all(struct sw_tensor *const *tensors, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sw_tensor_unref(tensors[i]);
}
#define UNREF(...) unref_all((struct sw_tensor *const[]){ __VA_ARGS__ }, \
                             N_ELEMENTS(((struct sw_tensor *const[]){ __VA_ARGS__ })))

/* ---- Results ---------------------------------------------------------------------------- */

START_TEST(a_result_is_on_a_fresh_evictable)
{
    struct sw_tensor *x = on_evictable(GENERIC(-1, 2), "2:1"), *y = on_evictable(GENERIC(3, 4), "2:1"), *r = NULL;

    OK(sw_add(x, y, &r));
    EXPECT(sw_tensor_carrier(r), 2, 6);
    ck_assert_ptr_eq(sw_tensor_carrier_class(r), sw_evictable_class());
    struct sw_carrier *primary = sw_evictable_primary(sw_tensor_carrier(r));
    struct sw_carrier *secondary = sw_evictable_secondary(sw_tensor_carrier(r));
    ck_assert_ptr_eq(sw_carrier_class_of(primary), sw_generic_class());
    ck_assert_ptr_eq(sw_carrier_class_of(secondary), sw_generic_class());
    ck_assert_uint_eq(sw_carrier_size(secondary), 0);
    ck_assert_int_eq(sw_carrier_is_owned(primary), 1);
    ck_assert_int_eq(sw_carrier_is_owned(secondary), 1);
    OK(sw_evictable_evict(sw_tensor_carrier(r)));
    OK(sw_evictable_promote(sw_tensor_carrier(r)));
    EXPECT(sw_tensor_carrier(r), 2, 6);
    UNREF(x, y, r);
}
END_TEST

START_TEST(a_result_has_the_dtype_of_its_plan)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 5), "2:1"), *y = on_evictable(GENERIC(3, 4), "2:1"), *r = NULL;
    uint8_t came[2] = { 7, 7 };

    OK(sw_lt(x, y, &r));
    ck_assert_int_eq(sw_tensor_dtype(r), SW_BOOL);
    ck_assert_int_eq(sw_carrier_dtype(sw_evictable_secondary(sw_tensor_carrier(r))), SW_BOOL);
    OK(sw_tensor_read_bool(r, came, 2));
    ck_assert_int_eq(came[0], 1);
    ck_assert_int_eq(came[1], 0);
    UNREF(x, y, r);
}
END_TEST

START_TEST(offsets_and_layouts_reach_the_nested_operation)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(0, 1, 2, 3, 4, 5), GENERIC(0));
    struct sw_tensor *x = parts_tensor(carrier, 1, "2:2"), *r = NULL;

    OK(sw_neg(x, &r));
    EXPECT(sw_tensor_carrier(r), -1, -3);
    UNREF(x, r);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_view_is_on_the_same_evictable)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2, 3), "3:1"), *r = NULL;
    struct sw_tree *key = NULL;

    OK(sw_tree_parse("((1,3,*))", &key));
    OK(sw_slice(x, key, &r));
    ck_assert_ptr_eq(sw_tensor_carrier(r), sw_tensor_carrier(x));
    ck_assert_int_eq(sw_tensor_offset(r), 1);
    OK(sw_tensor_set_ordinal(r, 0, &(const struct sw_scalar){ SW_SCALAR_INTEGER, 0, { .integer = 9 } }));
    EXPECT(sw_tensor_carrier(x), 1, 9, 3);
    sw_tree_unref(key);
    UNREF(x, r);
}
END_TEST

START_TEST(weak_scalars_and_options_reach_the_nested_operation)
{
    struct sw_execution_options options = SW_EXECUTION_OPTIONS_INIT("reduce_sum");
    /* 2^24 + 1 + 1 is 2^24 in binary32 and 2^24 + 2 in binary64. */
    struct sw_tensor *x = on_evictable(GENERIC(16777216, 1, 1), "(1,3):(0,1)"), *r = NULL, *scaled = NULL;

    OK(sw_reduce_sum(x, "a b -> a", NULL, &r));
    ck_assert_double_eq(parts_element(r, 0), 16777216);
    sw_tensor_unref(r);
    options.accumulator = SW_FLOAT64;
    OK(sw_reduce_sum(x, "a b -> a", &options, &r));
    ck_assert_double_eq(parts_element(r, 0), 16777218);
    OK(sw_mul_f64(r, 0.5, &scaled));
    ck_assert_double_eq(parts_element(scaled, 0), 8388609);
    UNREF(x, r, scaled);
}
END_TEST

START_TEST(axes_are_no_operands_of_a_plan)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2, 3), "3:1"), *r = NULL;
    struct sw_tensor *index = on_evictable(parts_zeros(2, SW_INT32), "2:1");
    const int32_t places[] = { 2, 0 };

    OK(sw_tensor_write_i32(index, places, 2));
    OK(sw_gather(x, index, 0, &r));
    EXPECT(sw_tensor_carrier(r), 3, 1);
    UNREF(x, index, r);
}
END_TEST

/* ---- Boundaries ---------------------------------------------------------------------------- */

START_TEST(an_operation_crosses_two_boundaries)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2, 3, 4, 5, 6), "(2,3):(1,2)"), *r = NULL;
    uint64_t before = sw_boundary_count();

    OK(sw_relu(x, &r));
    ck_assert_int_eq(n_traced, 2);
    trace_expect(0, -1, "relu", "Evictable", 1);
    trace_expect(1, 0, "relu", "Generic", 1);
    ck_assert_str_eq(trace[0].implementation, "Evictable.adapter");
    ck_assert_str_eq(trace[1].implementation, "Generic.relu");
    ck_assert_int_eq(trace[0].first_extent[0], 2);
    ck_assert_int_eq(trace[1].first_extent[0], 2);
    ck_assert_uint_eq(sw_boundary_count() - before, 2);
    UNREF(x, r);
}
END_TEST

START_TEST(a_view_crosses_two_boundaries)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2, 3, 4, 5, 6), "(2,3):(1,2)"), *r = NULL;
    struct sw_tree *key = NULL;

    OK(sw_tree_parse("((*,*,*),0)", &key));
    OK(sw_slice(x, key, &r));
    ck_assert_int_eq(n_traced, 2);
    trace_expect(0, -1, "view", "Evictable", 1);
    trace_expect(1, 0, "view", "Generic", 1);
    ck_assert_uint_eq(trace[0].n_operands, 2);
    ck_assert_uint_eq(trace[1].n_operands, 2);
    ck_assert_int_eq(trace[1].first_extent[1], 0);
    sw_tree_unref(key);
    UNREF(x, r);
}
END_TEST

START_TEST(implicit_broadcasts_nest_in_the_inner_boundary)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2, 3, 4, 5, 6), "(2,3):(1,2)"), *r = NULL;
    struct sw_tensor *y = on_evictable(GENERIC(1, 2), "(2,1):(1,2)");

    OK(sw_add(x, y, &r));
    ck_assert_int_eq(n_traced, 3);
    trace_expect(0, -1, "add", "Evictable", 1);
    trace_expect(1, 0, "add", "Generic", 1);
    trace_expect(2, 1, "broadcast_to", "Generic", 1);
    UNREF(x, y, r);
}
END_TEST

START_TEST(a_hierarchy_of_hierarchies_nests_deeper)
{
    struct sw_carrier *inner = parts_evictable(GENERIC(-1, 2), CPU(0));
    struct sw_tensor *x = parts_tensor_over(parts_evictable(inner, GENERIC(0)), "2:1"), *r = NULL;

    OK(sw_relu(x, &r));
    EXPECT(sw_tensor_carrier(r), 0, 2);
    ck_assert_int_eq(n_traced, 3);
    trace_expect(0, -1, "relu", "Evictable", 1);
    trace_expect(1, 0, "relu", "Evictable", 1);
    trace_expect(2, 1, "relu", "Generic", 1);
    UNREF(x, r);
}
END_TEST

START_TEST(what_the_hierarchy_does_by_itself_crosses_none)
{
    struct sw_tensor *x = on_evictable(GENERIC(1), "1:1");
    struct sw_operation *operation = NULL;

    OK(sw_carrier_dispatch(sw_tensor_carrier(x), "relu", &operation));
    OK(sw_evictable_evict(sw_tensor_carrier(x)));
    OK(sw_evictable_promote(sw_tensor_carrier(x)));
    OK(sw_carrier_release(sw_tensor_carrier(x)));
    ck_assert_int_eq(n_traced, 0);
    sw_operation_unref(operation);
    UNREF(x);
}
END_TEST

/* ---- Refusals ---------------------------------------------------------------------------------- */

/* Refused inside of the outer boundary, before the nested operation runs. */
static void expect_outer_only(enum sw_status status, enum sw_status expected, const char *name)
{
    FAILS(status, expected);
    ck_assert_int_eq(n_traced, 1);
    trace_expect(0, -1, name, "Evictable", 0);
    trace_clear();
}

START_TEST(different_hierarchies_do_not_mix)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2), "2:1"), *r = NULL;
    struct sw_tensor *other_primary = on_evictable(CPU(1, 2), "2:1");
    struct sw_tensor *other_secondary = parts_tensor_over(parts_evictable(GENERIC(1, 2), CPU(0)), "2:1");

    expect_outer_only(sw_add(x, other_primary, &r), SW_TYPE_ERROR, "add");
    expect_outer_only(sw_add(x, other_secondary, &r), SW_TYPE_ERROR, "add");
    ck_assert_ptr_null(r);
    UNREF(x, other_primary, other_secondary);
}
END_TEST

START_TEST(a_tensor_on_another_class_is_refused)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2), "2:1"), *plain = parts_tensor_over(GENERIC(1, 2), "2:1");
    struct sw_operand operands[] = { sw_operand_tensor(x), sw_operand_tensor(plain) };
    struct sw_operation *operation = NULL;
    struct sw_tensor *r = NULL;

    /* By the front end, before any boundary. */
    FAILS(sw_add(x, plain, &r), SW_TYPE_ERROR);
    ck_assert_int_eq(n_traced, 0);
    OK(sw_carrier_dispatch(sw_tensor_carrier(x), "add", &operation));
    expect_outer_only(sw_operation_forward(operation, operands, 2, NULL, &r), SW_TYPE_ERROR, "add");
    sw_operation_unref(operation);
    UNREF(x, plain);
}
END_TEST

START_TEST(an_operation_without_a_tensor_is_refused)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2), "2:1"), *r = NULL;
    struct sw_operand operand = sw_operand_integer(1);
    struct sw_operation *operation = NULL;

    OK(sw_carrier_dispatch(sw_tensor_carrier(x), "add", &operation));
    expect_outer_only(sw_operation_forward(operation, &operand, 1, NULL, &r), SW_TYPE_ERROR, "add");
    sw_operation_unref(operation);
    UNREF(x);
}
END_TEST

START_TEST(evicted_and_released_operands_are_refused)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2), "2:1"), *y = on_evictable(GENERIC(3, 4), "2:1"), *r = NULL;

    OK(sw_evictable_evict(sw_tensor_carrier(y)));
    expect_outer_only(sw_add(x, y, &r), SW_RUNTIME_ERROR, "add");
    /* Dispatched on the evicted one: before any boundary. */
    FAILS(sw_relu(y, &r), SW_RUNTIME_ERROR);
    ck_assert_int_eq(n_traced, 0);
    OK(sw_carrier_release(sw_tensor_carrier(y)));
    expect_outer_only(sw_add(x, y, &r), SW_RUNTIME_ERROR, "add");
    UNREF(x, y);
}
END_TEST

START_TEST(an_operation_is_refused_when_its_operand_is_evicted_after_dispatch)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2), "2:1"), *r = NULL;
    struct sw_operand operand = sw_operand_tensor(x);
    struct sw_operation *operation = NULL;

    OK(sw_carrier_dispatch(sw_tensor_carrier(x), "relu", &operation));
    OK(sw_evictable_evict(sw_tensor_carrier(x)));
    expect_outer_only(sw_operation_forward(operation, &operand, 1, NULL, &r), SW_RUNTIME_ERROR, "relu");
    sw_operation_unref(operation);
    UNREF(x);
}
END_TEST

START_TEST(the_dtype_policy_refuses_in_the_outer_boundary)
{
    struct sw_tensor *x = on_evictable(parts_zeros(1, SW_INT32), "1:1"), *r = NULL;
    struct sw_tensor *truth = on_evictable(parts_zeros(1, SW_BOOL), "1:1");

    expect_outer_only(sw_neg(x, &r), SW_TYPE_ERROR, "neg");
    expect_outer_only(sw_neg(truth, &r), SW_NOT_IMPLEMENTED_ERROR, "neg");
    UNREF(x, truth);
}
END_TEST

START_TEST(a_result_that_a_tier_cannot_store_is_refused)
{
    struct sw_tensor *x = parts_tensor_over(parts_evictable(GENERIC(1, 2), VAULT(0)), "2:1"), *r = NULL;

    /* Float32 is stored by both tiers, Bool by the primary alone. */
    expect_outer_only(sw_lt(x, x, &r), SW_NOT_IMPLEMENTED_ERROR, "lt");
    OK(sw_add(x, x, &r));
    EXPECT(sw_tensor_carrier(r), 2, 4);
    ck_assert_ptr_eq(sw_carrier_class_of(sw_evictable_secondary(sw_tensor_carrier(r))), &vault_class);
    UNREF(x, r);
}
END_TEST

START_TEST(what_the_nested_operation_refuses_fails_both_boundaries)
{
    struct sw_tensor *x = on_evictable(GENERIC(1, 2, 3, 4, 5, 6), "(2,3):(1,2)"), *r = NULL;
    struct sw_tensor *y = on_evictable(GENERIC(1), "1:1");

    FAILS(sw_add(x, y, &r), SW_VALUE_ERROR);
    ck_assert_int_eq(n_traced, 2);
    trace_expect(0, -1, "add", "Evictable", 0);
    trace_expect(1, 0, "add", "Generic", 0);
    UNREF(x, y);
}
END_TEST

START_TEST(unknown_names_are_refused_at_dispatch)
{
    struct sw_tensor *x = on_evictable(GENERIC(1), "1:1"), *vault = parts_tensor_over(parts_evictable(VAULT(1),
                                                                                             GENERIC(0)), "1:1");
    struct sw_operation *operation = NULL;

    FAILS(sw_carrier_dispatch(sw_tensor_carrier(x), "unheard_of", &operation), SW_NOT_IMPLEMENTED_ERROR);
    /* A primary tier that computes nothing. */
    FAILS(sw_carrier_dispatch(sw_tensor_carrier(vault), "add", &operation), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_ptr_null(operation);
    UNREF(x, vault);
}
END_TEST

/* ---- The operation object ----------------------------------------------------------------------- */

START_TEST(a_dispatched_operation_says_what_it_is)
{
    struct sw_tensor *x = on_evictable(GENERIC(-1, 2), "2:1");
    struct sw_operation *operation = NULL;

    OK(sw_carrier_dispatch(sw_tensor_carrier(x), "relu", &operation));
    ck_assert_str_eq(sw_operation_name(operation), "relu");
    ck_assert_ptr_eq(sw_operation_carrier_class(operation), sw_evictable_class());
    ck_assert_str_eq(sw_operation_class_of(operation)->head.module, "strideweave");
    sw_operation_unref(operation);
    UNREF(x);
}
END_TEST

START_TEST(an_operation_is_executed_once)
{
    struct sw_tensor *x = on_evictable(GENERIC(-1, 2), "2:1"), *r = NULL, *again = NULL;
    struct sw_operand operand = sw_operand_tensor(x);
    struct sw_operation *operation = NULL;

    OK(sw_carrier_dispatch(sw_tensor_carrier(x), "relu", &operation));
    OK(sw_operation_forward(operation, &operand, 1, NULL, &r));
    EXPECT(sw_tensor_carrier(r), 0, 2);
    trace_clear();
    FAILS(sw_operation_forward(operation, &operand, 1, NULL, &again), SW_RUNTIME_ERROR);
    ck_assert_ptr_null(again);
    ck_assert_int_eq(n_traced, 0);
    sw_operation_unref(operation);
    UNREF(x, r);
}
END_TEST

CHECK_MAIN_PROFILING("adapter", a_result_is_on_a_fresh_evictable, a_result_has_the_dtype_of_its_plan,
           offsets_and_layouts_reach_the_nested_operation, a_view_is_on_the_same_evictable,
           weak_scalars_and_options_reach_the_nested_operation, axes_are_no_operands_of_a_plan,
           an_operation_crosses_two_boundaries, a_view_crosses_two_boundaries,
           implicit_broadcasts_nest_in_the_inner_boundary, a_hierarchy_of_hierarchies_nests_deeper,
           what_the_hierarchy_does_by_itself_crosses_none, different_hierarchies_do_not_mix,
           a_tensor_on_another_class_is_refused, an_operation_without_a_tensor_is_refused,
           evicted_and_released_operands_are_refused,
           an_operation_is_refused_when_its_operand_is_evicted_after_dispatch,
           the_dtype_policy_refuses_in_the_outer_boundary, a_result_that_a_tier_cannot_store_is_refused,
           what_the_nested_operation_refuses_fails_both_boundaries, unknown_names_are_refused_at_dispatch,
           a_dispatched_operation_says_what_it_is, an_operation_is_executed_once)
