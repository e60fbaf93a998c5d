/*
 * Requirement: Profilers select exact carrier classes.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

START_TEST(record_all_carrier_classes_by_default)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("mixed"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 3);
    ck_assert_str_eq(events[0].carrier_type->qualified_name, "Plugin");
    ck_assert_str_eq(events[1].carrier_type->qualified_name, "Generic");
    ck_assert_str_eq(events[1].carrier_type->module, "strideweave");
    ck_assert_str_eq(events[2].carrier_type->qualified_name, "Plugin");
    ck_assert_ptr_eq(events[0].carrier_type->address, &plugin_class);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(select_one_exact_carrier_class)
{
    struct sw_carrier_class *classes[] = {sw_generic_class(), sw_generic_class()};
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.carriers = classes;
    options.n_carriers = 2;
    struct sw_profiler *profiler = enter_profiler(&options);
    ck_assert_status(run_plugin("leaf"), SW_OK);
    struct sw_tensor *cpu = make_tensor(sw_cpu_class());
    struct sw_tensor *out;
    ck_assert_status(sw_neg(cpu, &out), SW_OK);
    sw_tensor_unref(out);
    sw_tensor_unref(cpu);
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 1);
    ck_assert_ptr_eq(events[0].carrier_type->address, sw_generic_class());
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(select_no_carrier_classes)
{
    struct sw_carrier_class *none[1] = {NULL};
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.carriers = none;
    options.n_carriers = 0;
    struct sw_profiler *profiler = enter_profiler(&options);
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 0);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(the_filter_is_copied_at_creation)
{
    struct sw_carrier_class *classes[] = {sw_generic_class()};
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.carriers = classes;
    options.n_carriers = 1;
    struct sw_profiler *profiler = enter_profiler(&options);
    classes[0] = sw_cpu_class();
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 1);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(reject_an_invalid_carrier_filter)
{
    struct sw_tensor *tensor = make_tensor(sw_generic_class());
    static struct sw_operation_class operation_class = {.head = SW_OPERATION_CLASS_HEAD("x", "y")};
    static int foreign[64];
    void *const wrong[] = {sw_tensor_carrier(tensor), &operation_class, NULL, foreign, tensor};
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_profiler *profiler = NULL;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct sw_carrier_class *classes[] = {sw_generic_class(), wrong[i]};
        options.carriers = classes;
        options.n_carriers = 2;
        ck_assert_status(sw_profiler_new(&options, &profiler), SW_TYPE_ERROR);
        ck_assert_message("carrier classes");
    }
    options.carriers = NULL;
    options.n_carriers = 1;
    ck_assert_status(sw_profiler_new(&options, &profiler), SW_TYPE_ERROR);
    ck_assert_ptr_null(profiler);
    sw_tensor_unref(tensor);
}
END_TEST

START_TEST(reject_an_invalid_shape_option)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_profiler *profiler = NULL;
    const int wrong[] = {2, -1, 256};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options.record_shapes = wrong[i];
        ck_assert_status(sw_profiler_new(&options, &profiler), SW_TYPE_ERROR);
        ck_assert_message("record_shapes");
    }
    ck_assert_ptr_null(profiler);
}
END_TEST

START_TEST(options_without_a_size_are_refused)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_profiler *profiler = NULL;

    options.struct_bytes = 0;
    ck_assert_status(sw_profiler_new(&options, &profiler), SW_TYPE_ERROR);
    ck_assert_ptr_null(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("selection", record_all_carrier_classes_by_default, select_one_exact_carrier_class,
           select_no_carrier_classes, the_filter_is_copied_at_creation, reject_an_invalid_carrier_filter,
           reject_an_invalid_shape_option, options_without_a_size_are_refused)
