/*
 * Plug-ins: classes with equal names, and classes that are gone when results
 * are read.
 */
#include "config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "support.h"

static void *open_module(const char *name)
{
    char path[4096];
    const char *build = getenv("abs_top_builddir");

    snprintf(path, sizeof path, "%s/tests/profiler/.libs/%s.so", build != NULL ? build : ".", name);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(module != NULL, "%s", dlerror());
    return module;
}

static void run_module(void *module)
{
    enum sw_status (*run)(void) = NULL;

    *(void **)&run = dlsym(module, "module_run");
    ck_assert_ptr_nonnull(run);
    ck_assert_status(run(), SW_OK);
}

START_TEST(equally_named_classes_stay_two_rows)
{
    void *a = open_module("module_a");
    void *b = open_module("module_b");
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct sw_profiler_aggregate *rows;
    size_t n;

    run_module(a);
    run_module(b);
    run_module(a);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_status(sw_profiler_key_averages(profiler, NULL, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(rows[0].carrier_type->qualified_name, rows[1].carrier_type->qualified_name);
    ck_assert_int_eq(rows[0].count, 2);
    ck_assert_int_eq(rows[1].count, 1);
    sw_free(rows);
    sw_profiler_free(profiler);
    dlclose(a);
    dlclose(b);
}
END_TEST

START_TEST(results_outlive_the_plug_in_that_defined_a_class)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    char *text;

    options.record_shapes = 1;
    struct sw_profiler *profiler = enter_profiler(&options);
    for (int i = 0; i < 3; i++) {
        /* The next one may be loaded at the same address. */
        void *module = open_module(i % 2 == 0 ? "module_a" : "module_b");

        run_module(module);
        dlclose(module);
    }
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_str_eq(events[i].name, "keep");
        ck_assert_str_eq(events[i].carrier_type->module, "module");
        ck_assert_str_eq(events[i].carrier_type->qualified_name, "Closable");
        ck_assert_str_eq(events[i].implementation_type->qualified_name, "Keep");
        ck_assert_uint_eq(events[i].input_shapes->n_inputs, 1);
    }
    ck_assert_uint_ne(events[0].carrier_type->serial, events[1].carrier_type->serial);
    ck_assert_status(sw_profiler_table(profiler, NULL, &text), SW_OK);
    ck_assert_ptr_nonnull(strstr(text, "module.Closable"));
    sw_free(text);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("modules", equally_named_classes_stay_two_rows, results_outlive_the_plug_in_that_defined_a_class)
