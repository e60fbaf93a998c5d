/*
 * sw-bench: prints one line per figure. What it measures is chosen by one
 * option, because most of it needs a process of its own; scripts/bench runs all.
 */
#include "config.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <swprof/swprof.h>

struct mode {
    const char *option;
    const char *arguments;
    int n_arguments;
    void (*run)(char **arguments);
    int needs_shim;
    const char *help;
};

static const struct mode modes[] = {
#define BENCH_MODE(option, arguments, n_arguments, run, needs, help) \
    {option, arguments, n_arguments, run, needs, help},
#include "modes.def"
#undef BENCH_MODE
};

#define N_MODES (sizeof modes / sizeof *modes)

static int usage(FILE *stream, int status)
{
    fputs("usage: sw-bench OPTION\nPrint one figure a line: name value unit.\n", stream);
    for (size_t i = 0; i < N_MODES; i++) {
        char option[64];

        snprintf(option, sizeof option, "%s %s", modes[i].option, modes[i].arguments);
        fprintf(stream, "  %-28s %s\n", option, modes[i].help);
    }
    return status;
}

static const struct mode *find(const char *option, int n_arguments)
{
    for (size_t i = 0; i < N_MODES; i++)
        if (strcmp(option, modes[i].option) == 0 && n_arguments == modes[i].n_arguments)
            return &modes[i];
    return NULL;
}

void bench_kernels(char **arguments)
{
    (void)arguments;
    bench_conv();
    bench_carrier();
}

int main(int argc, char **argv)
{
    const struct mode *mode = argc > 1 ? find(argv[1], argc - 2) : NULL;

    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, EXIT_SUCCESS);
    if (mode == NULL)
        return usage(stderr, 2);
    if (mode->needs_shim && !swprof_is_loaded()) {
        fprintf(stderr, "sw-bench: %s needs the shim: LD_PRELOAD=libswprof.so\n", mode->option);
        return EXIT_FAILURE;
    }
    mode->run(argv + 2);
    return EXIT_SUCCESS;
}
