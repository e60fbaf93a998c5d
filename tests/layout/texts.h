/*
 * Trees and layouts in tests are texts; what a call should give is a text too:
 * a tree or a layout, or the name of an error.
 */
#ifndef TESTS_LAYOUT_TEXTS_H
#define TESTS_LAYOUT_TEXTS_H

#include <strideweave/layout.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layout/layout.h"

/** A row of a table: two arguments of a call and what it gives. */
struct row {
    const char *a;
    const char *b;
    const char *expected;
};

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

static inline struct sw_tree *read_tree(const char *text)
{
    struct sw_tree *tree = NULL;

    ck_assert_msg(sw_tree_parse(text, &tree) == SW_OK, "%s: %s", text, sw_error_message());
    return tree;
}

static inline struct sw_layout *read_layout(const char *text)
{
    struct sw_layout *layout = NULL;

    ck_assert_msg(sw_layout_parse(text, &layout) == SW_OK, "%s: %s", text, sw_error_message());
    return layout;
}

/** Whether a status is the one named; then nothing may have been given out. */
static inline int is_named(const char *what, enum sw_status status, const void *given, const char *name)
{
    if (status == SW_OK && (name[0] == '(' || (name[0] >= '0' && name[0] <= '9')))
        return 0;
    ck_assert_msg(strcmp(sw_status_name(status), name) == 0, "%s gives %s (%s), not %s", what, sw_status_name(status),
                  sw_error_message(), name);
    ck_assert_msg(given == NULL, "%s failed and gave something out", what);
    ck_assert_str_ne(sw_error_message(), "");
    return 1;
}

/** Check a layout that @what gave, or its failure; gives the layout back and leaves NULL. */
static inline void expect_layout(const char *what, enum sw_status status, struct sw_layout **given,
                                 const char *expected)
{
    if (is_named(what, status, *given, expected))
        return;
    struct sw_layout *wanted = read_layout(expected);
    char *text = NULL;
    ck_assert_int_eq(sw_layout_format(*given, &text), SW_OK);
    ck_assert_msg(sw_layout_equal(*given, wanted), "%s gives %s, not %s", what, text, expected);
    sw_free(text);
    sw_layout_unref(wanted);
    sw_layout_unref(*given);
    *given = NULL;
}

/** The same for a tree. */
static inline void expect_tree(const char *what, enum sw_status status, struct sw_tree **given, const char *expected)
{
    if (is_named(what, status, *given, expected))
        return;
    struct sw_tree *wanted = read_tree(expected);
    char *text = NULL;
    ck_assert_int_eq(sw_tree_format(*given, &text), SW_OK);
    ck_assert_msg(sw_tree_equal(*given, wanted), "%s gives %s, not %s", what, text, expected);
    sw_free(text);
    sw_tree_unref(wanted);
    sw_tree_unref(*given);
    *given = NULL;
}

/** Check a call of the form f(layout, &out) for each row: a is the layout. */
#define EXPECT_OF_LAYOUT(table, function)                                             \
    for (size_t row_ = 0; row_ < N_ROWS(table); row_++) {                             \
        struct sw_layout *layout_ = read_layout((table)[row_].a), *out_ = NULL;       \
        enum sw_status status_ = function(layout_, &out_);                            \
        expect_layout((table)[row_].a, status_, &out_, (table)[row_].expected);        \
        sw_layout_unref(layout_);                                                     \
    }

/** The same for f(layout, layout, &out). */
#define EXPECT_OF_LAYOUTS(table, function)                                            \
    for (size_t row_ = 0; row_ < N_ROWS(table); row_++) {                             \
        struct sw_layout *first_ = read_layout((table)[row_].a), *out_ = NULL;        \
        struct sw_layout *second_ = read_layout((table)[row_].b);                     \
        enum sw_status status_ = function(first_, second_, &out_);                    \
        expect_layout((table)[row_].a, status_, &out_, (table)[row_].expected);        \
        sw_layout_unref(first_);                                                      \
        sw_layout_unref(second_);                                                     \
    }

/** The same for f(layout, tree, &out). */
#define EXPECT_OF_LAYOUT_AND_TREE(table, function)                                    \
    for (size_t row_ = 0; row_ < N_ROWS(table); row_++) {                             \
        struct sw_layout *layout_ = read_layout((table)[row_].a), *out_ = NULL;       \
        struct sw_tree *tree_ = read_tree((table)[row_].b);                           \
        enum sw_status status_ = function(layout_, tree_, &out_);                     \
        expect_layout((table)[row_].a, status_, &out_, (table)[row_].expected);        \
        sw_layout_unref(layout_);                                                     \
        sw_tree_unref(tree_);                                                         \
    }

/** Room for the tiles of a test. */
#define MAX_TILES 4

/** Layouts separated by ';' into @tiles; returns how many. Give them back with drop_tiles(). */
static inline size_t read_tiles(const char *text, const struct sw_layout **tiles)
{
    char copy[256];
    char *rest = copy;
    size_t n = 0;

    ck_assert_uint_lt(strlen(text), sizeof copy);
    strcpy(copy, text);
    while (rest != NULL && *rest != '\0') {
        char *tile = rest, *end = strchr(rest, ';');

        if (end != NULL)
            *end++ = '\0';
        rest = end;
        ck_assert_uint_lt(n, MAX_TILES);
        tiles[n++] = read_layout(tile);
    }
    return n;
}

static inline void drop_tiles(const struct sw_layout **tiles, size_t n_tiles)
{
    for (size_t i = 0; i < n_tiles; i++)
        sw_layout_unref(tiles[i]);
}

/** Check a call of the form f(layout, tiles, n_tiles, &out): b lists the tiles. */
#define EXPECT_OF_TILES(table, function)                                              \
    for (size_t row_ = 0; row_ < N_ROWS(table); row_++) {                             \
        struct sw_layout *layout_ = read_layout((table)[row_].a), *out_ = NULL;       \
        const struct sw_layout *tiles_[MAX_TILES];                                    \
        size_t n_ = read_tiles((table)[row_].b, tiles_);                              \
        enum sw_status status_ = function(layout_, tiles_, n_, &out_);                \
        expect_layout((table)[row_].a, status_, &out_, (table)[row_].expected);        \
        drop_tiles(tiles_, n_);                                                       \
        sw_layout_unref(layout_);                                                     \
    }

#endif
