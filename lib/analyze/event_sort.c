/*
 * Orders of an event list's rows. All are descending and stable.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "analyze/event_list.h"

#include <stdlib.h>
#include <string.h>

typedef int compare_rows(const struct sw_event_list *list, const struct sw__function *a, const struct sw__function *b);

#define DEFINE_ORDER(function, value)                                                                               \
    static int function(const struct sw_event_list *list, const struct sw__function *a, const struct sw__function *b) \
    {                                                                                                               \
        (void)list;                                                                                                 \
        return (value(a) > value(b)) - (value(a) < value(b));                                                       \
    }
#define FIELD_TOTAL(row) (row)->total_ns
#define FIELD_SELF(row) (row)->self_ns
#define FIELD_MEMORY(row) (row)->memory_bytes
#define FIELD_SELF_MEMORY(row) (row)->self_memory_bytes
#define FIELD_COUNT(row) (row)->count
#define FIELD_FLOPS(row) (row)->flops
#define FIELD_NODE(row) (row)->node_id
DEFINE_ORDER(by_mean, sw__mean_us)
DEFINE_ORDER(by_total, FIELD_TOTAL)
DEFINE_ORDER(by_self, FIELD_SELF)
DEFINE_ORDER(by_memory, FIELD_MEMORY)
DEFINE_ORDER(by_self_memory, FIELD_SELF_MEMORY)
DEFINE_ORDER(by_count, FIELD_COUNT)
DEFINE_ORDER(by_flops, FIELD_FLOPS)
DEFINE_ORDER(by_node, FIELD_NODE)

/* What happens on a device only. */
static int by_nothing(const struct sw_event_list *list, const struct sw__function *a, const struct sw__function *b)
{
    (void)list;
    (void)a;
    (void)b;
    return 0;
}

static int by_name(const struct sw_event_list *list, const struct sw__function *a, const struct sw__function *b)
{
    return strcmp(list->names->dispatches[a->dispatch].name, list->names->dispatches[b->dispatch].name);
}

static const struct {
    const char *name;
    compare_rows *compare;
} keys[] = {
#define EVENT_SORT(name, compare) { name, compare },
#include "analyze/event_sort.def"
#undef EVENT_SORT
};

/* Whether @given is @name with a kind of device for the word `device`. */
static int is_key(const char *name, const char *given)
{
    static const char *const devices[] = { "cuda", "xpu", "privateuse1" };
    const char *device = strstr(name, "device");

    if (strcmp(name, given) == 0)
        return 1;
    for (size_t i = 0; device != NULL && i < sizeof devices / sizeof *devices; i++) {
        size_t n_before = (size_t)(device - name), n_device = strlen(devices[i]);
        if (strncmp(given, name, n_before) == 0 && strncmp(given + n_before, devices[i], n_device) == 0 &&
            strcmp(given + n_before + n_device, device + strlen("device")) == 0)
            return 1;
    }
    return 0;
}

int sw__event_sort_exists(const char *key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (is_key(keys[i].name, key))
            return 1;
    return 0;
}

struct ordering {
    const struct sw_event_list *list;
    compare_rows *compare;
};

static int descending(const void *a, const void *b, void *argument)
{
    const struct ordering *ordering = argument;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const struct sw__function *rows = ordering->list->rows;
    int order = ordering->compare(ordering->list, &rows[right], &rows[left]);

    return order != 0 ? order : (left > right) - (left < right);
}

enum sw_status sw__event_list_sort(const struct sw_event_list *list, const char *key, uint32_t *order)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct ordering ordering = { list, keys[i].compare };
        if (!is_key(keys[i].name, key))
            continue;
        if (list->n_rows > 1)
            qsort_r(order, list->n_rows, sizeof *order, descending, &ordering);
        return SW_OK;
    }
    return sw_error_set(SW_VALUE_ERROR, "rows of an event list have no '%s' to be sorted by", key);
}
