/*
 * Event lists through their public calls: trees, averages, sums, refusals. The
 * bytes of tables are compared with PyTorch's in test_torch_tables.sh.
 */
#include "config.h"

#include <strideweave/tree.h>

#include "event_list_test.h"

static struct sw_event_list *averages_of(const struct sw_event_list *list,
                                         const struct sw_event_averages_options *options)
{
    struct sw_event_list *averages = NULL;

    ck_assert_int_eq(sw_event_list_key_averages(list, options, &averages), SW_OK);
    return averages;
}

/* [0, 10], [1, 3], [3, 4] and what overlaps in part: the example of PyTorch's own comment, and more. */
START_TEST(an_interval_inside_another_is_its_child)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    add(list, "outer", 0, 10);
    add(list, "inner", 1, 2);
    add(list, "next", 3, 1);
    add(list, "across", 9, 5);
    add(list, "at its end", 14, 1);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    ck_assert_uint_eq(sw_event_list_size(list), 5);
    ck_assert_int_eq(row_of(list, 0).parent, -1);
    ck_assert_int_eq(row_of(list, 0).self_cpu_time_total_ns, 7);
    ck_assert_int_eq(row_of(list, 1).parent, 0);
    ck_assert_int_eq(row_of(list, 1).has_parent, 1);
    ck_assert_int_eq(row_of(list, 2).parent, 0);
    ck_assert_int_eq(row_of(list, 3).parent, -1);
    ck_assert_int_eq(row_of(list, 4).parent, -1);
}
END_TEST

START_TEST(threads_and_nodes_have_trees_of_their_own)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    struct sw_function_event event = event_of("inner", 2, 1);

    add(list, "outer", 0, 10);
    event.thread_id = 2;
    ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
    event.thread_id = 1;
    event.node_id = 3;
    ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
    add(list, "inner", 2, 1);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    ck_assert_int_eq(row_of(list, 1).has_parent, 0);
    ck_assert_int_eq(row_of(list, 2).has_parent, 0);
    ck_assert_int_eq(row_of(list, 3).parent, 0);
}
END_TEST

START_TEST(asynchronous_events_take_no_part_in_the_tree)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    struct sw_function_event event = event_of("async", 1, 5);

    event.is_async = 1;
    add(list, "outer", 0, 10);
    ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
    add(list, "inner", 2, 1);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    ck_assert_int_eq(row_of(list, 1).has_parent, 0);
    ck_assert_int_eq(row_of(list, 1).self_cpu_time_total_ns, 0);
    ck_assert_int_eq(row_of(list, 2).parent, 0);
}
END_TEST

START_TEST(an_only_child_of_the_same_name_is_removed)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    add(list, "a", 0, 100);
    add(list, "a", 10, 80);
    add(list, "a", 20, 60);
    add(list, "b", 30, 10);
    add(list, "a", 50, 10);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    ck_assert_uint_eq(sw_event_list_size(list), 3);
    ck_assert_int_eq(row_of(list, 0).self_cpu_time_total_ns, 80);
    ck_assert_int_eq(row_of(list, 1).parent, 0);
    ck_assert_str_eq(row_of(list, 1).name, "b");
    ck_assert_int_eq(row_of(list, 2).parent, 0);
}
END_TEST

START_TEST(a_tree_is_built_once_and_before_averages)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    struct sw_event_list *averages = NULL;

    add(list, "outer", 0, 10);
    add(list, "inner", 1, 1);
    ck_assert_int_eq(sw_event_list_key_averages(list, NULL, &averages), SW_RUNTIME_ERROR);
    ck_assert_ptr_null(averages);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_RUNTIME_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "parent event for 'inner'"));
    averages = averages_of(list, NULL);
    add(list, "later", 20, 1);
    ck_assert_uint_eq(sw_event_list_size(averages), 2);
    struct sw_event_list *more = NULL;
    ck_assert_int_eq(sw_event_list_key_averages(list, NULL, &more), SW_RUNTIME_ERROR);
    sw_event_list_free(averages);
}
END_TEST

/* Two carriers, two classes of operations, two stacks that differ in their outer frame, two lists of shapes. */
static struct sw_event_list *many_kinds(void)
{
    static const char *const stacks[2][2] = { { "run", "main" }, { "run", "test" } };
    static const struct sw_class_snapshot carriers[] = { { NULL, 1, "m", "Cpu" }, { NULL, 2, "m", "Generic" } };
    static const struct sw_class_snapshot classes[] = { { NULL, 3, "m", "Fast" }, { NULL, 4, "m", "Slow" } };
    struct sw_event_list *list = new_list();
    struct sw_tree *trees[2];
    const struct sw_tree *inputs[2][1];

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(sw_tree_parse(i == 0 ? "(2,3)" : "(4)", &trees[i]), SW_OK);
        inputs[i][0] = trees[i];
    }
    for (int i = 0; i < 16; i++) {
        struct sw_input_shapes shapes = { 1, inputs[i >> 3 & 1] };
        struct sw_function_event event = event_of("add", 10 * i, 1 + i);
        event.carrier_type = &carriers[i & 1];
        event.implementation_type = &classes[i >> 1 & 1];
        event.stack = stacks[i >> 2 & 1];
        event.n_stack = 2;
        event.input_shapes = &shapes;
        ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
    }
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    sw_tree_unref(trees[0]);
    sw_tree_unref(trees[1]);
    return list;
}

START_TEST(rows_are_told_apart_by_what_is_asked_for)
{
    static const struct {
        int shapes, overload, carrier;
        int64_t stack;
        size_t n_rows;
    } cases[] = {
        { 0, 0, 0, 0, 1 }, { 1, 0, 0, 0, 2 }, { 0, 1, 0, 0, 2 }, { 0, 0, 1, 0, 2 },  { 0, 0, 0, 1, 1 },
        { 0, 0, 0, 2, 2 }, { 0, 0, 0, 9, 2 }, { 1, 1, 0, 0, 4 }, { 1, 1, 1, 2, 16 }, { 1, 1, 1, 1, 8 },
    };
    struct sw_event_list *list SW__OWNED_EVENT_LIST = many_kinds();

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_event_averages_options options = SW_EVENT_AVERAGES_OPTIONS_INIT;
        options.group_by_input_shapes = cases[i].shapes;
        options.group_by_overload_name = cases[i].overload;
        options.group_by_carrier = cases[i].carrier;
        options.group_by_stack_n = cases[i].stack;
        struct sw_event_list *averages SW__OWNED_EVENT_LIST = averages_of(list, &options);
        ck_assert_uint_eq(sw_event_list_size(averages), cases[i].n_rows);
        struct sw_function_event first = row_of(averages, 0);
        ck_assert_int_eq(first.count, 16 / (int64_t)cases[i].n_rows);
        ck_assert_int_eq(first.input_shapes != NULL, cases[i].shapes);
        ck_assert_int_eq(first.implementation_type != NULL, cases[i].overload);
        ck_assert_int_eq(first.carrier_type != NULL, cases[i].carrier);
        ck_assert_uint_eq(first.n_stack, cases[i].stack < 2 ? (size_t)cases[i].stack : 2);
        int64_t sum = 0;
        ck_assert_int_eq(sw_event_list_self_cpu_time_total(averages, &sum), SW_OK);
        ck_assert_int_eq(sum, 136);
    }
}
END_TEST

START_TEST(what_an_average_points_to_outlives_the_list)
{
    struct sw_event_averages_options options = SW_EVENT_AVERAGES_OPTIONS_INIT;
    struct sw_event_list *list = many_kinds();

    options.group_by_input_shapes = options.group_by_carrier = 1;
    options.group_by_stack_n = 2;
    struct sw_event_list *averages SW__OWNED_EVENT_LIST = averages_of(list, &options);
    sw_event_list_free(list);
    struct sw_function_event first = row_of(averages, 0);
    char *text SW__OWNED = NULL;
    ck_assert_int_eq(sw_tree_format(first.input_shapes->shapes[0], &text), SW_OK);
    ck_assert_str_eq(text, "(2,3)");
    ck_assert_str_eq(first.stack[1], "main");
    ck_assert_str_eq(first.carrier_type->qualified_name, "Cpu");
}
END_TEST

START_TEST(what_a_row_points_to_stays_while_the_list_grows)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = many_kinds();
    struct sw_function_event first = row_of(list, 0);
    char *text SW__OWNED = NULL;

    for (int64_t i = 0; i < 40; i++) {
        const int64_t extent = 100 + i;
        struct sw_tree *tree = NULL;
        char name[16];
        snprintf(name, sizeof name, "more %d", (int)i);
        struct sw_function_event event = event_of(name, 1000 + i, 1);
        ck_assert_int_eq(sw_tree_flat(&extent, 1, &tree), SW_OK);
        const struct sw_tree *const shapes[] = { tree };
        const struct sw_input_shapes inputs = { 1, shapes };
        event.input_shapes = &inputs;
        ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
        sw_tree_unref(tree);
    }
    ck_assert_int_eq(sw_tree_format(first.input_shapes->shapes[0], &text), SW_OK);
    ck_assert_str_eq(text, "(2,3)");
    ck_assert_str_eq(first.carrier_type->qualified_name, "Cpu");
}
END_TEST

START_TEST(averages_keep_the_order_of_appearance_and_describe_the_first)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    add(list, "z", 0, 10);
    add(list, "a", 1, 2);
    add(list, "a", 20, 5);
    add(list, "z", 30, 1);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    struct sw_event_list *averages SW__OWNED_EVENT_LIST = averages_of(list, NULL);
    ck_assert_str_eq(row_of(averages, 0).name, "z");
    ck_assert_int_eq(row_of(averages, 0).has_parent, 0);
    ck_assert_int_eq(row_of(averages, 1).has_parent, 1);
    ck_assert_int_eq(row_of(averages, 1).cpu_time_total_ns, 7);
    ck_assert_int_eq(row_of(averages, 0).self_cpu_time_total_ns, 9);
    struct sw_function_event late = event_of("late", 0, 0);
    ck_assert_int_eq(sw_event_list_append(averages, &late), SW_RUNTIME_ERROR);
}
END_TEST

START_TEST(the_total_adds_up_all_rows_and_looks_like_the_last)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    struct sw_function_event event = event_of("b", 20, 7), total;

    ck_assert_int_eq(sw_event_list_total_average(list, &total), SW_OK);
    ck_assert_str_eq(total.name, "Total");
    ck_assert_int_eq(total.count, 0);
    add(list, "a", 0, 5);
    event.thread_id = 9;
    event.flops = 100;
    event.cpu_memory_bytes = -3;
    ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
    ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
    ck_assert_int_eq(sw_event_list_total_average(list, &total), SW_OK);
    ck_assert_str_eq(total.name, "Total");
    ck_assert_int_eq(total.count, 3);
    ck_assert_int_eq(total.cpu_time_total_ns, 19);
    ck_assert_int_eq(total.flops, 200);
    ck_assert_int_eq(total.cpu_memory_bytes, -6);
    ck_assert_int_eq(total.thread_id, 9);
}
END_TEST

static void refuse_event(struct sw_event_list *list, const struct sw_function_event *event, enum sw_status status,
                         const char *words)
{
    ck_assert_int_eq(sw_event_list_append(list, event), status);
    ck_assert_msg(strstr(sw_error_message(), words) != NULL, "'%s' is not in: %s", words, sw_error_message());
    ck_assert_uint_eq(sw_event_list_size(list), 0);
}

#define REFUSED_EVENT(field, value, status, words)                \
    do {                                                          \
        struct sw_function_event wrong = event_of("add", 5, 10);  \
        wrong.field = (value);                                    \
        refuse_event(list, &wrong, status, words);                \
    } while (0)

START_TEST(events_are_refused_with_a_sentence)
{
    static const char *const holes[] = { "run", NULL };
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    struct sw_function_event event = event_of("add", 0, 1);

    REFUSED_EVENT(struct_bytes, 8, SW_TYPE_ERROR, "start from the initialiser");
    REFUSED_EVENT(name, NULL, SW_TYPE_ERROR, "must have a name");
    REFUSED_EVENT(is_async, 7, SW_TYPE_ERROR, "is_async must be 0 or 1");
    REFUSED_EVENT(cpu_time_total_ns, -1, SW_VALUE_ERROR, "must not be negative");
    REFUSED_EVENT(start_time_ns, INT64_MAX, SW_VALUE_ERROR, "beyond 64 bits");
    REFUSED_EVENT(flops, -1, SW_VALUE_ERROR, "flops must not be negative");
    REFUSED_EVENT(n_stack, 1, SW_TYPE_ERROR, "got NULL for 1");
    event.stack = holes;
    event.n_stack = 2;
    refuse_event(list, &event, SW_TYPE_ERROR, "entry 1 is NULL");
    refuse_event(list, NULL, SW_TYPE_ERROR, "expected an event");
    ck_assert_int_eq(sw_event_list_append(NULL, &event), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_at(list, 0, &event), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_event_list_build_tree(NULL), SW_TYPE_ERROR);
    ck_assert_uint_eq(sw_event_list_size(NULL), 0);
    sw_event_list_free(NULL);
}
END_TEST

START_TEST(options_of_averages_are_refused_with_a_sentence)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = many_kinds();
    struct sw_event_averages_options options = SW_EVENT_AVERAGES_OPTIONS_INIT;
    struct sw_event_list *averages = NULL;

    options.group_by_stack_n = -1;
    ck_assert_int_eq(sw_event_list_key_averages(list, &options, &averages), SW_VALUE_ERROR);
    options.group_by_stack_n = 0;
    options.group_by_carrier = 2;
    ck_assert_int_eq(sw_event_list_key_averages(list, &options, &averages), SW_TYPE_ERROR);
    options.group_by_carrier = 0;
    options.struct_bytes = 0;
    ck_assert_int_eq(sw_event_list_key_averages(list, &options, &averages), SW_TYPE_ERROR);
    ck_assert_ptr_null(averages);
}
END_TEST

/* A million events: a chain of 10 in each of 100 000 places. */
START_TEST(a_million_events_are_no_trouble)
{
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    struct sw_event_table_options options = SW_EVENT_TABLE_OPTIONS_INIT;

    for (int i = 0; i < 100000; i++)
        for (int k = 0; k < 10; k++)
            add(list, names[k], 100 * (int64_t)i + k, 50 - 2 * k);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    ck_assert_uint_eq(sw_event_list_size(list), 1000000);
    struct sw_event_list *averages SW__OWNED_EVENT_LIST = averages_of(list, NULL);
    ck_assert_uint_eq(sw_event_list_size(averages), 10);
    ck_assert_int_eq(row_of(averages, 9).self_cpu_time_total_ns, 100000 * 32);
    ck_assert_int_eq(row_of(averages, 0).self_cpu_time_total_ns, 100000 * 2);
    options.sort_by = "cpu_time";
    char *text SW__OWNED = table_of(list, &options);
    ck_assert_ptr_nonnull(strstr(text, "Self CPU time total: 5.000ms\n"));
}
END_TEST

CHECK_MAIN("event_list", an_interval_inside_another_is_its_child, threads_and_nodes_have_trees_of_their_own,
           asynchronous_events_take_no_part_in_the_tree, an_only_child_of_the_same_name_is_removed,
           a_tree_is_built_once_and_before_averages, rows_are_told_apart_by_what_is_asked_for,
           what_an_average_points_to_outlives_the_list, what_a_row_points_to_stays_while_the_list_grows, averages_keep_the_order_of_appearance_and_describe_the_first,
           the_total_adds_up_all_rows_and_looks_like_the_last, events_are_refused_with_a_sentence,
           options_of_averages_are_refused_with_a_sentence, a_million_events_are_no_trouble)
