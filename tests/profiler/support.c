/*
 * What the Profiler's tests share.
 */
#include "config.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

struct sw_tensor *make_shaped(struct sw_carrier_class *carrier_class, const char *shape)
{
    struct sw_tree *tree;
    struct sw_tensor *tensor;
    struct sw_scalar one = {.kind = SW_SCALAR_FLOATING, .as.floating = 1};

    ck_assert_status(sw_tree_parse(shape, &tree), SW_OK);
    ck_assert_status(sw_tensor_full(carrier_class, SW_FLOAT32, tree, &one, &tensor), SW_OK);
    sw_tree_unref(tree);
    return tensor;
}

struct sw_tensor *make_tensor(struct sw_carrier_class *carrier_class)
{
    return make_shaped(carrier_class, "(2,3)");
}

void run_neg(void)
{
    struct sw_tensor *in = make_tensor(sw_generic_class());
    struct sw_tensor *out;

    ck_assert_status(sw_neg(in, &out), SW_OK);
    sw_tensor_unref(out);
    sw_tensor_unref(in);
}

/* ---- The plug-in ------------------------------------------------------------------------ */

static enum sw_status leaf(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                           const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)n_operands;
    (void)options;
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

static enum sw_status call(const char *name, const struct sw_operand *operands, size_t n_operands,
                           struct sw_tensor **ret_tensor)
{
    struct sw_operation *inner;
    enum sw_status status = sw_carrier_dispatch(sw_tensor_carrier(operands[0].as.tensor), name, &inner);

    if (status != SW_OK)
        return status;
    status = sw_operation_forward_lowered(inner, operands, n_operands, NULL, ret_tensor);
    sw_operation_unref(inner);
    return status;
}

static enum sw_status inner(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)options;
    return call("leaf", operands, n_operands, ret_tensor);
}

static enum sw_status outer(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)options;
    return call("inner", operands, n_operands, ret_tensor);
}

static enum sw_status pair(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                           const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *first;
    enum sw_status status = call("leaf", operands, n_operands, &first);

    (void)operation;
    (void)options;
    if (status != SW_OK)
        return status;
    sw_tensor_unref(first);
    return call("leaf", operands, n_operands, ret_tensor);
}

static enum sw_status fails(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                           const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)operands;
    (void)n_operands;
    (void)options;
    (void)ret_tensor;
    return sw_error_set(SW_VALUE_ERROR, "fails on purpose");
}

static enum sw_status mixed(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)options;
    run_neg();
    return call("leaf", operands, n_operands, ret_tensor);
}

enum sw_status (*plugin_callback)(void *argument);
void *plugin_argument;

static enum sw_status calls(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    enum sw_status status = plugin_callback(plugin_argument);

    (void)operation;
    (void)n_operands;
    (void)options;
    if (status != SW_OK)
        return status;
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

#define PLUGIN_CLASS(name) \
    static struct sw_operation_class name##_class = {.head = SW_OPERATION_CLASS_HEAD("plugin", #name), .compute = name}
PLUGIN_CLASS(leaf);
PLUGIN_CLASS(inner);
PLUGIN_CLASS(outer);
PLUGIN_CLASS(pair);
PLUGIN_CLASS(fails);
PLUGIN_CLASS(mixed);
PLUGIN_CLASS(calls);

static enum sw_status dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    static struct sw_operation_class *const classes[] = {&leaf_class, &inner_class, &outer_class,
                                                         &pair_class, &fails_class, &mixed_class,
                                                         &calls_class};

    (void)carrier;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(classes[i]->head.qualified_name, name) == 0)
            return sw_operation_new(classes[i], ret_operation);
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "the plug-in has no '%s'", name);
}

static size_t size(const struct sw_carrier *carrier)
{
    (void)carrier;
    return 1;
}

static enum sw_dtype dtype(const struct sw_carrier *carrier)
{
    (void)carrier;
    return SW_FLOAT32;
}

static enum sw_status get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    (void)carrier;
    (void)slot;
    ret_value->kind = SW_SCALAR_FLOATING;
    ret_value->as.floating = 1;
    return SW_OK;
}

static enum sw_status allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                    enum sw_dtype wanted, int uninitialized, struct sw_carrier **ret_carrier)
{
    (void)prototype;
    (void)n;
    (void)mutable_storage;
    (void)wanted;
    (void)uninitialized;
    return sw_carrier_new(&plugin_class, 0, ret_carrier);
}

static enum sw_status new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype wanted, struct sw_carrier **ret_carrier)
{
    (void)values;
    return allocate_like(prototype, n, mutable_storage, wanted, 0, ret_carrier);
}

struct sw_carrier_class plugin_class = {
    .head = SW_CARRIER_CLASS_HEAD("plugin", "Plugin"),
    .size = size,
    .dtype = dtype,
    .get = get,
    .new_like = new_like,
    .allocate_like = allocate_like,
    .dispatch = dispatch,
};

struct sw_tensor *make_plugin_tensor(void)
{
    struct sw_carrier *carrier;
    struct sw_layout *layout;
    struct sw_tensor *tensor;

    ck_assert_status(sw_carrier_new(&plugin_class, 0, &carrier), SW_OK);
    ck_assert_status(sw_layout_parse("1:1", &layout), SW_OK);
    ck_assert_status(sw_tensor_new(carrier, 0, layout, &tensor), SW_OK);
    sw_carrier_unref(carrier);
    sw_layout_unref(layout);
    return tensor;
}

enum sw_status run_plugin(const char *name)
{
    struct sw_tensor *in = make_plugin_tensor();
    struct sw_tensor *out = NULL;
    struct sw_operand operand = sw_operand_tensor(in);
    enum sw_status status = call(name, &operand, 1, &out);

    sw_tensor_unref(out);
    sw_tensor_unref(in);
    return status;
}

/* ---- Profilers ------------------------------------------------------------------------------ */

struct sw_profiler *enter_profiler(const struct sw_profiler_options *options)
{
    struct sw_profiler *profiler;

    ck_assert_status(sw_profiler_new(options, &profiler), SW_OK);
    ck_assert_status(sw_profiler_enter(profiler), SW_OK);
    return profiler;
}

struct sw_profiler *profile_one_neg(int record_shapes)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.record_shapes = record_shapes;
    struct sw_profiler *profiler = enter_profiler(&options);
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    return profiler;
}

const struct sw_profiler_event *events_of(struct sw_profiler *profiler, size_t n_expected)
{
    const struct sw_profiler_event *events;
    size_t n;

    ck_assert_status(sw_profiler_events(profiler, &events, &n), SW_OK);
    ck_assert_uint_eq(n, n_expected);
    return events;
}
