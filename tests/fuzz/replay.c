/*
 * A fuzz target over files, without a fuzzer:
 *
 *   TARGET [--cuts] [--changes BYTES] [--all-values] FILE...
 *
 * Every file as it is; with --cuts also cut after each of its bytes; with
 * --changes also with each of its first BYTES bytes changed: every bit alone,
 * all bits, one more, one less, 0 and 255, or to every value. An input that
 * takes longer than anybody would wait ends the process.
 */
#include "config.h"

#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target.h"

/* Far above what an input takes, on however busy a machine. */
#define MOST_SECONDS 60

static size_t n_inputs;

static void try(const uint8_t *bytes, size_t n_bytes)
{
    alarm(MOST_SECONDS);
    LLVMFuzzerTestOneInput(bytes, n_bytes);
    alarm(0);
    n_inputs++;
}

static uint8_t *load(const char *path, size_t *ret_n_bytes)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    uint8_t *bytes = NULL;

    if (file == NULL || fstat(fileno(file), &status) != 0 ||
        (bytes = malloc((size_t)status.st_size + 1)) == NULL ||
        fread(bytes, 1, (size_t)status.st_size, file) != (size_t)status.st_size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    *ret_n_bytes = (size_t)status.st_size;
    return bytes;
}

/* A copy in memory of its own, so that reading behind its end is noticed. */
static void try_cut(const uint8_t *bytes, size_t n_bytes)
{
    uint8_t *cut = malloc(n_bytes + 1);

    if (cut == NULL)
        exit(2);
    memcpy(cut, bytes, n_bytes);
    try(cut, n_bytes);
    free(cut);
}

static void try_changes(uint8_t *bytes, size_t n_bytes, size_t at, int all_values)
{
    const uint8_t before = bytes[at];
    const uint8_t chosen[] = {
        before ^ 1,   before ^ 2,    before ^ 4,   before ^ 8,            before ^ 16,           before ^ 32,
        before ^ 64,  before ^ 128,  before ^ 255, (uint8_t)(before + 1), (uint8_t)(before - 1), 0,
        255,
    };

    for (unsigned i = 0; i < (all_values ? 256 : sizeof chosen); i++) {
        bytes[at] = all_values ? (uint8_t)i : chosen[i];
        if (bytes[at] != before)
            try(bytes, n_bytes);
    }
    bytes[at] = before;
}

int main(int n_arguments, char **arguments)
{
    static const struct option options[] = {
        { "cuts", no_argument, NULL, 'c' },
        { "changes", required_argument, NULL, 'n' },
        { "all-values", no_argument, NULL, 'a' },
        { NULL, 0, NULL, 0 },
    };
    size_t n_changed = 0;
    int cuts = 0, all_values = 0, code;

    while ((code = getopt_long(n_arguments, arguments, "", options, NULL)) != -1) {
        cuts |= code == 'c';
        all_values |= code == 'a';
        if (code == 'n')
            n_changed = (size_t)strtoul(optarg, NULL, 10);
        if (code == '?')
            return 2;
    }
    for (int i = optind; i < n_arguments; i++) {
        size_t n_bytes = 0;
        uint8_t *bytes = load(arguments[i], &n_bytes);
        fuzz_is_thorough = 1;
        try(bytes, n_bytes);
        fuzz_is_thorough = 0;
        for (size_t n = 0; cuts && n < n_bytes; n++)
            try_cut(bytes, n);
        for (size_t at = 0; at < n_changed && at < n_bytes; at++)
            try_changes(bytes, n_bytes, at, all_values);
        free(bytes);
    }
    printf("%zu inputs\n", n_inputs);
    return 0;
}
