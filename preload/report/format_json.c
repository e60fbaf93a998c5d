/*
 * JSON: one object with the facts of the run, the rows and the totals. ASCII
 * control characters are escaped, everything else is UTF-8 as it is.
 */
#include "config.h"

#include <inttypes.h>

#include "analyze/json_text.h"
#include "report/grid.h"

/* Rows are handed to the stream in pieces of about this size. */
#define FLUSH_BYTES 32768

typedef enum sw_status put_cell(struct sw__builder *text, const struct cell *cell);

static enum sw_status put_none(struct sw__builder *text, const struct cell *cell)
{
    (void)cell;
    return sw__builder_string(text, "null");
}

static enum sw_status put_text(struct sw__builder *text, const struct cell *cell)
{
    return sw__json_put_text(text, cell->as.text);
}

static enum sw_status put_count(struct sw__builder *text, const struct cell *cell)
{
    char digits[24];

    if (cell->as.count <= INT64_MAX)
        return sw__builder_integer(text, (int64_t)cell->as.count);
    int n = snprintf(digits, sizeof digits, "%" PRIu64, cell->as.count);
    return sw__builder_append(text, digits, (size_t)n);
}

static enum sw_status put_integer(struct sw__builder *text, const struct cell *cell)
{
    return sw__builder_integer(text, cell->as.integer);
}

static enum sw_status put_real(struct sw__builder *text, const struct cell *cell)
{
    return sw__builder_decimal(text, cell->as.real);
}

/* Small ones have digits too. */
static enum sw_status put_rate(struct sw__builder *text, const struct cell *cell)
{
    return sw__builder_decimals(text, cell->as.real, 6);
}

static enum sw_status put_probability(struct sw__builder *text, const struct cell *cell)
{
    return display_probability(text, cell->as.real);
}

static enum sw_status put_moment(struct sw__builder *text, const struct cell *cell)
{
    SW__TRY(sw__builder_string(text, "\""));
    SW__TRY(display_moment_utc(text, cell->as.integer));
    return sw__builder_string(text, "\"");
}

static enum sw_status put_flag(struct sw__builder *text, const struct cell *cell)
{
    return sw__builder_string(text, cell->as.count != 0 ? "true" : "false");
}

static put_cell *const put[N_CELL_KINDS] = {
    [CELL_PROBABILITY] = put_probability,
    [CELL_NONE] = put_none,    [CELL_TEXT] = put_text,     [CELL_COUNT] = put_count,
    [CELL_BYTES] = put_count,  [CELL_TIME] = put_integer,  [CELL_MEAN] = put_real,
    [CELL_PERCENT] = put_real, [CELL_MOMENT] = put_moment, [CELL_FLAG] = put_flag,
    [CELL_AGE] = put_integer,  [CELL_ID] = put_count,     [CELL_AMOUNT] = put_count,
    [CELL_RATE] = put_rate,    [CELL_BALANCE] = put_integer,
};

static enum sw_status put_member(struct sw__builder *text, const char *between, const char *key,
                                 const struct cell *cell)
{
    SW__TRY(sw__builder_string(text, between));
    SW__TRY(sw__json_put_text(text, key));
    SW__TRY(sw__builder_string(text, ": "));
    return put[cell->kind](text, cell);
}

enum sw_status format_json_facts(struct sw__builder *text, const char *name, const struct fact *facts, size_t n_facts)
{
    SW__TRY(sw__json_put_text(text, name));
    SW__TRY(sw__builder_string(text, ": {"));
    for (size_t i = 0; i < n_facts; i++)
        SW__TRY(put_member(text, i == 0 ? "\n    " : ",\n    ", facts[i].key, &facts[i].cell));
    return sw__builder_string(text, "\n  }");
}

static enum sw_status put_members(struct sw__builder *text, const struct grid *grid, const struct cell *cells)
{
    const char *between = "{";

    for (size_t i = 0; i < grid->n_columns; i++) {
        if (grid->columns[i].flags & COLUMN_SCREEN)
            continue;
        SW__TRY(put_member(text, between, grid->columns[i].key, &cells[i]));
        between = ", ";
    }
    return SW_OK;
}

static enum sw_status put_row(struct sw__builder *text, const struct grid *grid, const struct cell *cells)
{
    SW__TRY(put_members(text, grid, cells));
    return sw__builder_string(text, "}");
}

enum sw_status format_jsonl_row(struct sw__builder *text, const struct document *document, const struct cell *cells)
{
    SW__TRY(put_members(text, &document->grid, cells));
    for (size_t i = 0; i < document->n_facts; i++)
        if (document->facts[i].in_every_row)
            SW__TRY(put_member(text, ", ", document->facts[i].key, &document->facts[i].cell));
    return sw__builder_string(text, "}\n");
}

static void flush(const struct screen *screen, struct sw__builder *text)
{
    if (text->n_bytes != 0)
        fwrite(text->bytes, 1, text->n_bytes, screen->stream);
    text->n_bytes = 0;
}

enum sw_status format_json(const struct screen *screen, const struct document *document)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    const struct grid *grid = &document->grid;
    struct cell cells[GRID_MAX_COLUMNS];

    SW__TRY(sw__builder_string(&text, "{\n  "));
    SW__TRY(format_json_facts(&text, "report", document->facts, document->n_facts));
    SW__TRY(sw__builder_string(&text, ",\n  \"rows\": ["));
    for (size_t row = 0; row < grid->n_rows && !ferror(screen->stream); row++) {
        SW__TRY(grid->row(grid->context, row, cells));
        SW__TRY(sw__builder_string(&text, row == 0 ? "\n    " : ",\n    "));
        SW__TRY(put_row(&text, grid, cells));
        if (text.n_bytes >= FLUSH_BYTES)
            flush(screen, &text);
    }
    SW__TRY(sw__builder_string(&text, "\n  ],\n  "));
    SW__TRY(format_json_facts(&text, "totals", document->totals, document->n_totals));
    SW__TRY(sw__builder_string(&text, "\n}\n"));
    flush(screen, &text);
    return SW_OK;
}
