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
#include "op/product.h"

#include "op_test.h"

/* Longer than twice the widest vector, and not a multiple of it. */
#define LENGTH 77

static const float specials[] = { 0.0f,      -0.0f,      1.0f,      -1.0f,     NAN,        INFINITY, -INFINITY, 1e-45f,
                                  -1e-45f,   0x1p-126f,  -0x1p-126f, 0.5f,     -0.5f,      88.7f,    -103.9f,   1e38f,
                                  -1e38f,    3.4e38f,    0.4142135f, 0.7071068f, 1.4142135f, 3.9f,   -7.5f,     20.5f,
                                  1048575.0f, 1048577.0f, 3e9f,      -2e20f,   2.5f,       -3.5f,    126.5f,    -149.5f };

typedef void fill_fn(void *slots, size_t n, uint32_t seed);

/* Special values first, then numbers of every size. */
static void fill_f32(void *slots, size_t n, uint32_t seed)
{
    float *values = slots;

    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        const float scale = ldexpf(1.0f, (int)(seed >> 27) - 16);
        values[i] = i < N_OF(specials) ? specials[(i + (seed >> 3)) % N_OF(specials)]
                                       : scale * ((float)(int32_t)seed / 2147483648.0f);
    }
}

/* Small ones and large ones; all are small by one seed of two, so that sums and products stay within int32. */
static void fill_i32(void *slots, size_t n, uint32_t seed)
{
    const int is_small = seed % 2 == 0;
    int32_t *values = slots;

    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = is_small || i % 8 != 0 ? (int32_t)(seed >> 24) - 100 : (int32_t)seed;
    }
}

static void fill_bool(void *slots, size_t n, uint32_t seed)
{
    uint8_t *values = slots;

    for (size_t i = 0; i < n * sizeof(float); i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (uint8_t)(seed >> 31);
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
static void compare_loops(const char *name, sw__loop_fn *loop, sw__loop_fn *first, fill_fn *const *fills, size_t bytes)
{
    _Alignas(64) uint32_t operands[3][LENGTH + 16];
    _Alignas(64) unsigned char out[(LENGTH + 16) * sizeof(float)], expected[(LENGTH + 16) * sizeof(float)];

    for (size_t n = 1; n <= LENGTH; n++)
        for (size_t shift = 0; shift < 3; shift++) {
            const void *in[] = { operands[0] + shift, operands[1] + 2 * shift, operands[2] + 5 * shift };
            for (size_t i = 0; i < 3; i++)
                fills[i](operands[i], LENGTH + 16, (uint32_t)(n * 31 + shift * 7 + i));
            memset(out, 0x5a, sizeof out);
            memset(expected, 0x5a, sizeof expected);
            const int left = first(expected + shift * bytes, in, n);
            ck_assert_int_eq(loop(out + shift * bytes, in, n), left);
            ck_assert_msg(left || same_bytes(out, expected, n + 8, bytes), "%s of %zu elements", name, n);
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
    static fill_fn *const floats[] = { fill_f32, fill_f32, fill_f32 };
    static fill_fn *const integers[] = { fill_i32, fill_i32, fill_i32 };
    static const struct {
        const char *name;
        fill_fn *fills[3];
    } ternaries[] = { { "clamp", { fill_f32, fill_f32, fill_f32 } }, { "select", { fill_bool, fill_f32, fill_f32 } } };
    int n_integer = 0;

    for (int level = 0; level <= (int)sw__level_highest(); level++) {
        for (size_t i = 0; i < N_OF(names); i++) {
            const struct sw__elementwise_kernel *kernel = row_named((enum sw__level)level, names[i])->kernel;
            const struct sw__elementwise_kernel *first = row_named(SW__LEVEL_PLAIN, names[i])->kernel;
            compare_loops(names[i], kernel->f32, first->f32, floats, result_bytes(names[i]));
            if (first->i32 != NULL)
                compare_loops(names[i], kernel->i32, first->i32, integers, sizeof(int32_t));
            n_integer += first->i32 != NULL;
        }
        for (size_t i = 0; i < N_OF(ternaries); i++) {
            const struct sw__ternary_kernel *kernel = row_named((enum sw__level)level, ternaries[i].name)->kernel;
            const struct sw__ternary_kernel *first = row_named(SW__LEVEL_PLAIN, ternaries[i].name)->kernel;
            compare_loops(ternaries[i].name, kernel->f32, first->f32, ternaries[i].fills, sizeof(float));
        }
    }
    ck_assert_int_ge(n_integer, 5 * ((int)sw__level_highest() + 1));
}
END_TEST

/* ---- Folds --------------------------------------------------------------------------------------- */

static int fold_rows(const struct sw__fold *fold, const uint32_t *terms, size_t n_terms, size_t n, uint32_t *out)
{
    _Alignas(64) unsigned char states[LENGTH * SW__FOLD_STATE_BYTES];

    fold->start(states, terms, n);
    for (size_t k = 0; k < n_terms; k++)
        fold->across(states, terms + k * n, (int64_t)k, n);
    return fold->finish(out, states, n);
}

static int fold_along(const struct sw__fold *fold, const uint32_t *terms, size_t n_terms, uint32_t *out)
{
    _Alignas(16) unsigned char state[SW__FOLD_STATE_BYTES];

    fold->start(state, terms, 1);
    fold->along(state, terms, 0, n_terms);
    return fold->finish(out, state, 1);
}

static int fold_tile(const struct sw__fold *fold, const uint32_t *terms, size_t n_terms, uint32_t *out)
{
    _Alignas(64) unsigned char states[SW__TILE_OUTPUTS * SW__FOLD_STATE_BYTES];

    fold->start(states, terms, SW__TILE_OUTPUTS);
    fold->tile(states, terms, 0, n_terms);
    return fold->finish(out, states, SW__TILE_OUTPUTS);
}

/* Terms of outputs side by side, @n_terms of each. */
static int fold_by_rows(const struct sw__fold *fold, const uint32_t *terms, size_t n_terms, uint32_t *out)
{
    _Alignas(64) unsigned char states[SW__TILE_OUTPUTS * SW__FOLD_STATE_BYTES];
    uint32_t firsts[SW__TILE_OUTPUTS];
    const void *rows[SW__TILE_OUTPUTS];

    for (size_t i = 0; i < SW__TILE_OUTPUTS; i++) {
        rows[i] = terms + i * n_terms;
        firsts[i] = terms[i * n_terms];
    }
    fold->start(states, firsts, SW__TILE_OUTPUTS);
    fold->rows(states, rows, 0, n_terms);
    return fold->finish(out, states, SW__TILE_OUTPUTS);
}

/* Terms of a fold; a line of them begins where no vector does. */
static _Alignas(64) uint32_t terms[9 * LENGTH];
#define LINE (terms + 41)
#define LINE_TERMS (9 * LENGTH - 41)

static int same_words(const uint32_t *a, const uint32_t *b, size_t n)
{
    return same_bytes((const unsigned char *)a, (const unsigned char *)b, n, sizeof *a);
}

/* All ways of taking terms give what they give at the first level; of tiles and rows the same, of terms one by one. */
static void compare_folds(const char *name, const struct sw__fold *fold, const struct sw__fold *first)
{
    uint32_t out[LENGTH], expected[LENGTH];

    int left = fold_rows(first, terms, 9, LENGTH, expected);
    ck_assert_int_eq(fold_rows(fold, terms, 9, LENGTH, out), left);
    ck_assert_msg(left || same_words(out, expected, LENGTH), "%s across", name);
    for (size_t n = 1; n <= LINE_TERMS; n += 1 + n / 5) {
        left = fold_along(first, LINE, n, expected);
        ck_assert_int_eq(fold_along(fold, LINE, n, out), left);
        ck_assert_msg(left || same_words(out, expected, 1), "%s along %zu", name, n);
    }
    for (size_t n = 1; n <= 9 * LENGTH / SW__TILE_OUTPUTS; n++) {
        left = fold_rows(first, terms, n, SW__TILE_OUTPUTS, expected);
        ck_assert_int_eq(fold_tile(fold, terms, n, out), left);
        ck_assert_msg(left || same_words(out, expected, SW__TILE_OUTPUTS), "%s of tiles of %zu", name, n);
    }
    for (size_t n = 1; n <= 9 * LENGTH / SW__TILE_OUTPUTS && fold->rows != NULL; n++) {
        for (size_t i = 0; i < SW__TILE_OUTPUTS; i++)
            (void)fold_along(first, terms + i * n, n, &expected[i]);
        (void)fold_by_rows(fold, terms, n, out);
        ck_assert_msg(same_words(out, expected, SW__TILE_OUTPUTS), "%s of rows of %zu", name, n);
    }
}

static const struct fold_slot {
    const char *name;
    size_t place; /* in struct sw__reduce_kernel */
    fill_fn *fill;
} fold_slots[] = {
    { "f32", offsetof(struct sw__reduce_kernel, f32), fill_f32 },
    { "f64", offsetof(struct sw__reduce_kernel, f64), fill_f32 },
    { "i32", offsetof(struct sw__reduce_kernel, i32), fill_i32 },
    { "grouped", offsetof(struct sw__reduce_kernel, grouped), fill_f32 },
};

static const struct sw__fold *fold_in(const struct sw__op *row, const struct fold_slot *slot)
{
    return *(const struct sw__fold *const *)(const void *)((const char *)row->kernel + slot->place);
}

static void compare_folds_in(const struct fold_slot *slot)
{
    static const char *const names[] = { "reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "argmax", "argmin" };
    int n_compared = 0;

    for (int level = 0; level <= (int)sw__level_highest(); level++)
        for (size_t i = 0; i < N_OF(names); i++) {
            const struct sw__fold *fold = fold_in(row_named((enum sw__level)level, names[i]), slot);
            const struct sw__fold *first = fold_in(row_named(SW__LEVEL_PLAIN, names[i]), slot);
            ck_assert_int_eq(fold == NULL, first == NULL);
            for (uint32_t seed = 0; seed < 20 && fold != NULL; seed++, n_compared++) {
                slot->fill(terms, N_OF(terms), seed);
                compare_folds(names[i], fold, first);
            }
        }
    ck_assert_msg(n_compared > 0, "no %s folds", slot->name);
}

START_TEST(folds_of_every_level_give_the_bits_of_the_first)
{
    for (size_t i = 0; i < N_OF(fold_slots); i++)
        compare_folds_in(&fold_slots[i]);
}
END_TEST

START_TEST(scans_of_every_level_give_the_bits_of_the_first)
{
    static const size_t shapes[][3] = { { 1, LENGTH, 9 }, { LENGTH, 9, 1 }, { 19, 5, 7 }, { 3, 33, 7 } };
    static uint32_t expected[N_OF(terms)];
    const struct sw__scan_kernel *first = row_named(SW__LEVEL_PLAIN, "cumsum")->kernel;

    for (int level = 0; level <= (int)sw__level_highest(); level++)
        for (uint32_t seed = 0; seed < 20; seed++) {
            const struct sw__scan_kernel *kernel = row_named((enum sw__level)level, "cumsum")->kernel;
            const size_t *shape = shapes[seed % N_OF(shapes)];
            fill_f32(terms, N_OF(terms), seed);
            memcpy(expected, terms, sizeof expected);
            kernel->f32((float *)(void *)terms, shape[0], shape[1], shape[2]);
            first->f32((float *)(void *)expected, shape[0], shape[1], shape[2]);
            ck_assert(same_words(terms, expected, N_OF(terms)));
        }
}
END_TEST

/* In whatever groups the terms of an extreme are taken, the result is that of one after the other. */
START_TEST(extremes_do_not_depend_on_groups)
{
    static const char *const names[] = { "reduce_max", "reduce_min", "argmax", "argmin" };

    for (size_t i = 0; i < N_OF(names); i++) {
        const struct sw__reduce_kernel *kernel = row_named(sw__level_highest(), names[i])->kernel;
        ck_assert(kernel->f32->is_free);
        for (uint32_t seed = 0; seed < 200; seed++) {
            uint32_t out = 0, expected = 0;
            fill_f32(terms, N_OF(terms), seed);
            const uint32_t *from = terms + seed % 64;
            ck_assert_int_eq(fold_along(kernel->f32, from, 500, &out), 0);
            ck_assert_int_eq(fold_rows(kernel->f32, from, 500, 1, &expected), 0);
            ck_assert_msg(same_words(&out, &expected, 1), "%s", names[i]);
        }
    }
}
END_TEST

/* ---- Products ------------------------------------------------------------------------------------ */

/* Sizes around those of tiles and of panels; all products are small enough for the sequential kernel. */
static const int64_t product_sizes[][3] = {
    { 1, 1, 1 },    { 1, 40, 130 }, { 40, 1, 130 }, { 3, 50, 129 }, { 50, 3, 200 },  { 4, 4, 4 },   { 5, 7, 9 },
    { 7, 6, 257 },  { 8, 8, 8 },    { 9, 5, 128 },  { 12, 12, 12 }, { 15, 31, 17 },  { 16, 4, 16 }, { 17, 9, 40 },
    { 20, 20, 20 }, { 31, 33, 31 }, { 32, 32, 32 }, { 33, 16, 50 }, { 47, 11, 33 },  { 64, 8, 64 }, { 2, 2, 1000 },
};

/* Strides of a factor's two modes, by its extents: either mode dense, none, one or both repeated. */
static void set_strides(int64_t *strides, int64_t n_free, int64_t n_shared, uint32_t kind)
{
    const int64_t kinds[][2] = { { 1, n_free }, { n_shared, 1 }, { 1, n_free + 3 }, { n_shared + 5, 1 },
                                 { 2, 2 * n_free + 1 }, { 0, 1 }, { 1, 0 }, { 0, 0 } };

    memcpy(strides, kinds[kind % N_OF(kinds)], sizeof kinds[0]);
}

static void multiply_one_by_one(const struct sw__matrices *matrices, float *out)
{
    for (int64_t j = 0; j < matrices->n; j++)
        for (int64_t i = 0; i < matrices->m; i++) {
            float sum = 0.0f;
            for (int64_t t = 0; t < matrices->k; t++) {
                const float product = matrices->a.data[i * matrices->a.strides[0] + t * matrices->a.strides[1]] *
                                      matrices->b.data[j * matrices->b.strides[0] + t * matrices->b.strides[1]];
                sum += product;
            }
            out[i + matrices->m * j] = sum;
        }
}

/* Ordinary numbers, and special ones among them for every other seed. */
static void fill_factor(float *values, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = seed % 512 == 0 ? specials[(seed >> 9) % N_OF(specials)] : (float)(int32_t)seed * 0x1p-31f;
    }
}

START_TEST(small_products_of_every_level_add_in_ascending_order)
{
    static float a[32768], b[32768], out[2048 + 16], expected[2048 + 16];

    for (int level = 0; level <= (int)sw__level_highest(); level++)
        for (uint32_t i = 0; i < N_OF(product_sizes) * 64; i++) {
            const struct sw__matmul_kernel *kernel = row_named((enum sw__level)level, "matmul")->kernel;
            const int64_t *sizes = product_sizes[i / 64];
            struct sw__matrices matrices = { .a = { .data = a + i % 3 }, .b = { .data = b + i % 5 }, .out = out + 8 };
            matrices.m = sizes[0];
            matrices.n = sizes[1];
            matrices.k = sizes[2];
            set_strides(matrices.a.strides, sizes[0], sizes[2], i);
            set_strides(matrices.b.strides, sizes[1], sizes[2], i / 8);
            fill_factor(a, N_OF(a), i);
            fill_factor(b, N_OF(b), i + 77);
            memset(out, 0x5a, sizeof out);
            memset(expected, 0x5a, sizeof expected);
            multiply_one_by_one(&matrices, expected + 8);
            ck_assert_int_eq(kernel->matrices(&matrices), 1);
            ck_assert_msg(same_bytes((const unsigned char *)out, (const unsigned char *)expected, N_OF(out), sizeof *out),
                          "level %d, %d by %d by %d, strides %u", level, (int)sizes[0], (int)sizes[1], (int)sizes[2],
                          i % 64);
        }
}
END_TEST

/* No address is made of the stride of a mode of one: the sanitizer of undefined behaviour would see it. */
START_TEST(strides_of_modes_of_one_go_nowhere)
{
    static float a[40], b[40], out[40];
    const int64_t far = INT64_C(1) << 61;

    fill_factor(a, N_OF(a), 1);
    fill_factor(b, N_OF(b), 3);
    for (int level = 0; level <= (int)sw__level_highest(); level++) {
        const struct sw__matmul_kernel *kernel = row_named((enum sw__level)level, "matmul")->kernel;
        const struct sw__matrices outer = {
            .a = { a, { 1, far } }, .b = { b, { 1, far } }, .m = 5, .n = 7, .k = 1, .out = out
        };
        const struct sw__matrices inner = {
            .a = { a, { far, 1 } }, .b = { b, { far, 1 } }, .m = 1, .n = 1, .k = 30, .out = out
        };
        float sum = 0.0f;
        for (int t = 0; t < 30; t++) {
            const float product = a[t] * b[t];
            sum += product;
        }
        ck_assert_int_eq(kernel->matrices(&inner), 1);
        ck_assert(memcmp(&out[0], &sum, sizeof sum) == 0);
        ck_assert_int_eq(kernel->matrices(&outer), 1);
        const float last = a[4] * b[6];
        ck_assert(memcmp(&out[34], &last, sizeof last) == 0);
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
        { "exp", expl, 0.6 },   { "exp2", exp2l, 1.4 }, { "log", logl, 1.1 }, { "log2", log2l, 1.5 },
        { "tanh", tanhl, 2.6 }, { "erf", erfl, 0.55 },  { "sin", sinl, 2.5 }, { "cos", cosl, 2.5 },
    };
    const char *text = getenv("SW_STEP");
    const int64_t step = text != NULL ? strtoll(text, NULL, 10) : 40961;

    for (size_t i = 0; i < N_OF(rows); i++)
        assert_bound(rows[i].name, rows[i].function, rows[i].bound, step > 0 ? step : 1);
}
END_TEST

CHECK_MAIN("levels", every_level_gives_the_bits_of_the_first, folds_of_every_level_give_the_bits_of_the_first,
           scans_of_every_level_give_the_bits_of_the_first,
           small_products_of_every_level_add_in_ascending_order, strides_of_modes_of_one_go_nowhere, extremes_do_not_depend_on_groups,
           transcendental_functions_keep_their_bounds)
