/*
 * The command compiler: a scanner, and one pass per side of the arrow that
 * appends nodes to a tree.
 */
#include "config.h"

#include "op/command.h"

#include <string.h>

#include "base/alloc.h"
#include "layout/layout.h"

enum token { TOKEN_END, TOKEN_SYMBOL, TOKEN_ONE, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_COMMA, TOKEN_ARROW };

struct scanner {
    const char *text;
    size_t at;       /* behind the token */
    size_t begin;    /* of the token */
    enum token token;
};

/* A leaf of the input side: a symbol of the text, or an anonymous 1 (length 0). */
struct name {
    size_t begin;
    size_t length;
    int is_placed;
};

struct command {
    struct scanner scanner;
    struct name *names; /* leaves of the input side in reading order */
    size_t n_names;
    int64_t *nodes; /* of the side that is being read */
    size_t n_nodes;
};

static void command_clear(struct command *command)
{
    sw__free(command->names);
    sw__free(command->nodes);
}

static enum sw_status refuse(const struct scanner *scanner, const char *why)
{
    return sw_error_set(SW_VALUE_ERROR, "command \"%.200s\", position %zu: %s", scanner->text, scanner->begin + 1,
                        why);
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

static enum sw_status scan_word(struct scanner *scanner)
{
    const char *text = scanner->text;

    while (is_word(text[scanner->at]))
        scanner->at++;
    if (is_letter(text[scanner->begin]))
        scanner->token = TOKEN_SYMBOL;
    else if (text[scanner->begin] == '1' && scanner->at == scanner->begin + 1)
        scanner->token = TOKEN_ONE;
    else
        return refuse(scanner, "a symbol begins with a letter, and the only number is a 1 alone");
    return SW_OK;
}

static enum sw_status scan(struct scanner *scanner)
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
        scanner->token = TOKEN_END;
        return SW_OK;
    case '(':
        scanner->token = TOKEN_OPEN;
        return SW_OK;
    case ')':
        scanner->token = TOKEN_CLOSE;
        return SW_OK;
    case ',':
        scanner->token = TOKEN_COMMA;
        return SW_OK;
    case '-':
        if (text[scanner->at] != '>')
            return refuse(scanner, "a \"-\" belongs to an arrow \"->\"");
        scanner->at++;
        scanner->token = TOKEN_ARROW;
        return SW_OK;
    default:
        return refuse(scanner, "this character has no meaning in a command");
    }
}

/* ---- Sides --------------------------------------------------------------------------- */

static struct name *find_name(const struct command *command)
{
    const struct scanner *scanner = &command->scanner;
    size_t length = scanner->at - scanner->begin;

    for (size_t i = 0; i < command->n_names; i++)
        if (command->names[i].length == length &&
            memcmp(scanner->text + command->names[i].begin, scanner->text + scanner->begin, length) == 0)
            return &command->names[i];
    return NULL;
}

/* A leaf of the input side: remembered under its number, a node without identity. */
static enum sw_status input_leaf(struct command *command)
{
    const struct scanner *scanner = &command->scanner;
    int is_symbol = scanner->token == TOKEN_SYMBOL;

    if (is_symbol && find_name(command) != NULL)
        return refuse(scanner, "this symbol stands twice on the left");
    command->names[command->n_names++] =
        (struct name){ scanner->begin, is_symbol ? scanner->at - scanner->begin : 0, 0 };
    command->nodes[command->n_nodes++] = SW_TREE_ANY;
    return SW_OK;
}

/* A leaf of the output side: the number of the input leaf that it places. */
static enum sw_status output_leaf(struct command *command)
{
    int64_t node = SW_TREE_ANY;

    if (command->scanner.token == TOKEN_SYMBOL) {
        struct name *name = find_name(command);
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

/* One side up to @end, as nodes. Groups that are open stand on a stack. */
static enum sw_status read_side(struct command *command, enum token end,
                                enum sw_status (*leaf)(struct command *command), size_t *ret_n_modes)
{
    struct scanner *scanner = &command->scanner;
    struct group *groups SW__OWNED = sw__alloc((strlen(scanner->text) + 1) * sizeof *groups);
    size_t depth = 0;

    if (groups == NULL)
        return SW_MEMORY_ERROR;
    groups[0] = (struct group){ 0, 0 };
    command->n_nodes = 0;
    for (;;) {
        SW__TRY(scan(scanner));
        if (scanner->token == TOKEN_SYMBOL || scanner->token == TOKEN_ONE) {
            groups[depth].count++;
            SW__TRY(leaf(command));
        } else if (scanner->token == TOKEN_OPEN) {
            groups[depth].count++;
            groups[++depth] = (struct group){ command->n_nodes++, 0 };
        } else if (scanner->token == TOKEN_CLOSE) {
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
    if (scanner->token != end)
        return refuse(scanner, end == TOKEN_ARROW ? "an arrow \"->\" is expected here" : "the command should end here");
    if (groups[0].count == 0)
        return refuse(scanner, "nothing stands on this side of the arrow");
    *ret_n_modes = (size_t)groups[0].count;
    return SW_OK;
}

static enum sw_status begin(struct command *command, const char *text)
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

static enum sw_status read_input(struct command *command, struct sw_tree **ret_selection)
{
    size_t n_modes;

    SW__TRY(read_side(command, TOKEN_ARROW, input_leaf, &n_modes));
    return sw_tree_new(command->nodes, command->n_nodes, ret_selection);
}

/* ---- Commands -------------------------------------------------------------------------- */

enum sw_status sw__command_rearrange(const char *text, struct sw_tree **ret_selection, struct sw_tree **ret_output)
{
    struct command command SW__CLEANUP(command_clear) = { .names = NULL };
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    size_t n_modes;

    SW__TRY(begin(&command, text));
    SW__TRY(read_input(&command, &selection));
    SW__TRY(read_side(&command, TOKEN_END, output_leaf, &n_modes));
    SW__TRY(sw_tree_new(command.nodes, command.n_nodes, ret_output));
    *ret_selection = sw__take(selection);
    return SW_OK;
}

/* The kept side becomes the first mode; what it does not name becomes the second. */
static enum sw_status add_reduced(struct command *command, size_t n_kept)
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
        return refuse(&command->scanner, "everything is kept, so there is nothing to reduce");
    command->nodes[reduced] = SW_TREE_NESTED(n_reduced);
    return SW_OK;
}

enum sw_status sw__command_reduce(const char *text, struct sw_tree **ret_selection, struct sw_tree **ret_output)
{
    struct command command SW__CLEANUP(command_clear) = { .names = NULL };
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    size_t n_modes;

    SW__TRY(begin(&command, text));
    SW__TRY(read_input(&command, &selection));
    SW__TRY(read_side(&command, TOKEN_END, output_leaf, &n_modes));
    SW__TRY(add_reduced(&command, n_modes));
    SW__TRY(sw_tree_new(command.nodes, command.n_nodes, ret_output));
    *ret_selection = sw__take(selection);
    return SW_OK;
}
