/*
 * The counters of carriers' storage. One row per carrier class, claimed by its
 * serial at first sight and never given back, so counting takes no lock and
 * allocates nothing.
 */
#include "config.h"

#include <strideweave/memory.h>

#include "base/options.h"
#include "carrier/carrier.h"
#include "base/hooks.h"
#include "profiler/memory.h"

/* Written by whoever makes and releases storage, with atomic additions. */
struct figures {
    uint64_t current;
    uint64_t peak;
    uint64_t allocated;
    uint64_t freed;
};

struct row {
    uint64_t serial; /* of the class; 0: free. Atomic, written once */
    struct figures bytes;
    struct figures pieces;
    uint64_t n_refused;
};

#define N_ROWS 64

static struct row rows[N_ROWS]; /* the first is of all classes */
static uint32_t is_counting;    /* atomic */

/* ---- Counting --------------------------------------------------------------------------- */

/* The row of a class, NULL for one that came when all were taken. */
static struct row *row_of(uint64_t serial)
{
    for (size_t i = 1; i < N_ROWS; i++) {
        uint64_t found = __atomic_load_n(&rows[i].serial, __ATOMIC_RELAXED);
        if (found == 0 && __atomic_compare_exchange_n(&rows[i].serial, &found, serial, 0, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
            return &rows[i];
        if (found == serial)
            return &rows[i];
    }
    return NULL;
}

static void add(uint64_t *figure, uint64_t n)
{
    __atomic_fetch_add(figure, n, __ATOMIC_RELAXED);
}

static void raise_peak(uint64_t *peak, uint64_t current)
{
    uint64_t before = __atomic_load_n(peak, __ATOMIC_RELAXED);

    while (before < current &&
           !__atomic_compare_exchange_n(peak, &before, current, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

static void count_in(struct figures *figures, uint64_t n)
{
    add(&figures->allocated, n);
    raise_peak(&figures->peak, __atomic_add_fetch(&figures->current, n, __ATOMIC_RELAXED));
}

static void count_out(struct figures *figures, uint64_t n)
{
    add(&figures->freed, n);
    __atomic_fetch_sub(&figures->current, n, __ATOMIC_RELAXED);
}

static void count_alloc(struct row *row, const struct sw_hook_storage *storage)
{
    if (storage->flags & SW_HOOK_STORAGE_REFUSED) {
        add(&row->n_refused, 1);
        return;
    }
    count_in(&row->bytes, storage->bytes);
    count_in(&row->pieces, 1);
}

static void count_free(struct row *row, const struct sw_hook_storage *storage)
{
    count_out(&row->bytes, storage->bytes);
    count_out(&row->pieces, 1);
}

static void count(void (*counter)(struct row *, const struct sw_hook_storage *), const struct sw_hook_storage *storage)
{
    struct row *row = row_of(storage->carrier_serial);

    counter(&rows[0], storage);
    if (row != NULL)
        counter(row, storage);
}

void sw__memory_storage_alloc(const struct sw_hook_storage *storage)
{
    if (storage->flags & SW_HOOK_STORAGE_COUNTED)
        count(count_alloc, storage);
}

void sw__memory_storage_free(const struct sw_hook_storage *storage)
{
    if (storage->flags & SW_HOOK_STORAGE_COUNTED)
        count(count_free, storage);
}

/* ---- Interface -------------------------------------------------------------------------- */

enum sw_status sw_memory_start_counting(void)
{
#if SW_ENABLE_PROFILING
    /* Raised first, so that a stop on another thread takes back what is there. */
    __atomic_fetch_add(sw__hooks.wanted, SW_HOOK_WANT_STORAGE, __ATOMIC_RELAXED);
    if (__atomic_exchange_n(&is_counting, 1, __ATOMIC_RELAXED) != 0)
        __atomic_fetch_sub(sw__hooks.wanted, SW_HOOK_WANT_STORAGE, __ATOMIC_RELAXED);
    return SW_OK;
#else
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "this library was built without profiling");
#endif
}

void sw_memory_stop_counting(void)
{
#if SW_ENABLE_PROFILING
    if (__atomic_exchange_n(&is_counting, 0, __ATOMIC_RELAXED) != 0)
        __atomic_fetch_sub(sw__hooks.wanted, SW_HOOK_WANT_STORAGE, __ATOMIC_RELAXED);
#endif
}

int sw_memory_is_counting(void)
{
    return __atomic_load_n(&is_counting, __ATOMIC_RELAXED) != 0;
}

/* A class whose storage nobody has told yet has a row of zeros. */
static enum sw_status find_row(const struct sw_carrier_class *carrier_class, struct row **ret_row)
{
    static struct row nothing;
    uint64_t serial = 0;

    *ret_row = &rows[0];
    if (carrier_class == NULL)
        return SW_OK;
    SW__TRY(sw__carrier_class_check(carrier_class));
    serial = __atomic_load_n(&carrier_class->head.serial, __ATOMIC_ACQUIRE);
    *ret_row = &nothing;
    for (size_t i = 1; i < N_ROWS && serial != 0; i++)
        if (__atomic_load_n(&rows[i].serial, __ATOMIC_RELAXED) == serial)
            *ret_row = &rows[i];
    return SW_OK;
}

static struct sw_memory_figures show(const struct figures *figures)
{
    return (struct sw_memory_figures){
        .current = __atomic_load_n(&figures->current, __ATOMIC_RELAXED),
        .peak = __atomic_load_n(&figures->peak, __ATOMIC_RELAXED),
        .allocated = __atomic_load_n(&figures->allocated, __ATOMIC_RELAXED),
        .freed = __atomic_load_n(&figures->freed, __ATOMIC_RELAXED),
    };
}

enum sw_status sw_memory_stats(const struct sw_carrier_class *carrier_class, struct sw_memory_stats *stats)
{
    struct row *row;

    if (stats == NULL)
        return sw_error_set(SW_TYPE_ERROR, "no structure for the figures of memory");
    SW__TRY(sw__check_bytes("figures of memory", stats->struct_bytes, sizeof *stats));
    SW__TRY(find_row(carrier_class, &row));
    stats->bytes = show(&row->bytes);
    stats->pieces = show(&row->pieces);
    stats->n_refused = __atomic_load_n(&row->n_refused, __ATOMIC_RELAXED);
    return SW_OK;
}

uint64_t sw_memory_allocated(const struct sw_carrier_class *carrier_class)
{
    struct row *row;

    return find_row(carrier_class, &row) == SW_OK ? __atomic_load_n(&row->bytes.current, __ATOMIC_RELAXED) : 0;
}

uint64_t sw_memory_max_allocated(const struct sw_carrier_class *carrier_class)
{
    struct row *row;

    return find_row(carrier_class, &row) == SW_OK ? __atomic_load_n(&row->bytes.peak, __ATOMIC_RELAXED) : 0;
}

static void reset_peak(struct figures *figures)
{
    __atomic_store_n(&figures->peak, __atomic_load_n(&figures->current, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

static void reset_totals(struct figures *figures)
{
    __atomic_store_n(&figures->allocated, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&figures->freed, 0, __ATOMIC_RELAXED);
}

enum sw_status sw_memory_reset_peak(const struct sw_carrier_class *carrier_class)
{
    struct row *row;

    SW__TRY(find_row(carrier_class, &row));
    reset_peak(&row->bytes);
    reset_peak(&row->pieces);
    return SW_OK;
}

enum sw_status sw_memory_reset_totals(const struct sw_carrier_class *carrier_class)
{
    struct row *row;

    SW__TRY(find_row(carrier_class, &row));
    reset_totals(&row->bytes);
    reset_totals(&row->pieces);
    __atomic_store_n(&row->n_refused, 0, __ATOMIC_RELAXED);
    return SW_OK;
}
