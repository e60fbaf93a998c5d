/*
 * A bounded list of blocks, oldest first, for the whole process: none is held
 * per thread. It is short and what it saves is long, so it is searched from end
 * to end, under a lock that small allocations never meet.
 */
#include "config.h"

#include "base/spare.h"

#include <stdlib.h>
#include <string.h>

#include <strideweave/memory.h>

#include "base/forbid.h"
#include "base/lock.h"
#include "base/settings.h"

#define MOST_BLOCKS 256
/* A block serves requests that leave up to this part of it unused. */
#define SLACK_DIVISOR 8

struct spare {
    void *memory;
    size_t bytes;
};

/* Under SW__LOCK_SPARES. */
static struct spare spares[MOST_BLOCKS];
static size_t n_spares;
static uint64_t n_bytes; /* of them all */

/* ---- Under the lock ------------------------------------------------------------------------- */

static void remove_spares(size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++)
        n_bytes -= spares[i].bytes;
    n_spares -= n;
    memmove(&spares[first], &spares[first + n], (n_spares - first) * sizeof *spares);
}

/* Of blocks of one size the youngest: more of it is still in the processor's caches. */
static size_t find_best(size_t bytes)
{
    const size_t most = bytes + bytes / SLACK_DIVISOR;
    size_t best = n_spares;

    for (size_t i = n_spares; i-- > 0;)
        if (spares[i].bytes >= bytes && spares[i].bytes <= most &&
            (best == n_spares || spares[i].bytes < spares[best].bytes))
            best = i;
    return best;
}

/* How many of the oldest have to go before @bytes more may wait. */
static size_t count_excess(uint64_t bytes, uint64_t bound)
{
    uint64_t left = n_bytes;
    size_t n = n_spares == MOST_BLOCKS;

    for (size_t i = 0; i < n; i++)
        left -= spares[i].bytes;
    while (n < n_spares && left > bound - bytes)
        left -= spares[n++].bytes;
    return n;
}

/* ---- Without it: neither free() nor a tool is waited for under the lock ----------------------- */

/* An allocator that no tool watches would hand out what is forbidden. */
static void free_spare(const struct spare *spare)
{
    sw__memory_allow(spare->memory, spare->bytes);
    free(spare->memory);
}

static size_t put(struct spare spare, uint64_t bound, struct spare *ret_excess)
{
    SW__HOLD(SW__LOCK_SPARES);
    const size_t n = count_excess(spare.bytes, bound);

    memcpy(ret_excess, spares, n * sizeof *spares);
    remove_spares(0, n);
    spares[n_spares++] = spare;
    n_bytes += spare.bytes;
    return n;
}

void sw__spare_keep(void *memory, size_t bytes)
{
    const uint64_t bound = (uint64_t)sw__setting(SW__SETTING_STORAGE_CACHE);
    const struct spare spare = { memory, bytes };
    struct spare excess[MOST_BLOCKS];

    if (bytes > bound) {
        free(memory);
        return;
    }
    sw__memory_forbid(memory, bytes);
    const size_t n = put(spare, bound, excess);
    for (size_t i = 0; i < n; i++)
        free_spare(&excess[i]);
}

static struct spare take(size_t bytes)
{
    SW__HOLD(SW__LOCK_SPARES);
    const size_t best = find_best(bytes);

    if (best == n_spares)
        return (struct spare){ NULL, 0 };
    const struct spare taken = spares[best];
    remove_spares(best, 1);
    return taken;
}

void *sw__spare_take(size_t bytes, size_t *ret_bytes)
{
    const struct spare taken = take(bytes);

    if (taken.memory == NULL)
        return NULL;
    sw__memory_allow(taken.memory, taken.bytes);
    *ret_bytes = taken.bytes;
    return taken.memory;
}

static struct spare take_oldest(void)
{
    SW__HOLD(SW__LOCK_SPARES);

    if (n_spares == 0)
        return (struct spare){ NULL, 0 };
    const struct spare taken = spares[0];
    remove_spares(0, 1);
    return taken;
}

/*
 * One by one: of two threads that need memory each gives back a part, and neither goes on while much is on its way. No
 * more than may wait, however fast others give back.
 */
uint64_t sw__spare_empty(void)
{
    uint64_t bytes = 0;

    for (int i = 0; i < MOST_BLOCKS; i++) {
        const struct spare spare = take_oldest();
        if (spare.memory == NULL)
            break;
        free_spare(&spare);
        bytes += spare.bytes;
    }
    return bytes;
}

uint64_t sw_memory_empty_cache(void)
{
    return sw__spare_empty();
}

uint64_t sw_memory_cached(void)
{
    SW__HOLD(SW__LOCK_SPARES);

    return n_bytes;
}
