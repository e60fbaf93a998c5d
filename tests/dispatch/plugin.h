/*
 * A carrier class and operation classes from outside the library, as a plug-in
 * would define them: what the tests of dispatch execute.
 */
#ifndef TESTS_DISPATCH_PLUGIN_H
#define TESTS_DISPATCH_PLUGIN_H

#include <strideweave/operation.h>

/** Slots that all hold one float; dispatches the names below. */
extern struct sw_carrier_class plugin_class;

/** A tensor of one element on a fresh plug-in carrier. */
struct sw_tensor *plugin_tensor(void);

/* What the plug-in dispatches:
 *   "same"     returns its first operand
 *   "nested"   executes "same" by lowered execution, then returns that
 *   "fails"    RuntimeError with the text "fails on purpose"
 *   "nothing"  success without a tensor
 *   "no_tensor" success with something that is no tensor
 *   "used"     an operation that was dispatched before (kept by the class)
 *   "garbage"  something that is not an operation
 *   anything else: NotImplementedError
 */
extern struct sw_operation_class plugin_same_class;

/** How often an operation of "same" was destroyed. */
extern int plugin_destroyed;

#endif
