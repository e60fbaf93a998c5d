/*
 * The operation table: every row is dispatched under its name on both classes,
 * by classes of its own.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "carrier/carrier.h"
#include "op_test.h"

static const char *const names[] = {
#define SW__OP(name, family, generic, cpu, gradient, flags) #name,
#include "op/ops.def"
#undef SW__OP
};

static const uint64_t row_flags[] = {
#define SW__OP(name, family, generic, cpu, gradient, flags) flags,
#include "op/ops.def"
#undef SW__OP
};

START_TEST(every_row_is_found_by_its_name)
{
    FOR_BOTH(on) {
        struct sw_carrier *carrier = carrier_of(on, SW_FLOAT32, NULL, 0);
        for (size_t i = 0; i < N_OF(names); i++) {
            struct sw_operation *operation;
            char qualified[64];
            assert_ok(sw_carrier_dispatch(carrier, names[i], &operation));
            const struct sw_operation_class *class = sw_operation_class_of(operation);
            snprintf(qualified, sizeof qualified, "%s.%s", on->head.qualified_name, names[i]);
            ck_assert_str_eq(sw_operation_name(operation), names[i]);
            ck_assert_str_eq(class->head.module, "strideweave");
            ck_assert_str_eq(class->head.qualified_name, qualified);
            ck_assert_uint_eq(class->flags, row_flags[i]);
            sw_operation_unref(operation);
        }
        sw_carrier_unref(carrier);
    }
}
END_TEST

/* A carrier class that asks a shipped one may pass a name of its own. */
START_TEST(a_name_that_was_not_interned_is_found_by_its_text)
{
    struct sw_carrier *carrier = carrier_of(sw_cpu_class(), SW_FLOAT32, NULL, 0);

    for (size_t i = 0; i < N_OF(names); i++) {
        struct sw_operation *operation;
        char copy[32];
        strcpy(copy, names[i]);
        assert_ok(sw__cpu_dispatch(carrier, copy, &operation));
        ck_assert_str_eq(strchr(sw_operation_class_of(operation)->head.qualified_name, '.') + 1, names[i]);
        sw_operation_unref(operation);
    }
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(the_same_name_has_one_class_per_backend)
{
    struct sw_carrier *generic = carrier_of(sw_generic_class(), SW_FLOAT32, NULL, 0);
    struct sw_carrier *cpu = carrier_of(sw_cpu_class(), SW_FLOAT32, NULL, 0);
    struct sw_operation *first, *again, *other;

    assert_ok(sw_carrier_dispatch(cpu, "add", &first));
    assert_ok(sw_carrier_dispatch(cpu, "add", &again));
    assert_ok(sw_carrier_dispatch(generic, "add", &other));
    ck_assert_ptr_ne(first, again);
    ck_assert_ptr_eq(sw_operation_class_of(first), sw_operation_class_of(again));
    ck_assert_ptr_ne(sw_operation_class_of(first), sw_operation_class_of(other));
    sw_operation_unref(first);
    sw_operation_unref(again);
    sw_operation_unref(other);
    sw_carrier_unref(generic);
    sw_carrier_unref(cpu);
}
END_TEST

START_TEST(unknown_names_are_not_implemented)
{
    static const char *const unknown[] = { "", "ad", "addd", "ADD", "gt", "ge", "mean", "einsum", "zzz" };

    FOR_BOTH(on) {
        struct sw_carrier *carrier = carrier_of(on, SW_FLOAT32, NULL, 0);
        struct sw_operation *operation = NULL;
        for (size_t i = 0; i < N_OF(unknown); i++)
            assert_status(sw_carrier_dispatch(carrier, unknown[i], &operation), SW_NOT_IMPLEMENTED_ERROR);
        ck_assert_ptr_null(operation);
        sw_carrier_unref(carrier);
    }
}
END_TEST

START_TEST(an_operation_made_without_dispatch_computes_and_crosses_no_boundary)
{
    struct sw_carrier *carrier = carrier_of(sw_cpu_class(), SW_FLOAT32, NULL, 0);
    struct sw_tensor *in = F32(sw_cpu_class(), "(2):(1)", -1, 2), *out;
    struct sw_operation *operation;
    const struct sw_operand operand = sw_operand_tensor(in);

    assert_ok(sw__cpu_dispatch(carrier, "relu", &operation));
    uint64_t before = sw_boundary_count();
    assert_ok(sw_operation_forward(operation, &operand, 1, NULL, &out));
    ck_assert_uint_eq(sw_boundary_count() - before, 0);
    assert_f32(out, "(2):(1)", 0, 2);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
    sw_carrier_unref(carrier);
}
END_TEST

CHECK_MAIN("operation table", every_row_is_found_by_its_name, a_name_that_was_not_interned_is_found_by_its_text,
           the_same_name_has_one_class_per_backend, unknown_names_are_not_implemented,
           an_operation_made_without_dispatch_computes_and_crosses_no_boundary)
