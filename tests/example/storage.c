/*
 * A program that knows what storage it makes: views, an Evictable that moves,
 * results, failures, releases on another thread. It prints its own account, which
 * it keeps by hand: class, bytes made, bytes given back, storages made.
 *
 *     storage [wait]   wait: when all is printed, until it is killed
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <strideweave/strideweave.h>

static struct account {
    const char *name;
    unsigned long long made, given_back, n;
} cpu = { "strideweave.CPU", 0, 0, 0 }, file = { "strideweave.FileBacked", 0, 0, 0 };

static void check(enum sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "%s\n", sw_error_message());
    exit(1);
}

static void made(struct account *account, unsigned long long bytes)
{
    account->made += bytes;
    account->n++;
}

static struct sw_tensor *new_tensor(int64_t rows, int64_t columns)
{
    struct sw_tree *shape;
    struct sw_tensor *tensor;

    check(sw_tree_flat((const int64_t[]){ rows, columns }, 2, &shape));
    check(sw_tensor_zeros(sw_cpu_class(), SW_FLOAT32, shape, &tensor));
    sw_tree_unref(shape);
    made(&cpu, (unsigned long long)(rows * columns) * 4);
    return tensor;
}

static void *give_back(void *tensor)
{
    sw_tensor_unref(tensor);
    return NULL;
}

/* 64x64 operands: the result has 16384 bytes, a view none. */
static void operate(void)
{
    struct sw_tensor *a = new_tensor(64, 64), *b = new_tensor(64, 64), *narrow = new_tensor(3, 5);
    struct sw_tensor *product, *sum, *view, *nothing = NULL;
    pthread_t thread;

    check(sw_matmul(a, b, NULL, &product));
    made(&cpu, 64 * 64 * 4);
    check(sw_add(product, a, &sum));
    made(&cpu, 64 * 64 * 4);
    check(sw_permute(sum, (const int64_t[]){ 1, 0 }, 2, &view));
    if (sw_add(a, narrow, &nothing) == SW_OK)
        exit(2);
    sw_tensor_unref(sum); /* the view keeps it */
    if (pthread_create(&thread, NULL, give_back, view) != 0)
        exit(2);
    pthread_join(thread, NULL);
    cpu.given_back += 64 * 64 * 4;
    sw_tensor_unref(a);
    sw_tensor_unref(b);
    sw_tensor_unref(narrow);
    sw_tensor_unref(product);
    cpu.given_back += 3 * 64 * 64 * 4 + 60;
}

/* There and back again, with 1000 slots. */
static void move(void)
{
    struct sw_carrier *primary, *secondary, *evictable;

    check(sw_cpu_new(1000, NULL, &primary));
    made(&cpu, 4000);
    check(sw_file_backed_new(NULL, &secondary));
    check(sw_evictable_new(primary, secondary, &evictable));
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
    check(sw_evictable_evict(evictable));
    made(&file, 4000);
    cpu.given_back += 4000;
    check(sw_evictable_promote(evictable));
    made(&cpu, 4000);
    file.given_back += 4000;
    sw_carrier_unref(evictable);
    cpu.given_back += 4000;
}

int main(int n_arguments, char **arguments)
{
    struct sw_carrier *refused;

    operate();
    move();
    if (sw_cpu_new((size_t)1 << 61, NULL, &refused) != SW_MEMORY_ERROR)
        return 2;
    struct sw_tensor *kept = new_tensor(10, 10);
    printf("%s %llu %llu %llu\n%s %llu %llu %llu\n", cpu.name, cpu.made, cpu.given_back, cpu.n, file.name, file.made,
           file.given_back, file.n);
    fflush(stdout);
    if (n_arguments > 1 && strcmp(arguments[1], "wait") == 0)
        for (;;)
            pause();
    return kept != NULL ? 0 : 3; /* it has its storage to the end */
}
