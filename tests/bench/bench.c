/*
 * Figures, the clock, and statistics over repeated short blocks.
 */
#include "config.h"

#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <strideweave/status.h>

void bench_figure(const char *name, double value, const char *unit)
{
    printf("%s %.4g %s\n", name, value, unit);
    fflush(stdout);
}

int64_t bench_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Nanoseconds per iteration of one block. */
static double run(const struct bench_case *of)
{
    int64_t begin, end;

    if (of->before != NULL)
        of->before(of->context);
    begin = bench_now_ns();
    of->body(of->context, of->n);
    end = bench_now_ns();
    if (of->after != NULL)
        of->after(of->context);
    return (double)(end - begin) / (double)of->n;
}

void bench_alternate(struct bench_case *cases, size_t n_cases, size_t n_rounds)
{
    double *times = bench_allocate(n_cases * n_rounds * sizeof *times);

    for (size_t i = 0; i < n_cases; i++)
        run(&cases[i]);
    for (size_t round = 0; round < n_rounds; round++)
        for (size_t i = 0; i < n_cases; i++)
            times[i * n_rounds + round] = run(&cases[i]);
    for (size_t i = 0; i < n_cases; i++) {
        qsort(times + i * n_rounds, n_rounds, sizeof *times, compare);
        cases[i].min_ns = times[i * n_rounds];
        cases[i].median_ns = times[i * n_rounds + n_rounds / 2];
    }
    free(times);
}

double bench_median_difference(struct bench_case cases[2], size_t n_rounds)
{
    double *differences = bench_allocate(n_rounds * sizeof *differences);
    double median;

    cases[0].min_ns = cases[1].min_ns = INFINITY;
    for (size_t round = 0; round < n_rounds; round++) {
        double ns[2];

        for (size_t i = 0; i < 2; i++) {
            const size_t which = (i + round) % 2;

            ns[which] = run(&cases[which]);
            if (ns[which] < cases[which].min_ns)
                cases[which].min_ns = ns[which];
        }
        differences[round] = ns[0] - ns[1];
    }
    qsort(differences, n_rounds, sizeof *differences, compare);
    median = differences[n_rounds / 2];
    free(differences);
    return median;
}

void *bench_allocate(size_t n_bytes)
{
    void *memory = malloc(n_bytes);

    if (memory == NULL)
        bench_fail("no memory");
    return memory;
}

void bench_fail(const char *what)
{
    fprintf(stderr, "sw-bench: %s", what);
    if (sw_error_message()[0] != '\0')
        fprintf(stderr, ": %s", sw_error_message());
    if (errno != 0)
        fprintf(stderr, " (%s)", strerror(errno));
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}
