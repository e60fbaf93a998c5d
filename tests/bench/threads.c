/*
 * Two threads that record at the same time, over one; and the same of two
 * threads that only read the clock, which share a core or its power just so.
 */
#include "config.h"

#include "bench.h"

#include "pages.h"
#include "pair.h"

#include <pthread.h>
#include <semaphore.h>

#define N_ROUNDS 100
#define N_BOUNDARIES 10000
#define N_READS 16000

/* The second thread: woken before each block, then both spin until they begin together. */
struct second {
    sem_t wake;
    bench_body *body; /* NULL: end; written while it sleeps */
    void *context;
    size_t n;
    int ready;
    int go;
    int64_t ns; /* how long its block took; read when done */
    int done;
};

static int64_t run(bench_body *body, void *context, size_t n)
{
    int64_t begin = bench_now_ns();

    body(context, n);
    return bench_now_ns() - begin;
}

static void await(const int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        ;
}

static void *serve(void *argument)
{
    struct second *second = argument;

    for (;;) {
        sem_wait(&second->wake);
        if (second->body == NULL)
            return NULL;
        __atomic_store_n(&second->ready, 1, __ATOMIC_RELEASE);
        await(&second->go);
        second->ns = run(second->body, second->context, second->n);
        __atomic_store_n(&second->done, 1, __ATOMIC_RELEASE);
    }
}

/* The time of the slower one. */
static int64_t run_both(struct second *second, bench_body *body, void *context, size_t n)
{
    int64_t ns;

    second->body = body;
    second->context = context;
    second->n = n;
    second->ready = second->go = second->done = 0;
    sem_post(&second->wake);
    await(&second->ready);
    __atomic_store_n(&second->go, 1, __ATOMIC_RELEASE);
    ns = run(body, context, n);
    await(&second->done);
    return ns > second->ns ? ns : second->ns;
}

static void keep_least(int64_t *least, int64_t value)
{
    if (*least == 0 || value < *least)
        *least = value;
}

/* One kind of block: the shortest on one thread and on two. */
struct kind {
    bench_body *body;
    void *context;
    size_t n;
    int64_t one_ns;
    int64_t two_ns;
};

static void compare(struct second *second, struct kind *kinds, size_t n_kinds)
{
    for (int round = 0; round <= N_ROUNDS; round++)
        for (size_t i = 0; i < n_kinds; i++) {
            struct kind *kind = &kinds[i];
            int64_t one = run(kind->body, kind->context, kind->n);
            int64_t two = run_both(second, kind->body, kind->context, kind->n);

            if (round == 0)
                continue;
            keep_least(&kind->one_ns, one);
            keep_least(&kind->two_ns, two);
        }
}

static double per_iteration(int64_t ns, const struct kind *kind)
{
    return (double)ns / (double)kind->n;
}

void bench_threads(char **arguments)
{
    struct second second = {0};
    struct bench_pair pair;
    pthread_t thread;

    (void)arguments;
    bench_pair_make(&pair);
    bench_pair_pass(&pair, 1);
    pages_make_present();
    if (sem_init(&second.wake, 0, 0) != 0 || pthread_create(&thread, NULL, serve, &second) != 0)
        bench_fail("no second thread");
    struct kind kinds[] = {
        {.body = bench_pair_pass, .context = &pair, .n = N_BOUNDARIES},
        {.body = bench_read_clock_twice, .n = N_READS},
    };
    compare(&second, kinds, 2);
    bench_figure("boundary_one_thread_ns", per_iteration(kinds[0].one_ns, &kinds[0]), "ns");
    bench_figure("boundary_two_threads_ns", per_iteration(kinds[0].two_ns, &kinds[0]), "ns");
    bench_figure("reads_one_thread_ns", per_iteration(kinds[1].one_ns, &kinds[1]), "ns");
    bench_figure("reads_two_threads_ns", per_iteration(kinds[1].two_ns, &kinds[1]), "ns");
    second.body = NULL;
    sem_post(&second.wake);
    pthread_join(thread, NULL);
    bench_pair_drop(&pair);
}
