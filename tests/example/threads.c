/*
 * Four threads that compute on tensors of their own and on a shared one, with
 * views, implicit broadcasts and failing operations; then the number of
 * boundaries that all of them have crossed.
 */
#include "config.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strideweave/strideweave.h>

#define N_THREADS 4
#define N_ROUNDS 500

#define OWNED __attribute__((cleanup(give_back)))
static void give_back(struct sw_tensor **tensor)
{
    sw_tensor_unref(*tensor);
}

#define TRY(call)                           \
    do {                                    \
        enum sw_status try_status = (call); \
        if (try_status != SW_OK)            \
            return try_status;              \
    } while (0)

struct worker {
    pthread_t thread;
    const struct sw_tensor *shared; /* (4,1), only read */
    struct sw_carrier_class *carrier_class;
    uint64_t n_boundaries;
    enum sw_status status;
    char message[256];
};

static enum sw_status make(struct sw_carrier_class *carrier_class, const char *shape_text,
                           struct sw_tensor **ret_tensor)
{
    struct sw_tree *shape = NULL;
    enum sw_status status;

    TRY(sw_tree_parse(shape_text, &shape));
    status = sw_tensor_arange(carrier_class, SW_FLOAT32, shape, ret_tensor);
    sw_tree_unref(shape);
    return status;
}

static enum sw_status first_column(const struct sw_tensor *in, struct sw_tensor **ret_tensor)
{
    struct sw_tree *key = NULL;
    enum sw_status status;

    TRY(sw_tree_parse("((*,*,*),0)", &key));
    status = sw_slice(in, key, ret_tensor);
    sw_tree_unref(key);
    return status;
}

/* (4,1) + (1,6) widens both operands: one boundary with two inside. */
static enum sw_status compute(const struct worker *worker)
{
    static const int64_t order[] = { 1, 0 };
    OWNED struct sw_tensor *row = NULL, *sum = NULL, *turned = NULL, *product = NULL, *column = NULL, *total = NULL;
    OWNED struct sw_tensor *impossible = NULL;

    TRY(make(worker->carrier_class, "(1,6)", &row));
    TRY(sw_add(worker->shared, row, &sum));
    TRY(sw_permute(sum, order, 2, &turned));
    TRY(sw_matmul(turned, turned, NULL, &product));
    TRY(first_column(product, &column));
    TRY(sw_reduce_sum(product, "a b -> 1", NULL, &total));
    if (sw_matmul(sum, turned, NULL, &impossible) != SW_VALUE_ERROR)
        return sw_error_set(SW_RUNTIME_ERROR, "A product of unequal inner sizes was not refused.");
    return SW_OK;
}

static void *work(void *argument)
{
    struct worker *worker = argument;

    for (int i = 0; i < N_ROUNDS && worker->status == SW_OK; i++)
        worker->status = compute(worker);
    if (worker->status != SW_OK)
        snprintf(worker->message, sizeof(worker->message), "%s", sw_error_message());
    worker->n_boundaries = sw_boundary_count();
    return NULL;
}

static int run(const struct sw_tensor *shared)
{
    static struct worker workers[N_THREADS];
    uint64_t n_boundaries = sw_boundary_count();
    int failed = 0;

    for (size_t i = 0; i < N_THREADS; i++) {
        workers[i].shared = shared;
        workers[i].carrier_class = sw_tensor_carrier_class(shared);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            fprintf(stderr, "threads: thread %zu could not be made.\n", i);
            exit(EXIT_FAILURE);
        }
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        n_boundaries += workers[i].n_boundaries;
        if (workers[i].status != SW_OK) {
            fprintf(stderr, "threads: %s: %s\n", sw_status_name(workers[i].status), workers[i].message);
            failed = 1;
        }
    }
    printf("boundaries crossed: %" PRIu64 "\n", n_boundaries);
    return failed;
}

int main(void)
{
    OWNED struct sw_tensor *shared = NULL;

    if (make(sw_cpu_class(), "(4,1)", &shared) != SW_OK) {
        fprintf(stderr, "threads: %s\n", sw_error_message());
        return EXIT_FAILURE;
    }
    return run(shared) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
