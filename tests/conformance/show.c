/*
 * From the library's values to JSON, in the form in which the case file writes
 * them, so that comparison and messages need only one kind of value.
 */
#include "config.h"

#include <math.h>

#include "conformance.h"

/* The JSON of one entry of nodes[]; *position moves behind it. */
static json_t *show_node(const struct sw_tree *tree, size_t *position)
{
    int64_t node = tree->nodes[(*position)++];
    json_t *list;

    if (!SW_TREE_IS_NESTED(node))
        return json_integer(node);
    list = json_array();
    for (uint32_t i = 0; i < SW_TREE_COUNT(node); i++)
        json_array_append_new(list, show_node(tree, position));
    return list;
}

json_t *show_tree(const struct sw_tree *tree)
{
    json_t *list = json_array();
    size_t position = 0;

    for (uint32_t i = 0; i < tree->n_modes; i++)
        json_array_append_new(list, show_node(tree, &position));
    return list;
}

json_t *show_layout(const struct sw_layout *layout)
{
    json_t *json = json_object();

    json_object_set_new(json, "shape", show_tree(sw_layout_shape(layout)));
    json_object_set_new(json, "stride", show_tree(sw_layout_stride(layout)));
    return json;
}

json_t *show_number(double value)
{
    if (isnan(value))
        return json_string("nan");
    if (isinf(value))
        return json_string(value > 0 ? "inf" : "-inf");
    if (value == 0 && signbit(value))
        return json_string("-0");
    return json_real(value);
}

json_t *show_scalar(const struct sw_scalar *value)
{
    if (value->kind == SW_SCALAR_BOOLEAN)
        return json_boolean(value->as.boolean);
    if (value->kind == SW_SCALAR_INTEGER)
        return json_integer(value->as.integer);
    return show_number(value->as.floating);
}

json_t *show_tensor(const struct sw_tensor *tensor)
{
    json_t *json = json_object();
    json_t *values = json_array();
    struct sw_scalar value;

    json_object_set_new(json, "dtype", json_string(sw_dtype_name(sw_tensor_dtype(tensor))));
    json_object_set_new(json, "layout", show_layout(sw_tensor_layout(tensor)));
    json_object_set_new(json, "offset", json_integer(sw_tensor_offset(tensor)));
    json_object_set_new(json, "values", values);
    for (int64_t i = 0; i < sw_tensor_size(tensor); i++) {
        if (sw_tensor_get_ordinal(tensor, i, &value) != SW_OK) {
            json_decref(json);
            return NULL;
        }
        json_array_append_new(values, show_scalar(&value));
    }
    return json;
}

json_t *show_field(const char *key, json_t *value)
{
    json_t *json = json_object();

    json_object_set_new(json, key, value);
    return json;
}
