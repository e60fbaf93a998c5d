/*
 * Every operation and every front end when memory runs out: each allocation in
 * turn fails once. The call then says MemoryError, gives nothing out, leaves
 * its operands alone and keeps no memory; the next call works.
 */
#include "config.h"

#include "allocations.h"
#include "op_test.h"
#include "sample.h"

#ifdef SW_FAILURE_INJECTION

/* One call of something: up to two results. */
struct call {
    enum sw_status (*run)(const struct call *call, struct sw_tensor **ret_results);
    const char *text;
    const struct sample *sample;        /* or NULL */
    const struct sw_operand *operands;
};

static enum sw_status run_call(const void *argument)
{
    const struct call *call = argument;
    struct sw_tensor *results[2] = { NULL, NULL };
    enum sw_status status = call->run(call, results);

    ck_assert_msg(status == SW_OK || (results[0] == NULL && results[1] == NULL), "outputs after %s: %s",
                  sw_status_name(status), call->text);
    sw_tensor_unref(results[0]);
    sw_tensor_unref(results[1]);
    return status;
}

static uint64_t check_call(const struct call *call, enum sw_status expected)
{
    return fail_each_allocation(run_call, call, call->text, expected);
}

static enum sw_status run_sample(const struct call *call, struct sw_tensor **ret_results)
{
    return sample_run(call->sample, call->operands, ret_results);
}

/* Samples that are refused are refused in the middle of things: those are tried too. */
static void check_row(struct sw_carrier_class *on, size_t row)
{
    struct sample_random random = { .state = row };
    struct sw_operand operands[SAMPLE_OPERANDS];
    uint64_t n_failed = 0;
    struct sample sample;

    for (int round = 0; round < 4; round++) {
        struct sw_tensor *result = NULL;
        sample_make(&sample, row, &random);
        sample_build(&sample, on, SAMPLE_AS_MADE, operands);
        const struct call call = { run_sample, sample_text(&sample), &sample, operands };
        enum sw_status expected = sample_run(&sample, operands, &result);
        sw_tensor_unref(result);
        n_failed += check_call(&call, expected);
        sample_drop(&sample, operands);
        sample_clear(&sample);
    }
    ck_assert_msg(n_failed > 0, "row %zu allocates nothing", row);
}

START_TEST(every_operation_survives_the_failure_of_every_allocation)
{
    FOR_BOTH(on) {
        for (size_t row = 0; row < sample_n_rows(); row++)
            check_row(on, row);
    }
}
END_TEST

/* ---- What the front ends put together -------------------------------------------------------- */

static struct sw_tensor *in, *square, *places, *updates, *space, *kernel;

static enum sw_status run_sum(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_sum(in, ret_results);
}

static enum sw_status run_mean(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_mean(in, ret_results);
}

static enum sw_status run_reduce(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_reduce_sum(in, "a (b c) -> b 1", NULL, ret_results);
}

static enum sw_status run_rearrange(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_rearrange_command(in, "a (b c) -> c (b a) 1", ret_results);
}

static enum sw_status run_matmul_einsum(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_einsum(in, square, "a (b c), b d -> a d c", ret_results);
}

static enum sw_status run_batched_einsum(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_einsum(in, square, "a (b c), b a -> c b", ret_results);
}

static enum sw_status run_sort(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_sort(in, 1, SW_SORT_DESCENDING, &ret_results[0], &ret_results[1]);
}

static enum sw_status run_topk(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_topk(in, 2, 1, SW_SORT_ASCENDING, &ret_results[0], &ret_results[1]);
}

static enum sw_status run_scatter(const struct call *call, struct sw_tensor **ret_results)
{
    (void)call;
    return sw_scatter(in, places, updates, 0, ret_results);
}

static enum sw_status run_conv(const struct call *call, struct sw_tensor **ret_results)
{
    static const int64_t dims[] = { 1, 0, 2 };
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;

    (void)call;
    options.output_dims = dims;
    return sw_conv_general(space, kernel, &options, ret_results);
}

static enum sw_status run_broadcast_in_dim(const struct call *call, struct sw_tensor **ret_results)
{
    static const int64_t dims[] = { 1, 3 };
    struct sw_tree *shape;
    enum sw_status status = sw_tree_parse("(4,2,5,2)", &shape);

    (void)call;
    if (status != SW_OK)
        return status;
    status = sw_broadcast_in_dim(square, shape, dims, 2, ret_results);
    sw_tree_unref(shape);
    return status;
}

START_TEST(every_front_end_survives_the_failure_of_every_allocation)
{
    static const struct call calls[] = {
        { run_sum, "sum", NULL, NULL },
        { run_mean, "mean", NULL, NULL },
        { run_reduce, "reduce_sum", NULL, NULL },
        { run_rearrange, "rearrange", NULL, NULL },
        { run_matmul_einsum, "einsum", NULL, NULL },
        { run_batched_einsum, "einsum with a batch", NULL, NULL },
        { run_sort, "sort", NULL, NULL },
        { run_topk, "topk", NULL, NULL },
        { run_scatter, "scatter", NULL, NULL },
        { run_conv, "conv_general", NULL, NULL },
        { run_broadcast_in_dim, "broadcast_in_dim", NULL, NULL },
    };

    FOR_BOTH(on) {
        in = F32(on, "(2,(2,2)):(4,(2,1))", 1, 2, 3, 4, 5, 6, 7, 8);
        square = F32(on, "(2,2):(2,1)", 1, 2, 3, 4);
        places = I32(on, "(1):(1)", 1);
        updates = F32(on, "(1,(2,2)):(0,(1,2))", 1, 2, 3, 4);
        space = F32(on, "(2,4,5):(0,0,1)", 1, 2, 3, 4, 5);
        kernel = F32(on, "(2,4,3):(0,0,1)", 1, 2, 3);
        for (size_t i = 0; i < N_OF(calls); i++)
            ck_assert_uint_gt(check_call(&calls[i], SW_OK), 5);
        struct sw_tensor *all[] = { in, square, places, updates, space, kernel };
        for (size_t i = 0; i < N_OF(all); i++)
            sw_tensor_unref(all[i]);
    }
}
END_TEST

CHECK_MAIN("memory", every_operation_survives_the_failure_of_every_allocation,
           every_front_end_survives_the_failure_of_every_allocation)

#else

#include <stdio.h>

int main(void)
{
    puts("skipped: built without --enable-failure-injection");
    return 77;
}

#endif
