/*
 * After the program: its table, or why there is none; what its children
 * recorded; the reports' fate.
 */
#include "config.h"

#include "report/run.h"
#include "report/say.h"

#include <stdio.h>

#include "report/output.h"
#include "report/remove.h"
#include "report/table_view.h"

/* Tables that are printed when only children recorded. */
#define MAX_CHILD_TABLES 4

static int has_report(const struct swprof_launch_slot *slot)
{
    return slot->pid != 0 && (slot->flags & SWPROF_LAUNCH_RECORDED) && slot->report[0] != '\0';
}

/* The program's own report (the last one, should it have replaced itself by exec); NULL when it has none. */
static const struct swprof_launch_slot *own_slot(const struct swprof_launch *launch, pid_t pid)
{
    const struct swprof_launch_slot *found = NULL;

    for (size_t i = 0; i < SWPROF_LAUNCH_SLOTS; i++)
        if (has_report(&launch->slots[i]) && launch->slots[i].pid == pid)
            found = &launch->slots[i];
    return found;
}

/* Standard error, or the file of --table. */
static enum report_outcome open_output(const struct run_options *options, struct output *ret_output)
{
    if (options->table != NULL)
        return output_open(options->table, ret_output);
    *ret_output = (struct output){ .stream = stderr };
    return REPORT_OK;
}

static enum report_outcome print_table(const struct run_options *options, const struct swprof_launch_slot *slot,
                                       struct output *output)
{
    struct report *report REPORT_OWNED = NULL;
    struct report_filter everything = { .thread = NULL };
    struct table_view view = { SW__COLUMN_SELF_TOTAL_TIME_NS, SW__DESCENDING, options->grouping, options->row_limit,
                               options->has_percentiles ? SW__WANT_PERCENTILES : SW__WANT_NOTHING, 0, 0 };

    REPORT_TRY(report_open(slot->report, &report));
    struct screen screen = output_screen(output, DISPLAY_AUTO);
    return table_view_print(report, &everything, &view, &screen, format_text, stderr);
}

/* The program's table; when it has none, those of the first of its children. */
static enum report_outcome print_tables(const struct run_options *options, const struct run_result *result,
                                        const struct swprof_launch *launch, unsigned char *ret_shown)
{
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    const struct swprof_launch_slot *own = own_slot(launch, result->pid);
    size_t n_shown = 0;

    REPORT_TRY(open_output(options, &output));
    for (size_t i = 0; i < SWPROF_LAUNCH_SLOTS && n_shown < MAX_CHILD_TABLES; i++) {
        const struct swprof_launch_slot *slot = &launch->slots[i];
        if (!has_report(slot) || (own != NULL && slot != own))
            continue;
        if (n_shown++ != 0)
            fputc('\n', output.stream);
        REPORT_TRY(print_table(options, slot, &output));
        ret_shown[i] = 1;
    }
    return output_finish(&output);
}

/*
 * Remove a report, or say where it is. Where it is was said by the program, and
 * whoever it became: only what proves to be its report is removed.
 */
static void settle(const struct swprof_launch_slot *slot, const char *whose, int removes)
{
    const struct report_writer writer = { slot->pid, slot->start_time };
    enum report_outcome outcome = removes ? report_remove(slot->report, &writer) : REPORT_USAGE;

    if (outcome == REPORT_USAGE)
        say("swprof-run", "report of %s: %s", whose, slot->report);
    else if (outcome != REPORT_OK)
        say("swprof-run", "report of %s: %s", whose, sw_error_message());
}

static void settle_all(const struct run_options *options, const struct run_result *result,
                       const struct swprof_launch *launch, const unsigned char *shown)
{
    int has_own = own_slot(launch, result->pid) != NULL;

    for (size_t i = 0; i < SWPROF_LAUNCH_SLOTS; i++) {
        const struct swprof_launch_slot *slot = &launch->slots[i];
        char whose[64] = "the program";
        if (!has_report(slot))
            continue;
        if (slot->pid != result->pid)
            snprintf(whose, sizeof whose, "its child process %d", (int)slot->pid);
        /* Of children alone, those that were not shown stay: somebody may want to see them. */
        settle(slot, whose, options->removes && (has_own || shown[i] || options->is_quiet));
    }
    if (launch->n_slots > SWPROF_LAUNCH_SLOTS)
        say("swprof-run", "%u more processes recorded; swprof-report list has them",
                (unsigned)(launch->n_slots - SWPROF_LAUNCH_SLOTS));
}

enum report_outcome run_account(const struct run_options *options, const char *path, const struct run_result *result,
                                const struct swprof_launch *launch)
{
    unsigned char shown[SWPROF_LAUNCH_SLOTS] = { 0 };
    enum report_outcome outcome = REPORT_OK;

    if (launch->flags & SWPROF_LAUNCH_BAD_SETTING)
        say("swprof-run", "not understood, so the default was used: %s", launch->bad_settings);
    if (launch->n_recorded == 0) {
        run_explain(path, result, launch);
        return REPORT_OK;
    }
    if (own_slot(launch, result->pid) == NULL)
        say("swprof-run", "only child processes of the program recorded (%u)",
                (unsigned)launch->n_recorded);
    if (!options->is_quiet)
        outcome = print_tables(options, result, launch, shown);
    settle_all(options, result, launch, shown);
    return outcome;
}
