/*
 * Layout commands such as "a (c d) b -> a c": from text to the trees that
 * rearrange takes. Compiled before any operand is looked at.
 *
 * Tokens, separated by white space where needed: a symbol
 * [A-Za-z][A-Za-z0-9_]*, "1" alone, "(", ")", "->". Left of the arrow a symbol
 * or a 1 names a whole mode and parentheses descend into a nested one; right
 * of it a symbol places that mode, a 1 inserts a mode of extent 1 and
 * parentheses build a nested mode.
 */
#ifndef OP_COMMAND_H
#define OP_COMMAND_H

#include <strideweave/tree.h>

/** "in -> out". TypeError for NULL; ValueError, with the position, for anything that is no such command. */
SW_NODISCARD enum sw_status sw__command_rearrange(const char *text, struct sw_tree **ret_selection,
                                                  struct sw_tree **ret_output);
/** The same, with output ((what is named), (the others, in order)). ValueError when there are no others. */
SW_NODISCARD enum sw_status sw__command_reduce(const char *text, struct sw_tree **ret_selection,
                                               struct sw_tree **ret_output);

#endif
