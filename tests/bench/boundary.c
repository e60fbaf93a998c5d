/*
 * What a computation boundary costs: an operation that does nothing, executed
 * with the hooks not wanted, and recorded by the shim.
 */
#include "config.h"

#include "bench.h"

#include "subject.h"

#define N_ROUNDS 2000
/* About 0.1 ms: shorter than a chunk of the report lasts, so the minimum is free of page faults. */
#define N_CALLS 2000

static void execute_unrecorded(void *context, size_t n)
{
    sw_hooks_unwant(SW_HOOK_WANT_COMPUTE);
    bench_subject_execute(context, n);
    sw_hooks_want(SW_HOOK_WANT_COMPUTE);
}

void bench_boundary_absent(void)
{
    struct bench_subject subject;

    bench_subject_make(&subject);
    struct bench_case cases[] = {{.body = bench_subject_execute, .context = &subject, .n = N_CALLS}};
    bench_alternate(cases, 1, N_ROUNDS);
    bench_figure("hook_absent_ns", cases[0].min_ns, "ns");
    bench_subject_drop(&subject);
}

/* What the shim adds to an operation, over reading its clock twice: minimum and median. */
static void measure(struct bench_case cases[3])
{
    struct bench_subject subject;

    bench_subject_make(&subject);
    cases[0] = (struct bench_case){.body = bench_subject_execute, .context = &subject, .n = N_CALLS};
    cases[1] = (struct bench_case){.body = execute_unrecorded, .context = &subject, .n = N_CALLS};
    cases[2] = (struct bench_case){.body = bench_read_clock_twice, .n = N_CALLS};
    bench_alternate(cases, 3, N_ROUNDS);
    bench_subject_drop(&subject);
}

void bench_boundary_recorded(void)
{
    struct bench_case cases[3];

    measure(cases);
    double minimum = cases[0].min_ns - cases[1].min_ns;
    double median = cases[0].median_ns - cases[1].median_ns;
    bench_figure("capture_off_ns", cases[1].min_ns, "ns");
    bench_figure("boundary_recorded_ns", minimum, "ns");
    bench_figure("boundary_recorded_median_ns", median, "ns");
    bench_figure("two_clock_reads_ns", cases[2].min_ns, "ns");
    bench_figure("boundary_over_two_reads", minimum / cases[2].min_ns, "ratio");
    bench_figure("boundary_median_over_two_reads", median / cases[2].median_ns, "ratio");
}

void bench_boundary_summary(void)
{
    struct bench_case cases[3];

    measure(cases);
    double minimum = cases[0].min_ns - cases[1].min_ns;
    double median = cases[0].median_ns - cases[1].median_ns;
    bench_figure("summary_ns", minimum, "ns");
    bench_figure("summary_over_two_reads", minimum / cases[2].min_ns, "ratio");
    bench_figure("summary_median_over_two_reads", median / cases[2].median_ns, "ratio");
}

void bench_execute(size_t n)
{
    struct bench_subject subject;

    bench_subject_make(&subject);
    bench_subject_execute(&subject, n);
    bench_subject_drop(&subject);
}
