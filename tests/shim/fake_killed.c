/*
 * A busy program that counts what it has completed, until it is killed or ends
 * in the way that its second argument names. Usage: fake_killed COUNTS [WAY].
 */
#define _GNU_SOURCE 1
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/counts.h"
#include "shim/fake_library.h"

#define N_THREADS 4
#define ENOUGH 20000

static struct counts *counts;
static __thread struct thread_count *mine;

static void operate(uint32_t id, fake_body *body)
{
    fake_operation(id, body, NULL);
    __atomic_store_n(&mine->n_completed, mine->n_completed + 1, __ATOMIC_RELEASE);
}

static int innermost(void *argument)
{
    operate(0, NULL);
    return argument == NULL;
}

static int inner(void *argument)
{
    operate(1, innermost);
    operate(2, NULL);
    return argument == NULL;
}

static void begin(struct thread_count *count)
{
    mine = count;
    __atomic_store_n(&mine->tid, (int64_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
}

static void *work(void *count)
{
    begin(count);
    for (;;) {
        operate(3, inner);
        operate(4, NULL);
    }
    return NULL;
}

static int recurse(void *argument)
{
    char room[2048];

    memset(room, 1, sizeof room);
    operate(5, recurse);
    return argument == NULL && room[99];
}

static int overflows(void *argument)
{
    return recurse(argument);
}

static int aborts(void *argument)
{
    if (argument == NULL)
        abort();
    return 1;
}

static int leaves(void *argument)
{
    if (argument == NULL)
        _exit(0);
    return 1;
}

static int leaves_quickly(void *argument)
{
    if (argument == NULL)
        quick_exit(0);
    return 1;
}

static int devours(void *argument)
{
    const size_t n_bytes = 1 << 20;
    void *memory;

    while (argument == NULL && (memory = malloc(n_bytes)) != NULL)
        memset(memory, 1, n_bytes);
    return 1;
}

static const struct {
    const char *name;
    fake_body *body; /* of an operation of the main thread, when the others have done enough */
} ways[] = {
    {"abort", aborts},
    {"_exit", leaves},
    {"quick_exit", leaves_quickly},
    {"stack", overflows},
    {"memory", devours},
};

static void wait_for_enough(void)
{
    for (int i = 1; i < N_THREADS; i++)
        while (__atomic_load_n(&counts->threads[i].n_completed, __ATOMIC_RELAXED) < ENOUGH)
            operate(6, NULL);
}

int main(int argc, char **argv)
{
    int file = argc > 1 ? open(argv[1], O_RDWR) : -1;
    pthread_t thread;

    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file < 0 || counts == MAP_FAILED)
        return 99;
    close(file);
    fake_load();
    for (int i = 1; i < N_THREADS; i++)
        if (pthread_create(&thread, NULL, work, &counts->threads[i]) != 0)
            return 98;
    if (argc < 3)
        work(&counts->threads[0]);
    begin(&counts->threads[0]);
    wait_for_enough();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[2], ways[i].name) == 0)
            operate(7, ways[i].body);
    return 97;
}
