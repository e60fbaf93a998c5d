/*
 * Views of random tensors hold, element by element, what their definitions
 * say; where there is no such view, it is refused. SW_ROUNDS says how many of
 * each view are tried, SW_SEED which.
 */
#include "config.h"

#include "op_test.h"
#include "settings.h"
#include "view_model.h"

/* Whether there was such a view. */
static int check_sample(const struct sample *sample, const struct view_model *model, struct sw_carrier_class *on)
{
    struct sw_operand operands[SAMPLE_OPERANDS];
    struct sw_tensor *view = NULL;

    sample_build(sample, on, SAMPLE_AS_MADE, operands);
    const enum sw_status status = sample_run(sample, operands, &view);
    if (status == SW_OK) {
        ck_assert_msg(model->verdict != MODEL_REFUSED, "there is no such view: %s", sample_text(sample));
        ck_assert_ptr_eq(sw_tensor_carrier(view), sw_tensor_carrier(operands[0].as.tensor));
        model_check(sample, model, view);
    } else {
        ck_assert_msg(status == SW_VALUE_ERROR && model->verdict != MODEL_EXISTS, "%s (%s): %s",
                      sw_status_name(status), sw_error_message(), sample_text(sample));
        ck_assert_ptr_null(view);
    }
    sw_tensor_unref(view);
    sample_drop(sample, operands);
    return status == SW_OK;
}

static void check_row(size_t row, int64_t n_rounds, struct sample_random *random)
{
    int64_t n_views = 0, n_refused = 0;
    struct view_model model;
    struct sample sample;

    for (int64_t round = 0; round < n_rounds; round++) {
        sample_make(&sample, row, random);
        if (strcmp(sample.family, "view") == 0) {
            model_number_slots(&sample.operands[0]);
            model_view(&model, &sample);
            n_views += check_sample(&sample, &model, round % 2 ? sw_cpu_class() : sw_generic_class());
            n_refused += model.verdict == MODEL_REFUSED;
        }
        const int is_view = strcmp(sample.family, "view") == 0;
        sample_clear(&sample);
        if (!is_view)
            return;
    }
    ck_assert_msg(n_views * 4 >= n_rounds && n_refused * 50 >= n_rounds,
                  "of %lld samples of row %zu there are %lld views, and %lld are refused", (long long)n_rounds, row,
                  (long long)n_views, (long long)n_refused);
}

START_TEST(a_view_holds_the_elements_that_its_definition_names)
{
    const int64_t n_rounds = setting("SW_ROUNDS", 500);
    struct sample_random random = { .state = (uint64_t)seed_of_test() };

    for (size_t row = 0; row < sample_n_rows(); row++)
        check_row(row, n_rounds, &random);
}
END_TEST

CHECK_MAIN("view_model", a_view_holds_the_elements_that_its_definition_names)
