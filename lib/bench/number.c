/*
 * Shortest texts of numbers, and what a list of them comes to.
 */
#include "config.h"

#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a double, so that it reads back. */
#define MOST_DIGITS 17
/* Powers of ten outside of which a number has an exponent. */
#define LEAST_POWER (-4)
#define MOST_POWER 16

/* Digits without a point, and the power of ten of the first. */
struct decimal {
    char digits[MOST_DIGITS + 1];
    int n;
    int power;
};

/* printf's own point depends on the locale, and may be of several bytes: the other digits stand before the exponent. */
static void find_shortest(double value, struct decimal *decimal)
{
    char text[SW_BENCH_NUMBER_BYTES];

    for (decimal->n = 1; decimal->n < MOST_DIGITS; decimal->n++) {
        snprintf(text, sizeof text, "%.*e", decimal->n - 1, value);
        if (strtod(text, NULL) == value)
            break;
    }
    snprintf(text, sizeof text, "%.*e", decimal->n - 1, value);
    decimal->digits[0] = text[0];
    const char *exponent = strchr(text, 'e');
    memcpy(decimal->digits + 1, exponent - (decimal->n - 1), (size_t)decimal->n - 1);
    decimal->digits[decimal->n] = '\0';
    decimal->power = (int)strtol(exponent + 1, NULL, 10);
}

static void put_plain(const struct decimal *decimal, char *text)
{
    const int power = decimal->power;

    if (power < 0) {
        memcpy(text, "0.0000", 6);
        memcpy(text + 1 - power, decimal->digits, (size_t)decimal->n + 1);
        return;
    }
    for (int i = 0; i <= power; i++)
        *text++ = i < decimal->n ? decimal->digits[i] : '0';
    *text++ = '.';
    strcpy(text, power + 1 < decimal->n ? decimal->digits + power + 1 : "0");
}

const char *sw_bench_number_text(double value, char *text)
{
    struct decimal decimal;
    char *to = text;

    if (!isfinite(value))
        return strcpy(text, "null");
    if (signbit(value))
        *to++ = '-';
    find_shortest(fabs(value), &decimal);
    if (decimal.power >= LEAST_POWER && decimal.power < MOST_POWER)
        put_plain(&decimal, to);
    else
        snprintf(to, SW_BENCH_NUMBER_BYTES - 1, "%c%s%.16se%+03d", decimal.digits[0], decimal.n > 1 ? "." : "",
                 decimal.digits + 1, decimal.power);
    return text;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void sw__bench_sum_up(double *values, size_t n, double *ret_mean, double *ret_median)
{
    long double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (long double)values[i];
    qsort(values, n, sizeof *values, compare);
    *ret_mean = (double)(sum / (long double)n);
    *ret_median = (double)(((long double)values[(n - 1) / 2] + (long double)values[n / 2]) / 2);
}
