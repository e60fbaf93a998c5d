/*
 * Products of float32 matrices as they are stored, in sequential order: the
 * bits of product.c, several times as fast. The sums of a tile of outputs stay
 * in registers; lanes are outputs that follow each other in one mode, so each
 * sum is still taken in ascending order of terms.
 */
#include "config.h"

#include <string.h>

#include "op/kernels/vector.h"
#include "op/op.h"
#include "op/product.h"

/* Outputs of a tile. */
#define TILE_VECTORS 2
#define TILE_ROWS (TILE_VECTORS * WIDTH)
#define TILE_COLUMNS 4
/* Terms of a panel, which is copied where rows do not lie side by side: it stays in the first-level cache. */
#define PANEL_TERMS 128

/* The factor whose rows are lanes, and the one whose elements meet all lanes. */
struct side {
    const float *data;
    int64_t across; /* strides: from row to row, or from column to column */
    int64_t along;  /* from term to term */
    int64_t n;
};

struct sequence {
    struct side rows;
    struct side columns;
    int64_t n_terms;
    float *out;
    int64_t out_across_rows;
    int64_t out_across_columns;
};

/* Some rows and terms of one side, rows side by side. */
struct panel {
    const float *data;
    int64_t step;    /* from term to term */
    int64_t n_rows;
    int64_t second;  /* first row of the second vector, which may overlap the first one; none when there is no such row */
    int64_t n_terms;
};

/* ---- Panels ------------------------------------------------------------------------------- */

/* Terms that lie side by side, a block of WIDTH rows by WIDTH terms at a time; gives how many terms it copied. */
static int64_t copy_turned(const float *from, int64_t across, int64_t n_terms, float *to)
{
    int64_t done = 0;

#ifdef HAVE_TURN
    for (; done + WIDTH <= n_terms; done += WIDTH) {
        vector block[WIDTH];
        _Pragma("GCC unroll 16") for (int i = 0; i < WIDTH; i++)
            block[i] = *(const vector *)(from + i * across + done);
        turn(block);
        _Pragma("GCC unroll 16") for (int i = 0; i < WIDTH; i++)
            *(vector *)(to + (done + i) * TILE_ROWS) = block[i];
    }
#else
    (void)from;
    (void)across;
    (void)n_terms;
    (void)to;
#endif
    return done;
}

/* Rows that lie side by side and are too few for a vector: two halves or quarters of it, which may overlap. */
static void copy_short(const float *from, int64_t n_rows, float *to)
{
    if (n_rows >= 8) {
        memcpy(to, from, 8 * sizeof *to);
        memcpy(to + n_rows - 8, from + n_rows - 8, 8 * sizeof *to);
    } else if (n_rows >= 4) {
        memcpy(to, from, 4 * sizeof *to);
        memcpy(to + n_rows - 4, from + n_rows - 4, 4 * sizeof *to);
    } else {
        for (int64_t i = 0; i < n_rows; i++)
            to[i] = from[i];
    }
}

/* Up to WIDTH rows into their lanes of a panel; the missing ones are zeros. */
static void copy_lanes(const float *from, const struct side *rows, int64_t n_rows, int64_t n_terms, float *to)
{
    const int64_t across = rows->across, along = rows->along;
    int64_t t = 0;

    if (n_rows == WIDTH && along == 1)
        t = copy_turned(from, across, n_terms, to);
    for (; t < n_terms; t++) {
        float *lanes = to + t * TILE_ROWS;
        if (n_rows < WIDTH)
            *(vector *)lanes = (vector){ 0 };
        if (n_rows < WIDTH && across == 1)
            copy_short(from + t * along, n_rows, lanes);
        else
            for (int64_t i = 0; i < n_rows; i++)
                lanes[i] = from[i * across + t * along];
    }
}

static void open_panel(struct panel *panel, const struct side *rows, int64_t first_row, int64_t first_term, float *room)
{
    const float *from = rows->data + first_row * rows->across + first_term * rows->along;

    panel->data = from;
    panel->step = rows->along;
    panel->second = panel->n_rows - WIDTH;
    if (rows->across == 1 && panel->n_rows >= WIDTH)
        return;
    copy_lanes(from, rows, panel->n_rows < WIDTH ? panel->n_rows : WIDTH, panel->n_terms, room);
    if (panel->second > 0)
        copy_lanes(from + panel->second * rows->across, rows, WIDTH, panel->n_terms, room + panel->second);
    panel->data = room;
    panel->step = TILE_ROWS;
}

/* ---- Tiles -------------------------------------------------------------------------------- */

/* @n outputs between memory and a vector's lanes. */
static inline vector load_lanes(const float *out, int64_t stride, int64_t n)
{
    vector lanes = { 0 };

    if (stride == 1 && n == WIDTH)
        return *(const vector *)out;
    for (int64_t i = 0; i < n; i++)
        lanes[i] = out[i * stride];
    return lanes;
}

static inline void store_lanes(vector lanes, float *out, int64_t stride, int64_t n)
{
    if (stride == 1 && n == WIDTH)
        *(vector *)out = lanes;
    else
        for (int64_t i = 0; i < n; i++)
            out[i * stride] = lanes[i];
}

/*
 * A panel against @n_columns columns; a tile's numbers of columns and vectors are constants where this is called, so
 * that its sums are registers.
 */
static inline __attribute__((always_inline)) void multiply_tile(const struct sequence *all, const struct panel *panel,
                                                                int is_first, const float *b, float *out,
                                                                int n_columns, int n_vectors)
{
    const int64_t firsts[TILE_VECTORS] = { 0, panel->second }, down = all->out_across_rows;
    const int64_t right = all->out_across_columns, n_lanes = panel->n_rows < WIDTH ? panel->n_rows : WIDTH;
    const float *a = panel->data;
    vector sums[TILE_COLUMNS][TILE_VECTORS];

    _Pragma("GCC unroll 8") for (int j = 0; j < n_columns; j++)
        _Pragma("GCC unroll 8") for (int v = 0; v < n_vectors; v++)
            sums[j][v] = is_first ? (vector){ 0 } : load_lanes(out + j * right + firsts[v] * down, down, n_lanes);
    for (int64_t t = 0; t < panel->n_terms; t++, a += panel->step, b += all->columns.along) {
        _Pragma("GCC unroll 8") for (int j = 0; j < n_columns; j++)
            _Pragma("GCC unroll 8") for (int v = 0; v < n_vectors; v++)
                sums[j][v] += *(const vector *)(a + firsts[v]) * b[j * all->columns.across];
    }
    _Pragma("GCC unroll 8") for (int j = 0; j < n_columns; j++)
        _Pragma("GCC unroll 8") for (int v = 0; v < n_vectors; v++)
            store_lanes(sums[j][v], out + j * right + firsts[v] * down, down, n_lanes);
}

static inline __attribute__((always_inline)) void multiply_panel(const struct sequence *all, const struct panel *panel,
                                                                 int64_t first_term, float *out, int n_vectors)
{
    const struct side *columns = &all->columns;
    const float *b = columns->data + first_term * columns->along;
    const int is_first = first_term == 0;
    int64_t j = 0;

    for (; j + TILE_COLUMNS <= columns->n; j += TILE_COLUMNS)
        multiply_tile(all, panel, is_first, b + j * columns->across, out + j * all->out_across_columns, TILE_COLUMNS,
                      n_vectors);
    for (; j < columns->n; j++)
        multiply_tile(all, panel, is_first, b + j * columns->across, out + j * all->out_across_columns, 1, n_vectors);
}

/* The stride of a mode of one may be anything, and no pointer is to be moved by it. */
static struct side make_side(const struct sw__stored_matrix *matrix, int64_t n, int64_t k)
{
    return (struct side){
        .data = matrix->data,
        .across = n == 1 ? 0 : matrix->strides[0],
        .along = k == 1 ? 0 : matrix->strides[1],
        .n = n,
    };
}

/* Lanes are the rows of A, unless these are too few. */
static void choose_sides(struct sequence *all, const struct sw__matrices *matrices)
{
    const struct side a = make_side(&matrices->a, matrices->m, matrices->k);
    const struct side b = make_side(&matrices->b, matrices->n, matrices->k);
    const int is_flat = matrices->m < WIDTH && matrices->m < matrices->n;

    all->rows = is_flat ? b : a;
    all->columns = is_flat ? a : b;
    all->n_terms = matrices->k;
    all->out = matrices->out;
    all->out_across_rows = is_flat ? matrices->m : 1;
    all->out_across_columns = is_flat ? 1 : matrices->m;
}

void SW__KERNEL(sequential)(const struct sw__matrices *matrices)
{
    _Alignas(64) float room[PANEL_TERMS * TILE_ROWS];
    struct sequence all;
    struct panel panel;

    choose_sides(&all, matrices);
    for (int64_t i = 0; i < all.rows.n; i += TILE_ROWS) {
        panel.n_rows = all.rows.n - i < TILE_ROWS ? all.rows.n - i : TILE_ROWS;
        for (int64_t t = 0; t < all.n_terms; t += PANEL_TERMS) {
            panel.n_terms = all.n_terms - t < PANEL_TERMS ? all.n_terms - t : PANEL_TERMS;
            open_panel(&panel, &all.rows, i, t, room);
            if (panel.second > 0)
                multiply_panel(&all, &panel, t, all.out + i * all.out_across_rows, TILE_VECTORS);
            else
                multiply_panel(&all, &panel, t, all.out + i * all.out_across_rows, 1);
        }
    }
}
