/*
 * The inside of an operation, and what stamping one needs.
 */
#ifndef DISPATCH_OPERATION_H
#define DISPATCH_OPERATION_H

#include <strideweave/operation.h>

#include "base/cleanup.h"

struct sw_operation {
    uint32_t kind;   /* SW_KIND_OPERATION */
    uint32_t n_refs; /* atomic */
    struct sw_operation_class *operation_class;
    const struct sw_hook_dispatch *dispatch; /* the stamp; NULL when made without dispatch */
    struct sw_carrier_class *carrier_class;  /* of the stamp */
    int was_executed;                        /* kept for single-use classes only */
    _Alignas(16) unsigned char state[];
};

SW__DEFINE_CLEANUP(operation, struct sw_operation, sw_operation_unref)
#define SW__OWNED_OPERATION SW__CLEANUP(sw__cleanup_operation)

/** TypeError unless @operation is one. */
SW_NODISCARD enum sw_status sw__operation_check(const struct sw_operation *operation);

/**
 * The serial of a class, given at first sight. A class that was closed can be
 * followed by another at its address: the serial tells them apart.
 */
uint64_t sw__class_serial(struct sw_class_head *class_head);

/**
 * sw__dispatch_entry - the one immortal record of (name, carrier class,
 * operation class); made at first sight.
 *
 * @name  interned
 *
 * Threads: any; a second sight takes no lock. MemoryError.
 */
SW_NODISCARD enum sw_status sw__dispatch_entry(const char *name, struct sw_class_head *carrier_class,
                                               struct sw_class_head *operation_class,
                                               const struct sw_hook_dispatch **ret_entry);

/* ---- The steps before the boundary ---------------------------------------------- */

/** Step 1: the option record is well-formed and made for this operation. */
SW_NODISCARD enum sw_status sw__options_check(const struct sw_operation *operation,
                                              const struct sw_execution_options *options);
/** Step 2: tensor operands are tensors, of one subtensor unless the operation takes more. */
SW_NODISCARD enum sw_status sw__preflight(const struct sw_operation *operation, const struct sw_operand *operands,
                                          size_t n_operands);
/** Step 3: an operation that is executed once was not executed before, and now is. */
SW_NODISCARD enum sw_status sw__use(struct sw_operation *operation);

#endif
