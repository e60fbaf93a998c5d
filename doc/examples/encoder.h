/*
 * A layer of a transformer's encoder: attention of several heads and two linear
 * layers with a gelu between them, each behind a normalisation and beside a
 * residual connection.
 *
 * Tokens are ((sequence,batch),features): an operation that needs two modes
 * takes them as they are, one that tells sequence and batch apart descends into
 * the first mode. Features of attention are (features of a head,heads).
 */
#ifndef EXAMPLES_ENCODER_H
#define EXAMPLES_ENCODER_H

#include <strideweave/strideweave.h>

#define N_FEATURES 64
#define N_HEADS 4
#define N_HEAD_FEATURES (N_FEATURES / N_HEADS)
#define N_HIDDEN 128

/** What a layer learns, in the order of PyTorch's TransformerEncoderLayer. */
enum encoder_parameter {
    ATTENTION_IN_WEIGHT,
    ATTENTION_IN_BIAS,
    ATTENTION_OUT_WEIGHT,
    ATTENTION_OUT_BIAS,
    LINEAR_1_WEIGHT,
    LINEAR_1_BIAS,
    LINEAR_2_WEIGHT,
    LINEAR_2_BIAS,
    NORM_1_WEIGHT,
    NORM_1_BIAS,
    NORM_2_WEIGHT,
    NORM_2_BIAS,
    N_PARAMETERS
};

struct encoder_parameter_kind {
    const char *name;
    /* The order of the elements is that of a row-major file: the last extent of PyTorch's shape is the first here. */
    const char *shape;
    double base; /* how they begin: around here ... */
    double span; /* ... and at most so far from it */
};
extern const struct encoder_parameter_kind encoder_parameter_kinds[N_PARAMETERS];

struct encoder_layer {
    struct sw_tensor *parameters[N_PARAMETERS];
};

/**
 * encoder_layer_forward - what the layer makes of tokens.
 *
 * @epsilon     ((1,1),1): what keeps the variance from being zero.
 * @in          ((sequence,batch),N_FEATURES).
 * @ret_tokens  The same shape.
 */
enum sw_status encoder_layer_forward(const struct encoder_layer *layer, const struct sw_tensor *epsilon,
                                     const struct sw_tensor *in, struct sw_tensor **ret_tokens);

#endif
