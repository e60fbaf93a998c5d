/*
 * Opening and freezing of rounds. Whether one is open is in `shim.ways`.
 */
#include "config.h"

#include "shim/rounds.h"

#include <errno.h>

#include "record/at_load.h"
#include "record/clock.h"
#include "record/text.h"
#include "shim/ring.h"
#include "shim/schedule.h"
#include "shim/series.h"
#include "shim/settle.h"
#include "shim/shim.h"
#include "shim/slow.h"
#include "shim/thread.h"

/*
 * Sessions are wanted whether a round is open or not: one may have been; and so are ranges and steps of the
 * program, since those of one round may have begun in another.
 */
#define WANT_ALWAYS (SW_HOOK_WANT_SESSION | SW_HOOK_WANT_NOTE)
#define WANT_AT_LOAD (SW_HOOK_WANT_COMPUTE | WANT_ALWAYS)

uint64_t sw_hooks_wanted = WANT_AT_LOAD | SW_HOOK_WANT_INITIAL;

/* The open round while it is not in the report. Guarded by the capture's lock. */
static struct {
    struct swprof_anchor begin;
    int64_t realtime_ns;
    uint32_t shapes;
    char label[SERIES_TEXT_BYTES + 8]; /* longer ones are cut between characters when stored */
} open_round;

static uint64_t last_end; /* ticks at which the last round in the report ended: the next begins no earlier */
static int any_round;
static uint32_t wants; /* boundaries are raised in the word that the loader chose */
static uint64_t wants_more; /* likewise: kinds that the settings ask for */

SW__AT_LOAD static void want_at_load(void)
{
    sw_hooks_want_at_load(WANT_AT_LOAD);
    wants = 1;
}

SW__AT_LOAD static void want_more(uint64_t kinds)
{
    sw_hooks_want(kinds & ~wants_more);
    sw_hooks_unwant(wants_more & ~kinds);
    wants_more = kinds;
}

static uint64_t kinds_asked_for(void)
{
    return (shim.settings.memory ? SW_HOOK_WANT_STORAGE : 0) | (shim.settings.ranges ? SW_HOOK_WANT_RANGE : 0);
}

SW__AT_LOAD static void want(uint32_t on)
{
    if (on && !wants)
        sw_hooks_want(SW_HOOK_WANT_COMPUTE);
    if (!on && wants)
        sw_hooks_unwant(SW_HOOK_WANT_COMPUTE);
    wants = on;
    want_more(on ? kinds_asked_for() : 0);
}

static int is_open(void)
{
    return (shim_ways() & SHIM_RECORDING) != 0;
}

/* For the holder of the lock, or at load. */
SW__AT_LOAD static void set_ways(uint32_t ways)
{
    uint32_t others = shim.ways & ~(uint32_t)(SHIM_RECORDING | SHIM_SHAPES);

    __atomic_store_n(&shim.ways, others | ways, __ATOMIC_RELEASE);
}

SW__AT_LOAD static void start(uint32_t shapes)
{
    open_round.shapes = shapes;
    any_round = 1;
    set_ways(SHIM_RECORDING | (shapes ? SHIM_SHAPES : 0));
    want(1);
}

static void stop(void)
{
    want(0);
    set_ways(0);
}

SW__AT_LOAD void rounds_load(void)
{
    int is_scheduled = shim.settings.schedule.active > 0;

    want_at_load();
    if (is_scheduled ? !schedule_load() : !shim.settings.start) {
        want(0);
        return;
    }
    open_round.begin = shim.first;
    open_round.realtime_ns = shim.realtime_ns;
    start(shim.settings.shapes != 0);
}

void rounds_stay_inert(void)
{
    want_at_load();
    want(0);
    sw_hooks_unwant(WANT_ALWAYS);
}

void rounds_change_clock(void)
{
    open_round.begin.ticks = (uint64_t)open_round.begin.monotonic_ns;
}

int rounds_cover(uint64_t ticks)
{
    return is_open() && open_round.begin.ticks <= ticks;
}

uint64_t rounds_begin_ticks(const struct capture *capture, uint64_t now)
{
    const struct swprof_session *session = __atomic_load_n(&capture->session, __ATOMIC_RELAXED);

    return session != NULL ? session->begin.ticks : now;
}

int rounds_any(void)
{
    return any_round;
}

int rounds_publish(struct capture *capture)
{
    enum swprof_lost reason;
    struct swprof_session *session;
    uint32_t label = open_round.label[0] != '\0' ? series_text(capture, open_round.label) : 0;

    capture->session = NULL;
    if (!is_open())
        return 1;
    session = series_room(capture, &capture->sessions, SWPROF_BLOCK_SESSIONS, sizeof *session, 0, &reason);
    if (session == NULL)
        return 0;
    session->kind = SWPROF_SESSION_ROUND;
    session->state = SWPROF_SESSION_OPEN;
    session->label = label;
    session->flags = open_round.shapes ? SWPROF_SESSION_SHAPES : 0;
    session->begin = open_round.begin;
    session->begin_realtime_ns = open_round.realtime_ns;
    /* A forked child was not there when its parent's round began. */
    if (capture->process.pid != shim.pid) {
        sw__clock_anchor(shim.clock, &session->begin);
        session->begin_realtime_ns = sw__clock_realtime_ns();
    }
    series_publish(&capture->sessions, sizeof *session);
    capture->session = session;
    return 1;
}

void rounds_abandon(void)
{
    stop();
}

static void freeze_closing(struct capture *capture)
{
    if (capture->closing == NULL)
        return;
    ring_hold(capture);
    __atomic_store_n(&capture->closing->state, SWPROF_SESSION_FROZEN, __ATOMIC_RELEASE);
    capture->closing = NULL;
}

void rounds_freeze(struct capture *capture)
{
    struct swprof_session *session = capture->session;

    freeze_closing(capture);
    if (session == NULL)
        return;
    sw__clock_anchor(shim.clock, &session->end);
    session->end.ticks = settle_mark(capture, session->end.ticks);
    __atomic_store_n(&session->state, SWPROF_SESSION_FROZEN, __ATOMIC_RELEASE);
}

void rounds_thaw(struct capture *capture)
{
    if (capture->session != NULL)
        __atomic_store_n(&capture->session->state, SWPROF_SESSION_OPEN, __ATOMIC_RELEASE);
}

/* For the holder of both locks. */
static int begin(struct capture *capture, const struct swprof_options *options)
{
    uint32_t shapes = shim.settings.shapes != 0;
    struct sw__text label;

    if (is_open()) {
        want(1); /* the child of a fork between the two has only half of it */
        return SWPROF_ALREADY_ENABLED;
    }
    if (capture->state == CAPTURE_FAILED || capture->frozen)
        return SWPROF_NO_REPORT;
    if (options != NULL && options->shapes >= 0)
        shapes = (uint32_t)options->shapes;
    label = sw__text_in(open_round.label, sizeof open_round.label);
    if (options != NULL && options->label != NULL)
        sw__text_add(&label, options->label);
    freeze_closing(capture);
    sw__clock_anchor(shim.clock, &open_round.begin);
    if (open_round.begin.ticks < last_end)
        open_round.begin.ticks = last_end;
    open_round.realtime_ns = sw__clock_realtime_ns();
    start(shapes);
    if (capture->state == CAPTURE_READY && !rounds_publish(capture)) {
        stop();
        return SWPROF_NO_REPORT;
    }
    return SWPROF_OK;
}

/* For the holder of the lock for rounds. */
static int begin_locked(struct capture *capture, const struct swprof_options *options)
{
    int status;

    slow_lock(&capture->lock);
    status = begin(capture, options);
    slow_unlock(&capture->lock);
    return status;
}

int rounds_begin(const struct swprof_options *options)
{
    struct capture *capture = capture_get();
    struct slow slow;
    int status;

    if (capture == NULL)
        return SWPROF_NO_REPORT;
    slow_begin(&slow);
    slow_lock(&capture->rounds_lock);
    status = begin_locked(capture, options);
    slow_unlock(&capture->rounds_lock);
    slow_end(&slow);
    return status;
}

/* For the holder of the lock. Returns whether there was a round. */
static int end(struct capture *capture)
{
    struct swprof_session *session = capture->session;

    if (!is_open())
        return 0;
    stop();
    freeze_closing(capture);
    if (session != NULL) {
        sw__clock_anchor(shim.clock, &session->end);
        last_end = session->end.ticks = settle_mark(capture, session->end.ticks);
        capture->closing = session;
        capture->session = NULL;
        ring_hold(capture);
    }
    return 1;
}

void rounds_close(struct capture *capture)
{
    struct slow slow;

    slow_begin(&slow);
    slow_lock(&capture->lock);
    freeze_closing(capture);
    slow_unlock(&capture->lock);
    slow_end(&slow);
}

/* For the holder of the lock for rounds. */
static int end_locked(struct capture *capture)
{
    struct thread *thread = thread_self;
    int ended;

    slow_lock(&capture->lock);
    ended = end(capture);
    slow_unlock(&capture->lock);
    if (!ended)
        return SWPROF_NOT_ENABLED;
    if (capture->closing == NULL)
        return SWPROF_OK;
    settle_wait(capture);
    /* A handler that interrupted a hook of its own thread cannot wait for it. */
    if (thread != NULL && thread->capture == capture && thread->busy != 0)
        thread->after |= THREAD_CLOSES;
    else
        rounds_close(capture);
    return SWPROF_OK;
}

int rounds_end(void)
{
    struct capture *capture = capture_get();
    struct slow slow;
    int status;

    if (capture == NULL)
        return SWPROF_NOT_ENABLED;
    slow_begin(&slow);
    slow_lock(&capture->rounds_lock);
    status = end_locked(capture);
    slow_unlock(&capture->rounds_lock);
    slow_end(&slow);
    return status;
}

void rounds_toggle(void)
{
    struct capture *capture = capture_get();
    struct slow slow;

    if (capture == NULL)
        return;
    slow_begin(&slow);
    slow_lock(&capture->rounds_lock);
    if (end_locked(capture) != SWPROF_OK)
        begin_locked(capture, NULL);
    slow_unlock(&capture->rounds_lock);
    slow_end(&slow);
}
