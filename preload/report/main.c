/*
 * swprof-report: look at the reports that libswprof.so leaves.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "report/command.h"

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

/* The command that the first argument names; the default one when it names none. */
static size_t choose_command(struct options *options)
{
    for (size_t i = 0; options->n_arguments > 0 && i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, options->arguments[0]) == 0) {
            options->arguments++;
            options->n_arguments--;
            return i;
        }
    }
    return 0;
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
    fprintf(stream, "\nOptions:\n");
    options_print(stream, ~0u);
}

static enum report_outcome inform(const struct options *options)
{
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };

    REPORT_TRY(output_open(NULL, &output));
    if (options->wants_help)
        print_help(output.stream);
    else
        fprintf(output.stream, "swprof-report %s\n", PACKAGE_VERSION);
    return output_finish(&output);
}

static enum report_outcome run(int n_arguments, char **arguments)
{
    struct options options;

    REPORT_TRY(options_parse(n_arguments, arguments, &options));
    if (options.wants_help || options.wants_version)
        return inform(&options);
    size_t command = choose_command(&options);
    const char *stranger = options_find_stranger(&options, commands[command].groups);
    if (stranger != NULL)
        return report_fail(REPORT_USAGE, "--%s is no option of %s; see --help", stranger, commands[command].name);
    return commands[command].run(&options);
}

int main(int n_arguments, char **arguments)
{
    enum report_outcome outcome = run(n_arguments, arguments);

    if (outcome != REPORT_OK)
        fprintf(stderr, "swprof-report: %s\n", sw_error_message());
    return (int)outcome;
}
