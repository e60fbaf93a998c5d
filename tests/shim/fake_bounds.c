/*
 * Programs that try the bounds of a report: many threads at once, and one that
 * tells how far it is, to be stopped at any instruction.
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "shim/fake_library.h"

static pthread_barrier_t all_there;

static void *few_together(void *argument)
{
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < 3; i++)
        fake_operation(1, NULL, NULL);
    pthread_barrier_wait(&all_there);
    return argument;
}

int fake_parallel(unsigned long count)
{
    pthread_t *threads = calloc(count, sizeof *threads);
    pthread_attr_t small;

    if (threads == NULL || pthread_attr_init(&small) != 0 || pthread_attr_setstacksize(&small, 65536) != 0 ||
        pthread_barrier_init(&all_there, NULL, (unsigned)count) != 0)
        return 1;
    for (unsigned long i = 0; i < count; i++)
        if (pthread_create(&threads[i], &small, few_together, NULL) != 0)
            return 2;
    for (unsigned long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

int fake_counted(unsigned long count)
{
    int file = open(getenv("FAKE_COUNTER"), O_RDWR);
    volatile uint64_t *shared = mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    if (file < 0 || shared == MAP_FAILED)
        return 1;
    for (unsigned long i = 0; i < count; i++, shared[0]++)
        fake_operation((uint32_t)(i % 2), NULL, NULL);
    puts("ready");
    fflush(stdout);
    while (shared[1] == 0)
        ;
    for (;; shared[0]++)
        fake_operation(1, NULL, NULL);
}
