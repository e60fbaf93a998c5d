/*
 * The rows of policy.def and how the rows of one operation are found.
 */
#ifndef DTYPE_POLICY_TABLE_H
#define DTYPE_POLICY_TABLE_H

#include "dtype/policy.h"

/** The class of tensors of a dtype that operations compute with. */
#define SW__CLASS_TENSOR(dtype) (1 << ((dtype)-1))

/**
 * What an operand is, one bit each: the policy looks at nothing else. A row has
 * the set of classes that each of its operands accepts.
 */
enum sw__operand_class {
    SW__CLASS_FLOAT32 = SW__CLASS_TENSOR(SW_FLOAT32),
    SW__CLASS_INT32 = SW__CLASS_TENSOR(SW_INT32),
    SW__CLASS_BOOL = SW__CLASS_TENSOR(SW_BOOL),
    SW__CLASS_NATURAL = 1 << 3,       /* scalar of integer kind in [0, 2^31-1] */
    SW__CLASS_INTEGER = 1 << 4,       /* any other scalar of integer kind */
    SW__CLASS_REAL = 1 << 5,          /* scalar of floating kind */
    SW__CLASS_UNIMPLEMENTED = 1 << 6, /* a dtype that nothing computes with */
    SW__CLASS_NOTHING = 1 << 7        /* neither a dtype nor a number */
};

#define SW__CLASSES_SCALAR (SW__CLASS_NATURAL | SW__CLASS_INTEGER | SW__CLASS_REAL)

/** Classes of up to four operands in one word, a byte each, the first operand lowest. */
#define SW__PACK_CLASSES(classes, operand) ((uint32_t)(classes) << (8 * (operand)))
#define SW__UNPACK_CLASSES(word, operand) (((word) >> (8 * (operand))) & 0xffu)

struct sw__policy_row {
    const char *operation;
    uint32_t accepts; /* packed sets of classes */
    uint8_t n_operands;
    uint8_t compute;      /* enum sw__compute */
    uint8_t accumulation; /* enum sw__accumulation */
    uint8_t output;       /* enum sw_dtype */
    uint8_t convert_to[SW__PLAN_OPERANDS];
};

/** All rows. */
struct sw__policy_rows sw__policy_all(void);

#endif
