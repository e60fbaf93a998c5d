/*
 * The families that compute one element of the result from one element of each
 * operand: elementwise and ternary. Kernels see blocks of contiguous elements.
 */
#include "config.h"

#include "base/pool.h"
#include "base/range.h"
#include "op/check.h"
#include "op/op.h"
#include "op/source.h"
#include "op/widen.h"

struct sources {
    struct sw__source at[SW__PLAN_OPERANDS];
    size_t n;
};

static void sources_clear(struct sources *sources)
{
    for (size_t i = 0; i < sources->n; i++)
        sw__source_clear(&sources->at[i]);
}

/* ---- Execution --------------------------------------------------------------------- */

static enum sw_status open_sources(struct sources *sources, const struct sw_operand *operands,
                                   const struct sw__plan *plan, int64_t size)
{
    for (size_t i = 0; i < plan->n_operands; i++) {
        struct sw__source *source = &sources->at[i];
        source->cursor.heap = NULL;
        sources->n = i + 1;
        if (operands[i].kind == SW_OPERAND_TENSOR)
            SW__TRY(sw__source_init(source, operands[i].as.tensor, plan->convert_to[i]));
        else
            SW__TRY(sw__source_init_scalar(source, plan->operands[i].scalar, plan->convert_to[i], size));
    }
    return SW_OK;
}

/* What one execution reads and writes; parts of it may run on several threads. */
struct execution {
    const struct sw__op *op;
    sw__loop_fn *loop;
    const struct sw_operand *operands;
    const struct sw__plan *plan;
    const struct sw_layout *layout; /* of the result */
    unsigned char *data;            /* of the result's element with index 0 */
    size_t bytes;                   /* of one element of it */
    /* Where all tensors lie as the loop wants them: their first elements, and the bytes of one. NULL for scalars. */
    const unsigned char *in[SW__PLAN_OPERANDS];
    size_t in_bytes[SW__PLAN_OPERANDS];
    size_t period; /* elements after which operands that repeat begin anew: a block for scalars; SIZE_MAX: none does */
    int repeats[SW__PLAN_OPERANDS];
};

/* Elements that a part has at least: some ten microseconds of work. */
#define PART_ELEMENTS ((int64_t)1 << 16)

/* Only operations with a Bool result keep an input's layout. */
static void spread(const struct execution *execution, struct sw__cursor *cursor, const uint8_t *block, size_t n)
{
    int64_t index, stride;

    while (n > 0) {
        int64_t run = sw__cursor_run(cursor, (int64_t)n, &index, &stride);
        for (int64_t i = 0; i < run; i++)
            execution->data[index + i * stride] = block[i];
        block += run;
        n -= (size_t)run;
    }
}

/* Elements that every source gives at once. */
static size_t next_block(const struct sources *sources, size_t left)
{
    for (size_t i = 0; i < sources->n; i++) {
        size_t reach = sw__source_reach(&sources->at[i]);
        if (reach < left)
            left = reach;
    }
    return left;
}

/* To @cursor where there is one, else to elements one after another. 1 when a result left int32. */
static int run_loop(const struct execution *execution, struct sources *sources, struct sw__cursor *cursor, size_t first,
                    size_t end)
{
    _Alignas(64) unsigned char buffers[SW__PLAN_OPERANDS][SW__BLOCK * sizeof(float)];
    uint8_t results[SW__BLOCK];
    const void *in[SW__PLAN_OPERANDS] = { NULL };

    for (size_t done = first; done < end;) {
        const size_t left = cursor != NULL && end - done > SW__BLOCK ? SW__BLOCK : end - done;
        const size_t n = next_block(sources, left);
        for (size_t i = 0; i < sources->n; i++)
            in[i] = sw__source_read(&sources->at[i], n, buffers[i]);
        if (execution->loop(cursor != NULL ? results : execution->data + done * execution->bytes, in, n))
            return 1;
        if (cursor != NULL)
            spread(execution, cursor, results, n);
        done += n;
    }
    return 0;
}

static enum sw_status run_part(void *context, int64_t begin, int64_t end)
{
    const struct execution *execution = context;
    const struct sw_layout *layout = execution->layout;
    struct sources sources SW__CLEANUP(sources_clear);
    struct sw__cursor cursor SW__CLEANUP(sw__cursor_clear);
    struct sw__cursor *places = NULL;

    sources.n = 0;
    cursor.heap = NULL;
    SW__TRY(open_sources(&sources, execution->operands, execution->plan, layout->size));
    for (size_t i = 0; begin != 0 && i < sources.n; i++)
        sw__source_seek(&sources.at[i], begin);
    if (!layout->is_canonical) {
        SW__TRY(sw__cursor_init(&cursor, layout->extents, layout->strides, layout->n_leaves));
        sw__cursor_seek(&cursor, begin);
        places = sw__cursor_is_dense(&cursor) ? NULL : &cursor;
    }
    if (run_loop(execution, &sources, places, (size_t)begin, (size_t)end))
        return sw__left_int32(execution->op->name);
    return SW_OK;
}

static enum sw_status allocate_keeping(const struct sw_tensor *like, enum sw_dtype dtype,
                                       struct sw_tensor **ret_tensor)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    int injective;

    SW__TRY(sw_layout_is_injective(like->layout, &injective));
    if (!injective)
        return sw__tensor_allocate(like, dtype, like->layout->shape, ret_tensor);
    SW__TRY(sw_carrier_allocate_like(like->carrier, like->layout->cosize, 1, dtype, 0, &carrier));
    return sw_tensor_new(carrier, 0, like->layout, ret_tensor);
}

/* Fills a block with each scalar and points to it. */
static enum sw_status open_scalars(const struct execution *execution, size_t n,
                                   unsigned char (*buffers)[SW__BLOCK * sizeof(float)], const void **in)
{
    for (size_t i = 0; i < execution->plan->n_operands; i++) {
        if (execution->in[i] != NULL)
            continue;
        struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
        SW__TRY(sw__source_init_scalar(&source, execution->plan->operands[i].scalar, execution->plan->convert_to[i],
                                       execution->layout->size));
        /* Not sw__source_read(), which points to one repetition where it is stored: in the source, which does not last. */
        source.copy(buffers[i], source.base, 0, 0, (int64_t)n);
        in[i] = buffers[i];
    }
    return SW_OK;
}

static enum sw_status run_direct_part(void *context, int64_t begin, int64_t end)
{
    const struct execution *execution = context;
    const void *in[SW__PLAN_OPERANDS] = { NULL };

    for (size_t i = 0; i < execution->plan->n_operands; i++)
        in[i] = execution->in[i] + (size_t)begin * execution->in_bytes[i];
    if (execution->loop(execution->data + (size_t)begin * execution->bytes, in, (size_t)(end - begin)))
        return sw__left_int32(execution->op->name);
    return SW_OK;
}

/* The same where operands repeat. */
static enum sw_status run_repeating_part(void *context, int64_t begin, int64_t end)
{
    const struct execution *execution = context;
    _Alignas(64) unsigned char buffers[SW__PLAN_OPERANDS][SW__BLOCK * sizeof(float)];
    const void *in[SW__PLAN_OPERANDS] = { NULL };
    const size_t last = (size_t)end, period = execution->period;
    size_t past = (size_t)begin % period; /* the element that a period began with */

    SW__TRY(open_scalars(execution, period < last ? period : last, buffers, in));
    for (size_t at = (size_t)begin, n; at < last; at += n, past = 0) {
        n = last - at < period - past ? last - at : period - past;
        for (size_t i = 0; i < execution->plan->n_operands; i++)
            if (execution->in[i] != NULL)
                in[i] = execution->in[i] + (execution->repeats[i] ? past : at) * execution->in_bytes[i];
        if (execution->loop(execution->data + at * execution->bytes, in, n))
            return sw__left_int32(execution->op->name);
    }
    return SW_OK;
}

/* Rows of fewer elements are rather copied side by side than gone through one by one. */
#define SHORT_ROW 64

/* The elements that lie side by side, over and over where there are more; 0 when it is not so. */
static size_t row_of(const struct sw_layout *layout)
{
    int64_t row = 1;
    size_t i = 0;

    for (; i < layout->n_leaves && (layout->extents[i] == 1 || layout->strides[i] == row); i++)
        row *= layout->extents[i];
    for (; i < layout->n_leaves; i++)
        if (layout->extents[i] != 1 && layout->strides[i] != 0)
            return 0;
    return (size_t)row;
}

/* Whether a row that begins anew after so many elements does so with the others. */
static int repeat(struct execution *execution, size_t period)
{
    if (period < SHORT_ROW || (execution->period != SIZE_MAX && execution->period != period))
        return 0;
    execution->period = period;
    return 1;
}

/* Whether a block of a scalar reaches as far as rows do. */
static int repeat_scalar(struct execution *execution)
{
    if (execution->period == SIZE_MAX)
        execution->period = SW__BLOCK;
    return execution->period <= SW__BLOCK;
}

/*
 * Whether the result is canonical, and all tensors too or one row of them over and over, and nothing is converted:
 * sources would find that out again for each block.
 */
static int is_direct(struct execution *execution)
{
    if (!execution->layout->is_canonical)
        return 0;
    int has_scalar = 0;
    execution->period = SIZE_MAX;
    for (size_t i = 0; i < execution->plan->n_operands; i++) {
        const struct sw_tensor *tensor = execution->operands[i].as.tensor;
        execution->in[i] = NULL;
        execution->repeats[i] = 0;
        if (execution->operands[i].kind != SW_OPERAND_TENSOR) {
            has_scalar = 1;
            continue;
        }
        if (tensor->dtype != execution->plan->convert_to[i])
            return 0;
        if (!tensor->layout->is_canonical) {
            const size_t row = row_of(tensor->layout);
            execution->repeats[i] = row != (size_t)tensor->layout->size;
            if (row == 0 || (execution->repeats[i] && !repeat(execution, row)))
                return 0;
        }
        execution->in_bytes[i] = sw_dtype_bytes(tensor->dtype);
        execution->in[i] = (const unsigned char *)sw__dense_of(tensor->carrier)->data +
                           (size_t)tensor->offset * execution->in_bytes[i];
    }
    return !has_scalar || repeat_scalar(execution);
}

static enum sw_status execute(const struct sw__op *op, sw__loop_fn *loop, const struct sw_operand *operands,
                              const struct sw__plan *plan, struct sw_tensor *result)
{
    struct execution execution;

    execution.op = op;
    execution.loop = loop;
    execution.operands = operands;
    execution.plan = plan;
    execution.layout = result->layout;
    execution.data = sw__dense_of(result->carrier)->data;
    execution.bytes = sw_dtype_bytes(result->dtype);
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);
    sw__part_fn *part = !is_direct(&execution)            ? run_part
                        : execution.period == SIZE_MAX ? run_direct_part
                                                       : run_repeating_part;
    return sw__pool_run(part, &execution, result->layout->size, PART_ELEMENTS);
}

/* ---- Families ------------------------------------------------------------------------ */

static const struct sw_tensor *first_tensor(const struct sw_operand *operands, size_t n_operands)
{
    for (size_t i = 0; i < n_operands; i++)
        if (operands[i].kind == SW_OPERAND_TENSOR)
            return operands[i].as.tensor;
    return NULL;
}

/* Room to name widened tensors in; refuses what no plan can have. */
static enum sw_status copy_operands(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands,
                                    struct sw_operand *copy)
{
    if (n_operands > SW__PLAN_OPERANDS)
        return sw_error_set(SW_TYPE_ERROR, "%s was given %zu operands", op->name, n_operands);
    for (size_t i = 0; i < n_operands; i++)
        copy[i] = operands[i];
    if (first_tensor(operands, n_operands) == NULL)
        return sw_error_set(SW_TYPE_ERROR, "%s needs a tensor among its operands", op->name);
    return sw__check_classes(op, operands, n_operands);
}

enum sw_status sw__elementwise_compute(struct sw_operation *operation, const struct sw_operand *operands,
                                       size_t n_operands, const struct sw_execution_options *options,
                                       struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__elementwise_kernel *kernel = op->kernel;
    struct sw__widened widened SW__OWNED_WIDENED = { { NULL } };
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw_operand in[SW__PLAN_OPERANDS];
    struct sw__plan plan;

    SW__TRY(copy_operands(op, operands, n_operands, in));
    for (size_t i = 0; i < n_operands; i++)
        if (in[i].kind == SW_OPERAND_TENSOR)
            SW__TRY(sw__check_live(in[i].as.tensor));
    SW__TRY(sw__widen(in, n_operands, &widened));
    SW__TRY(sw__check_plan(op, in, n_operands, options, scalars, &plan));
    sw__loop_fn *loop = plan.compute == SW__COMPUTE_BINARY32 ? kernel->f32 : kernel->i32;
    if (loop == NULL)
        return sw__no_kernel(op);
    const struct sw_tensor *like = first_tensor(in, n_operands);
    if (kernel->keeps_layout)
        SW__TRY(allocate_keeping(like, plan.output, &result));
    else
        SW__TRY(sw__tensor_allocate(like, plan.output, like->layout->shape, &result));
    SW__TRY(execute(op, loop, in, &plan, result));
    *ret_tensor = sw__take(result);
    return SW_OK;
}

enum sw_status sw__ternary_compute(struct sw_operation *operation, const struct sw_operand *operands,
                                   size_t n_operands, const struct sw_execution_options *options,
                                   struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__ternary_kernel *kernel = op->kernel;
    struct sw__widened widened SW__OWNED_WIDENED = { { NULL } };
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw_operand in[SW__PLAN_OPERANDS];
    struct sw__plan plan;

    SW__TRY(sw__check_arity(op, operands, n_operands, 3, kernel->n_tensors));
    SW__TRY(copy_operands(op, operands, n_operands, in));
    SW__TRY(sw__check_tensors(op, in, kernel->wanted, n_operands));
    SW__TRY(sw__check_plan(op, in, n_operands, options, scalars, &plan));
    SW__TRY(sw__widen(in, n_operands, &widened));
    SW__TRY(sw__tensor_allocate(in[0].as.tensor, plan.output, in[0].as.tensor->layout->shape, &result));
    SW__TRY(execute(op, kernel->f32, in, &plan, result));
    *ret_tensor = sw__take(result);
    return SW_OK;
}
