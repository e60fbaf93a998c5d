/*
 * Gathering them.
 */
#include "config.h"

#include "report/run_steps.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/inside.h"
#include "report/noted.h"
#include "report/runtime.h"

struct gathering {
    struct run_steps *steps;
    int is_mixed; /* there were phases that are not one */
};

static enum sw_status take_step(struct gathering *gathering, const struct noted *noted)
{
    struct run_steps *steps = gathering->steps;

    if (report_grow(&steps->steps, steps->n_steps, sizeof *steps->steps) != REPORT_OK)
        return SW_MEMORY_ERROR;
    steps->steps[steps->n_steps++] = (struct run_step){ noted->start_ns, noted->end_ns, noted->note.extra };
    return SW_OK;
}

static enum sw_status take_note(void *context, const struct noted *noted)
{
    struct gathering *gathering = context;
    struct run_steps *steps = gathering->steps;

    if (noted->note.kind == SWPROF_NOTE_STEP)
        return take_step(gathering, noted);
    if (noted->note.kind != SWPROF_NOTE_PHASE)
        return SW_OK;
    const char *phase = runtime_phase(noted->note.name);
    /* Its texts are static: equal ones are one. */
    gathering->is_mixed |= phase == NULL || (steps->phase != NULL && steps->phase != phase);
    steps->phase = phase;
    return SW_OK;
}

static int by_beginning(const void *a, const void *b)
{
    const struct run_step *left = a, *right = b;

    return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

enum report_outcome run_steps_read(const struct report *report, struct run_steps *ret_steps)
{
    const struct report_filter all = { .thread = NULL };
    struct run_steps steps REPORT_OWNED_RUN_STEPS = { .steps = NULL };
    struct gathering gathering = { .steps = &steps };

    REPORT_TRY(noted_each(report, &all, take_note, &gathering));
    if (steps.n_steps > 1)
        qsort(steps.steps, steps.n_steps, sizeof *steps.steps, by_beginning);
    if (gathering.is_mixed)
        steps.phase = NULL;
    *ret_steps = steps;
    steps = (struct run_steps){ .steps = NULL };
    return REPORT_OK;
}

void run_steps_clear(struct run_steps *steps)
{
    sw__free(steps->steps);
    *steps = (struct run_steps){ .steps = NULL };
}

const struct run_step *run_steps_at(const struct run_steps *steps, int64_t ns)
{
    size_t low = 0, high = steps->n_steps;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (steps->steps[middle].begin_ns <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && ns < steps->steps[low - 1].end_ns ? &steps->steps[low - 1] : NULL;
}
