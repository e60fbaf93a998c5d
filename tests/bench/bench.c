/*
 * Figures, the clock, and statistics over repeated short blocks.
 */
#include "config.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
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

void bench_alternate(struct bench_case *cases, size_t n_cases, size_t n_rounds)
{
    double *times = malloc(n_cases * n_rounds * sizeof *times);

    if (times == NULL)
        bench_fail("no memory for the times");
    for (size_t i = 0; i < n_cases; i++)
        cases[i].body(cases[i].context, cases[i].n);
    for (size_t round = 0; round < n_rounds; round++)
        for (size_t i = 0; i < n_cases; i++) {
            int64_t begin = bench_now_ns();
            cases[i].body(cases[i].context, cases[i].n);
            times[i * n_rounds + round] = (double)(bench_now_ns() - begin) / (double)cases[i].n;
        }
    for (size_t i = 0; i < n_cases; i++) {
        qsort(times + i * n_rounds, n_rounds, sizeof *times, compare);
        cases[i].min_ns = times[i * n_rounds];
        cases[i].median_ns = times[i * n_rounds + n_rounds / 2];
    }
    free(times);
}

void bench_fail(const char *what)
{
    fprintf(stderr, "sw-bench: %s: %s\n", what, sw_error_message());
    exit(EXIT_FAILURE);
}
