/*
 * The specification's table: left-aligned cells, two blanks between columns,
 * a line of dashes, the same bytes for the same rows whatever the locale.
 */
#include "config.h"

#include <string.h>

#include "analyze/analyze.h"
#include "analyze/builder.h"
#include "base/alloc.h"

typedef enum sw_status put_cell(struct sw__builder *text, const struct sw__aggregate *row);

static enum sw_status put_name(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_string(text, row->dispatch->name);
}

static enum sw_status put_carrier(struct sw__builder *text, const struct sw__aggregate *row)
{
    SW__TRY(sw__builder_string(text, row->dispatch->carrier_module));
    SW__TRY(sw__builder_string(text, "."));
    return sw__builder_string(text, row->dispatch->carrier_name);
}

static enum sw_status put_shapes(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_string(text, row->shape_text);
}

static enum sw_status put_count(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_integer(text, row->count > INT64_MAX ? INT64_MAX : (int64_t)row->count);
}

static enum sw_status put_total(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_integer(text, row->total_ns);
}

static enum sw_status put_self(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_integer(text, row->self_total_ns);
}

static enum sw_status put_mean(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_decimal(text, row->mean_ns);
}

static enum sw_status put_min(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_integer(text, row->min_ns);
}

static enum sw_status put_max(struct sw__builder *text, const struct sw__aggregate *row)
{
    return sw__builder_integer(text, row->max_ns);
}

static const struct {
    const char *field;
    const char *title;
    put_cell *put;
} columns[SW__N_COLUMNS] = {
#define SW_COLUMN(enumerator, field, title, compare, format) { field, title, format },
#include "analyze/columns.def"
#undef SW_COLUMN
};

int sw__column_find(const char *field, enum sw__column *ret_column)
{
    for (unsigned i = 0; i < SW__N_COLUMNS; i++) {
        if (strcmp(columns[i].field, field) == 0) {
            *ret_column = (enum sw__column)i;
            return 1;
        }
    }
    return 0;
}

const char *sw__column_field(enum sw__column column)
{
    static const char *const others[] = {
#define SW_ORDER(enumerator, field, compare) field,
#include "analyze/orders.def"
#undef SW_ORDER
    };

    return column < SW__N_COLUMNS ? columns[column].field : others[column - SW__N_COLUMNS];
}

/* What is printed: rows in order, all cells made once. */
struct sheet {
    const struct sw__aggregates *aggregates;
    size_t *order;
    size_t n_rows;
    size_t shown[SW__N_COLUMNS]; /* columns that are printed */
    size_t n_shown;
    char **cells; /* n_rows x n_shown */
    size_t widths[SW__N_COLUMNS];
};

static void sheet_clear(struct sheet *sheet)
{
    if (sheet->cells != NULL)
        for (size_t i = 0; i < sheet->n_rows * sheet->n_shown; i++)
            sw__free(sheet->cells[i]);
    sw__free(sheet->cells);
    sw__free(sheet->order);
}

static void choose_columns(struct sheet *sheet)
{
    for (size_t column = 0; column < SW__N_COLUMNS; column++) {
        if (column == SW__COLUMN_INPUT_SHAPES && !(sheet->aggregates->grouping & SW__GROUP_BY_SHAPES))
            continue;
        sheet->widths[sheet->n_shown] = sw__characters(columns[column].title);
        sheet->shown[sheet->n_shown++] = column;
    }
}

static enum sw_status make_cell(struct sheet *sheet, size_t row, size_t place)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    char **cell = &sheet->cells[row * sheet->n_shown + place];

    SW__TRY(columns[sheet->shown[place]].put(&text, &sheet->aggregates->rows[sheet->order[row]]));
    SW__TRY(sw__builder_take(&text, cell));
    size_t width = sw__characters(*cell);
    if (width > sheet->widths[place])
        sheet->widths[place] = width;
    return SW_OK;
}

static enum sw_status make_sheet(struct sheet *sheet, const struct sw__table_options *options)
{
    SW__TRY(sw__aggregates_order(sheet->aggregates, options->sort_by, options->direction, &sheet->order));
    size_t n_rows = sheet->aggregates->n_rows;
    if (options->row_limit != SW_NO_LIMIT && (uint64_t)options->row_limit < n_rows)
        n_rows = (size_t)options->row_limit;
    choose_columns(sheet);
    sheet->cells = sw__alloc_zero(n_rows * sheet->n_shown * sizeof *sheet->cells);
    if (sheet->cells == NULL)
        return SW_MEMORY_ERROR;
    sheet->n_rows = n_rows;
    for (size_t row = 0; row < n_rows; row++)
        for (size_t place = 0; place < sheet->n_shown; place++)
            SW__TRY(make_cell(sheet, row, place));
    return SW_OK;
}

static enum sw_status put_padded(struct sw__builder *text, const struct sheet *sheet, size_t place, const char *cell)
{
    if (place != 0)
        SW__TRY(sw__builder_string(text, "  "));
    SW__TRY(sw__builder_string(text, cell));
    return sw__builder_repeat(text, ' ', sheet->widths[place] - sw__characters(cell));
}

static enum sw_status put_sheet(struct sw__builder *text, const struct sheet *sheet)
{
    for (size_t place = 0; place < sheet->n_shown; place++)
        SW__TRY(put_padded(text, sheet, place, columns[sheet->shown[place]].title));
    SW__TRY(sw__builder_string(text, "\n"));
    for (size_t place = 0; place < sheet->n_shown; place++) {
        SW__TRY(sw__builder_string(text, place != 0 ? "  " : ""));
        SW__TRY(sw__builder_repeat(text, '-', sheet->widths[place]));
    }
    for (size_t row = 0; row < sheet->n_rows; row++) {
        SW__TRY(sw__builder_string(text, "\n"));
        for (size_t place = 0; place < sheet->n_shown; place++)
            SW__TRY(put_padded(text, sheet, place, sheet->cells[row * sheet->n_shown + place]));
    }
    return SW_OK;
}

enum sw_status sw__table_format(const struct sw__aggregates *aggregates, const struct sw__table_options *options,
                                char **ret_text)
{
    struct sheet sheet SW__CLEANUP(sheet_clear) = { .aggregates = aggregates };
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    if (options->row_limit < 0 && options->row_limit != SW_NO_LIMIT)
        return sw_error_set(SW_VALUE_ERROR, "row_limit must be a non-negative integer or None");
    SW__TRY(make_sheet(&sheet, options));
    SW__TRY(put_sheet(&text, &sheet));
    return sw__builder_take(&text, ret_text);
}
