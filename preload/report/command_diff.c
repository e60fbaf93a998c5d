/*
 * swprof-report diff: runs before and after a change.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "report/command.h"
#include "report/diff.h"
#include "report/diff_view.h"

/* Between the reports of the two sides. */
#define SEPARATOR "vs"

/* BEFORE... vs AFTER...; or, of two, without it: how many are before, and where those after begin. */
static enum report_outcome divide(const struct options *options, int *ret_n_before, int *ret_first_after)
{
    int i = 0;

    while (i < options->n_arguments && strcmp(options->arguments[i], SEPARATOR) != 0)
        i++;
    int has_separator = i < options->n_arguments;
    int n_before = has_separator ? i : 1, first_after = has_separator ? i + 1 : 1;
    if (n_before == 0 || first_after >= options->n_arguments || (!has_separator && options->n_arguments != 2))
        return report_fail(REPORT_USAGE, "diff: expected one report of before and one of after, or several of each with "
                                         "'" SEPARATOR "' between them: diff old1 old2 " SEPARATOR " new1 new2");
    *ret_n_before = n_before;
    *ret_first_after = first_after;
    return REPORT_OK;
}

static enum report_outcome add_all(const struct options *options, enum diff_side side, int first, int end,
                                   struct diff *diff)
{
    for (int i = first; i < end; i++) {
        char *path SW__OWNED = NULL;
        REPORT_TRY(command_find(options, options->arguments[i], &path));
        REPORT_TRY(diff_add(diff, side, path, options->grouping, options->carriers));
    }
    return REPORT_OK;
}

static enum report_outcome check_reports(const struct options *options, const struct diff *diff)
{
    for (int side = 0; side < N_DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->n_runs[side]; i++)
            REPORT_TRY(command_strict(options, diff->runs[side][i].report));
    return REPORT_OK;
}

/* What became slower by more than was asked for; where nobody can tell, the size of the change alone counts. */
static enum report_outcome check_slower(const struct options *options, const struct diff *diff)
{
    const struct diff_row *worst = NULL;
    size_t n = 0;

    for (size_t i = 0; options->has_fail_above && i < diff->n_rows; i++) {
        const struct diff_row *row = &diff->rows[i];
        if ((row->verdict != DIFF_SLOWER && row->verdict != DIFF_UNTOLD) ||
            diff_change_percent(row) <= options->fail_above)
            continue;
        n++;
        if (worst == NULL || diff_change_percent(row) > diff_change_percent(worst))
            worst = row;
    }
    if (worst == NULL)
        return REPORT_OK;
    return report_fail(REPORT_SLOWER, "slower by more than %.1f %%: %zu of %zu operations, most of all %s (%.1f %%)%s",
                       options->fail_above, n, diff->n_rows, worst->aggregate->dispatch->name,
                       diff_change_percent(worst), worst->verdict != DIFF_UNTOLD ? "" : "; too few runs to tell it from chance");
}

enum report_outcome command_diff(const struct options *options)
{
    struct diff diff SW__CLEANUP(diff_clear) = { .n_rows = 0 };
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    int n_before = 0, first_after = 0;

    REPORT_TRY(divide(options, &n_before, &first_after));
    REPORT_TRY(add_all(options, DIFF_BEFORE, 0, n_before, &diff));
    REPORT_TRY(add_all(options, DIFF_AFTER, first_after, options->n_arguments, &diff));
    REPORT_TRY(diff_compare(&diff));
    REPORT_TRY(output_open(options->output, &output));
    struct screen screen = output_screen(&output, options->unit);
    REPORT_TRY(diff_view_print(&diff, options->grouping, options->row_limit, &screen, options->format));
    REPORT_TRY(output_finish(&output));
    REPORT_TRY(check_reports(options, &diff));
    return check_slower(options, &diff);
}
