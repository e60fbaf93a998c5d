/*
 * Programs whose operations take and make tensors, one per first argument.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#include "shim/fake_library.h"
#include "shim/programs.h"

#define N_THREADS 4

static unsigned long count = 1000;

static void operate(uint32_t id, uint64_t first, uint64_t second, uint64_t result)
{
    fake_operation_with_tensors(id, 2, (const uint64_t[]){first, second}, result, NULL, NULL);
}

static int fail(void *argument)
{
    (void)argument;
    return 0;
}

static int run_chain(void)
{
    fake_operation_with_tensors(0, 3, (const uint64_t[]){1, FAKE_NUMBER, 2}, 3, NULL, NULL);
    operate(1, 3, 3, 3); /* a view of what it took */
    fake_operation_with_tensors(2, 1, (const uint64_t[]){3}, 4, fail, NULL);
    fake_operation(3, NULL, NULL);
    return 0;
}

static int work_inside(void *argument)
{
    (void)argument;
    operate(1, 1, 2, 3);
    return 1;
}

static int run_nested(void)
{
    fake_operation_with_tensors(0, 1, (const uint64_t[]){1}, 3, work_inside, NULL);
    operate(2, 3, 1, 4);
    return 0;
}

/* The second half is of a carrier class that is not selected, and inside of nothing. */
static int run_hidden(void)
{
    operate(0, 1, 2, 3);
    operate(FAKE_DISPATCHES - 1, 3, 2, 4);
    return 0;
}

static int jump_out(void *target)
{
    longjmp(*(jmp_buf *)target, 1);
}

/* So deep in the stack that the next operation is seen not to be inside. */
__attribute__((noinline)) static void leave_by_jump(void *target)
{
    volatile char deep[4096];

    deep[0] = 1;
    fake_operation_with_tensors(1, 1, (const uint64_t[]){1}, 2, jump_out, target);
    deep[1] = deep[0];
}

static int run_longjmp(void)
{
    static jmp_buf target;

    if (setjmp(target) == 0)
        leave_by_jump(&target);
    operate(0, 5, 6, 7);
    return 0;
}

static int descend(void *left)
{
    unsigned long n = *(unsigned long *)left;

    if (n == 0)
        return 1;
    n--;
    fake_operation_with_tensors(0, 1, (const uint64_t[]){1}, 0, descend, &n);
    return 1;
}

static int run_deep(void)
{
    return !descend(&count);
}

static void *many(void *argument)
{
    (void)argument;
    for (uint64_t i = 1; i <= count; i++)
        fake_operation_with_tensors(0, 1, (const uint64_t[]){i}, i + 1, NULL, NULL);
    return NULL;
}

static int run_many(void)
{
    many(NULL);
    return 0;
}

/* The last one finds a report in which there is room for notes alone. */
static int run_full(void)
{
    fake_operation_with_tensors(0, 0, NULL, 1, NULL, NULL);
    for (unsigned long i = 0; i < count; i++)
        fake_operation(0, NULL, NULL);
    fake_operation_with_tensors(0, 1, (const uint64_t[]){1}, 2, NULL, NULL);
    return 0;
}

static pthread_barrier_t all_done;

/* None ends before the others have begun: its chunk of notes would be theirs. */
static void *many_at_once(void *argument)
{
    many(argument);
    pthread_barrier_wait(&all_done);
    return NULL;
}

static int run_threads(void)
{
    pthread_t threads[N_THREADS];

    if (pthread_barrier_init(&all_done, NULL, N_THREADS) != 0)
        return 1;
    for (int i = 0; i < N_THREADS; i++)
        if (pthread_create(&threads[i], NULL, many_at_once, NULL) != 0)
            return 1;
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static void handle(int number)
{
    (void)number;
    operate(1, 1, 1, 2);
}

static int interrupt(void *argument)
{
    (void)argument;
    return raise(SIGALRM) == 0;
}

static int run_signals(void)
{
    signal(SIGALRM, handle);
    for (unsigned long i = 0; i < count; i++)
        fake_operation_with_tensors(0, 1, (const uint64_t[]){3}, 4, interrupt, NULL);
    return 0;
}

static int run_before(void)
{
    fake_before_flows();
    return run_chain();
}

static const struct program programs[] = {
    {"chain", run_chain}, {"nested", run_nested},   {"hidden", run_hidden},   {"longjmp", run_longjmp}, {"deep", run_deep},
    {"many", run_many},   {"threads", run_threads}, {"signals", run_signals}, {"before", run_before},
    {"full", run_full},
};

int main(int argc, char **argv)
{
    if (argc > 2)
        count = strtoul(argv[2], NULL, 10);
    fake_load();
    return RUN_NAMED(programs, argv[1]);
}
