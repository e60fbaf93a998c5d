/*
 * Aligned memory.
 */
#include "config.h"

#include <string.h>

#include "carrier/block.h"
#include "check_main.h"

START_TEST(every_size_starts_at_a_cache_line)
{
    for (size_t bytes = 0; bytes < 300; bytes++) {
        struct sw__block block;
        char *start = sw__block_new(bytes, SW__FILL_NONE, &block);

        ck_assert_ptr_nonnull(start);
        ck_assert_uint_eq((uintptr_t)start % 64, 0);
        memset(start, 0xff, bytes);
        sw__block_free(&block);
    }
}
END_TEST

START_TEST(zeroed_memory_is_zero_to_its_end)
{
    static const char zeros[5000];
    struct sw__block block;
    char *start = sw__block_new(sizeof zeros, SW__FILL_ZERO, &block);

    ck_assert_ptr_nonnull(start);
    ck_assert_mem_eq(start, zeros, sizeof zeros);
    sw__block_free(&block);
}
END_TEST

START_TEST(a_block_is_given_back_once)
{
    struct sw__block block = { NULL, 0 };

    sw__block_free(&block);
    ck_assert_ptr_nonnull(sw__block_new(1 << 20, SW__FILL_NONE, &block));
    sw__block_free(&block);
    ck_assert_ptr_null(block.memory);
    sw__block_free(&block);
}
END_TEST

START_TEST(a_size_that_no_object_has_is_a_memory_error)
{
    struct sw__block block = { &block, 7 };

    ck_assert_ptr_null(sw__block_new(SIZE_MAX, SW__FILL_NONE, &block));
    ck_assert_ptr_null(sw__block_new(SW__BLOCK_MAX_BYTES + 1, SW__FILL_ZERO, &block));
    ck_assert_ptr_eq(block.memory, &block);
    ck_assert_uint_eq(block.bytes, 7);
    ck_assert_str_ne(sw_error_message(), "");
}
END_TEST

CHECK_MAIN("block", every_size_starts_at_a_cache_line, zeroed_memory_is_zero_to_its_end, a_block_is_given_back_once,
           a_size_that_no_object_has_is_a_memory_error)
