/*
 * The pool: threads that wait for a job and take parts of it in turn with the
 * thread that brought it.
 */
#include "config.h"

#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "base/settings.h"

struct job {
    sw__part_fn *part;
    void *job;
    int64_t n;
    int64_t each;
    int64_t n_parts;
    int64_t next;   /* the part that is taken next; atomic */
    int64_t failed; /* the first part that failed, n_parts: none; atomic */
};

/*
 * One per process that wanted it, never freed: a child of a fork leaves its parent's alone, whose threads and locks
 * are not its own, and makes another.
 */
struct pool {
    struct pool *inherited; /* of the process that this one was forked from */
    pid_t process;
    int is_taken; /* by a thread that has a job; atomic */
    pthread_mutex_t lock;
    pthread_cond_t job_came;
    pthread_cond_t job_left;
    struct job *job;   /* under lock; NULL: none to take part in */
    uint64_t n_jobs;   /* under lock; tells a thread the jobs apart */
    int64_t n_inside;  /* under lock; threads of the pool that take part */
};

static struct pool *current; /* atomic: written with release, read with acquire */

/* ---- Parts ------------------------------------------------------------------------------- */

static void note_failure(struct job *job, int64_t part)
{
    int64_t failed = __atomic_load_n(&job->failed, __ATOMIC_RELAXED);

    while (part < failed &&
           !__atomic_compare_exchange_n(&job->failed, &failed, part, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static enum sw_status run_part(const struct job *job, int64_t part)
{
    const int64_t begin = part * job->each, left = job->n - begin;

    return job->part(job->job, begin, begin + (left < job->each ? left : job->each));
}

/* Parts behind one that failed are left out. */
static void take_parts(struct job *job)
{
    for (;;) {
        const int64_t part = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
        if (part >= job->n_parts || part > __atomic_load_n(&job->failed, __ATOMIC_RELAXED))
            return;
        if (run_part(job, part) != SW_OK)
            note_failure(job, part);
    }
}

/* ---- Threads ------------------------------------------------------------------------------- */

static void *work(void *argument)
{
    struct pool *pool = argument;
    uint64_t n_seen = 0;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->job == NULL || pool->n_jobs == n_seen)
            pthread_cond_wait(&pool->job_came, &pool->lock);
        struct job *job = pool->job;
        n_seen = pool->n_jobs;
        pool->n_inside++;
        pthread_mutex_unlock(&pool->lock);
        take_parts(job);
        pthread_mutex_lock(&pool->lock);
        if (--pool->n_inside == 0)
            pthread_cond_signal(&pool->job_left);
    }
    return NULL;
}

/* As many as can be had: the caller takes part itself. No signal of the program's is handled on them. */
static void start_threads(struct pool *pool, int64_t n)
{
    pthread_attr_t attributes;
    sigset_t all, saved;

    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    for (int64_t i = 0; i < n; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, work, pool) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    pthread_attr_destroy(&attributes);
}

/* The pool of this process, for the calling thread alone; NULL when it is taken or there is no memory for one. */
static struct pool *take_pool(int64_t n_threads)
{
    struct pool *pool = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    const pid_t process = getpid();

    if (pool != NULL && pool->process == process)
        return __atomic_exchange_n(&pool->is_taken, 1, __ATOMIC_ACQUIRE) == 0 ? pool : NULL;
    struct pool *fresh SW__OWNED = sw__alloc_zero(sizeof *fresh);
    if (fresh == NULL)
        return NULL;
    fresh->inherited = pool;
    fresh->process = process;
    fresh->is_taken = 1;
    pthread_mutex_init(&fresh->lock, NULL);
    pthread_cond_init(&fresh->job_came, NULL);
    pthread_cond_init(&fresh->job_left, NULL);
    if (!__atomic_compare_exchange_n(&current, &pool, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return NULL;
    start_threads(fresh, n_threads - 1);
    return sw__take(fresh);
}

/* ---- Jobs ---------------------------------------------------------------------------------- */

static void share(struct pool *pool, struct job *job)
{
    pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->n_jobs++;
    pthread_cond_broadcast(&pool->job_came);
    pthread_mutex_unlock(&pool->lock);
    take_parts(job);
    pthread_mutex_lock(&pool->lock);
    pool->job = NULL;
    while (pool->n_inside > 0)
        pthread_cond_wait(&pool->job_left, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    __atomic_store_n(&pool->is_taken, 0, __ATOMIC_RELEASE);
}

enum sw_status sw__pool_run(sw__part_fn *part, void *job, int64_t n, int64_t each)
{
    if (n <= each)
        return part(job, 0, n);
    const int64_t n_threads = sw__setting(SW__SETTING_NUM_THREADS);
    struct pool *pool = n_threads > 1 ? take_pool(n_threads) : NULL;
    if (pool == NULL)
        return part(job, 0, n);
    const int64_t n_parts = (n - 1) / each + 1;
    struct job shared = { part, job, n, each, n_parts, 0, n_parts };
    int saved;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &saved);
    share(pool, &shared);
    pthread_setcancelstate(saved, &saved);
    return shared.failed < n_parts ? part(job, shared.failed * each, n) : SW_OK;
}
