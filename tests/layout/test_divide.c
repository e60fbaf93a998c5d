/*
 * Division by tiles.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(a_layout_is_divided_into_tile_and_rest)
{
    static const struct row rows[] = {
        { "(4,2,3):(2,1,8)", "4:2", "((2,2),(2,3)):((4,1),(2,8))" },
        { "24:1", "4:1", "(4,6):(1,4)" },
        { "24:3", "4:6", "(4,6):(18,3)" },
        { "(4,6):(6,1)", "4:1", "(4,6):(6,1)" },
        { "8:1", "8:1", "8:1" },
        { "24:1", "():()", "24:1" },
        { "24:1", "5:1", "ValueError" },
        { "24:1", "(4,2):(0,1)", "ValueError" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_divide)
}
END_TEST

START_TEST(a_tiler_divides_leading_modes)
{
    static const struct row rows[] = {
        { "(9,(4,8)):(59,(13,1))", "3:3;(2,4):(1,8)", "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))" },
        { "(8,6,5):(1,8,48)", "4:1;3:1", "((4,2),(3,2),5):((1,4),(8,24),48)" },
        { "(8,6):(1,8)", "4:1", "((4,2),6):((1,4),8)" },
        { "(8,6):(1,8)", "8:1", "(8,6):(1,8)" },
        { "(8,6):(1,8)", "", "(8,6):(1,8)" },
        { "8:1", "4:1;2:1", "ValueError" },
        { "(8,6):(1,8)", "4:1;4:1", "ValueError" },
    };

    EXPECT_OF_TILES(rows, sw_layout_divide_tiler)
}
END_TEST

START_TEST(zipping_gathers_tiles_and_rests)
{
    static const struct row rows[] = {
        { "(9,(4,8)):(59,(13,1))", "3:3;(2,4):(1,8)", "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))" },
        { "(8,6,5):(1,8,48)", "4:1;3:1", "((4,3),(2,2),5):((1,8),(4,24),48)" },
        { "(8,6):(1,8)", "4:1", "(4,2,6):(1,4,8)" },
        { "(8,6):(1,8)", "8:1", "(8,1,6):(1,0,8)" },
        { "(8,6):(1,8)", "8:1;3:1", "((8,3),(1,2)):((1,8),(0,24))" },
        { "(8,6):(1,8)", "(2,2):(1,4)", "((2,2),2,6):((1,4),2,8)" },
        { "(8,6):(1,8)", "", "(8,6):(1,8)" },
        { "8:1", "4:1;2:1", "ValueError" },
        { "(8,6):(1,8)", "3:1", "ValueError" },
    };

    EXPECT_OF_TILES(rows, sw_layout_divide_zipped)
}
END_TEST

START_TEST(wrong_kinds_are_type_errors)
{
    struct sw_layout *layout = read_layout("(4,4):(1,4)"), *out = NULL;
    const struct sw_layout *tiles[] = { NULL };

    ck_assert_int_eq(sw_layout_divide(layout, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_divide(NULL, layout, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_divide_tiler(layout, tiles, 1, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_divide_zipped(layout, tiles, 1, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

CHECK_MAIN("divide", a_layout_is_divided_into_tile_and_rest, a_tiler_divides_leading_modes,
           zipping_gathers_tiles_and_rests, wrong_kinds_are_type_errors)
