/*
 * Profilers while the capture is on, one test per way to be in a report. Writes
 * each Profiler's table to table.N in $REPORT_SESSION_FOLDER, and the number of
 * boundaries of all threads to boundaries. Run by test_report_session.sh under
 * the shim; the name of one test is in CK_RUN_CASE.
 */
#include "config.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <swprof/swprof.h>

#include "support.h"

static int n_tables;
static uint64_t n_beside; /* boundaries of the other thread, when it has ended */

static FILE *created(const char *name)
{
    const char *folder = getenv("REPORT_SESSION_FOLDER");
    char path[512];

    ck_assert_ptr_nonnull(folder);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    return file;
}

static void finish(struct sw_profiler *profiler)
{
    char name[32];
    char *text;

    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_status(sw_profiler_table(profiler, NULL, &text), SW_OK);
    snprintf(name, sizeof name, "table.%d", ++n_tables);
    FILE *file = created(name);
    fprintf(file, "%s\n", text);
    ck_assert_int_eq(fclose(file), 0);
    sw_free(text);
    sw_profiler_free(profiler);
}

static void write_boundaries(void)
{
    FILE *file = created("boundaries");

    fprintf(file, "%llu\n", (unsigned long long)(sw_boundary_count() + n_beside));
    ck_assert_int_eq(fclose(file), 0);
}

static void run_all(int n)
{
    static const char *const names[] = {"leaf", "outer", "pair", "mixed"};

    for (int i = 0; i < n; i++) {
        run_neg();
        ck_assert_status(run_plugin("fails"), SW_VALUE_ERROR);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            ck_assert_status(run_plugin(names[k]), SW_OK);
    }
}

static struct sw_profiler *enter_selected(struct sw_carrier_class *carrier_class, size_t n)
{
    struct sw_carrier_class *classes[] = {carrier_class};
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.carriers = classes;
    options.n_carriers = n;
    options.record_shapes = 1;
    return enter_profiler(&options);
}

static int stop; /* atomic */
static pthread_barrier_t begun;

static void *compute_beside(void *tensor)
{
    struct sw_tensor *out;

    for (int n = 0; n < 2 || !__atomic_load_n(&stop, __ATOMIC_ACQUIRE); n++) {
        if (sw_neg(tensor, &out) != SW_OK)
            return tensor;
        sw_tensor_unref(out);
        if (n == 0)
            pthread_barrier_wait(&begun);
    }
    n_beside = sw_boundary_count();
    return NULL;
}

START_TEST(whole_sessions)
{
    struct sw_tensor *tensor = make_tensor(sw_generic_class());
    pthread_t thread;
    void *result;

    pthread_barrier_init(&begun, NULL, 2);
    ck_assert_int_eq(pthread_create(&thread, NULL, compute_beside, tensor), 0);
    pthread_barrier_wait(&begun);
    run_all(3);
    struct sw_profiler *profiler = enter_profiler(NULL);
    run_all(400); /* over several blocks of events */
    finish(profiler);
    run_all(1);
    profiler = enter_selected(sw_generic_class(), 1);
    run_all(5);
    finish(profiler);
    profiler = enter_selected(NULL, 0);
    run_all(2);
    finish(profiler);
    run_all(1);
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_null(result);
    sw_tensor_unref(tensor);
    write_boundaries();
}
END_TEST

START_TEST(partial_sessions)
{
    run_all(1);
    struct sw_profiler *profiler = enter_profiler(NULL);
    run_neg();
    ck_assert_int_eq(swprof_disable(), SWPROF_OK);
    run_neg();
    run_neg();
    ck_assert_int_eq(swprof_enable(NULL), SWPROF_OK);
    run_neg();
    finish(profiler);
    ck_assert_int_eq(swprof_disable(), SWPROF_OK);
    profiler = enter_profiler(NULL);
    run_neg();
    finish(profiler);
    write_boundaries();
}
END_TEST

static enum sw_status enter_inside(void *unused)
{
    (void)unused;
    struct sw_profiler *profiler = enter_profiler(NULL);
    run_all(2);
    finish(profiler);
    return SW_OK;
}

static jmp_buf way_out;

static enum sw_status jump(void *unused)
{
    (void)unused;
    longjmp(way_out, 1);
    return SW_OK;
}

START_TEST(inside_and_around_operations)
{
    plugin_callback = enter_inside;
    ck_assert_status(run_plugin("calls"), SW_OK);
    struct sw_profiler *profiler = enter_profiler(NULL);
    run_neg();
    plugin_callback = jump;
    if (setjmp(way_out) == 0)
        (void)run_plugin("calls");
    finish(profiler);
    run_neg();
    write_boundaries();
}
END_TEST

START_TEST(without_an_operation)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    sw_profiler_free(profiler);
}
END_TEST

int main(void)
{
    const struct {
        const char *name;
        const TTest *test;
    } cases[] = {
        {"whole", whole_sessions},
        {"partial", partial_sessions},
        {"inside", inside_and_around_operations},
        {"nothing", without_an_operation},
    };
    Suite *suite = suite_create("sessions of a report");

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TCase *tcase = tcase_create(cases[i].name);

        tcase_set_timeout(tcase, 120);
        tcase_add_test(tcase, cases[i].test);
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
