/*
 * Executing a convolution as products: what the taps of the kernel meet at an
 * output position (a patch: features fastest, then taps, zeros where nothing is
 * read) becomes a row, and the result is a product of kernel rows and patches,
 * a group and a block of positions at a time.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/pool.h"
#include "base/range.h"
#include "op/conv.h"
#include "op/product.h"
#include "op/shapes.h"

/* Patches of one block: what stays in a second-level cache with the product's own buffers. */
#define BLOCK_BYTES ((int64_t)1 << 20)

struct execution {
    const struct sw__conv *conv;
    const struct sw__matmul_kernel *kernel;
    struct sw__source batch;     /* of the operand */
    struct sw__source features;  /* of the operand, all groups */
    const float *packed_weights; /* rows of terms, when there are groups */
    int64_t n_terms;             /* features of a group times taps */
    int64_t block;               /* output positions at a time */
    float *patches;              /* block times batch rows */
    float *sums;                 /* what a product gives, unless it is the result itself */
    int64_t *taps;               /* slots of an output position's taps, -1 for none */
};

static void execution_clear(struct execution *work)
{
    sw__source_clear(&work->batch);
    sw__source_clear(&work->features);
    sw__free(work->patches);
    sw__free(work->sums);
    sw__free(work->taps);
}

/* ---- Preparation ----------------------------------------------------------------------- */

static enum sw_status open_operands(struct execution *work)
{
    const struct sw_tensor *in = work->conv->in;
    const size_t n_batch = sw__shape_leaves_before(in->layout->shape, 1);
    const size_t n_features = sw__shape_leaves_before(in->layout->shape, 2);

    SW__TRY(sw__source_init_leaves(&work->batch, in, SW_FLOAT32, 0, n_batch));
    return sw__source_init_leaves(&work->features, in, SW_FLOAT32, n_batch, n_features);
}

/* Whether a product's layout is the result's. */
static int gives_result(const struct sw__conv *conv)
{
    return conv->batch == 1 && conv->groups == 1;
}

/* Of the patches of one output position. */
static enum sw_status row_bytes_of(const struct sw__conv *conv, int64_t *ret_bytes)
{
    if (!sw__mul_fits(conv->in_features, conv->n_taps, ret_bytes) ||
        !sw__mul_fits(*ret_bytes, (int64_t)sizeof(float), ret_bytes) ||
        !sw__mul_fits(*ret_bytes, conv->batch, ret_bytes))
        return sw_error_set(SW_MEMORY_ERROR, "conv_general: no memory for rows of %lld by %lld elements",
                            (long long)conv->in_features, (long long)conv->n_taps);
    return SW_OK;
}

/* Output positions of a block. */
static int64_t block_of(const struct sw__conv *conv, int64_t row_bytes)
{
    const int64_t block = BLOCK_BYTES / row_bytes > 1 ? BLOCK_BYTES / row_bytes : 1;

    return block < conv->n_positions ? block : conv->n_positions;
}

static enum sw_status prepare(struct execution *work)
{
    const struct sw__conv *conv = work->conv;
    int64_t row_bytes;

    SW__TRY(open_operands(work));
    SW__TRY(row_bytes_of(conv, &row_bytes));
    work->n_terms = conv->in_features * conv->n_taps;
    work->block = block_of(conv, row_bytes);
    work->taps = sw__alloc((size_t)conv->n_taps * sizeof *work->taps);
    work->patches = sw__alloc_rows(work->block * conv->batch, work->n_terms, sizeof *work->patches);
    if (work->taps == NULL || work->patches == NULL)
        return SW_MEMORY_ERROR;
    if (gives_result(conv))
        return SW_OK;
    work->sums = sw__alloc_rows(work->block * conv->batch, conv->out_features, sizeof *work->sums);
    return work->sums != NULL ? SW_OK : SW_MEMORY_ERROR;
}

/* ---- Patches ----------------------------------------------------------------------------- */

void sw__conv_taps(const struct sw__conv *conv, int64_t position, int64_t *taps)
{
    int64_t n = 1;

    taps[0] = 0;
    for (size_t i = 0; i < conv->n_spatial; i++) {
        const struct sw__window *window = &conv->windows[i];
        const int64_t *offsets = window->offsets + position % window->out * window->kernel;
        position /= window->out;
        /* From the last on, so that what is read of the dimensions before is not overwritten yet. */
        for (int64_t p = window->kernel - 1; p >= 0; p--)
            for (int64_t t = n - 1; t >= 0; t--)
                taps[t + n * p] = taps[t] < 0 || offsets[p] < 0 ? -1 : taps[t] + offsets[p];
        n *= window->kernel;
    }
}

/* The features of a group at one tap. */
static void read_features(struct sw__source *features, int64_t first, int64_t n, const float *at, float *to)
{
    int64_t index, stride;

    sw__cursor_seek(&features->cursor, first);
    for (int64_t done = 0; done < n;) {
        const int64_t run = sw__cursor_run(&features->cursor, n - done, &index, &stride);
        features->copy(to + done, at, index, stride, run);
        done += run;
    }
}

static void fill_patch(struct execution *work, int64_t group, const float *base, float *to)
{
    const struct sw__conv *conv = work->conv;
    const int64_t n = conv->in_features;

    for (int64_t tap = 0; tap < conv->n_taps; tap++, to += n) {
        if (work->taps[tap] < 0)
            memset(to, 0, (size_t)n * sizeof *to);
        else
            read_features(&work->features, group * n, n, base + work->taps[tap], to);
    }
}

/* The same where the features of a position lie side by side: taps that follow each other are one copy. */
static void fill_dense_patch(const struct execution *work, int64_t group, const float *base, float *to)
{
    const int64_t n = work->conv->in_features, n_taps = work->conv->n_taps;
    int64_t end;

    for (int64_t tap = 0; tap < n_taps; tap = end) {
        const int64_t first = work->taps[tap], step = first < 0 ? 0 : n;
        for (end = tap + 1; end < n_taps && work->taps[end] == first + (end - tap) * step; end++)
            ;
        const size_t bytes = (size_t)(n * (end - tap)) * sizeof *to;
        if (first < 0)
            memset(to + tap * n, 0, bytes);
        else
            memcpy(to + tap * n, base + first + group * n, bytes);
    }
}

/* Rows in the order of the result: the batch is faster than the positions. */
static void fill_patches(struct execution *work, int64_t group, int64_t first, int64_t n_positions)
{
    const float *base = work->batch.base;
    float *to = work->patches;
    const int is_dense = sw__cursor_is_dense(&work->features.cursor);

    for (int64_t position = first; position < first + n_positions; position++) {
        sw__conv_taps(work->conv, position, work->taps);
        for (int64_t b = 0; b < work->conv->batch; b++, to += work->n_terms) {
            const float *at = base + sw__cursor_next(&work->batch.cursor);
            if (is_dense)
                fill_dense_patch(work, group, at, to);
            else
                fill_patch(work, group, at, to);
        }
    }
}

/* ---- Products ----------------------------------------------------------------------------- */

static enum sw_status open_rows(struct sw__factor *factor, const float *rows, int64_t n, int64_t n_terms)
{
    SW__TRY(sw__source_init_memory(&factor->free, rows, SW_FLOAT32, n, n_terms));
    return sw__source_init_memory(&factor->shared, rows, SW_FLOAT32, n_terms, 1);
}

/* All of the kernel: result features and terms. */
static enum sw_status open_kernel(const struct sw_tensor *kernel, struct sw__factor *factor)
{
    const size_t n_rows = sw__shape_leaves_before(kernel->layout->shape, 1);

    SW__TRY(sw__source_init_leaves(&factor->free, kernel, SW_FLOAT32, 0, n_rows));
    return sw__source_init_leaves(&factor->shared, kernel, SW_FLOAT32, n_rows, kernel->layout->n_leaves);
}

static enum sw_status open_weights(const struct execution *work, int64_t group, struct sw__factor *factor)
{
    const struct sw__conv *conv = work->conv;

    if (work->packed_weights == NULL)
        return open_kernel(conv->kernel, factor);
    return open_rows(factor, work->packed_weights + group * conv->out_features * work->n_terms, conv->out_features,
                     work->n_terms);
}

static enum sw_status multiply(struct execution *work, int64_t group, int64_t n_rows, float *out)
{
    struct sw__product product SW__OWNED_PRODUCT = { .m = 0 };

    SW__TRY(open_weights(work, group, &product.a));
    SW__TRY(open_rows(&product.b, work->patches, n_rows, work->n_terms));
    product.m = work->conv->out_features;
    product.n = n_rows;
    product.k = work->n_terms;
    product.out = out;
    return work->kernel->f32(&product);
}

/* From (features of the group, batch, positions) to (batch, all features, positions). */
static void place_sums(const struct execution *work, int64_t group, int64_t n_positions, float *out)
{
    const struct sw__conv *conv = work->conv;
    const int64_t n_features = conv->out_features, slice = conv->batch * n_features * conv->groups;
    const float *from = work->sums;

    out += conv->batch * n_features * group;
    for (int64_t position = 0; position < n_positions; position++, out += slice, from += conv->batch * n_features)
        for (int64_t o = 0; o < n_features; o++)
            for (int64_t b = 0; b < conv->batch; b++)
                out[b + conv->batch * o] = from[o + n_features * b];
}

struct run {
    const struct sw__conv *conv;
    const struct sw__conv_kernel *kernel;
    void *packed_weights; /* of all groups, when there are groups */
    float *out;
};

static void run_clear(struct run *run)
{
    sw__free(run->packed_weights);
}

static enum sw_status pack_weights(const struct sw__conv *conv, void **ret_packed)
{
    struct sw__factor weights SW__CLEANUP(sw__factor_clear) = { .free = { .base = NULL } };

    if (conv->groups == 1)
        return SW_OK;
    SW__TRY(open_kernel(conv->kernel, &weights));
    return sw__factor_copy_rows(&weights, ret_packed);
}

/* Output positions of @begin up to @end, from the start of a block on. */
static enum sw_status run_part(void *context, int64_t begin, int64_t end)
{
    const struct run *run = context;
    const struct sw__conv *conv = run->conv;
    struct execution work SW__CLEANUP(execution_clear) = {
        .conv = conv, .kernel = run->kernel->product, .packed_weights = run->packed_weights
    };
    const int64_t slice = conv->batch * conv->out_features * conv->groups;

    SW__TRY(prepare(&work));
    for (int64_t first = begin; first < end; first += work.block) {
        const int64_t left = end - first, n = left < work.block ? left : work.block;
        float *to = run->out + first * slice;
        for (int64_t group = 0; group < conv->groups; group++) {
            fill_patches(&work, group, first, n);
            SW__TRY(multiply(&work, group, n * conv->batch, gives_result(conv) ? to : work.sums));
            if (!gives_result(conv))
                place_sums(&work, group, n, to);
        }
    }
    return SW_OK;
}

enum sw_status sw__conv_run(const struct sw__conv *conv, const struct sw__conv_kernel *kernel, float *out)
{
    struct run run SW__CLEANUP(run_clear) = { conv, kernel, NULL, out };
    int64_t row_bytes;
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);

    SW__TRY(row_bytes_of(conv, &row_bytes));
    SW__TRY(pack_weights(conv, &run.packed_weights));
    return sw__pool_run(run_part, &run, conv->n_positions, block_of(conv, row_bytes));
}
