/*
 * Gradients of what takes elements from places along one mode or puts them
 * there: each element of the cotangent goes back to its place.
 */
#include "config.h"

#include <string.h>

#include "autograd/grads/grads.h"
#include "base/alloc.h"
#include "op/axis.h"

/* Places along a mode, and rows of elements that lie dense. */
struct places {
    struct sw__extents in; /* of the tensor that has the places */
    int64_t *indices;
    size_t n;
};

static void places_clear(struct places *places)
{
    sw__free(places->indices);
}

#define OWNED_PLACES SW__CLEANUP(places_clear)

/* (tensor, indices, ..., axis) */
static enum sw_status open_places(const struct sw__step *step, struct places *places)
{
    struct sw_tensor *index SW__OWNED_TENSOR = NULL;
    const size_t mode = (size_t)step->operands[step->n_operands - 1].as.integer;

    places->in = sw__axis_extents(step->operands[0].as.tensor, mode);
    SW__TRY(sw__step_tensor(step, 1, &index));
    places->n = (size_t)index->layout->size;
    return sw__axis_indices(step->op, index, (int64_t)places->in.along, &places->indices);
}

/* The row of the tensor that row @i behind ordinal @after of the places' result belongs to. */
static size_t row_of(const struct places *places, size_t after, size_t i)
{
    return places->in.before * ((size_t)places->indices[i] + places->in.along * after);
}

static void add_rows(const struct places *places, const float *from, float *out)
{
    for (size_t after = 0; after < places->in.after; after++)
        for (size_t i = 0; i < places->n; i++, from += places->in.before) {
            float *to = out + row_of(places, after, i);
            for (size_t b = 0; b < places->in.before; b++)
                to[b] += from[b];
        }
}

static void take_rows(const struct places *places, const float *from, float *out)
{
    for (size_t after = 0; after < places->in.after; after++)
        for (size_t i = 0; i < places->n; i++, out += places->in.before)
            memcpy(out, from + row_of(places, after, i), places->in.before * sizeof *out);
}

static void zero_rows(const struct places *places, float *out)
{
    for (size_t after = 0; after < places->in.after; after++)
        for (size_t i = 0; i < places->n; i++)
            memset(out + row_of(places, after, i), 0, places->in.before * sizeof *out);
}

static enum sw_status gather(const struct sw__step *step, size_t operand, float *out)
{
    struct places places OWNED_PLACES = { .indices = NULL };

    SW__TRY(open_places(step, &places));
    memset(out, 0, (size_t)sw__step_layout(step, operand)->size * sizeof *out);
    add_rows(&places, step->cotangent, out);
    return SW_OK;
}

const struct sw__gradient sw__gradient_gather = { gather, NULL };

/* The places of scattered elements: (base, indices, updates, axis). */
enum { BASE = 0, UPDATES = 2 };

static enum sw_status scatter_add(const struct sw__step *step, size_t operand, float *out)
{
    struct places places OWNED_PLACES = { .indices = NULL };

    if (operand == BASE) {
        memcpy(out, step->cotangent, (size_t)step->result->size * sizeof *out);
        return SW_OK;
    }
    SW__TRY(open_places(step, &places));
    take_rows(&places, step->cotangent, out);
    return SW_OK;
}

const struct sw__gradient sw__gradient_scatter_add = { scatter_add, NULL };

static enum sw_status scatter(const struct sw__step *step, size_t operand, float *out)
{
    struct places places OWNED_PLACES = { .indices = NULL };

    SW__TRY(scatter_add(step, operand, out));
    if (operand != BASE)
        return SW_OK;
    SW__TRY(open_places(step, &places));
    zero_rows(&places, out);
    return SW_OK;
}

const struct sw__gradient sw__gradient_scatter = { scatter, NULL };

/* ---- Sorting ------------------------------------------------------------------------------ */

/* Where the values came from: the operation beside it, executed without dispatch and thus without a boundary. */
static enum sw_status find_origins(const struct sw__step *step, struct sw_tensor **ret_ordinals)
{
    struct sw_operand operands[4];
    struct sw_operation *operation SW__OWNED_OPERATION = NULL;
    struct sw_tensor *in SW__OWNED_TENSOR = NULL;

    SW__TRY(sw__step_tensor(step, 0, &in));
    memcpy(operands, step->operands, step->n_operands * sizeof *operands);
    operands[0].as.tensor = in;
    SW__TRY(in->carrier->carrier_class->dispatch(in->carrier, step->gradient->kernel, &operation));
    return sw_operation_forward_lowered(operation, operands, step->n_operands, NULL, ret_ordinals);
}

/* (tensor, ..., axis, flag) */
static enum sw_status sort(const struct sw__step *step, size_t operand, float *out)
{
    struct sw_tensor *ordinals SW__OWNED_TENSOR = NULL;
    const size_t mode = (size_t)step->operands[step->n_operands - 2].as.integer;
    const struct sw__extents in = sw__axis_extents(step->operands[operand].as.tensor, mode);
    const size_t n_kept = (size_t)step->result->size / in.before / in.after;
    const float *g = step->cotangent;

    SW__TRY(find_origins(step, &ordinals));
    const int32_t *origin = sw__dense_of(ordinals->carrier)->data;
    memset(out, 0, in.before * in.along * in.after * sizeof *out);
    for (size_t after = 0; after < in.after; after++)
        for (size_t i = 0; i < n_kept; i++)
            for (size_t before = 0; before < in.before; before++)
                out[before + in.before * ((size_t)*origin++ + in.along * after)] = *g++;
    return SW_OK;
}

const struct sw__gradient sw__gradient_sort = { sort, "_sort_indices" };
const struct sw__gradient sw__gradient_topk = { sort, "_topk_indices" };
