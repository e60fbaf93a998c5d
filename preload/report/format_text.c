/*
 * A document for people: aligned columns that fit the screen, long names
 * shortened in the middle, colour and bars only where the screen has them.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/visible.h"
#include "report/grid.h"
#include "report/utf8.h"

#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define PLAIN "\x1b[0m"
#define BAR_COLUMNS 8
#define LEAST_SHRUNK 12

typedef enum sw_status put_cell(struct sw__builder *text, const struct cell *cell, enum display_unit unit);

static enum sw_status put_none(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)cell;
    (void)unit;
    return sw__builder_string(text, "-");
}

static enum sw_status put_text(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return sw__visible(text, cell->as.text);
}

static enum sw_status put_count(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_count(text, cell->as.count);
}

static enum sw_status put_id(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return sw__builder_integer(text, (int64_t)cell->as.count);
}

static enum sw_status put_bytes(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_bytes(text, cell->as.count);
}

static enum sw_status put_balance(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    int64_t bytes = cell->as.integer;

    (void)unit;
    SW__TRY(sw__builder_string(text, bytes < 0 ? "-" : ""));
    return display_bytes(text, bytes < 0 ? (uint64_t)0 - (uint64_t)bytes : (uint64_t)bytes);
}

static enum sw_status put_amount(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_amount(text, cell->as.count);
}

static enum sw_status put_rate(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_rate(text, cell->as.real);
}

static enum sw_status put_time(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    return display_time(text, cell->as.integer, unit);
}

static enum sw_status put_age(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_age(text, cell->as.integer);
}

static enum sw_status put_mean(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    return display_mean(text, cell->as.real, unit);
}

static enum sw_status put_percent(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_percent(text, cell->as.real);
}

static enum sw_status put_probability(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_probability(text, cell->as.real);
}

static enum sw_status put_moment(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return display_moment(text, cell->as.integer);
}

static enum sw_status put_flag(struct sw__builder *text, const struct cell *cell, enum display_unit unit)
{
    (void)unit;
    return sw__builder_string(text, cell->as.count != 0 ? "yes" : "no");
}

static put_cell *const put[N_CELL_KINDS] = {
    [CELL_PROBABILITY] = put_probability,
    [CELL_NONE] = put_none,       [CELL_TEXT] = put_text,     [CELL_COUNT] = put_count,
    [CELL_BYTES] = put_bytes,     [CELL_TIME] = put_time,     [CELL_MEAN] = put_mean,
    [CELL_PERCENT] = put_percent, [CELL_MOMENT] = put_moment, [CELL_FLAG] = put_flag,
    [CELL_AGE] = put_age,         [CELL_ID] = put_id,       [CELL_AMOUNT] = put_amount,
    [CELL_RATE] = put_rate,       [CELL_BALANCE] = put_balance,
};

struct sheet {
    const struct screen *screen;
    const struct grid *grid;
    size_t shown[GRID_MAX_COLUMNS];
    size_t widths[GRID_MAX_COLUMNS];
    size_t n_shown;
    int has_bars;
};

static const struct column *column_at(const struct sheet *sheet, size_t place)
{
    return &sheet->grid->columns[sheet->shown[place]];
}

static void choose_columns(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->grid->n_columns; i++) {
        if (sheet->grid->columns[i].flags & COLUMN_EXPORT)
            continue;
        sheet->widths[sheet->n_shown] = utf8_width(sheet->grid->columns[i].title);
        sheet->shown[sheet->n_shown++] = i;
    }
}

static enum sw_status measure(struct sheet *sheet)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    struct cell cells[GRID_MAX_COLUMNS];

    for (size_t row = 0; row < sheet->grid->n_rows; row++) {
        SW__TRY(sheet->grid->row(sheet->grid->context, row, cells));
        for (size_t place = 0; place < sheet->n_shown; place++) {
            const struct cell *cell = &cells[sheet->shown[place]];
            text.n_bytes = 0;
            SW__TRY(put[cell->kind](&text, cell, sheet->screen->unit));
            size_t width = text.n_bytes != 0 ? utf8_width(text.bytes) : 0;
            if (width > sheet->widths[place])
                sheet->widths[place] = width;
        }
    }
    return SW_OK;
}

static size_t total_width(const struct sheet *sheet)
{
    size_t total = sheet->has_bars ? BAR_COLUMNS + 2 : 0;

    for (size_t place = 0; place < sheet->n_shown; place++)
        total += sheet->widths[place] + (place != 0 ? 2 : 0);
    return total;
}

/* The widest column that may still become narrower; n_shown when there is none. */
static size_t find_shrinkable(const struct sheet *sheet)
{
    size_t widest = sheet->n_shown;

    for (size_t place = 0; place < sheet->n_shown; place++)
        if ((column_at(sheet, place)->flags & COLUMN_SHRINKS) && sheet->widths[place] > LEAST_SHRUNK &&
            (widest == sheet->n_shown || sheet->widths[place] > sheet->widths[widest]))
            widest = place;
    return widest;
}

/* Leave out the first column that can be spared; 0 when there is none. */
static int drop_spare(struct sheet *sheet)
{
    for (size_t place = 0; place < sheet->n_shown; place++) {
        if (!(column_at(sheet, place)->flags & COLUMN_SPARE))
            continue;
        size_t n_behind = --sheet->n_shown - place;
        memmove(&sheet->shown[place], &sheet->shown[place + 1], n_behind * sizeof *sheet->shown);
        memmove(&sheet->widths[place], &sheet->widths[place + 1], n_behind * sizeof *sheet->widths);
        return 1;
    }
    return 0;
}

/* Shorten names first; where that is not enough, show less. */
static void fit(struct sheet *sheet)
{
    while (sheet->screen->columns != 0 && total_width(sheet) > sheet->screen->columns) {
        size_t shrinkable = find_shrinkable(sheet);
        if (shrinkable < sheet->n_shown)
            sheet->widths[shrinkable]--;
        else if (!drop_spare(sheet))
            return;
    }
}

static void put_blanks(FILE *stream, size_t n)
{
    fprintf(stream, "%*s", (int)n, "");
}

static enum sw_status print_cell(const struct sheet *sheet, size_t place, const char *content)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    FILE *stream = sheet->screen->stream;
    uint32_t flags = column_at(sheet, place)->flags;
    int is_last = place + 1 == sheet->n_shown;

    SW__TRY(display_shortened(&text, content, flags & COLUMN_SHRINKS ? sheet->widths[place] : 0));
    size_t width = text.n_bytes != 0 ? utf8_width(text.bytes) : 0;
    size_t blanks = width < sheet->widths[place] ? sheet->widths[place] - width : 0;
    if (place != 0)
        put_blanks(stream, 2);
    if (!(flags & COLUMN_LEFT))
        put_blanks(stream, blanks);
    fputs(text.n_bytes != 0 ? text.bytes : "", stream);
    if ((flags & COLUMN_LEFT) && !is_last)
        put_blanks(stream, blanks);
    return SW_OK;
}

/* Eighths of a block, so that small shares are seen. */
static void print_bar(FILE *stream, double percent)
{
    static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    double share = percent < 0 ? 0 : percent > 100 ? 100 : percent;
    size_t n = (size_t)(share * BAR_COLUMNS * 8 / 100 + 0.5);

    put_blanks(stream, 2);
    fputs(DIM, stream);
    for (size_t i = 0; i < n / 8; i++)
        fputs("█", stream);
    fputs(eighths[n % 8], stream);
    fputs(PLAIN, stream);
    put_blanks(stream, BAR_COLUMNS - (n + 7) / 8);
}

static enum sw_status print_titles(const struct sheet *sheet)
{
    FILE *stream = sheet->screen->stream;

    fputs(sheet->screen->has_colour ? BOLD : "", stream);
    for (size_t place = 0; place < sheet->n_shown; place++) {
        SW__TRY(print_cell(sheet, place, column_at(sheet, place)->title));
        if (sheet->has_bars && (column_at(sheet, place)->flags & COLUMN_BAR))
            put_blanks(stream, BAR_COLUMNS + 2);
    }
    fputs(sheet->screen->has_colour ? PLAIN "\n" : "\n", stream);
    return SW_OK;
}

static enum sw_status print_row(const struct sheet *sheet, size_t row)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    struct cell cells[GRID_MAX_COLUMNS];

    SW__TRY(sheet->grid->row(sheet->grid->context, row, cells));
    for (size_t place = 0; place < sheet->n_shown; place++) {
        const struct cell *cell = &cells[sheet->shown[place]];
        text.n_bytes = 0;
        SW__TRY(put[cell->kind](&text, cell, sheet->screen->unit));
        SW__TRY(print_cell(sheet, place, text.n_bytes != 0 ? text.bytes : ""));
        if (sheet->has_bars && (column_at(sheet, place)->flags & COLUMN_BAR))
            print_bar(sheet->screen->stream, cell->as.real);
    }
    fputc('\n', sheet->screen->stream);
    return SW_OK;
}

enum sw_status format_text(const struct screen *screen, const struct document *document)
{
    struct sheet sheet = { .screen = screen, .grid = &document->grid, .has_bars = screen->has_colour };

    fputs(document->heading, screen->stream);
    choose_columns(&sheet);
    SW__TRY(measure(&sheet));
    fit(&sheet);
    SW__TRY(print_titles(&sheet));
    for (size_t row = 0; row < document->grid.n_rows && !ferror(screen->stream); row++)
        SW__TRY(print_row(&sheet, row));
    fputs(document->footing, screen->stream);
    return SW_OK;
}
