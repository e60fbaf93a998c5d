/*
 * The text form of layouts: two trees with a colon between them.
 */
#include "config.h"

#include "base/alloc.h"
#include "layout/make.h"

enum sw_status sw_layout_parse(const char *text, struct sw_layout **ret_layout)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_tree *stride SW__OWNED_TREE = NULL;
    size_t position = 0;

    if (text == NULL)
        return sw_error_set(SW_TYPE_ERROR, "the text of a layout is NULL");
    SW__TRY(sw__tree_read(text, &position, &shape));
    if (text[position] != ':')
        return sw_error_set(SW_VALUE_ERROR, "expected ':' at position %zu of the text of a layout", position);
    position++;
    SW__TRY(sw__tree_read(text, &position, &stride));
    if (text[position] != '\0')
        return sw_error_set(SW_VALUE_ERROR, "expected the end of the text of a layout at position %zu, found '%c'",
                            position, text[position]);
    return sw_layout_new(shape, stride, ret_layout);
}

enum sw_status sw_layout_format(const struct sw_layout *layout, char **ret_text)
{
    SW__TRY(sw__check_layout(layout, "the argument"));
    char *text = sw__alloc(sw__tree_print_bytes(layout->shape) + sw__tree_print_bytes(layout->stride));
    if (text == NULL)
        return SW_MEMORY_ERROR;
    char *end = sw__tree_print(layout->shape, text);
    *end++ = ':';
    *sw__tree_print(layout->stride, end) = '\0';
    *ret_text = text;
    return SW_OK;
}
