/*
 * Cells as PyTorch's profiler formats them. Numbers pass through doubles in
 * the order in which they do there, so that the last digits are the same.
 */
#include "config.h"

#include "analyze/event_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/visible.h"
#include "base/alloc.h"

#define DEFAULT_WIDTH 12
#define COLUMN_GAP 4   /* that a width has beyond the longest text */

/* ---- Numbers ---------------------------------------------------------------------------- */

static const struct {
    double least_us; /* from here on, when no unit is asked for */
    double us;
    const char *name;
} units[] = { [SW__EVENT_TIME_S] = { 1e6, 1e6, "s" },
              [SW__EVENT_TIME_MS] = { 1e3, 1e3, "ms" },
              [SW__EVENT_TIME_US] = { 0, 1, "us" } };

enum sw_status sw__event_put_time(struct sw__builder *text, enum sw__event_time_unit unit, double us)
{
    if (unit == SW__EVENT_TIME_AUTO)
        for (unit = SW__EVENT_TIME_S; unit > SW__EVENT_TIME_US && !(us >= units[unit].least_us);)
            unit--;
    SW__TRY(sw__builder_decimals(text, us / units[unit].us, 3));
    return sw__builder_string(text, units[unit].name);
}

static enum sw_status put_share(struct sw__builder *text, const struct sw__event_table *table, double us)
{
    if (table->sum_self_us == 0)
        return sw__builder_string(text, "NaN");
    SW__TRY(sw__builder_decimals(text, us * 100.0 / table->sum_self_us, 2));
    return sw__builder_string(text, "%");
}

static enum sw_status put_bytes(struct sw__builder *text, const struct sw__event_table *table, int64_t bytes)
{
    static const struct {
        double bytes;
        const char *names[2]; /* 1.13, later */
    } sizes[] = { { 1073741824, { " Gb", " GB" } }, { 1048576, { " Mb", " MB" } }, { 1024, { " Kb", " KB" } } };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (fabs((double)bytes) < sizes[i].bytes)
            continue;
        SW__TRY(sw__builder_decimals(text, (double)bytes / sizes[i].bytes, 2));
        return sw__builder_string(text, sizes[i].names[table->is_new_style]);
    }
    SW__TRY(sw__builder_integer(text, bytes));
    return sw__builder_string(text, table->is_new_style ? " B" : " b");
}

/* ---- Texts ------------------------------------------------------------------------------ */

/* Bytes of the first @n characters. */
static size_t bytes_of(const char *text, size_t n)
{
    size_t at = 0;

    while (text[at] != '\0' && n > 0) {
        at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80)
            at++;
        n--;
    }
    return at;
}

/* @name made visible; when it has @limit - 3 characters or more: so many, and dots. */
static enum sw_status put_shortened(struct sw__builder *text, const char *name, size_t limit)
{
    size_t from = text->n_bytes;

    SW__TRY(sw__visible(text, name));
    if (limit == SIZE_MAX || text->n_bytes == from || sw__characters(text->bytes + from) < limit - 3)
        return SW_OK;
    text->n_bytes = from + bytes_of(text->bytes + from, limit - 3);
    return sw__builder_string(text, "...");
}

static enum sw_status put_name(struct sw__builder *text, const struct sw__event_table *table,
                               const struct sw__function *row)
{
    return put_shortened(text, table->list->names->dispatches[row->dispatch].name, table->max_name);
}

static enum sw_status put_overload(struct sw__builder *text, const struct sw__event_table *table,
                                   const struct sw__function *row)
{
    return put_shortened(text, table->list->names->dispatches[row->dispatch].implementation_name, table->max_name);
}

static enum sw_status put_carrier(struct sw__builder *text, const struct sw__event_table *table,
                                  const struct sw__function *row)
{
    return put_shortened(text, table->list->names->dispatches[row->dispatch].carrier_name, table->max_name);
}

/* "" when the row is of all shapes, "None" when they were not recorded. */
static enum sw_status shape_text(const struct sw__event_table *table, const struct sw__function *row,
                                 const char **ret_text)
{
    const struct sw__analyze_names *names = table->list->names;

    *ret_text = table->list->grouping & SW__GROUP_BY_SHAPES ? "None" : "";
    if (row->shapes == SW__ANALYZE_NONE)
        return SW_OK;
    if (table->shape_texts[row->shapes] == NULL)
        SW__TRY(sw__analyze_shapes_format_lists(&names->shapes[row->shapes], &table->shape_texts[row->shapes]));
    *ret_text = table->shape_texts[row->shapes];
    return SW_OK;
}

static enum sw_status put_shapes(struct sw__builder *text, const struct sw__event_table *table,
                                 const struct sw__function *row)
{
    const char *shapes;

    SW__TRY(shape_text(table, row, &shapes));
    return sw__builder_append(text, shapes, bytes_of(shapes, table->shapes_width));
}

size_t sw__event_n_entries(const struct sw__event_table *table, const struct sw__function *row)
{
    if (row->stack == SW__ANALYZE_NONE)
        return 0;
    size_t n = table->list->names->stacks[row->stack].n_entries;
    return n < table->list->n_stack_shown ? n : table->list->n_stack_shown;
}

enum sw_status sw__event_put_entry(struct sw__builder *text, const struct sw__event_table *table,
                                   const struct sw__function *row, size_t entry)
{
    struct sw__builder visible SW__OWNED_BUILDER = { 0 };

    SW__TRY(sw__visible(&visible, table->list->names->stacks[row->stack].entries[entry]));
    if (visible.n_bytes == 0)
        return SW_OK;
    size_t n = sw__characters(visible.bytes), width = table->source_width;
    if (n <= width)
        return sw__builder_append(text, visible.bytes, visible.n_bytes);
    SW__TRY(sw__builder_string(text, width > 3 ? "..." : ""));
    return sw__builder_string(text, visible.bytes + bytes_of(visible.bytes, n - width + (width > 3 ? 3 : 0)));
}

static enum sw_status put_source(struct sw__builder *text, const struct sw__event_table *table,
                                 const struct sw__function *row)
{
    return sw__event_n_entries(table, row) != 0 ? sw__event_put_entry(text, table, row, 0) : SW_OK;
}

/* ---- The other cells ----------------------------------------------------------------------- */

static enum sw_status put_self_share(struct sw__builder *text, const struct sw__event_table *table,
                                     const struct sw__function *row)
{
    return put_share(text, table, sw__us(row->self_ns));
}

static enum sw_status put_self(struct sw__builder *text, const struct sw__event_table *table,
                               const struct sw__function *row)
{
    return sw__event_put_time(text, table->unit, sw__us(row->self_ns));
}

static enum sw_status put_total_share(struct sw__builder *text, const struct sw__event_table *table,
                                      const struct sw__function *row)
{
    if (row->flags & SW__FUNCTION_ASYNC)
        return sw__builder_string(text, "0");
    return put_share(text, table, sw__us(row->total_ns));
}

static enum sw_status put_total(struct sw__builder *text, const struct sw__event_table *table,
                                const struct sw__function *row)
{
    return sw__event_put_time(text, table->unit, sw__us(row->total_ns));
}

static enum sw_status put_mean(struct sw__builder *text, const struct sw__event_table *table,
                               const struct sw__function *row)
{
    return sw__event_put_time(text, table->unit, sw__mean_us(row));
}

static enum sw_status put_memory(struct sw__builder *text, const struct sw__event_table *table,
                                 const struct sw__function *row)
{
    return put_bytes(text, table, row->memory_bytes);
}

static enum sw_status put_self_memory(struct sw__builder *text, const struct sw__event_table *table,
                                      const struct sw__function *row)
{
    return put_bytes(text, table, row->self_memory_bytes);
}

static enum sw_status put_count(struct sw__builder *text, const struct sw__event_table *table,
                                const struct sw__function *row)
{
    (void)table;
    return sw__builder_integer(text, row->count > INT64_MAX ? INT64_MAX : (int64_t)row->count);
}

static enum sw_status put_node(struct sw__builder *text, const struct sw__event_table *table,
                               const struct sw__function *row)
{
    (void)table;
    return sw__builder_integer(text, row->node_id);
}

static enum sw_status put_flops(struct sw__builder *text, const struct sw__event_table *table,
                                const struct sw__function *row)
{
    if (row->flops <= 0)
        return sw__builder_string(text, "--");
    return sw__builder_decimals(text, (double)row->flops * table->flops_scale, 3);
}

/* ---- Widths -------------------------------------------------------------------------------- */

static size_t width_default(const struct sw__event_table *table)
{
    (void)table;
    return DEFAULT_WIDTH;
}

static size_t width_name(const struct sw__event_table *table)
{
    return table->name_width;
}

static size_t width_overload(const struct sw__event_table *table)
{
    return table->shows_overload ? table->name_width : 0;
}

/* Averages that are told apart by it. */
static size_t width_carrier(const struct sw__event_table *table)
{
    return table->list->is_averages && !(table->list->grouping & SW__GROUP_ANY_CARRIER) ? table->name_width : 0;
}

static size_t width_memory(const struct sw__event_table *table)
{
    return table->list->profile_memory ? DEFAULT_WIDTH : 0;
}

static size_t width_node(const struct sw__event_table *table)
{
    return table->shows_node ? DEFAULT_WIDTH : 0;
}

static size_t width_shapes(const struct sw__event_table *table)
{
    return table->shapes_width;
}

static size_t width_source(const struct sw__event_table *table)
{
    return table->source_width;
}

static size_t width_flops(const struct sw__event_table *table)
{
    return table->flops_scale != 0 ? DEFAULT_WIDTH : 0;
}

const struct sw__event_column sw__event_columns[] = {
#define EVENT_COLUMN(title, width, put, fill) { title, width, put, fill },
#include "analyze/event_columns.def"
#undef EVENT_COLUMN
};
const size_t sw__event_n_columns = sizeof sw__event_columns / sizeof *sw__event_columns;
_Static_assert(sizeof sw__event_columns / sizeof *sw__event_columns <= SW__EVENT_MAX_COLUMNS, "columns of a line");

/* ---- Measuring ------------------------------------------------------------------------------ */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t limited(size_t longest, size_t limit)
{
    return longest + COLUMN_GAP < limit ? longest + COLUMN_GAP : limit;
}

static enum sw_status visible_width(struct sw__builder *scratch, const char *text, size_t *longest)
{
    scratch->n_bytes = 0;
    SW__TRY(sw__visible(scratch, text));
    *longest = larger(*longest, scratch->n_bytes != 0 ? sw__characters(scratch->bytes) : 0);
    return SW_OK;
}

/* Of the names that rows have, each once. */
static enum sw_status measure_names(struct sw__event_table *table)
{
    const struct sw_event_list *list = table->list;
    struct sw__builder scratch SW__OWNED_BUILDER = { 0 };
    unsigned char *seen SW__OWNED = sw__alloc_zero(list->names->n_dispatches);
    size_t longest = 0;

    if (seen == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < list->n_rows; i++) {
        const struct sw__analyze_dispatch *dispatch = &list->names->dispatches[list->rows[i].dispatch];
        if (seen[list->rows[i].dispatch])
            continue;
        seen[list->rows[i].dispatch] = 1;
        SW__TRY(visible_width(&scratch, dispatch->name, &longest));
        if (table->is_new_style && (list->grouping & SW__GROUP_BY_IMPLEMENTATION))
            table->shows_overload |= dispatch->implementation_name[0] != '\0';
    }
    table->name_width = limited(longest, table->max_name);
    return SW_OK;
}

static enum sw_status measure_shapes(struct sw__event_table *table)
{
    const struct sw_event_list *list = table->list;
    size_t longest = 0;
    int has_any = 0;

    table->shape_texts = sw__alloc_zero(list->names->n_shapes * sizeof *table->shape_texts);
    if (table->shape_texts == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < list->n_rows; i++) {
        const char *text;
        SW__TRY(shape_text(table, &list->rows[i], &text));
        longest = larger(longest, strlen(text));
        has_any |= list->rows[i].shapes != SW__ANALYZE_NONE && list->names->shapes[list->rows[i].shapes].n_inputs != 0;
    }
    table->shapes_width = has_any ? limited(longest, table->max_shapes) : 0;
    return SW_OK;
}

static enum sw_status measure_stacks(struct sw__event_table *table)
{
    const struct sw_event_list *list = table->list;
    struct sw__builder scratch SW__OWNED_BUILDER = { 0 };
    size_t longest = 0;
    int has_any = 0;

    for (size_t i = 0; i < list->n_rows; i++) {
        size_t n = sw__event_n_entries(table, &list->rows[i]);
        has_any |= n != 0;
        for (size_t entry = 0; entry < n; entry++)
            SW__TRY(visible_width(&scratch, list->names->stacks[list->rows[i].stack].entries[entry], &longest));
    }
    table->source_width = has_any ? limited(longest, table->max_source) : 0;
    return SW_OK;
}

/* The smallest number that is there chooses the unit of all. */
static void measure_flops(struct sw__event_table *table)
{
    static const char *const titles[] = { "Total FLOPs",  "Total KFLOPs", "Total MFLOPs",
                                          "Total GFLOPs", "Total TFLOPs", "Total PFLOPs" };
    const struct sw_event_list *list = table->list;
    int64_t least = 0;

    for (size_t i = 0; i < list->n_rows && list->with_flops; i++)
        if (list->rows[i].flops > 0 && (least == 0 || list->rows[i].flops < least))
            least = list->rows[i].flops;
    if (least == 0)
        return;
    double thousands = fmax(0, fmin(log10((double)least) / 3, 5));
    table->flops_title = titles[(size_t)thousands];
    table->flops_scale = pow(10, floor(thousands) * -3.0);
}

enum sw_status sw__event_table_measure(struct sw__event_table *table)
{
    int64_t sum_self_ns = 0;

    SW__TRY(sw_event_list_self_cpu_time_total(table->list, &sum_self_ns));
    table->sum_self_us = sw__us(sum_self_ns);
    for (size_t i = 0; i < table->list->n_rows; i++)
        table->shows_node |= table->list->rows[i].node_id != -1;
    measure_flops(table);
    SW__TRY(measure_names(table));
    SW__TRY(measure_shapes(table));
    return measure_stacks(table);
}

void sw__event_table_clear(struct sw__event_table *table)
{
    for (size_t i = 0; table->shape_texts != NULL && i < table->list->names->n_shapes; i++)
        sw__free(table->shape_texts[i]);
    sw__free(table->shape_texts);
}
