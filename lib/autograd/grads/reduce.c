/*
 * Gradients of what folds the second of two modes, and of a running sum. In
 * ordinal order term k of output i is element i + outputs * k.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "autograd/grads/grads.h"
#include "base/alloc.h"
#include "op/axis.h"

/* Outputs, and terms of each. */
struct folded {
    size_t n;
    size_t n_terms;
};

static struct folded folded_of(const struct sw__step *step)
{
    const size_t n = (size_t)step->result->size;

    return (struct folded){ n, (size_t)sw__step_layout(step, 0)->size / n };
}

static enum sw_status sum(const struct sw__step *step, size_t operand, float *out)
{
    const struct folded folded = folded_of(step);

    (void)operand;
    for (size_t k = 0; k < folded.n_terms; k++)
        memcpy(out + k * folded.n, step->cotangent, folded.n * sizeof *out);
    return SW_OK;
}

const struct sw__gradient sw__gradient_reduce_sum = { sum, NULL };

/* The product of the other terms, of those before times those behind: exact where terms are 0. */
static enum sw_status product(const struct sw__step *step, size_t operand, float *out)
{
    const struct folded folded = folded_of(step);
    float *in SW__OWNED = NULL;

    SW__TRY(sw__step_values(step, operand, &in));
    for (size_t i = 0; i < folded.n; i++) {
        float others = 1.0f;

        for (size_t k = 0; k < folded.n_terms; k++) {
            out[i + k * folded.n] = others;
            others *= in[i + k * folded.n];
        }
        others = step->cotangent[i];
        for (size_t k = folded.n_terms; k-- > 0;) {
            out[i + k * folded.n] *= others;
            others *= in[i + k * folded.n];
        }
    }
    return SW_OK;
}

const struct sw__gradient sw__gradient_reduce_prod = { product, NULL };

/* Winners share alike; a not-a-number, which wins, makes all of them one. */
static void share(const float *in, size_t step, size_t n_terms, float g, float extreme, float *out)
{
    size_t n_winners = 0;

    for (size_t k = 0; k < n_terms; k++)
        n_winners += in[k * step] == extreme;
    for (size_t k = 0; k < n_terms; k++)
        out[k * step] = extreme != extreme ? NAN : in[k * step] == extreme ? g / (float)n_winners : 0.0f;
}

/* @sign is 1 for the greatest and -1 for the least element. */
static enum sw_status extreme(const struct sw__step *step, size_t operand, float sign, float *out)
{
    const struct folded folded = folded_of(step);
    float *in SW__OWNED = NULL;

    SW__TRY(sw__step_values(step, operand, &in));
    for (size_t i = 0; i < folded.n; i++) {
        float winner = in[i];

        for (size_t k = 1; k < folded.n_terms && winner == winner; k++) {
            const float term = in[i + k * folded.n];
            if (term != term || sign * term > sign * winner)
                winner = term;
        }
        share(in + i, folded.n, folded.n_terms, step->cotangent[i], winner, out + i);
    }
    return SW_OK;
}

static enum sw_status greatest(const struct sw__step *step, size_t operand, float *out)
{
    return extreme(step, operand, 1.0f, out);
}

static enum sw_status least(const struct sw__step *step, size_t operand, float *out)
{
    return extreme(step, operand, -1.0f, out);
}

const struct sw__gradient sw__gradient_reduce_max = { greatest, NULL };
const struct sw__gradient sw__gradient_reduce_min = { least, NULL };

/* Every element went into those behind it. */
static enum sw_status scan(const struct sw__step *step, size_t operand, float *out)
{
    const struct sw__extents in =
        sw__axis_extents(step->operands[operand].as.tensor, (size_t)step->operands[1].as.integer);
    const float *g = step->cotangent;

    for (size_t after = 0; after < in.after; after++, out += in.before * in.along, g += in.before * in.along) {
        const size_t last = in.before * (in.along - 1);

        memcpy(out + last, g + last, in.before * sizeof *out);
        for (size_t i = last; i-- > 0;)
            out[i] = out[i + in.before] + g[i];
    }
    return SW_OK;
}

const struct sw__gradient sw__gradient_cumsum = { scan, NULL };
