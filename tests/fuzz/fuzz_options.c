/*
 * Command lines of swprof-report, one argument per line. What is understood
 * stays within its limits; a refusal is one sentence.
 */
#include "config.h"

#include <string.h>

#include "report/options.h"
#include "target.h"

#define MOST_ARGUMENTS 64

static int split(char *text, char **arguments)
{
    static char name[] = "swprof-report";
    int n = 0;

    arguments[n++] = name;
    while (text != NULL && n < MOST_ARGUMENTS) {
        arguments[n++] = text;
        text = strchr(text, '\n');
        if (text != NULL)
            *text++ = '\0';
    }
    arguments[n] = NULL;
    return n;
}

static void check(const struct options *options)
{
    FUZZ_RULE((unsigned)options->sort_by < SW__N_ORDERS && (unsigned)options->unit < N_DISPLAY_UNITS, "a table entry");
    FUZZ_RULE(options->row_limit == SW_NO_LIMIT || options->row_limit >= 0, "rows");
    FUZZ_RULE(options->thread >= -1 && options->session >= 0 && options->pid >= 0, "a number");
    FUZZ_RULE(options->interval_ns >= 50000000 && options->interval_ns <= INT64_C(86400000000000), "an interval");
    FUZZ_RULE(options->format != NULL && options->directory != NULL, "a default");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    char *text = fuzz_text(data, n_bytes);
    char *arguments[MOST_ARGUMENTS + 1];
    struct options options;
    enum report_outcome outcome = options_parse(split(text, arguments), arguments, &options);

    FUZZ_RULE(outcome == REPORT_OK || outcome == REPORT_USAGE, "outcome %d", (int)outcome);
    if (outcome == REPORT_OK)
        check(&options);
    else
        FUZZ_RULE(sw_error_message()[0] != '\0', "a refusal without a word");
    free(text);
    return 0;
}
