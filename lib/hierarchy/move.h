/*
 * What the hierarchy itself needs of moving: the registry's answer, and a move
 * inside of another operation.
 */
#ifndef HIERARCHY_MOVE_H
#define HIERARCHY_MOVE_H

#include <strideweave/hierarchy.h>

/** How elements travel between classes that nobody registered a move for: read one, write one. */
extern const struct sw_move_class sw__move_elements;

/** Between host memory and files, in whole blocks; registered from the start. */
extern const struct sw_move_class sw__move_to_file, sw__move_to_memory;

/** The move of an exact pair of classes: what is registered now, or sw__move_elements. TypeError when it is pinned. */
SW_NODISCARD enum sw_status sw__move_resolve(const struct sw_carrier_class *source_class,
                                             const struct sw_carrier_class *destination_class,
                                             const struct sw_move_class **ret_move_class);

/** sw_move() by lowered execution: nothing is recorded for differentiation. */
SW_NODISCARD enum sw_status sw__move_lowered(const struct sw_tensor *tensor, struct sw_carrier *destination,
                                             struct sw_tensor **ret_tensor);

/** Whether an operation is a move. */
int sw__operation_is_move(const struct sw_operation *operation);

#endif
