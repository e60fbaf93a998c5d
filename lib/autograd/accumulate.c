/*
 * The gradients that tensors keep. One lock guards all of them, so that passes
 * that meet in a leaf add up; it is held while sums are made, never while
 * anything is given back.
 */
#include "config.h"

#include <strideweave/autograd.h>

#include "autograd/gradient.h"
#include "base/alloc.h"
#include "base/lock.h"

/* ---- One gradient --------------------------------------------------------------------------- */

struct sw_tensor *sw_tensor_grad(const struct sw_tensor *tensor)
{
    if (!sw__is_tensor(tensor) || tensor->grad == NULL)
        return NULL;
    SW__HOLD(SW__LOCK_GRADIENTS);
    return sw_tensor_ref(tensor->grad->gradient);
}

/* Returns what was there. */
static struct sw_tensor *exchange(struct sw__grad *grad, struct sw_tensor *gradient)
{
    SW__HOLD(SW__LOCK_GRADIENTS);
    struct sw_tensor *earlier = grad->gradient;

    grad->gradient = gradient;
    return earlier;
}

static enum sw_status check_gradient(const struct sw_tensor *tensor, const struct sw_tensor *gradient)
{
    if (!sw__is_tensor(gradient))
        return sw_error_set(SW_TYPE_ERROR, "a gradient is a tensor");
    if (!sw_tensor_is_differentiable(tensor) || !sw_tensor_is_differentiable(gradient))
        return sw_error_set(SW_TYPE_ERROR, "a gradient and its tensor are Float32, not %s and %s",
                            sw_dtype_name(gradient->dtype), sw_dtype_name(tensor->dtype));
    if (sw_tensor_carrier_class(gradient) != sw_tensor_carrier_class(tensor))
        return sw_error_set(SW_TYPE_ERROR, "a gradient on another carrier class than its tensor");
    if (!sw_tree_equal(gradient->layout->shape, tensor->layout->shape))
        return sw_error_set(SW_VALUE_ERROR, "a gradient has the shape of its tensor");
    return SW_OK;
}

/* Another handle is kept, so that a gradient with a graph of its own makes no cycle. */
enum sw_status sw_tensor_set_grad(struct sw_tensor *tensor, const struct sw_tensor *gradient)
{
    struct sw_tensor *kept SW__OWNED_TENSOR = NULL;

    if (!sw__is_tensor(tensor))
        return sw_error_set(SW_TYPE_ERROR, "not a tensor");
    if (gradient == NULL) {
        sw_tensor_clear_grad(tensor);
        return SW_OK;
    }
    SW__TRY(check_gradient(tensor, gradient));
    SW__TRY(sw_tensor_detach(gradient, &kept));
    if (sw__grad_of(tensor) == NULL)
        return SW_MEMORY_ERROR;
    sw_tensor_unref(exchange(tensor->grad, sw__take(kept)));
    return SW_OK;
}

void sw_tensor_clear_grad(struct sw_tensor *tensor)
{
    if (sw__is_tensor(tensor) && tensor->grad != NULL)
        sw_tensor_unref(exchange(tensor->grad, NULL));
}

/* ---- Those of a pass ------------------------------------------------------------------------- */

/* A gradient per entry, NULL where none is kept; what it replaced, once it is in its place. */
struct sums {
    struct sw_tensor **at;
    size_t n;
};

static void sums_clear(struct sums *sums)
{
    for (size_t i = 0; sums->at != NULL && i < sums->n; i++)
        sw_tensor_unref(sums->at[i]);
    sw__free(sums->at);
}

static int is_accumulated(const struct sw__entry *entry)
{
    const struct sw__grad *grad = entry->tensor->grad;

    return entry->cotangent != NULL && (grad->node == NULL || grad->retains_grad);
}

static enum sw_status accumulate(const struct sw__tape *tape, struct sums *sums)
{
    SW__HOLD(SW__LOCK_GRADIENTS);
    for (size_t i = 0; i < tape->n; i++) {
        const struct sw__entry *entry = &tape->entries[i];

        if (is_accumulated(entry))
            SW__TRY(sw__gradient_form(entry->tensor, entry->cotangent, entry->tensor->grad->gradient, &sums->at[i]));
    }
    for (size_t i = 0; i < tape->n; i++) {
        struct sw__grad *grad = tape->entries[i].tensor->grad;
        struct sw_tensor *earlier = grad->gradient;

        if (sums->at[i] == NULL)
            continue;
        grad->gradient = sums->at[i];
        sums->at[i] = earlier;
    }
    return SW_OK;
}

enum sw_status sw__gradients_accumulate(struct sw__tape *tape)
{
    struct sums sums SW__CLEANUP(sums_clear) = { sw__alloc_zero(tape->n * sizeof *sums.at), tape->n };

    if (sums.at == NULL)
        return SW_MEMORY_ERROR;
    return accumulate(tape, &sums);
}
