/*
 * The detector, one operation of the library after the other.
 */
#include "detector.h"

#include <stdio.h>

#include "scoped.h"
#include "texts.h"

#define N_MIRROR (N_CONTEXT + N_FRAME + 64)

/* A convolution with a kernel of three taps, which is (taps,in,out) in the file. */
static const struct convolution {
    const char *kernel;
    const char *kernel_shape;
    const char *bias;
    const char *bias_shape;
    const char *bias_column;
    int64_t stride;
} convolutions[N_CONVOLUTIONS] = {
    { "encoder.0.reparam_conv.weight", "(3,129,128)", "encoder.0.reparam_conv.bias", "(128)", "(1,128,1)", 1 },
    { "encoder.1.reparam_conv.weight", "(3,128,64)", "encoder.1.reparam_conv.bias", "(64)", "(1,64,1)", 2 },
    { "encoder.2.reparam_conv.weight", "(3,64,64)", "encoder.2.reparam_conv.bias", "(64)", "(1,64,1)", 2 },
    { "encoder.3.reparam_conv.weight", "(3,64,128)", "encoder.3.reparam_conv.bias", "(128)", "(1,128,1)", 1 },
};

/* ---- Making it ----------------------------------------------------------------------- */

static enum sw_status find_as(const struct weights *weights, const char *name, const char *shape,
                              const char *wanted_shape, struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *found = NULL;

    TRY(weights_find(weights, name, shape, &found));
    return reshape_to(found, wanted_shape, ret_tensor);
}

static enum sw_status find_transposed(const struct weights *weights, const char *name, const char *shape,
                                      struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *found = NULL;

    TRY(weights_find(weights, name, shape, &found));
    return transposed(found, ret_tensor);
}

/*
 * A kernel as (in,taps,out). What an operation computes is compact in the order of its modes, so the product with 1
 * brings the features of a tap side by side, once; otherwise every convolution would have to.
 */
static enum sw_status find_kernel(const struct weights *weights, const struct convolution *convolution,
                                  struct sw_tensor **ret_kernel)
{
    static const int64_t order[] = { 1, 0, 2 };
    OWNED struct sw_tensor *found = NULL, *exchanged = NULL;

    TRY(weights_find(weights, convolution->kernel, convolution->kernel_shape, &found));
    TRY(sw_permute(found, order, 3, &exchanged));
    return sw_mul_f64(exchanged, 1.0, ret_kernel);
}

/* The places of the samples when the last 64, without the very last one, are heard once more backwards. */
static enum sw_status make_mirror(struct sw_carrier_class *carrier_class, struct sw_tensor **ret_mirror)
{
    const int64_t extent = N_MIRROR;
    int32_t places[N_MIRROR];
    OWNED_TREE struct sw_tree *shape = NULL;

    for (int32_t i = 0; i < N_MIRROR; i++)
        places[i] = i < N_CONTEXT + N_FRAME ? i : 2 * (N_CONTEXT + N_FRAME - 1) - i;
    TRY(sw_tree_flat(&extent, 1, &shape));
    return sw_tensor_from_i32(carrier_class, places, shape, ret_mirror);
}

enum sw_status detector_make(struct sw_carrier_class *carrier_class, const struct weights *weights,
                             struct detector *detector)
{
    OWNED_TREE struct sw_tree *state_shape = NULL;

    TRY(make_mirror(carrier_class, &detector->mirror));
    TRY(find_as(weights, "stft.forward_basis_buffer", "(256,1,258)", "(1,256,258)", &detector->basis));
    for (size_t i = 0; i < N_CONVOLUTIONS; i++) {
        const struct convolution *is = &convolutions[i];

        TRY(find_kernel(weights, is, &detector->kernels[i]));
        TRY(find_as(weights, is->bias, is->bias_shape, is->bias_column, &detector->kernel_biases[i]));
    }
    TRY(find_transposed(weights, "decoder.rnn.weight_ih", "(128,512)", &detector->input_weights));
    TRY(find_as(weights, "decoder.rnn.bias_ih", "(512)", "(1,512)", &detector->input_bias));
    TRY(find_transposed(weights, "decoder.rnn.weight_hh", "(128,512)", &detector->hidden_weights));
    TRY(find_as(weights, "decoder.rnn.bias_hh", "(512)", "(1,512)", &detector->hidden_bias));
    TRY(find_as(weights, "decoder.decoder.2.weight", "(1,128,1)", "(1,128)", &detector->last_weights));
    TRY(find_as(weights, "decoder.decoder.2.bias", "(1)", "(1,1)", &detector->last_bias));
    TRY(sw_tree_parse("(1,128)", &state_shape));
    TRY(sw_tensor_zeros(carrier_class, SW_FLOAT32, state_shape, &detector->hidden));
    return sw_tensor_zeros(carrier_class, SW_FLOAT32, state_shape, &detector->cell);
}

void detector_drop(struct detector *detector)
{
    sw_tensor_unref(detector->mirror);
    sw_tensor_unref(detector->basis);
    for (size_t i = 0; i < N_CONVOLUTIONS; i++) {
        sw_tensor_unref(detector->kernels[i]);
        sw_tensor_unref(detector->kernel_biases[i]);
    }
    sw_tensor_unref(detector->input_weights);
    sw_tensor_unref(detector->input_bias);
    sw_tensor_unref(detector->hidden_weights);
    sw_tensor_unref(detector->hidden_bias);
    sw_tensor_unref(detector->last_weights);
    sw_tensor_unref(detector->last_bias);
    sw_tensor_unref(detector->hidden);
    sw_tensor_unref(detector->cell);
}

/* ---- A frame ------------------------------------------------------------------------- */

/* A convolution over time of @in, (1,features,times), with a kernel (in,taps,out). */
static enum sw_status convolve(const struct sw_tensor *in, const struct sw_tensor *kernel, int64_t stride,
                               int64_t n_padding, struct sw_tensor **ret_tensor)
{
    static const int64_t kernel_dims[] = { 2, 0, 1 };
    const int64_t padding[1][2] = { { n_padding, n_padding } };
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;

    options.n_spatial = 1;
    options.strides = &stride;
    options.padding = padding;
    options.kernel_dims = kernel_dims;
    return sw_conv_general(in, kernel, &options, ret_tensor);
}

/* How strong each of 129 frequencies is at four times: (1,129,4). */
static enum sw_status make_spectrum(const struct detector *detector, const struct sw_tensor *samples,
                                    struct sw_tensor **ret_spectrum)
{
    OWNED struct sw_tensor *mirrored = NULL, *signal = NULL, *waves = NULL, *cosines = NULL, *sines = NULL;
    OWNED struct sw_tensor *cosines_2 = NULL, *sines_2 = NULL, *power = NULL;
    char shape[32];

    snprintf(shape, sizeof(shape), "(1,1,%d)", N_MIRROR);
    TRY(sw_gather(samples, detector->mirror, 0, &mirrored));
    TRY(reshape_to(mirrored, shape, &signal));
    TRY(convolve(signal, detector->basis, 128, 0, &waves));
    TRY(slice_by(waves, "((*,*,*),(0,129,*),(*,*,*))", &cosines));
    TRY(slice_by(waves, "((*,*,*),(129,258,*),(*,*,*))", &sines));
    TRY(sw_mul(cosines, cosines, &cosines_2));
    TRY(sw_mul(sines, sines, &sines_2));
    TRY(sw_add(cosines_2, sines_2, &power));
    return sw_sqrt(power, ret_spectrum);
}

/* Four convolutions that leave one time: (1,128,1). */
static enum sw_status encode(const struct detector *detector, const struct sw_tensor *spectrum,
                             struct sw_tensor **ret_features)
{
    OWNED struct sw_tensor *features = sw_tensor_ref(spectrum);

    for (size_t i = 0; i < N_CONVOLUTIONS; i++) {
        OWNED struct sw_tensor *convolved = NULL, *shifted = NULL, *next = NULL;

        TRY(convolve(features, detector->kernels[i], convolutions[i].stride, 1, &convolved));
        TRY(sw_add(convolved, detector->kernel_biases[i], &shifted));
        TRY(sw_relu(shifted, &next));
        sw_tensor_unref(features);
        features = sw_tensor_ref(next);
    }
    *ret_features = sw_tensor_ref(features);
    return SW_OK;
}

/* The gates of the cell before their functions: input, forget, new and output, 128 of each. */
static enum sw_status make_gates(const struct detector *detector, const struct sw_tensor *in,
                                 struct sw_tensor **ret_gates)
{
    OWNED struct sw_tensor *seen = NULL, *seen_shifted = NULL, *recalled = NULL, *recalled_shifted = NULL;

    TRY(sw_matmul(in, detector->input_weights, NULL, &seen));
    TRY(sw_add(seen, detector->input_bias, &seen_shifted));
    TRY(sw_matmul(detector->hidden, detector->hidden_weights, NULL, &recalled));
    TRY(sw_add(recalled, detector->hidden_bias, &recalled_shifted));
    return sw_add(seen_shifted, recalled_shifted, ret_gates);
}

/* One of the gates through its function. */
static enum sw_status open_gate(const struct sw_tensor *gates, const char *key,
                                enum sw_status (*function)(const struct sw_tensor *, struct sw_tensor **),
                                struct sw_tensor **ret_gate)
{
    OWNED struct sw_tensor *gate = NULL;

    TRY(slice_by(gates, key, &gate));
    return function(gate, ret_gate);
}

/* The LSTM cell takes in @in, (1,128). */
static enum sw_status advance(struct detector *detector, const struct sw_tensor *in)
{
    OWNED struct sw_tensor *gates = NULL, *input = NULL, *forget = NULL, *new = NULL, *output = NULL;
    OWNED struct sw_tensor *kept = NULL, *added = NULL, *cell = NULL, *said = NULL, *hidden = NULL;

    TRY(make_gates(detector, in, &gates));
    TRY(open_gate(gates, "((*,*,*),(0,128,*))", sw_sigmoid, &input));
    TRY(open_gate(gates, "((*,*,*),(128,256,*))", sw_sigmoid, &forget));
    TRY(open_gate(gates, "((*,*,*),(256,384,*))", sw_tanh, &new));
    TRY(open_gate(gates, "((*,*,*),(384,512,*))", sw_sigmoid, &output));
    TRY(sw_mul(forget, detector->cell, &kept));
    TRY(sw_mul(input, new, &added));
    TRY(sw_add(kept, added, &cell));
    TRY(sw_tanh(cell, &said));
    TRY(sw_mul(output, said, &hidden));
    sw_tensor_unref(detector->cell);
    sw_tensor_unref(detector->hidden);
    detector->cell = sw_tensor_ref(cell);
    detector->hidden = sw_tensor_ref(hidden);
    return SW_OK;
}

enum sw_status detector_hear(struct detector *detector, const struct sw_tensor *samples, double *ret_probability)
{
    OWNED struct sw_tensor *spectrum = NULL, *features = NULL, *row = NULL, *positive = NULL;
    OWNED struct sw_tensor *score = NULL, *shifted = NULL, *probability = NULL;

    TRY(make_spectrum(detector, samples, &spectrum));
    TRY(encode(detector, spectrum, &features));
    TRY(reshape_to(features, "(1,128)", &row));
    TRY(advance(detector, row));
    TRY(sw_relu(detector->hidden, &positive));
    TRY(sw_matmul(positive, detector->last_weights, NULL, &score));
    TRY(sw_add(score, detector->last_bias, &shifted));
    TRY(sw_sigmoid(shifted, &probability));
    return sw_tensor_item(probability, ret_probability);
}
