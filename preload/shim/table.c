/*
 * Making and filling of hash tables.
 */
#include "config.h"

#include "shim/table.h"

#include "shim/memory.h"

int table_create(struct table *table, uint32_t n_slots)
{
    struct table_entry *entries = memory_reserve((uint64_t)n_slots * sizeof *entries);

    if (entries == NULL)
        return 0;
    table->n_slots = n_slots;
    table->n_used = 0;
    __atomic_store_n(&table->entries, entries, __ATOMIC_RELEASE);
    return 1;
}

int table_insert(struct table *table, uint64_t key, uint32_t value)
{
    uint32_t mask = table->n_slots - 1;
    uint32_t at = (uint32_t)key;

    if (table->entries == NULL || table->n_used >= table->n_slots / 2)
        return 0;
    while (table->entries[at & mask].value != 0)
        at++;
    table->entries[at & mask].key = key;
    __atomic_store_n(&table->entries[at & mask].value, value, __ATOMIC_RELEASE);
    table->n_used++;
    return 1;
}
