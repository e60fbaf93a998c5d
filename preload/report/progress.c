/*
 * The line of progress.
 */
#include "config.h"

#include "report/progress.h"

#include <inttypes.h>
#include <unistd.h>

#include "report/clock.h"

/* The clock is looked at once in so many steps. */
#define STEPS_BETWEEN 4096

/* What is done by then needs no line; afterwards it is drawn so often. */
#define PATIENCE_NS INT64_C(500000000)

void progress_begin(struct progress *progress, FILE *output, uint64_t n_steps)
{
    int descriptor = fileno(output);

    *progress = (struct progress){
        .is_on = n_steps > 0 && isatty(STDERR_FILENO) && !(descriptor >= 0 && isatty(descriptor)),
        .n_steps = n_steps,
        .next_ns = clock_monotonic_ns() + PATIENCE_NS,
    };
}

void progress_step(struct progress *progress)
{
    if (++progress->n_done % STEPS_BETWEEN != 0 || !progress->is_on)
        return;
    int64_t now = clock_monotonic_ns();
    if (now < progress->next_ns)
        return;
    progress->next_ns = now + PATIENCE_NS;
    progress->is_drawn = 1;
    /* Operations that were still open are steps that nobody had counted. */
    uint64_t n_done = progress->n_done < progress->n_steps ? progress->n_done : progress->n_steps;
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " operations (%.0f %%)", n_done, progress->n_steps,
            100.0 * (double)n_done / (double)progress->n_steps);
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->is_drawn)
        fputs("\r\x1b[K", stderr);
    progress->is_drawn = 0;
}
