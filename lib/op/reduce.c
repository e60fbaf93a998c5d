/*
 * The reduce family: the second of two modes is folded away. The terms of an
 * output are always taken in ascending order; what varies is how many outputs
 * advance together and whether their terms must first be brought side by side.
 */
#include "config.h"

#include <string.h>

#include "base/pool.h"
#include "base/range.h"
#include "op/axis.h"
#include "op/check.h"
#include "op/op.h"
#include "op/shapes.h"
#include "op/source.h"

/* From so many terms side by side on that is done for any number of outputs, where the fold lets it. */
#define MANY_TERMS 64
/* Outputs that advance together, and terms that are brought in at once. */
#define OUTPUTS 1024
#define TILE_TERMS 64
/* float32 and int32 alike. */
#define TERM_BYTES 4
/* Terms that a part of a reduction on several threads has at least: some ten microseconds of work. */
#define PART_TERMS ((int64_t)1 << 16)
/* Its outputs are a multiple of as many: whole tiles, and whole cache lines of what is written. */
#define PART_OUTPUTS 64

struct reduction {
    const struct sw__op *op;
    const struct sw__fold *fold;
    const struct sw_tensor *in;
    unsigned char *out;
};

/* What a part of it reads. */
struct modes {
    struct sw__source kept;    /* mode 0 */
    struct sw__source reduced; /* mode 1 */
};

static void modes_clear(struct modes *modes)
{
    sw__source_clear(&modes->kept);
    sw__source_clear(&modes->reduced);
}

static enum sw_status open_modes(const struct sw_tensor *in, struct modes *modes)
{
    const struct sw_layout *layout = in->layout;
    size_t n_kept = sw__shape_leaves_before(layout->shape, 1);

    SW__TRY(sw__source_init_leaves(&modes->kept, in, in->dtype, 0, n_kept));
    return sw__source_init_leaves(&modes->reduced, in, in->dtype, n_kept, layout->n_leaves);
}

/* Outputs [first, first + n), one term of each at a time; their slots lie side by side. */
static int fold_across(const struct reduction *reduction, struct modes *modes, int64_t first, size_t n)
{
    const struct sw__fold *fold = reduction->fold;
    const size_t bytes = fold->element_bytes;
    const unsigned char *base = (const unsigned char *)modes->kept.base + (size_t)first * bytes;
    struct sw__cursor *terms = &modes->reduced.cursor;
    _Alignas(64) unsigned char states[OUTPUTS * SW__FOLD_STATE_BYTES];

    fold->start(states, base, n);
    for (int64_t k = 0; k < terms->size; k++)
        fold->across(states, base + (size_t)sw__cursor_next(terms) * bytes, k, n);
    return fold->finish(reduction->out + (size_t)first * fold->result_bytes, states, n);
}

/* One output: its terms follow each other. */
static int fold_along(const struct reduction *reduction, struct modes *modes, int64_t output)
{
    const struct sw__fold *fold = reduction->fold;
    const int64_t n_terms = modes->reduced.cursor.size;
    _Alignas(64) unsigned char buffer[SW__BLOCK * sizeof(float)];
    _Alignas(16) unsigned char state[SW__FOLD_STATE_BYTES];

    sw__source_aim(&modes->reduced, &modes->kept, output);
    for (int64_t k = 0; k < n_terms; k += SW__BLOCK) {
        size_t n = (size_t)(n_terms - k < SW__BLOCK ? n_terms - k : SW__BLOCK);
        const void *terms = sw__source_read(&modes->reduced, n, buffer);
        if (k == 0)
            fold->start(state, terms, 1);
        fold->along(state, terms, k, n);
    }
    return fold->finish(reduction->out + (size_t)output * fold->result_bytes, state, 1);
}

/* Terms are stored as, and folds read them as, float or int32_t. */
typedef uint32_t word __attribute__((may_alias));
typedef uint32_t four __attribute__((vector_size(16), may_alias));

/* What four rows have at four places, by places. */
static inline void transpose(const four rows[4], four tile[][SW__TILE_OUTPUTS / 4], size_t i)
{
#if defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HAVE_SHUFFLE 1
#endif
#endif
#ifdef HAVE_SHUFFLE
    const four a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const four b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const four c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const four d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    tile[0][i] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    tile[1][i] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    tile[2][i] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    tile[3][i] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
#else
    for (size_t t = 0; t < 4; t++)
        tile[t][i] = (four){ rows[0][t], rows[1][t], rows[2][t], rows[3][t] };
#endif
}

/* Terms of a tile's outputs side by side; by four where they lie side by side already. */
static void fill_tile(four tile[][SW__TILE_OUTPUTS / 4], const word *base, const int64_t *outputs,
                      const int64_t *indices, size_t n_terms, int is_direct)
{
    const size_t n_fours = is_direct ? n_terms / 4 * 4 : 0;

    for (size_t i = 0; i < SW__TILE_OUTPUTS / 4; i++, outputs += 4) {
        const word *a = base + outputs[0], *b = base + outputs[1], *c = base + outputs[2], *d = base + outputs[3];
        for (size_t t = 0; t < n_fours; t += 4) {
            four rows[4];
            memcpy(&rows[0], a + indices[t], sizeof rows[0]);
            memcpy(&rows[1], b + indices[t], sizeof rows[1]);
            memcpy(&rows[2], c + indices[t], sizeof rows[2]);
            memcpy(&rows[3], d + indices[t], sizeof rows[3]);
            transpose(rows, &tile[t], i);
        }
        for (size_t t = n_fours; t < n_terms; t++)
            tile[t][i] = (four){ a[indices[t]], b[indices[t]], c[indices[t]], d[indices[t]] };
    }
}

/* A few outputs whose slots lie apart: their terms are brought side by side. A missing output is the last one again. */
static int fold_tile(const struct reduction *reduction, struct modes *modes, int64_t first, size_t n)
{
    const struct sw__fold *fold = reduction->fold;
    struct sw__cursor *terms = &modes->reduced.cursor;
    _Alignas(64) four tile[TILE_TERMS][SW__TILE_OUTPUTS / 4];
    _Alignas(64) unsigned char states[SW__TILE_OUTPUTS * SW__FOLD_STATE_BYTES];
    int64_t outputs[SW__TILE_OUTPUTS], indices[TILE_TERMS];

    sw__cursor_seek(&modes->kept.cursor, first);
    for (size_t i = 0; i < SW__TILE_OUTPUTS; i++)
        outputs[i] = i < n ? sw__cursor_next(&modes->kept.cursor) : outputs[n - 1];
    for (int64_t k = 0; k < terms->size; k += TILE_TERMS) {
        const size_t n_terms = (size_t)(terms->size - k < TILE_TERMS ? terms->size - k : TILE_TERMS);
        for (size_t t = 0; t < n_terms; t++)
            indices[t] = sw__cursor_next(terms);
        fill_tile(tile, modes->kept.base, outputs, indices, n_terms, modes->reduced.is_direct);
        if (k == 0)
            fold->start(states, tile, SW__TILE_OUTPUTS);
        fold->tile(states, tile, k, n_terms);
    }
    return fold->finish(reduction->out + (size_t)first * fold->result_bytes, states, n);
}

/* The same where the terms of each output lie side by side already, and the fold takes them from there. */
static int fold_rows(const struct reduction *reduction, struct modes *modes, int64_t first, size_t n)
{
    const struct sw__fold *fold = reduction->fold;
    _Alignas(64) unsigned char states[SW__TILE_OUTPUTS * SW__FOLD_STATE_BYTES];
    const void *terms[SW__TILE_OUTPUTS];
    word firsts[SW__TILE_OUTPUTS];

    sw__cursor_seek(&modes->kept.cursor, first);
    for (size_t i = 0; i < SW__TILE_OUTPUTS; i++) {
        terms[i] = i < n ? (const word *)modes->kept.base + sw__cursor_next(&modes->kept.cursor) : terms[n - 1];
        firsts[i] = *(const word *)terms[i];
    }
    fold->start(states, firsts, SW__TILE_OUTPUTS);
    fold->rows(states, terms, 0, (size_t)modes->reduced.cursor.size);
    return fold->finish(reduction->out + (size_t)first * fold->result_bytes, states, n);
}

/* Which way depends on numbers of outputs and terms; on layouts only where the fold gives the same either way. */
static int is_folded_along(const struct reduction *reduction, const struct modes *modes)
{
    return modes->kept.cursor.size < SW__FEW_OUTPUTS ||
           (reduction->fold->is_free && modes->reduced.is_direct && modes->reduced.cursor.size >= MANY_TERMS);
}

/* Outputs of @begin up to @end. */
static enum sw_status run_part(void *context, int64_t begin, int64_t end)
{
    const struct reduction *reduction = context;
    struct modes modes SW__CLEANUP(modes_clear) = { .kept = { .cursor = { 0 } } };

    SW__TRY(open_modes(reduction->in, &modes));
    const int is_along = is_folded_along(reduction, &modes);
    const int is_dense = sw__cursor_is_dense(&modes.kept.cursor);
    const int are_rows = reduction->fold->rows != NULL && modes.reduced.is_direct;
    const int64_t step = is_along ? 1 : is_dense ? OUTPUTS : SW__TILE_OUTPUTS;
    for (int64_t first = begin; first < end; first += step) {
        const size_t n = (size_t)(end - first < step ? end - first : step);
        const int left = is_along   ? fold_along(reduction, &modes, first)
                         : is_dense ? fold_across(reduction, &modes, first, n)
                         : are_rows ? fold_rows(reduction, &modes, first, n)
                                    : fold_tile(reduction, &modes, first, n);
        if (left)
            return sw__left_int32(reduction->op->name);
    }
    return SW_OK;
}

static enum sw_status run(struct reduction *reduction, int64_t n_outputs, int64_t n_terms)
{
    const int64_t least = (PART_TERMS - 1) / n_terms + 1;
    const int64_t outputs = ((least - 1) / PART_OUTPUTS + 1) * PART_OUTPUTS;
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);

    return sw__pool_run(run_part, reduction, n_outputs, outputs);
}

static const struct sw__fold *choose(const struct sw__reduce_kernel *kernel, const struct sw__plan *plan,
                                     int64_t n_outputs, int64_t n_terms)
{
    if (plan->accumulator == SW_FLOAT64)
        return kernel->f64;
    if (plan->compute == SW__COMPUTE_BINARY32 && kernel->grouped != NULL && n_outputs < SW__FEW_OUTPUTS &&
        n_terms >= SW__GROUPED_TERMS)
        return kernel->grouped;
    return plan->compute == SW__COMPUTE_BINARY32 ? kernel->f32 : kernel->i32;
}

enum sw_status sw__reduce_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                  const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__reduce_kernel *kernel = op->kernel;
    struct reduction reduction = { .op = op };
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
    const int64_t n_outputs = sw__axis_extent(in, 0), n_terms = sw__axis_extent(in, 1);
    reduction.fold = choose(kernel, &plan, n_outputs, n_terms);
    if (reduction.fold == NULL)
        return sw__no_kernel(op);
    if (n_terms > kernel->most_terms)
        return sw_error_set(SW_OVERFLOW_ERROR, "%s: ordinals of %lld terms leave the range of int32", op->name,
                            (long long)n_terms);
    SW__TRY(sw__shape_unwrap_first(in->layout->shape, &shape));
    SW__TRY(sw__tensor_allocate(in, plan.output, shape, &result));
    reduction.in = in;
    reduction.out = sw__dense_of(result->carrier)->data;
    SW__TRY(run(&reduction, n_outputs, n_terms));
    *ret_tensor = sw__take(result);
    return SW_OK;
}
