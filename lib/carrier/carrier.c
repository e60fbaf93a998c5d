/*
 * Carriers as objects: making and destroying an instance of any class, and the
 * queries that never fail.
 */
#include "config.h"

#include "carrier/carrier.h"

#include <strideweave/hierarchy.h>

#include <string.h>

#include "base/refs.h"
#include "carrier/block.h"
#include "carrier/dense.h"
#include "carrier/file_backed.h"

/* Every member of a class that has no default. */
static int is_complete(const struct sw_carrier_class *carrier_class)
{
    return carrier_class->head.module != NULL && carrier_class->head.qualified_name != NULL &&
           carrier_class->size != NULL && carrier_class->dtype != NULL && carrier_class->get != NULL &&
           carrier_class->new_like != NULL && carrier_class->allocate_like != NULL;
}

/* The shipped classes are closed: only their own functions know what an instance holds. */
static int is_closed(const struct sw_carrier_class *carrier_class)
{
    return carrier_class == &sw__cpu_class || carrier_class == &sw__generic_class ||
           carrier_class == &sw__file_backed_class || carrier_class == sw_evictable_class();
}

static int n_functions_of(const struct sw_carrier_class *carrier_class, const struct sw_carrier_class *other)
{
#define SHARES(member) (carrier_class->member != NULL && carrier_class->member == other->member)
    return SHARES(size) + SHARES(dtype) + SHARES(get) + SHARES(new_like) + SHARES(allocate_like) + SHARES(set) +
           SHARES(is_mutable) + SHARES(scatter) + SHARES(dispatch) + SHARES(supports_dtype) + SHARES(release) +
           SHARES(destroy) + SHARES(allocate) + SHARES(allocate_in_place);
#undef SHARES
}

/* The closed class that another one is made of, such as a changed copy: that of most functions. NULL: none. */
static const struct sw_carrier_class *find_base(const struct sw_carrier_class *carrier_class)
{
    const struct sw_carrier_class *const closed[] = { &sw__cpu_class, &sw__generic_class, &sw__file_backed_class,
                                                      sw_evictable_class() };
    const struct sw_carrier_class *base = NULL;
    int most = 0;

    for (size_t i = 0; i < sizeof closed / sizeof closed[0]; i++) {
        const int n = n_functions_of(carrier_class, closed[i]);
        if (n > most) {
            most = n;
            base = closed[i];
        }
    }
    return base;
}

static enum sw_status check_base(const struct sw_carrier_class *carrier_class)
{
    const struct sw_carrier_class *base = find_base(carrier_class);

    if (base == NULL)
        return SW_OK;
    return sw_error_set(SW_TYPE_ERROR, "carrier class %s has functions of %s, which is closed: nothing derives from it",
                        carrier_class->head.qualified_name, base->head.qualified_name);
}

enum sw_status sw__carrier_class_check(const struct sw_carrier_class *carrier_class)
{
    if (carrier_class == NULL || carrier_class->head.kind != SW_KIND_CARRIER_CLASS)
        return sw_error_set(SW_TYPE_ERROR, "not a carrier class");
    if (carrier_class->head.struct_bytes < sizeof *carrier_class)
        return sw_error_set(SW_TYPE_ERROR, "a carrier class has %zu bytes, not %u", sizeof *carrier_class,
                            (unsigned)carrier_class->head.struct_bytes);
    if (!is_complete(carrier_class))
        return sw_error_set(SW_VALUE_ERROR, "a carrier class needs its names, size, dtype, get, new_like and "
                                            "allocate_like");
    return is_closed(carrier_class) ? SW_OK : check_base(carrier_class);
}

enum sw_status sw__carrier_new_partly(struct sw_carrier_class *carrier_class, size_t payload_bytes, size_t zeroed_bytes,
                                      struct sw_carrier **ret_carrier)
{
    struct sw__block block;

    SW__TRY(sw__carrier_class_check(carrier_class));
    if (payload_bytes > SW__BLOCK_MAX_BYTES - sizeof(struct sw_carrier))
        return sw_error_set(SW_MEMORY_ERROR, "no memory for a payload of %zu bytes", payload_bytes);
    struct sw_carrier *carrier = sw__block_new(sizeof *carrier + payload_bytes, SW__FILL_NONE, &block);
    if (carrier == NULL)
        return SW_MEMORY_ERROR;
    memset(carrier, 0, sizeof *carrier + zeroed_bytes);
    carrier->kind = SW_KIND_CARRIER;
    carrier->n_refs = 1;
    carrier->carrier_class = carrier_class;
    carrier->shift = (uint32_t)((char *)carrier - (char *)block.memory);
    *ret_carrier = carrier;
    return SW_OK;
}

enum sw_status sw_carrier_new(struct sw_carrier_class *carrier_class, size_t payload_bytes,
                              struct sw_carrier **ret_carrier)
{
    if (is_closed(carrier_class))
        return sw_error_set(SW_TYPE_ERROR, "carrier class %s is closed: make its carriers with its own functions",
                            carrier_class->head.qualified_name);
    return sw__carrier_new_partly(carrier_class, payload_bytes, payload_bytes, ret_carrier);
}

/* Only the first word is looked at: what is no carrier need not be aligned like one. */
static int is_carrier(const struct sw_carrier *carrier)
{
    return carrier != NULL && *(const uint32_t *)(const void *)carrier == SW_KIND_CARRIER;
}

/* References are counted through const handles: the count is no part of the value. */
static struct sw_carrier *writable(const struct sw_carrier *carrier)
{
    return (struct sw_carrier *)(uintptr_t)carrier;
}

struct sw_carrier *sw_carrier_ref(const struct sw_carrier *carrier)
{
    if (!is_carrier(carrier))
        return NULL;
    sw__refs_get(&writable(carrier)->n_refs);
    return writable(carrier);
}

static void destroy(struct sw_carrier *carrier)
{
    if (carrier->carrier_class->destroy != NULL)
        carrier->carrier_class->destroy(carrier);
    carrier->kind = 0;
    sw__free((char *)carrier - carrier->shift);
}

void sw_carrier_unref(const struct sw_carrier *carrier)
{
    if (is_carrier(carrier) && sw__refs_put(&writable(carrier)->n_refs))
        destroy(writable(carrier));
}

void *sw_carrier_payload(const struct sw_carrier *carrier)
{
    return is_carrier(carrier) ? writable(carrier)->payload : NULL;
}

struct sw_carrier_class *sw_carrier_class_of(const struct sw_carrier *carrier)
{
    return is_carrier(carrier) ? carrier->carrier_class : NULL;
}

size_t sw_carrier_size(const struct sw_carrier *carrier)
{
    return is_carrier(carrier) && !carrier->released ? carrier->carrier_class->size(carrier) : 0;
}

enum sw_dtype sw_carrier_dtype(const struct sw_carrier *carrier)
{
    return is_carrier(carrier) ? carrier->carrier_class->dtype(carrier) : SW_DTYPE_NONE;
}

int sw_carrier_is_released(const struct sw_carrier *carrier)
{
    return is_carrier(carrier) && carrier->released != 0;
}

int sw_carrier_is_owned(const struct sw_carrier *carrier)
{
    return is_carrier(carrier) && __atomic_load_n(&carrier->owner_token, __ATOMIC_RELAXED) != 0;
}

uint64_t sw_carrier_version(const struct sw_carrier *carrier)
{
    return is_carrier(carrier) ? carrier->version : 0;
}

enum sw_status sw__carrier_check(const struct sw_carrier *carrier, const char *what)
{
    if (!is_carrier(carrier))
        return sw_error_set(SW_TYPE_ERROR, "%s is not a carrier", what);
    return SW_OK;
}
