/*
 * What the tests of event lists share.
 */
#ifndef TESTS_ANALYZE_EVENT_LIST_TEST_H
#define TESTS_ANALYZE_EVENT_LIST_TEST_H

#include <string.h>

#include <strideweave/event_list.h>

#include "analyze/event_list.h"
#include "base/alloc.h"
#include "check_main.h"

static inline struct sw_event_list *new_list(void)
{
    struct sw_event_list *list = NULL;

    ck_assert_int_eq(sw_event_list_new(NULL, &list), SW_OK);
    return list;
}

static inline struct sw_function_event event_of(const char *name, int64_t start_ns, int64_t duration_ns)
{
    struct sw_function_event event = SW_FUNCTION_EVENT_INIT;

    event.name = name;
    event.thread_id = 1;
    event.start_time_ns = start_ns;
    event.cpu_time_total_ns = duration_ns;
    return event;
}

static inline void add(struct sw_event_list *list, const char *name, int64_t start_ns, int64_t duration_ns)
{
    struct sw_function_event event = event_of(name, start_ns, duration_ns);

    ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
}

static inline struct sw_function_event row_of(const struct sw_event_list *list, size_t index)
{
    struct sw_function_event event;

    ck_assert_int_eq(sw_event_list_at(list, index, &event), SW_OK);
    return event;
}

static inline char *table_of(const struct sw_event_list *list, const struct sw_event_table_options *options)
{
    char *text = NULL;

    ck_assert_int_eq(sw_event_list_table(list, options, &text), SW_OK);
    return text;
}

#endif
