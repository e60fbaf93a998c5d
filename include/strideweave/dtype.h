/*
 * Element types, and scalar values outside of tensors.
 */
#ifndef STRIDEWEAVE_DTYPE_H
#define STRIDEWEAVE_DTYPE_H

#include <strideweave/status.h>

SW_BEGIN_DECLS

/**
 * The simple dtypes, one per row of dtype.def, and the compound ones, one per
 * row of compound.def. Float32, Int32 and Bool can be stored and computed with;
 * Float64 names an accumulator; the others are descriptions only and every use
 * of them is refused. The numbers are ABI.
 */
enum sw_dtype {
    SW_DTYPE_NONE = 0, /* no dtype: what a scalar has where a tensor has one */
#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) SW_##enumerator = number,
#include <strideweave/dtype.def>
#undef SW_DTYPE
#define SW_COMPOUND_DTYPE(enumerator, number, name, element, block, scale, whole) SW_##enumerator = number,
#include <strideweave/compound.def>
#undef SW_COMPOUND_DTYPE
};

/**
 * sw_dtype_name - the name of a dtype, for example "Float32".
 *
 * Returns a static string; "unknown dtype" for a number that no row has.
 * Threads: any. Errors: none.
 */
SW_API const char *sw_dtype_name(enum sw_dtype dtype);

/**
 * sw_dtype_bytes - bytes of one stored element: 4 for Float32 (IEEE binary32,
 * native byte order) and Int32 (two's complement), 1 for Bool (0 or 1).
 *
 * Returns 0 for a dtype that no carrier stores and for an unknown number.
 */
SW_API size_t sw_dtype_bytes(enum sw_dtype dtype);

/** sw_dtype_bits - bits of one element (8 for Bool), its scales left out; 0 for an unknown number. */
SW_API unsigned sw_dtype_bits(enum sw_dtype dtype);

/** One plane of a dtype's storage schema: the elements, or the scales of one level. */
struct sw_dtype_plane {
    enum sw_dtype dtype; /* simple */
    uint32_t reserved;
    int64_t block; /* elements that one value of this plane is for: 1 for the elements, 0 for all there are */
};

/** sw_dtype_n_planes - 1 for a simple dtype, one more per level of scales; 0 for an unknown number. */
SW_API size_t sw_dtype_n_planes(enum sw_dtype dtype);

/** sw_dtype_plane - plane @plane of the storage schema, the elements first. TypeError for no dtype, else IndexError. */
SW_API SW_NODISCARD enum sw_status sw_dtype_plane(enum sw_dtype dtype, size_t plane, struct sw_dtype_plane *ret_plane);

/**
 * sw_dtype_bits_per_element - what an element of a tensor of @n_elements takes
 * with its share of all scales: 4.53125 for NVFP4 and 1024 elements. The last
 * block counts as a whole one. TypeError for no dtype; ValueError for no element.
 */
SW_API SW_NODISCARD enum sw_status sw_dtype_bits_per_element(enum sw_dtype dtype, int64_t n_elements,
                                                             double *ret_bits);

/** Kind of a scalar: decides what it may be stored as and how it enters an operation. */
enum sw_scalar_kind { SW_SCALAR_INTEGER = 1, SW_SCALAR_FLOATING = 2, SW_SCALAR_BOOLEAN = 3 };

/**
 * One value, read from or written to a carrier or a tensor. A scalar of another
 * kind (0, say) is no value.
 *
 * Storing: Float32 takes every kind, rounded once to binary32 with ties to even
 * (too large becomes infinity, NaN stays NaN); Int32 takes the integer kind
 * inside 32 bits (OverflowError outside); Bool takes the boolean kind, 0 or 1.
 * Anything else is a TypeError. Reading gives FLOATING, INTEGER and BOOLEAN.
 *
 * As an operand of an operation (a weak scalar) INTEGER is of integer kind, and
 * FLOATING and BOOLEAN are of floating kind.
 */
struct sw_scalar {
    uint32_t kind; /* enum sw_scalar_kind */
    uint32_t reserved;
    union {
        int64_t integer;
        double floating;
        int boolean;
    } as;
};

SW_END_DECLS

#endif
