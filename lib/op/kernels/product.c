/*
 * The sequential products. A panel of a few rows of A, brought side by side,
 * meets one row of B after the other, so that the outputs of a panel advance
 * together, each in ascending order of k.
 */
#include "config.h"

#include "op/product.h"

#include <string.h>

#include "base/alloc.h"
#include "op/check.h"

/* Rows of a panel: enough to fill the vector registers with accumulators. */
#define PANEL 16

__extension__ typedef __int128 exact_sum;

/* Rows [first, first + n) of A as [k][row], the missing rows zero. */
#define DEFINE_PANEL(element)                                                                              \
    static void panel_##element(struct sw__factor *a, int64_t first, int64_t n, element *row, element *panel) \
    {                                                                                                      \
        const int64_t k = a->shared.cursor.size;                                                             \
        for (int64_t i = 0; i < PANEL; i++) {                                                              \
            const element *from = i < n ? sw__factor_row(a, first + i, row) : NULL;                        \
            for (int64_t t = 0; t < k; t++)                                                                \
                panel[t * PANEL + i] = from != NULL ? from[t] : 0;                                         \
        }                                                                                                  \
    }

DEFINE_PANEL(float)
DEFINE_PANEL(int32_t)

/* One row of B against a panel: PANEL outputs. */
#define DEFINE_COLUMN(name, element, term, accumulator)                                                 \
    static inline void column_##name(const element *restrict panel, const element *restrict b, int64_t k, \
                                     accumulator *restrict sums)                                        \
    {                                                                                                   \
        accumulator at[PANEL] = { 0 };                                                                  \
        for (int64_t t = 0; t < k; t++) {                                                               \
            for (int i = 0; i < PANEL; i++) {                                                           \
                term product = (term)panel[t * PANEL + i] * (term)b[t];                                 \
                at[i] += product;                                                                       \
            }                                                                                           \
        }                                                                                               \
        for (int i = 0; i < PANEL; i++)                                                                 \
            sums[i] = at[i];                                                                            \
    }

DEFINE_COLUMN(f64, float, float, double)
DEFINE_COLUMN(i32, int32_t, int64_t, exact_sum)

/* Vectors in so many words: left alone, the compiler vectorises over t and shuffles. */
typedef float lanes __attribute__((vector_size(16), may_alias));
#define N_LANES 4
#define N_VECTORS (PANEL / N_LANES)

static inline void column_f32(const float *restrict panel, const float *restrict b, int64_t k, float *restrict sums)
{
    const lanes *from = (const lanes *)(const void *)panel;
    lanes at[N_VECTORS] = { { 0 } };

    for (int64_t t = 0; t < k; t++, from += N_VECTORS) {
        const lanes factor = { b[t], b[t], b[t], b[t] };
        for (int i = 0; i < N_VECTORS; i++)
            at[i] += from[i] * factor;
    }
    memcpy(sums, at, sizeof at);
}

/* Rows of B: where they are stored, if dense and evenly apart, else a copy. */
static enum sw_status open_rows(struct sw__factor *b, void **ret_memory, const void **ret_rows, int64_t *ret_step)
{
    *ret_rows = b->free.base;
    *ret_step = b->free.cursor.strides[0];
    if (b->shared.is_direct && b->free.cursor.n_leaves == 1)
        return SW_OK;
    SW__TRY(sw__factor_copy_rows(b, ret_memory));
    *ret_rows = *ret_memory;
    *ret_step = b->shared.cursor.size;
    return SW_OK;
}

/* Every panel against every row; 1 as soon as a result does not hold its sum. */
#define DEFINE_PANELS(name, element, accumulator, is_lost)                                              \
    static int panels_##name(struct sw__product *product, element *panel, const element *rows, int64_t step) \
    {                                                                                                   \
        const int64_t k = product->k, m = product->m;                                                   \
        for (int64_t first = 0; first < m; first += PANEL) {                                            \
            const int64_t n = m - first < PANEL ? m - first : PANEL;                                    \
            element *out = (element *)product->out + first;                                             \
            panel_##element(&product->a, first, n, panel + k * PANEL, panel);                           \
            for (int64_t j = 0; j < product->n; j++, out += m) {                                        \
                accumulator sums[PANEL];                                                                \
                column_##name(panel, rows + j * step, k, sums);                                         \
                for (int64_t i = 0; i < n; i++) {                                                       \
                    out[i] = (element)sums[i];                                                          \
                    if (is_lost)                                                                        \
                        return 1;                                                                       \
                }                                                                                       \
            }                                                                                           \
        }                                                                                               \
        return 0;                                                                                       \
    }

#define DEFINE_PRODUCT(name, element, accumulator, is_lost)                                            \
    DEFINE_PANELS(name, element, accumulator, is_lost)                                                  \
    enum sw_status sw__product_##name(struct sw__product *product)                                      \
    {                                                                                                   \
        void *memory SW__OWNED = NULL;                                                                  \
        const void *rows;                                                                               \
        int64_t step;                                                                                   \
        SW__TRY(open_rows(&product->b, &memory, &rows, &step));                                         \
        /* A panel, and behind it room for one row. */                                               \
        element *panel SW__OWNED = sw__alloc_rows(PANEL + 1, product->k, sizeof *panel);             \
        if (panel == NULL)                                                                              \
            return SW_MEMORY_ERROR;                                                                     \
        return panels_##name(product, panel, rows, step) ? sw__left_int32("matmul") : SW_OK;            \
    }

DEFINE_PRODUCT(f32, float, float, 0)
DEFINE_PRODUCT(f64, float, double, 0)
DEFINE_PRODUCT(i32, int32_t, exact_sum, out[i] != sums[i])

const struct sw__matmul_kernel sw__kernel_matmul_reference = { NULL, sw__product_f32, sw__product_f64,
                                                               sw__product_i32 };
const struct sw__conv_kernel sw__kernel_conv_reference = { &sw__kernel_matmul_reference };
