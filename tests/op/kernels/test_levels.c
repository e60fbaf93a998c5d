/*
 * Kernels at every level that this processor has: the same bits as at the first
 * one, whatever the length and the alignment of what they are given, and the
 * stated bounds against the C library's long double functions.
 * SW_STEP says how many binary32 numbers are left out between two that are tried; 1 tries all.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "op/level.h"
#include "op/op.h"

#include "op_test.h"

/* Longer than twice the widest vector, and not a multiple of it. */
#define LENGTH 77

static const float specials[] = { 0.0f,      -0.0f,      1.0f,      -1.0f,     NAN,        INFINITY, -INFINITY, 1e-45f,
                                  -1e-45f,   0x1p-126f,  -0x1p-126f, 0.5f,     -0.5f,      88.7f,    -103.9f,   1e38f,
                                  -1e38f,    3.4e38f,    0.4142135f, 0.7071068f, 1.4142135f, 3.9f,   -7.5f,     20.5f,
                                  1048575.0f, 1048577.0f, 3e9f,      -2e20f,   2.5f,       -3.5f,    126.5f,    -149.5f };

/* Special values first, then numbers of every size. */
static void fill(float *values, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        const float scale = ldexpf(1.0f, (int)(seed >> 27) - 16);
        values[i] = i < N_OF(specials) ? specials[(i + (seed >> 3)) % N_OF(specials)]
                                       : scale * ((float)(int32_t)seed / 2147483648.0f);
    }
}

static const struct sw__op *row_named(enum sw__level level, const char *name)
{
    for (size_t row = 0; sw__op_at(level, row) != NULL; row++)
        if (strcmp(sw__op_at(level, row)->name, name) == 0)
            return sw__op_at(level, row);
    ck_abort_msg("no row %s", name);
    return NULL;
}

static int same_bytes(const unsigned char *a, const unsigned char *b, size_t n_elements, size_t bytes)
{
    for (size_t i = 0; i < n_elements; i++) {
        float x = 0, y = 0;
        if (memcmp(a + i * bytes, b + i * bytes, bytes) == 0)
            continue;
        if (bytes != sizeof x)
            return 0;
        memcpy(&x, a + i * bytes, bytes);
        memcpy(&y, b + i * bytes, bytes);
        if (!isnan(x) || !isnan(y))
            return 0;
    }
    return 1;
}

/* Both loops on the same elements, at an address that is aligned to an element only. */
static void compare_loops(const char *name, sw__loop_fn *loop, sw__loop_fn *first, size_t bytes)
{
    _Alignas(64) float operands[3][LENGTH + 16];
    _Alignas(64) unsigned char out[(LENGTH + 16) * sizeof(float)], expected[(LENGTH + 16) * sizeof(float)];

    for (size_t n = 1; n <= LENGTH; n++)
        for (size_t shift = 0; shift < 3; shift++) {
            const void *in[] = { operands[0] + shift, operands[1] + 2 * shift, operands[2] + 5 * shift };
            for (size_t i = 0; i < 3; i++)
                fill(operands[i], LENGTH + 16, (uint32_t)(n * 31 + shift * 7 + i));
            memset(out, 0x5a, sizeof out);
            memset(expected, 0x5a, sizeof expected);
            ck_assert_int_eq(loop(out + shift * bytes, in, n), first(expected + shift * bytes, in, n));
            ck_assert_msg(same_bytes(out, expected, n + 8, bytes), "%s of %zu elements", name, n);
        }
}

static size_t result_bytes(const char *name)
{
    static const char *const bools[] = { "eq", "ne", "lt", "le", "logical_not" };

    for (size_t i = 0; i < N_OF(bools); i++)
        if (strcmp(bools[i], name) == 0)
            return 1;
    return sizeof(float);
}

START_TEST(every_level_gives_the_bits_of_the_first)
{
    static const char *const names[] = {
        "add",  "sub",  "mul",  "div",   "pow",  "maximum", "minimum", "rem",   "eq",      "ne",   "lt",
        "le",   "neg",  "abs",  "sign",  "recip", "sqrt",   "rsqrt",   "exp",   "exp2",    "log",  "log2",
        "sin",  "cos",  "erf",  "floor", "ceil", "round",   "relu",    "sigmoid", "tanh",  "gelu", "silu",
        "softplus", "elu", "leaky_relu", "logical_not",
    };

    for (int level = 0; level <= (int)sw__level_highest(); level++) {
        for (size_t i = 0; i < N_OF(names); i++) {
            const struct sw__elementwise_kernel *kernel = row_named((enum sw__level)level, names[i])->kernel;
            const struct sw__elementwise_kernel *first = row_named(SW__LEVEL_PLAIN, names[i])->kernel;
            compare_loops(names[i], kernel->f32, first->f32, result_bytes(names[i]));
        }
        const struct sw__ternary_kernel *clamp = row_named((enum sw__level)level, "clamp")->kernel;
        const struct sw__ternary_kernel *first = row_named(SW__LEVEL_PLAIN, "clamp")->kernel;
        compare_loops("clamp", clamp->f32, first->f32, sizeof(float));
    }
}
END_TEST

static void fold_rows(const struct sw__fold *fold, const float *terms, size_t n_terms, size_t n, uint32_t *out)
{
    _Alignas(64) unsigned char states[LENGTH * SW__FOLD_STATE_BYTES];

    fold->start(states, terms, n);
    for (size_t k = 0; k < n_terms; k++)
        fold->across(states, terms + k * n, (int64_t)k, n);
    ck_assert_int_eq(fold->finish(out, states, n), 0);
}

static void fold_along(const struct sw__fold *fold, const float *terms, size_t n_terms, uint32_t *out)
{
    _Alignas(16) unsigned char state[SW__FOLD_STATE_BYTES];

    fold->start(state, terms, 1);
    fold->along(state, terms, 0, n_terms);
    ck_assert_int_eq(fold->finish(out, state, 1), 0);
}

START_TEST(folds_of_every_level_give_the_bits_of_the_first)
{
    static const char *const names[] = { "reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "argmax", "argmin" };
    static float terms[9 * LENGTH], line[9 * LENGTH];
    uint32_t out[LENGTH] = { 0 }, expected[LENGTH] = { 0 };

    for (int level = 0; level <= (int)sw__level_highest(); level++)
        for (size_t i = 0; i < N_OF(names); i++) {
            const struct sw__reduce_kernel *kernel = row_named((enum sw__level)level, names[i])->kernel;
            const struct sw__reduce_kernel *first = row_named(SW__LEVEL_PLAIN, names[i])->kernel;
            for (uint32_t seed = 0; seed < 20; seed++) {
                fill(terms, N_OF(terms), seed);
                memcpy(line, terms + 40, sizeof line - 40 * sizeof line[0]);
                fold_rows(kernel->f32, terms, 9, LENGTH, out);
                fold_rows(first->f32, terms, 9, LENGTH, expected);
                ck_assert_msg(same_bytes((const void *)out, (const void *)expected, LENGTH, 4), "%s", names[i]);
                for (size_t n = 1; n < N_OF(line) - 40; n += 1 + n / 5) {
                    fold_along(kernel->f32, line, n, out);
                    fold_along(first->f32, line, n, expected);
                    ck_assert_msg(same_bytes((const void *)out, (const void *)expected, 1, 4), "%s of %zu", names[i],
                                  n);
                }
            }
        }
}
END_TEST

/* In whatever groups the terms of an extreme are taken, the result is that of one after the other. */
START_TEST(extremes_do_not_depend_on_groups)
{
    static const char *const names[] = { "reduce_max", "reduce_min", "argmax", "argmin" };
    static float line[8 * LENGTH];

    for (size_t i = 0; i < N_OF(names); i++) {
        const struct sw__reduce_kernel *kernel = row_named(sw__level_highest(), names[i])->kernel;
        ck_assert(kernel->f32->is_free);
        for (uint32_t seed = 0; seed < 200; seed++) {
            uint32_t out = 0, expected = 0;
            fill(line, N_OF(line), seed);
            const float *from = line + seed % 64;
            fold_along(kernel->f32, from, 500, &out);
            fold_rows(kernel->f32, from, 500, 1, &expected);
            ck_assert_msg(same_bytes((const void *)&out, (const void *)&expected, 1, 4), "%s", names[i]);
        }
    }
}
END_TEST

/* ---- Bounds ------------------------------------------------------------------------------------- */

/* Distance in units in the last place of the expected value's binary32. */
static double distance(float got, long double expected)
{
    const float rounded = (float)expected;
    int exponent;

    if ((isnan(got) && isnan(rounded)) || (got == rounded && (isinf(got) || got == 0.0f)))
        return 0;
    if (isnan(got) || isnan(rounded) || isinf(got) != isinf(rounded))
        return 1e9;
    (void)frexpf(fabsf(rounded) < 0x1p-126f ? 0x1p-126f : rounded, &exponent);
    return (double)(fabsl((long double)got - expected) / ldexpl(1.0L, exponent - 24));
}

static void assert_bound(const char *name, long double (*function)(long double x), double bound, int64_t step)
{
    static float in[1024], out[1024];
    const struct sw__elementwise_kernel *kernel = row_named(sw__level_highest(), name)->kernel;
    const void *operands[] = { in };
    size_t n = 0;

    for (int64_t bits = 0; bits < INT64_C(1) << 32; bits += step) {
        const uint32_t word = (uint32_t)bits;
        memcpy(&in[n++], &word, sizeof word);
        if (n < N_OF(in) && bits + step < INT64_C(1) << 32)
            continue;
        ck_assert_int_eq(kernel->f32(out, operands, n), 0);
        for (size_t i = 0; i < n; i++) {
            const double came = distance(out[i], function((long double)in[i]));
            ck_assert_msg(came <= bound, "%s(%a) is %a, off by %g units", name, (double)in[i], (double)out[i], came);
        }
        n = 0;
    }
}

START_TEST(transcendental_functions_keep_their_bounds)
{
    static const struct {
        const char *name;
        long double (*function)(long double x);
        double bound;
    } rows[] = {
        { "exp", expl, 0.6 },  { "exp2", exp2l, 1.25 }, { "log", logl, 0.55 }, { "log2", log2l, 1.7 },
        { "tanh", tanhl, 0.7 }, { "erf", erfl, 0.55 },  { "sin", sinl, 0.6 },  { "cos", cosl, 0.6 },
    };
    const char *text = getenv("SW_STEP");
    const int64_t step = text != NULL ? strtoll(text, NULL, 10) : 40961;

    for (size_t i = 0; i < N_OF(rows); i++)
        assert_bound(rows[i].name, rows[i].function, rows[i].bound, step > 0 ? step : 1);
}
END_TEST

CHECK_MAIN("levels", every_level_gives_the_bits_of_the_first, folds_of_every_level_give_the_bits_of_the_first,
           extremes_do_not_depend_on_groups, transcendental_functions_keep_their_bounds)
