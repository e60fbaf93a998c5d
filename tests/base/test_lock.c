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

static void assert_fine(pid_t child)
{
    int status;

    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
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
        if (child == 0) {
            /* Ends one that would wait for ever. */
            alarm(20);
            SW__HOLD(holder.lock);
            _exit(holder.guarded % 2);
        }
        assert_fine(child);
    }
    __atomic_store_n(&holder.is_done, 1, __ATOMIC_RELEASE);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

START_TEST(a_thread_that_forks_does_not_wait_for_itself)
{
    const enum sw__lock lock = (enum sw__lock)_i;

    sw__lock(lock);
    const pid_t child = fork();
    sw__unlock(lock);
    if (child == 0) {
        alarm(20);
        for (enum sw__lock each = 0; each < SW__N_LOCKS; each++) {
            SW__HOLD(each);
        }
        _exit(0);
    }
    assert_fine(child);
}
END_TEST

int main(void)
{
    const int failed = check_main_each("lock: other threads", a_child_finds_free_and_whole_what_another_thread_held,
                                       SW__N_LOCKS);

    return check_main_each("lock: own", a_thread_that_forks_does_not_wait_for_itself, SW__N_LOCKS) || failed;
}
