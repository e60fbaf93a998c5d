/*
 * Backward passes: the cotangent is checked, the graph reached and run, and
 * what came out is kept or handed out. Nothing is changed before everything
 * has succeeded.
 */
#include "config.h"

#include <strideweave/autograd.h>

#include "autograd/gradient.h"
#include "autograd/grads/grads.h"
#include "base/alloc.h"

/* ---- The cotangent to begin with ---------------------------------------------------------- */

static enum sw_status check_cotangent(const struct sw_tensor *tensor, const struct sw_tensor *cotangent)
{
    enum sw__aliasing aliasing;
    int is_injective = 0;

    if (!sw__is_tensor(cotangent) || !sw_tensor_is_differentiable(cotangent))
        return sw_error_set(SW_TYPE_ERROR, "a cotangent is a Float32 tensor");
    if (sw_tensor_carrier_class(cotangent) != sw_tensor_carrier_class(tensor))
        return sw_error_set(SW_TYPE_ERROR, "a cotangent on another carrier class than what is differentiated");
    SW__TRY(sw__aliasing_of(tensor->layout, &aliasing));
    if (aliasing == SW__ALIASING_NONE) {
        if (!sw_layout_equal(cotangent->layout, tensor->layout))
            return sw_error_set(SW_VALUE_ERROR, "a cotangent has the layout of what is differentiated");
        return SW_OK;
    }
    SW__TRY(sw_layout_is_injective(cotangent->layout, &is_injective));
    if (!is_injective || !sw_tree_equal(cotangent->layout->shape, tensor->layout->shape))
        return sw_error_set(SW_VALUE_ERROR, "what is differentiated repeats slots: its cotangent has its shape, and an "
                                            "injective layout");
    return SW_OK;
}

static enum sw_status unit_cotangent(const struct sw_tensor *tensor, float **ret_cotangent)
{
    const struct sw_tree *shape = tensor->layout->shape;

    if (shape->n_nodes != 1 || shape->nodes[0] != 1)
        return sw_error_set(SW_VALUE_ERROR, "without a cotangent only a tensor of shape (1) is differentiated");
    SW__TRY(sw__floats(1, ret_cotangent));
    (*ret_cotangent)[0] = 1.0f;
    return SW_OK;
}

static enum sw_status read_cotangent(const struct sw_tensor *tensor, const struct sw_tensor *cotangent,
                                     float **ret_cotangent)
{
    const int64_t n = tensor->layout->size;
    float *values SW__OWNED = NULL;

    if (cotangent == NULL)
        return unit_cotangent(tensor, ret_cotangent);
    SW__TRY(check_cotangent(tensor, cotangent));
    SW__TRY(sw__floats(n, &values));
    SW__TRY(sw_tensor_read_f32(cotangent, values, (size_t)n));
    *ret_cotangent = sw__take(values);
    return SW_OK;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* What was reached, ready to be run. */
static enum sw_status begin(struct sw__tape *tape, const struct sw_tensor *tensor, const struct sw_tensor *cotangent)
{
    float *values SW__OWNED = NULL;

    if (!sw__is_tensor(tensor))
        return sw_error_set(SW_TYPE_ERROR, "what is differentiated is a tensor");
    if (sw__taking_part(tensor) == NULL)
        return sw_error_set(SW_RUNTIME_ERROR, "this tensor takes no part in differentiation");
    SW__TRY(read_cotangent(tensor, cotangent, &values));
    SW__TRY(sw__tape_reach(tape, tensor));
    sw__entry_add(&tape->entries[0], sw__take(values));
    return SW_OK;
}

static void finish(struct sw__tape *tape, enum sw_graph graph)
{
    if (graph != SW_GRAPH_RETAIN)
        sw__tape_free_graph(tape);
}

enum sw_status sw_tensor_backward(const struct sw_tensor *tensor, const struct sw_tensor *gradient,
                                  enum sw_graph graph)
{
    struct sw__tape tape SW__OWNED_TAPE = { .n = 0 };

    SW__TRY(begin(&tape, tensor, gradient));
    for (size_t i = 0; i < tape.n; i++)
        tape.entries[i].is_kept = tape.entries[i].tensor->grad->retains_grad;
    SW__TRY(sw__tape_run(&tape));
    SW__TRY(sw__gradients_accumulate(&tape));
    finish(&tape, graph);
    return SW_OK;
}

static enum sw_status check_inputs(const struct sw_tensor *const *inputs, size_t n_inputs, struct sw_tensor **ret_grads)
{
    if (n_inputs > 0 && (inputs == NULL || ret_grads == NULL))
        return sw_error_set(SW_TYPE_ERROR, "%zu inputs without arrays for them and their gradients", n_inputs);
    for (size_t i = 0; i < n_inputs; i++)
        if (!sw__is_tensor(inputs[i]))
            return sw_error_set(SW_TYPE_ERROR, "input %zu is no tensor", i);
    return SW_OK;
}

struct results {
    struct sw_tensor **at;
    size_t n;
};

static void results_clear(struct results *results)
{
    for (size_t i = 0; i < results->n; i++)
        sw_tensor_unref(results->at[i]);
    sw__free(results->at);
}

/* An input that stands there twice has two gradients, and forming one works on the cotangent. */
static enum sw_status form_result(const struct sw__entry *entry, struct sw_tensor **ret_gradient)
{
    const int64_t n = entry->tensor->layout->size;
    float *cotangent SW__OWNED = NULL;

    SW__TRY(sw__floats(n, &cotangent));
    for (int64_t i = 0; i < n; i++)
        cotangent[i] = entry->cotangent[i];
    return sw__gradient_form(entry->tensor, cotangent, NULL, ret_gradient);
}

enum sw_status sw_grad(const struct sw_tensor *output, const struct sw_tensor *const *inputs, size_t n_inputs,
                       const struct sw_tensor *cotangent, enum sw_graph graph, struct sw_tensor **ret_grads)
{
    struct sw__tape tape SW__OWNED_TAPE = { .n = 0 };
    struct results results SW__CLEANUP(results_clear) = { NULL, 0 };
    struct sw__entry *entry;

    SW__TRY(check_inputs(inputs, n_inputs, ret_grads));
    SW__TRY(begin(&tape, output, cotangent));
    for (size_t i = 0; i < n_inputs; i++)
        if ((entry = sw__tape_find(&tape, inputs[i])) != NULL)
            entry->is_kept = 1;
    SW__TRY(sw__tape_run(&tape));
    results.at = sw__alloc_zero(n_inputs * sizeof *results.at);
    if (results.at == NULL)
        return SW_MEMORY_ERROR;
    for (; results.n < n_inputs; results.n++)
        if ((entry = sw__tape_find(&tape, inputs[results.n])) != NULL)
            SW__TRY(form_result(entry, &results.at[results.n]));
    for (size_t i = 0; i < n_inputs; i++)
        ret_grads[i] = sw__take(results.at[i]);
    finish(&tape, graph);
    return SW_OK;
}
