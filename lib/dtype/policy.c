/*
 * From operands to a plan: classify the operands, find the row that accepts
 * them, or say why there is none.
 */
#include "config.h"

#include "dtype/policy.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "dtype/dtype.h"
#include "dtype/policy_table.h"

static unsigned class_of_scalar(const struct sw_scalar *scalar)
{
    if (scalar->kind == SW_SCALAR_INTEGER)
        return scalar->as.integer >= 0 && scalar->as.integer <= INT32_MAX ? SW__CLASS_NATURAL : SW__CLASS_INTEGER;
    if (scalar->kind == SW_SCALAR_FLOATING || scalar->kind == SW_SCALAR_BOOLEAN)
        return SW__CLASS_REAL;
    return SW__CLASS_NOTHING;
}

/* Classes of tensors by the number of their dtype. */
static const uint8_t tensor_classes[] = {
#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) \
    [number] = (computes) ? (uint8_t)SW__CLASS_TENSOR(number) : SW__CLASS_UNIMPLEMENTED,
#include <strideweave/dtype.def>
#undef SW_DTYPE
#define SW_COMPOUND_DTYPE(enumerator, number, name, element, block, scale, whole) [number] = SW__CLASS_UNIMPLEMENTED,
#include <strideweave/compound.def>
#undef SW_COMPOUND_DTYPE
};

static unsigned class_of(const struct sw__policy_operand *operand)
{
    size_t number = (size_t)operand->dtype;

    if (operand->scalar != NULL)
        return class_of_scalar(operand->scalar);
    if (number == SW_DTYPE_NONE || number >= sizeof tensor_classes)
        return SW__CLASS_NOTHING;
    return tensor_classes[number];
}

/* ---- Why there is no row: everything below here runs only on failure -------- */

static const char *name_of(const struct sw__policy_operand *operand)
{
    if (operand->scalar != NULL)
        return class_of(operand) == SW__CLASS_NOTHING ? "no number" : "a number";
    return sw_dtype_name(operand->dtype);
}

static void describe(const struct sw__policy_operand *operands, size_t n_operands, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < n_operands && used < bytes; i++) {
        int written = snprintf(text + used, bytes - used, "%s%s", i != 0 ? ", " : "", name_of(&operands[i]));

        used += written > 0 ? (size_t)written : 0;
    }
}

/* Bit i: operand i is a scalar. */
static unsigned scalar_positions(uint32_t classes)
{
    unsigned positions = 0;

    for (unsigned i = 0; i < SW__PLAN_OPERANDS; i++)
        positions |= (SW__UNPACK_CLASSES(classes, i) & SW__CLASSES_SCALAR ? 1u : 0u) << i;
    return positions;
}

/* Whether some row has this arrangement; what is no number may stand for either. */
static int arrangement_exists(struct sw__policy_rows rows, size_t n_operands, uint32_t classes)
{
    unsigned undecided = 0;

    for (unsigned i = 0; i < SW__PLAN_OPERANDS; i++)
        undecided |= (SW__UNPACK_CLASSES(classes, i) & SW__CLASS_NOTHING ? 1u : 0u) << i;
    for (size_t row = 0; row < rows.n; row++) {
        unsigned differing = scalar_positions(rows.first[row].accepts) ^ scalar_positions(classes);

        if (rows.first[row].n_operands == n_operands && (differing & ~undecided) == 0)
            return 1;
    }
    return 0;
}

static int calls_for_bool(struct sw__policy_rows rows, unsigned position)
{
    for (size_t row = 0; row < rows.n; row++)
        if (SW__UNPACK_CLASSES(rows.first[row].accepts, position) & SW__CLASS_BOOL)
            return 1;
    return 0;
}

static enum sw_status refuse(struct sw__policy_rows rows, const struct sw__policy_operand *operands, size_t n_operands,
                             uint32_t classes)
{
    const char *operation = rows.first->operation;
    char given[128];

    describe(operands, n_operands, given, sizeof given);
    if (n_operands > SW__PLAN_OPERANDS || !arrangement_exists(rows, n_operands, classes))
        return sw_error_set(SW_TYPE_ERROR, "%s does not take this arrangement of tensors and numbers: (%s)", operation,
                            given);
    for (unsigned i = 0; i < n_operands; i++) {
        unsigned class = SW__UNPACK_CLASSES(classes, i);

        if (class == SW__CLASS_NOTHING)
            return sw_error_set(SW_TYPE_ERROR, "operand %u of %s is neither a tensor nor a real number", i, operation);
        if (class == SW__CLASS_UNIMPLEMENTED || (class == SW__CLASS_BOOL && !calls_for_bool(rows, i)))
            return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "%s is not implemented for %s as operand %u", operation,
                                sw_dtype_name(operands[i].dtype), i);
    }
    return sw_error_set(SW_TYPE_ERROR, "%s does not accept operands of (%s)", operation, given);
}

/* ---- Plans ------------------------------------------------------------------- */

static int takes_accumulator(struct sw__policy_rows rows)
{
    for (size_t row = 0; row < rows.n; row++)
        if (rows.first[row].accumulation == SW__ACCUMULATE_FLOATING)
            return 1;
    return 0;
}

enum sw_status sw__policy_check_accumulator(const char *operation, enum sw_dtype accumulator)
{
    if (operation == NULL || !takes_accumulator(sw__policy_find(operation)))
        return sw_error_set(SW_TYPE_ERROR, "there are no accumulator options for \"%s\"",
                            operation != NULL ? operation : "(no operation)");
    if (accumulator == SW_DTYPE_NONE || accumulator == SW_FLOAT32 || accumulator == SW_FLOAT64)
        return SW_OK;
    SW__TRY(sw__dtype_check(accumulator));
    if (!sw__dtype_is_simple(accumulator))
        return sw_error_set(SW_TYPE_ERROR, "%s is compound and accumulates nothing", sw_dtype_name(accumulator));
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "%s accumulates in Float32 or Float64, not in %s", operation,
                        sw_dtype_name(accumulator));
}

/* A row accepts operands when it has as many and each one's class is in the row's set. */
static const struct sw__policy_row *match(struct sw__policy_rows rows, size_t n_operands, uint32_t classes)
{
    for (const struct sw__policy_row *row = rows.first; row < rows.first + rows.n; row++)
        if (row->n_operands == n_operands && (classes & ~row->accepts) == 0)
            return row;
    return NULL;
}

static enum sw_status check_integers(const struct sw__policy_row *row, const struct sw__policy_operand *operands)
{
    for (unsigned i = 0; i < row->n_operands; i++) {
        const struct sw_scalar *scalar = operands[i].scalar;

        if (scalar != NULL && row->convert_to[i] == SW_INT32 &&
            (scalar->as.integer < INT32_MIN || scalar->as.integer > INT32_MAX))
            return sw_error_set(SW_OVERFLOW_ERROR, "%lld is outside of Int32, which %s computes in",
                                (long long)scalar->as.integer, row->operation);
    }
    return SW_OK;
}

static void fill_plan(const struct sw__policy_row *row, const struct sw__policy_operand *operands,
                      enum sw_dtype accumulator, struct sw__plan *ret_plan)
{
    const struct sw__policy_operand none = { SW_DTYPE_NONE, NULL };

    ret_plan->n_operands = row->n_operands;
    for (unsigned i = 0; i < SW__PLAN_OPERANDS; i++) {
        ret_plan->operands[i] = i < row->n_operands ? operands[i] : none;
        ret_plan->convert_to[i] = row->convert_to[i];
    }
    ret_plan->compute = row->compute;
    ret_plan->accumulation = row->accumulation;
    ret_plan->accumulator = SW_DTYPE_NONE;
    if (row->accumulation == SW__ACCUMULATE_FLOATING)
        ret_plan->accumulator = accumulator != SW_DTYPE_NONE ? accumulator : SW_FLOAT32;
    ret_plan->output = row->output;
}

enum sw_status sw__policy_plan(const char *operation, const struct sw__policy_operand *operands, size_t n_operands,
                               enum sw_dtype accumulator, struct sw__plan *ret_plan)
{
    const struct sw__policy_rows rows = sw__policy_find(operation);

    if (rows.n == 0)
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "no dtype policy for an operation named \"%s\"", operation);
    return sw__policy_plan_by(rows, operands, n_operands, accumulator, ret_plan);
}

enum sw_status sw__policy_plan_by(struct sw__policy_rows rows, const struct sw__policy_operand *operands,
                                  size_t n_operands, enum sw_dtype accumulator, struct sw__plan *ret_plan)
{
    const char *operation = rows.first->operation;
    uint32_t classes = 0;

    if (accumulator != SW_DTYPE_NONE)
        SW__TRY(sw__policy_check_accumulator(operation, accumulator));
    for (size_t i = 0; i < n_operands && i < SW__PLAN_OPERANDS; i++)
        classes |= SW__PACK_CLASSES(class_of(&operands[i]), i);
    const struct sw__policy_row *row = match(rows, n_operands, classes);
    if (row == NULL)
        return refuse(rows, operands, n_operands, classes);
    SW__TRY(check_integers(row, operands));
    if (accumulator != SW_DTYPE_NONE && row->accumulation != SW__ACCUMULATE_FLOATING)
        return sw_error_set(SW_TYPE_ERROR, "%s of integers is exact and takes no accumulator", operation);
    fill_plan(row, operands, accumulator, ret_plan);
    return SW_OK;
}
