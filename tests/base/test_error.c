/*
 * Status names and the per-thread error text.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <strideweave/status.h>

#include "check_main.h"

START_TEST(every_status_has_the_name_of_the_specification)
{
    ck_assert_str_eq(sw_status_name(SW_OK), "ok");
    ck_assert_str_eq(sw_status_name(SW_TYPE_ERROR), "TypeError");
    ck_assert_str_eq(sw_status_name(SW_VALUE_ERROR), "ValueError");
    ck_assert_str_eq(sw_status_name(SW_INDEX_ERROR), "IndexError");
    ck_assert_str_eq(sw_status_name(SW_OVERFLOW_ERROR), "OverflowError");
    ck_assert_str_eq(sw_status_name(SW_RUNTIME_ERROR), "RuntimeError");
    ck_assert_str_eq(sw_status_name(SW_NOT_IMPLEMENTED_ERROR), "NotImplementedError");
    ck_assert_str_eq(sw_status_name(SW_MEMORY_ERROR), "MemoryError");
    ck_assert_str_eq(sw_status_name(SW_OS_ERROR), "OSError");
    ck_assert_str_eq(sw_status_name((enum sw_status)4711), "unknown status");
}
END_TEST

START_TEST(setting_an_error_returns_its_status_and_keeps_the_sentence)
{
    ck_assert_int_eq(sw_error_set(SW_VALUE_ERROR, "extent %d is below 1", -3), SW_VALUE_ERROR);
    ck_assert_str_eq(sw_error_message(), "extent -3 is below 1");
}
END_TEST

START_TEST(the_current_text_may_be_part_of_the_next)
{
    sw_error_set(SW_VALUE_ERROR, "inner");
    sw_error_set(SW_VALUE_ERROR, "outer: %s", sw_error_message());
    ck_assert_str_eq(sw_error_message(), "outer: inner");
}
END_TEST

START_TEST(a_long_text_is_cut_not_overrun)
{
    char text[2000];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    sw_error_set(SW_VALUE_ERROR, "%s", text);
    ck_assert_uint_gt(strlen(sw_error_message()), 400);
    ck_assert_uint_lt(strlen(sw_error_message()), 600);
}
END_TEST

static void *fail_on_another_thread(void *unused)
{
    (void)unused;
    if (strcmp(sw_error_message(), "") != 0)
        return (void *)"a fresh thread has a text";
    sw_error_set(SW_OS_ERROR, "other");
    return strcmp(sw_error_message(), "other") == 0 ? NULL : (void *)"the thread's text is not its own";
}

START_TEST(texts_belong_to_their_threads)
{
    pthread_t thread;
    void *complaint;

    sw_error_set(SW_VALUE_ERROR, "mine");
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_on_another_thread, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, &complaint), 0);
    ck_assert_msg(complaint == NULL, "%s", (const char *)complaint);
    ck_assert_str_eq(sw_error_message(), "mine");
}
END_TEST

CHECK_MAIN("error", every_status_has_the_name_of_the_specification,
           setting_an_error_returns_its_status_and_keeps_the_sentence, the_current_text_may_be_part_of_the_next,
           a_long_text_is_cut_not_overrun, texts_belong_to_their_threads)
