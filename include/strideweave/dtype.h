/*
 * Element types, and scalar values outside of tensors.
 */
#ifndef STRIDEWEAVE_DTYPE_H
#define STRIDEWEAVE_DTYPE_H

#include <strideweave/status.h>

SW_BEGIN_DECLS

/**
 * The simple dtypes, one per row of dtype.def. Float32, Int32 and Bool can be
 * stored and computed with; Float64 names an accumulator; the others are names
 * only and every use of them is refused. The numbers are ABI.
 */
enum sw_dtype {
    SW_DTYPE_NONE = 0, /* no dtype: what a scalar has where a tensor has one */
#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) SW_##enumerator = number,
#include <strideweave/dtype.def>
#undef SW_DTYPE
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

/** sw_dtype_bits - bits that one value means (8 for Bool); 0 for an unknown number. */
SW_API unsigned sw_dtype_bits(enum sw_dtype dtype);

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
