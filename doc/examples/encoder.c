/*
 * A layer of a transformer's encoder, one operation of the library after the other.
 */
#include "encoder.h"

#include <math.h>

#include "scoped.h"
#include "texts.h"

const struct encoder_parameter_kind encoder_parameter_kinds[N_PARAMETERS] = {
    [ATTENTION_IN_WEIGHT] = { "self_attn.in_proj_weight", "(64,(16,4),3)", 0.0, 0.125 },
    [ATTENTION_IN_BIAS] = { "self_attn.in_proj_bias", "((1,1),(16,4),3)", 0.0, 0.1 },
    [ATTENTION_OUT_WEIGHT] = { "self_attn.out_proj.weight", "((16,4),64)", 0.0, 0.125 },
    [ATTENTION_OUT_BIAS] = { "self_attn.out_proj.bias", "((1,1),64)", 0.0, 0.1 },
    [LINEAR_1_WEIGHT] = { "linear1.weight", "(64,128)", 0.0, 0.125 },
    [LINEAR_1_BIAS] = { "linear1.bias", "((1,1),128)", 0.0, 0.1 },
    [LINEAR_2_WEIGHT] = { "linear2.weight", "(128,64)", 0.0, 0.125 },
    [LINEAR_2_BIAS] = { "linear2.bias", "((1,1),64)", 0.0, 0.1 },
    [NORM_1_WEIGHT] = { "norm1.weight", "((1,1),64)", 1.0, 0.1 },
    [NORM_1_BIAS] = { "norm1.bias", "((1,1),64)", 0.0, 0.1 },
    [NORM_2_WEIGHT] = { "norm2.weight", "((1,1),64)", 1.0, 0.1 },
    [NORM_2_BIAS] = { "norm2.bias", "((1,1),64)", 0.0, 0.1 },
};

/* @in times weights that stand as (inputs,outputs), and a bias. */
static enum sw_status linear(const struct sw_tensor *in, const struct sw_tensor *weights, const struct sw_tensor *bias,
                             struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *rows = NULL, *product = NULL;

    TRY(transposed(weights, &rows));
    TRY(sw_matmul(in, rows, NULL, &product));
    return sw_add(product, bias, ret_tensor);
}

/* The mean over the features of each token: ((sequence,batch),1). */
static enum sw_status mean_of_features(const struct sw_tensor *in, struct sw_tensor **ret_mean)
{
    OWNED struct sw_tensor *sum = NULL;

    TRY(sw_reduce_sum(in, "t f -> t 1", NULL, &sum));
    return sw_mul_f64(sum, 1.0 / N_FEATURES, ret_mean);
}

static enum sw_status normalise(const struct sw_tensor *in, const struct sw_tensor *epsilon,
                                const struct sw_tensor *weight, const struct sw_tensor *bias,
                                struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *mean = NULL, *centred = NULL, *squares = NULL, *variance = NULL, *raised = NULL;
    OWNED struct sw_tensor *factor = NULL, *normal = NULL, *scaled = NULL;

    TRY(mean_of_features(in, &mean));
    TRY(sw_sub(in, mean, &centred));
    TRY(sw_mul(centred, centred, &squares));
    TRY(mean_of_features(squares, &variance));
    TRY(sw_add(variance, epsilon, &raised));
    TRY(sw_rsqrt(raised, &factor));
    TRY(sw_mul(centred, factor, &normal));
    TRY(sw_mul(normal, weight, &scaled));
    return sw_add(scaled, bias, ret_tensor);
}

/* Over the second mode of (queries,keys,batch,heads). The greatest is taken away first: exp() cannot overflow then. */
static enum sw_status softmax_over_keys(const struct sw_tensor *in, struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *greatest = NULL, *shifted = NULL, *powers = NULL, *sum = NULL;

    TRY(sw_reduce_max(in, "q k b h -> q 1 b h", &greatest));
    TRY(sw_sub(in, greatest, &shifted));
    TRY(sw_exp(shifted, &powers));
    TRY(sw_reduce_sum(powers, "q k b h -> q 1 b h", NULL, &sum));
    return sw_div(powers, sum, ret_tensor);
}

/* Queries, keys or values, the first, second and third part of the projection: ((sequence,batch),(16,4)). */
static enum sw_status project(const struct encoder_layer *layer, const struct sw_tensor *in, const char *key,
                              struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *weight = NULL, *bias = NULL;

    TRY(slice_by(layer->parameters[ATTENTION_IN_WEIGHT], key, &weight));
    TRY(slice_by(layer->parameters[ATTENTION_IN_BIAS], key, &bias));
    return linear(in, weight, bias, ret_tensor);
}

static enum sw_status attend(const struct encoder_layer *layer, const struct sw_tensor *in,
                             struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *queries = NULL, *keys = NULL, *values = NULL, *scores = NULL, *scaled = NULL;
    OWNED struct sw_tensor *shares = NULL, *mixed = NULL;

    TRY(project(layer, in, "((*,*,*),(*,*,*),0)", &queries));
    TRY(project(layer, in, "((*,*,*),(*,*,*),1)", &keys));
    TRY(project(layer, in, "((*,*,*),(*,*,*),2)", &values));
    TRY(sw_einsum(queries, keys, "(q b) (c h), (k b) (c h) -> q k b h", &scores));
    TRY(sw_mul_f64(scores, 1.0 / sqrt(N_HEAD_FEATURES), &scaled));
    TRY(softmax_over_keys(scaled, &shares));
    TRY(sw_einsum(shares, values, "q k b h, (k b) (c h) -> (q b) (c h)", &mixed));
    return linear(mixed, layer->parameters[ATTENTION_OUT_WEIGHT], layer->parameters[ATTENTION_OUT_BIAS], ret_tensor);
}

static enum sw_status feed_forward(const struct encoder_layer *layer, const struct sw_tensor *in,
                                   struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *hidden = NULL, *active = NULL;

    TRY(linear(in, layer->parameters[LINEAR_1_WEIGHT], layer->parameters[LINEAR_1_BIAS], &hidden));
    TRY(sw_gelu(hidden, &active));
    return linear(active, layer->parameters[LINEAR_2_WEIGHT], layer->parameters[LINEAR_2_BIAS], ret_tensor);
}

enum sw_status encoder_layer_forward(const struct encoder_layer *layer, const struct sw_tensor *epsilon,
                                     const struct sw_tensor *in, struct sw_tensor **ret_tokens)
{
    struct sw_tensor *const *parameters = layer->parameters;
    OWNED struct sw_tensor *normal = NULL, *attended = NULL, *between = NULL, *normal_2 = NULL, *fed = NULL;

    TRY(normalise(in, epsilon, parameters[NORM_1_WEIGHT], parameters[NORM_1_BIAS], &normal));
    TRY(attend(layer, normal, &attended));
    TRY(sw_add(in, attended, &between));
    TRY(normalise(between, epsilon, parameters[NORM_2_WEIGHT], parameters[NORM_2_BIAS], &normal_2));
    TRY(feed_forward(layer, normal_2, &fed));
    return sw_add(between, fed, ret_tokens);
}
