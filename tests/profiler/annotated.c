/*
 * A program that says what it does: ranges, steps, phases, metadata. Run by
 * test_annotated.sh, with and without the shim; the first argument names what
 * it does, the second how many steps it has.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strideweave/strideweave.h>
#include <swprof/annotate.h>

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static int n_failed;

static void expect(int condition, const char *text, int line)
{
    if (condition)
        return;
    fprintf(stderr, "line %d: not %s\n", line, text);
    n_failed++;
}

static void operate(int n)
{
    struct sw_tensor *in = NULL, *out = NULL;
    struct sw_tree *shape = NULL;

    EXPECT(sw_tree_parse("(2,3)", &shape) == SW_OK);
    EXPECT(sw_tensor_zeros(sw_generic_class(), SW_FLOAT32, shape, &in) == SW_OK);
    for (int i = 0; i < n; i++) {
        EXPECT(sw_neg(in, &out) == SW_OK);
        sw_tensor_unref(out);
    }
    sw_tensor_unref(in);
    sw_tree_unref(shape);
}

static void leave_by_return(void)
{
    SWPROF_RANGE("returned from")
    {
        SWPROF_RANGE("inside")
            return;
    }
}

/* What the calls return depends on nobody who listens. */
static void check_statuses(void)
{
    static char long_name[100000];

    EXPECT(swprof_range_pop() == SWPROF_NO_RANGE);
    EXPECT(swprof_range_pop_to(0) == SWPROF_NO_RANGE);
    EXPECT(swprof_range_push("a") == 0);
    EXPECT(swprof_range_push("b") == 1);
    EXPECT(swprof_range_pop_to(2) == SWPROF_NO_RANGE);
    EXPECT(swprof_range_push(NULL) == 2);
    EXPECT(swprof_range_pop_to(1) == SWPROF_OK);
    EXPECT(swprof_range_pop() == SWPROF_OK);
    EXPECT(swprof_range_pop() == SWPROF_NO_RANGE);
    memset(long_name, 'x', sizeof long_name - 1);
    EXPECT(swprof_range_push(long_name) == 0);
    EXPECT(swprof_range_pop() == SWPROF_OK);
    for (int i = 0; i < 3; i++)
        SWPROF_RANGE("left")
            break;
    leave_by_return();
    EXPECT(swprof_range_push("c") == 0);
    EXPECT(swprof_range_pop() == SWPROF_OK);
    EXPECT(swprof_step() == 1);
    EXPECT(swprof_step() == 2);
    swprof_step_set(100);
    EXPECT(swprof_step() == 101);
    swprof_phase(NULL);
    swprof_phase("alone");
    swprof_metadata_text(NULL, NULL);
    swprof_metadata_number("not a number", __builtin_nan(""));
    EXPECT(strcmp(swprof_status_text(SWPROF_NO_RANGE), "no range is open on this thread") == 0);
}

/* Each step: two operations in "forward", one in "backward", one in neither. */
static void train(uint64_t n_steps)
{
    swprof_metadata_text("model", "mlp");
    swprof_metadata_number("rate", 0.125);
    swprof_phase("train");
    swprof_step_set(0);
    for (uint64_t i = 0; i < n_steps; i++) {
        SWPROF_RANGE("forward")
            operate(2);
        SWPROF_RANGE("backward")
            operate(1);
        operate(1);
        EXPECT(swprof_step() == i + 1);
    }
    swprof_phase("infer");
    SWPROF_RANGE("forward")
        operate(1);
}

static void train_scheduled(uint64_t n_steps)
{
    const struct swprof_schedule none = {.active = 0};
    const struct swprof_schedule schedule = {.wait = 1, .active = 2, .repeat = 2, .skip_first = 1};
    struct swprof_options options = SWPROF_OPTIONS_INIT;

    options.schedule = &none;
    EXPECT(swprof_enable(&options) == SWPROF_INVALID_OPTIONS);
    options.schedule = &schedule;
    options.label = "cycle";
    EXPECT(swprof_enable(&options) == SWPROF_OK);
    train(n_steps);
    EXPECT(swprof_disable() == SWPROF_OK);
    EXPECT(swprof_disable() == SWPROF_NOT_ENABLED);
    operate(1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    uint64_t n_steps = argc > 2 ? strtoull(argv[2], NULL, 10) : 5;

    if (strcmp(what, "train") == 0)
        train(n_steps);
    else if (strcmp(what, "scheduled") == 0)
        train_scheduled(n_steps);
    else
        check_statuses();
    return n_failed != 0;
}
