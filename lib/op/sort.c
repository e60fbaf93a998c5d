/*
 * The sort family: each fibre along one mode is ordered, and the values or the
 * ordinals of the first so many elements are the result. An element becomes
 * one word, its rank above its ordinal, so that any way of ordering words is
 * stable.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/range.h"
#include "op/axis.h"
#include "op/check.h"
#include "op/op.h"
#include "op/shapes.h"

/* What the operands behind the tensor say. */
struct request {
    size_t mode;
    int64_t n_kept; /* of each fibre */
    int is_descending;
};

struct sorting {
    const struct sw__sort_kernel *kernel;
    struct sw__axis axis;
    struct request request;
    float *values;   /* one fibre */
    uint64_t *words; /* one fibre, and as many words of room for the kernel */
};

static void sorting_clear(struct sorting *sorting)
{
    sw__axis_clear(&sorting->axis);
    sw__free(sorting->values);
    sw__free(sorting->words);
}

/* Ascending as unsigned: not-a-numbers last, the zeros equal. */
static uint32_t rank_of(float value)
{
    uint32_t bits;

    if (value != value)
        return UINT32_MAX;
    if (value == 0.0f)
        value = 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits & UINT32_C(0x80000000) ? ~bits : bits | UINT32_C(0x80000000);
}

static void order_fibre(struct sorting *sorting, size_t n)
{
    const uint32_t flip = sorting->request.is_descending ? UINT32_MAX : 0;

    for (size_t i = 0; i < n; i++)
        sorting->words[i] = (uint64_t)(rank_of(sorting->values[i]) ^ flip) << 32 | i;
    sorting->kernel->order(sorting->words, sorting->words + n, n);
}

static void write_fibre(const struct sorting *sorting, size_t first, size_t step, uint32_t *out)
{
    const size_t n_kept = (size_t)sorting->request.n_kept;

    for (size_t i = 0; i < n_kept; i++) {
        const uint32_t ordinal = (uint32_t)sorting->words[i];
        if (sorting->kernel->gives_ordinals)
            out[first + i * step] = ordinal;
        else
            memcpy(&out[first + i * step], &sorting->values[ordinal], sizeof *out);
    }
}

static void read_fibre(struct sw__axis *axis, int64_t index, float *values)
{
    const float *base = (const float *)axis->along.base + index;
    const int64_t n = axis->along.cursor.size;
    int64_t at, stride;

    for (int64_t done = 0; done < n;) {
        const int64_t run = sw__cursor_run(&axis->along.cursor, n - done, &at, &stride);
        axis->along.copy(values + done, base, at, stride, run);
        done += run;
    }
}

/* Float32 and Int32 elements are written as the words that they are. */
static void run(struct sorting *sorting, uint32_t *out)
{
    struct sw__axis *axis = &sorting->axis;
    const size_t n_before = (size_t)axis->before.cursor.size;
    const size_t slice = n_before * (size_t)sorting->request.n_kept;
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);

    for (int64_t after = 0; after < axis->after.cursor.size; after++, out += slice) {
        const int64_t outer = sw__cursor_next(&axis->after.cursor);
        for (size_t before = 0; before < n_before; before++) {
            read_fibre(axis, outer + sw__cursor_next(&axis->before.cursor), sorting->values);
            order_fibre(sorting, (size_t)axis->along.cursor.size);
            write_fibre(sorting, before, n_before, out);
        }
    }
}

/* (tensor, axis, flag), or (tensor, count, axis, flag). */
static enum sw_status read_request(const struct sw__op *op, const struct sw_operand *operands, int takes_count,
                                   struct request *ret_request)
{
    const struct sw_tensor *in = operands[0].as.tensor;
    const struct sw_operand *axis = &operands[takes_count ? 2 : 1], *flag = axis + 1;

    SW__TRY(sw__axis_operand(op, axis, in, &ret_request->mode));
    if (flag->kind != SW_OPERAND_BOOLEAN)
        return sw_error_set(SW_TYPE_ERROR, "%s: the direction must be a boolean", op->name);
    ret_request->is_descending = flag->as.boolean != 0;
    const int64_t extent = sw__axis_extent(in, ret_request->mode);
    ret_request->n_kept = extent;
    if (!takes_count)
        return SW_OK;
    if (operands[1].kind != SW_OPERAND_INTEGER)
        return sw_error_set(SW_TYPE_ERROR, "%s: the count must be an integer", op->name);
    if (operands[1].as.integer < 1 || operands[1].as.integer > extent)
        return sw_error_set(SW_VALUE_ERROR, "%s: %lld of %lld elements", op->name,
                            (long long)operands[1].as.integer, (long long)extent);
    ret_request->n_kept = operands[1].as.integer;
    return SW_OK;
}

static enum sw_status open_fibres(const struct sw__op *op, struct sorting *sorting, const struct sw_tensor *in)
{
    SW__TRY(sw__axis_init(&sorting->axis, in, sorting->request.mode));
    const size_t n = (size_t)sorting->axis.along.cursor.size;
    if (n > INT32_MAX)
        return sw_error_set(SW_OVERFLOW_ERROR, "%s: ordinals of %zu elements leave the range of int32", op->name, n);
    sorting->values = sw__alloc(n * sizeof *sorting->values);
    sorting->words = sw__alloc(2 * n * sizeof *sorting->words);
    return sorting->values != NULL && sorting->words != NULL ? SW_OK : SW_MEMORY_ERROR;
}

static enum sw_status result_shape(const struct sorting *sorting, const struct sw_tensor *in,
                                   struct sw_tree **ret_shape)
{
    struct sw_tree *kept SW__OWNED_TREE = NULL;

    if (!sorting->kernel->takes_count) {
        *ret_shape = sw_tree_ref(in->layout->shape);
        return SW_OK;
    }
    SW__TRY(sw_tree_flat(&sorting->request.n_kept, 1, &kept));
    return sw__axis_replace(in, sorting->request.mode, kept, ret_shape);
}

enum sw_status sw__sort_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    static const enum sw_dtype wanted[] = { SW_FLOAT32 };
    const struct sw__op *op = sw__op_of(operation);
    struct sorting sorting SW__CLEANUP(sorting_clear) = { .kernel = op->kernel };
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw__plan plan;

    SW__TRY(sw__check_arity(op, operands, n_operands, sorting.kernel->takes_count ? 4 : 3, 1));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    SW__TRY(sw__check_tensors(op, operands, wanted, 1));
    SW__TRY(sw__check_plan(op, operands, 1, options, scalars, &plan));
    const struct sw_tensor *in = operands[0].as.tensor;
    SW__TRY(read_request(op, operands, sorting.kernel->takes_count, &sorting.request));
    SW__TRY(open_fibres(op, &sorting, in));
    SW__TRY(result_shape(&sorting, in, &shape));
    SW__TRY(sw__tensor_allocate(in, plan.output, shape, &result));
    run(&sorting, sw__dense_of(result->carrier)->data);
    *ret_tensor = sw__take(result);
    return SW_OK;
}
