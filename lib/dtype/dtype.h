/*
 * What the rooms above ask about a dtype beyond the public queries.
 */
#ifndef DTYPE_DTYPE_H
#define DTYPE_DTYPE_H

#include <strideweave/dtype.h>

/** TypeError unless @dtype is a number that one of the tables has a row for. */
SW_NODISCARD enum sw_status sw__dtype_check(enum sw_dtype dtype);
/** Whether any carrier has operations on @dtype. */
int sw__dtype_computes(enum sw_dtype dtype);
/** Whether it is a dtype without scales. */
int sw__dtype_is_simple(enum sw_dtype dtype);

#endif
