/*
 * Formats: quoting, escaping, widths.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "report/grid.h"

static const struct column columns[] = {
    { "Name", "name", COLUMN_LEFT | COLUMN_SHRINKS },
    { "Time", "time_ns", 0 },
    { "Share", "share", COLUMN_SCREEN },
    { "Hidden", "hidden", COLUMN_EXPORT },
};

static const struct cell rows[][4] = {
    { { CELL_TEXT, { .text = "a,b \"c\"\n\x01" } }, CELL_OF_TIME(1500), CELL_OF_PERCENT(12.34), CELL_OF_FLAG(1) },
    { { CELL_TEXT, { .text = "" } }, { .kind = CELL_NONE }, CELL_OF_PERCENT(0), CELL_OF_COUNT(7) },
    { { CELL_TEXT, { .text = "=1+2\\" } }, CELL_OF_MEAN(2.5), CELL_OF_PERCENT(100), CELL_OF_MOMENT(0) },
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    (void)context;
    memcpy(ret_cells, rows[row], sizeof rows[row]);
    return SW_OK;
}

static const struct fact facts[] = {
    { "report_state", { CELL_TEXT, { .text = "frozen" } }, 1 },
    { "host", { CELL_TEXT, { .text = "h" } }, 0 },
};
static const struct fact totals[] = { { "calls", { CELL_COUNT, { .count = 3 } }, 0 } };

static const struct document document = {
    .heading = "heading\n",
    .footing = "footing\n",
    .facts = facts,
    .n_facts = 2,
    .totals = totals,
    .n_totals = 1,
    .grid = { columns, 4, 3, make_row, NULL },
};

static void check_format(const char *format, size_t n_columns, const char *expected)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *stream = open_memstream(&text, &n_bytes);
    struct screen screen = { .stream = stream, .columns = n_columns };

    ck_assert_int_eq(format_find(format)(&screen, &document), SW_OK);
    fclose(stream);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(csv_quotes_and_repeats_what_must_be_known)
{
    check_format("csv", 0,
                 "name,time_ns,hidden,report_state\n"
                 "\"a,b \"\"c\"\"\n\x01\",1500,true,frozen\n"
                 "\"\",,7,frozen\n"
                 "\"=1+2\\\",2.5,1970-01-01T00:00:00.000Z,frozen\n");
}
END_TEST

START_TEST(json_escapes_every_control_character)
{
    check_format("json", 0,
                 "{\n  \"report\": {\n    \"report_state\": \"frozen\",\n    \"host\": \"h\"\n  },\n  \"rows\": [\n"
                 "    {\"name\": \"a,b \\\"c\\\"\\n\\u0001\", \"time_ns\": 1500, \"hidden\": true},\n"
                 "    {\"name\": \"\", \"time_ns\": null, \"hidden\": 7},\n"
                 "    {\"name\": \"=1+2\\\\\", \"time_ns\": 2.5, \"hidden\": \"1970-01-01T00:00:00.000Z\"}\n"
                 "  ],\n  \"totals\": {\n    \"calls\": 3\n  }\n}\n");
}
END_TEST

START_TEST(text_aligns_and_shows_control_characters)
{
    check_format("text", 0,
                 "heading\n"
                 "Name              Time  Share\n"
                 "a,b \"c\"\\n\\x01  1.50 us   12.3\n"
                 "                     -    0.0\n"
                 "=1+2\\             3 ns  100.0\n"
                 "footing\n");
}
END_TEST

START_TEST(text_fits_the_screen_by_shortening_names)
{
    check_format("text", 28,
                 "heading\n"
                 "Name             Time  Share\n"
                 "a,b \"c…n\\x01  1.50 us   12.3\n"
                 "                    -    0.0\n"
                 "=1+2\\            3 ns  100.0\n"
                 "footing\n");
}
END_TEST

START_TEST(unknown_format_has_no_function)
{
    ck_assert(format_find("xml") == NULL);
    ck_assert(format_find("") == NULL);
}
END_TEST

CHECK_MAIN("format", csv_quotes_and_repeats_what_must_be_known, json_escapes_every_control_character,
           text_aligns_and_shows_control_characters, text_fits_the_screen_by_shortening_names,
           unknown_format_has_no_function)
