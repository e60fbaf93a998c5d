/*
 * The table of an event list, line by line as PyTorch's profiler writes it:
 * cells filled up to their column's width, two blanks behind each, the last one
 * too.
 */
#include "config.h"

#include "analyze/event_cells.h"

#include <string.h>

#include "base/alloc.h"
#include "base/options.h"

#define GAP 2         /* blanks behind each cell */
#define OLD_ENTRIES 5 /* of a stack that 1.13 prints */

/* The columns that are shown. */
struct layout {
    struct sw__event_table table;
    uint32_t *order; /* of the rows */
    const struct sw__event_column *columns[SW__EVENT_MAX_COLUMNS];
    size_t widths[SW__EVENT_MAX_COLUMNS];
    size_t n_columns;
    struct sw__builder cell; /* the one that is made */
};

static void layout_clear(struct layout *layout)
{
    sw__event_table_clear(&layout->table);
    sw__free(layout->order);
    sw__builder_clear(&layout->cell);
}

static void choose_columns(struct layout *layout)
{
    for (size_t i = 0; i < sw__event_n_columns; i++) {
        size_t width = sw__event_columns[i].width(&layout->table);
        if (width == 0)
            continue;
        layout->widths[layout->n_columns] = width;
        layout->columns[layout->n_columns++] = &sw__event_columns[i];
    }
}

/* ---- Lines --------------------------------------------------------------------------------- */

static enum sw_status put_filled(struct sw__builder *text, const struct layout *layout, size_t place, const char *cell)
{
    size_t n = sw__characters(cell), width = layout->widths[place];
    size_t missing = n < width ? width - n : 0;
    int is_left = layout->columns[place]->fill == FILL_LEFT;

    SW__TRY(sw__builder_repeat(text, ' ', is_left ? missing : 0));
    SW__TRY(sw__builder_string(text, cell));
    return sw__builder_repeat(text, ' ', GAP + (is_left ? 0 : missing));
}

static enum sw_status put_separator(struct sw__builder *text, const struct layout *layout)
{
    for (size_t i = 0; i < layout->n_columns; i++) {
        SW__TRY(sw__builder_repeat(text, '-', layout->widths[i]));
        SW__TRY(sw__builder_repeat(text, ' ', GAP));
    }
    return sw__builder_string(text, "\n");
}

static enum sw_status put_titles(struct sw__builder *text, const struct layout *layout)
{
    for (size_t i = 0; i < layout->n_columns; i++) {
        const char *title = layout->columns[i]->title;
        SW__TRY(put_filled(text, layout, i, title != NULL ? title : layout->table.flops_title));
    }
    return sw__builder_string(text, "\n");
}

static enum sw_status put_row(struct sw__builder *text, struct layout *layout, const struct sw__function *row)
{
    for (size_t i = 0; i < layout->n_columns; i++) {
        layout->cell.n_bytes = 0;
        SW__TRY(layout->columns[i]->put(&layout->cell, &layout->table, row));
        SW__TRY(put_filled(text, layout, i, layout->cell.n_bytes != 0 ? layout->cell.bytes : ""));
    }
    return sw__builder_string(text, "\n");
}

/* A line with nothing but an entry of a stack, or with nothing at all (@entry of a row without so many). */
static enum sw_status put_entry(struct sw__builder *text, struct layout *layout, const struct sw__function *row,
                                size_t entry)
{
    layout->cell.n_bytes = 0;
    if (entry < sw__event_n_entries(&layout->table, row))
        SW__TRY(sw__event_put_entry(&layout->cell, &layout->table, row, entry));
    for (size_t i = 0; i < layout->n_columns; i++) {
        int is_source = layout->columns[i]->fill == FILL_RIGHT && layout->cell.n_bytes != 0;
        SW__TRY(put_filled(text, layout, i, is_source ? layout->cell.bytes : ""));
    }
    return sw__builder_string(text, "\n");
}

static enum sw_status put_stack(struct sw__builder *text, struct layout *layout, const struct sw__function *row)
{
    size_t n = sw__event_n_entries(&layout->table, row);

    if (layout->table.source_width == 0)
        return SW_OK;
    if (!layout->table.is_new_style && n > OLD_ENTRIES)
        n = OLD_ENTRIES;
    for (size_t entry = 1; entry < n; entry++)
        SW__TRY(put_entry(text, layout, row, entry));
    return put_entry(text, layout, row, SIZE_MAX);
}

static enum sw_status put_banner(struct sw__builder *text, const struct layout *layout, const char *words)
{
    size_t n = 0;

    for (size_t i = 0; i < layout->n_columns; i++)
        n += layout->widths[i] + GAP;
    SW__TRY(sw__builder_repeat(text, '=', n - GAP));
    SW__TRY(sw__builder_string(text, "\n"));
    SW__TRY(sw__builder_string(text, words));
    return sw__builder_string(text, "\n");
}

/* ---- The whole ------------------------------------------------------------------------------ */

static enum sw_status put_rows(struct sw__builder *text, struct layout *layout, int top_level_only, uint64_t limit)
{
    const struct sw_event_list *list = layout->table.list;
    uint64_t n_printed = 0;

    for (size_t i = 0; i < list->n_rows && n_printed < limit; i++) {
        const struct sw__function *row = &list->rows[layout->order[i]];
        if (top_level_only && (row->flags & SW__FUNCTION_NESTED))
            continue;
        SW__TRY(put_row(text, layout, row));
        SW__TRY(put_stack(text, layout, row));
        n_printed++;
    }
    return SW_OK;
}

static enum sw_status put_table(struct sw__builder *text, struct layout *layout,
                                const struct sw_event_table_options *options)
{
    if (options->header != NULL)
        SW__TRY(put_banner(text, layout, options->header));
    if (options->top_level_events_only)
        SW__TRY(put_banner(text, layout, "This report only display top-level ops statistics"));
    SW__TRY(put_separator(text, layout));
    SW__TRY(put_titles(text, layout));
    SW__TRY(put_separator(text, layout));
    SW__TRY(put_rows(text, layout, options->top_level_events_only,
                     options->row_limit < 0 ? UINT64_MAX : (uint64_t)options->row_limit));
    SW__TRY(put_separator(text, layout));
    SW__TRY(sw__builder_string(text, "Self CPU time total: "));
    SW__TRY(sw__event_put_time(text, layout->table.unit, layout->table.sum_self_us));
    return sw__builder_string(text, "\n");
}

/* ---- Options -------------------------------------------------------------------------------- */

static enum sw_status check_width(const char *name, int64_t width, int64_t least, size_t *ret_width)
{
    if (width != SW_NO_LIMIT && width < least)
        return sw_error_set(SW_VALUE_ERROR, "%s must be at least %lld or SW_NO_LIMIT, got %lld", name,
                            (long long)least, (long long)width);
    *ret_width = width == SW_NO_LIMIT ? SIZE_MAX : (size_t)width;
    return SW_OK;
}

static enum sw_status check_unit(const char *name, enum sw__event_time_unit *ret_unit)
{
    static const struct {
        const char *name;
        enum sw__event_time_unit unit;
    } units[] = { { "s", SW__EVENT_TIME_S }, { "ms", SW__EVENT_TIME_MS }, { "us", SW__EVENT_TIME_US } };

    *ret_unit = SW__EVENT_TIME_AUTO;
    for (size_t i = 0; name != NULL && i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0)
            *ret_unit = units[i].unit;
    if (name != NULL && *ret_unit == SW__EVENT_TIME_AUTO)
        return sw_error_set(SW_VALUE_ERROR, "time_unit must be s, ms or us, got '%s'", name);
    return SW_OK;
}

static enum sw_status check_options(const struct sw_event_table_options *options, struct sw__event_table *table)
{
    SW__TRY(sw__check_bytes("event table options", options->struct_bytes, sizeof *options));
    if (options->style != SW_EVENT_TABLE_TORCH && options->style != SW_EVENT_TABLE_TORCH_NEW)
        return sw_error_set(SW_VALUE_ERROR, "no style of tables has the number %d", options->style);
    if (options->row_limit < -1 && options->row_limit != SW_NO_LIMIT)
        return sw_error_set(SW_VALUE_ERROR, "row_limit must be -1 or more, or SW_NO_LIMIT, got %lld",
                            (long long)options->row_limit);
    if (options->sort_by != NULL && !sw__event_sort_exists(options->sort_by))
        return sw_error_set(SW_VALUE_ERROR, "rows of an event list have no '%s' to be sorted by", options->sort_by);
    SW__TRY(sw__check_boolean("top_level_events_only", options->top_level_events_only));
    SW__TRY(check_width("max_name_column_width", options->max_name_column_width, 3, &table->max_name));
    SW__TRY(check_width("max_shapes_column_width", options->max_shapes_column_width, 1, &table->max_shapes));
    SW__TRY(check_width("max_src_column_width", options->max_src_column_width, 1, &table->max_source));
    table->is_new_style = options->style == SW_EVENT_TABLE_TORCH_NEW;
    return check_unit(options->time_unit, &table->unit);
}

static enum sw_status put_in_order(struct layout *layout, const char *sort_by)
{
    const struct sw_event_list *list = layout->table.list;

    layout->order = sw__alloc(list->n_rows * sizeof *layout->order);
    if (layout->order == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < list->n_rows; i++)
        layout->order[i] = (uint32_t)i;
    return sort_by != NULL ? sw__event_list_sort(list, sort_by, layout->order) : SW_OK;
}

enum sw_status sw_event_list_table(const struct sw_event_list *list, const struct sw_event_table_options *options,
                                   char **ret_text)
{
    static const struct sw_event_table_options defaults = SW_EVENT_TABLE_OPTIONS_INIT;
    struct layout layout SW__CLEANUP(layout_clear) = { .table = { .list = list } };
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    if (options == NULL)
        options = &defaults;
    SW__TRY(sw__event_list_check(list));
    SW__TRY(check_options(options, &layout.table));
    if (list->n_rows == 0)
        return sw__builder_take(&text, ret_text);
    SW__TRY(put_in_order(&layout, options->sort_by));
    SW__TRY(sw__event_table_measure(&layout.table));
    choose_columns(&layout);
    SW__TRY(put_table(&text, &layout, options));
    return sw__builder_take(&text, ret_text);
}
