/*
 * The table of samples, and samples on carriers.
 */
#include "config.h"

#include "sample.h"

#include <stdio.h>

#include "op_test.h"
#include "sample_parts.h"

static const struct {
    const char *name;
    const char *family;
    make_fn *make;
} rows[] = {
#define SW__OP(name, family, generic, cpu, gradient, flags) { #name, #family, make_##family },
#include "op/ops.def"
#undef SW__OP
};

size_t sample_n_rows(void)
{
    return N_OF(rows);
}

void sample_make(struct sample *sample, size_t row, struct sample_random *random)
{
    memset(sample, 0, sizeof *sample);
    sample->name = rows[row].name;
    sample->family = rows[row].family;
    rows[row].make(sample, random);
}

void sample_clear(struct sample *sample)
{
    for (size_t i = 0; i < sample->n_operands; i++) {
        sw_tree_unref(sample->operands[i].tree);
        sw_layout_unref(sample->operands[i].layout);
        free(sample->operands[i].slots);
    }
}

/* ---- On carriers ------------------------------------------------------------------------------------- */

/* Assertions cost much: there is one per tensor here and not one per element. */
static enum sw_status fill(struct sw_carrier *carrier, const struct sample_operand *operand)
{
    enum sw_status status = SW_OK;

    for (size_t i = 0; i < operand->n_slots && status == SW_OK; i++) {
        struct sw_scalar value = { .kind = SW_SCALAR_FLOATING };
        value.as.floating = operand->slots[i];
        if (operand->dtype == SW_INT32) {
            value.kind = SW_SCALAR_INTEGER;
            value.as.integer = (int64_t)operand->slots[i];
        } else if (operand->dtype == SW_BOOL) {
            value.kind = SW_SCALAR_BOOLEAN;
            value.as.boolean = operand->slots[i] != 0;
        }
        status = sw_carrier_set(carrier, (int64_t)i, &value);
    }
    return status;
}

static struct sw_tensor *place(const struct sample_operand *operand, struct sw_carrier_class *on)
{
    struct sw_carrier *empty = carrier_of(on, operand->dtype, NULL, 0), *carrier;
    struct sw_tensor *tensor;

    assert_ok(sw_carrier_allocate_like(empty, (int64_t)operand->n_slots, 1, operand->dtype, 0, &carrier));
    assert_ok(fill(carrier, operand));
    assert_ok(sw_tensor_new(carrier, operand->offset, operand->layout, &tensor));
    sw_carrier_unref(empty);
    sw_carrier_unref(carrier);
    return tensor;
}

static enum sw_status copy_elements(const struct sw_tensor *from, const struct sw_tensor *to)
{
    enum sw_status status = SW_OK;
    struct sw_scalar value;

    for (int64_t i = 0; i < sw_tensor_size(from) && status == SW_OK; i++) {
        status = sw_tensor_get_ordinal(from, i, &value);
        if (status == SW_OK)
            status = sw_tensor_set_ordinal(to, i, &value);
    }
    return status;
}

static struct sw_tensor *canonical(struct sw_tensor *in)
{
    struct sw_tensor *copy;

    assert_ok(sw_tensor_zeros(sw_tensor_carrier_class(in), sw_tensor_dtype(in), sw_tensor_shape(in), &copy));
    assert_ok(copy_elements(in, copy));
    sw_tensor_unref(in);
    return copy;
}

void sample_build(const struct sample *sample, struct sw_carrier_class *on, enum sample_layouts layouts,
                  struct sw_operand *operands)
{
    for (size_t i = 0; i < sample->n_operands; i++) {
        operands[i] = sample->operands[i].other;
        if (sample->operands[i].layout == NULL)
            continue;
        struct sw_tensor *tensor = place(&sample->operands[i], on);
        operands[i] = sw_operand_tensor(layouts == SAMPLE_CANONICAL ? canonical(tensor) : tensor);
    }
}

void sample_drop(const struct sample *sample, struct sw_operand *operands)
{
    for (size_t i = 0; i < sample->n_operands; i++)
        if (operands[i].kind == SW_OPERAND_TENSOR)
            sw_tensor_unref(operands[i].as.tensor);
}

enum sw_status sample_run(const struct sample *sample, const struct sw_operand *operands,
                          struct sw_tensor **ret_tensor)
{
    struct sw_operation *operation;
    size_t first = 0;

    while (first < sample->n_operands && operands[first].kind != SW_OPERAND_TENSOR)
        first++;
    /* A policy may be given nothing but numbers. */
    if (first == sample->n_operands)
        return sw_error_set(SW_TYPE_ERROR, "no tensor");
    enum sw_status status = sw_carrier_dispatch(sw_tensor_carrier(operands[first].as.tensor), sample->name, &operation);
    if (status != SW_OK)
        return status;
    status = sw_operation_forward(operation, operands, sample->n_operands,
                                  sample->has_options ? &sample->options : NULL, ret_tensor);
    sw_operation_unref(operation);
    return status;
}

const char *sample_text(const struct sample *sample)
{
    static char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "%s:", sample->name);

    for (size_t i = 0; i < sample->n_operands && used < sizeof text; i++) {
        const struct sample_operand *operand = &sample->operands[i];
        char *written = NULL;
        if (operand->layout != NULL)
            assert_ok(sw_layout_format(operand->layout, &written));
        else if (operand->tree != NULL)
            assert_ok(sw_tree_format(operand->tree, &written));
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", written != NULL ? written : "number");
        sw_free(written);
    }
    return text;
}
