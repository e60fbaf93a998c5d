/*
 * Trees taken as shapes.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(size_is_the_product_of_all_extents)
{
    static const struct {
        const char *shape;
        int64_t size;
    } rows[] = { { "()", 1 }, { "7", 7 }, { "(5,(20,4))", 400 }, { "(1,(1,()))", 1 },
                 { "9223372036854775806", INT64_MAX - 1 } };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].shape);
        int64_t size = -1;

        ck_assert_int_eq(sw_shape_check(shape), SW_OK);
        ck_assert_int_eq(sw_shape_size(shape, &size), SW_OK);
        ck_assert_int_eq(size, rows[i].size);
        sw_tree_unref(shape);
    }
}
END_TEST

START_TEST(what_is_no_shape_is_refused)
{
    static const struct {
        const char *shape;
        enum sw_status status;
    } rows[] = { { "0", SW_VALUE_ERROR },
                 { "(2,(3,-1))", SW_VALUE_ERROR },
                 { "(2,*)", SW_TYPE_ERROR },
                 { "(1099511627776,1099511627776)", SW_OVERFLOW_ERROR },
                 { "(7,1317624576693539401)", SW_OVERFLOW_ERROR } };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].shape), *coordinate = NULL;
        int64_t number = -7;

        ck_assert_int_eq(sw_shape_check(shape), rows[i].status);
        ck_assert_int_eq(sw_shape_size(shape, &number), rows[i].status);
        ck_assert_int_eq(sw_shape_decode(shape, 0, &coordinate), rows[i].status);
        ck_assert_int_eq(sw_shape_encode(shape, shape, &number), rows[i].status);
        ck_assert_int_eq(number, -7);
        ck_assert_ptr_null(coordinate);
        sw_tree_unref(shape);
    }
    ck_assert_int_eq(sw_shape_check(NULL), SW_TYPE_ERROR);
}
END_TEST

START_TEST(decoding_varies_the_first_mode_fastest)
{
    static const struct {
        const char *shape;
        int64_t ordinal;
        const char *coordinate;
    } rows[] = {
        { "(5,(20,4))", 214, "(4,(2,2))" },  { "(5,(20,4))", 399, "(4,(19,3))" }, { "(5,(20,4))", 0, "(0,(0,0))" },
        { "(5,(20,4))", 400, "ValueError" }, { "(5,(20,4))", -1, "ValueError" },  { "(3,4)", 5, "(2,1)" },
        { "(2,(3,2))", 11, "(1,(2,1))" },    { "()", 0, "()" },                   { "()", 1, "ValueError" },
        { "(3,4)", SW_TREE_ANY, "TypeError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].shape), *coordinate = NULL;
        enum sw_status status = sw_shape_decode(shape, rows[i].ordinal, &coordinate);

        expect_tree(rows[i].shape, status, &coordinate, rows[i].coordinate);
        sw_tree_unref(shape);
    }
}
END_TEST

START_TEST(encoding_takes_natural_and_mixed_coordinates_and_ordinals)
{
    static const struct {
        const char *shape, *coordinate;
        int64_t ordinal;
    } rows[] = {
        { "(5,(20,4))", "(4,42)", 214 }, { "(5,(20,4))", "(4,(2,2))", 214 }, { "(5,(20,4))", "214", 214 },
        { "(3,4)", "(2,3)", 11 },        { "()", "()", 0 },                  { "()", "0", 0 },
        { "((2,3),4)", "(5,3)", 23 },    { "((2,(3,4)),5)", "((1,11),4)", 119 },
        { "((2,3))", "5", 5 },           { "((2,3))", "((1,2))", 5 },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].shape), *coordinate = read_tree(rows[i].coordinate);
        int64_t ordinal = -1;

        ck_assert_int_eq(sw_shape_encode(shape, coordinate, &ordinal), SW_OK);
        ck_assert_int_eq(ordinal, rows[i].ordinal);
        sw_tree_unref(shape);
        sw_tree_unref(coordinate);
    }
}
END_TEST

START_TEST(encoding_refuses_coordinates_outside_of_the_shape)
{
    static const struct {
        const char *shape, *coordinate;
        enum sw_status status;
    } rows[] = {
        { "(5,(20,4))", "(4,80)", SW_VALUE_ERROR },      { "(5,(20,4))", "400", SW_VALUE_ERROR },
        { "(5,(20,4))", "(4,2,0)", SW_VALUE_ERROR },     { "(5,(20,4))", "((4),(2,2))", SW_VALUE_ERROR },
        { "(5,(20,4))", "(4,(2,2,0))", SW_VALUE_ERROR }, { "(5,(20,4))", "(4,(2))", SW_VALUE_ERROR },
        { "(5,(20,4))", "(-1,0)", SW_VALUE_ERROR },      { "(5,(20,4))", "()", SW_VALUE_ERROR },
        { "(5,(20,4))", "(*,0)", SW_TYPE_ERROR },        { "(5,(20,4))", "*", SW_TYPE_ERROR },
        { "((2,3))", "((5))", SW_VALUE_ERROR },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].shape), *coordinate = read_tree(rows[i].coordinate);
        int64_t ordinal = -7;

        ck_assert_msg(sw_shape_encode(shape, coordinate, &ordinal) == rows[i].status, "%s", rows[i].coordinate);
        ck_assert_int_eq(ordinal, -7);
        sw_tree_unref(shape);
        sw_tree_unref(coordinate);
    }
}
END_TEST

START_TEST(encoding_undoes_decoding)
{
    struct sw_tree *shape = read_tree("(2,((3,1),4),(),(5))");

    for (int64_t ordinal = 0; ordinal < 120; ordinal++) {
        struct sw_tree *coordinate = NULL;
        int64_t back = -1;

        ck_assert_int_eq(sw_shape_decode(shape, ordinal, &coordinate), SW_OK);
        ck_assert(sw_tree_congruent(shape, coordinate));
        ck_assert_int_eq(sw_shape_encode(shape, coordinate, &back), SW_OK);
        ck_assert_int_eq(back, ordinal);
        sw_tree_unref(coordinate);
    }
    sw_tree_unref(shape);
}
END_TEST

CHECK_MAIN("shape", size_is_the_product_of_all_extents, what_is_no_shape_is_refused,
           decoding_varies_the_first_mode_fastest, encoding_takes_natural_and_mixed_coordinates_and_ordinals,
           encoding_refuses_coordinates_outside_of_the_shape, encoding_undoes_decoding)
