/*
 * Open addressing with the hashes beside the indices, so that growing asks
 * nobody for keys. At most half of the slots are used.
 */
#include "config.h"

#include "analyze/index_table.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_SLOTS 32

static uint32_t fold(uint64_t hash)
{
    return (uint32_t)(hash ^ (hash >> 32));
}

struct sw__index_probe sw__index_probe(const struct sw__index_table *table, uint64_t hash)
{
    return (struct sw__index_probe){ table, fold(hash) & table->mask, fold(hash) };
}

uint32_t sw__index_next(struct sw__index_probe *probe)
{
    const struct sw__index_table *table = probe->table;

    while (table->slots != NULL && table->slots[probe->at].index != SW__ANALYZE_NONE) {
        const struct sw__index_slot *slot = &table->slots[probe->at];
        probe->at = (probe->at + 1) & table->mask;
        if (slot->hash == probe->hash)
            return slot->index;
    }
    return SW__ANALYZE_NONE;
}

static void put(struct sw__index_table *table, struct sw__index_slot slot)
{
    size_t at = slot.hash & table->mask;

    while (table->slots[at].index != SW__ANALYZE_NONE)
        at = (at + 1) & table->mask;
    table->slots[at] = slot;
    table->n_used++;
}

static enum sw_status grow(struct sw__index_table *table)
{
    size_t n_slots = table->slots != NULL ? (table->mask + 1) * 2 : FIRST_SLOTS;
    struct sw__index_table larger = { sw__alloc(n_slots * sizeof *larger.slots), n_slots - 1, 0 };

    if (larger.slots == NULL)
        return SW_MEMORY_ERROR;
    memset(larger.slots, 0xff, n_slots * sizeof *larger.slots); /* SW__ANALYZE_NONE everywhere */
    for (size_t i = 0; table->slots != NULL && i <= table->mask; i++)
        if (table->slots[i].index != SW__ANALYZE_NONE)
            put(&larger, table->slots[i]);
    sw__index_table_clear(table);
    *table = larger;
    return SW_OK;
}

enum sw_status sw__index_put(struct sw__index_table *table, uint64_t hash, uint32_t index)
{
    if (table->slots == NULL || table->n_used > table->mask / 2)
        SW__TRY(grow(table));
    put(table, (struct sw__index_slot){ fold(hash), index });
    return SW_OK;
}

void sw__index_table_clear(struct sw__index_table *table)
{
    sw__free(table->slots);
    *table = (struct sw__index_table){ NULL, 0, 0 };
}
