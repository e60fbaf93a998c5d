/*
 * Event lists as lists. What is expected is what Python's list does with the
 * same calls; parents are looked up by name, since they are objects there.
 */
#include "config.h"

#include "event_list_test.h"

/* a around b around c, then d. */
static struct sw_event_list *four_rows(void)
{
    struct sw_event_list *list = new_list();

    add(list, "a", 0, 10);
    add(list, "b", 1, 8);
    add(list, "c", 2, 3);
    add(list, "d", 20, 5);
    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    return list;
}

/* Names in the order of the rows, each with its parent's in parentheses: "a b(a)". */
static const char *rows_of(const struct sw_event_list *of)
{
    static char text[256];

    text[0] = '\0';
    for (size_t i = 0; i < sw_event_list_size(of); i++) {
        struct sw_function_event event = row_of(of, i);
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%s", i != 0 ? " " : "", event.name);
        n = strlen(text);
        if (event.parent >= 0)
            snprintf(text + n, sizeof text - n, "(%s)", row_of(of, (size_t)event.parent).name);
        else if (event.has_parent)
            snprintf(text + n, sizeof text - n, "(gone)");
    }
    return text;
}

static int is_named(const struct sw_function_event *event, void *name)
{
    return strcmp(event->name, name) == 0;
}

static int by_duration(const struct sw_function_event *a, const struct sw_function_event *b, void *data)
{
    (void)data;
    return a->cpu_time_total_ns < b->cpu_time_total_ns ? -1 : a->cpu_time_total_ns > b->cpu_time_total_ns;
}

START_TEST(popping_takes_a_row_out_and_keeps_the_others_parents)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();
    struct sw_function_event event;

    ck_assert_int_eq(sw_event_list_pop(list, -1, &event), SW_OK);
    ck_assert_str_eq(event.name, "d");
    ck_assert_str_eq(rows_of(list), "a b(a) c(b)");
    ck_assert_int_eq(sw_event_list_pop(list, 1, &event), SW_OK);
    ck_assert_str_eq(event.name, "b");
    ck_assert_int_eq(event.cpu_time_total_ns, 8);
    ck_assert_str_eq(rows_of(list), "a c(gone)");
    ck_assert_int_eq(sw_event_list_pop(list, -2, NULL), SW_OK);
    ck_assert_str_eq(rows_of(list), "c(gone)");
    ck_assert_int_eq(row_of(list, 0).self_cpu_time_total_ns, 3);
}
END_TEST

START_TEST(popping_where_nothing_is_is_an_index_error)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();
    struct sw_function_event event = event_of("untouched", 0, 0);

    ck_assert_int_eq(sw_event_list_pop(list, 4, &event), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_event_list_pop(list, -5, &event), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_event_list_pop(list, INT64_MIN, &event), SW_INDEX_ERROR);
    ck_assert_str_eq(event.name, "untouched");
    ck_assert_uint_eq(sw_event_list_size(list), 4);
    ck_assert_int_eq(sw_event_list_clear(list), SW_OK);
    ck_assert_uint_eq(sw_event_list_size(list), 0);
    ck_assert_int_eq(sw_event_list_pop(list, -1, &event), SW_INDEX_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "empty list"));
}
END_TEST

START_TEST(inserting_moves_rows_and_what_names_them)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();
    struct sw_function_event event = event_of("x", 100, 1);

    ck_assert_int_eq(sw_event_list_insert(list, 1, &event), SW_OK);
    ck_assert_str_eq(rows_of(list), "a x b(a) c(b) d");
    ck_assert_int_eq(sw_event_list_insert(list, 0, &event), SW_OK);
    ck_assert_str_eq(rows_of(list), "x a x b(a) c(b) d");
    ck_assert_int_eq(sw_event_list_insert(list, -1, &event), SW_OK);
    ck_assert_int_eq(sw_event_list_insert(list, 99, &event), SW_OK);
    ck_assert_int_eq(sw_event_list_insert(list, -99, &event), SW_OK);
    ck_assert_str_eq(rows_of(list), "x x a x b(a) c(b) x d x");
    event.name = NULL;
    ck_assert_int_eq(sw_event_list_insert(list, 0, &event), SW_TYPE_ERROR);
    ck_assert_uint_eq(sw_event_list_size(list), 9);
}
END_TEST

START_TEST(the_tree_of_a_list_that_was_inserted_to_is_not_built)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();
    struct sw_function_event event = event_of("x", 100, 1);
    struct sw_event_list *averages = NULL;

    ck_assert_int_eq(sw_event_list_insert(list, 0, &event), SW_OK);
    ck_assert_int_eq(sw_event_list_key_averages(list, NULL, &averages), SW_RUNTIME_ERROR);
}
END_TEST

START_TEST(finding_counting_and_removing_take_the_first_match)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();
    size_t place = 77, n = 0;

    add(list, "b", 30, 1);
    ck_assert_int_eq(sw_event_list_index(list, is_named, "b", 0, SW_NO_LIMIT, &place), SW_OK);
    ck_assert_uint_eq(place, 1);
    ck_assert_int_eq(sw_event_list_index(list, is_named, "b", 2, SW_NO_LIMIT, &place), SW_OK);
    ck_assert_uint_eq(place, 4);
    ck_assert_int_eq(sw_event_list_index(list, is_named, "b", -1, 99, &place), SW_OK);
    ck_assert_uint_eq(place, 4);
    ck_assert_int_eq(sw_event_list_index(list, is_named, "b", 2, -1, &place), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_event_list_index(list, is_named, "z", 0, SW_NO_LIMIT, &place), SW_VALUE_ERROR);
    ck_assert_uint_eq(place, 4);
    ck_assert_int_eq(sw_event_list_count(list, is_named, "b", &n), SW_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_int_eq(sw_event_list_remove(list, is_named, "b"), SW_OK);
    ck_assert_str_eq(rows_of(list), "a c(gone) d b");
    ck_assert_int_eq(sw_event_list_remove(list, is_named, "z"), SW_VALUE_ERROR);
}
END_TEST

START_TEST(sorting_is_stable_in_both_directions)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();

    add(list, "e", 40, 5);
    ck_assert_int_eq(sw_event_list_sort(list, by_duration, NULL, 0), SW_OK);
    ck_assert_str_eq(rows_of(list), "c(b) d e b(a) a");
    ck_assert_int_eq(sw_event_list_sort(list, by_duration, NULL, 1), SW_OK);
    ck_assert_str_eq(rows_of(list), "a b(a) d e c(b)");
    ck_assert_int_eq(sw_event_list_sort(list, by_duration, NULL, 2), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_sort(list, NULL, NULL, 0), SW_TYPE_ERROR);
}
END_TEST

START_TEST(reversing_keeps_parents)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();

    ck_assert_int_eq(sw_event_list_reverse(list), SW_OK);
    ck_assert_str_eq(rows_of(list), "d c(b) b(a) a");
}
END_TEST

START_TEST(a_copy_is_changed_independently)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();
    struct sw_event_list *copy = NULL;

    ck_assert_int_eq(sw_event_list_copy(list, &copy), SW_OK);
    add(copy, "new in the copy", 50, 1);
    ck_assert_int_eq(sw_event_list_pop(list, 0, NULL), SW_OK);
    ck_assert_str_eq(rows_of(list), "b(gone) c(b) d");
    sw_event_list_free(list);
    list = copy;
    ck_assert_str_eq(rows_of(copy), "a b(a) c(b) d new in the copy");
}
END_TEST

START_TEST(what_is_no_list_is_a_type_error)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = four_rows();
    struct sw_event_list *copy = NULL;
    size_t n = 0;

    ck_assert_int_eq(sw_event_list_pop(NULL, 0, NULL), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_clear(NULL), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_reverse(NULL), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_sort(NULL, by_duration, NULL, 0), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_copy(NULL, &copy), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_count(NULL, is_named, "a", &n), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_index(list, NULL, NULL, 0, 1, &n), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_event_list_clear(list), SW_OK);
    ck_assert_int_eq(sw_event_list_sort(list, by_duration, NULL, 0), SW_OK);
    ck_assert_int_eq(sw_event_list_copy(list, &copy), SW_OK);
    ck_assert_uint_eq(sw_event_list_size(copy), 0);
    sw_event_list_free(copy);
}
END_TEST

CHECK_MAIN("event_edit", popping_takes_a_row_out_and_keeps_the_others_parents,
           popping_where_nothing_is_is_an_index_error, inserting_moves_rows_and_what_names_them,
           the_tree_of_a_list_that_was_inserted_to_is_not_built, finding_counting_and_removing_take_the_first_match,
           sorting_is_stable_in_both_directions, reversing_keeps_parents, a_copy_is_changed_independently,
           what_is_no_list_is_a_type_error)
