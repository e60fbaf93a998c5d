/*
 * The section program: small networks written with the library's operations.
 */
#include "config.h"

#include <stdarg.h>
#include <string.h>

#include "conformance.h"

#define MAX_OPERANDS 3

/**
 * A computation that stops at its first failure: every step of it after one
 * that failed gives NULL, so that networks can be written as expressions.
 */
struct computation {
    struct trial *trial;
    enum sw_status status;
    json_t *results; /* name: tensor */
};

static const struct sw_tensor *finish(struct computation *on, enum sw_status status, struct sw_tensor *result)
{
    on->status = status;
    return status == SW_OK ? trial_tensor(on->trial, result) : NULL;
}

static const struct sw_tensor *input(struct computation *on, const char *name)
{
    const json_t *json = json_object_get(json_object_get(on->trial->args, "inputs"), name);
    struct sw_tensor *tensor = NULL;

    if (on->status == SW_OK)
        on->status = build_tensor(on->trial, json_object_get(json, "tensor"), &tensor);
    return tensor;
}

/* An operation by its dispatch name on tensors that exist already. */
static const struct sw_tensor *apply(struct computation *on, const char *name, size_t n, ...)
{
    struct sw_operand operands[MAX_OPERANDS];
    struct sw_tensor *result = NULL;
    va_list tensors;

    va_start(tensors, n);
    for (size_t i = 0; i < n; i++)
        operands[i] = sw_operand_tensor(va_arg(tensors, const struct sw_tensor *));
    va_end(tensors);
    if (on->status == SW_OK)
        on->status = forward(on->trial, name, operands, n, NULL, &result);
    return result;
}

static const struct sw_tensor *scaled(struct computation *on, const struct sw_tensor *in, double factor)
{
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (on->status != SW_OK)
        return NULL;
    status = sw_mul_f64(in, factor, &result);
    return finish(on, status, result);
}

static const struct sw_tensor *squared(struct computation *on, const struct sw_tensor *in)
{
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (on->status != SW_OK)
        return NULL;
    status = sw_pow_f64(in, 2.0, &result);
    return finish(on, status, result);
}

static const struct sw_tensor *summed(struct computation *on, const struct sw_tensor *in, const char *command)
{
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (on->status != SW_OK)
        return NULL;
    status = sw_reduce_sum(in, command, NULL, &result);
    return finish(on, status, result);
}

static const struct sw_tensor *highest(struct computation *on, const struct sw_tensor *in, const char *command)
{
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (on->status != SW_OK)
        return NULL;
    status = sw_reduce_max(in, command, &result);
    return finish(on, status, result);
}

static const struct sw_tensor *transposed(struct computation *on, const struct sw_tensor *in)
{
    static const int64_t order[] = { 1, 0 };
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (on->status != SW_OK)
        return NULL;
    status = sw_permute(in, order, 2, &result);
    return finish(on, status, result);
}

/* (n) as a column (n,1), so that it broadcasts over the second mode. */
static const struct sw_tensor *as_column(struct computation *on, const struct sw_tensor *in)
{
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (on->status != SW_OK)
        return NULL;
    status = sw_unsqueeze(in, 1, &result);
    return finish(on, status, result);
}

static const struct sw_tensor *zero_of_rank_2(struct computation *on)
{
    static const int64_t ones[] = { 1, 1 };
    struct sw_tree *shape = NULL;
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (on->status != SW_OK)
        return NULL;
    status = sw_tree_flat(ones, 2, &shape);
    if (status == SW_OK)
        status = sw_tensor_zeros(on->trial->carrier_class, SW_FLOAT32, trial_tree(on->trial, shape), &result);
    return finish(on, status, result);
}

static void record(struct computation *on, const char *name, const struct sw_tensor *tensor)
{
    if (on->status == SW_OK)
        json_object_set_new(on->results, name, show_tensor(tensor));
}

/* One step of a network of two layers with the gradients of a mean square loss. */
static void train_step(struct computation *on)
{
    const struct sw_tensor *x = input(on, "x");
    const struct sw_tensor *w1 = input(on, "w1");
    const struct sw_tensor *w2 = input(on, "w2");
    const struct sw_tensor *h = apply(on, "add", 2, apply(on, "matmul", 2, x, w1), input(on, "b1"));
    const struct sw_tensor *a = apply(on, "relu", 1, h);
    const struct sw_tensor *y = apply(on, "add", 2, apply(on, "matmul", 2, a, w2), input(on, "b2"));
    const struct sw_tensor *d = apply(on, "sub", 2, y, input(on, "t"));
    double size = on->status == SW_OK ? (double)sw_tensor_size(d) : 1.0;
    const struct sw_tensor *dy = scaled(on, d, 2.0 / size);
    const struct sw_tensor *da = apply(on, "matmul", 2, dy, transposed(on, w2));
    const struct sw_tensor *zero = zero_of_rank_2(on);
    const struct sw_tensor *dh = apply(on, "select", 3, apply(on, "le", 2, h, zero), zero, da);

    record(on, "y", y);
    record(on, "loss", scaled(on, summed(on, squared(on, d), "a b -> 1"), 1.0 / size));
    record(on, "grad_w2", apply(on, "matmul", 2, transposed(on, dy), transposed(on, a)));
    record(on, "grad_b2", summed(on, dy, "a b -> 1 b"));
    record(on, "grad_w1", apply(on, "matmul", 2, transposed(on, dh), transposed(on, x)));
    record(on, "grad_b1", summed(on, dh, "a b -> 1 b"));
}

static const struct sw_tensor *parameter(struct computation *on, const char *name)
{
    const struct sw_tensor *tensor = input(on, name);

    if (on->status == SW_OK)
        on->status = sw_tensor_set_requires_grad((struct sw_tensor *)(uintptr_t)tensor, 1);
    return tensor;
}

static void record_gradient(struct computation *on, const char *name, const struct sw_tensor *parameter)
{
    struct sw_tensor *gradient = on->status == SW_OK ? sw_tensor_grad(parameter) : NULL;

    if (gradient != NULL)
        record(on, name, trial_tensor(on->trial, gradient));
}

/* The same step, differentiated by the library. */
static void train_step_differentiated(struct computation *on)
{
    const struct sw_tensor *w1 = parameter(on, "w1");
    const struct sw_tensor *b1 = parameter(on, "b1");
    const struct sw_tensor *w2 = parameter(on, "w2");
    const struct sw_tensor *b2 = parameter(on, "b2");
    const struct sw_tensor *h = apply(on, "add", 2, apply(on, "matmul", 2, input(on, "x"), w1), b1);
    const struct sw_tensor *y = apply(on, "add", 2, apply(on, "matmul", 2, apply(on, "relu", 1, h), w2), b2);
    const struct sw_tensor *d = apply(on, "sub", 2, y, input(on, "t"));
    double size = on->status == SW_OK ? (double)sw_tensor_size(d) : 1.0;
    const struct sw_tensor *loss = scaled(on, summed(on, squared(on, d), "a b -> 1"), 1.0 / size);

    record(on, "y", y);
    record(on, "loss", loss);
    if (on->status == SW_OK)
        on->status = sw_tensor_backward(loss, NULL, SW_GRAPH_FREE);
    record_gradient(on, "grad_w1", w1);
    record_gradient(on, "grad_b1", b1);
    record_gradient(on, "grad_w2", w2);
    record_gradient(on, "grad_b2", b2);
}

static const struct sw_tensor *softmax_rows(struct computation *on, const struct sw_tensor *in)
{
    const struct sw_tensor *top = as_column(on, highest(on, in, "a b -> a"));
    const struct sw_tensor *e = apply(on, "exp", 1, apply(on, "sub", 2, in, top));

    return apply(on, "div", 2, e, as_column(on, summed(on, e, "a b -> a")));
}

static const struct sw_tensor *mean_of_rows(struct computation *on, const struct sw_tensor *in)
{
    int64_t n = 1;

    if (on->status == SW_OK)
        on->status = sw_tree_leaf(sw_tensor_shape(in), 1, &n);
    return as_column(on, scaled(on, summed(on, in, "a b -> a"), 1.0 / (double)n));
}

/* A block of a transformer with one head. */
static void infer_block(struct computation *on)
{
    const struct sw_tensor *x = input(on, "x");
    const struct sw_tensor *q = apply(on, "matmul", 2, x, input(on, "wq"));
    const struct sw_tensor *k = apply(on, "matmul", 2, x, input(on, "wk"));
    const struct sw_tensor *v = apply(on, "matmul", 2, x, input(on, "wv"));
    const struct sw_tensor *p = softmax_rows(on, scaled(on, apply(on, "matmul", 2, q, k), 0.5));
    const struct sw_tensor *o = apply(on, "matmul", 2, p, transposed(on, v));
    const struct sw_tensor *r = apply(on, "add", 2, x, apply(on, "matmul", 2, o, input(on, "wo")));
    const struct sw_tensor *centred = apply(on, "sub", 2, r, mean_of_rows(on, r));
    const struct sw_tensor *variance = mean_of_rows(on, squared(on, centred));
    const struct sw_tensor *scale = apply(on, "rsqrt", 1, apply(on, "add", 2, variance, input(on, "eps")));
    const struct sw_tensor *norm = apply(on, "elementwise_mul", 2, centred, scale);
    const struct sw_tensor *g = apply(on, "gelu", 1, apply(on, "matmul", 2, norm, input(on, "w1")));

    record(on, "probabilities", p);
    record(on, "attention", o);
    record(on, "layernorm", norm);
    record(on, "output", apply(on, "add", 2, norm, apply(on, "matmul", 2, g, input(on, "w2"))));
}

/* Every way in which a program is written must give what the case expects. */
static const struct {
    const char *title;
    void (*run)(struct computation *on);
} programs[] = {
    { "MLP training step", train_step },
    { "MLP training step", train_step_differentiated },
    { "transformer block inference", infer_block },
};

void run_program(struct trial *trial)
{
    const char *title = json_string_value(json_object_get(trial->args, "title"));
    size_t n_run = 0;

    for (size_t i = 0; title != NULL && i < N_ELEMENTS(programs); i++) {
        struct computation on = { trial, SW_OK, NULL };

        if (strcmp(programs[i].title, title) != 0)
            continue;
        n_run++;
        on.results = json_object();
        programs[i].run(&on);
        trial_judge(trial, on.status, on.results);
    }
    if (n_run == 0)
        trial_skip(trial, "the driver has no such program");
}
