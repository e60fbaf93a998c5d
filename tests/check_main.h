/*
 * The main of a Check program with one test case: CHECK_MAIN("name", tests...).
 */
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/** With @seconds for each test. */
static inline int check_main_timed(const char *name, const TTest *const *tests, size_t n_tests, double seconds)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);

    tcase_set_timeout(tcase, seconds);
    for (size_t i = 0; i < n_tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static inline int check_main(const char *name, const TTest *const *tests, size_t n_tests)
{
    return check_main_timed(name, tests, n_tests, 300);
}

/** One test for each of @n_rows rows of a table: the test finds the row's number in _i. */
static inline int check_main_each(const char *name, const TTest *test, size_t n_rows)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);

    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, test, 0, (int)n_rows);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/** Exit status of a program that could not be tried. */
#define CHECK_MAIN_SKIPPED 77

/** Exit status of a program that lacks something: skipped, after a word of why, or failed where @variable is set. */
static inline int check_main_skip(const char *variable, const char *reason)
{
    const char *expected = getenv(variable);

    puts(reason);
    return expected != NULL && expected[0] != '\0' && expected[0] != '0' ? EXIT_FAILURE : CHECK_MAIN_SKIPPED;
}

/** Whether the library calls no hooks. */
static inline int check_main_lacks_profiling(void)
{
#if SW_ENABLE_PROFILING
    return 0;
#else
    return 1;
#endif
}

/** CHECK_MAIN() for tests of what hooks see. */
#define CHECK_MAIN_PROFILING(name, ...)                                                 \
    int main(void)                                                                      \
    {                                                                                   \
        const TTest *const tests[] = {__VA_ARGS__};                                     \
        if (check_main_lacks_profiling())                                               \
            return check_main_skip("SW_EXPECT_PROFILING", "built with --disable-profiling"); \
        return check_main(name, tests, sizeof tests / sizeof tests[0]);                 \
    }

#define CHECK_MAIN(name, ...)                                                           \
    int main(void)                                                                      \
    {                                                                                   \
        const TTest *const tests[] = {__VA_ARGS__};                                     \
        return check_main(name, tests, sizeof tests / sizeof tests[0]);                 \
    }

#endif
