/*
 * Counters of durations and percentiles from them.
 */
#include "config.h"

#include "analyze/histogram.h"

#include "base/alloc.h"

#define COUNTER_BITS 9
#define N_COUNTERS (1u << COUNTER_BITS)
/* Octave 0 has the values below N_COUNTERS, octave k those from 2^(k + COUNTER_BITS - 1) on. */
#define N_OCTAVES (63 - COUNTER_BITS + 1)

struct sw__histogram {
    uint64_t *octaves[N_OCTAVES]; /* N_COUNTERS counters; NULL: none was counted */
    uint64_t count;
};

enum sw_status sw__histogram_new(struct sw__histogram **ret_histogram)
{
    struct sw__histogram *histogram = sw__alloc_zero(sizeof *histogram);

    if (histogram == NULL)
        return SW_MEMORY_ERROR;
    *ret_histogram = histogram;
    return SW_OK;
}

void sw__histogram_free(struct sw__histogram *histogram)
{
    if (histogram == NULL)
        return;
    for (size_t i = 0; i < N_OCTAVES; i++)
        sw__free(histogram->octaves[i]);
    sw__free(histogram);
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static unsigned octave_of(uint64_t value)
{
    return value < N_COUNTERS ? 0 : 64 - COUNTER_BITS - (unsigned)__builtin_clzll(value);
}

enum sw_status sw__histogram_add(struct sw__histogram *histogram, int64_t value, uint64_t count)
{
    uint64_t size = value < 0 ? 0 : (uint64_t)value;
    unsigned octave = octave_of(size);
    uint64_t **counters = &histogram->octaves[octave];

    if (*counters == NULL)
        *counters = sw__alloc_zero(N_COUNTERS * sizeof **counters);
    if (*counters == NULL)
        return SW_MEMORY_ERROR;
    uint64_t *counter = &(*counters)[(size >> (octave > 1 ? octave - 1 : 0)) % N_COUNTERS];
    *counter = add_saturating(*counter, count);
    histogram->count = add_saturating(histogram->count, count);
    return SW_OK;
}

/* The middle of what a counter counts. */
static int64_t middle(unsigned octave, uint64_t counter)
{
    unsigned shift = octave > 1 ? octave - 1 : 0;
    uint64_t low = (octave > 0 ? N_COUNTERS + counter : counter) << shift;

    return (int64_t)(low + ((UINT64_C(1) << shift) - 1) / 2);
}

enum sw_status sw__histogram_merge(struct sw__histogram *histogram, const struct sw__histogram *more)
{
    for (unsigned octave = 0; octave < N_OCTAVES; octave++)
        for (uint64_t i = 0; more->octaves[octave] != NULL && i < N_COUNTERS; i++)
            if (more->octaves[octave][i] != 0)
                SW__TRY(sw__histogram_add(histogram, middle(octave, i), more->octaves[octave][i]));
    return SW_OK;
}

int64_t sw__histogram_percentile(const struct sw__histogram *histogram, unsigned percent)
{
    /* The smallest rank of which percent / 100 of all are not above it; at least the first. */
    uint64_t rank = histogram->count / 100 * percent + (histogram->count % 100 * percent + 99) / 100;
    uint64_t passed = 0;

    for (unsigned octave = 0; octave < N_OCTAVES; octave++) {
        for (uint64_t i = 0; histogram->octaves[octave] != NULL && i < N_COUNTERS; i++) {
            passed = add_saturating(passed, histogram->octaves[octave][i]);
            if (passed != 0 && passed >= rank)
                return middle(octave, i);
        }
    }
    return 0;
}

uint64_t sw__histogram_count(const struct sw__histogram *histogram)
{
    return histogram->count;
}

/* The middle of a counter may lie beyond what really occurred. */
static int64_t clamp(int64_t value, const struct sw__aggregate *row)
{
    return value < row->min_ns ? row->min_ns : value > row->max_ns ? row->max_ns : value;
}

void sw__histogram_describe(const struct sw__histogram *histogram, struct sw__aggregate *row)
{
    static const unsigned percents[SW__N_PERCENTILES] = {
#define SW_PERCENTILE(percent) percent,
#include "analyze/percentiles.def"
#undef SW_PERCENTILE
    };

    row->n_measured = histogram->count;
    if (row->n_measured == 0)
        return;
    for (size_t i = 0; i < SW__N_PERCENTILES; i++)
        row->percentiles_ns[i] = clamp(sw__histogram_percentile(histogram, percents[i]), row);
}
