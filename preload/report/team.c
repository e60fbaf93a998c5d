/*
 * Threads that live as long as one piece of work. The reader is a program of its
 * own: it may have them.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* sched_getaffinity */

#include "report/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>

#include "base/alloc.h"

/* As many as the library's sentences have. */
#define SENTENCE_BYTES 512

struct member {
    team_work *work;
    void *context;
    size_t part;
    int has_thread;
    pthread_t thread;
    enum report_outcome outcome;
    char sentence[SENTENCE_BYTES]; /* of an outcome that is not OK */
};

/* More processors than the set has room for are more than anybody asks for. */
size_t team_size(size_t most)
{
    cpu_set_t usable;

    if (sched_getaffinity(0, sizeof usable, &usable) != 0)
        return most;
    size_t n_usable = (size_t)CPU_COUNT(&usable);
    return n_usable < most ? n_usable : most;
}

static void *work(void *argument)
{
    struct member *member = argument;

    member->outcome = member->work(member->context, member->part);
    if (member->outcome != REPORT_OK)
        snprintf(member->sentence, sizeof member->sentence, "%s", sw_error_message());
    return NULL;
}

/* As many as can be had. They inherit the caller's signals, blocked. */
static void start(struct member *members, size_t n_members)
{
    sigset_t all, before;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return;
    for (size_t i = 1; i < n_members; i++)
        members[i].has_thread = pthread_create(&members[i].thread, NULL, work, &members[i]) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void work_on_the_rest(struct member *members, size_t n_members)
{
    for (size_t i = 0; i < n_members; i++) {
        if (members[i].has_thread)
            continue;
        work(&members[i]);
        if (members[i].outcome != REPORT_OK)
            return;
    }
}

enum report_outcome team_run(size_t n_parts, team_work *function, void *context)
{
    struct member *members SW__OWNED = n_parts > 1 ? sw__alloc_zero(n_parts * sizeof *members) : NULL;

    if (n_parts == 1)
        return function(context, 0);
    if (members == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < n_parts; i++)
        members[i] = (struct member){ .work = function, .context = context, .part = i };
    start(members, n_parts);
    work_on_the_rest(members, n_parts);
    for (size_t i = 0; i < n_parts; i++)
        if (members[i].has_thread)
            pthread_join(members[i].thread, NULL);
    for (size_t i = 0; i < n_parts; i++)
        if (members[i].outcome != REPORT_OK)
            return report_fail(members[i].outcome, "%s", members[i].sentence);
    return REPORT_OK;
}
