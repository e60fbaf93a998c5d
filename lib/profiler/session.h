/*
 * A session: what the thread that entered a Profiler records into. It is
 * shared by the Profiler and the thread, one reference each, so that a Profiler
 * freed elsewhere leaves the thread with something valid: an abandoned session,
 * which it drops at its next dispatch or entry.
 */
#ifndef PROFILER_SESSION_H
#define PROFILER_SESSION_H

#include <strideweave/hooks.h>
#include <strideweave/profiler.h>

#include "base/cleanup.h"

struct sw__frozen;
struct sw__session;

/** The exact carrier classes whose events are selected. */
struct sw__selection {
    int all;
    size_t n;
    struct sw_hook_class *classes;
};

/** What is recorded of each event beside its times. */
struct sw__extent {
    int shapes;
    uint32_t stack_depth; /* 0: no stacks */
};

/** A session of the calling thread; @selection is copied. */
SW_NODISCARD enum sw_status sw__session_new(const struct sw__selection *selection, const struct sw__extent *extent,
                                            struct sw__session **ret_session);
void sw__session_unref(struct sw__session *session);

/** Make it the calling thread's session; the thread's reference is taken over. MemoryError. */
SW_NODISCARD enum sw_status sw__session_activate(struct sw__session *session);
/** The calling thread's session that is still wanted, or NULL; drops an abandoned one. */
struct sw__session *sw__session_current(void);
/** End the calling thread's session: the thread's reference is given back. */
void sw__session_deactivate(void);

/** Whether the calling thread is the one that records into it. */
int sw__session_is_own(const struct sw__session *session);
/** Stop recording for good; the owner drops the events. Threads: any. */
void sw__session_abandon(struct sw__session *session);
int sw__session_is_abandoned(const struct sw__session *session);
/** Boundaries of it that are still being executed. Owner only. */
size_t sw__session_n_open(struct sw__session *session);

/** Turn what was recorded into events; the session holds nothing afterwards. Owner only. */
SW_NODISCARD enum sw_status sw__session_freeze(struct sw__session *session, struct sw__frozen **ret_frozen);

/* The default hooks: what an active session makes of a boundary. */
void sw__session_compute_enter(struct sw_hook_compute *call);
void sw__session_compute_exit(struct sw_hook_compute *call);

SW__DEFINE_CLEANUP(session, struct sw__session, sw__session_unref)
#define SW__OWNED_SESSION SW__CLEANUP(sw__cleanup_session)

#endif
