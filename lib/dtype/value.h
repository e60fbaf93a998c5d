/*
 * Scalars in and out of slots: the one place that knows what a dtype accepts
 * and how it is rounded.
 */
#ifndef DTYPE_VALUE_H
#define DTYPE_VALUE_H

#include <strideweave/dtype.h>

/**
 * sw__value_store - round and store one value.
 *
 * @slot  sw_dtype_bytes(@dtype) bytes, of any alignment; untouched on failure.
 *
 * Returns TypeError for a value of a kind that @dtype does not take (NULL is no
 * value) and for a dtype that is not stored; OverflowError for an integer
 * outside of Int32.
 */
SW_NODISCARD enum sw_status sw__value_store(enum sw_dtype dtype, const struct sw_scalar *value, void *slot);
/** The scalar that a slot of a stored @dtype holds; any byte but 0 is a true Bool. */
void sw__value_load(enum sw_dtype dtype, const void *slot, struct sw_scalar *ret_value);
/** TypeError unless @dtype is one; ValueError unless carriers of host memory store it. */
SW_NODISCARD enum sw_status sw__dtype_check_stored(enum sw_dtype dtype);

#endif
