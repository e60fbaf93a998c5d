/*
 * The text form of trees. Reading keeps its own stack of open parentheses and
 * never recurses; printing recurses as deep as a tree may nest.
 */
#include "config.h"

#include "layout/tree.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "layout/layout.h"
#include "layout/nodes.h"

/* "-9223372036854775808" and a comma. */
#define LEAF_BYTES 21

struct reader {
    const char *text;
    size_t position;
    size_t open[SW__TREE_MAX_DEPTH]; /* entry of the nested mode that each open parenthesis began */
    uint32_t n_modes[SW__TREE_MAX_DEPTH];
    size_t level; /* open parentheses */
    struct sw__nodes nodes;
};

static void clear_reader(struct reader *reader)
{
    sw__nodes_clear(&reader->nodes);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char skip_blanks(struct reader *reader)
{
    while (reader->text[reader->position] == ' ' || reader->text[reader->position] == '\t' ||
           reader->text[reader->position] == '\n' || reader->text[reader->position] == '\r')
        reader->position++;
    return reader->text[reader->position];
}

static enum sw_status unexpected(const struct reader *reader, const char *expected)
{
    char c = reader->text[reader->position];

    if (c == '\0')
        return sw_error_set(SW_VALUE_ERROR, "the text of a tree ends at position %zu where %s is expected",
                            reader->position, expected);
    return sw_error_set(SW_VALUE_ERROR, "expected %s at position %zu of the text of a tree, found '%c'", expected,
                        reader->position, c);
}

static enum sw_status read_integer(struct reader *reader)
{
    size_t begin = reader->position;
    int negative = reader->text[begin] == '-';
    int64_t value = 0;
    int fits = 1;

    reader->position += (size_t)negative;
    if (!is_digit(reader->text[reader->position]))
        return unexpected(reader, "a digit");
    /* Collected as a negative number, whose range is the larger one. */
    for (; is_digit(reader->text[reader->position]); reader->position++)
        fits = fits && sw__mul_fits(value, 10, &value) &&
               sw__add_fits(value, '0' - reader->text[reader->position], &value);
    if (!fits || (negative ? SW_TREE_IS_NESTED(value) : value <= -SW_TREE_ANY))
        return sw_error_set(SW_VALUE_ERROR, "the integer at position %zu of the text of a tree is out of range", begin);
    sw__nodes_push(&reader->nodes, negative ? value : -value);
    return SW_OK;
}

static enum sw_status open_mode(struct reader *reader)
{
    if (reader->level >= SW__TREE_MAX_DEPTH)
        return sw_error_set(SW_VALUE_ERROR, "the text of a tree nests deeper than %d levels at position %zu",
                            SW__TREE_MAX_DEPTH, reader->position);
    reader->position++;
    reader->open[reader->level] = reader->nodes.n;
    reader->n_modes[reader->level] = 0;
    /* The first parenthesis is the tree itself. */
    if (reader->level++ > 0)
        sw__nodes_push(&reader->nodes, SW_TREE_NESTED(0));
    return SW_OK;
}

static void close_mode(struct reader *reader)
{
    reader->position++;
    if (--reader->level > 0 && reader->nodes.status == SW_OK)
        reader->nodes.at[reader->open[reader->level]] = SW_TREE_NESTED(reader->n_modes[reader->level]);
}

static enum sw_status read_leaf(struct reader *reader, char c)
{
    if (c == '-' || is_digit(c))
        return read_integer(reader);
    if (c != '*')
        return unexpected(reader, "an integer, '*' or '('");
    reader->position++;
    sw__nodes_push(&reader->nodes, SW_TREE_ANY);
    return SW_OK;
}

/* Close what ends here, then step over the comma before the next mode. */
static enum sw_status after_mode(struct reader *reader)
{
    while (reader->level > 0) {
        reader->n_modes[reader->level - 1]++;
        char c = skip_blanks(reader);
        if (c == ',') {
            reader->position++;
            return SW_OK;
        }
        if (c != ')')
            return unexpected(reader, "',' or ')'");
        close_mode(reader);
    }
    return SW_OK;
}

static enum sw_status read_modes(struct reader *reader)
{
    do {
        char c = skip_blanks(reader);
        if (c == '(') {
            SW__TRY(open_mode(reader));
            if (skip_blanks(reader) != ')')
                continue;
            close_mode(reader);
        } else {
            SW__TRY(read_leaf(reader, c));
        }
        SW__TRY(after_mode(reader));
    } while (reader->level > 0 && reader->nodes.status == SW_OK);
    return reader->nodes.status;
}

enum sw_status sw__tree_read(const char *text, size_t *position, struct sw_tree **ret_tree)
{
    struct reader reader SW__CLEANUP(clear_reader);
    struct sw_tree *tree = NULL;

    reader.text = text;
    reader.position = *position;
    reader.level = 0;
    sw__nodes_init(&reader.nodes);
    SW__TRY(read_modes(&reader));
    SW__TRY(sw_tree_new(reader.nodes.at, reader.nodes.n, &tree));
    skip_blanks(&reader);
    *position = reader.position;
    *ret_tree = tree;
    return SW_OK;
}

enum sw_status sw_tree_parse(const char *text, struct sw_tree **ret_tree)
{
    struct sw_tree *tree SW__OWNED_TREE = NULL;
    size_t position = 0;

    if (text == NULL)
        return sw_error_set(SW_TYPE_ERROR, "the text of a tree is NULL");
    SW__TRY(sw__tree_read(text, &position, &tree));
    if (text[position] != '\0')
        return sw_error_set(SW_VALUE_ERROR, "expected the end of the text of a tree at position %zu, found '%c'",
                            position, text[position]);
    *ret_tree = sw__take(tree);
    return SW_OK;
}

size_t sw__tree_print_bytes(const struct sw_tree *tree)
{
    /* A nested mode is written as two parentheses and a comma. */
    return 3 + (size_t)tree->n_nodes * LEAF_BYTES;
}

static char *print_modes(const int64_t **node, size_t n_modes, char *text)
{
    *text++ = '(';
    for (size_t mode = 0; mode < n_modes; mode++) {
        int64_t value = *(*node)++;

        if (mode > 0)
            *text++ = ',';
        if (SW_TREE_IS_NESTED(value))
            text = print_modes(node, SW_TREE_COUNT(value), text);
        else if (value == SW_TREE_ANY)
            *text++ = '*';
        else
            text += snprintf(text, LEAF_BYTES, "%lld", (long long)value);
    }
    *text++ = ')';
    return text;
}

char *sw__tree_print(const struct sw_tree *tree, char *text)
{
    const int64_t *node = tree->nodes;

    return print_modes(&node, tree->n_modes, text);
}

enum sw_status sw_tree_format(const struct sw_tree *tree, char **ret_text)
{
    SW__TRY(sw__check_tree(tree, "the argument"));
    char *text = sw__alloc(sw__tree_print_bytes(tree));
    if (text == NULL)
        return SW_MEMORY_ERROR;
    *sw__tree_print(tree, text) = '\0';
    *ret_text = text;
    return SW_OK;
}
