/*
 * Recording and going back when memory runs out: each allocation in turn fails.
 * The call then says MemoryError, no gradient has changed, no graph is freed,
 * nothing is lost; and the same call works afterwards.
 */
#include "config.h"

#include "base/inject.h"
#include "op/op_test.h"

#ifdef SW_FAILURE_INJECTION

/* Leaves, and what is computed of them. */
struct world {
    struct sw_carrier_class *on;
    struct sw_tensor *weights;
    struct sw_tensor *bias;
    struct sw_tensor *repeated; /* by a stride of 0 */
    struct sw_tensor *space;
    struct sw_tensor *places;
};

#define TRY(call)                           \
    do {                                    \
        enum sw_status try_status = (call); \
        if (try_status != SW_OK)            \
            return try_status;              \
    } while (0)

static void give_back(struct sw_tensor **tensor)
{
    sw_tensor_unref(*tensor);
}
#define OWNED __attribute__((cleanup(give_back)))

/* Every family of gradients is in it. */
static enum sw_status compute(const struct world *in, struct sw_tensor **ret_loss)
{
    OWNED struct sw_tensor *product = NULL, *shifted = NULL, *bent = NULL, *bound = NULL, *sorted = NULL;
    OWNED struct sw_tensor *ordinals = NULL, *run = NULL, *taken = NULL, *flat = NULL, *folded = NULL, *top = NULL;
    OWNED struct sw_tensor *wide = NULL, *both = NULL;

    TRY(sw_matmul(in->weights, in->weights, NULL, &product));
    TRY(sw_add(product, in->bias, &shifted));
    TRY(sw_gelu(shifted, &bent));
    TRY(sw_clamp_f64(bent, -1.0, 9.0, &bound));
    TRY(sw_sort(bound, 1, SW_SORT_ASCENDING, &sorted, &ordinals));
    TRY(sw_cumsum(sorted, 0, &run));
    TRY(sw_gather(run, in->places, 1, &taken));
    TRY(sw_reduce_max(taken, "a b -> a", &top));
    TRY(sw_conv_general(in->space, in->space, NULL, &flat));
    TRY(sw_reduce_prod(flat, "a b c -> a", &folded));
    TRY(sw_mul(in->repeated, in->repeated, &wide));
    TRY(sw_mul(top, wide, &both));
    OWNED struct sw_tensor *sums = NULL;
    TRY(sw_mul(both, folded, &sums));
    return sw_sum(sums, ret_loss);
}

static void world_begin(struct world *in, struct sw_carrier_class *on)
{
    *in = (struct world){ on, F32(on, "(2,2):(1,2)", 1, 2, 3, 4), F32(on, "(1,2):(0,1)", -1, 1),
                          F32(on, "(2):(0)", 3), F32(on, "(1,1,3):(0,0,1)", 1, 2, 3), I32(on, "(2):(1)", 1, 0) };
    struct sw_tensor *leaves[] = { in->weights, in->bias, in->repeated, in->space };
    for (size_t i = 0; i < N_OF(leaves); i++)
        assert_ok(sw_tensor_set_requires_grad(leaves[i], 1));
}

static void world_end(struct world *in)
{
    struct sw_tensor *all[] = { in->weights, in->bias, in->repeated, in->space, in->places };
    for (size_t i = 0; i < N_OF(all); i++)
        sw_tensor_unref(all[i]);
}

static double all_gradients(const struct world *in)
{
    struct sw_tensor *leaves[] = { in->weights, in->bias, in->repeated, in->space };
    double sum = 0;

    for (size_t i = 0; i < N_OF(leaves); i++) {
        struct sw_tensor *gradient = sw_tensor_grad(leaves[i]);
        for (int64_t k = 0; gradient != NULL && k < sw_tensor_size(gradient); k++)
            sum += fabs(value_at(gradient, k));
        sw_tensor_unref(gradient);
    }
    return sum;
}

static enum sw_status failing_compute(const struct world *in, uint64_t n, uint64_t n_failures,
                                      struct sw_tensor **ret_loss)
{
    sw__inject_failures(n, n_failures);
    enum sw_status status = compute(in, ret_loss);
    sw__inject_failure_after(UINT64_MAX);
    return status;
}

/* How many allocations were made to fail. */
static uint64_t sweep_recording(const struct world *in)
{
    struct sw_tensor *loss = NULL;
    enum sw_status status;
    uint64_t n = 0;

    while ((status = failing_compute(in, n, n % 2 ? 1 : UINT64_MAX, &loss)) == SW_MEMORY_ERROR) {
        ck_assert_ptr_null(loss);
        n++;
    }
    assert_ok(status);
    sw_tensor_unref(loss);
    return n;
}

/* The first sweep makes what stays: names, entries, texts of errors. */
static void check_recording(const struct world *in)
{
    (void)sweep_recording(in);
    const uint64_t before = sw__inject_n_live();
    ck_assert_uint_gt(sweep_recording(in), 50);
    ck_assert_uint_eq(sw__inject_n_live(), before);
}

static enum sw_status failing_pass(const struct sw_tensor *loss, uint64_t n, uint64_t n_failures)
{
    sw__inject_failures(n, n_failures);
    enum sw_status status = sw_tensor_backward(loss, NULL, SW_GRAPH_RETAIN);
    sw__inject_failure_after(UINT64_MAX);
    return status;
}

static uint64_t sweep_pass(const struct world *in, const struct sw_tensor *loss)
{
    const double before = all_gradients(in);
    enum sw_status status;
    uint64_t n = 0;

    while ((status = failing_pass(loss, n, n % 2 ? 1 : UINT64_MAX)) == SW_MEMORY_ERROR) {
        ck_assert_double_eq(all_gradients(in), before);
        n++;
    }
    assert_ok(status);
    ck_assert_double_gt(all_gradients(in), before);
    return n;
}

static void check_pass(const struct world *in)
{
    struct sw_tensor *loss = NULL;

    assert_ok(compute(in, &loss));
    assert_ok(sw_tensor_backward(loss, NULL, SW_GRAPH_RETAIN));
    (void)sweep_pass(in, loss);
    const uint64_t before = sw__inject_n_live();
    ck_assert_uint_gt(sweep_pass(in, loss), 50);
    ck_assert_uint_eq(sw__inject_n_live(), before);
    sw_tensor_unref(loss);
}

/* What is handed out is given back at once. */
static enum sw_status failing_hand_out(const struct world *in, const struct sw_tensor *loss, uint64_t n,
                                       uint64_t n_failures)
{
    const struct sw_tensor *inputs[] = { in->weights, in->repeated, in->bias };
    struct sw_tensor *grads[] = { NULL, NULL, NULL };

    sw__inject_failures(n, n_failures);
    enum sw_status status = sw_grad(loss, inputs, 3, NULL, SW_GRAPH_RETAIN, grads);
    sw__inject_failure_after(UINT64_MAX);
    for (size_t i = 0; i < N_OF(grads); i++) {
        ck_assert_int_eq(grads[i] != NULL, status == SW_OK);
        sw_tensor_unref(grads[i]);
    }
    return status;
}

static void check_handing_out(const struct world *in)
{
    struct sw_tensor *loss = NULL;
    enum sw_status status;
    uint64_t n = 0;

    assert_ok(compute(in, &loss));
    assert_ok(failing_hand_out(in, loss, UINT64_MAX, 0));
    const uint64_t before = sw__inject_n_live();
    while ((status = failing_hand_out(in, loss, n, 1)) == SW_MEMORY_ERROR) {
        ck_assert_uint_eq(sw__inject_n_live(), before);
        n++;
    }
    assert_ok(status);
    ck_assert_uint_gt(n, 50);
    ck_assert_uint_eq(sw__inject_n_live(), before);
    sw_tensor_unref(loss);
}

START_TEST(every_allocation_may_fail_on_the_way_out_and_back)
{
    FOR_BOTH(on) {
        struct world in;

        world_begin(&in, on);
        check_recording(&in);
        check_pass(&in);
        check_handing_out(&in);
        world_end(&in);
    }
}
END_TEST

START_TEST(asking_survives_the_failure_of_every_allocation)
{
    struct sw_tensor *x = F32(sw_cpu_class(), "(1):(1)", 1), *gradient = F32(sw_cpu_class(), "(1):(1)", 2);

    sw__inject_failure_after(0);
    assert_status(sw_tensor_set_requires_grad(x, 1), SW_MEMORY_ERROR);
    assert_status(sw_tensor_set_grad(x, gradient), SW_MEMORY_ERROR);
    sw__inject_failure_after(1);
    assert_status(sw_tensor_set_grad(x, gradient), SW_MEMORY_ERROR);
    sw__inject_failure_after(UINT64_MAX);
    ck_assert(!sw_tensor_requires_grad(x));
    sw_tensor_unref(x);
    sw_tensor_unref(gradient);
}
END_TEST

CHECK_MAIN("memory", every_allocation_may_fail_on_the_way_out_and_back,
           asking_survives_the_failure_of_every_allocation)

#else

#include <stdio.h>

int main(void)
{
    puts("skipped: built without --enable-failure-injection");
    return 77;
}

#endif
