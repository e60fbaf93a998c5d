/*
 * Steps and the phase of a program, as its report noted them.
 */
#ifndef REPORT_RUN_STEPS_H
#define REPORT_RUN_STEPS_H

#include "report/report.h"

struct run_step {
    int64_t begin_ns;
    int64_t end_ns;
    uint64_t number;
};

struct run_steps {
    struct run_step *steps; /* in the order of their beginnings */
    size_t n_steps;
    const char *phase;      /* that of all that were noted, "train" or "infer"; NULL: none, others, or several */
};

SW_NODISCARD enum report_outcome run_steps_read(const struct report *report, struct run_steps *ret_steps);
void run_steps_clear(struct run_steps *steps);

/** The step in which a moment lies; NULL for none. */
const struct run_step *run_steps_at(const struct run_steps *steps, int64_t ns);

#define REPORT_OWNED_RUN_STEPS SW__CLEANUP(run_steps_clear)

#endif
