/*
 * Memory for arrays: aligned, and refused where its bytes cannot be counted.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "check_main.h"

START_TEST(rows_are_aligned_and_hold_their_elements)
{
    float *rows SW__OWNED = sw__alloc_rows(3, 5, sizeof *rows);

    ck_assert_ptr_nonnull(rows);
    ck_assert_uint_eq((uintptr_t)rows % 64, 0);
    for (int i = 0; i < 15; i++)
        rows[i] = (float)i;
    ck_assert_float_eq(rows[14], 14);
}
END_TEST

START_TEST(rows_whose_bytes_leave_64_bits_are_a_memory_error)
{
    const struct {
        int64_t n;
        int64_t each;
        size_t element_bytes;
    } too_many[] = {
        { INT64_C(1) << 32, INT64_C(1) << 31, 1 },
        { INT64_C(1) << 31, INT64_C(1) << 30, 4 },
        { INT64_MAX, 1, 8 },
        /* 2^64 and 2^64 + 64 bytes: what is left of them in 64 bits would be given. */
        { INT64_C(1) << 32, INT64_C(1) << 30, 4 },
        { (INT64_C(1) << 60) + 4, 1, 16 },
    };

    for (size_t i = 0; i < sizeof too_many / sizeof too_many[0]; i++) {
        ck_assert_ptr_null(sw__alloc_rows(too_many[i].n, too_many[i].each, too_many[i].element_bytes));
        ck_assert_ptr_nonnull(strstr(sw_error_message(), "no memory for"));
    }
}
END_TEST

CHECK_MAIN("alloc", rows_are_aligned_and_hold_their_elements, rows_whose_bytes_leave_64_bits_are_a_memory_error)
