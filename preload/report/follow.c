/*
 * swprof-report --follow: the loop. What is new in the report is added to a
 * tally; the last table is made from the whole report once more.
 */
#include "config.h"

#include "report/follow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/process.h"
#include "report/table_view.h"
#include "report/tally.h"

struct following {
    const struct options *options;
    struct report *report;
    struct report_tally *tally;
    struct follow_screen screen;
    struct follow_wait wait;
    struct output output;
    size_t n_drawn;
    struct report_session session; /* what --session meant at first: later ones may come before it */
};

static void following_clear(struct following *following)
{
    follow_screen_close(&following->screen);
    follow_wait_clear(&following->wait);
    tally_free(following->tally);
    report_close(following->report);
    output_clear(&following->output);
}

static struct table_view view_of(const struct options *options)
{
    return (struct table_view){ options->sort_by, options->direction, options->grouping, options->row_limit,
                                options->wants, 0, 0 };
}

/* A report that is frozen may be written to again while its process is on its way out. */
static int has_ended(const struct report *report)
{
    return report->state == REPORT_STATE_UNFINISHED ||
           (report->state != REPORT_STATE_RECORDING && report->state != REPORT_STATE_UNKNOWN &&
            !process_is_alive(report->header.pid, report->header.start_time));
}

static size_t count_lines(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; n++)
        text += strcspn(text, "\n") + 1;
    return n;
}

static enum report_outcome render(const struct following *following, const struct table_content *content,
                                  const struct table_view *view, const struct screen *like, char **ret_text)
{
    const struct options *options = following->options;
    struct screen screen = *like;
    size_t n_bytes = 0;

    screen.stream = open_memstream(ret_text, &n_bytes);
    if (screen.stream == NULL)
        return report_fail(REPORT_SYSTEM, "no memory for a table");
    enum report_outcome outcome =
        table_view_show(content, view, &screen, options->style == STYLE_SPEC ? NULL : options->format, screen.stream);
    if (fclose(screen.stream) != 0 && outcome == REPORT_OK)
        outcome = report_fail(REPORT_SYSTEM, "no memory for a table");
    return outcome;
}

static void text_clear(char **text)
{
    free(*text);
}

/* Lines without which the table fits go from its rows. */
static enum report_outcome draw_fitting(const struct following *following, const struct table_content *content)
{
    struct screen like = output_screen(&following->output, following->options->unit);
    struct table_view view = view_of(following->options);
    size_t columns = 0, rows = follow_screen_rows(&following->screen, &columns);

    /* COLUMNS may say less than the window has, not more: a line that wraps takes two rows. */
    if (columns != 0 && (like.columns == 0 || like.columns > columns))
        like.columns = columns;
    if (view.row_limit == SW_NO_LIMIT || view.row_limit > (int64_t)rows)
        view.row_limit = (int64_t)rows;
    for (;;) {
        char *text SW__CLEANUP(text_clear) = NULL;
        REPORT_TRY(render(following, content, &view, &like, &text));
        size_t n_lines = count_lines(text);
        if (n_lines <= rows || view.row_limit == 0)
            return follow_screen_draw(&following->screen, text, rows, like.columns);
        /* The line that says how many rows are left out may come on top: then there is another time round. */
        int64_t excess = (int64_t)(n_lines - rows);
        view.row_limit = view.row_limit > excess ? view.row_limit - excess : 0;
    }
}

static enum report_outcome print_below(struct following *following, const struct table_content *content)
{
    struct screen screen = output_screen(&following->output, following->options->unit);
    struct table_view view = view_of(following->options);

    if (following->n_drawn != 0)
        fputc('\n', screen.stream);
    return table_view_show(content, &view, &screen,
                           following->options->style == STYLE_SPEC ? NULL : following->options->format, screen.stream);
}

static int is_same_session(const struct report_session *a, const struct report_session *b)
{
    return a->kind == b->kind && a->begin_ticks == b->begin_ticks && a->tid == b->tid;
}

/* The selection of the first drawing, in the report as it is now. */
static enum report_outcome filter_of(struct following *following, struct report_filter *ret_filter)
{
    const struct report *report = following->report;

    REPORT_TRY(command_filter(following->options, report, ret_filter));
    if (ret_filter->session == NULL)
        return REPORT_OK;
    if (following->n_drawn == 0)
        following->session = *ret_filter->session;
    for (size_t i = 0; i < report->n_sessions; i++) {
        if (is_same_session(&report->sessions[i], &following->session)) {
            ret_filter->session = &report->sessions[i];
            return REPORT_OK;
        }
    }
    return report_fail(REPORT_DAMAGED, "%s: damaged: a session is gone", report->source->path);
}

static enum report_outcome draw(struct following *following)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_filter filter;
    struct report_totals totals;

    REPORT_TRY(filter_of(following, &filter));
    REPORT_TRY(tally_update(following->tally, following->report, &filter, &aggregates, &totals));
    const struct table_content content = { following->report, &filter, aggregates, &totals };
    REPORT_TRY(following->screen.is_terminal ? draw_fitting(following, &content) : print_below(following, &content));
    following->n_drawn++;
    fflush(following->output.stream);
    return REPORT_OK;
}

static enum report_outcome print_last(struct following *following)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_filter filter;
    struct report_totals totals;

    follow_screen_close(&following->screen);
    follow_wait_clear(&following->wait);
    REPORT_TRY(filter_of(following, &filter));
    if (following->screen.is_terminal)
        following->n_drawn = 0; /* nothing of it is to be seen any more */
    REPORT_TRY(report_aggregate_wanted(following->report, &filter, following->options->grouping,
                                       following->options->wants, &aggregates, &totals));
    const struct table_content content = { following->report, &filter, aggregates, &totals };
    REPORT_TRY(print_below(following, &content));
    REPORT_TRY(output_finish(&following->output));
    return command_strict(following->options, following->report);
}

/* The way a signal ends a process that does not catch it. */
static void end_by(struct following *following, int signal_number)
{
    follow_screen_close(&following->screen);
    follow_wait_clear(&following->wait);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Ctrl-Z: the terminal is somebody else's until we are continued. */
static void stop(struct following *following)
{
    follow_screen_close(&following->screen);
    raise(SIGSTOP);
    follow_screen_open(&following->screen);
}

/* 0: that is enough. */
static int act_on(struct following *following, int signal_number)
{
    switch (signal_number) {
    case 0:
    case SIGWINCH:
        return 1;
    case SIGTSTP:
        stop(following);
        return 1;
    case SIGINT:
        return 0;
    default:
        end_by(following, signal_number);
        return 0;
    }
}

static enum report_outcome follow(struct following *following)
{
    struct report *report = following->report;
    int goes_on = 1;

    if (following->screen.is_terminal)
        REPORT_TRY(follow_catch_signals(&following->wait));
    while (!has_ended(report) && goes_on && !ferror(following->output.stream)) {
        follow_watch_process(&following->wait, report->header.pid, report->header.start_time);
        follow_screen_open(&following->screen);
        REPORT_TRY(draw(following));
        goes_on = act_on(following, follow_wait(&following->wait, following->options->interval_ns));
        REPORT_TRY(report_refresh(report));
    }
    return print_last(following);
}

static int exists(int64_t pid)
{
    return pid <= INT32_MAX && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* A process has no report before its first operation: then wait for it, as long as there is the process. */
static enum report_outcome open_when_there(const struct options *options, struct report **ret_report)
{
    struct follow_wait wait SW__CLEANUP(follow_wait_clear) = FOLLOW_WAIT_NONE;

    for (;;) {
        int goes_on = options->pid != 0 && exists(options->pid);
        enum report_outcome outcome = command_open(options, ret_report);
        if (outcome != REPORT_NO_REPORT || !goes_on)
            return outcome;
        (void)follow_wait(&wait, options->interval_ns);
    }
}

enum report_outcome follow_table(const struct options *options)
{
    struct following following SW__CLEANUP(following_clear) = {
        .options = options,
        .wait = FOLLOW_WAIT_NONE,
    };

    if (options->format != format_text)
        return report_fail(REPORT_USAGE, "--follow draws tables: --format text is all it has");
    if (options->output != NULL && strcmp(options->output, "-") != 0)
        return report_fail(REPORT_USAGE, "--follow draws on the standard output: --output %s is not for it",
                           options->output);
    REPORT_TRY(open_when_there(options, &following.report));
    REPORT_TRY(tally_new(options->grouping, options->wants, &following.tally));
    REPORT_TRY(output_open(NULL, &following.output));
    following.screen = follow_screen_of(following.output.stream);
    return follow(&following);
}
