/*
 * swprof-bench: what host ranges, the Profiler and the shim cost, and where the
 * host's time of a call goes. Links libstrideweave as any program does.
 */
#include "config.h"

#include "measure/measure.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CODE 1000

enum bench_outcome bench_fail(enum bench_outcome outcome, const char *format, ...)
{
    va_list arguments;

    fputs("swprof-bench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return outcome;
}

enum bench_outcome bench_fail_library(const char *what)
{
    return bench_fail(BENCH_FAILED, "%s: %s", what, sw_error_message());
}

/* ---- Options ------------------------------------------------------------------------------- */

static enum bench_outcome read_integer(const char *name, const char *text, int64_t *ret_value)
{
    char *end = NULL;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0)
        return bench_fail(BENCH_USAGE, "--%s %s: expected an integer", name, text);
    *ret_value = value;
    return BENCH_OK;
}

/* The sentences are the library's: it refuses the same values. */
static enum bench_outcome set_iterations(struct options *options, const char *value)
{
    enum bench_outcome outcome = read_integer("iterations", value, &options->iterations);

    if (outcome == BENCH_OK && options->iterations <= 0)
        return bench_fail(BENCH_USAGE, "iterations must be positive");
    return outcome;
}

static enum bench_outcome set_warmup(struct options *options, const char *value)
{
    enum bench_outcome outcome = read_integer("warmup-iterations", value, &options->warmup);

    if (outcome == BENCH_OK && options->warmup < 0)
        return bench_fail(BENCH_USAGE, "warmup_iterations must be non-negative");
    return outcome;
}

static enum bench_outcome set_rounds(struct options *options, const char *value)
{
    enum bench_outcome outcome = read_integer("rounds", value, &options->rounds);

    if (outcome == BENCH_OK && options->rounds <= 0)
        return bench_fail(BENCH_USAGE, "rounds must be positive");
    return outcome;
}

static enum bench_outcome set_observer(struct options *options, const char *value)
{
    options->observer = observer_find(value);
    if (options->observer == NULL)
        return bench_fail(BENCH_USAGE, "--observer %s: expected host-ranges, profiler or shim", value);
    return BENCH_OK;
}

static enum bench_outcome set_active(struct options *options, const char *value)
{
    (void)value;
    options->is_active = 1;
    return BENCH_OK;
}

static enum bench_outcome set_alternating(struct options *options, const char *value)
{
    (void)value;
    options->is_alternating = 1;
    return BENCH_OK;
}

static enum bench_outcome set_label(struct options *options, const char *value)
{
    options->label = value;
    return BENCH_OK;
}

static enum bench_outcome set_output(struct options *options, const char *value)
{
    options->output = value;
    return BENCH_OK;
}

static enum bench_outcome set_benchmark(struct options *options, const char *value)
{
    (void)value;
    options->is_benchmark = 1;
    return BENCH_OK;
}

static enum bench_outcome set_profile(struct options *options, const char *value)
{
    options->profile = value;
    return BENCH_OK;
}

static enum bench_outcome set_min_run(struct options *options, const char *value)
{
    char *end = NULL;
    double seconds = strtod(value, &end);

    if (end == value || *end != '\0' || !isfinite(seconds) || seconds < 0 || seconds > 3600)
        return bench_fail(BENCH_USAGE, "--min-run-time %s: expected seconds, 0 to 3600", value);
    options->min_run_ns = (int64_t)(seconds * 1e9);
    return BENCH_OK;
}

static enum bench_outcome set_most_calls(struct options *options, const char *value)
{
    enum bench_outcome outcome = read_integer("most-calls", value, &options->most_calls);

    if (outcome == BENCH_OK && options->most_calls <= 0)
        return bench_fail(BENCH_USAGE, "--most-calls %s: expected a positive number", value);
    return outcome;
}

static const struct option_row {
    int letter;
    const char *name;
    const char *argument;
    enum bench_outcome (*set)(struct options *options, const char *value);
    unsigned groups;
    const char *help;
} option_rows[] = {
#define BENCH_OPTION(letter, name, argument, set, groups, help) { letter, name, argument, set, groups, help },
#include "measure/option.def"
#undef BENCH_OPTION
};
#define N_OPTIONS (sizeof option_rows / sizeof *option_rows)

static const struct command_row {
    const char *name;
    bench_command_fn *run;
    unsigned groups;
    const char *help;
} command_rows[] = {
#define BENCH_COMMAND(name, function, groups, help) { name, function, groups, help },
#include "measure/command.def"
#undef BENCH_COMMAND
};
#define N_COMMANDS (sizeof command_rows / sizeof *command_rows)

static enum bench_outcome print_help(void)
{
    puts("usage: swprof-bench COMMAND [OPTION...] [CASE...]\n");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const struct command_row *command = &command_rows[i];
        printf("%-10s %s\n", command->name, command->help);
        for (size_t j = 0; j < N_OPTIONS; j++) {
            const struct option_row *row = &option_rows[j];
            char option[48];
            if ((row->groups & command->groups) == 0)
                continue;
            snprintf(option, sizeof option, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
                     row->argument != NULL ? row->argument : "");
            printf("  -%c, %-26s %s\n", row->letter, option, row->help);
        }
    }
    puts("\n-h, --help and -V, --version stand for themselves. Exit status: 0, 1 when something failed, 2 for wrong usage.");
    return BENCH_OK;
}

static void make_getopt(char *letters, struct option *longs)
{
    size_t i;

    *letters++ = '-'; /* cases may stand between options */
    for (i = 0; i < N_OPTIONS; i++) {
        const struct option_row *row = &option_rows[i];
        longs[i] = (struct option){ row->name, row->argument != NULL, NULL, FIRST_CODE + (int)i };
        *letters++ = (char)row->letter;
        if (row->argument != NULL)
            *letters++ = ':';
    }
    *letters = '\0';
    longs[i] = (struct option){ NULL, 0, NULL, 0 };
}

static const struct option_row *find_option(int code)
{
    if (code >= FIRST_CODE)
        return &option_rows[code - FIRST_CODE];
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (option_rows[i].letter == code)
            return &option_rows[i];
    return NULL;
}

static enum bench_outcome parse(const struct command_row *command, int argc, char **argv, struct options *options)
{
    char letters[2 * N_OPTIONS + 2];
    struct option longs[N_OPTIONS + 1];
    int code;

    make_getopt(letters, longs);
    options->names = calloc((size_t)argc, sizeof *options->names);
    if (options->names == NULL)
        return bench_fail(BENCH_FAILED, "no memory");
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (code == 1) {
            options->names[options->n_names++] = optarg;
            continue;
        }
        const struct option_row *row = find_option(code);
        if (row == NULL)
            return BENCH_USAGE; /* getopt has said why */
        if ((row->groups & command->groups) == 0)
            return bench_fail(BENCH_USAGE, "--%s is no option of %s", row->name, command->name);
        enum bench_outcome outcome = row->set(options, optarg);
        if (outcome != BENCH_OK)
            return outcome;
    }
    for (; optind < argc; optind++)
        options->names[options->n_names++] = argv[optind];
    return BENCH_OK;
}

static int is_any(const char *word, const char *letter, const char *name)
{
    return strcmp(word, letter) == 0 || strcmp(word, name) == 0;
}

int main(int argc, char **argv)
{
    struct options options = { .warmup = 2000, .rounds = 7, .observer = observer_find("host-ranges"),
                               .label = "swprof-bench", .min_run_ns = INT64_C(200000000), .most_calls = 10000 };
    enum bench_outcome outcome;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_any(argv[i], "-h", "--help"))
            return (int)print_help();
        if (is_any(argv[i], "-V", "--version"))
            return printf("swprof-bench %s\n", PACKAGE_VERSION) > 0 ? BENCH_OK : BENCH_FAILED;
    }
    if (argc < 2)
        return (int)bench_fail(BENCH_USAGE, "no command; see --help");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(argv[1], command_rows[i].name) != 0)
            continue;
        argv[1] = argv[0];
        outcome = parse(&command_rows[i], argc - 1, argv + 1, &options);
        if (outcome == BENCH_OK)
            outcome = command_rows[i].run(&options);
        free(options.names);
        if (fflush(stdout) != 0 && outcome == BENCH_OK)
            outcome = bench_fail(BENCH_FAILED, "the standard output: %s", strerror(errno));
        return (int)outcome;
    }
    return (int)bench_fail(BENCH_USAGE, "%s is no command; see --help", argv[1]);
}
