/*
 * The mutexes of the process, and forks.
 */
#include "config.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lock.h"
#include "check_main.h"

#define N_FORKS 20

/* A child that waits for ever is ended by its alarm. */
static int child_takes(enum sw__lock lock)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        alarm(20);
        SW__HOLD(lock);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct holder {
    enum sw__lock lock;
    int guarded; /* under the lock: odd while it is changed */
    int is_done; /* atomic */
};

static void *hold_often(void *argument)
{
    struct holder *holder = argument;

    while (!__atomic_load_n(&holder->is_done, __ATOMIC_ACQUIRE)) {
        SW__HOLD(holder->lock);
        holder->guarded++;
        for (volatile int i = 0; i < 1000; i++)
            ;
        holder->guarded++;
    }
    return NULL;
}

START_TEST(a_child_finds_free_and_whole_what_another_thread_held)
{
    struct holder holder = { .lock = (enum sw__lock)_i };
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, hold_often, &holder), 0);
    for (int i = 0; i < N_FORKS; i++) {
        const pid_t child = fork();
        int status;
        if (child == 0) {
            alarm(20);
            SW__HOLD(holder.lock);
            _exit(holder.guarded % 2);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    __atomic_store_n(&holder.is_done, 1, __ATOMIC_RELEASE);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

static void fork_under(enum sw__lock lock)
{
    SW__HOLD(lock);
    for (enum sw__lock other = 0; other < SW__N_LOCKS; other++)
        ck_assert(other == lock || child_takes(other));
}

START_TEST(a_thread_that_forks_does_not_wait_for_itself)
{
    fork_under((enum sw__lock)_i);
    ck_assert(child_takes((enum sw__lock)_i));
}
END_TEST

int main(void)
{
    const int failed = check_main_each("lock: other threads", a_child_finds_free_and_whole_what_another_thread_held,
                                       SW__N_LOCKS);

    return check_main_each("lock: own", a_thread_that_forks_does_not_wait_for_itself, SW__N_LOCKS) || failed;
}
