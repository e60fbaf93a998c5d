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
        void *memory = NULL;
        char *block = sw__block_new(bytes, SW__FILL_NONE, &memory);

        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % 64, 0);
        memset(block, 0xff, bytes);
        sw__free(memory);
    }
}
END_TEST

START_TEST(zeroed_memory_is_zero_to_its_end)
{
    static const char zeros[5000];
    void *memory = NULL;
    char *block = sw__block_new(sizeof zeros, SW__FILL_ZERO, &memory);

    ck_assert_ptr_nonnull(block);
    ck_assert_mem_eq(block, zeros, sizeof zeros);
    sw__free(memory);
}
END_TEST

START_TEST(a_size_that_no_object_has_is_a_memory_error)
{
    void *memory = &memory;

    ck_assert_ptr_null(sw__block_new(SIZE_MAX, SW__FILL_NONE, &memory));
    ck_assert_ptr_null(sw__block_new(SW__BLOCK_MAX_BYTES + 1, SW__FILL_ZERO, &memory));
    ck_assert_ptr_eq(memory, &memory);
    ck_assert_str_ne(sw_error_message(), "");
}
END_TEST

CHECK_MAIN("block", every_size_starts_at_a_cache_line, zeroed_memory_is_zero_to_its_end,
           a_size_that_no_object_has_is_a_memory_error)
