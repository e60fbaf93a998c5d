/*
 * A hash table of bounded size from 64-bit keys to numbers above 0. Look-ups
 * take no lock; inserting is for the holder of the capture's lock. Its memory is
 * reserved, not used, until entries are made.
 */
#ifndef SHIM_TABLE_H
#define SHIM_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct table_entry {
    uint64_t key;   /* written before value */
    uint32_t value; /* 0: free; published with release order */
    uint32_t reserved;
};

struct table {
    struct table_entry *entries; /* NULL before table_create() */
    uint32_t n_slots;            /* a power of two */
    uint32_t n_used;
};

/** Room for half of @n_slots entries. 0 when there is no memory. */
int table_create(struct table *table, uint32_t n_slots);

/**
 * Walk the entries of a key: call with *at = 0 first, again for the next.
 * Returns a value, or 0 when there are no more.
 */
static inline uint32_t table_find(const struct table *table, uint64_t key, uint32_t *at)
{
    const struct table_entry *entries = __atomic_load_n(&table->entries, __ATOMIC_ACQUIRE);

    if (entries == NULL)
        return 0;
    for (;;) {
        const struct table_entry *entry = &entries[(uint32_t)(key + (*at)++) & (table->n_slots - 1)];
        uint32_t value = __atomic_load_n(&entry->value, __ATOMIC_ACQUIRE);

        if (value == 0 || entry->key == key)
            return value;
    }
}

/** 0 when the table is full: it never holds more than half of its slots. */
int table_insert(struct table *table, uint64_t key, uint32_t value);

/** A well-spread key from a running one and another word. */
static inline uint64_t table_mix(uint64_t key, uint64_t word)
{
    key = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ (key >> 29);
}

#endif
