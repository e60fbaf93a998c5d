/*
 * Scalars and owning locals that the tests of carriers and tensors share.
 */
#ifndef TESTS_CARRIER_SCALARS_H
#define TESTS_CARRIER_SCALARS_H

#include <strideweave/carrier.h>

static inline struct sw_scalar integer(int64_t value)
{
    return (struct sw_scalar){ .kind = SW_SCALAR_INTEGER, .as.integer = value };
}

static inline struct sw_scalar floating(double value)
{
    return (struct sw_scalar){ .kind = SW_SCALAR_FLOATING, .as.floating = value };
}

static inline struct sw_scalar boolean(int value)
{
    return (struct sw_scalar){ .kind = SW_SCALAR_BOOLEAN, .as.boolean = value };
}

/** For sw_carrier_set() and its kin, which take an address. */
#define INTEGER(value) (&(struct sw_scalar){ .kind = SW_SCALAR_INTEGER, .as.integer = (value) })
#define FLOATING(value) (&(struct sw_scalar){ .kind = SW_SCALAR_FLOATING, .as.floating = (value) })
#define BOOLEAN(value) (&(struct sw_scalar){ .kind = SW_SCALAR_BOOLEAN, .as.boolean = (value) })

#endif
