/*
 * Numbers and names as people read them.
 */
#include "config.h"

#include <stdlib.h>
#include <time.h>

#include "analyze/visible.h"
#include "base/alloc.h"
#include "check_main.h"
#include "report/display.h"
#include "report/utf8.h"

static void check_text(struct sw__builder *text, const char *expected)
{
    ck_assert_str_eq(text->bytes, expected);
    text->n_bytes = 0;
}

START_TEST(automatic_unit_shows_three_digits)
{
    static const struct {
        int64_t ns;
        const char *expected;
    } cases[] = {
        { 0, "0 ns" },          { 999, "999 ns" },         { 1000, "1.00 us" },      { 1234, "1.23 us" },
        { 1235, "1.24 us" },    { 9994, "9.99 us" },       { 9995, "10.0 us" },      { 99949, "99.9 us" },
        { 99950, "100 us" },    { 999499, "999 us" },      { 999500, "1.00 ms" },    { 1000000000, "1.00 s" },
        { 123456789, "123 ms" }, { 12345678901, "12.3 s" }, { 12345000000000, "12345 s" }, { -1500, "-1.50 us" },
        { INT64_MAX, "9223372037 s" },
    };
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(display_time(&text, cases[i].ns, DISPLAY_AUTO), SW_OK);
        check_text(&text, cases[i].expected);
    }
}
END_TEST

START_TEST(chosen_unit_is_exact)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    ck_assert_int_eq(display_time(&text, 1234567, DISPLAY_NS), SW_OK);
    check_text(&text, "1234567 ns");
    ck_assert_int_eq(display_time(&text, 1234567, DISPLAY_US), SW_OK);
    check_text(&text, "1234.567 us");
    ck_assert_int_eq(display_time(&text, 1234567, DISPLAY_S), SW_OK);
    check_text(&text, "0.001234567 s");
    ck_assert_int_eq(display_mean(&text, 1.25, DISPLAY_NS), SW_OK);
    check_text(&text, "1.2 ns");
    ck_assert_int_eq(display_mean(&text, 1500.4, DISPLAY_AUTO), SW_OK);
    check_text(&text, "1.50 us");
}
END_TEST

START_TEST(counts_bytes_and_ages_are_grouped)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    ck_assert_int_eq(display_count(&text, 999), SW_OK);
    check_text(&text, "999");
    ck_assert_int_eq(display_count(&text, 1000), SW_OK);
    check_text(&text, "1,000");
    ck_assert_int_eq(display_count(&text, UINT64_MAX), SW_OK);
    check_text(&text, "18,446,744,073,709,551,615");
    ck_assert_int_eq(display_bytes(&text, 1023), SW_OK);
    check_text(&text, "1023 B");
    ck_assert_int_eq(display_bytes(&text, 1536), SW_OK);
    check_text(&text, "1.5 KiB");
    ck_assert_int_eq(display_bytes(&text, UINT64_C(256) << 20), SW_OK);
    check_text(&text, "256.0 MiB");
    ck_assert_int_eq(display_age(&text, INT64_C(119) * 1000000000), SW_OK);
    check_text(&text, "119 s");
    ck_assert_int_eq(display_age(&text, INT64_C(121) * 1000000000), SW_OK);
    check_text(&text, "2 min");
    ck_assert_int_eq(display_age(&text, INT64_C(3) * 86400 * 1000000000), SW_OK);
    check_text(&text, "3 d");
}
END_TEST

START_TEST(moments_have_an_offset_in_every_zone)
{
    static const struct {
        const char *zone;
        const char *expected;
    } cases[] = {
        { "UTC", "2023-11-14T22:13:20.123+00:00" },
        { "Pacific/Auckland", "2023-11-15T11:13:20.123+13:00" },
        { "XYZ3:30", "2023-11-14T18:43:20.123-03:30" },
        { ":bad", "2023-11-14T22:13:20.123+00:00" },
    };
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *local SW__OWNED = NULL;
        setenv("TZ", cases[i].zone, 1);
        tzset();
        ck_assert_int_eq(display_moment(&text, INT64_C(1700000000123000000)), SW_OK);
        ck_assert_int_eq(sw__builder_take(&text, &local), SW_OK);
        if (i == 1 && strstr(local, "+13:00") == NULL)
            continue; /* no time zones installed */
        ck_assert_str_eq(local, cases[i].expected);
        ck_assert_int_eq(display_moment_utc(&text, INT64_C(1700000000123000000)), SW_OK);
        check_text(&text, "2023-11-14T22:13:20.123Z");
    }
}
END_TEST

START_TEST(what_a_terminal_would_act_on_is_made_visible)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    ck_assert_int_eq(sw__visible(&text, "a\x1b[31m\n\t\r\x07\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\x8b z"), SW_OK);
    check_text(&text, "a\\x1b[31m\\n\\t\\r\\x07\\x7f\\x9b\\u202e\\u200b z");
    ck_assert_int_eq(sw__visible(&text, "größe 漢字 \xf0\x9f\x98\x80"), SW_OK);
    check_text(&text, "größe 漢字 \xf0\x9f\x98\x80");
}
END_TEST

START_TEST(long_names_lose_their_middle)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    ck_assert_int_eq(display_shortened(&text, "abcdefghij", 10), SW_OK);
    check_text(&text, "abcdefghij");
    ck_assert_int_eq(display_shortened(&text, "abcdefghijk", 10), SW_OK);
    check_text(&text, "abcde…hijk");
    ck_assert_int_eq(display_shortened(&text, "漢字漢字漢字", 7), SW_OK);
    check_text(&text, "漢…字"); /* two columns each: three fit before, three behind */
    ck_assert_int_eq(display_shortened(&text, "abcdefghijk", 0), SW_OK);
    check_text(&text, "abcdefghijk");
}
END_TEST

START_TEST(invalid_utf8_is_replaced_byte_by_byte)
{
    static const struct {
        const char *bytes;
        size_t n_bytes;
        const char *expected;
    } cases[] = {
        { "latin\xe9!", 7, "latin\xef\xbf\xbd!" },
        { "\xc0\xaf", 2, "\xef\xbf\xbd\xef\xbf\xbd" },                     /* overlong */
        { "\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },     /* lone surrogate */
        { "\xf4\x90\x80\x80", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
        { "a\0b", 3, "a\xef\xbf\xbd" "b" },
        { "cut \xe2\x82", 6, "cut \xef\xbf\xbd\xef\xbf\xbd" },
        { "\xf0\x9f\x98\x80 ok", 7, "\xf0\x9f\x98\x80 ok" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *clean SW__OWNED = NULL;
        ck_assert_int_eq(utf8_clean(cases[i].bytes, cases[i].n_bytes, &clean), SW_OK);
        ck_assert_str_eq(clean, cases[i].expected);
        ck_assert(utf8_valid(clean, strlen(clean)));
    }
    ck_assert_uint_eq(utf8_width("e\xcc\x81 漢"), 4); /* e with an accent, blank, wide */
}
END_TEST

CHECK_MAIN("display", automatic_unit_shows_three_digits, chosen_unit_is_exact, counts_bytes_and_ages_are_grouped,
           moments_have_an_offset_in_every_zone, what_a_terminal_would_act_on_is_made_visible,
           long_names_lose_their_middle, invalid_utf8_is_replaced_byte_by_byte)
