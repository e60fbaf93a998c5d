/*
 * The reduce family: the second of two modes is folded away. The terms of an
 * output are always taken in ascending order; what varies is how many outputs
 * advance together and whether their terms must first be brought side by side.
 */
#include "config.h"

#include <string.h>

#include "op/check.h"
#include "op/op.h"
#include "op/shapes.h"
#include "op/source.h"

/* Below this many outputs each is folded alone. */
#define FEW_OUTPUTS 4
/* Outputs that advance together, and terms that are brought in at once. */
#define OUTPUTS 256
#define TILE_OUTPUTS 16
#define TILE_TERMS 64
/* float32 and int32 alike. */
#define TERM_BYTES 4

struct reduction {
    const struct sw__fold *fold;
    struct sw__source kept;    /* mode 0 */
    struct sw__source reduced; /* mode 1 */
    unsigned char *out;
};

static void reduction_clear(struct reduction *reduction)
{
    sw__source_clear(&reduction->kept);
    sw__source_clear(&reduction->reduced);
}

/* Outputs [first, first + n), one term of each at a time; their slots lie side by side. */
static int fold_across(struct reduction *reduction, int64_t first, size_t n)
{
    const struct sw__fold *fold = reduction->fold;
    const size_t bytes = fold->element_bytes;
    const unsigned char *base = (const unsigned char *)reduction->kept.base + (size_t)first * bytes;
    struct sw__cursor *terms = &reduction->reduced.cursor;
    _Alignas(64) unsigned char states[OUTPUTS * SW__FOLD_STATE_BYTES];

    fold->start(states, base, n);
    for (int64_t k = 0; k < terms->size; k++)
        fold->across(states, base + (size_t)sw__cursor_next(terms) * bytes, k, n);
    return fold->finish(reduction->out + (size_t)first * fold->result_bytes, states, n);
}

/* One output: its terms follow each other. */
static int fold_along(struct reduction *reduction, int64_t output)
{
    const struct sw__fold *fold = reduction->fold;
    const int64_t n_terms = reduction->reduced.cursor.size;
    _Alignas(64) unsigned char buffer[SW__BLOCK * sizeof(float)];
    _Alignas(16) unsigned char state[SW__FOLD_STATE_BYTES];

    sw__source_aim(&reduction->reduced, &reduction->kept, output);
    for (int64_t k = 0; k < n_terms; k += SW__BLOCK) {
        size_t n = (size_t)(n_terms - k < SW__BLOCK ? n_terms - k : SW__BLOCK);
        const void *terms = sw__source_read(&reduction->reduced, n, buffer);
        if (k == 0)
            fold->start(state, terms, 1);
        fold->along(state, terms, k, n);
    }
    return fold->finish(reduction->out + (size_t)output * fold->result_bytes, state, 1);
}

/* A few outputs whose slots lie apart: their terms are brought side by side, a tile at a time. */
static int fold_tile(struct reduction *reduction, int64_t first, size_t n)
{
    const struct sw__fold *fold = reduction->fold;
    const unsigned char *base = reduction->kept.base;
    struct sw__cursor *terms = &reduction->reduced.cursor;
    _Alignas(64) uint32_t tile[TILE_TERMS][TILE_OUTPUTS];
    _Alignas(64) unsigned char states[TILE_OUTPUTS * SW__FOLD_STATE_BYTES];
    int64_t outputs[TILE_OUTPUTS], indices[TILE_TERMS];

    sw__cursor_seek(&reduction->kept.cursor, first);
    for (size_t i = 0; i < n; i++)
        outputs[i] = sw__cursor_next(&reduction->kept.cursor);
    for (int64_t k = 0; k < terms->size; k += TILE_TERMS) {
        size_t n_terms = (size_t)(terms->size - k < TILE_TERMS ? terms->size - k : TILE_TERMS);
        for (size_t t = 0; t < n_terms; t++)
            indices[t] = sw__cursor_next(terms);
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0; t < n_terms; t++)
                memcpy(&tile[t][i], base + (outputs[i] + indices[t]) * TERM_BYTES, TERM_BYTES);
        if (k == 0)
            fold->start(states, tile[0], n);
        for (size_t t = 0; t < n_terms; t++)
            fold->across(states, tile[t], k + (int64_t)t, n);
    }
    return fold->finish(reduction->out + (size_t)first * fold->result_bytes, states, n);
}

/* 1 when a result left int32. */
static int run(struct reduction *reduction)
{
    const int64_t n = reduction->kept.cursor.size;
    const int is_dense = sw__cursor_is_dense(&reduction->kept.cursor);
    const int64_t step = n < FEW_OUTPUTS ? 1 : is_dense ? OUTPUTS : TILE_OUTPUTS;

    for (int64_t first = 0; first < n; first += step) {
        size_t block = (size_t)(n - first < step ? n - first : step);
        int left = n < FEW_OUTPUTS ? fold_along(reduction, first)
                   : is_dense      ? fold_across(reduction, first, block)
                                   : fold_tile(reduction, first, block);
        if (left)
            return 1;
    }
    return 0;
}

static const struct sw__fold *choose(const struct sw__reduce_kernel *kernel, const struct sw__plan *plan)
{
    if (plan->accumulator == SW_FLOAT64)
        return kernel->f64;
    return plan->compute == SW__COMPUTE_BINARY32 ? kernel->f32 : kernel->i32;
}

static enum sw_status open_modes(struct reduction *reduction, const struct sw_tensor *in)
{
    const struct sw_layout *layout = in->layout;
    size_t n_kept = sw__shape_leaves_before(layout->shape, 1);

    SW__TRY(sw__source_init_leaves(&reduction->kept, in, in->dtype, 0, n_kept));
    return sw__source_init_leaves(&reduction->reduced, in, in->dtype, n_kept, layout->n_leaves);
}

enum sw_status sw__reduce_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                  const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__reduce_kernel *kernel = op->kernel;
    struct reduction reduction SW__CLEANUP(reduction_clear) = { .fold = NULL };
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw__plan plan;

    SW__TRY(sw__check_arity(op, operands, n_operands, 1, 1));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    const struct sw_tensor *in = operands[0].as.tensor;
    SW__TRY(sw__check_live(in));
    SW__TRY(sw__check_two_modes(op, in));
    SW__TRY(sw__check_plan(op, operands, n_operands, options, scalars, &plan));
    reduction.fold = choose(kernel, &plan);
    if (reduction.fold == NULL)
        return sw__no_kernel(op);
    SW__TRY(open_modes(&reduction, in));
    if (reduction.reduced.cursor.size > kernel->most_terms)
        return sw_error_set(SW_OVERFLOW_ERROR, "%s: ordinals of %lld terms leave the range of int32", op->name,
                            (long long)reduction.reduced.cursor.size);
    SW__TRY(sw__shape_unwrap_first(in->layout->shape, &shape));
    SW__TRY(sw__tensor_allocate(in, plan.output, shape, &result));
    reduction.out = sw__dense_of(result->carrier)->data;
    if (run(&reduction))
        return sw__left_int32(op->name);
    *ret_tensor = sw__take(result);
    return SW_OK;
}
