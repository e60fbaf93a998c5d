/*
 * A convolution between its checks and its execution: what is read where.
 */
#ifndef OP_CONV_H
#define OP_CONV_H

#include "op/op.h"

/** One spatial dimension. */
struct sw__window {
    int64_t in; /* extents */
    int64_t kernel;
    int64_t out;
    int64_t in_stride; /* of the operand's leaf, in slots */
    int64_t stride;
    int64_t pad_low;
    int64_t pad_high;
    int64_t lhs_dilation;
    int64_t kernel_dilation;
    /** Slots to add for kernel position p of output position o, at p + kernel * o; -1 where nothing is read. */
    int64_t *offsets;
};

struct sw__conv {
    const struct sw_tensor *in;     /* (batch, features, spatial...) */
    const struct sw_tensor *kernel; /* (features of the result, features / groups, spatial...) */
    size_t n_spatial;
    struct sw__window *windows; /* n_spatial of them */
    int64_t batch;
    int64_t groups;
    int64_t in_features;  /* of one group */
    int64_t out_features; /* of one group */
    int64_t n_taps;       /* kernel positions */
    int64_t n_positions;  /* output positions */
};

void sw__conv_clear(struct sw__conv *conv);
/** An owning local; begins as { NULL }. */
#define SW__OWNED_CONV SW__CLEANUP(sw__conv_clear)

/**
 * sw__conv_init - check the geometry: operands as conv_general is dispatched with them.
 *
 * TypeError for an argument that is no list of integers (of pairs, for the padding); ValueError for ranks, counts,
 * values, features or extents; OverflowError; MemoryError.
 */
SW_NODISCARD enum sw_status sw__conv_init(struct sw__conv *conv, const struct sw_operand *operands);

/** The shape of the result. */
SW_NODISCARD enum sw_status sw__conv_shape(const struct sw__conv *conv, struct sw_tree **ret_shape);

/**
 * Where the taps of an output position read, to n_taps entries of @taps: slots to add, -1 where nothing is read. The
 * first spatial dimension is the fastest.
 */
void sw__conv_taps(const struct sw__conv *conv, int64_t position, int64_t *taps);

/** Fill @out, which has that shape and is canonical. MemoryError. */
SW_NODISCARD enum sw_status sw__conv_run(const struct sw__conv *conv, const struct sw__conv_kernel *kernel, float *out);

#endif
