/*
 * Storage records as documents: per class, over time, and what was left.
 */
#include "config.h"

#include "report/memory_view.h"

#include "analyze/visible.h"
#include "report/heading.h"
#include "report/storage_history.h"

/* Operations that are named below the table of classes as those who made what was left. */
#define MOST_NAMED 3

struct memory {
    const struct report *report;
    struct storage storage;
    struct storage_history history;
    int64_t first_ns; /* of the run */
};

static void memory_clear(struct memory *memory)
{
    storage_history_clear(&memory->history);
    storage_clear(&memory->storage);
}

static struct cell cell_of_operation(const struct memory *memory, uint32_t dispatch)
{
    return dispatch != SW__ANALYZE_NONE ? CELL_OF_TEXT(memory->report->dispatches[dispatch].name)
                                        : (struct cell){ .kind = CELL_NONE };
}

static const struct storage_record *record_of(const struct memory *memory, size_t step)
{
    return &memory->storage.records[memory->history.steps[step].record];
}

/* ---- Classes ---------------------------------------------------------------------------- */

#define ACCOUNT_CELL(function, value)                                                            \
    static struct cell function(const struct memory *memory, size_t row)                         \
    {                                                                                            \
        const struct storage_account *account = &memory->history.classes[row];                   \
        return value;                                                                            \
    }
ACCOUNT_CELL(account_current, CELL_OF_BYTES(account->current_bytes))
ACCOUNT_CELL(account_peak, CELL_OF_BYTES(account->peak_bytes))
ACCOUNT_CELL(account_peak_at, account->peak != SIZE_MAX
                               ? CELL_OF_TIME(clock_between(memory->first_ns, record_of(memory, account->peak)->ns))
                               : (struct cell){ .kind = CELL_NONE })
ACCOUNT_CELL(account_allocated, CELL_OF_BYTES(account->sums.allocated))
ACCOUNT_CELL(account_released, CELL_OF_BYTES(account->sums.released))
ACCOUNT_CELL(account_n_allocated, CELL_OF_COUNT(account->n_allocated))
ACCOUNT_CELL(account_n_current, CELL_OF_COUNT(account->n_current))
ACCOUNT_CELL(account_n_released, CELL_OF_COUNT(account->n_released))
ACCOUNT_CELL(account_n_refused, CELL_OF_COUNT(account->n_refused))
ACCOUNT_CELL(account_n_unknown, CELL_OF_COUNT(account->n_unknown))

typedef struct cell make_cell(const struct memory *memory, size_t row);

static struct cell account_class(const struct memory *memory, size_t row)
{
    return CELL_OF_TEXT(memory->storage.classes.texts[row]);
}

static make_cell *const class_makers[] = {
#define MEMORY_COLUMN(title, key, flags, function) function,
#include "report/memory_columns.def"
#undef MEMORY_COLUMN
};
static const struct column class_columns[] = {
#define MEMORY_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/memory_columns.def"
#undef MEMORY_COLUMN
};

/* ---- Over time -------------------------------------------------------------------------- */

#define STEP_CELL(function, value)                                                               \
    static struct cell function(const struct memory *memory, size_t row)                         \
    {                                                                                            \
        const struct storage_step *step = &memory->history.steps[row];                           \
        const struct storage_record *record = &memory->storage.records[step->record];            \
        (void)record;                                                                            \
        return value;                                                                            \
    }
STEP_CELL(step_since, CELL_OF_TIME(clock_between(memory->first_ns, record->ns)))
STEP_CELL(step_time, CELL_OF_TIME(record->ns))
STEP_CELL(step_bytes, CELL_OF_BYTES(record->bytes))
STEP_CELL(step_class_bytes, CELL_OF_BYTES(step->class_bytes))
STEP_CELL(step_current, CELL_OF_BYTES(step->current_bytes))
STEP_CELL(step_number, CELL_OF_ID(record->carrier))
STEP_CELL(step_class, CELL_OF_TEXT(memory->storage.classes.texts[record->class_index]))
STEP_CELL(step_operation, cell_of_operation(memory, record->dispatch))

static struct cell step_thread(const struct memory *memory, size_t row)
{
    const struct report_thread *thread = report_find_thread(memory->report, record_of(memory, row)->thread);

    return thread != NULL ? CELL_OF_ID((uint64_t)thread->tid) : (struct cell){ .kind = CELL_NONE };
}

static struct cell step_what(const struct memory *memory, size_t row)
{
    static const char *const names[] = { [STORAGE_ALLOC] = "alloc", [STORAGE_FREE] = "free",
                                         [STORAGE_REFUSED] = "refused" };
    const struct storage_step *step = &memory->history.steps[row];
    enum storage_kind kind = record_of(memory, row)->kind;

    return CELL_OF_TEXT(kind == STORAGE_FREE && !step->is_counted ? "free of older" : names[kind]);
}

static make_cell *const timeline_makers[] = {
#define TIMELINE_COLUMN(title, key, flags, function) function,
#include "report/timeline_columns.def"
#undef TIMELINE_COLUMN
};
static const struct column timeline_columns[] = {
#define TIMELINE_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/timeline_columns.def"
#undef TIMELINE_COLUMN
};

/* ---- What was left ----------------------------------------------------------------------- */

#define LEFT_CELL(function, value)                                                               \
    static struct cell function(const struct memory *memory, size_t row)                         \
    {                                                                                            \
        const struct storage_remainder *left = &memory->history.remainders[row];                 \
        return value;                                                                            \
    }
LEFT_CELL(left_bytes, CELL_OF_BYTES(left->bytes))
LEFT_CELL(left_n, CELL_OF_COUNT(left->n))
LEFT_CELL(left_since, CELL_OF_TIME(clock_between(memory->first_ns, left->first_ns)))
LEFT_CELL(left_time, CELL_OF_TIME(left->first_ns))
LEFT_CELL(left_class, CELL_OF_TEXT(memory->storage.classes.texts[left->class_index]))
LEFT_CELL(left_operation, cell_of_operation(memory, left->dispatch))

static make_cell *const alive_makers[] = {
#define ALIVE_COLUMN(title, key, flags, function) function,
#include "report/alive_columns.def"
#undef ALIVE_COLUMN
};
static const struct column alive_columns[] = {
#define ALIVE_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/alive_columns.def"
#undef ALIVE_COLUMN
};

/* ---- The document ------------------------------------------------------------------------ */

struct table {
    const struct column *columns;
    make_cell *const *makers;
    size_t n_columns;
    size_t n_rows;
    const struct memory *memory;
};

static struct table table_of(const struct memory *memory, enum memory_table which)
{
    static const struct table tables[] = {
#define TABLE(columns, makers) { columns, makers, sizeof makers / sizeof *makers, 0, NULL }
        [MEMORY_CLASSES] = TABLE(class_columns, class_makers),
        [MEMORY_TIMELINE] = TABLE(timeline_columns, timeline_makers),
        [MEMORY_ALIVE] = TABLE(alive_columns, alive_makers),
#undef TABLE
    };
    const size_t n_rows[] = { [MEMORY_CLASSES] = memory->storage.classes.n_texts,
                              [MEMORY_TIMELINE] = memory->history.n_steps,
                              [MEMORY_ALIVE] = memory->history.n_remainders };
    struct table table = tables[which];

    table.n_rows = n_rows[which];
    table.memory = memory;
    return table;
}

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    const struct table *table = context;

    for (size_t i = 0; i < table->n_columns; i++)
        ret_cells[i] = table->makers[i](table->memory, row);
    return SW_OK;
}

/* "matmul on thread 71", or "outside of operations on thread 71". */
static enum sw_status put_place(struct sw__builder *text, const struct memory *memory,
                                const struct storage_record *record)
{
    const struct report_thread *thread = report_find_thread(memory->report, record->thread);

    if (record->dispatch != SW__ANALYZE_NONE) {
        SW__TRY(sw__builder_string(text, "in "));
        SW__TRY(sw__visible(text, memory->report->dispatches[record->dispatch].name));
    } else {
        SW__TRY(sw__builder_string(text, "outside of operations"));
    }
    SW__TRY(sw__builder_string(text, " on thread "));
    return sw__builder_integer(text, thread != NULL ? thread->tid : 0);
}

static enum sw_status put_peak(struct sw__builder *text, const struct memory *memory, enum display_unit unit)
{
    const struct storage_account *all = &memory->history.all;

    if (all->peak == SIZE_MAX)
        return SW_OK;
    const struct storage_record *record = record_of(memory, all->peak);
    SW__TRY(display_bytes(text, all->peak_bytes));
    SW__TRY(sw__builder_string(text, " at the peak, reached after "));
    SW__TRY(display_time(text, clock_between(memory->first_ns, record->ns), unit));
    SW__TRY(sw__builder_string(text, " "));
    SW__TRY(put_place(text, memory, record));
    return sw__builder_string(text, "\n");
}

static enum sw_status put_left(struct sw__builder *text, const struct memory *memory)
{
    const struct storage_history *history = &memory->history;
    size_t n = history->n_remainders < MOST_NAMED ? history->n_remainders : MOST_NAMED;

    SW__TRY(display_bytes(text, history->all.current_bytes));
    SW__TRY(sw__builder_string(text, " left at the end"));
    for (size_t i = 0; i < n; i++) {
        const struct storage_remainder *left = &history->remainders[i];
        SW__TRY(sw__builder_string(text, i == 0 ? ": " : ", "));
        SW__TRY(display_bytes(text, left->bytes));
        if (left->dispatch == SW__ANALYZE_NONE) {
            SW__TRY(sw__builder_string(text, " made outside of operations"));
            continue;
        }
        SW__TRY(sw__builder_string(text, " made by "));
        SW__TRY(sw__visible(text, memory->report->dispatches[left->dispatch].name));
    }
    return sw__builder_string(text, n < history->n_remainders ? " ... (--alive)\n" : "\n");
}

static enum sw_status put_footing(struct sw__builder *text, const struct memory *memory, size_t n_more,
                                  enum display_unit unit)
{
    const struct storage_account *all = &memory->history.all;

    if (n_more != 0)
        SW__TRY(display_counted(text, n_more, "more row\n", "more rows\n"));
    SW__TRY(sw__builder_string(text, "\n"));
    if (report_lost_notes(memory->report) != 0)
        SW__TRY(sw__builder_string(text, "records of storage may be among the notes that were lost: the figures are of the others\n"));
    if (memory->history.n_steps == 0)
        return sw__builder_string(text, "no storage was recorded: it is with SWPROF_MEMORY=1\n");
    SW__TRY(put_peak(text, memory, unit));
    SW__TRY(put_left(text, memory));
    if (all->n_refused != 0) {
        SW__TRY(display_counted(text, all->n_refused, "request", "requests"));
        SW__TRY(sw__builder_string(text, " for which there was no room\n"));
    }
    if (all->n_unknown == 0)
        return SW_OK;
    SW__TRY(display_counted(text, all->n_unknown, "release", "releases"));
    return sw__builder_string(text, " of storage whose making is not recorded, in no other figure: it was made before recording, or its record was lost\n");
}

static enum sw_status print(const struct memory *memory, const struct heading *heading, enum memory_table which,
                            int64_t row_limit, const struct screen *screen, write_document *format)
{
    struct sw__builder footing SW__OWNED_BUILDER = { 0 };
    struct table table = table_of(memory, which);
    const struct storage_account *all = &memory->history.all;
    size_t n_rows = table.n_rows;

    if (row_limit != SW_NO_LIMIT && (uint64_t)row_limit < n_rows)
        n_rows = (size_t)row_limit;
    SW__TRY(put_footing(&footing, memory, table.n_rows - n_rows, screen->unit));
    const struct fact totals[] = {
        { "current_bytes", CELL_OF_BYTES(all->current_bytes), 0 },
        { "peak_bytes", CELL_OF_BYTES(all->peak_bytes), 0 },
        { "allocated_bytes", CELL_OF_BYTES(all->sums.allocated), 0 },
        { "released_bytes", CELL_OF_BYTES(all->sums.released), 0 },
        { "allocations", CELL_OF_COUNT(all->n_allocated), 0 },
        { "refused", CELL_OF_COUNT(all->n_refused), 0 },
        { "releases_of_older", CELL_OF_COUNT(all->n_unknown), 0 },
    };
    struct document document = {
        .heading = heading->lines.bytes,
        .footing = footing.bytes,
        .facts = heading->facts,
        .n_facts = heading->n_facts,
        .totals = totals,
        .n_totals = sizeof totals / sizeof *totals,
        .grid = { table.columns, table.n_columns, n_rows, make_row, &table },
    };
    return format(screen, &document);
}

enum report_outcome memory_view_print(const struct report *report, const struct report_filter *filter,
                                      enum memory_table table, int64_t row_limit, const struct screen *screen,
                                      write_document *format)
{
    struct heading heading SW__CLEANUP(heading_clear) = { .n_facts = 0 };
    struct memory memory SW__CLEANUP(memory_clear) = { .report = report };
    struct report_totals totals = { 0 };
    size_t hint = 0;

    memory.first_ns = clock_ns(&report->clock, report->header.first.ticks, &hint);
    REPORT_TRY(storage_read(report, filter, &memory.storage));
    REPORT_TRY(storage_attribute(report, filter, &memory.storage, &totals));
    REPORT_TRY(storage_history_build(&memory.storage, &memory.history));
    REPORT_TRY(heading_build(report, filter, &totals, screen->unit, &heading));
    return report_status(print(&memory, &heading, table, row_limit, screen, format));
}
