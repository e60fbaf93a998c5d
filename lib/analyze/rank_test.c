/*
 * The rank-sum test. Ranks are doubled, so that those of ties are whole.
 */
#include "config.h"

#include "analyze/rank_test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"

#define MOST_EXACT 40

struct value {
    double value;
    int is_first;   /* of the first sample */
    uint32_t rank2; /* twice its rank */
};

static int by_value(const void *a, const void *b)
{
    double left = ((const struct value *)a)->value, right = ((const struct value *)b)->value;

    return (left > right) - (left < right);
}

/* Ascending, with ranks; the sum over ties of t^3 - t. */
static double rank_all(struct value *values, size_t n)
{
    double ties = 0;

    qsort(values, n, sizeof *values, by_value);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && !(values[i].value < values[end].value))
            end++;
        for (size_t k = i; k < end; k++)
            values[k].rank2 = (uint32_t)(i + 1 + end);
        double t = (double)(end - i);
        ties += t * t * t - t;
        i = end;
    }
    return ties;
}

/*
 * ways[k][s]: in how many ways k of the values seen so far have the doubled rank
 * sum s. At most C(40, 20), about 1.4e11: whole in a double.
 */
static enum sw_status deal(const struct value *values, size_t n, size_t n_a, uint32_t sum2, double *ret_p)
{
    size_t most = n * (n + 1), mean2 = n_a * (n + 1); /* of doubled sums */
    size_t width = most + 1;
    double *ways SW__OWNED = sw__alloc_zero((n_a + 1) * width * sizeof *ways);
    double all = 0, far = 0;

    if (ways == NULL)
        return SW_MEMORY_ERROR;
    ways[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t k = n_a; k > 0; k--)
            for (size_t s = most; s >= values[i].rank2; s--)
                ways[k * width + s] += ways[(k - 1) * width + s - values[i].rank2];
    size_t distance = sum2 > mean2 ? sum2 - mean2 : mean2 - sum2;
    for (size_t s = 0; s <= most; s++) {
        all += ways[n_a * width + s];
        if ((s > mean2 ? s - mean2 : mean2 - s) >= distance)
            far += ways[n_a * width + s];
    }
    *ret_p = far / all;
    return SW_OK;
}

static double approximate(size_t n_a, size_t n_b, double sum2, double ties)
{
    double a = (double)n_a, b = (double)n_b, n = a + b;
    double variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));
    double distance = fabs(sum2 / 2 - a * (n + 1) / 2) - 0.5; /* continuity */

    if (!(variance > 0) || distance <= 0)
        return 1;
    return erfc(distance / sqrt(2 * variance));
}

enum sw_status sw__rank_test(const double *a, size_t n_a, const double *b, size_t n_b, double *ret_p)
{
    size_t n = n_a + n_b;
    struct value *values SW__OWNED = sw__alloc(n * sizeof *values);
    double sum2 = 0;

    if (values == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++)
        values[i] = (struct value){ i < n_a ? a[i] : b[i - n_a], i < n_a, 0 };
    double ties = rank_all(values, n);
    for (size_t i = 0; i < n; i++)
        sum2 += values[i].is_first ? values[i].rank2 : 0;
    if (n <= MOST_EXACT)
        return deal(values, n, n_a, (uint32_t)sum2, ret_p);
    *ret_p = approximate(n_a, n_b, sum2, ties);
    return SW_OK;
}

double sw__rank_test_least(size_t n_a, size_t n_b)
{
    double ways = 1;

    for (size_t i = 1; i <= n_a; i++)
        ways *= (double)(n_b + i) / (double)i;
    return ways > 2 ? 2 / ways : 1;
}

struct place {
    double p;
    size_t index;
};

static int by_probability(const void *a, const void *b)
{
    double left = ((const struct place *)a)->p, right = ((const struct place *)b)->p;

    return (left > right) - (left < right);
}

enum sw_status sw__holm_adjust(double *p, size_t n)
{
    struct place *places SW__OWNED = sw__alloc((n + 1) * sizeof *places);
    double largest = 0;

    if (places == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++)
        places[i] = (struct place){ p[i], i };
    qsort(places, n, sizeof *places, by_probability);
    for (size_t i = 0; i < n; i++) {
        double adjusted = places[i].p * (double)(n - i);
        if (adjusted > largest)
            largest = adjusted;
        p[places[i].index] = largest < 1 ? largest : 1;
    }
    return SW_OK;
}
