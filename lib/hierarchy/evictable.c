/*
 * Evictable as a carrier class: construction over two tiers, and the hooks,
 * which go through the primary tier as its owner.
 */
#include "config.h"

#include "hierarchy/evictable.h"

#include "carrier/carrier.h"
#include "hierarchy/access.h"
#include "hierarchy/move.h"
#include "tensor/tensor.h"

/* ---- Queries ------------------------------------------------------------------------ */

struct sw__evictable *sw__evictable_of(const struct sw_carrier *carrier)
{
    return sw_carrier_class_of(carrier) == &sw__evictable_class ? sw_carrier_payload(carrier) : NULL;
}

int sw_evictable_is_evicted(const struct sw_carrier *carrier)
{
    const struct sw__evictable *evictable = sw__evictable_of(carrier);

    return evictable != NULL && evictable->level == SW__SECONDARY;
}

static struct sw_carrier *tier_of(const struct sw_carrier *carrier, enum sw__level level)
{
    const struct sw__evictable *evictable = sw__evictable_of(carrier);

    return evictable != NULL ? evictable->tiers[level].carrier : NULL;
}

struct sw_carrier *sw_evictable_primary(const struct sw_carrier *carrier)
{
    return tier_of(carrier, SW__PRIMARY);
}

struct sw_carrier *sw_evictable_secondary(const struct sw_carrier *carrier)
{
    return tier_of(carrier, SW__SECONDARY);
}

enum sw_status sw__evictable_check_promoted(const struct sw_carrier *carrier)
{
    SW__TRY(sw__carrier_check_live(carrier));
    if (sw_evictable_is_evicted(carrier))
        return sw_error_set(SW_RUNTIME_ERROR, "the carrier's values are evicted; promote it first");
    return SW_OK;
}

/* ---- Hooks: the carrier is known to be an Evictable ----------------------------------- */

static size_t size(const struct sw_carrier *carrier)
{
    return sw__evictable_of(carrier)->size;
}

static enum sw_dtype dtype(const struct sw_carrier *carrier)
{
    return sw__evictable_of(carrier)->dtype;
}

static int is_mutable(const struct sw_carrier *carrier)
{
    return sw__evictable_of(carrier)->is_mutable;
}

static int supports_dtype(const struct sw_carrier *carrier, enum sw_dtype wanted)
{
    return sw__evictable_stores(sw__evictable_of(carrier), wanted);
}

static enum sw_status get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    SW__TRY(sw__evictable_check_promoted(carrier));
    return sw_carrier_get(sw_evictable_primary(carrier), (int64_t)slot, ret_value);
}

/* The scope of a write to the primary tier. */
static enum sw_status begin_write(const struct sw_carrier *carrier, struct sw__access *access)
{
    SW__TRY(sw__evictable_check_promoted(carrier));
    const struct sw__tier *primary = &sw__evictable_of(carrier)->tiers[SW__PRIMARY];
    return sw__access_begin(access, primary->carrier, primary->token);
}

static enum sw_status set(struct sw_carrier *carrier, size_t slot, const struct sw_scalar *value)
{
    struct sw__access access SW__OWNED_ACCESS = SW__NO_ACCESS;

    SW__TRY(begin_write(carrier, &access));
    return sw_carrier_set(access.carrier, (int64_t)slot, value);
}

static enum sw_status scatter(struct sw_carrier *carrier, const struct sw_tensor *source, const struct sw_tensor *onto,
                              const struct sw_layout *mapping, int64_t mapping_offset)
{
    struct sw__access access SW__OWNED_ACCESS = SW__NO_ACCESS;
    struct sw_tensor *onto_primary SW__OWNED_TENSOR = NULL;

    SW__TRY(begin_write(carrier, &access));
    SW__TRY(sw_tensor_new(access.carrier, onto->offset, onto->layout, &onto_primary));
    return sw_carrier_scatter(access.carrier, source, onto_primary, mapping, mapping_offset);
}

static enum sw_status new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype wanted, struct sw_carrier **ret_carrier)
{
    const struct sw__evictable *evictable = sw__evictable_of(prototype);
    struct sw_carrier *primary SW__OWNED_CARRIER = NULL;

    SW__TRY(sw_carrier_new_like(evictable->tiers[SW__PRIMARY].carrier, values, n, mutable_storage, wanted, &primary));
    return sw__evictable_over(evictable, primary, ret_carrier);
}

static enum sw_status allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                    enum sw_dtype wanted, int uninitialized, struct sw_carrier **ret_carrier)
{
    const struct sw__evictable *evictable = sw__evictable_of(prototype);
    struct sw_carrier *primary SW__OWNED_CARRIER = NULL;

    SW__TRY(sw_carrier_allocate_like(evictable->tiers[SW__PRIMARY].carrier, (int64_t)n, mutable_storage, wanted,
                                     uninitialized, &primary));
    return sw__evictable_over(evictable, primary, ret_carrier);
}

static void release(struct sw_carrier *carrier)
{
    const struct sw__evictable *evictable = sw__evictable_of(carrier);

    for (int level = 0; level < SW__N_LEVELS; level++) {
        /* Refused while another thread is in the middle of a write: the tier then lives as long as this carrier. */
        enum sw_status status = sw__tier_release(&evictable->tiers[level]);
        (void)status;
    }
}

static void destroy(struct sw_carrier *carrier)
{
    struct sw__evictable *evictable = sw__evictable_of(carrier);

    for (int level = 0; level < SW__N_LEVELS; level++)
        sw__tier_leave(&evictable->tiers[level]);
}

struct sw_carrier_class sw__evictable_class = {
    .head = SW_CARRIER_CLASS_HEAD("strideweave", "Evictable"),
    .size = size,
    .dtype = dtype,
    .get = get,
    .new_like = new_like,
    .allocate_like = allocate_like,
    .set = set,
    .is_mutable = is_mutable,
    .scatter = scatter,
    .dispatch = sw__evictable_dispatch,
    .supports_dtype = supports_dtype,
    .release = release,
    .destroy = destroy,
};

struct sw_carrier_class *sw_evictable_class(void)
{
    return &sw__evictable_class;
}

/* ---- Construction ----------------------------------------------------------------------- */

static enum sw_status check_unowned(const struct sw_carrier *carrier, const char *which)
{
    if (sw_carrier_is_owned(carrier))
        return sw_error_set(SW_RUNTIME_ERROR, "the %s tier has an owner already", which);
    return SW_OK;
}

static enum sw_status check_moves(const struct sw_carrier *primary, const struct sw_carrier *secondary)
{
    const struct sw_move_class *move_class;

    SW__TRY(sw__move_resolve(primary->carrier_class, secondary->carrier_class, &move_class));
    return sw__move_resolve(secondary->carrier_class, primary->carrier_class, &move_class);
}

static enum sw_status check_tiers(const struct sw_carrier *primary, const struct sw_carrier *secondary)
{
    SW__TRY(sw__carrier_check(primary, "the primary tier"));
    SW__TRY(sw__carrier_check(secondary, "the secondary tier"));
    if (primary == secondary)
        return sw_error_set(SW_VALUE_ERROR, "the two tiers are one carrier");
    SW__TRY(sw__carrier_check_live(primary));
    SW__TRY(sw__carrier_check_live(secondary));
    SW__TRY(check_unowned(primary, "primary"));
    SW__TRY(check_unowned(secondary, "secondary"));
    if (sw_carrier_dtype(primary) != sw_carrier_dtype(secondary))
        return sw_error_set(SW_TYPE_ERROR, "the tiers store %s and %s, not the same dtype",
                            sw_dtype_name(sw_carrier_dtype(primary)), sw_dtype_name(sw_carrier_dtype(secondary)));
    SW__TRY(sw__carrier_check_writable(secondary));
    if (sw_carrier_size(primary) == 0)
        return sw_error_set(SW_VALUE_ERROR, "the primary tier is empty");
    return check_moves(primary, secondary);
}

#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) \
    _Static_assert((number) < 32, "a dtype has a bit in a word");
#include <strideweave/dtype.def>
#undef SW_DTYPE

static enum sw_status find_storable(const struct sw_carrier *primary, const struct sw_carrier *secondary,
                                    uint32_t *ret_storable)
{
    static const enum sw_dtype dtypes[] = {
#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) SW_##enumerator,
#include <strideweave/dtype.def>
#undef SW_DTYPE
    };
    uint32_t storable = 0;
    int first, second;

    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        SW__TRY(sw_carrier_supports_dtype(primary, dtypes[i], &first));
        SW__TRY(sw_carrier_supports_dtype(secondary, dtypes[i], &second));
        storable |= (uint32_t)(first && second) << dtypes[i];
    }
    *ret_storable = storable;
    return SW_OK;
}

enum sw_status sw_evictable_new(struct sw_carrier *primary, struct sw_carrier *secondary,
                                struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    SW__TRY(check_tiers(primary, secondary));
    SW__TRY(sw__carrier_new_partly(&sw__evictable_class, sizeof(struct sw__evictable), sizeof(struct sw__evictable),
                                   &carrier));
    struct sw__evictable *evictable = sw__evictable_of(carrier);
    evictable->size = sw_carrier_size(primary);
    evictable->dtype = sw_carrier_dtype(primary);
    evictable->is_mutable = sw_carrier_is_mutable(primary);
    SW__TRY(find_storable(primary, secondary, &evictable->storable));
    SW__TRY(sw__tier_claim(&evictable->tiers[SW__PRIMARY], primary));
    SW__TRY(sw__tier_claim(&evictable->tiers[SW__SECONDARY], secondary));
    *ret_carrier = sw__take(carrier);
    return SW_OK;
}

enum sw_status sw__evictable_over(const struct sw__evictable *prototype, struct sw_carrier *primary,
                                  struct sw_carrier **ret_carrier)
{
    struct sw_carrier *secondary SW__OWNED_CARRIER = NULL;

    SW__TRY(sw_carrier_allocate_like(prototype->tiers[SW__SECONDARY].carrier, 0, 1, sw_carrier_dtype(primary), 0,
                                     &secondary));
    return sw_evictable_new(primary, secondary, ret_carrier);
}
