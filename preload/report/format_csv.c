/*
 * Comma-separated values (RFC 4180 with "\n"): one line of keys, one line per
 * row; what must be known of the run stands in every row.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "report/grid.h"

/* Rows are handed to the stream in pieces of about this size. */
#define FLUSH_BYTES 32768

typedef enum sw_status put_cell(struct sw__builder *text, const struct cell *cell);

static enum sw_status put_none(struct sw__builder *text, const struct cell *cell)
{
    (void)text;
    (void)cell;
    return SW_OK;
}

/*
 * Quoted when it holds a separator, a quote or a line end. A text that a
 * spreadsheet would take for a formula is quoted too; its bytes stay.
 */
static enum sw_status put_text(struct sw__builder *text, const struct cell *cell)
{
    const char *from = cell->as.text;

    if (strpbrk(from, ",\"\r\n") == NULL && strchr("=+-@ \t", from[0]) == NULL)
        return sw__builder_string(text, from);
    if (from[0] == '\0')
        return sw__builder_string(text, "\"\"");
    SW__TRY(sw__builder_string(text, "\""));
    for (const char *quote; (quote = strchr(from, '"')) != NULL; from = quote + 1) {
        SW__TRY(sw__builder_append(text, from, (size_t)(quote - from)));
        SW__TRY(sw__builder_string(text, "\"\""));
    }
    SW__TRY(sw__builder_string(text, from));
    return sw__builder_string(text, "\"");
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
    return display_moment_utc(text, cell->as.integer);
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

enum sw_status format_csv_keys(struct sw__builder *line, const struct document *document)
{
    const char *between = "";

    for (size_t i = 0; i < document->grid.n_columns; i++) {
        if (document->grid.columns[i].flags & COLUMN_SCREEN)
            continue;
        SW__TRY(sw__builder_string(line, between));
        SW__TRY(sw__builder_string(line, document->grid.columns[i].key));
        between = ",";
    }
    for (size_t i = 0; i < document->n_facts; i++) {
        if (!document->facts[i].in_every_row)
            continue;
        SW__TRY(sw__builder_string(line, between));
        SW__TRY(sw__builder_string(line, document->facts[i].key));
    }
    return sw__builder_string(line, "\n");
}

enum sw_status format_csv_row(struct sw__builder *line, const struct document *document, const struct cell *cells)
{
    const char *between = "";

    for (size_t i = 0; i < document->grid.n_columns; i++) {
        if (document->grid.columns[i].flags & COLUMN_SCREEN)
            continue;
        SW__TRY(sw__builder_string(line, between));
        SW__TRY(put[cells[i].kind](line, &cells[i]));
        between = ",";
    }
    for (size_t i = 0; i < document->n_facts; i++) {
        if (!document->facts[i].in_every_row)
            continue;
        SW__TRY(sw__builder_string(line, between));
        SW__TRY(put[document->facts[i].cell.kind](line, &document->facts[i].cell));
    }
    return sw__builder_string(line, "\n");
}

static void flush(const struct screen *screen, struct sw__builder *text)
{
    if (text->n_bytes != 0)
        fwrite(text->bytes, 1, text->n_bytes, screen->stream);
    text->n_bytes = 0;
}

enum sw_status format_csv(const struct screen *screen, const struct document *document)
{
    struct sw__builder line SW__OWNED_BUILDER = { 0 };
    struct cell cells[GRID_MAX_COLUMNS];

    SW__TRY(format_csv_keys(&line, document));
    for (size_t row = 0; row < document->grid.n_rows && !ferror(screen->stream); row++) {
        SW__TRY(document->grid.row(document->grid.context, row, cells));
        SW__TRY(format_csv_row(&line, document, cells));
        if (line.n_bytes >= FLUSH_BYTES)
            flush(screen, &line);
    }
    flush(screen, &line);
    return SW_OK;
}
