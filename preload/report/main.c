/*
 * swprof-report: look at the reports that libswprof.so leaves.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "report/command.h"
#include "report/say.h"

static const struct {
    const char *name;
    command_function *run;
    unsigned groups;
    const char *arguments;
    const char *help;
} commands[] = {
#define REPORT_COMMAND(name, function, groups, arguments, help) { name, function, groups, arguments, help },
#include "report/command.def"
#undef REPORT_COMMAND
};
#define N_COMMANDS (sizeof commands / sizeof *commands)

/* Letters of a word that can be a misspelled command. */
#define MOST_WORD 8

/* The command of a name; N_COMMANDS for none. */
static size_t find_command(const char *name)
{
    size_t i = 0;

    while (i < N_COMMANDS && strcmp(commands[i].name, name) != 0)
        i++;
    return i;
}

/* The command that the first argument names; the default one when it names none. */
static size_t choose_command(struct options *options)
{
    size_t command = options->n_arguments > 0 ? find_command(options->arguments[0]) : N_COMMANDS;

    if (command == N_COMMANDS)
        return 0;
    options->arguments++;
    options->n_arguments--;
    return command;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Changes that make one word the other: a letter more, less, another, or two neighbours exchanged. */
static size_t count_slips(const char *a, const char *b)
{
    size_t slips[MOST_WORD + 1][MOST_WORD + 1]; /* between their beginnings */
    size_t n_a = strlen(a), n_b = strlen(b);

    for (size_t i = 0; i <= n_a; i++) {
        for (size_t j = 0; j <= n_b; j++) {
            if (i == 0 || j == 0) {
                slips[i][j] = i + j;
                continue;
            }
            slips[i][j] = least(least(slips[i - 1][j], slips[i][j - 1]) + 1,
                                slips[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                slips[i][j] = least(slips[i][j], slips[i - 2][j - 2] + 1);
        }
    }
    return slips[n_a][n_b];
}

/* What is no report may be a command that was misspelled. */
static enum report_outcome check_first_argument(const struct options *options)
{
    const char *word = options->n_arguments > 0 ? options->arguments[0] : "";
    size_t n = strlen(word);

    if (n == 0 || n > MOST_WORD || strchr(word, '/') != NULL || command_has_file(options, word))
        return REPORT_OK;
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (count_slips(word, commands[i].name) <= (n > 3 ? 2 : 1))
            return report_fail(REPORT_USAGE, "%s: no report of this name, and no command: was '%s' meant?", word,
                               commands[i].name);
    return REPORT_OK;
}

static void print_options(FILE *stream, unsigned groups)
{
    fprintf(stream, "\nOptions:\n");
    options_print(stream, groups);
}

static void print_help(FILE *stream)
{
    fprintf(stream, "Usage: swprof-report [COMMAND] [OPTION...] [REPORT]\n\n"
                    "Shows what libswprof.so recorded of a program. Without REPORT: the newest of this user.\n\n"
                    "Commands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        char left[32];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].arguments);
        fprintf(stream, "  %-26s %s%s\n", left, commands[i].help, i == 0 ? " (the default)" : "");
    }
    print_options(stream, ~0u);
    fprintf(stream, "\nswprof-report COMMAND --help tells what a command takes.\n");
}

static void print_help_of(FILE *stream, size_t command)
{
    fprintf(stream, "Usage: swprof-report %s [OPTION...] %s\n\nPurpose: %s.\n", commands[command].name,
            commands[command].arguments, commands[command].help);
    print_options(stream, commands[command].groups | OPTIONS_COMMON);
}

static enum report_outcome inform(const struct options *options)
{
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    size_t command = options->n_arguments > 0 ? find_command(options->arguments[0]) : N_COMMANDS;

    REPORT_TRY(output_open(NULL, &output));
    if (!options->wants_help)
        fprintf(output.stream, "swprof-report %s\n", PACKAGE_VERSION);
    else if (command < N_COMMANDS)
        print_help_of(output.stream, command);
    else
        print_help(output.stream);
    return output_finish(&output);
}

static enum report_outcome run(int n_arguments, char **arguments)
{
    struct options options;

    REPORT_TRY(options_parse(n_arguments, arguments, &options));
    if (options.wants_help || options.wants_version)
        return inform(&options);
    if (options.n_arguments > 0 && find_command(options.arguments[0]) == N_COMMANDS)
        REPORT_TRY(check_first_argument(&options));
    size_t command = choose_command(&options);
    const char *stranger = options_find_stranger(&options, commands[command].groups);
    if (stranger != NULL)
        return report_fail(REPORT_USAGE, "--%s is no option of %s; see swprof-report %s --help", stranger,
                           commands[command].name, commands[command].name);
    return commands[command].run(&options);
}

int main(int n_arguments, char **arguments)
{
    enum report_outcome outcome = run(n_arguments, arguments);

    if (outcome != REPORT_OK)
        say("swprof-report", "%s", sw_error_message());
    return (int)outcome;
}
