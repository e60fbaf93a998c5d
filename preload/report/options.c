/*
 * Options by table: each row of option.def has a function that checks its
 * argument and stores it.
 */
#include "config.h"

#include "report/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/event_list.h"
#include "report/find.h"
#include "report/options_set.h"

/* What getopt_long() returns for the option in row i, apart from every letter. */
#define FIRST_CODE 1000

/* Seconds between two drawings. */
#define LEAST_INTERVAL 0.05
#define MOST_INTERVAL 86400.0

#define MOST_PERCENT 1e6

static enum report_outcome bad_value(const char *option, const char *value, const char *expected)
{
    return report_fail(REPORT_USAGE, "--%s %s: expected %s", option, value, expected);
}

enum report_outcome options_parse_number(const char *option, const char *value, int64_t least, int64_t *ret_number)
{
    char *end = NULL;

    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < least)
        return bad_value(option, value, least > 0 ? "a number above 0" : "a number, 0 or more");
    *ret_number = number;
    return REPORT_OK;
}

static const struct {
    const char *name;
    const char *key;
    enum sw__column column;
    enum sw__direction direction;
    const char *torch_key;
    unsigned wants;
} sorts[] = {
#define REPORT_SORT(name, key, column, direction, torch_key, wants) { name, key, column, direction, torch_key, wants },
#include "report/sort.def"
#undef REPORT_SORT
};
#define N_SORTS (sizeof sorts / sizeof *sorts)

static enum report_outcome set_sort(struct options *options, const char *value)
{
    options->sort = value;
    return REPORT_OK;
}

/* The row that has a name; N_SORTS for none. */
static size_t find_sort(const char *name)
{
    size_t i = 0;

    while (i < N_SORTS && strcmp(sorts[i].name, name) != 0 && strcmp(sorts[i].key, name) != 0 &&
           strcmp(sw__column_field(sorts[i].column), name) != 0)
        i++;
    return i;
}

static enum report_outcome choose_torch_sort(struct options *options)
{
    size_t row = find_sort(options->sort);

    options->torch.sort_by = row < N_SORTS ? sorts[row].torch_key : options->sort;
    if (options->torch.sort_by != NULL && sw__event_sort_exists(options->torch.sort_by))
        return REPORT_OK;
    return bad_value("sort", options->sort,
                     "name, calls, total, self, mean, or a key of PyTorch's such as cpu_time_total");
}

/* What a name means depends on the style. */
static enum report_outcome choose_sort(struct options *options)
{
    if (options->sort == NULL)
        return REPORT_OK;
    if (options_are_torch(options))
        return choose_torch_sort(options);
    size_t row = find_sort(options->sort);
    if (row == N_SORTS)
        return bad_value("sort", options->sort, "a column: name, carrier, shapes, calls, total, self, mean, min, max, or its key in exports");
    options->sort_by = sorts[row].column;
    options->wants |= sorts[row].wants; /* the column is shown, too */
    return REPORT_OK;
}

/* Texts begin with the first of the alphabet, numbers with the largest. */
static void choose_direction(struct options *options)
{
    for (size_t i = 0; i < N_SORTS; i++)
        if (!options->has_direction && sorts[i].column == options->sort_by)
            options->direction = sorts[i].direction;
}

static enum report_outcome set_ascending(struct options *options, const char *value)
{
    (void)value;
    options->direction = SW__ASCENDING;
    options->has_direction = 1;
    return REPORT_OK;
}

static enum report_outcome set_descending(struct options *options, const char *value)
{
    (void)value;
    options->direction = SW__DESCENDING;
    options->has_direction = 1;
    return REPORT_OK;
}

static enum report_outcome set_group_by_stack(struct options *options, const char *value)
{
    return options_parse_number("group-by-stack", value, 1, &options->stack_entries);
}

static enum report_outcome set_debug_directory(struct options *options, const char *value)
{
    options->debug_directories = value;
    return REPORT_OK;
}

static enum report_outcome set_no_lines(struct options *options, const char *value)
{
    (void)value;
    options->has_no_lines = 1;
    return REPORT_OK;
}

static enum report_outcome set_grouping(struct options *options, const char *value)
{
    (void)value;
    options->grouping = (enum sw__grouping)(options->grouping | SW__GROUP_BY_SHAPES);
    return REPORT_OK;
}

/* Options without an argument: SWITCH(function, effect). */
#define SWITCH(function, effect)                                                        \
    static enum report_outcome function(struct options *options, const char *value)    \
    {                                                                                   \
        (void)options;                                                                  \
        (void)value;                                                                    \
        effect;                                                                         \
        return REPORT_OK;                                                               \
    }
SWITCH(set_percentiles, options->wants |= SW__WANT_PERCENTILES)
SWITCH(set_flops, options->wants |= SW__WANT_FLOPS)
SWITCH(set_memory, options->wants |= SW__WANT_MEMORY)
SWITCH(set_compensation, options->compensates = 1)
SWITCH(set_nothing, (void)0) /* that it was given is all there is to it: options_has() */
SWITCH(set_follow, options->follows = 1)
SWITCH(set_strict, options->is_strict = 1)
SWITCH(set_stacks, options->has_stacks = 1)
SWITCH(set_all, options->removes_all = 1)
SWITCH(set_force, options->replaces = 1)
SWITCH(set_help, options->wants_help = 1)
SWITCH(set_version, options->wants_version = 1)

static enum report_outcome set_limit(struct options *options, const char *value)
{
    if (strcmp(value, "all") == 0)
        options->row_limit = SW_NO_LIMIT;
    else
        REPORT_TRY(options_parse_number("limit", value, 0, &options->row_limit));
    return REPORT_OK;
}

static enum report_outcome set_style(struct options *options, const char *value)
{
    static const char *const names[] = {
        [STYLE_PEOPLE] = "people", [STYLE_SPEC] = "spec", [STYLE_TORCH] = "torch", [STYLE_TORCH_NEW] = "torch-new"
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], value) == 0) {
            options->style = (enum table_style)i;
            return REPORT_OK;
        }
    }
    return bad_value("style", value, "people, spec, torch or torch-new");
}

static enum report_outcome set_carriers(struct options *options, const char *value)
{
    options->carriers = value;
    return REPORT_OK;
}

static enum report_outcome set_thread(struct options *options, const char *value)
{
    return options_parse_number("thread", value, 0, &options->thread);
}

static enum report_outcome set_session(struct options *options, const char *value)
{
    return options_parse_number("session", value, 1, &options->session);
}

static enum report_outcome set_step(struct options *options, const char *value)
{
    return options_parse_number("step", value, 0, &options->step);
}

static enum report_outcome set_range(struct options *options, const char *value)
{
    options->range = value;
    return REPORT_OK;
}

static enum report_outcome set_unit(struct options *options, const char *value)
{
    return display_unit_find(value, &options->unit) ? REPORT_OK
                                                    : bad_value("unit", value, "auto, ns, us, ms or s");
}

static enum report_outcome set_format(struct options *options, const char *value)
{
    write_document *format = format_find(value);

    if (format == NULL)
        return bad_value("format", value, "text, csv or json");
    options->format = format;
    return REPORT_OK;
}

static enum report_outcome set_output(struct options *options, const char *value)
{
    if (value[0] == '\0')
        return bad_value("output", "''", "a file name");
    options->output = value;
    return REPORT_OK;
}

static enum report_outcome set_metric(struct options *options, const char *value)
{
    options->metric = value;
    return REPORT_OK;
}

static enum report_outcome set_directory(struct options *options, const char *value)
{
    options->directory = value;
    return REPORT_OK;
}

static enum report_outcome set_interval(struct options *options, const char *value)
{
    char *end = NULL;
    double seconds = strtod(value, &end);

    /* Written so that what is no number at all is refused too. */
    if (end == value || *end != '\0' || !(seconds >= LEAST_INTERVAL && seconds <= MOST_INTERVAL))
        return bad_value("interval", value, "seconds from 0.05 to 86400");
    options->interval_ns = (int64_t)(seconds * 1e9);
    return REPORT_OK;
}

static enum report_outcome set_most_device(struct options *options, const char *value)
{
    int64_t ms = 0;

    REPORT_TRY(options_parse_number("most-device-ms", value, 1, &ms));
    options->most_device_ns = ms < INT64_MAX / 1000000 ? ms * 1000000 : INT64_MAX;
    return REPORT_OK;
}

static enum report_outcome set_fail_above(struct options *options, const char *value)
{
    char *end = NULL;
    double percent = strtod(value, &end);

    if (end == value || *end != '\0' || !(percent >= 0 && percent <= MOST_PERCENT))
        return bad_value("fail-above", value, "per cent, from 0 to 1000000");
    options->fail_above = percent;
    options->has_fail_above = 1;
    return REPORT_OK;
}

static enum report_outcome set_pid(struct options *options, const char *value)
{
    return options_parse_number("pid", value, 1, &options->pid);
}

static enum report_outcome set_offset(struct options *options, const char *value)
{
    return options_parse_number("offset", value, 0, &options->offset);
}

static const struct {
    int letter;
    const char *name;
    const char *argument;
    enum report_outcome (*set)(struct options *options, const char *value);
    unsigned group;
    const char *help;
} rows[] = {
#define REPORT_OPTION(letter, name, argument, function, group, help) { letter, name, argument, function, group, help },
#include "report/option.def"
#undef REPORT_OPTION
};
#define N_ROWS (sizeof rows / sizeof *rows)

static void make_tables(struct option *long_options, char *letters)
{
    *letters++ = ':'; /* no messages of getopt's own */
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

/* The row of what getopt_long() returned; N_ROWS for none. */
static size_t row_of(int code)
{
    if (code >= FIRST_CODE)
        return (size_t)(code - FIRST_CODE);
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].letter == code)
            return i;
    return N_ROWS;
}

static enum report_outcome refuse(int code, const char *argument)
{
    if (code == ':')
        return report_fail(REPORT_USAGE, "%s needs a value", argument);
    return report_fail(REPORT_USAGE, "%s is no option; see --help", argument);
}

enum report_outcome options_parse(int n_arguments, char **arguments, struct options *ret_options)
{
    struct options options = OPTIONS_INIT;
    struct option long_options[N_ROWS + 1];
    char letters[2 * N_ROWS + 2];
    int code;

    options.directory = REPORT_DIRECTORY;
    make_tables(long_options, letters);
    optind = 0; /* and nothing of an earlier command line is remembered */
    while ((code = getopt_long(n_arguments, arguments, letters, long_options, NULL)) != -1) {
        if (code == ':' || code == '?')
            return refuse(code, arguments[optind - 1]);
        size_t row = row_of(code);
        REPORT_TRY(rows[row].set(&options, optarg));
        options.used |= UINT64_C(1) << row;
    }
    REPORT_TRY(choose_sort(&options));
    choose_direction(&options);
    REPORT_TRY(options_choose_torch(&options));
    options.arguments = arguments + optind;
    options.n_arguments = n_arguments - optind;
    *ret_options = options;
    return REPORT_OK;
}

const char *options_find_stranger(const struct options *options, unsigned groups)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if ((options->used >> i & 1) && !(rows[i].group & (groups | OPTIONS_COMMON)))
            return rows[i].name;
    return NULL;
}

int options_has(const struct options *options, const char *name)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if ((options->used >> i & 1) && strcmp(rows[i].name, name) == 0)
            return 1;
    return 0;
}

void options_print(FILE *stream, unsigned groups)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        char left[48], letter[8] = "    ";
        if (!(rows[i].group & groups))
            continue;
        if (rows[i].letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, rows[i].name, rows[i].argument != NULL ? " " : "",
                 rows[i].argument != NULL ? rows[i].argument : "");
        fprintf(stream, "  %-26s %s\n", left, rows[i].help);
    }
}
