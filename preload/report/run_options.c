/*
 * The command line of swprof-run. Everything behind the first argument that is
 * no option belongs to the program.
 */
#include "config.h"

#include "report/run.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <swprof/swprof.h>

#include "record/values.h"

#define FIRST_CODE 1000

static enum report_outcome set_table(struct run_options *options, const char *value)
{
    options->table = value;
    return REPORT_OK;
}

static enum report_outcome set_grouping(struct run_options *options, const char *value)
{
    (void)value;
    options->grouping = SW__GROUP_BY_SHAPES;
    return REPORT_OK;
}

static enum report_outcome set_percentiles(struct run_options *options, const char *value)
{
    (void)value;
    options->has_percentiles = 1;
    return REPORT_OK;
}

static enum report_outcome set_limit(struct run_options *options, const char *value)
{
    char *end = NULL;

    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < 0)
        return report_fail(REPORT_USAGE, "--limit %s: expected a number, 0 or more", value);
    options->row_limit = number;
    return REPORT_OK;
}

static enum report_outcome set_quiet(struct run_options *options, const char *value)
{
    (void)value;
    options->is_quiet = 1;
    return REPORT_OK;
}

static enum report_outcome set_keep(struct run_options *options, const char *value)
{
    (void)value;
    options->removes = 0;
    return REPORT_OK;
}

static enum report_outcome set_remove(struct run_options *options, const char *value)
{
    (void)value;
    options->removes = 1;
    return REPORT_OK;
}

static enum report_outcome set_help(struct run_options *options, const char *value)
{
    (void)value;
    options->wants_help = 1;
    return REPORT_OK;
}

static enum report_outcome set_version(struct run_options *options, const char *value)
{
    (void)value;
    options->wants_version = 1;
    return REPORT_OK;
}

/* The checks of settings give what is accepted when the value is not, and NULL when it is. */
static const char *check_size(const char *value)
{
    uint64_t bytes;

    return sw__value_buffer(value, &bytes) ? NULL
                                           : "a size from 64K to 32G, in bytes or with K, M or G behind the number";
}

static const char *check_policy(const char *value)
{
    uint32_t policy;

    return sw__value_policy(value, &policy) ? NULL : "stop, ring or summary";
}

static const char *check_stack(const char *value)
{
    uint32_t depth;

    return sw__value_stack(value, &depth) ? NULL : "a number of frames, or off";
}

static const char *check_clock(const char *value)
{
    uint32_t clock;

    return sw__value_clock(value, &clock) ? NULL : "tsc or monotonic";
}

static const char *check_schedule(const char *value)
{
    struct swprof_schedule schedule;

    return sw__value_schedule(value, &schedule)
               ? NULL
               : "active=N, with N above 0, and wait=N, warmup=N, repeat=N, skip_first=N as wanted, separated by commas";
}

static const char *check_signal(const char *value)
{
    int32_t number;

    return sw__value_signal(value, &number)
               ? NULL
               : "USR1, USR2 or HUP, or the number of a real-time signal from 34 to 64";
}

static const struct {
    int letter;
    const char *name;
    const char *argument;
    enum report_outcome (*set)(struct run_options *options, const char *value); /* NULL: a setting */
    const char *variable;
    const char *value;
    const char *(*check)(const char *value); /* NULL: any value */
    const char *help;
} rows[] = {
#define RUN_OPTION(letter, name, argument, function, help) { letter, name, argument, function, NULL, NULL, NULL, help },
#define RUN_SETTING(name, argument, variable, value, check, help) \
    { 0, name, argument, NULL, variable, value, check, help },
#include "report/run_option.def"
#undef RUN_OPTION
#undef RUN_SETTING
};
#define N_ROWS (sizeof rows / sizeof *rows)

static void make_tables(struct option *long_options, char *letters)
{
    *letters++ = '+'; /* the program's own options are not ours */
    *letters++ = ':';
    for (size_t i = 0; i < N_ROWS; i++) {
        int has_argument = rows[i].argument != NULL ? required_argument : no_argument;
        long_options[i] = (struct option){ rows[i].name, has_argument, NULL, FIRST_CODE + (int)i };
        if (rows[i].letter == 0)
            continue;
        *letters++ = (char)rows[i].letter;
        if (rows[i].argument != NULL)
            *letters++ = ':';
    }
    *letters = '\0';
    long_options[N_ROWS] = (struct option){ NULL, 0, NULL, 0 };
}

static size_t row_of(int code)
{
    if (code >= FIRST_CODE)
        return (size_t)(code - FIRST_CODE);
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].letter == code)
            return i;
    return N_ROWS;
}

static enum report_outcome apply(struct run_options *options, size_t row, const char *argument)
{
    if (rows[row].set != NULL)
        return rows[row].set(options, argument);
    const char *expected = rows[row].check != NULL ? rows[row].check(argument) : NULL;
    if (expected != NULL)
        return report_fail(REPORT_USAGE, "--%s '%s': expected %s", rows[row].name, argument, expected);
    if (setenv(rows[row].variable, rows[row].value != NULL ? rows[row].value : argument, 1) != 0)
        return report_fail(REPORT_SYSTEM, "%s cannot be set: %s", rows[row].variable, strerror(errno));
    return REPORT_OK;
}

enum report_outcome run_options_parse(int n_arguments, char **arguments, struct run_options *ret_options)
{
    struct run_options options = { .row_limit = SW_NO_LIMIT };
    struct option long_options[N_ROWS + 1];
    char letters[2 * N_ROWS + 3];
    int code;

    make_tables(long_options, letters);
    optind = 0; /* and nothing of an earlier command line is remembered */
    while ((code = getopt_long(n_arguments, arguments, letters, long_options, NULL)) != -1) {
        if (code == ':')
            return report_fail(REPORT_USAGE, "%s needs a value", arguments[optind - 1]);
        if (code == '?')
            return report_fail(REPORT_USAGE, "%s is no option; see --help", arguments[optind - 1]);
        REPORT_TRY(apply(&options, row_of(code), optarg));
    }
    options.command = arguments + optind;
    if (options.command[0] == NULL && !options.wants_help && !options.wants_version)
        return report_fail(REPORT_USAGE, "a program to run is wanted; see --help");
    *ret_options = options;
    return REPORT_OK;
}

void run_options_print(void)
{
    printf("Usage: swprof-run [OPTION...] [--] PROGRAM [ARGUMENT...]\n\n"
           "Runs PROGRAM with libswprof.so preloaded and prints where its tensor operations\n"
           "spent their time. The exit status is the program's.\n\nOptions:\n");
    for (size_t i = 0; i < N_ROWS; i++) {
        char left[48], letter[8] = "    ";
        if (rows[i].letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, rows[i].name, rows[i].argument != NULL ? " " : "",
                 rows[i].argument != NULL ? rows[i].argument : "");
        printf("  %-26s %s\n", left, rows[i].help);
    }
}
