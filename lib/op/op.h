/*
 * What the rooms of the operation table share: the families of operations,
 * what a row of ops.def points to, and the kernels that rows name.
 */
#ifndef OP_OP_H
#define OP_OP_H

#include <strideweave/operation.h>

#include "carrier/carrier.h"
#include "dtype/policy.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

/** How an operation is differentiated; lib/autograd knows what is in it. */
struct sw__gradient;

/** A row of the operation table on one backend: what sw_operation_class.user points to. */
struct sw__op {
    const char *name;                            /* dispatch name */
    struct sw_carrier_class *(*carrier_class)(void); /* whose tensors it takes */
    const void *kernel;                          /* of the family's type */
    const struct sw__gradient *gradient;
    const struct sw__policy_rows *policy; /* of its dtypes; NULL: is looked up */
};

/** The row that an operation was made from. */
static inline const struct sw__op *sw__op_of(const struct sw_operation *operation)
{
    return sw_operation_class_of(operation)->user;
}

/** The same for any operation; NULL when it is of no row's class. */
const struct sw__op *sw__op_find(const struct sw_operation *operation);

/* ---- Families: the computation inside the boundary, with its checks ---------- */

#define SW__COMPUTE_ARGUMENTS                                                                \
    struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,    \
        const struct sw_execution_options *options, struct sw_tensor **ret_tensor

enum sw_status sw__elementwise_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__ternary_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__reduce_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__matmul_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__scan_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__gather_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__scatter_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__sort_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__conv_compute(SW__COMPUTE_ARGUMENTS);
enum sw_status sw__view_compute(SW__COMPUTE_ARGUMENTS);

/* ---- Kernels: one type per family ---------------------------------------------- */

/** @n contiguous elements; 1 when a result left int32 (the whole operation is then discarded). */
typedef int sw__loop_fn(void *restrict out, const void *const *in, size_t n);

/** Elementwise: a loop per dtype that it computes in; NULL where no plan needs one. */
struct sw__elementwise_kernel {
    sw__loop_fn *f32;
    sw__loop_fn *i32;
    int keeps_layout; /* an injective input layout is the result's */
};

/** Three operands that broadcast; from the one behind @n_tensors on numbers may stand for tensors. */
struct sw__ternary_kernel {
    sw__loop_fn *f32;
    enum sw_dtype wanted[3];
    size_t n_tensors;
};

/** Outputs of a tile. */
#define SW__TILE_OUTPUTS 16

/** Folding of one dtype: states of outputs side by side. */
struct sw__fold {
    size_t state_bytes; /* of one output; at most SW__FOLD_STATE_BYTES */
    size_t element_bytes;
    size_t result_bytes;
    int is_free; /* the result is the same in whatever groups terms are taken */
    void (*start)(void *states, const void *first, size_t n);
    /** Term number @k of @n outputs, one each. */
    void (*across)(void *restrict states, const void *restrict terms, int64_t k, size_t n);
    /** Terms @k, @k+1, ... of one output, @n of them. */
    void (*along)(void *restrict state, const void *restrict terms, int64_t k, size_t n);
    /** Terms @k, @k+1, ... of SW__TILE_OUTPUTS outputs, @n of each. */
    void (*tile)(void *restrict states, const void *restrict terms, int64_t k, size_t n);
    /** The same with the terms of each output side by side, those of output i at @terms[i]. NULL: by tiles. */
    void (*rows)(void *restrict states, const void *const *terms, int64_t k, size_t n);
    /** Round to the result; 1 when one left int32. */
    int (*finish)(void *restrict out, const void *restrict states, size_t n);
};
#define SW__FOLD_STATE_BYTES 16

struct sw__reduce_kernel {
    const struct sw__fold *f32; /* float32, and the default accumulator */
    const struct sw__fold *f64; /* float32 with a Float64 accumulator */
    const struct sw__fold *i32;
    int64_t most_terms;         /* OverflowError beyond */
    /** float32 where fewer than SW__FEW_OUTPUTS outputs have SW__GROUPED_TERMS terms or more; NULL: as everywhere. */
    const struct sw__fold *grouped;
};
#define SW__FEW_OUTPUTS 4
#define SW__GROUPED_TERMS 4096

struct sw__product;
struct sw__matrices;

/** matmul: fills the whole result; OverflowError, MemoryError. */
struct sw__matmul_kernel {
    /** f32 for what needs no preparation: 0 when it does not do these, and the result is as it was. NULL: never. */
    int (*matrices)(const struct sw__matrices *matrices);
    enum sw_status (*f32)(struct sw__product *product);
    enum sw_status (*f64)(struct sw__product *product);
    enum sw_status (*i32)(struct sw__product *product);
};

/** gather: elements of @base at @n indices. */
struct sw__gather_kernel {
    void (*f32)(float *restrict out, const float *restrict base, const int64_t *restrict indices, size_t n);
};

/** The same kernels for a convolution, which is a product of its patches. */
struct sw__conv_kernel {
    const struct sw__matmul_kernel *product;
};

/** cumsum: scans in place; elements are (@n_before, @n_along, @n_after), canonical. */
struct sw__scan_kernel {
    void (*f32)(float *values, size_t n_before, size_t n_along, size_t n_after);
};

/** scatter: @n elements of the result meet as many updates. */
struct sw__scatter_kernel {
    void (*f32)(float *restrict out, const float *restrict updates, size_t n);
    int wants_distinct; /* no element may be addressed twice */
};

/** sort: puts @n words into ascending order; their low halves come as 0, 1, 2, ...; @room has as many words. */
struct sw__sort_kernel {
    void (*order)(uint64_t *words, uint64_t *room, size_t n);
    int takes_count;    /* only the first so many elements of each fibre are kept */
    int gives_ordinals; /* else values */
};

/** Views: the new layout, and by how much the offset grows. */
struct sw__view_kernel {
    enum sw_status (*place)(const struct sw_layout *layout, const struct sw_operand *arguments, size_t n_arguments,
                            int64_t *ret_offset, struct sw_layout **ret_layout);
};

/**
 * The name of a kernel at the level that its file is compiled for: files of lib/op/kernels that define kernels by it
 * are compiled once for any processor and once for each level of op/level.h.
 */
#if defined SW__COMPILED_FOR_AVX512
#define SW__KERNEL(name) sw__kernel_avx512_##name
#elif defined SW__COMPILED_FOR_AVX2
#define SW__KERNEL(name) sw__kernel_avx2_##name
#else
#define SW__KERNEL(name) sw__kernel_##name
#endif

#define SW__OP(name, family, generic, cpu, gradient, flags)            \
    extern const struct sw__##family##_kernel sw__kernel_##generic;    \
    extern const struct sw__##family##_kernel sw__kernel_##cpu;        \
    extern const struct sw__##family##_kernel sw__kernel_avx2_##cpu;   \
    extern const struct sw__##family##_kernel sw__kernel_avx512_##cpu; \
    extern const struct sw__gradient sw__gradient_##gradient;
#include "op/ops.def"
#undef SW__OP

#endif
