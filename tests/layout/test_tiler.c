/*
 * Tilers.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(each_tile_is_composed_with_its_mode)
{
    static const struct row rows[] = {
        { "(12,(4,8)):(59,(13,1))", "3:4;8:2", "(3,(2,4)):(236,(26,1))" },
        { "(12,(4,8)):(59,(13,1))", "3:4", "(3,(4,8)):(236,(13,1))" },
        { "(3,(2,2)):(1,(3,6))", "", "(3,(2,2)):(1,(3,6))" },
        { "((2,2),3):((1,2),4)", "3:1", "ValueError" },
        { "4:1", "2:1;2:1", "ValueError" },
    };

    EXPECT_OF_TILES(rows, sw_layout_compose_tiler)
}
END_TEST

START_TEST(a_shape_is_a_unit_stride_tile_per_mode)
{
    static const struct row rows[] = {
        { "(20,50):(1,20)", "(5,2)", "(5,2):(1,20)" },
        { "(20,(5,10)):(1,(20,100))", "5", "(5,(5,10)):(1,(20,100))" },
        { "(20,(4,10)):(1,(20,100))", "(5,(2,2))", "(5,(2,2)):(1,(20,40))" },
        { "(20,50):(1,20)", "()", "(20,50):(1,20)" },
        { "20:1", "(5,2)", "ValueError" },
        { "20:1", "0", "ValueError" },
        { "20:1", "*", "TypeError" },
    };

    EXPECT_OF_LAYOUT_AND_TREE(rows, sw_layout_compose_shape)
}
END_TEST

START_TEST(a_tile_that_is_no_layout_is_a_type_error)
{
    struct sw_layout *layout = read_layout("(4,4):(1,4)"), *out = NULL;
    const struct sw_layout *tiles[] = { layout, NULL };

    ck_assert_int_eq(sw_layout_compose_tiler(layout, tiles, 2, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_compose_tiler(layout, NULL, 1, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_compose_tiler(NULL, tiles, 1, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_compose_shape(layout, NULL, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

CHECK_MAIN("tiler", each_tile_is_composed_with_its_mode, a_shape_is_a_unit_stride_tile_per_mode,
           a_tile_that_is_no_layout_is_a_type_error)
