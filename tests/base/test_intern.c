/*
 * Interned strings.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "check_main.h"

#define N_NAMES 5000
#define N_THREADS 4

START_TEST(equal_texts_have_one_address)
{
    char relu[] = "relu";

    ck_assert_ptr_eq(sw__intern(relu), sw__intern("relu"));
    ck_assert_ptr_ne(sw__intern(relu), relu);
    ck_assert_ptr_ne(sw__intern("relu"), sw__intern("relU"));
    ck_assert_str_eq(sw__intern(""), "");
}
END_TEST

static void *intern_all(void *results)
{
    const char **found = results;

    for (int i = 0; i < N_NAMES; i++) {
        char name[32];

        snprintf(name, sizeof name, "name-%d", i);
        found[i] = sw__intern(name);
    }
    return NULL;
}

START_TEST(threads_that_race_get_the_same_addresses)
{
    static const char *found[N_THREADS][N_NAMES];
    pthread_t threads[N_THREADS];

    for (int i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, intern_all, found[i]), 0);
    for (int i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < N_NAMES; i++)
        for (int j = 1; j < N_THREADS; j++)
            ck_assert_ptr_eq(found[j][i], found[0][i]);
}
END_TEST

CHECK_MAIN("intern", equal_texts_have_one_address, threads_that_race_get_the_same_addresses)
