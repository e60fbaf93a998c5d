/*
 * The command compiler: from the sides of a command to the trees that
 * rearrange takes.
 */
#include "config.h"

#include "op/command.h"

#include <string.h>

#include "layout/layout.h"
#include "op/reference.h"

enum sw_status sw__command_rearrange(const char *text, struct sw_tree **ret_selection, struct sw_tree **ret_output)
{
    struct sw__command command SW__OWNED_COMMAND = { .names = NULL };
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    size_t n_modes;

    SW__TRY(sw__command_begin(&command, text));
    SW__TRY(sw__command_input(&command, SW__TOKEN_ARROW, &selection));
    SW__TRY(sw__command_output(&command, &n_modes));
    SW__TRY(sw_tree_new(command.nodes, command.n_nodes, ret_output));
    *ret_selection = sw__take(selection);
    return SW_OK;
}

/* The kept side becomes the first mode; what it does not name becomes the second. */
static enum sw_status add_reduced(struct sw__command *command, size_t n_kept)
{
    int64_t n_reduced = 0;

    memmove(command->nodes + 1, command->nodes, command->n_nodes * sizeof *command->nodes);
    command->nodes[0] = SW_TREE_NESTED(n_kept);
    size_t reduced = ++command->n_nodes;
    command->n_nodes++;
    for (size_t i = 0; i < command->n_names; i++) {
        if (command->names[i].is_placed)
            continue;
        command->nodes[command->n_nodes++] = (int64_t)i;
        n_reduced++;
    }
    if (n_reduced == 0)
        return sw__command_refuse(command, "everything is kept, so there is nothing to reduce");
    command->nodes[reduced] = SW_TREE_NESTED(n_reduced);
    return SW_OK;
}

enum sw_status sw__command_reduce(const char *text, struct sw_tree **ret_selection, struct sw_tree **ret_output)
{
    struct sw__command command SW__OWNED_COMMAND = { .names = NULL };
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    size_t n_modes;

    SW__TRY(sw__command_begin(&command, text));
    SW__TRY(sw__command_input(&command, SW__TOKEN_ARROW, &selection));
    SW__TRY(sw__command_output(&command, &n_modes));
    SW__TRY(add_reduced(&command, n_modes));
    SW__TRY(sw_tree_new(command.nodes, command.n_nodes, ret_output));
    *ret_selection = sw__take(selection);
    return SW_OK;
}
