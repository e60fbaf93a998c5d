/*
 * The pool: threads that wait for a job and take parts of it in turn with the
 * thread that brought it.
 */
#include "config.h"

#include "base/pool.h"

#include <pthread.h>
#include <signal.h>

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

/* One per process that wanted it, never freed. */
struct pool {
    struct pool *inherited; /* by the process, from the one that it was forked from */
    int is_taken; /* by a thread that has a job; atomic */
    pthread_mutex_t lock;
    pthread_cond_t job_came;
    pthread_cond_t job_left;
    struct job *job;   /* under lock; NULL: none to take part in */
    uint64_t n_jobs;   /* under lock; tells a thread the jobs apart */
    int64_t n_inside;  /* under lock; threads of the pool that take part */
};

static struct pool *current; /* atomic: written with release, read with acquire */
static struct pool *inherited;
static pthread_once_t watch = PTHREAD_ONCE_INIT;
static int is_watching; /* forks; without that there is no pool */

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

/* ---- Forks --------------------------------------------------------------------------------- */

/*
 * A child leaves its parent's pool alone, whose threads and locks are not its own, and makes another. Told by the fork
 * itself, not by the number of the process: that of a parent that ended may come back.
 */
static void leave_pool(void)
{
    if (current == NULL)
        return;
    current->inherited = inherited;
    inherited = current;
    current = NULL;
}

static void watch_forks(void)
{
    is_watching = pthread_atfork(NULL, NULL, leave_pool) == 0;
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

/*
 * The program's signals are handled on its own threads. Those that a thread brings upon itself are not blocked: the
 * program's handler would not run, and the process would end instead.
 */
static void block_signals(sigset_t *ret_saved)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
    sigset_t blocked;

    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, ret_saved);
}

/* As many as can be had: the caller takes part itself. They inherit the caller's signals, blocked. */
static void start_threads(struct pool *pool, int64_t n)
{
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int64_t i = 0; i < n; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, work, pool) != 0)
            break;
    }
    pthread_attr_destroy(&attributes);
}

/* The pool of this process, for the calling thread alone; NULL when it is taken or there is no memory for one. */
static struct pool *take_pool(int64_t n_threads)
{
    struct pool *pool = __atomic_load_n(&current, __ATOMIC_ACQUIRE);

    if (pool != NULL)
        return __atomic_exchange_n(&pool->is_taken, 1, __ATOMIC_ACQUIRE) == 0 ? pool : NULL;
    pthread_once(&watch, watch_forks);
    struct pool *fresh SW__OWNED = is_watching ? sw__alloc_zero(sizeof *fresh) : NULL;
    if (fresh == NULL)
        return NULL;
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

static void bring(struct pool *pool, struct job *job)
{
    pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->n_jobs++;
    pthread_cond_broadcast(&pool->job_came);
    pthread_mutex_unlock(&pool->lock);
}

static void take_back(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->job = NULL;
    while (pool->n_inside > 0)
        pthread_cond_wait(&pool->job_left, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    __atomic_store_n(&pool->is_taken, 0, __ATOMIC_RELEASE);
}

/*
 * Whether all parts ran, or one failed. Not where there is no pool, nor in a child that a signal handler forked meanwhile:
 * what the threads had taken is lost there. No handler runs while the pool's lock is held or waited for.
 */
static int share(int64_t n_threads, struct job *job)
{
    sigset_t saved;

    block_signals(&saved);
    struct pool *pool = take_pool(n_threads);
    if (pool != NULL)
        bring(pool, job);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (pool == NULL)
        return 0;
    take_parts(job);
    block_signals(&saved);
    const int is_own = pool == __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    if (is_own)
        take_back(pool);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    return is_own;
}

enum sw_status sw__pool_run(sw__part_fn *part, void *job, int64_t n, int64_t each)
{
    const int64_t n_threads = n > each ? sw__setting(SW__SETTING_NUM_THREADS) : 1;
    const int64_t n_parts = n > each ? (n - 1) / each + 1 : 1;
    struct job shared = { part, job, n, each, n_parts, 0, n_parts };
    int saved;

    if (n_threads == 1)
        return part(job, 0, n);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &saved);
    const int is_shared = share(n_threads, &shared);
    pthread_setcancelstate(saved, &saved);
    if (!is_shared)
        return part(job, 0, n);
    return shared.failed < n_parts ? part(job, shared.failed * each, n) : SW_OK;
}
