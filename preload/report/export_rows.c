/*
 * Operations as rows: the columns of the list of events, and what must be known
 * of the run in every row. Ids name operations within one export.
 */
#include "config.h"

#include "report/export.h"

#include "base/alloc.h"
#include "report/event_cells.h"

static enum report_outcome begin_rows(struct exporter *exporter)
{
    struct event_cells *cells = sw__alloc(sizeof *cells);

    if (cells == NULL)
        return REPORT_SYSTEM;
    exporter->state = cells;
    return report_status(event_cells_init(exporter->report, exporter->wants, cells));
}

static void clear_rows(struct exporter *exporter)
{
    if (exporter->state == NULL)
        return;
    event_cells_clear(exporter->state);
    sw__free(sw__take(exporter->state));
}

static struct document document_of(const struct exporter *exporter)
{
    const struct event_cells *cells = exporter->state;

    return (struct document){
        .facts = exporter->heading.facts,
        .n_facts = exporter->heading.n_facts,
        .grid = { .columns = cells->columns, .n_columns = N_EVENT_COLUMNS },
    };
}

typedef enum sw_status put_row(struct sw__builder *text, const struct document *document, const struct cell *cells);

static enum sw_status put_event(struct exporter *exporter, const struct sw__analyze_event *event, uint32_t serial,
                                put_row *put)
{
    const struct document document = document_of(exporter);
    struct cell cells[N_EVENT_COLUMNS];

    if (event->flags & SW__ANALYZE_HIDDEN)
        return SW_OK;
    SW__TRY(event_cells_make(exporter->state, event, serial, cells));
    return put(&exporter->text, &document, cells);
}

static enum report_outcome begin_csv(struct exporter *exporter)
{
    REPORT_TRY(begin_rows(exporter));
    const struct document document = document_of(exporter);
    return report_status(format_csv_keys(&exporter->text, &document));
}

static enum sw_status put_csv(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    return put_event(context, event, serial, format_csv_row);
}

static enum sw_status put_jsonl(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    return put_event(context, event, serial, format_jsonl_row);
}

static enum sw_status put_note(struct exporter *exporter, const struct noted *noted, put_row *put)
{
    const struct document document = document_of(exporter);
    struct cell cells[N_EVENT_COLUMNS];

    if (!noted->kind->is_interval)
        return SW_OK;
    event_cells_make_noted(exporter->state, noted, cells);
    return put(&exporter->text, &document, cells);
}

static enum sw_status put_csv_note(void *context, const struct noted *noted)
{
    return put_note(context, noted, format_csv_row);
}

static enum sw_status put_jsonl_note(void *context, const struct noted *noted)
{
    return put_note(context, noted, format_jsonl_row);
}

static enum sw_status end_rows(struct exporter *exporter)
{
    (void)exporter;
    return SW_OK;
}

const struct export_form export_csv = { begin_csv, NULL, put_csv, put_csv_note, NULL, end_rows, clear_rows, 0 };
const struct export_form export_jsonl = { begin_rows, NULL, put_jsonl, put_jsonl_note, NULL, end_rows, clear_rows, 0 };
