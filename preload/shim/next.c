/*
 * dlsym() answers, but where there is nothing to be found it allocates its error
 * message, and with that costs a small program more than all the rest of the
 * shim. So the objects' hash tables are asked first.
 */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include "config.h"

#include "shim/next.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

#include "record/at_load.h"
#include "record/text.h"

/* How a table of DT_GNU_HASH begins. */
struct hash_table {
    uint32_t n_buckets;
    uint32_t first_symbol;
    uint32_t n_words; /* of the filter behind this: a power of two */
    uint32_t shift;
};

/* What is looked for, and what tables may have of it: a bit each. */
struct search {
    uint32_t hashes[NEXT_MOST];
    size_t n;
    uint32_t maybe;
};

SW__AT_LOAD static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;

    for (; *name != '\0'; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Whether a table may have a name: of those that it lacks the filter keeps most away, the hashes nearly all. */
SW__AT_LOAD static int may_have(const struct hash_table *table, uint32_t hash)
{
    const uint64_t *filter = (const void *)(table + 1);
    const uint32_t *buckets = (const void *)(filter + table->n_words);
    const uint32_t *hashes = buckets + table->n_buckets;
    uint64_t word, symbol;

    if (table->n_words == 0 || table->n_buckets == 0)
        return 0;
    word = filter[hash / 64 & (table->n_words - 1)];
    if ((word >> hash % 64 & word >> (hash >> table->shift) % 64 & 1) == 0)
        return 0;
    symbol = buckets[hash % table->n_buckets];
    if (symbol < table->first_symbol)
        return 0;
    for (;; symbol++) {
        uint32_t other = hashes[symbol - table->first_symbol];

        if ((other | 1) == (hash | 1))
            return 1;
        if (other & 1) /* the last of its bucket */
            return 0;
    }
}

SW__AT_LOAD static const void *find_dynamic(const struct dl_phdr_info *object)
{
    for (uint32_t i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    return NULL;
}

SW__AT_LOAD static int is_this_object(const struct dl_phdr_info *object, uintptr_t own)
{
    for (uint32_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && own - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return 1;
    }
    return 0;
}

SW__AT_LOAD static int look_at(struct dl_phdr_info *object, size_t n_bytes, void *argument)
{
    struct search *search = argument;
    const ElfW(Dyn) *entry = find_dynamic(object);

    (void)n_bytes;
    if (entry == NULL || is_this_object(object, (uintptr_t)&next_find))
        return 0;
    for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_GNU_HASH) {
            uintptr_t address = entry->d_un.d_ptr;

            /* Those that the loader could not write to, as the kernel's object, are not relocated. */
            if (address < object->dlpi_addr)
                address += object->dlpi_addr;
            for (size_t i = 0; i < search->n; i++)
                search->maybe |= (uint32_t)may_have((const void *)address, search->hashes[i]) << i;
            return 0;
        }
    search->maybe = UINT32_MAX; /* a table of another kind: dlsym() may look */
    return 1;
}

SW__AT_LOAD void next_find(const struct next_function *functions, size_t n)
{
    struct search search = {.n = n};

    for (size_t i = 0; i < n; i++)
        search.hashes[i] = hash_of(functions[i].name);
    (void)dl_iterate_phdr(look_at, &search);
    for (size_t i = 0; i < n; i++) {
        void *found = (search.maybe >> i & 1) != 0 ? dlsym(RTLD_NEXT, functions[i].name) : NULL;

        /* C does not convert a function pointer from void *. */
        sw__copy(functions[i].pointer, &found, sizeof found);
    }
}
