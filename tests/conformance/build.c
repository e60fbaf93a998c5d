/*
 * From JSON to the library's values: trees, layouts, carriers, tensors,
 * operands. Only the public API is used.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

static const struct {
    const char *text;
    double value;
} special_numbers[] = {
    { "nan", (double)NAN },
    { "inf", (double)INFINITY },
    { "-inf", -(double)INFINITY },
    { "-0", -0.0 },
};

double build_number(const json_t *json)
{
    if (json_is_string(json)) {
        for (size_t i = 0; i < N_ELEMENTS(special_numbers); i++)
            if (strcmp(json_string_value(json), special_numbers[i].text) == 0)
                return special_numbers[i].value;
        return (double)NAN;
    }
    return json_number_value(json);
}

enum sw_dtype build_dtype(const char *name)
{
    static const enum sw_dtype dtypes[] = {
#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) SW_##enumerator,
#include <strideweave/dtype.def>
#undef SW_DTYPE
#define SW_COMPOUND_DTYPE(enumerator, number, name, element, block, scale, whole) SW_##enumerator,
#include <strideweave/compound.def>
#undef SW_COMPOUND_DTYPE
    };

    for (size_t i = 0; name != NULL && i < N_ELEMENTS(dtypes); i++)
        if (strcmp(sw_dtype_name(dtypes[i]), name) == 0)
            return dtypes[i];
    return SW_DTYPE_NONE;
}

static const struct {
    const char *name;
    struct sw_carrier_class *(*get)(void);
} carrier_classes[] = { { "Generic", sw_generic_class }, { "CPU", sw_cpu_class } };

const char *const build_carrier_names[] = { "Generic", "CPU", NULL };

struct sw_carrier_class *build_carrier_class(const char *name)
{
    for (size_t i = 0; i < N_ELEMENTS(carrier_classes); i++)
        if (strcmp(carrier_classes[i].name, name) == 0)
            return carrier_classes[i].get();
    return NULL;
}

size_t build_integers(const json_t *json, int64_t *integers, size_t n)
{
    size_t used = json_array_size(json) < n ? json_array_size(json) : n;

    for (size_t i = 0; i < used; i++)
        integers[i] = json_integer_value(json_array_get(json, i));
    return used;
}

static size_t count_nodes(const json_t *json)
{
    size_t n = 1;

    for (size_t i = 0; i < json_array_size(json); i++)
        n += count_nodes(json_array_get(json, i));
    return n;
}

/* A leaf that is no integer (null, "leaf") has no identity. */
static int64_t *write_nodes(const json_t *json, int64_t *nodes)
{
    if (!json_is_array(json)) {
        *nodes++ = json_is_integer(json) ? json_integer_value(json) : SW_TREE_ANY;
        return nodes;
    }
    *nodes++ = SW_TREE_NESTED(json_array_size(json));
    for (size_t i = 0; i < json_array_size(json); i++)
        nodes = write_nodes(json_array_get(json, i), nodes);
    return nodes;
}

enum sw_status build_tree(struct trial *trial, const json_t *json, struct sw_tree **ret_tree)
{
    struct sw_tree *tree = NULL;
    size_t n_nodes = count_nodes(json);
    int64_t *nodes = calloc(n_nodes, sizeof(*nodes));
    enum sw_status status;

    if (nodes == NULL)
        return sw_error_set(SW_MEMORY_ERROR, "There is no memory for a tree of %zu nodes.", n_nodes);
    write_nodes(json, nodes);
    /* The top level has no node of its own. */
    status = json_is_array(json) ? sw_tree_new(nodes + 1, n_nodes - 1, &tree) : sw_tree_new(nodes, 1, &tree);
    free(nodes);
    if (status == SW_OK)
        *ret_tree = trial_tree(trial, tree);
    return status;
}

enum sw_status build_layout(struct trial *trial, const json_t *json, struct sw_layout **ret_layout)
{
    struct sw_tree *shape;
    struct sw_tree *stride;
    struct sw_layout *layout = NULL;

    TRY(build_tree(trial, json_object_get(json, "shape"), &shape));
    TRY(build_tree(trial, json_object_get(json, "stride"), &stride));
    TRY(sw_layout_new(shape, stride, &layout));
    *ret_layout = trial_layout(trial, layout);
    return SW_OK;
}

struct sw_scalar build_scalar(enum sw_dtype dtype, const json_t *json)
{
    struct sw_scalar scalar;

    memset(&scalar, 0, sizeof(scalar));
    if (dtype == SW_BOOL) {
        scalar.kind = SW_SCALAR_BOOLEAN;
        scalar.as.boolean = json_is_true(json);
    } else if (dtype == SW_INT32) {
        scalar.kind = SW_SCALAR_INTEGER;
        scalar.as.integer = json_integer_value(json);
    } else {
        scalar.kind = SW_SCALAR_FLOATING;
        scalar.as.floating = build_number(json);
    }
    return scalar;
}

static enum sw_status new_generic(const struct sw_scalar *values, size_t n, enum sw_dtype dtype, int immutable,
                                  struct sw_carrier **ret_carrier)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;

    options.dtype = (int32_t)dtype;
    options.immutable = immutable;
    return sw_generic_new(values, n, &options, ret_carrier);
}

/* An immutable CPU carrier can only be made from another one's values. */
static enum sw_status new_cpu(const struct sw_scalar *values, size_t n, enum sw_dtype dtype, int immutable,
                              struct sw_carrier **ret_carrier)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *prototype = NULL;
    enum sw_status status;

    options.dtype = (int32_t)dtype;
    TRY(sw_cpu_new(0, &options, &prototype));
    status = sw_carrier_new_like(prototype, values, n, !immutable, dtype, ret_carrier);
    sw_carrier_unref(prototype);
    return status;
}

static enum sw_status new_file_backed(const struct sw_scalar *values, size_t n, enum sw_dtype dtype, int immutable,
                                      struct sw_carrier **ret_carrier)
{
    struct sw_file_backed_options options = SW_FILE_BACKED_OPTIONS_INIT;
    struct sw_carrier *empty = NULL;
    enum sw_status status;

    options.dtype = (int32_t)dtype;
    TRY(sw_file_backed_new(&options, &empty));
    if (n == 0 && !immutable) {
        *ret_carrier = empty;
        return SW_OK;
    }
    status = sw_carrier_new_like(empty, values, n, !immutable, dtype, ret_carrier);
    sw_carrier_unref(empty);
    return status;
}

/* How carriers with given values are made. */
static const struct {
    struct sw_carrier_class *(*get)(void);
    enum sw_status (*make)(const struct sw_scalar *values, size_t n, enum sw_dtype dtype, int immutable,
                           struct sw_carrier **ret_carrier);
} makers[] = {
    { sw_generic_class, new_generic },
    { sw_cpu_class, new_cpu },
    { sw_file_backed_class, new_file_backed },
};

enum sw_status build_carrier(struct trial *trial, struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                             const json_t *values, int immutable, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier = NULL;
    size_t n = json_array_size(values);
    struct sw_scalar *scalars = calloc(n + 1, sizeof(*scalars));
    enum sw_status status = SW_NOT_IMPLEMENTED_ERROR;

    if (scalars == NULL)
        return sw_error_set(SW_MEMORY_ERROR, "There is no memory for %zu scalars.", n);
    for (size_t i = 0; i < n; i++)
        scalars[i] = build_scalar(dtype, json_array_get(values, i));
    for (size_t i = 0; i < N_ELEMENTS(makers); i++)
        if (makers[i].get() == carrier_class)
            status = makers[i].make(scalars, n, dtype, immutable, &carrier);
    free(scalars);
    if (status == SW_OK)
        *ret_carrier = trial_carrier(trial, carrier);
    return status;
}

enum sw_status build_tensor(struct trial *trial, const json_t *json, struct sw_tensor **ret_tensor)
{
    enum sw_dtype dtype = build_dtype(json_string_value(json_object_get(json, "dtype")));
    struct sw_carrier *carrier = NULL;
    struct sw_layout *layout = NULL;
    struct sw_tensor *tensor = NULL;

    TRY(build_carrier(trial, trial->carrier_class, dtype, json_object_get(json, "values"), 0, &carrier));
    TRY(build_layout(trial, json, &layout));
    TRY(sw_tensor_new(carrier, json_integer_value(json_object_get(json, "offset")), layout, &tensor));
    *ret_tensor = trial_tensor(trial, tensor);
    return SW_OK;
}

enum sw_status build_operand(struct trial *trial, const json_t *json, struct sw_operand *ret_operand)
{
    struct sw_tensor *tensor = NULL;

    if (json_is_integer(json)) {
        *ret_operand = sw_operand_integer(json_integer_value(json));
    } else if (!json_is_object(json)) {
        *ret_operand = sw_operand_floating(build_number(json));
    } else {
        TRY(build_tensor(trial, json_object_get(json, "tensor"), &tensor));
        *ret_operand = sw_operand_tensor(tensor);
    }
    return SW_OK;
}

json_t *build_full_key(const json_t *key)
{
    json_t *full = json_deep_copy(key);
    json_t *entry;

    for (size_t i = 0; i < json_array_size(full); i++) {
        entry = json_array_get(full, i);
        while (json_is_array(entry) && json_array_size(entry) < 3)
            json_array_append_new(entry, json_null());
    }
    return full;
}
