/*
 * Event lists as lists: inserting, taking out, finding, ordering, copying. A
 * row's parent is a place in the list, so whatever moves rows moves that too.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "analyze/event_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/options.h"

/* ---- Places ----------------------------------------------------------------------------- */

/* As slices take it: from the end when negative, never beyond an end. */
static size_t clamp(int64_t place, size_t n_rows)
{
    if (place < 0)
        place = place + (int64_t)n_rows > 0 ? place + (int64_t)n_rows : 0;
    return (uint64_t)place < n_rows ? (size_t)place : n_rows;
}

static enum sw_status find_place(const struct sw_event_list *list, int64_t index, size_t *ret_place)
{
    const int64_t place = index < 0 ? index + (int64_t)list->n_rows : index;

    if (list->n_rows == 0)
        return sw_error_set(SW_INDEX_ERROR, "pop from an empty list of events");
    if (place < 0 || (uint64_t)place >= list->n_rows)
        return sw_error_set(SW_INDEX_ERROR, "row %lld of an event list of %zu", (long long)index, list->n_rows);
    *ret_place = (size_t)place;
    return SW_OK;
}

static enum sw_status check_function(const void *function, const char *what)
{
    return function != NULL ? SW_OK : sw_error_set(SW_TYPE_ERROR, "expected a function that %s, got NULL", what);
}

/* ---- Putting in and taking out ------------------------------------------------------------ */

/* What stands at @from or behind it has moved by @by; what stood at @gone is none of the list's any more. */
static void move_parents(struct sw_event_list *list, uint32_t from, int by, uint32_t gone)
{
    for (size_t i = 0; i < list->n_rows; i++) {
        uint32_t *parent = &list->rows[i].parent;
        if (*parent == SW__ANALYZE_NONE)
            continue;
        if (*parent == gone)
            *parent = SW__ANALYZE_NONE;
        else if (*parent >= from)
            *parent = by > 0 ? *parent + 1 : *parent - 1;
    }
}

enum sw_status sw_event_list_insert(struct sw_event_list *list, int64_t index, const struct sw_function_event *event)
{
    SW__TRY(sw_event_list_append(list, event));
    const size_t last = list->n_rows - 1, place = clamp(index, last);
    const struct sw__function row = list->rows[last];

    memmove(list->rows + place + 1, list->rows + place, (last - place) * sizeof row);
    list->rows[place] = row;
    move_parents(list, (uint32_t)place, 1, SW__ANALYZE_NONE);
    return SW_OK;
}

static void take_out(struct sw_event_list *list, size_t place)
{
    list->n_rows--;
    memmove(list->rows + place, list->rows + place + 1, (list->n_rows - place) * sizeof *list->rows);
    move_parents(list, (uint32_t)place, -1, (uint32_t)place);
}

enum sw_status sw_event_list_pop(struct sw_event_list *list, int64_t index, struct sw_function_event *ret_event)
{
    size_t place = 0;

    SW__TRY(sw__event_list_check(list));
    SW__TRY(find_place(list, index, &place));
    if (ret_event != NULL)
        SW__TRY(sw_event_list_at(list, place, ret_event));
    take_out(list, place);
    return SW_OK;
}

enum sw_status sw_event_list_clear(struct sw_event_list *list)
{
    SW__TRY(sw__event_list_check(list));
    list->n_rows = 0;
    return SW_OK;
}

/* ---- Finding ------------------------------------------------------------------------------ */

static int matches(const struct sw_event_list *list, size_t place, sw_event_match_fn *match, void *data)
{
    struct sw_function_event event;

    return sw_event_list_at(list, place, &event) == SW_OK && match(&event, data);
}

enum sw_status sw_event_list_index(const struct sw_event_list *list, sw_event_match_fn *match, void *data,
                                   int64_t start, int64_t stop, size_t *ret_index)
{
    SW__TRY(sw__event_list_check(list));
    SW__TRY(check_function((const void *)(uintptr_t)match, "says whether an event is meant"));
    const size_t end = stop == SW_NO_LIMIT ? list->n_rows : clamp(stop, list->n_rows);
    for (size_t i = clamp(start, list->n_rows); i < end; i++) {
        if (matches(list, i, match, data)) {
            *ret_index = i;
            return SW_OK;
        }
    }
    return sw_error_set(SW_VALUE_ERROR, "no such event is in the list");
}

enum sw_status sw_event_list_count(const struct sw_event_list *list, sw_event_match_fn *match, void *data,
                                   size_t *ret_n)
{
    size_t n = 0;

    SW__TRY(sw__event_list_check(list));
    SW__TRY(check_function((const void *)(uintptr_t)match, "says whether an event is meant"));
    for (size_t i = 0; i < list->n_rows; i++)
        n += matches(list, i, match, data) != 0;
    *ret_n = n;
    return SW_OK;
}

enum sw_status sw_event_list_remove(struct sw_event_list *list, sw_event_match_fn *match, void *data)
{
    size_t place = 0;

    SW__TRY(sw_event_list_index(list, match, data, 0, SW_NO_LIMIT, &place));
    take_out(list, place);
    return SW_OK;
}

/* ---- Ordering ------------------------------------------------------------------------------- */

/* Rows in another order: @order[i] is where the one stands that comes to stand at i. */
static enum sw_status reorder(struct sw_event_list *list, const uint32_t *order)
{
    const size_t n_rows = list->n_rows;
    struct sw__function *rows SW__OWNED = sw__alloc(n_rows * sizeof *rows);
    uint32_t *place_of SW__OWNED = sw__alloc(n_rows * sizeof *place_of);

    if (rows == NULL || place_of == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n_rows; i++) {
        rows[i] = list->rows[order[i]];
        place_of[order[i]] = (uint32_t)i;
    }
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i].parent != SW__ANALYZE_NONE)
            rows[i].parent = place_of[rows[i].parent];
        list->rows[i] = rows[i];
    }
    return SW_OK;
}

struct ordering {
    const struct sw_event_list *list;
    sw_event_compare_fn *compare;
    void *data;
    int is_reversed;
};

static int compare_places(const void *a, const void *b, void *data)
{
    const struct ordering *ordering = data;
    const uint32_t place_a = *(const uint32_t *)a, place_b = *(const uint32_t *)b;
    struct sw_function_event event_a, event_b;

    if (sw_event_list_at(ordering->list, place_a, &event_a) != SW_OK ||
        sw_event_list_at(ordering->list, place_b, &event_b) != SW_OK)
        return 0;
    const int result = ordering->compare(&event_a, &event_b, ordering->data);
    if (result != 0)
        return (result > 0) != ordering->is_reversed ? 1 : -1;
    return place_a < place_b ? -1 : place_a > place_b; /* equal ones stay as they stand, reversed too */
}

enum sw_status sw_event_list_sort(struct sw_event_list *list, sw_event_compare_fn *compare, void *data, int reverse)
{
    SW__TRY(sw__event_list_check(list));
    SW__TRY(check_function((const void *)(uintptr_t)compare, "compares two events"));
    SW__TRY(sw__check_boolean("reverse", reverse));
    if (list->n_rows == 0)
        return SW_OK;
    uint32_t *order SW__OWNED = sw__alloc(list->n_rows * sizeof *order);
    if (order == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < list->n_rows; i++)
        order[i] = (uint32_t)i;
    struct ordering ordering = { list, compare, data, reverse };
    qsort_r(order, list->n_rows, sizeof *order, compare_places, &ordering);
    return reorder(list, order);
}

enum sw_status sw_event_list_reverse(struct sw_event_list *list)
{
    SW__TRY(sw__event_list_check(list));
    for (size_t i = 0; i < list->n_rows / 2; i++) {
        const struct sw__function row = list->rows[i];
        list->rows[i] = list->rows[list->n_rows - 1 - i];
        list->rows[list->n_rows - 1 - i] = row;
    }
    for (size_t i = 0; i < list->n_rows; i++)
        if (list->rows[i].parent != SW__ANALYZE_NONE)
            list->rows[i].parent = (uint32_t)list->n_rows - 1 - list->rows[i].parent;
    return SW_OK;
}

enum sw_status sw_event_list_copy(const struct sw_event_list *list, struct sw_event_list **ret_list)
{
    SW__TRY(sw__event_list_check(list));
    struct sw_event_list *copy SW__OWNED = sw__alloc(sizeof *copy);
    struct sw__function *rows SW__OWNED = sw__alloc(list->n_rows * sizeof *rows);
    if (copy == NULL || rows == NULL)
        return SW_MEMORY_ERROR;
    *copy = *list;
    sw__event_names_ref(copy->owned);
    memcpy(rows, list->rows, list->n_rows * sizeof *rows);
    copy->rows = sw__take(rows);
    copy->capacity = list->n_rows;
    *ret_list = sw__take(copy);
    return SW_OK;
}
