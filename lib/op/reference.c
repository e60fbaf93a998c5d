/*
 * Reading one side of a command: a scanner, and one pass that appends nodes to
 * a tree.
 */
#include "config.h"

#include "op/reference.h"

#include <string.h>

#include "base/alloc.h"
#include "layout/layout.h"

static enum sw_status refuse(const struct sw__scanner *scanner, const char *why)
{
    return sw_error_set(SW_VALUE_ERROR, "command \"%.200s\", position %zu: %s", scanner->text, scanner->begin + 1,
                        why);
}

void sw__command_clear(struct sw__command *command)
{
    sw__free(command->names);
    sw__free(command->nodes);
}

enum sw_status sw__command_refuse(const struct sw__command *command, const char *why)
{
    return refuse(&command->scanner, why);
}

/* ---- Scanner ------------------------------------------------------------------------ */

/* Not <ctype.h>: commands are ASCII whatever the locale is. */
static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static enum sw_status scan_word(struct sw__scanner *scanner)
{
    const char *text = scanner->text;

    while (is_word(text[scanner->at]))
        scanner->at++;
    if (is_letter(text[scanner->begin]))
        scanner->token = SW__TOKEN_SYMBOL;
    else if (text[scanner->begin] == '1' && scanner->at == scanner->begin + 1)
        scanner->token = SW__TOKEN_ONE;
    else
        return refuse(scanner, "a symbol begins with a letter, and the only number is a 1 alone");
    return SW_OK;
}

static enum sw_status scan(struct sw__scanner *scanner)
{
    const char *text = scanner->text;

    while (is_space(text[scanner->at]))
        scanner->at++;
    scanner->begin = scanner->at;
    if (is_word(text[scanner->at]))
        return scan_word(scanner);
    scanner->at++;
    switch (text[scanner->begin]) {
    case '\0':
        scanner->at--;
        scanner->token = SW__TOKEN_END;
        return SW_OK;
    case '(':
        scanner->token = SW__TOKEN_OPEN;
        return SW_OK;
    case ')':
        scanner->token = SW__TOKEN_CLOSE;
        return SW_OK;
    case ',':
        scanner->token = SW__TOKEN_COMMA;
        return SW_OK;
    case '-':
        if (text[scanner->at] != '>')
            return refuse(scanner, "a \"-\" belongs to an arrow \"->\"");
        scanner->at++;
        scanner->token = SW__TOKEN_ARROW;
        return SW_OK;
    default:
        return refuse(scanner, "this character has no meaning in a command");
    }
}

/* ---- Sides --------------------------------------------------------------------------- */

/* The name behind the names before @first that is the scanner's symbol. */
static struct sw__name *find_name(const struct sw__command *command, size_t first)
{
    const struct sw__scanner *scanner = &command->scanner;
    size_t length = scanner->at - scanner->begin;

    for (size_t i = first; i < command->n_names; i++)
        if (command->names[i].length == length &&
            memcmp(scanner->text + command->names[i].begin, scanner->text + scanner->begin, length) == 0)
            return &command->names[i];
    return NULL;
}

/* A leaf of an input: remembered under its number, a node without identity. */
static enum sw_status input_leaf(struct sw__command *command)
{
    const struct sw__scanner *scanner = &command->scanner;
    int is_symbol = scanner->token == SW__TOKEN_SYMBOL;

    if (is_symbol && find_name(command, command->first_name) != NULL)
        return refuse(scanner, "this symbol stands twice in one operand");
    command->names[command->n_names++] =
        (struct sw__name){ scanner->begin, is_symbol ? scanner->at - scanner->begin : 0, 0 };
    command->nodes[command->n_nodes++] = SW_TREE_ANY;
    return SW_OK;
}

/* A leaf of the output: the number of the name that it places. */
static enum sw_status output_leaf(struct sw__command *command)
{
    int64_t node = SW_TREE_ANY;

    if (command->scanner.token == SW__TOKEN_SYMBOL) {
        struct sw__name *name = find_name(command, 0);
        if (name == NULL)
            return refuse(&command->scanner, "this symbol does not stand on the left");
        if (name->is_placed)
            return refuse(&command->scanner, "this symbol stands twice on the right");
        name->is_placed = 1;
        node = name - command->names;
    }
    command->nodes[command->n_nodes++] = node;
    return SW_OK;
}

struct group {
    size_t node;   /* its place among the nodes; the whole side has none */
    int64_t count; /* of its entries so far */
};

static enum sw_status check_end(const struct sw__scanner *scanner, enum sw__token end)
{
    static const char *const expected[] = {
        [SW__TOKEN_END] = "the command should end here",
        [SW__TOKEN_COMMA] = "a comma is expected here",
        [SW__TOKEN_ARROW] = "an arrow \"->\" is expected here",
    };

    return scanner->token == end ? SW_OK : refuse(scanner, expected[end]);
}

/* One side up to @end, as nodes. Groups that are open stand on a stack. */
static enum sw_status read_side(struct sw__command *command, enum sw__token end,
                                enum sw_status (*leaf)(struct sw__command *command), size_t *ret_n_modes)
{
    struct sw__scanner *scanner = &command->scanner;
    struct group *groups SW__OWNED = sw__alloc((strlen(scanner->text) + 1) * sizeof *groups);
    size_t depth = 0;

    if (groups == NULL)
        return SW_MEMORY_ERROR;
    groups[0] = (struct group){ 0, 0 };
    command->n_nodes = 0;
    for (;;) {
        SW__TRY(scan(scanner));
        if (scanner->token == SW__TOKEN_SYMBOL || scanner->token == SW__TOKEN_ONE) {
            groups[depth].count++;
            SW__TRY(leaf(command));
        } else if (scanner->token == SW__TOKEN_OPEN) {
            groups[depth].count++;
            groups[++depth] = (struct group){ command->n_nodes++, 0 };
        } else if (scanner->token == SW__TOKEN_CLOSE) {
            if (depth == 0)
                return refuse(scanner, "this parenthesis closes nothing");
            if (groups[depth].count == 0)
                return refuse(scanner, "a group may not be empty");
            command->nodes[groups[depth].node] = SW_TREE_NESTED(groups[depth].count);
            depth--;
        } else {
            break;
        }
    }
    if (depth > 0)
        return refuse(scanner, "a parenthesis was not closed before this");
    SW__TRY(check_end(scanner, end));
    if (groups[0].count == 0)
        return refuse(scanner, "nothing stands on this side");
    *ret_n_modes = (size_t)groups[0].count;
    return SW_OK;
}

enum sw_status sw__command_begin(struct sw__command *command, const char *text)
{
    if (text == NULL)
        return sw_error_set(SW_TYPE_ERROR, "a command must be a string");
    /* No more nodes than characters; a reduction adds two, and one per name. */
    size_t n = strlen(text) + 2;

    command->scanner.text = text;
    command->names = sw__alloc(n * sizeof *command->names);
    command->nodes = sw__alloc(2 * n * sizeof *command->nodes);
    return command->names != NULL && command->nodes != NULL ? SW_OK : SW_MEMORY_ERROR;
}

enum sw_status sw__command_input(struct sw__command *command, enum sw__token end, struct sw_tree **ret_selection)
{
    size_t n_modes;

    command->first_name = command->n_names;
    SW__TRY(read_side(command, end, input_leaf, &n_modes));
    return sw_tree_new(command->nodes, command->n_nodes, ret_selection);
}

enum sw_status sw__command_output(struct sw__command *command, size_t *ret_n_modes)
{
    return read_side(command, SW__TOKEN_END, output_leaf, ret_n_modes);
}
