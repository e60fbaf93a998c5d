/*
 * Properties of every operation, on random operands: CPU agrees with Generic,
 * and what is computed does not depend on the layouts of the operands.
 * SW_ROUNDS says how many samples of each operation are tried, SW_SEED which.
 */
#include "config.h"

#include "op_test.h"
#include "sample.h"
#include "settings.h"

/* An element as a number; not-a-number when it cannot be read. */
static double element(const struct sw_tensor *tensor, int64_t ordinal)
{
    struct sw_scalar value;

    if (sw_tensor_get_ordinal(tensor, ordinal, &value) != SW_OK)
        return (double)NAN;
    if (value.kind == SW_SCALAR_FLOATING)
        return value.as.floating;
    return value.kind == SW_SCALAR_INTEGER ? (double)value.as.integer : (double)value.as.boolean;
}

static void assert_same_values(const struct sample *sample, const struct sw_tensor *a, const struct sw_tensor *b)
{
    ck_assert_msg(sw_tensor_dtype(a) == sw_tensor_dtype(b), "dtypes differ: %s", sample_text(sample));
    ck_assert_msg(sw_tree_equal(sw_tensor_shape(a), sw_tensor_shape(b)), "shapes differ: %s", sample_text(sample));
    for (int64_t i = 0; i < sw_tensor_size(a); i++)
        if (!same_value(element(a, i), element(b, i)))
            ck_abort_msg("element %lld is %.9g and %.9g: %s", (long long)i, element(a, i), element(b, i),
                         sample_text(sample));
}

/* The status, and a result that is given back with sw_tensor_unref(); operands of the same sample. */
static enum sw_status run(const struct sample *sample, struct sw_carrier_class *on, enum sample_layouts layouts,
                          struct sw_tensor **ret_tensor)
{
    struct sw_operand operands[SAMPLE_OPERANDS];

    *ret_tensor = NULL;
    sample_build(sample, on, layouts, operands);
    enum sw_status status = sample_run(sample, operands, ret_tensor);
    sample_drop(sample, operands);
    ck_assert_msg((status == SW_OK) == (*ret_tensor != NULL), "%s", sample_text(sample));
    return status;
}

/* Whether the operation ran. */
static int check_sample(const struct sample *sample)
{
    struct sw_tensor *generic, *cpu, *plain;
    enum sw_status expected = run(sample, sw_generic_class(), SAMPLE_AS_MADE, &generic);
    enum sw_status came = run(sample, sw_cpu_class(), SAMPLE_AS_MADE, &cpu);

    ck_assert_msg(came == expected, "Generic says %s, CPU %s: %s", sw_status_name(expected), sw_status_name(came),
                  sample_text(sample));
    if (expected == SW_OK) {
        ck_assert_msg(sw_layout_equal(sw_tensor_layout(generic), sw_tensor_layout(cpu)), "layouts differ: %s",
                      sample_text(sample));
        assert_same_values(sample, generic, cpu);
    }
    if (strcmp(sample->family, "view") != 0) {
        came = run(sample, sw_generic_class(), SAMPLE_CANONICAL, &plain);
        ck_assert_msg(came == expected, "%s, on canonical copies %s: %s", sw_status_name(expected),
                      sw_status_name(came), sample_text(sample));
        if (expected == SW_OK)
            assert_same_values(sample, generic, plain);
        sw_tensor_unref(plain);
    }
    sw_tensor_unref(generic);
    sw_tensor_unref(cpu);
    return expected == SW_OK;
}

/* Samples are mostly good, so that kernels are tried and not only refusals, and those of every plan. */
static void check_row(size_t row, int64_t n_rounds, struct sample_random *random)
{
    uint64_t plans = 0, n_plans = 0;
    int64_t n_succeeded = 0;
    struct sample sample;

    for (int64_t round = 0; round < n_rounds; round++) {
        sample_make(&sample, row, random);
        const int has_run = check_sample(&sample);
        n_succeeded += has_run;
        if (sample.policy != NULL) {
            const struct sw__policy_rows rows = sw__policy_find(sample.name);
            n_plans = rows.n;
            plans |= (uint64_t)has_run << (sample.policy - rows.first);
        }
        sample_clear(&sample);
    }
    ck_assert_msg(n_succeeded * 4 >= n_rounds, "only %lld of %lld samples of row %zu succeed", (long long)n_succeeded,
                  (long long)n_rounds, row);
    ck_assert_msg(plans == (UINT64_C(1) << n_plans) - 1, "of %llu plans of row %zu only %#llx have run",
                  (unsigned long long)n_plans, row, (unsigned long long)plans);
}

START_TEST(carriers_agree_and_layouts_do_not_matter)
{
    const int64_t n_rounds = setting("SW_ROUNDS", 40);
    struct sample_random random = { .state = (uint64_t)seed_of_test() };

    for (size_t row = 0; row < sample_n_rows(); row++)
        check_row(row, n_rounds, &random);
}
END_TEST

CHECK_MAIN("agreement", carriers_agree_and_layouts_do_not_matter)
