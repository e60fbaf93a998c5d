/*
 * What a computation boundary costs: its two hooks, called as the library calls
 * them, over two bare readings of the same clock, in blocks of about 1 ms that
 * alternate in one process.
 */
#include "config.h"

#include "bench.h"

#include "pages.h"
#include "pair.h"
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>

/* About 1 ms each. */
#define N_BOUNDARIES 30000
#define N_READS 50000
#define N_CALLS 20000
#define N_ROUNDS 100
#define EVENT_BYTES 24

/* ---- Hooks that are called ------------------------------------------------------------------ */

static void compare_with_reads(struct bench_case cases[2])
{
    struct bench_pair pair;

    bench_pair_make(&pair);
    bench_pair_pass(&pair, 1); /* there is a report now */
    pages_make_present();
    cases[0] = (struct bench_case){.body = bench_pair_pass, .context = &pair, .n = N_BOUNDARIES};
    cases[1] = (struct bench_case){.body = bench_read_clock_twice, .n = N_READS};
    bench_alternate(cases, 2, N_ROUNDS);
    bench_pair_drop(&pair);
}

static void figure(const char *name, const char *ending, double ns)
{
    char whole[64];

    snprintf(whole, sizeof whole, "%s_%s", name, ending);
    bench_figure(whole, ns, "ns");
}

/* Times, of which scripts/bench makes ratios when it has those of several processes. */
static void figures(const char *name)
{
    struct bench_case cases[2];

    compare_with_reads(cases);
    figure(name, "ns", cases[0].min_ns);
    figure(name, "reads_ns", cases[1].min_ns);
    figure(name, "median_ns", cases[0].median_ns);
    figure(name, "reads_median_ns", cases[1].median_ns);
}

void bench_recorded(char **arguments)
{
    (void)arguments;
    figures("boundary");
}

void bench_shapes(char **arguments)
{
    (void)arguments;
    figures("boundary_shapes");
}

void bench_stacks(char **arguments)
{
    (void)arguments;
    figures("boundary_stack");
}

void bench_summary(char **arguments)
{
    (void)arguments;
    figures("summary");
}

void bench_ring(char **arguments)
{
    (void)arguments;
    figures("ring");
}

/* ---- Fresh memory --------------------------------------------------------------------------- */

/* Two readings, and as many bytes of memory that nobody has touched. */
static void read_and_write(void *context, size_t n)
{
    uint64_t **at = context;
    uint64_t *to = *at;

    for (size_t i = 0; i < n; i++) {
        to[0] = bench_ticks();
        to[1] = bench_ticks();
        to[2] = i;
        to += EVENT_BYTES / sizeof *to;
    }
    *at = to;
}

void bench_fresh(char **arguments)
{
    struct bench_pair pair;
    uint64_t *at = pages_map_fresh((size_t)EVENT_BYTES * N_CALLS * (N_ROUNDS + 1));

    (void)arguments;
    bench_pair_make(&pair);
    struct bench_case cases[] = {
        {.body = bench_pair_pass, .context = &pair, .n = N_CALLS},
        {.body = read_and_write, .context = &at, .n = N_CALLS},
    };
    bench_alternate(cases, 2, N_ROUNDS);
    bench_figure("boundary_fresh_ns", cases[0].min_ns, "ns");
    bench_figure("boundary_fresh_extra_ns", cases[0].min_ns - cases[1].min_ns, "ns");
    bench_figure("boundary_fresh_extra_median_ns", cases[0].median_ns - cases[1].median_ns, "ns");
    bench_pair_drop(&pair);
}

/* ---- Hooks that are not called -------------------------------------------------------------- */

static void measure_operation(const char *name)
{
    struct bench_subject subject;

    bench_subject_make(&subject);
    struct bench_case cases[] = {{.body = bench_subject_execute, .context = &subject, .n = N_CALLS}};
    bench_alternate(cases, 1, 3 * N_ROUNDS);
    bench_figure(name, cases[0].min_ns, "ns");
    bench_subject_drop(&subject);
}

void bench_hook_absent(char **arguments)
{
    (void)arguments;
    measure_operation("hook_absent_ns");
}

void bench_capture_off(char **arguments)
{
    (void)arguments;
    measure_operation("capture_off_ns");
}

void bench_execute(char **arguments)
{
    struct bench_subject subject;
    char *end;
    size_t n = strtoul(arguments[0], &end, 10);

    if (*end != '\0')
        bench_fail("not a number");
    bench_subject_make(&subject);
    bench_subject_execute(&subject, n);
    bench_subject_drop(&subject);
}
