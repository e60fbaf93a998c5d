/*
 * Two coordinates collide exactly when integers d[i], not all zero and each
 * smaller in size than its extent, make the sum of d[i]*stride[i] zero: d is
 * their difference. The search fixes d from the largest stride downwards. What
 * the smaller leaves can make up for is bounded by their reach and must be a
 * multiple of their greatest common divisor, which leaves few values to try;
 * for the two smallest leaves the question has a closed form.
 */
#include "config.h"

#include "layout/relation.h"

#include "base/checked.h"

/* Wide enough for every sum and product here. */
typedef __int128 wide;

#define MAX_STEPS (1 << 20)

struct rung {
    int64_t most; /* extent - 1 */
    int64_t stride;
    int64_t reach;   /* of this leaf and all smaller ones: the largest index */
    int64_t divisor; /* greatest common divisor of their strides */
};

struct search {
    struct rung rungs[SW__MAX_LEAVES];
    size_t n;
    int64_t modulus; /* of the two smallest: stride 0 without the common divisor, */
    int64_t inverse; /* and what stride 1 without it must be multiplied by to give 1 */
    int64_t n_steps;
};

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The inverse of @a modulo @modulus, which have no common divisor. */
static int64_t inverse_of(int64_t a, int64_t modulus)
{
    int64_t r0 = modulus, r1 = a % modulus, t0 = 0, t1 = 1;

    while (r1 != 0) {
        int64_t quotient = r0 / r1, r2 = r0 % r1, t2 = t0 - quotient * t1;

        r0 = r1;
        r1 = r2;
        t0 = t1;
        t1 = t2;
    }
    return t0 < 0 ? t0 + modulus : t0;
}

static wide divide_down(wide a, wide b)
{
    return a / b - (a % b != 0 && a < 0);
}

static wide divide_up(wide a, wide b)
{
    return a / b + (a % b != 0 && a > 0);
}

/*
 * Fill in the rungs, leaves that continue their neighbour made one with it:
 * the same set of indices from fewer leaves.
 */
static void climb(struct search *search, const struct sw__leaf *leaves, size_t n)
{
    int64_t reach = 0, divisor = 0, end = 0; /* end: extent times stride of the last rung */

    search->n = 0;
    search->n_steps = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t most = leaves[i].extent - 1, stride = leaves[i].stride;

        reach += most * stride;
        if (search->n > 0 && stride == end) {
            struct rung *last = &search->rungs[search->n - 1];
            last->most = (last->most + 1) * leaves[i].extent - 1;
            last->reach = reach;
        } else {
            divisor = common_divisor(stride, divisor);
            search->rungs[search->n++] = (struct rung){ most, stride, reach, divisor };
        }
        if (!sw__mul_fits(leaves[i].extent, stride, &end))
            end = 0; /* no stride goes on from there */
    }
    if (search->n >= 2) {
        int64_t common = search->rungs[1].divisor;
        search->modulus = search->rungs[0].stride / common;
        search->inverse = inverse_of(search->rungs[1].stride / common, search->modulus);
    }
}

/* The values of d[k] with which the smaller leaves may still reach @target. */
static void range_of(const struct search *search, size_t k, int64_t target, wide *ret_low, wide *ret_high)
{
    const struct rung *rung = &search->rungs[k];
    wide below = search->rungs[k - 1].reach;
    wide low = divide_up(target - below, rung->stride), high = divide_down(target + below, rung->stride);

    *ret_low = low < -rung->most ? -rung->most : low;
    *ret_high = high > rung->most ? rung->most : high;
}

/* Whether the two smallest leaves make @target, a multiple of their common divisor. */
static int two_make(const struct search *search, int64_t target)
{
    wide low, high, modulus = search->modulus;

    range_of(search, 1, target, &low, &high);
    wide residue = (wide)(target / search->rungs[1].divisor) % modulus * search->inverse % modulus;
    wide first = low + ((residue - low) % modulus + modulus) % modulus;
    return first <= high;
}

/* Whether leaves 0 to k make @target with some d. */
static enum sw_answer make(struct search *search, size_t k, int64_t target)
{
    const struct rung *rung = &search->rungs[k];
    wide low, high;

    if (target % rung->divisor != 0 || target > rung->reach || target < -rung->reach)
        return SW_ANSWER_NO;
    if (k == 0)
        return SW_ANSWER_YES;
    if (k == 1)
        return two_make(search, target) ? SW_ANSWER_YES : SW_ANSWER_NO;
    range_of(search, k, target, &low, &high);
    for (wide d = low; d <= high; d++) {
        if (++search->n_steps > MAX_STEPS)
            return SW_ANSWER_UNKNOWN;
        enum sw_answer answer = make(search, k - 1, (int64_t)(target - d * rung->stride));
        if (answer != SW_ANSWER_NO)
            return answer;
    }
    return SW_ANSWER_NO;
}

/* Whether leaves 0 to k collide in coordinates that differ at leaf k. */
static enum sw_answer collide_at(struct search *search, size_t k)
{
    const struct rung *rung = &search->rungs[k];
    int64_t below = search->rungs[k - 1].reach, divisor = search->rungs[k - 1].divisor;
    /* Only multiples of this keep d[k]*stride divisible. */
    int64_t step = divisor / common_divisor(divisor, rung->stride);
    wide last = below / rung->stride;

    if (last > rung->most)
        last = rung->most;
    for (wide d = step; d <= last; d += step) {
        if (++search->n_steps > MAX_STEPS)
            return SW_ANSWER_UNKNOWN;
        enum sw_answer answer = make(search, k - 1, (int64_t)(d * rung->stride));
        if (answer != SW_ANSWER_NO)
            return answer;
    }
    return SW_ANSWER_NO;
}

enum sw_answer sw__leaves_collide(const struct sw__leaf *leaves, size_t n)
{
    struct search search;

    climb(&search, leaves, n);
    for (size_t k = 1; k < search.n; k++) {
        enum sw_answer answer = collide_at(&search, k);
        if (answer != SW_ANSWER_NO)
            return answer;
    }
    return SW_ANSWER_NO;
}
