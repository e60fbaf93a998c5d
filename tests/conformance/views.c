/*
 * The sections view and tensor: new tensors on the same carrier, construction
 * and element access.
 */
#include "config.h"

#include "conformance.h"

#define MAX_MODES 16

/* A view's tensor, and the tree that an option holds. */
static enum sw_status source(struct trial *trial, struct sw_tensor **ret_tensor)
{
    const json_t *operands = json_object_get(trial->args, "operands");

    return build_tensor(trial, json_object_get(json_array_get(operands, 0), "tensor"), ret_tensor);
}

static enum sw_status option_tree(struct trial *trial, const char *key, struct sw_tree **ret_tree)
{
    return build_tree(trial, json_object_get(trial->options, key), ret_tree);
}

static enum sw_status view_came(struct trial *trial, const struct sw_tensor *from, struct sw_tensor *view,
                                json_t **ret_came)
{
    view = trial_tensor(trial, view);
    if (sw_tensor_carrier(view) != sw_tensor_carrier(from))
        trial_fail(trial, "the view is not on its source's carrier");
    if (sw_carrier_version(sw_tensor_carrier(from)) != 0)
        trial_fail(trial, "the view changed its carrier's version");
    *ret_came = show_tensor(view);
    return SW_OK;
}

static enum sw_status slice(struct trial *trial, json_t **ret_came)
{
    json_t *full = trial_json(trial, build_full_key(json_object_get(trial->options, "key")));
    struct sw_tensor *from;
    struct sw_tree *key;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(build_tree(trial, full, &key));
    TRY(sw_slice(from, key, &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status reshape(struct trial *trial, json_t **ret_came)
{
    struct sw_tensor *from;
    struct sw_tree *target;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(option_tree(trial, "target", &target));
    TRY(sw_reshape(from, target, &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status broadcast_to(struct trial *trial, json_t **ret_came)
{
    struct sw_tensor *from;
    struct sw_tree *target;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(option_tree(trial, "target", &target));
    TRY(sw_broadcast_to(from, target, &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status broadcast_in_dim(struct trial *trial, json_t **ret_came)
{
    int64_t dims[MAX_MODES];
    size_t n = build_integers(json_object_get(trial->options, "broadcast_dimensions"), dims, MAX_MODES);
    struct sw_tensor *from;
    struct sw_tree *target;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(option_tree(trial, "target", &target));
    TRY(sw_broadcast_in_dim(from, target, dims, n, &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status as_strided(struct trial *trial, json_t **ret_came)
{
    struct sw_tensor *from;
    struct sw_tree *shape;
    struct sw_tree *stride;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(option_tree(trial, "shape", &shape));
    TRY(option_tree(trial, "stride", &stride));
    TRY(sw_as_strided(from, shape, stride, &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status unsqueeze(struct trial *trial, json_t **ret_came)
{
    struct sw_tensor *from;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(sw_unsqueeze(from, json_integer_value(json_object_get(trial->options, "dim")), &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status squeeze(struct trial *trial, json_t **ret_came)
{
    struct sw_tensor *from;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(sw_squeeze(from, json_integer_value(json_object_get(trial->options, "dim")), &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status permute(struct trial *trial, json_t **ret_came)
{
    int64_t order[MAX_MODES];
    size_t n = build_integers(json_object_get(trial->options, "order"), order, MAX_MODES);
    struct sw_tensor *from;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(sw_permute(from, order, n, &view));
    return view_came(trial, from, view, ret_came);
}

static enum sw_status rearrange(struct trial *trial, json_t **ret_came)
{
    struct sw_tensor *from;
    struct sw_tensor *view = NULL;

    TRY(source(trial, &from));
    TRY(sw_rearrange_command(from, json_string_value(json_object_get(trial->options, "command")), &view));
    return view_came(trial, from, view, ret_came);
}

static const struct action view_actions[] = {
    { "slice", slice },
    { "reshape", reshape },
    { "broadcast_to", broadcast_to },
    { "broadcast_in_dim", broadcast_in_dim },
    { "as_strided", as_strided },
    { "unsqueeze", unsqueeze },
    { "squeeze", squeeze },
    { "permute", permute },
    { "rearrange", rearrange },
};

void run_view(struct trial *trial)
{
    trial_run(trial, view_actions, N_ELEMENTS(view_actions));
}

static enum sw_status construct(struct trial *trial, json_t **ret_came)
{
    size_t size = (size_t)json_integer_value(json_object_get(trial->args, "size"));
    struct sw_carrier_class *carrier_class =
        build_carrier_class(json_string_value(json_object_get(trial->args, "carrier")));
    json_t *zeros = trial_json(trial, json_array());
    struct sw_carrier *carrier;
    struct sw_layout *layout;
    struct sw_tensor *tensor = NULL;

    for (size_t i = 0; i < size; i++)
        json_array_append_new(zeros, json_real(0.0));
    TRY(build_carrier(trial, carrier_class, SW_FLOAT32, zeros, 0, &carrier));
    TRY(build_layout(trial, json_object_get(trial->args, "layout"), &layout));
    TRY(sw_tensor_new(carrier, json_integer_value(json_object_get(trial->args, "offset")), layout, &tensor));
    tensor = trial_tensor(trial, tensor);
    *ret_came = json_pack("{s:{s:I,s:I}}", "value", "size", (json_int_t)sw_tensor_size(tensor), "offset",
                          (json_int_t)sw_tensor_offset(tensor));
    return SW_OK;
}

static enum sw_status get(struct trial *trial, json_t **ret_came)
{
    const json_t *key = json_object_get(trial->args, "key");
    struct sw_tensor *tensor;
    struct sw_tree *coordinate;
    struct sw_scalar value;

    TRY(build_tensor(trial, json_object_get(trial->args, "tensor"), &tensor));
    if (json_array_size(key) == 1 && sw_layout_rank(sw_tensor_layout(tensor)) != 1) {
        trial_skip(trial, "a coordinate of one leaf is the ordinal in C");
        return SW_OK;
    }
    TRY(build_tree(trial, key, &coordinate));
    TRY(sw_tensor_get(tensor, coordinate, &value));
    *ret_came = show_field("value", show_scalar(&value));
    return SW_OK;
}

static const struct action tensor_actions[] = { { "construct", construct }, { "get", get } };

void run_tensor(struct trial *trial)
{
    trial_run(trial, tensor_actions, N_ELEMENTS(tensor_actions));
}
