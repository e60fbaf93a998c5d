/*
 * The gradient of a convolution. In ordinal order element (batch, feature,
 * place) of the operand, the cotangent and what comes out is at batch + batches
 * * (feature + features * place), so the batch is the inner loop everywhere.
 */
#include "config.h"

#include <string.h>

#include "autograd/grads/grads.h"
#include "base/alloc.h"
#include "op/conv.h"

#define N_OPERANDS 7

struct work {
    struct sw__conv conv;
    struct sw_tensor *in;     /* canonical, so that slots are ordinals */
    struct sw_tensor *kernel;
    float *nothing;           /* for the kernel: what is read where nothing is, zeros of all features of a group */
    int64_t *taps;            /* of an output position */
};

static void work_clear(struct work *work)
{
    sw__conv_clear(&work->conv);
    sw_tensor_unref(work->in);
    sw_tensor_unref(work->kernel);
    sw__free(work->nothing);
    sw__free(work->taps);
}

/* Each gradient reads the other operand only: of its own one the layout is wanted, values may be gone. */
static enum sw_status open_operands(const struct sw__step *step, size_t operand, struct work *work)
{
    struct sw_tensor **own = operand == 0 ? &work->in : &work->kernel;
    struct sw_tensor **other = operand == 0 ? &work->kernel : &work->in;
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;

    SW__TRY(sw__step_tensor(step, 1 - operand, &tensor));
    SW__TRY(sw__tensor_allocate(tensor, SW_FLOAT32, tensor->layout->shape, other));
    SW__TRY(sw__source_copy(tensor, SW_FLOAT32, sw__dense_of((*other)->carrier)->data));
    return sw__tensor_allocate(tensor, SW_FLOAT32, sw__step_layout(step, operand)->shape, own);
}

static enum sw_status allocate_nothing(struct work *work)
{
    const int64_t n = work->conv.batch * work->conv.in_features;

    SW__TRY(sw__floats(n, &work->nothing));
    memset(work->nothing, 0, (size_t)n * sizeof *work->nothing);
    return SW_OK;
}

static enum sw_status prepare(const struct sw__step *step, size_t operand, struct work *work)
{
    struct sw_operand operands[N_OPERANDS];

    SW__TRY(open_operands(step, operand, work));
    memcpy(operands, step->operands, sizeof operands);
    operands[0].as.tensor = work->in;
    operands[1].as.tensor = work->kernel;
    SW__TRY(sw__conv_init(&work->conv, operands));
    if (operand == 1)
        SW__TRY(allocate_nothing(work));
    work->taps = sw__alloc((size_t)work->conv.n_taps * sizeof *work->taps);
    return work->taps != NULL ? SW_OK : SW_MEMORY_ERROR;
}

/* One tap of one output position: rows of the batch, feature by feature. */
struct meeting {
    const struct sw__conv *conv;
    const float *g;       /* of the position: all result features */
    const float *weights; /* of the tap: (result features, features of a group) */
    float *of_weights;
    const float *in;      /* where the tap reads: all features */
    float *of_in;
    int is_padding;       /* it reads nothing: in is one group's zeros */
};

static void add_to_in(const struct meeting *at, int64_t group)
{
    const struct sw__conv *conv = at->conv;
    const int64_t n = conv->batch, n_out = conv->out_features * conv->groups;

    for (int64_t o = group * conv->out_features; o < (group + 1) * conv->out_features; o++) {
        const float *g = at->g + n * o;
        for (int64_t c = 0; c < conv->in_features; c++) {
            const float weight = at->weights[o + n_out * c];
            float *to = at->of_in + n * (group * conv->in_features + c);
            for (int64_t b = 0; b < n; b++)
                to[b] += g[b] * weight;
        }
    }
}

static void add_to_weights(const struct meeting *at, int64_t group)
{
    const struct sw__conv *conv = at->conv;
    const int64_t n = conv->batch, n_out = conv->out_features * conv->groups;
    const float *in = at->in + (at->is_padding ? 0 : n * group * conv->in_features);

    for (int64_t o = group * conv->out_features; o < (group + 1) * conv->out_features; o++) {
        const float *g = at->g + n * o;
        for (int64_t c = 0; c < conv->in_features; c++) {
            float sum = at->of_weights[o + n_out * c];
            for (int64_t b = 0; b < n; b++)
                sum += g[b] * in[b + n * c];
            at->of_weights[o + n_out * c] = sum;
        }
    }
}

static void meet(const struct work *work, int64_t position, int64_t tap, size_t operand, const float *g, float *out)
{
    const struct sw__conv *conv = &work->conv;
    const int64_t n_out = conv->out_features * conv->groups, slot = work->taps[tap];
    const int64_t weights = n_out * conv->in_features * tap;
    struct meeting at = { .conv = conv, .g = g + conv->batch * n_out * position, .is_padding = slot < 0 };

    if (operand == 0) {
        if (slot < 0)
            return;
        at.of_in = out + slot;
        at.weights = (const float *)sw__dense_of(work->kernel->carrier)->data + weights;
    } else {
        at.of_weights = out + weights;
        at.in = slot < 0 ? work->nothing : (const float *)sw__dense_of(work->in->carrier)->data + slot;
    }
    for (int64_t group = 0; group < conv->groups; group++)
        operand == 0 ? add_to_in(&at, group) : add_to_weights(&at, group);
}

static enum sw_status correlate(const struct sw__step *step, size_t operand, float *out)
{
    struct work work SW__CLEANUP(work_clear) = { .in = NULL };

    SW__TRY(prepare(step, operand, &work));
    memset(out, 0, (size_t)sw__step_layout(step, operand)->size * sizeof *out);
    for (int64_t position = 0; position < work.conv.n_positions; position++) {
        sw__conv_taps(&work.conv, position, work.taps);
        for (int64_t tap = 0; tap < work.conv.n_taps; tap++)
            meet(&work, position, tap, operand, step->cotangent, out);
    }
    return SW_OK;
}

const struct sw__gradient sw__gradient_conv = { correlate, NULL };
