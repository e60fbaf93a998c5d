/*
 * The scatter primitive: its checks, in order, for any class.
 */
#include "config.h"

#include <strideweave/tensor.h>

#include "carrier/carrier.h"
#include "carrier/foreign.h"
#include "check_main.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

static int n_scatters;

static enum sw_status scatter_nothing(struct sw_carrier *carrier, const struct sw_tensor *source,
                                      const struct sw_tensor *onto, const struct sw_layout *mapping,
                                      int64_t mapping_offset)
{
    (void)carrier, (void)source, (void)onto, (void)mapping, (void)mapping_offset;
    n_scatters++;
    return SW_OK;
}

static struct sw_carrier_class scattering = FOREIGN_CLASS_INIT;

/* A receiver of 6 slots with a tensor 2:1 at slot 1 on it, a source of 2 elements, the mapping 2:2. */
static struct sw_carrier *receiver;
static struct sw_tensor *source, *onto;
static struct sw_layout *mapping;

static struct sw_layout *layout_of(const char *text)
{
    struct sw_layout *layout = NULL;

    ck_assert_int_eq(sw_layout_parse(text, &layout), SW_OK);
    return layout;
}

static struct sw_tensor *tensor_on(struct sw_carrier *carrier, int64_t offset, const char *text)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of(text);
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_tensor_new(carrier, offset, layout, &tensor), SW_OK);
    return tensor;
}

static void set_up(void)
{
    struct sw_carrier *values SW__OWNED_CARRIER = NULL;

    scattering.scatter = scatter_nothing;
    n_scatters = 0;
    ck_assert_int_eq(foreign_allocate(&scattering, 6, 1, SW_FLOAT32, 0, &receiver), SW_OK);
    ck_assert_int_eq(sw_cpu_new(2, NULL, &values), SW_OK);
    source = tensor_on(values, 0, "2:1");
    onto = tensor_on(receiver, 1, "2:1");
    mapping = layout_of("2:2");
}

static void tear_down(void)
{
    receiver->owner_token = 0;
    sw_layout_unref(mapping);
    sw_tensor_unref(onto);
    sw_tensor_unref(source);
    sw_carrier_unref(receiver);
}

static void expect_refused(enum sw_status expected, enum sw_status status)
{
    ck_assert_int_eq(status, expected);
    ck_assert_int_eq(n_scatters, 0);
    ck_assert_uint_eq(sw_carrier_version(receiver), 0);
}

START_TEST(a_scatter_is_one_version)
{
    ck_assert_int_eq(sw_carrier_scatter(receiver, source, onto, mapping, 1), SW_OK);
    ck_assert_int_eq(n_scatters, 1);
    ck_assert_uint_eq(sw_carrier_version(receiver), 1);
}
END_TEST

START_TEST(mutability_is_checked_first)
{
    foreign_of(receiver)->is_mutable = 0;
    expect_refused(SW_RUNTIME_ERROR, sw_carrier_scatter(receiver, NULL, NULL, NULL, -1));
    foreign_of(receiver)->is_mutable = 1;
    receiver->owner_token = 3;
    expect_refused(SW_RUNTIME_ERROR, sw_carrier_scatter(receiver, NULL, NULL, NULL, -1));
}
END_TEST

START_TEST(arguments_of_another_kind_are_type_errors)
{
    const struct sw_tensor *no_tensor = (const struct sw_tensor *)(const void *)mapping;
    const struct sw_layout *no_layout = (const struct sw_layout *)(const void *)source;

    expect_refused(SW_TYPE_ERROR, sw_carrier_scatter(NULL, source, onto, mapping, 0));
    expect_refused(SW_TYPE_ERROR, sw_carrier_scatter(receiver, no_tensor, onto, mapping, 0));
    expect_refused(SW_TYPE_ERROR, sw_carrier_scatter(receiver, source, NULL, mapping, 0));
    expect_refused(SW_TYPE_ERROR, sw_carrier_scatter(receiver, source, onto, no_layout, 0));
}
END_TEST

START_TEST(onto_must_be_on_the_receiver)
{
    expect_refused(SW_VALUE_ERROR, sw_carrier_scatter(receiver, source, source, mapping, 0));
}
END_TEST

START_TEST(the_mapping_has_the_shape_of_the_source)
{
    struct sw_layout *wider SW__OWNED_LAYOUT = layout_of("3:1");
    struct sw_layout *deeper SW__OWNED_LAYOUT = layout_of("(2,1):(1,1)");

    expect_refused(SW_VALUE_ERROR, sw_carrier_scatter(receiver, source, onto, wider, 0));
    expect_refused(SW_VALUE_ERROR, sw_carrier_scatter(receiver, source, onto, deeper, 0));
}
END_TEST

START_TEST(the_mapping_stays_inside_the_receiver)
{
    expect_refused(SW_VALUE_ERROR, sw_carrier_scatter(receiver, source, onto, mapping, -1));
    ck_assert_int_eq(sw_carrier_scatter(receiver, source, onto, mapping, 2), SW_OK);
    ck_assert_int_eq(sw_carrier_scatter(receiver, source, onto, mapping, 3), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_carrier_scatter(receiver, source, onto, mapping, INT64_MAX), SW_VALUE_ERROR);
    ck_assert_uint_eq(sw_carrier_version(receiver), 1);
}
END_TEST

START_TEST(a_released_source_or_receiver_is_a_runtime_error)
{
    ck_assert_int_eq(sw_carrier_release(sw_tensor_carrier(source)), SW_OK);
    expect_refused(SW_RUNTIME_ERROR, sw_carrier_scatter(receiver, source, onto, mapping, 0));
    ck_assert_int_eq(sw_carrier_release(receiver), SW_OK);
    expect_refused(SW_RUNTIME_ERROR, sw_carrier_scatter(receiver, source, onto, mapping, 0));
}
END_TEST

START_TEST(a_class_without_scatter_does_not_implement_it)
{
    scattering.scatter = NULL;
    expect_refused(SW_NOT_IMPLEMENTED_ERROR, sw_carrier_scatter(receiver, source, onto, mapping, 0));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_scatter_is_one_version,
        mutability_is_checked_first,
        arguments_of_another_kind_are_type_errors,
        onto_must_be_on_the_receiver,
        the_mapping_has_the_shape_of_the_source,
        the_mapping_stays_inside_the_receiver,
        a_released_source_or_receiver_is_a_runtime_error,
        a_class_without_scatter_does_not_implement_it,
    };
    Suite *suite = suite_create("scatter");
    TCase *tcase = tcase_create("scatter");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
