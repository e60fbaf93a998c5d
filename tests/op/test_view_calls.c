/*
 * Views that are made by more than one operation, or asked for in words:
 * sw_broadcast_in_dim() and sw_rearrange_command() give the view that their
 * definitions name, or a ValueError where there is none. SW_ROUNDS says how
 * many of each are tried, SW_SEED which.
 */
#include "config.h"

#include "op_test.h"
#include "settings.h"
#include "view_model.h"

/* ---- Both ------------------------------------------------------------------------------------------ */

typedef enum sw_status call_fn(const struct sw_tensor *in, const void *arguments, struct sw_tensor **ret_tensor);

/* Whether there was such a view. */
static int check_call(const struct sample *sample, const struct view_model *model, enum model_verdict verdict,
                      call_fn *call, const void *arguments, struct sw_carrier_class *on)
{
    struct sw_operand operands[SAMPLE_OPERANDS];
    struct sw_tensor *view = NULL;

    sample_build(sample, on, SAMPLE_AS_MADE, operands);
    const enum sw_status status = call(operands[0].as.tensor, arguments, &view);
    ck_assert_msg(status == (verdict == MODEL_EXISTS ? SW_OK : SW_VALUE_ERROR), "%s (%s): %s", sw_status_name(status),
                  sw_error_message(), sample_text(sample));
    if (status == SW_OK)
        model_check(sample, model, view);
    sw_tensor_unref(view);
    sample_drop(sample, operands);
    return status == SW_OK;
}

/* Samples are good ones mostly, and bad ones now and then. */
static void assert_mixed(int64_t n_views, int64_t n_rounds)
{
    ck_assert_msg(n_views * 4 >= n_rounds && (n_rounds - n_views) * 50 >= n_rounds, "of %lld samples %lld are views",
                  (long long)n_rounds, (long long)n_views);
}

/* ---- Broadcasts into dims --------------------------------------------------------------------------- */

struct dims {
    const struct sw_tree *target;
    int64_t at[MAX_MODES + 2];
    size_t n;
};

static enum sw_status broadcast_in_dim(const struct sw_tensor *in, const void *arguments, struct sw_tensor **ret_tensor)
{
    const struct dims *dims = arguments;

    return sw_broadcast_in_dim(in, dims->target, dims->at, dims->n, ret_tensor);
}

/* The tensor's modes, some of them wider, between new ones. */
static struct sw_tree *make_target(const struct sw_tree *shape, struct dims *dims, struct sample_random *random)
{
    struct sw_tree *wide = one_in(random, 12) ? narrowed(shape, random) : widened(shape, random);
    int64_t nodes[2 * MAX_NODES], n_modes = 0;
    size_t n = 0;

    dims->n = 0;
    for (size_t mode = 0; mode <= wide->n_modes; mode++) {
        for (; one_in(random, 3) && n_modes < MAX_MODES + 3; n_modes++) {
            if (one_in(random, 15))
                nodes[n++] = SW_TREE_NESTED(1);
            nodes[n++] = 1 + sample_below(random, 3);
        }
        if (mode == wide->n_modes)
            break;
        dims->at[dims->n++] = n_modes++;
        for (size_t i = sw__tree_mode_node(wide, mode); i < sw__tree_mode_node(wide, mode + 1); i++)
            nodes[n++] = wide->nodes[i];
    }
    if (dims->n > 0 && one_in(random, 15))
        dims->at[sample_below(random, (int64_t)dims->n)] += sample_below(random, 3) - 1;
    dims->n += one_in(random, 25) ? 1 : 0;
    dims->n -= dims->n > 0 && one_in(random, 25) ? 1 : 0;
    sw_tree_unref(wide);
    return make_tree(nodes, n);
}

START_TEST(a_broadcast_into_dims_repeats_what_its_definition_says)
{
    const int64_t n_rounds = setting("SW_ROUNDS", 500);
    struct sample_random random = { .state = (uint64_t)seed_of_test() };
    int64_t n_views = 0;

    for (int64_t round = 0; round < n_rounds; round++) {
        struct sample sample = { .name = "broadcast_in_dim" };
        struct view_model model;
        struct dims dims = { .n = 0 };
        struct sw_tree *wide = random_shape(&random, sample_below(&random, MAX_MODES)), *shape = narrowed(wide, &random);
        model_number_slots(add_placed(&sample, SW_INT32, random_layout(shape, &random), &random));
        add_tree(&sample, make_target(shape, &dims, &random));
        dims.target = sample.operands[1].tree;
        const enum model_verdict verdict = model_broadcast_in_dim(&model, &sample, dims.at, dims.n);
        n_views += check_call(&sample, &model, verdict, broadcast_in_dim, &dims,
                              round % 2 ? sw_cpu_class() : sw_generic_class());
        sw_tree_unref(wide);
        sw_tree_unref(shape);
        sample_clear(&sample);
    }
    assert_mixed(n_views, n_rounds);
}
END_TEST

/* ---- Commands ------------------------------------------------------------------------------------------ */

static enum sw_status rearrange_command(const struct sw_tensor *in, const void *arguments,
                                        struct sw_tensor **ret_tensor)
{
    return sw_rearrange_command(in, arguments, ret_tensor);
}

struct text {
    char bytes[1024];
    size_t n;
};

static void write_word(struct text *text, const char *word, int64_t number)
{
    const int n = number < 0 ? snprintf(text->bytes + text->n, sizeof text->bytes - text->n, "%s ", word)
                             : snprintf(text->bytes + text->n, sizeof text->bytes - text->n, "%s%lld ", word,
                                        (long long)number);

    text->n += (size_t)n;
    ck_assert_uint_lt(text->n, sizeof text->bytes);
}

/* One node and what is in it. A leaf is a symbol of its number, or a 1. */
static size_t write_node(struct text *text, const int64_t *nodes, size_t node, int64_t *n_leaves, uint64_t ones)
{
    const int64_t value = nodes[node++];

    if (!SW_TREE_IS_NESTED(value)) {
        const int64_t number = n_leaves != NULL ? (*n_leaves)++ : value;
        if ((n_leaves == NULL && value == SW_TREE_ANY) || (ones >> (number & 63) & 1))
            write_word(text, "1", -1);
        else
            write_word(text, "s", number);
        return node;
    }
    write_word(text, "(", -1);
    for (int64_t i = 0; i < SW_TREE_COUNT(value); i++)
        node = write_node(text, nodes, node, n_leaves, ones);
    write_word(text, ")", -1);
    return node;
}

/* The command of a sample of rearrange; parts that are placed nowhere may be 1 in it. */
static void write_command(struct text *text, const struct sample *sample, struct sample_random *random)
{
    const struct sw_tree *output = sample->operands[1].tree, *selection = sample->operands[2].tree;
    const struct sw_tree *in = selection != NULL ? selection : sample->operands[0].layout->shape;
    uint64_t ones = one_in(random, 2) ? UINT64_MAX : 0;
    int64_t n_leaves = 0;

    for (size_t i = 0; i < output->n_nodes; i++)
        if (!SW_TREE_IS_NESTED(output->nodes[i]) && output->nodes[i] != SW_TREE_ANY)
            ones &= ~(UINT64_C(1) << output->nodes[i]);
    text->n = 0;
    for (size_t node = 0; node < in->n_nodes;)
        node = write_node(text, in->nodes, node, &n_leaves, ones);
    write_word(text, "->", -1);
    for (size_t node = 0; node < output->n_nodes;)
        node = write_node(text, output->nodes, node, NULL, 0);
}

static size_t row_of_rearrange(struct sample_random *random)
{
    struct sample sample;

    for (size_t row = 0; row < sample_n_rows(); row++) {
        sample_make(&sample, row, random);
        const int is_it = strcmp(sample.name, "rearrange") == 0;
        sample_clear(&sample);
        if (is_it)
            return row;
    }
    ck_abort_msg("no row of rearrange");
    return 0;
}

START_TEST(a_command_places_the_modes_that_it_names)
{
    const int64_t n_rounds = setting("SW_ROUNDS", 500);
    struct sample_random random = { .state = (uint64_t)seed_of_test() };
    const size_t row = row_of_rearrange(&random);
    int64_t n_views = 0;

    for (int64_t round = 0; round < n_rounds; round++) {
        struct view_model model;
        struct sample sample;
        struct text text;
        sample_make(&sample, row, &random);
        model_number_slots(&sample.operands[0]);
        model_view(&model, &sample);
        write_command(&text, &sample, &random);
        /* Something stands on both sides of an arrow: there is no command for a tensor without modes. */
        const int is_sayable = text.bytes[0] != '-' && sample.operands[1].tree->n_nodes > 0;
        n_views += check_call(&sample, &model, is_sayable ? model.verdict : MODEL_REFUSED, rearrange_command, text.bytes,
                              round % 2 ? sw_cpu_class() : sw_generic_class());
        sample_clear(&sample);
    }
    assert_mixed(n_views, n_rounds);
}
END_TEST

CHECK_MAIN("view_calls", a_broadcast_into_dims_repeats_what_its_definition_says,
           a_command_places_the_modes_that_it_names)
