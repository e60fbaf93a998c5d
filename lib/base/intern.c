/*
 * A hash table of strings that only grows. Look-ups take no lock: buckets are
 * lists whose heads and links are published with release stores.
 */
#include "config.h"

#include "base/intern.h"

#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"

#define N_BUCKETS 1024

struct entry {
    struct entry *next;
    uint64_t hash;
    char text[];
};

static struct entry *buckets[N_BUCKETS];

/* FNV-1a. */
static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static const char *find(uint64_t hash, const char *text)
{
    struct entry *entry = __atomic_load_n(&buckets[hash % N_BUCKETS], __ATOMIC_ACQUIRE);

    for (; entry != NULL; entry = entry->next)
        if (entry->hash == hash && strcmp(entry->text, text) == 0)
            return entry->text;
    return NULL;
}

const char *sw__intern(const char *text)
{
    uint64_t hash = hash_text(text);
    const char *found = find(hash, text);

    if (found != NULL)
        return found;
    SW__HOLD(SW__LOCK_NAMES);
    found = find(hash, text);
    if (found != NULL)
        return found;
    size_t bytes = strlen(text) + 1;
    struct entry *entry = sw__alloc(sizeof *entry + bytes);
    if (entry == NULL)
        return NULL;
    entry->hash = hash;
    memcpy(entry->text, text, bytes);
    entry->next = buckets[hash % N_BUCKETS];
    __atomic_store_n(&buckets[hash % N_BUCKETS], entry, __ATOMIC_RELEASE);
    return entry->text;
}
