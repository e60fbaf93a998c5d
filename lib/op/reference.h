/*
 * The sides of a command while it is compiled: references, in which symbols
 * and ones are leaves and parentheses are nested modes.
 */
#ifndef OP_REFERENCE_H
#define OP_REFERENCE_H

#include <strideweave/tree.h>

#include "base/cleanup.h"

enum sw__token {
    SW__TOKEN_END,
    SW__TOKEN_SYMBOL,
    SW__TOKEN_ONE,
    SW__TOKEN_OPEN,
    SW__TOKEN_CLOSE,
    SW__TOKEN_COMMA,
    SW__TOKEN_ARROW
};

struct sw__scanner {
    const char *text;
    size_t at;    /* behind the token */
    size_t begin; /* of the token */
    enum sw__token token;
};

/** A leaf of an input: a symbol of the text, or an anonymous 1 (length 0). */
struct sw__name {
    size_t begin;
    size_t length;
    int is_placed; /* the output names it */
};

struct sw__command {
    struct sw__scanner scanner;
    struct sw__name *names; /* leaves of the inputs in reading order */
    size_t n_names;
    size_t first_name; /* of the input that was read last */
    int64_t *nodes;    /* of the side that was read last; room for two more, and one per name */
    size_t n_nodes;
};

void sw__command_clear(struct sw__command *command);
/** An owning local; begins as { .names = NULL }. */
#define SW__OWNED_COMMAND SW__CLEANUP(sw__command_clear)

/** TypeError for NULL; MemoryError. @text is borrowed. */
SW_NODISCARD enum sw_status sw__command_begin(struct sw__command *command, const char *text);
/** Read an input up to the token @end: a selection tree, and its names. ValueError with the position. */
SW_NODISCARD enum sw_status sw__command_input(struct sw__command *command, enum sw__token end,
                                              struct sw_tree **ret_selection);
/** Read the output, the last side: its nodes, whose leaves are numbers of names. ValueError with the position. */
SW_NODISCARD enum sw_status sw__command_output(struct sw__command *command, size_t *ret_n_modes);
/** ValueError at the scanner's position. */
enum sw_status sw__command_refuse(const struct sw__command *command, const char *why);

#endif
