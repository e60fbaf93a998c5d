/*
 * Contractions of random tensors by random commands are, on both carriers,
 * what the definition sums: over every value of every symbol the product of the
 * elements that it names. Numbers are small integers, which any order adds
 * exactly. SW_ROUNDS says how many are tried, SW_SEED which.
 */
#include "config.h"

#include "op_test.h"
#include "settings.h"
#include "view_model.h"

#define MAX_SYMBOLS 5

enum side { A, B, RESULT, N_SIDES };

struct contraction {
    int64_t extents[MAX_SYMBOLS];
    int is_in[N_SIDES][MAX_SYMBOLS];
    size_t n_symbols;
    int has_batch;
    size_t order[N_SIDES][MAX_SYMBOLS]; /* symbols as they stand there */
    size_t n[N_SIDES];
    char command[256];
};

/* ---- Commands --------------------------------------------------------------------------------------- */

/* At least the first symbol is shared; the result has every symbol of one operand alone. */
static void choose_symbols(struct contraction *it, struct sample_random *random)
{
    *it = (struct contraction){ .n_symbols = 1 + (size_t)sample_below(random, MAX_SYMBOLS) };
    it->has_batch = one_in(random, 2);
    for (size_t s = 0; s < it->n_symbols; s++) {
        const int64_t where = s == 0 ? 2 : sample_below(random, 3);
        it->extents[s] = 1 + sample_below(random, 5);
        it->is_in[A][s] = where != 1;
        it->is_in[B][s] = where != 0;
        it->is_in[RESULT][s] = where != 2 || (it->has_batch && one_in(random, 2));
    }
}

static void choose_order(struct contraction *it, enum side side, struct sample_random *random)
{
    size_t *order = it->order[side];

    it->n[side] = 0;
    for (size_t s = 0; s < it->n_symbols; s++) {
        if (!it->is_in[side][s])
            continue;
        const size_t other = (size_t)sample_below(random, (int64_t)it->n[side] + 1);
        order[it->n[side]++] = order[other];
        order[other] = s;
    }
}

static void write_text(struct contraction *it, const char *text)
{
    const size_t used = strlen(it->command);

    snprintf(it->command + used, sizeof it->command - used, "%s", text);
}

/* A mode of its own for each symbol, or some of them in one; an operand's nodes are written beside. */
static size_t write_side(struct contraction *it, enum side side, int64_t *nodes, struct sample_random *random)
{
    const size_t n = it->n[side], begin = (size_t)sample_below(random, (int64_t)n + 1);
    const size_t end = begin + (one_in(random, 2) ? (size_t)sample_below(random, (int64_t)(n - begin) + 1) : 0);
    size_t n_nodes = 0;

    for (size_t i = 0; i < n; i++) {
        const size_t symbol = it->order[side][i];
        const char name[] = { (char)('a' + symbol), ' ', '\0' };
        if (i == begin && end > begin) {
            write_text(it, "(");
            nodes[n_nodes++] = SW_TREE_NESTED(end - begin);
        }
        write_text(it, name);
        /* Modes that are multiplied elementwise are nested alike. */
        if (!it->has_batch && side != RESULT && it->extents[symbol] % 2 == 0 && one_in(random, 3)) {
            nodes[n_nodes++] = SW_TREE_NESTED(2);
            nodes[n_nodes++] = 2;
            nodes[n_nodes++] = it->extents[symbol] / 2;
        } else {
            nodes[n_nodes++] = it->extents[symbol];
        }
        if (i + 1 == end && end > begin)
            write_text(it, ")");
    }
    if (n == 0 || one_in(random, 4)) {
        write_text(it, "1 ");
        nodes[n_nodes++] = 1;
    }
    return n_nodes;
}

static enum sw_dtype random_dtype(struct sample_random *random)
{
    return one_in(random, 2) ? SW_INT32 : SW_FLOAT32;
}

static void make_contraction(struct contraction *it, struct sample *sample, struct sample_random *random)
{
    static const char *const ends[N_SIDES] = { ", ", " -> ", "" };
    int64_t nodes[MAX_NODES];

    *sample = (struct sample){ .name = "einsum" };
    choose_symbols(it, random);
    for (enum side side = A; side < N_SIDES; side++) {
        choose_order(it, side, random);
        const size_t n_nodes = write_side(it, side, nodes, random);
        write_text(it, ends[side]);
        if (side == RESULT)
            return;
        struct sample_operand *operand = add_tensor(sample, random_dtype(random), make_tree(nodes, n_nodes), random);
        for (size_t i = 0; i < operand->n_slots; i++)
            operand->slots[i] = (double)(sample_below(random, 15) - 7);
    }
}

/* ---- The definition ----------------------------------------------------------------------------------- */

/* Of the element that the symbols' values name. */
static int64_t ordinal_of(const struct contraction *it, enum side side, const int64_t *values)
{
    int64_t ordinal = 0, step = 1;

    for (size_t i = 0; i < it->n[side]; i++) {
        ordinal += values[it->order[side][i]] * step;
        step *= it->extents[it->order[side][i]];
    }
    return ordinal;
}

static double element_of(const struct contraction *it, const struct sample *sample, enum side side,
                         const int64_t *values)
{
    const struct sample_operand *operand = &sample->operands[side];

    return operand->slots[model_slot(operand, ordinal_of(it, side, values))];
}

/* The next values of all symbols; 0 behind the last ones. */
static int advance(const struct contraction *it, int64_t *values)
{
    for (size_t s = 0; s < it->n_symbols; s++) {
        if (++values[s] < it->extents[s])
            return 1;
        values[s] = 0;
    }
    return 0;
}

static double expected[3125];

static void contract(const struct contraction *it, const struct sample *sample)
{
    int64_t values[MAX_SYMBOLS] = { 0 };

    memset(expected, 0, sizeof expected);
    do
        expected[ordinal_of(it, RESULT, values)] +=
            element_of(it, sample, A, values) * element_of(it, sample, B, values);
    while (advance(it, values));
}

/* ---- The library ---------------------------------------------------------------------------------------- */

static void check_contraction(const struct contraction *it, const struct sample *sample, struct sw_carrier_class *on)
{
    const int is_real = sample->operands[A].dtype == SW_FLOAT32 || sample->operands[B].dtype == SW_FLOAT32;
    struct sw_operand operands[SAMPLE_OPERANDS];
    struct sw_tensor *result = NULL;
    int64_t size = 1;

    for (size_t i = 0; i < it->n[RESULT]; i++)
        size *= it->extents[it->order[RESULT][i]];
    sample_build(sample, on, SAMPLE_AS_MADE, operands);
    const enum sw_status status = sw_einsum(operands[A].as.tensor, operands[B].as.tensor, it->command, &result);
    ck_assert_msg(status == SW_OK, "%s: %s: %s", sw_error_message(), it->command, sample_text(sample));
    ck_assert_int_eq((int)sw_tensor_dtype(result), (int)(is_real ? SW_FLOAT32 : SW_INT32));
    ck_assert_int_eq(sw_tensor_size(result), size);
    for (int64_t i = 0; i < size; i++)
        if (value_at(result, i) != expected[i])
            ck_abort_msg("element %lld is %.9g instead of %.9g: %s: %s", (long long)i, value_at(result, i),
                         expected[i], it->command, sample_text(sample));
    sw_tensor_unref(result);
    sample_drop(sample, operands);
}

START_TEST(a_contraction_sums_the_products_that_its_command_names)
{
    const int64_t n_rounds = setting("SW_ROUNDS", 400);
    struct sample_random random = { .state = (uint64_t)seed_of_test() };
    struct contraction it;
    struct sample sample;

    for (int64_t round = 0; round < n_rounds; round++) {
        make_contraction(&it, &sample, &random);
        contract(&it, &sample);
        check_contraction(&it, &sample, sw_generic_class());
        check_contraction(&it, &sample, sw_cpu_class());
        sample_clear(&sample);
    }
}
END_TEST

CHECK_MAIN("einsum", a_contraction_sums_the_products_that_its_command_names)
