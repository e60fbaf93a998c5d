/*
 * sw-bench: prints one line per figure. `sw-bench` measures what needs no
 * shim; `sw-bench --recorded`, run under the shim, what a recorded boundary
 * costs, and `sw-bench --summary` what one costs that is only added up;
 * `sw-bench --execute N` prints nothing and lets others count.
 * scripts/bench runs them all.
 */
#include "config.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <swprof/swprof.h>

static int usage(FILE *stream, int status)
{
    fputs("usage: sw-bench [--recorded | --summary | --execute N]\n"
          "Print one figure a line: name value unit.\n"
          "  --recorded   the figures of recorded boundaries; run it under the shim\n"
          "  --summary    the same with SWPROF_FULL=summary\n"
          "  --execute N  only execute an empty operation N times\n",
          stream);
    return status;
}

static int under_the_shim(void (*measure)(void))
{
    if (!swprof_is_loaded()) {
        fputs("sw-bench: this needs the shim: LD_PRELOAD=libswprof.so\n", stderr);
        return EXIT_FAILURE;
    }
    measure();
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, EXIT_SUCCESS);
    if (argc == 2 && strcmp(argv[1], "--recorded") == 0)
        return under_the_shim(bench_boundary_recorded);
    if (argc == 2 && strcmp(argv[1], "--summary") == 0)
        return under_the_shim(bench_boundary_summary);
    if (argc == 3 && strcmp(argv[1], "--execute") == 0) {
        bench_execute(strtoul(argv[2], NULL, 10));
        return EXIT_SUCCESS;
    }
    if (argc != 1)
        return usage(stderr, 2);
    bench_boundary_absent();
    bench_matmul();
    bench_conv();
    bench_profiler();
    return EXIT_SUCCESS;
}
