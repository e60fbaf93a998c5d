/*
 * The cursor: its indices are the layout's, whatever way it is moved.
 */
#include "config.h"

#include "op/cursor.h"

#include "op_test.h"

struct leaves {
    const char *layout;
    size_t n;
    int64_t extents[8];
    int64_t strides[8];
    size_t n_merged; /* leaves that are left after merging, by hand */
};

static const struct leaves cases[] = {
    { "dense", 2, { 2, 3 }, { 1, 2 }, 1 },
    { "transposed", 2, { 2, 3 }, { 3, 1 }, 2 },
    { "gaps", 2, { 3, 2 }, { 2, 10 }, 2 },
    { "extents of one", 4, { 1, 4, 1, 2 }, { 7, 3, 9, 100 }, 2 },
    { "broadcast", 3, { 2, 4, 3 }, { 1, 0, 2 }, 3 },
    { "all broadcast", 2, { 2, 3 }, { 0, 0 }, 1 },
    { "one element", 1, { 1 }, { 5 }, 1 },
    { "no leaves", 0, { 0 }, { 0 }, 1 },
    { "more leaves than fit inline", 8, { 2, 2, 2, 2, 2, 2, 2, 2 }, { 128, 1, 64, 2, 32, 4, 16, 8 }, 8 },
};

/* The index function by its definition. */
static int64_t index_of(const struct leaves *leaves, int64_t ordinal)
{
    int64_t index = 0;

    for (size_t i = 0; i < leaves->n; i++) {
        index += ordinal % leaves->extents[i] * leaves->strides[i];
        ordinal /= leaves->extents[i];
    }
    return index;
}

static int64_t size_of(const struct leaves *leaves)
{
    int64_t size = 1;

    for (size_t i = 0; i < leaves->n; i++)
        size *= leaves->extents[i];
    return size;
}

static void init(struct sw__cursor *cursor, const struct leaves *leaves)
{
    assert_ok(sw__cursor_init(cursor, leaves->extents, leaves->strides, leaves->n));
}

START_TEST(leaves_that_follow_each_other_are_merged)
{
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };
        init(&cursor, &cases[i]);
        ck_assert_uint_eq(cursor.n_leaves, cases[i].n_merged);
        ck_assert_int_eq(cursor.size, size_of(&cases[i]));
    }
}
END_TEST

START_TEST(next_visits_every_ordinal_and_begins_again)
{
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };
        init(&cursor, &cases[i]);
        for (int64_t ordinal = 0; ordinal < 2 * cursor.size; ordinal++)
            ck_assert_int_eq(sw__cursor_next(&cursor), index_of(&cases[i], ordinal % cursor.size));
    }
}
END_TEST

START_TEST(runs_cover_every_ordinal_whatever_their_limit_is)
{
    for (size_t i = 0; i < N_OF(cases); i++)
        for (int64_t limit = 1; limit < 7; limit++) {
            struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };
            init(&cursor, &cases[i]);
            for (int64_t ordinal = 0; ordinal < cursor.size;) {
                int64_t index, stride;
                int64_t n = sw__cursor_run(&cursor, limit, &index, &stride);
                ck_assert_int_ge(n, 1);
                ck_assert_int_le(n, limit);
                for (int64_t j = 0; j < n; j++, ordinal++)
                    ck_assert_int_eq(index + j * stride, index_of(&cases[i], ordinal));
            }
            ck_assert_int_eq(cursor.index, 0);
        }
}
END_TEST

START_TEST(seek_goes_to_an_ordinal)
{
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };
        init(&cursor, &cases[i]);
        for (int64_t ordinal = cursor.size - 1; ordinal >= 0; ordinal--) {
            sw__cursor_seek(&cursor, ordinal);
            ck_assert_int_eq(sw__cursor_next(&cursor), index_of(&cases[i], ordinal));
            ck_assert_int_eq(sw__cursor_next(&cursor), index_of(&cases[i], (ordinal + 1) % cursor.size));
        }
    }
}
END_TEST

START_TEST(dense_and_constant_are_told_apart)
{
    static const int dense[] = { 1, 0, 0, 0, 0, 0, 1, 1, 0 };
    static const int constant[] = { 0, 0, 0, 0, 0, 1, 1, 1, 0 };

    for (size_t i = 0; i < N_OF(cases); i++) {
        struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };
        init(&cursor, &cases[i]);
        ck_assert_int_eq(sw__cursor_is_dense(&cursor), dense[i]);
        ck_assert_int_eq(sw__cursor_is_constant(&cursor), constant[i]);
    }
}
END_TEST

START_TEST(a_constant_cursor_stays_where_it_is)
{
    struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };

    sw__cursor_init_constant(&cursor, 5);
    ck_assert_int_eq(cursor.size, 5);
    ck_assert(sw__cursor_is_constant(&cursor));
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(sw__cursor_next(&cursor), 0);
}
END_TEST

CHECK_MAIN("cursor", leaves_that_follow_each_other_are_merged, next_visits_every_ordinal_and_begins_again,
           runs_cover_every_ordinal_whatever_their_limit_is, seek_goes_to_an_ordinal, dense_and_constant_are_told_apart,
           a_constant_cursor_stays_where_it_is)
