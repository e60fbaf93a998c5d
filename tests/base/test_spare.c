/*
 * Storage that waits for its next use: which requests it serves, how much of it
 * there may be, and that it is given back when memory runs out. The setting is
 * read once a process, so each test is one of its own.
 */
#include "config.h"

#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <strideweave/memory.h>

#include "base/alloc.h"
#include "check_main.h"
#ifdef SW_FAILURE_INJECTION
#include "base/inject.h"
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif
#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define LEAST (128 * KIB)

struct block {
    char *memory;
    size_t bytes;
};

static struct block make(size_t bytes)
{
    struct block block;

    block.memory = sw__alloc_storage(bytes, SW__FILL_NONE, &block.bytes);
    ck_assert_ptr_nonnull(block.memory);
    ck_assert_uint_ge(block.bytes, bytes);
    return block;
}

static void give_back(struct block block)
{
    sw__free_storage(block.memory, block.bytes);
}

/* Blocks of these sizes wait, in the order of the list. */
static void let_wait(struct block *ret_blocks, const size_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ret_blocks[i] = make(bytes[i]);
    for (size_t i = 0; i < n; i++)
        give_back(ret_blocks[i]);
}

START_TEST(what_was_given_back_is_used_again)
{
    const struct block first = make(MIB);

    give_back(first);
    ck_assert_uint_eq(sw_memory_cached(), MIB);
    const struct block second = make(MIB);
    ck_assert_ptr_eq(second.memory, first.memory);
    ck_assert_uint_eq(second.bytes, MIB);
    ck_assert_uint_eq(sw_memory_cached(), 0);
    give_back(second);
}
END_TEST

START_TEST(a_block_serves_requests_for_up_to_an_eighth_less)
{
    static const struct {
        size_t has;
        size_t asked;
        int serves;
    } rows[] = {
        { 9 * 32 * KIB, 8 * 32 * KIB, 1 },  { 9 * 32 * KIB, 8 * 32 * KIB - 1, 0 }, { 9 * 32 * KIB, 9 * 32 * KIB, 1 },
        { 9 * 32 * KIB, 9 * 32 * KIB + 1, 0 }, { 20 * MIB, 18 * MIB, 1 },          { 20 * MIB, 17 * MIB, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct block block = make(rows[i].has);
        give_back(block);
        const struct block other = make(rows[i].asked);
        ck_assert_uint_eq(other.bytes, rows[i].serves ? rows[i].has : rows[i].asked);
        ck_assert_uint_eq(sw_memory_cached(), rows[i].serves ? 0 : rows[i].has);
        give_back(other);
        sw_memory_empty_cache();
    }
}
END_TEST

START_TEST(the_smallest_that_fits_serves_and_of_equal_ones_the_youngest)
{
    static const size_t sizes[] = { 1040 * KIB, 1030 * KIB, 1020 * KIB, 1030 * KIB, 1050 * KIB };
    struct block blocks[5];

    let_wait(blocks, sizes, 5);
    const struct block served[] = { make(1024 * KIB), make(1024 * KIB), make(1024 * KIB) };
    ck_assert_ptr_eq(served[0].memory, blocks[3].memory);
    ck_assert_ptr_eq(served[1].memory, blocks[1].memory);
    ck_assert_ptr_eq(served[2].memory, blocks[0].memory);
    ck_assert_uint_eq(sw_memory_cached(), (1020 + 1050) * KIB);
    for (size_t i = 0; i < 3; i++)
        give_back(served[i]);
}
END_TEST

START_TEST(small_blocks_go_to_the_c_library)
{
    give_back(make(LEAST - 1));
    ck_assert_uint_eq(sw_memory_cached(), 0);
    give_back(make(LEAST));
    ck_assert_uint_eq(sw_memory_cached(), LEAST);
    sw__free_storage(NULL, 0);
    sw__free_storage(NULL, MIB);
    ck_assert_uint_eq(sw_memory_cached(), LEAST);
}
END_TEST

START_TEST(what_has_waited_longest_goes_when_the_bound_is_met)
{
    static const size_t sizes[] = { 256 * KIB, 256 * KIB, 384 * KIB, 256 * KIB, 128 * KIB };
    struct block blocks[5];

    setenv("SW_STORAGE_CACHE", "1048576", 1);
    let_wait(blocks, sizes, 5);
    ck_assert_uint_eq(sw_memory_cached(), MIB);
    const struct block served = make(256 * KIB);
    ck_assert_ptr_eq(served.memory, blocks[3].memory);
    const struct block too_large = make(MIB + 1);
    give_back(too_large);
    ck_assert_uint_eq(sw_memory_cached(), MIB - 256 * KIB);
    give_back(served);
    give_back(make(MIB));
    ck_assert_uint_eq(sw_memory_cached(), MIB);
}
END_TEST

START_TEST(the_bound_is_64_mib_where_the_variable_is_no_number_of_bytes)
{
    static const char *const values[] = { "", "64M", "-1", "9223372036854775808", "1.5" };
    static const size_t sizes[] = { 24 * MIB, 24 * MIB, 16 * MIB, 16 * MIB };
    struct block blocks[4];

    setenv("SW_STORAGE_CACHE", values[_i], 1);
    let_wait(blocks, sizes, 4);
    ck_assert_uint_eq(sw_memory_cached(), 56 * MIB);
    give_back(make(64 * MIB));
    ck_assert_uint_eq(sw_memory_cached(), 64 * MIB);
    give_back(make(64 * MIB + 1));
    ck_assert_uint_eq(sw_memory_cached(), 64 * MIB);
}
END_TEST

START_TEST(no_more_than_256_blocks_wait)
{
    struct block blocks[300];
    size_t sizes[300];

    for (size_t i = 0; i < 300; i++)
        sizes[i] = LEAST;
    let_wait(blocks, sizes, 300);
    ck_assert_uint_eq(sw_memory_cached(), 256 * LEAST);
    for (size_t i = 300; i-- > 300 - 256;)
        ck_assert_ptr_eq(make(LEAST).memory, blocks[i].memory);
    ck_assert_uint_eq(sw_memory_cached(), 0);
}
END_TEST

START_TEST(with_a_bound_of_0_nothing_waits)
{
    setenv("SW_STORAGE_CACHE", "0", 1);
    give_back(make(LEAST));
    give_back(make(8 * MIB));
    ck_assert_uint_eq(sw_memory_cached(), 0);
    ck_assert_uint_eq(sw_memory_empty_cache(), 0);
}
END_TEST

START_TEST(zeros_are_zeros_in_what_was_used_before)
{
    const struct block first = make(LEAST + 100);
    struct block second;

    memset(first.memory, 0xff, first.bytes);
    give_back(first);
    second.memory = sw__alloc_storage(LEAST, SW__FILL_ZERO, &second.bytes);
    ck_assert_ptr_eq(second.memory, first.memory);
    for (size_t i = 0; i < LEAST; i++)
        ck_assert_int_eq(second.memory[i], 0);
    give_back(second);
}
END_TEST

START_TEST(emptying_tells_what_waited)
{
    static const size_t sizes[] = { MIB, 3 * MIB, 2 * MIB };
    struct block blocks[3];

    let_wait(blocks, sizes, 3);
    ck_assert_uint_eq(sw_memory_empty_cache(), 6 * MIB);
    ck_assert_uint_eq(sw_memory_cached(), 0);
    ck_assert_uint_eq(sw_memory_empty_cache(), 0);
}
END_TEST

/* ---- When memory runs out --------------------------------------------------------------------- */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define LIMITS_ADDRESSES 0 /* a sanitizer needs the whole of them */
#else
#define LIMITS_ADDRESSES 1
#endif

#define N_KINDS 5

static void *ask(int kind, size_t bytes)
{
    size_t has;

    switch (kind) {
    case 0: return sw__alloc(bytes);
    case 1: return sw__alloc_zero(bytes);
    case 2: return sw__alloc_aligned(4096, bytes);
    case 3: return sw__realloc(NULL, bytes);
    default: return sw__alloc_storage(bytes, SW__FILL_NONE, &has);
    }
}

static size_t n_mapped(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file == NULL || fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

START_TEST(what_waits_is_given_back_before_an_allocation_fails)
{
    static const size_t sizes[] = { 6 * MIB, 6 * MIB, 6 * MIB, 6 * MIB, 6 * MIB, 6 * MIB, 6 * MIB, 6 * MIB };
    struct block blocks[8];
    const struct rlimit limit = { .rlim_cur = n_mapped() + 60 * MIB, .rlim_max = RLIM_INFINITY };

    /* Memcheck does not return to the system what is freed. */
    if (!LIMITS_ADDRESSES || RUNNING_ON_VALGRIND || n_mapped() == 0)
        return;
    let_wait(blocks, sizes, 8);
    ck_assert_uint_eq(sw_memory_cached(), 48 * MIB);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    void *memory = ask(_i, 40 * MIB);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq(sw_memory_cached(), 0);
    sw__free(memory);
    ck_assert_ptr_null(ask(_i, 80 * MIB));
}
END_TEST

#ifdef SW_FAILURE_INJECTION
START_TEST(a_failure_that_is_wished_for_is_not_averted)
{
    size_t bytes = 77;

    give_back(make(MIB));
    const uint64_t n_live = sw__inject_n_live();
    sw__inject_failures(0, 1);
    ck_assert_ptr_null(sw__alloc_storage(MIB, SW__FILL_NONE, &bytes));
    sw__inject_failure_after(UINT64_MAX);
    ck_assert_uint_eq(bytes, 77);
    ck_assert_uint_eq(sw__inject_n_live(), n_live);
    const struct block block = make(MIB);
    ck_assert_uint_eq(sw__inject_n_live(), n_live + 1);
    give_back(block);
    ck_assert_uint_eq(sw__inject_n_live(), n_live);
}
END_TEST
#endif

#ifdef __SANITIZE_ADDRESS__
START_TEST(what_waits_is_out_of_bounds)
{
    const struct block block = make(MIB);

    ck_assert_ptr_null(__asan_region_is_poisoned(block.memory, block.bytes));
    give_back(block);
    ck_assert_int_eq(__asan_address_is_poisoned(block.memory), 1);
    ck_assert_int_eq(__asan_address_is_poisoned(block.memory + block.bytes - 1), 1);
    ck_assert_ptr_eq(make(MIB).memory, block.memory);
    ck_assert_ptr_null(__asan_region_is_poisoned(block.memory, block.bytes));
}
END_TEST
#endif

/* ---- Threads and forks ------------------------------------------------------------------------ */

#define N_THREADS 4
#define N_ROUNDS 400
#define BOUND (2 * MIB)

/*
 * Whose block it is stands in it, at both ends, while it is used. Nothing of Check: its lock may be taken for ever in
 * a child.
 */
static int use(char owner, size_t bytes)
{
    struct block block;

    block.memory = sw__alloc_storage(bytes, SW__FILL_NONE, &block.bytes);
    if (block.memory == NULL)
        return 0;
    block.memory[0] = owner;
    block.memory[block.bytes - 1] = owner;
    int is_fine = sw_memory_cached() <= BOUND;
    is_fine &= block.memory[0] == owner && block.memory[block.bytes - 1] == owner;
    give_back(block);
    return is_fine && sw_memory_cached() <= BOUND;
}

/* Whether each time was fine. */
static int use_times(char owner, size_t n)
{
    int is_fine = 1;

    for (size_t i = 0; i < n; i++) {
        is_fine &= use(owner, LEAST + i % 7 * 20 * KIB);
        if (i % 100 == 99)
            sw_memory_empty_cache();
    }
    return is_fine;
}

struct user {
    pthread_t thread;
    char owner;
    int is_done; /* atomic */
};

/* At least N_ROUNDS times, and until it is told. */
static void *use_often(void *argument)
{
    struct user *user = argument;
    int is_fine = use_times(user->owner, N_ROUNDS);

    while (!__atomic_load_n(&user->is_done, __ATOMIC_ACQUIRE))
        is_fine &= use_times(user->owner, 10);
    return is_fine ? argument : NULL;
}

static void start_threads(struct user *users)
{
    setenv("SW_STORAGE_CACHE", "2097152", 1);
    for (int i = 0; i < N_THREADS; i++) {
        users[i] = (struct user){ .owner = (char)(i + 1) };
        ck_assert_int_eq(pthread_create(&users[i].thread, NULL, use_often, &users[i]), 0);
    }
}

static void join_threads(struct user *users)
{
    for (size_t i = 0; i < N_THREADS; i++) {
        void *result = NULL;
        __atomic_store_n(&users[i].is_done, 1, __ATOMIC_RELEASE);
        ck_assert_int_eq(pthread_join(users[i].thread, &result), 0);
        ck_assert_ptr_nonnull(result);
    }
}

START_TEST(threads_have_blocks_of_their_own_and_one_bound)
{
    struct user users[N_THREADS];

    start_threads(users);
    join_threads(users);
    ck_assert_uint_eq(sw_memory_empty_cache() % (4 * KIB), 0);
    ck_assert_uint_eq(sw_memory_cached(), 0);
}
END_TEST

/* Not under sanitizers, whose allocators a child of threads may find locked. */
#if !defined __SANITIZE_THREAD__ && !defined __SANITIZE_ADDRESS__
#define WITH_CHILDREN
#endif

#ifdef WITH_CHILDREN
START_TEST(a_child_of_threads_uses_what_waited_and_its_parent_too)
{
    struct user users[N_THREADS];

    start_threads(users);
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        int status;
        if (child == 0) {
            alarm(20); /* ends one that would wait for ever */
            const int is_fine = use_times(9, 20);
            sw_memory_empty_cache();
            _exit(!is_fine || sw_memory_cached() != 0);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    join_threads(users);
}
END_TEST
#endif

int main(void)
{
    const TTest *const tests[] = {
        what_was_given_back_is_used_again, a_block_serves_requests_for_up_to_an_eighth_less,
        the_smallest_that_fits_serves_and_of_equal_ones_the_youngest, small_blocks_go_to_the_c_library,
        what_has_waited_longest_goes_when_the_bound_is_met, no_more_than_256_blocks_wait,
        with_a_bound_of_0_nothing_waits, zeros_are_zeros_in_what_was_used_before, emptying_tells_what_waited,
#ifdef SW_FAILURE_INJECTION
        a_failure_that_is_wished_for_is_not_averted,
#endif
#ifdef __SANITIZE_ADDRESS__
        what_waits_is_out_of_bounds,
#endif
        threads_have_blocks_of_their_own_and_one_bound,
#ifdef WITH_CHILDREN
        a_child_of_threads_uses_what_waited_and_its_parent_too,
#endif
    };
    const int failed[] = {
        check_main("spare", tests, sizeof tests / sizeof tests[0]),
        check_main_each("spare: settings", the_bound_is_64_mib_where_the_variable_is_no_number_of_bytes, 5),
        check_main_each("spare: no memory", what_waits_is_given_back_before_an_allocation_fails, N_KINDS),
    };

    return failed[0] || failed[1] || failed[2];
}
