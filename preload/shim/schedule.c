/*
 * The schedule that is followed, and where in it the process is. Rounds are begun
 * and ended as swprof_enable() and swprof_disable() do.
 */
#include "config.h"

#include "shim/schedule.h"

#include "record/text.h"
#include "record/values.h"
#include "shim/capture.h"
#include "shim/rounds.h"
#include "shim/series.h"
#include "shim/shim.h"
#include "shim/slow.h"

/* Guarded by the capture's lock for it, which a forked child has free; the child goes on with its copy of this. */
static struct {
    uint32_t is_one;                 /* a schedule is followed; atomic, relaxed: looked at without the lock first */
    struct swprof_schedule schedule;
    uint64_t step;                   /* of the schedule */
    int32_t shapes;                  /* of swprof_options */
    char label[SERIES_TEXT_BYTES + 8]; /* longer ones are cut between characters when stored */
} followed;

int schedule_is_valid(const struct swprof_schedule *schedule)
{
    return schedule->active > 0 && schedule->active <= SW__MOST_STEPS && schedule->wait <= SW__MOST_STEPS &&
           schedule->warmup <= SW__MOST_STEPS && schedule->repeat <= SW__MOST_STEPS &&
           schedule->skip_first <= SW__MOST_STEPS;
}

enum schedule_action schedule_action(const struct swprof_schedule *schedule, uint64_t step)
{
    uint64_t cycle = schedule->wait + schedule->warmup + schedule->active;

    if (step < schedule->skip_first)
        return SCHEDULE_NONE;
    step -= schedule->skip_first;
    if (schedule->repeat > 0 && step / cycle >= schedule->repeat)
        return SCHEDULE_NONE;
    step %= cycle;
    if (step < schedule->wait)
        return SCHEDULE_NONE;
    if (step < schedule->wait + schedule->warmup)
        return SCHEDULE_WARMUP;
    return step == cycle - 1 ? SCHEDULE_RECORD_AND_SAVE : SCHEDULE_RECORD;
}

static int is_recorded(enum schedule_action action)
{
    return action == SCHEDULE_RECORD || action == SCHEDULE_RECORD_AND_SAVE;
}

/* Not for handlers: it stays with the thread until the rounds are begun and ended. */
static struct capture *take(struct slow *slow)
{
    struct capture *capture = capture_get();

    if (capture == NULL)
        return NULL;
    slow_begin(slow);
    slow_lock(&capture->schedule_lock);
    return capture;
}

static void give(struct capture *capture, const struct slow *slow)
{
    slow_unlock(&capture->schedule_lock);
    slow_end(slow);
}

static int begin_round(void)
{
    struct swprof_options options = SWPROF_OPTIONS_INIT;

    options.shapes = followed.shapes;
    options.label = followed.label[0] != '\0' ? followed.label : NULL;
    return rounds_begin(&options);
}

int schedule_begin(const struct swprof_options *options)
{
    struct swprof_schedule schedule = *options->schedule;
    struct sw__text label;
    struct slow slow;
    struct capture *capture = take(&slow);
    int status = SWPROF_OK;

    if (capture == NULL)
        return SWPROF_NO_REPORT;
    __atomic_store_n(&followed.is_one, 1, __ATOMIC_RELAXED);
    followed.schedule = schedule;
    followed.step = 0;
    followed.shapes = options->shapes;
    label = sw__text_in(followed.label, sizeof followed.label);
    if (options->label != NULL)
        sw__text_add(&label, options->label);
    /* What was recorded before is a round of its own. */
    rounds_end();
    if (is_recorded(schedule_action(&schedule, 0)))
        status = begin_round();
    if (status != SWPROF_OK)
        __atomic_store_n(&followed.is_one, 0, __ATOMIC_RELAXED);
    give(capture, &slow);
    return status;
}

int schedule_load(void)
{
    followed.is_one = 1;
    followed.schedule = shim.settings.schedule;
    followed.shapes = -1;
    return is_recorded(schedule_action(&followed.schedule, 0));
}

int schedule_end(void)
{
    struct slow slow;
    struct capture *capture = take(&slow);
    int was_followed;

    if (capture == NULL)
        return 0;
    was_followed = followed.is_one != 0;
    __atomic_store_n(&followed.is_one, 0, __ATOMIC_RELAXED);
    give(capture, &slow);
    return was_followed;
}

void schedule_step(void)
{
    enum schedule_action before, now;
    struct capture *capture;
    struct slow slow;

    if (!__atomic_load_n(&followed.is_one, __ATOMIC_RELAXED) || (capture = take(&slow)) == NULL)
        return;
    if (followed.is_one) {
        before = schedule_action(&followed.schedule, followed.step++);
        now = schedule_action(&followed.schedule, followed.step);
        if (before == SCHEDULE_RECORD_AND_SAVE || (is_recorded(before) && !is_recorded(now)))
            rounds_end();
        if (is_recorded(now) && before != SCHEDULE_RECORD)
            begin_round();
    }
    give(capture, &slow);
}
