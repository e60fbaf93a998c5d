/*
 * One run of a program for comparisons: make_run SEED PERCENT FILE writes a
 * report of 100 calls of "step", each with a "matmul" and two "add" inside, whose
 * times vary as those of a busy machine do: a phase per run, noise per call, now
 * and then an outlier. "matmul" is slower by PERCENT.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "make_report.h"

#define N_STEPS 100

static uint64_t state;

/* splitmix64: from 0 to 1. */
static double any(void)
{
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

/* About normal, of deviation 1. */
static double noise(void)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += any();
    return sum - 6;
}

static uint64_t vary(double ns, double phase)
{
    double factor = phase * (1 + 0.05 * noise());

    return (uint64_t)(ns * (any() < 0.01 ? factor * 8 : factor));
}

int main(int n_arguments, char **arguments)
{
    if (n_arguments != 4)
        return 2;
    state = strtoull(arguments[1], NULL, 10) * 7919;
    double slower = 1 + strtod(arguments[2], NULL) / 100;
    double phase = 1 + 0.01 * noise();
    struct made_report report = make_report();
    uint32_t step = make_dispatch(&report, "step", "Evictable", 2);
    uint32_t matmul = make_dispatch(&report, "matmul", "Generic", 1);
    uint32_t add = make_dispatch(&report, "add", "Generic", 1);
    uint64_t now = 1000;

    size_t chunk = make_chunk(&report, 0, 0, 4);
    for (int i = 0; i < N_STEPS; i++) {
        uint64_t begin = now, t = begin + 100, d;
        d = vary(20000 * slower, phase);
        make_event(&report, chunk, t, d, matmul, 1, SWPROF_EVENT_SUCCEEDED, 0);
        t += d + 50;
        for (int k = 0; k < 2; k++) {
            d = vary(3000, phase);
            make_event(&report, chunk, t, d, add, 1, SWPROF_EVENT_SUCCEEDED, 0);
            t += d + 50;
        }
        now = t + vary(1000, phase);
        make_event(&report, chunk, begin, now - begin, step, 0, SWPROF_EVENT_SUCCEEDED, 0);
        now += 500;
    }
    make_session(&report, 1000, now, "");
    make_thread(&report, 0, 100, 1000, now);
    int written = made_write(&report, arguments[3]);
    made_free(&report);
    return written ? 0 : 1;
}
