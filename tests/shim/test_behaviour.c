/*
 * A program behaves the same with and without the shim: status, signal, what it
 * writes to stdout and what to stderr. behaviour.def has the programs;
 * SW_REPETITIONS says how often each runs.
 */
#define _GNU_SOURCE 1 /* pipe2 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "shim/run.h"
#include "shim/scale.h"

static const struct {
    const char *name;
    int n_reports;
} programs[] = {
#define BEHAVIOUR(name, reports) {#name, reports},
#include "shim/behaviour.def"
#undef BEHAVIOUR
};

#define N_PROGRAMS (sizeof programs / sizeof *programs)

/* Exit statuses of a program that could not do what it is for. */
#define LEAST_UNTRIED 96
#define MOST_UNTRIED 99

static int count_reports(const struct run *run)
{
    int n = 0, n_files = run_count_files(run);

    for (int i = 0; i < n_files; i++) {
        struct probe probe;

        if (!run_try_report(run, i, &probe))
            continue;
        probe_close(&probe);
        n++;
    }
    return n;
}

START_TEST(a_program_behaves_as_without_the_shim)
{
    const char *name = programs[(size_t)_i % N_PROGRAMS].name;
    int n_reports = programs[(size_t)_i % N_PROGRAMS].n_reports;
    struct run plain, observed;

    run_begin(&plain);
    run_begin(&observed);
    plain.program = observed.program = "behaviour";
    plain.apart = observed.apart = 1;
    run_program(&plain, "PLAIN=1", name);
    run_program(&observed, NULL, name);
    ck_assert_msg(plain.status < LEAST_UNTRIED << 8 || plain.status > MOST_UNTRIED << 8, "%s: could not be tried", name);
    ck_assert_msg(plain.status == observed.status, "%s: status %#x with the shim, %#x without", name, observed.status,
                  plain.status);
    ck_assert_msg(strcmp(plain.output, observed.output) == 0, "%s: other output with the shim: %.99s; without: %.99s",
                  name, observed.output, plain.output);
    ck_assert_msg(strcmp(plain.errors, observed.errors) == 0, "%s: other errors with the shim: %.99s; without: %.99s",
                  name, observed.errors, plain.errors);
    ck_assert_int_eq(count_reports(&plain), 0);
    if (n_reports >= 0)
        ck_assert_int_eq(count_reports(&observed), n_reports);
    run_end(&plain);
    run_end(&observed);
}
END_TEST

int main(void)
{
    return check_main_each("behaviour", a_program_behaves_as_without_the_shim,
                           N_PROGRAMS * scale("SW_REPETITIONS", 1));
}
