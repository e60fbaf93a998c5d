/*
 * swprof-report list: the reports that lie in the directory.
 */
#include "config.h"

#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "report/command.h"
#include "report/find.h"
#include "report/utf8.h"

/* What is shown of one report; of one that cannot be read only the state. */
struct listed {
    const struct found_report *found;
    char *path;    /* valid UTF-8 */
    char *program;
    const char *state;
    int is_read;
    int32_t pid;
    int64_t realtime_ns;
    uint64_t n_events;
    uint64_t n_summed; /* operations that are only in sums */
    uint64_t n_lost;
};

struct list {
    struct listed *rows;
    size_t n_rows;
    int64_t now_ns;
};

static const struct cell none = { .kind = CELL_NONE };

static struct cell cell_program(const struct list *list, const struct listed *row)
{
    (void)list;
    return row->is_read ? CELL_OF_TEXT(row->program) : none;
}

static struct cell cell_pid(const struct list *list, const struct listed *row)
{
    (void)list;
    return row->is_read && row->pid > 0 ? CELL_OF_ID((uint64_t)row->pid) : none;
}

static struct cell cell_state(const struct list *list, const struct listed *row)
{
    (void)list;
    return CELL_OF_TEXT(row->state);
}

static struct cell cell_age(const struct list *list, const struct listed *row)
{
    int64_t age_ns = 0;

    if (!row->is_read || __builtin_sub_overflow(list->now_ns, row->realtime_ns, &age_ns))
        return none;
    return CELL_OF_AGE(age_ns);
}

static struct cell cell_started(const struct list *list, const struct listed *row)
{
    (void)list;
    return row->is_read ? CELL_OF_MOMENT(row->realtime_ns) : none;
}

static struct cell cell_size(const struct list *list, const struct listed *row)
{
    (void)list;
    return CELL_OF_BYTES(row->found->disk_bytes);
}

static struct cell cell_events(const struct list *list, const struct listed *row)
{
    (void)list;
    return row->is_read ? CELL_OF_COUNT(row->n_events) : none;
}

static struct cell cell_summed(const struct list *list, const struct listed *row)
{
    (void)list;
    return row->is_read ? CELL_OF_COUNT(row->n_summed) : none;
}

static struct cell cell_lost(const struct list *list, const struct listed *row)
{
    (void)list;
    return row->is_read ? CELL_OF_COUNT(row->n_lost) : none;
}

static struct cell cell_path(const struct list *list, const struct listed *row)
{
    (void)list;
    return CELL_OF_TEXT(row->path);
}

static struct cell (*const makers[])(const struct list *list, const struct listed *row) = {
#define LIST_COLUMN(title, key, flags, function) function,
#include "report/list_columns.def"
#undef LIST_COLUMN
};
#define N_COLUMNS (sizeof makers / sizeof *makers)

static const struct column columns[N_COLUMNS] = {
#define LIST_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/list_columns.def"
#undef LIST_COLUMN
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    const struct list *list = context;

    for (size_t i = 0; i < N_COLUMNS; i++)
        ret_cells[i] = makers[i](list, &list->rows[row]);
    return SW_OK;
}

static void list_clear(struct list *list)
{
    for (size_t i = 0; i < list->n_rows; i++) {
        sw__free(list->rows[i].path);
        sw__free(list->rows[i].program);
    }
    sw__free(list->rows);
}

static const char *outcome_name(enum report_outcome outcome)
{
    static const char *const names[] = {
#define REPORT_OUTCOME(enumerator, exit_status, name) [exit_status] = name,
#include "report/outcome.def"
#undef REPORT_OUTCOME
    };

    return names[outcome];
}

static enum report_outcome look_at(const struct found_report *found, struct listed *row)
{
    struct report *report REPORT_OWNED = NULL;
    enum report_outcome outcome = report_open(found->path, &report);

    *row = (struct listed){ .found = found, .state = outcome_name(outcome) };
    REPORT_TRY(report_status(utf8_clean(found->path, strlen(found->path), &row->path)));
    if (outcome != REPORT_OK)
        return REPORT_OK; /* listed as what it is */
    row->program = sw__strdup(report->program);
    if (row->program == NULL)
        return REPORT_SYSTEM;
    row->is_read = 1;
    row->state = report_state_name(report->state);
    row->pid = report->header.pid;
    row->realtime_ns = report->header.realtime_ns;
    row->n_events = report_n_events(report);
    /* Of a ring, what is still there. */
    row->n_events -= report_lost(report, SWPROF_LOST_OLD) < row->n_events ? report_lost(report, SWPROF_LOST_OLD) : row->n_events;
    row->n_summed = report_n_summed(report);
    row->n_lost = report_lost_total(report);
    return REPORT_OK;
}

enum report_outcome command_list(const struct options *options)
{
    struct found_reports found SW__CLEANUP(found_reports_clear) = { NULL, 0 };
    struct list list SW__CLEANUP(list_clear) = { NULL, 0, 0 };
    char *directory SW__OWNED = NULL;
    struct timespec now;

    if (options->n_arguments > 0)
        return report_fail(REPORT_USAGE, "list takes no report; --directory says where to look");
    REPORT_TRY(find_reports(options->directory, &found));
    REPORT_TRY(report_status(utf8_clean(options->directory, strlen(options->directory), &directory)));
    list.rows = sw__alloc_zero(found.n_reports * sizeof *list.rows);
    if (list.rows == NULL)
        return REPORT_SYSTEM;
    clock_gettime(CLOCK_REALTIME, &now);
    list.now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    list.n_rows = found.n_reports;
    for (size_t i = 0; i < found.n_reports; i++)
        REPORT_TRY(look_at(&found.reports[i], &list.rows[i]));
    size_t n_rows = list.n_rows;
    if (options->row_limit != SW_NO_LIMIT && (uint64_t)options->row_limit < n_rows)
        n_rows = (size_t)options->row_limit;
    const struct fact facts[] = {
        { "directory", CELL_OF_TEXT(directory), 0 },
        { "listed", CELL_OF_MOMENT(list.now_ns), 0 },
    };
    const struct fact totals[] = { { "reports", CELL_OF_COUNT(found.n_reports), 0 } };
    struct document document = {
        .heading = "",
        .footing = "",
        .facts = facts,
        .n_facts = sizeof facts / sizeof *facts,
        .totals = totals,
        .n_totals = sizeof totals / sizeof *totals,
        .grid = { columns, N_COLUMNS, n_rows, make_row, &list },
    };
    /* People are told so in a sentence; programs get a list of none. */
    if (found.n_reports != 0 || options->format != format_text)
        REPORT_TRY(command_write(options, &document));
    return found.n_reports != 0
               ? REPORT_OK
               : report_fail(REPORT_NO_REPORT, "no report of this user in %s", options->directory);
}
