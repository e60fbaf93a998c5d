/*
 * Materialising elements: one loop per (stored dtype, wanted dtype), applied
 * to the runs of a cursor.
 */
#include "config.h"

#include "op/source.h"

#include <string.h>

#include "dtype/value.h"

/* Strides 0 and 1 are loops of their own so that the compiler vectorises them. */
#define COPY_RUN(name, stored, wanted)                                                              \
    static void name(void *out, const void *base, int64_t index, int64_t stride, int64_t n)         \
    {                                                                                               \
        wanted *restrict to = out;                                                                  \
        const stored *from = (const stored *)base + index;                                          \
        if (stride == 1)                                                                            \
            for (int64_t i = 0; i < n; i++)                                                         \
                to[i] = (wanted)from[i];                                                            \
        else if (stride == 0)                                                                       \
            for (int64_t i = 0; i < n; i++)                                                         \
                to[i] = (wanted)from[0];                                                            \
        else                                                                                        \
            for (int64_t i = 0; i < n; i++)                                                         \
                to[i] = (wanted)from[i * stride];                                                   \
    }

COPY_RUN(copy_f32, float, float)
COPY_RUN(copy_i32, int32_t, int32_t)
COPY_RUN(copy_bool, uint8_t, uint8_t)
COPY_RUN(convert_i32_f32, int32_t, float)

static const struct {
    enum sw_dtype stored;
    enum sw_dtype wanted;
    sw__copy_run_fn *copy;
} copies[] = {
    { SW_FLOAT32, SW_FLOAT32, copy_f32 },
    { SW_INT32, SW_INT32, copy_i32 },
    { SW_INT32, SW_FLOAT32, convert_i32_f32 },
    { SW_BOOL, SW_BOOL, copy_bool },
};

static enum sw_status set_copy(struct sw__source *source, enum sw_dtype stored, enum sw_dtype wanted)
{
    source->stored_bytes = sw_dtype_bytes(stored);
    source->bytes = sw_dtype_bytes(wanted);
    source->n_filled = 0;
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        if (copies[i].stored != stored || copies[i].wanted != wanted)
            continue;
        source->copy = copies[i].copy;
        source->converts = stored != wanted;
        source->is_direct = !source->converts && sw__cursor_is_dense(&source->cursor);
        return SW_OK;
    }
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "no kernel reads %s elements as %s", sw_dtype_name(stored),
                        sw_dtype_name(wanted));
}

enum sw_status sw__source_init_leaves(struct sw__source *source, const struct sw_tensor *tensor, enum sw_dtype wanted,
                                      size_t begin, size_t end)
{
    const struct sw__dense *dense = sw__dense_of(tensor->carrier);
    const struct sw_layout *layout = tensor->layout;

    if (dense == NULL)
        return sw_error_set(SW_TYPE_ERROR, "this operation reads Generic and CPU storage only");
    SW__TRY(sw__cursor_init(&source->cursor, layout->extents + begin, layout->strides + begin, end - begin));
    SW__TRY(set_copy(source, tensor->dtype, wanted));
    source->base = (const unsigned char *)dense->data + (size_t)tensor->offset * source->stored_bytes;
    return SW_OK;
}

enum sw_status sw__source_init(struct sw__source *source, const struct sw_tensor *tensor, enum sw_dtype wanted)
{
    return sw__source_init_leaves(source, tensor, wanted, 0, tensor->layout->n_leaves);
}

enum sw_status sw__source_init_scalar(struct sw__source *source, const struct sw_scalar *scalar, enum sw_dtype wanted,
                                      int64_t size)
{
    sw__cursor_init_constant(&source->cursor, size);
    SW__TRY(set_copy(source, wanted, wanted));
    SW__TRY(sw__value_store(wanted, scalar, &source->scalar));
    source->base = &source->scalar;
    return SW_OK;
}

enum sw_status sw__source_init_memory(struct sw__source *source, const void *base, enum sw_dtype dtype, int64_t n,
                                      int64_t stride)
{
    SW__TRY(sw__cursor_init(&source->cursor, &n, &stride, 1));
    source->base = base;
    return set_copy(source, dtype, dtype);
}

enum sw_status sw__source_copy(const struct sw_tensor *tensor, enum sw_dtype wanted, void *out)
{
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    const size_t n = (size_t)tensor->layout->size;

    SW__TRY(sw__source_init(&source, tensor, wanted));
    const void *from = sw__source_read(&source, n, out);
    if (from != out)
        memcpy(out, from, n * source.bytes);
    return SW_OK;
}

/* Shorter runs are rather copied than looked at one by one. */
#define SHORT_RUN 64

static int64_t left_of_run(const struct sw__source *source)
{
    const struct sw__cursor *cursor = &source->cursor;

    return !source->converts && cursor->strides[0] == 1 ? cursor->extents[0] - cursor->at[0] : 0;
}

size_t sw__source_reach(const struct sw__source *source)
{
    const int64_t left = left_of_run(source);

    return left >= SHORT_RUN ? (size_t)left : SW__BLOCK;
}

void sw__source_seek(struct sw__source *source, int64_t ordinal)
{
    sw__cursor_seek(&source->cursor, ordinal);
}

static void fill(struct sw__source *source, size_t n, void *buffer)
{
    if (source->n_filled >= n)
        return;
    source->copy(buffer, source->base, 0, 0, (int64_t)n);
    source->n_filled = n;
}

const void *sw__source_read(struct sw__source *source, size_t n, void *buffer)
{
    int64_t index, stride;

    if (source->is_direct || left_of_run(source) >= (int64_t)n) {
        sw__cursor_run(&source->cursor, (int64_t)n, &index, &stride);
        return (const unsigned char *)source->base + (size_t)index * source->bytes;
    }
    if (sw__cursor_is_constant(&source->cursor)) {
        fill(source, n, buffer);
        return buffer;
    }
    unsigned char *to = buffer;
    for (size_t done = 0; done < n;) {
        int64_t run = sw__cursor_run(&source->cursor, (int64_t)(n - done), &index, &stride);
        source->copy(to + done * source->bytes, source->base, index, stride, run);
        done += (size_t)run;
    }
    return buffer;
}

void sw__source_aim(struct sw__source *inner, struct sw__source *outer, int64_t ordinal)
{
    sw__cursor_seek(&outer->cursor, ordinal);
    inner->base = (const unsigned char *)outer->base + (size_t)outer->cursor.index * outer->stored_bytes;
    inner->n_filled = 0;
}
