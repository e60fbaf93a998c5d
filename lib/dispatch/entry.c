/*
 * The table of (dispatch name, carrier class, operation class). Entries are
 * never freed: tools and events keep their addresses, and their texts are
 * copies that outlive a plug-in which is closed. What a clearing takes out of
 * the table comes back as it was.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/lock.h"
#include "base/range.h"
#include "dispatch/operation.h"

#define N_BUCKETS 1024

struct node {
    struct node *next;
    struct sw_hook_dispatch entry;
};

/* Read without a lock; heads and links are published with release stores under SW__LOCK_ENTRIES. */
static struct node *buckets[N_BUCKETS];
static struct node *forgotten; /* taken out of the buckets; under SW__LOCK_ENTRIES */
static uint32_t n_entries; /* under SW__LOCK_ENTRIES */
static uint64_t n_serials; /* atomic */

uint64_t sw__class_serial(struct sw_class_head *class_head)
{
    uint64_t serial = __atomic_load_n(&class_head->serial, __ATOMIC_ACQUIRE);

    if (__builtin_expect(serial != 0, 1))
        return serial;
    uint64_t fresh = __atomic_add_fetch(&n_serials, 1, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&class_head->serial, &serial, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return fresh;
    return serial;
}

static size_t bucket_of(const char *name, const void *carrier_class, const void *operation_class)
{
    uint64_t mixed = (uint64_t)(uintptr_t)name;

    mixed = (mixed ^ (uint64_t)(uintptr_t)carrier_class) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (uint64_t)(uintptr_t)operation_class) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) % N_BUCKETS;
}

static int is_of(const struct node *node, const struct sw_hook_dispatch *key)
{
    return node->entry.name == key->name && node->entry.carrier_class == key->carrier_class &&
           node->entry.implementation_class == key->implementation_class &&
           node->entry.carrier_serial == key->carrier_serial &&
           node->entry.implementation_serial == key->implementation_serial;
}

static const struct sw_hook_dispatch *find(size_t bucket, const struct sw_hook_dispatch *key)
{
    struct node *node = __atomic_load_n(&buckets[bucket], __ATOMIC_ACQUIRE);

    for (; node != NULL; node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE))
        if (is_of(node, key))
            return &node->entry;
    return NULL;
}

static const struct sw_hook_dispatch *look_up(size_t bucket, const struct sw_hook_dispatch *key)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_CACHE_LOOKUP);
    return find(bucket, key);
}

/* The node of @key, no longer among the forgotten; NULL when it is none of them. */
static struct node *remember(const struct sw_hook_dispatch *key)
{
    for (struct node **link = &forgotten; *link != NULL; link = &(*link)->next) {
        struct node *node = *link;
        if (!is_of(node, key))
            continue;
        __atomic_store_n(link, node->next, __ATOMIC_RELEASE);
        return node;
    }
    return NULL;
}

/* A reader that stands on a node which is moved goes on in the other list: it misses or finds, and ends. */
static void put_first(struct node **list, struct node *node)
{
    __atomic_store_n(&node->next, *list, __ATOMIC_RELEASE);
    __atomic_store_n(list, node, __ATOMIC_RELEASE);
}

static enum sw_status copy_names(struct sw_hook_dispatch *entry)
{
    entry->carrier_module = sw__intern(entry->carrier_class->module);
    entry->carrier_name = sw__intern(entry->carrier_class->qualified_name);
    entry->implementation_module = sw__intern(entry->implementation_class->module);
    entry->implementation_name = sw__intern(entry->implementation_class->qualified_name);
    if (entry->carrier_module == NULL || entry->carrier_name == NULL || entry->implementation_module == NULL ||
        entry->implementation_name == NULL)
        return SW_MEMORY_ERROR;
    return SW_OK;
}

static enum sw_status construct(size_t bucket, const struct sw_hook_dispatch *key,
                                const struct sw_hook_dispatch **ret_entry)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_CACHE_CONSTRUCT);
    struct node *node SW__OWNED = sw__alloc(sizeof *node);

    if (node == NULL)
        return SW_MEMORY_ERROR;
    node->entry = *key;
    SW__TRY(copy_names(&node->entry));
    SW__HOLD(SW__LOCK_ENTRIES);
    const struct sw_hook_dispatch *found = find(bucket, key);
    if (found != NULL) {
        *ret_entry = found;
        return SW_OK;
    }
    struct node *placed = remember(key);
    if (placed == NULL) {
        node->entry.id = n_entries++;
        placed = sw__take(node);
    }
    put_first(&buckets[bucket], placed);
    *ret_entry = &placed->entry;
    return SW_OK;
}

void sw_dispatch_cache_clear(void)
{
    SW__HOLD(SW__LOCK_ENTRIES);
    for (size_t i = 0; i < N_BUCKETS; i++) {
        while (buckets[i] != NULL) {
            struct node *node = buckets[i];
            __atomic_store_n(&buckets[i], node->next, __ATOMIC_RELEASE);
            put_first(&forgotten, node);
        }
    }
}

enum sw_status sw__dispatch_entry(const char *name, struct sw_class_head *carrier_class,
                                  struct sw_class_head *operation_class, const struct sw_hook_dispatch **ret_entry)
{
    struct sw_hook_dispatch key = {
        .struct_bytes = sizeof key,
        .name = name,
        .carrier_class = carrier_class,
        .implementation_class = operation_class,
        .carrier_serial = sw__class_serial(carrier_class),
        .implementation_serial = sw__class_serial(operation_class),
    };
    size_t bucket = bucket_of(name, carrier_class, operation_class);
    const struct sw_hook_dispatch *found = look_up(bucket, &key);

    if (__builtin_expect(found != NULL, 1)) {
        *ret_entry = found;
        return SW_OK;
    }
    return construct(bucket, &key, ret_entry);
}
