/*
 * From the hash of a key to indices of what may have it: the keys themselves
 * stay with the caller, who compares.
 *
 *     struct sw__index_probe probe = sw__index_probe(&table, hash);
 *     while ((index = sw__index_next(&probe)) != SW__ANALYZE_NONE)
 *         if (is the one that is looked for) ...
 */
#ifndef ANALYZE_INDEX_TABLE_H
#define ANALYZE_INDEX_TABLE_H

#include "analyze/analyze.h"

struct sw__index_slot {
    uint32_t hash;
    uint32_t index; /* SW__ANALYZE_NONE: free */
};

/** Zeroed: an empty table. */
struct sw__index_table {
    struct sw__index_slot *slots;
    size_t mask;
    size_t n_used;
};

struct sw__index_probe {
    const struct sw__index_table *table;
    size_t at;
    uint32_t hash;
};

struct sw__index_probe sw__index_probe(const struct sw__index_table *table, uint64_t hash);
/** The next index that was put in under this hash; SW__ANALYZE_NONE when there is no other. */
uint32_t sw__index_next(struct sw__index_probe *probe);
/** Put an index in. On failure the table is as it was. */
SW_NODISCARD enum sw_status sw__index_put(struct sw__index_table *table, uint64_t hash, uint32_t index);
void sw__index_table_clear(struct sw__index_table *table);

#define SW__OWNED_INDEX_TABLE SW__CLEANUP(sw__index_table_clear)

/** FNV-1a, continued from @hash. */
static inline uint64_t sw__hash_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (hash ^ 0xff) * UINT64_C(0x100000001b3); /* the end counts: "a", "bc" is not "ab", "c" */
}
#define SW__HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/** @hash with one more number in it. */
static inline uint64_t sw__hash_number(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

#endif
