/*
 * A matrix product as its kernels see it: C(i,j) = sum over k of A(i,k)*B(j,k).
 */
#ifndef OP_PRODUCT_H
#define OP_PRODUCT_H

#include "op/op.h"
#include "op/source.h"

/** One factor: its free mode and the contracted one. Begins as { 0 }. */
struct sw__factor {
    struct sw__source free;
    struct sw__source shared;
};

struct sw__product {
    struct sw__factor a;
    struct sw__factor b;
    int64_t m; /* extents of i, j, k */
    int64_t n;
    int64_t k;
    void *out; /* C(i,j) at i + m*j */
};

/** A float32 matrix with one leaf per mode, as it is stored. */
struct sw__stored_matrix {
    const float *data;
    int64_t strides[2]; /* of the free mode and of the contracted one */
};

/** The product of two such. */
struct sw__matrices {
    struct sw__stored_matrix a, b;
    int64_t m;
    int64_t n;
    int64_t k;
    float *out;
};

void sw__factor_clear(struct sw__factor *factor);
void sw__product_clear(struct sw__product *product);
#define SW__OWNED_PRODUCT SW__CLEANUP(sw__product_clear)

/** Row @i of a factor, all k: in @buffer of k elements, or where it is stored. */
static inline const void *sw__factor_row(struct sw__factor *factor, int64_t i, void *buffer)
{
    sw__source_aim(&factor->shared, &factor->free, i);
    return sw__source_read(&factor->shared, (size_t)factor->shared.cursor.size, buffer);
}

/** A copy of every row, one after another, owned by the caller. MemoryError. */
SW_NODISCARD enum sw_status sw__factor_copy_rows(struct sw__factor *factor, void **ret_memory);
/** The same with the free mode's elements side by side, for one k after another. */
SW_NODISCARD enum sw_status sw__factor_copy_columns(struct sw__factor *factor, void **ret_memory);

/* The sequential kernels: every product rounded, terms added in ascending order in the accumulator dtype. */
enum sw_status sw__product_f32(struct sw__product *product);
enum sw_status sw__product_f64(struct sw__product *product);
enum sw_status sw__product_i32(struct sw__product *product);

/** sw__product_f32()'s bits, of matrices and of the level that a file is compiled for. */
void SW__KERNEL(sequential)(const struct sw__matrices *matrices);

#endif
