/*
 * Stacks with their self times, for flame graphs.
 */
#include "config.h"

#include <string.h>

#include "analyze/builder.h"
#include "analyze/event_list.h"
#include "base/alloc.h"

/* What PyTorch's versions accept; of devices nothing is recorded, so that is all 0. */
static const char *const metrics[] = { "self_cpu_time_total", "self_cuda_time_total", "self_xpu_time_total",
                                       "self_privateuse1_time_total", "self_device_time_total" };

enum sw_status sw__stacks_metric(const char *metric, int *ret_is_self)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        if (metric == NULL || strcmp(metric, metrics[i]) == 0) {
            *ret_is_self = i == 0;
            return SW_OK;
        }
    }
    return sw_error_set(SW_VALUE_ERROR, "metric should be one of: ['self_cpu_time_total', 'self_cuda_time_total', "
                                        "'self_xpu_time_total', 'self_privateuse1_time_total', "
                                        "'self_device_time_total']");
}

/* What separates entries, and them from the weight. */
static enum sw_status put_entry(struct sw__builder *text, const char *entry)
{
    for (const char *from = entry;;) {
        size_t n = strcspn(from, " ;\t\n");
        SW__TRY(sw__builder_append(text, from, n));
        if (from[n] == '\0')
            return SW_OK;
        SW__TRY(sw__builder_string(text, "_"));
        from += n + 1;
    }
}

enum sw_status sw__stacks_put(struct sw__builder *text, const struct sw__analyze_stack *stack, int64_t self_ns)
{
    if (stack->n_entries == 0 || self_ns / 1000 <= 0)
        return SW_OK;
    for (size_t i = stack->n_entries; i-- > 0;) {
        SW__TRY(put_entry(text, stack->entries[i]));
        SW__TRY(sw__builder_string(text, i > 0 ? ";" : " "));
    }
    SW__TRY(sw__builder_integer(text, self_ns / 1000));
    return sw__builder_string(text, "\n");
}

enum sw_status sw_event_list_export_stacks(const struct sw_event_list *list, const char *metric, char **ret_text)
{
    struct sw__builder text SW__OWNED_BUILDER = { NULL, 0, 0 };
    int is_self = 0;

    SW__TRY(sw__event_list_check(list));
    SW__TRY(sw__stacks_metric(metric, &is_self));
    for (size_t i = 0; is_self && i < list->n_rows; i++)
        if (list->rows[i].stack != SW__ANALYZE_NONE)
            SW__TRY(sw__stacks_put(&text, &list->names->stacks[list->rows[i].stack], list->rows[i].self_ns));
    return sw__builder_take(&text, ret_text);
}
