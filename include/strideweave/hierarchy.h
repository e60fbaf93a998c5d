/*
 * Carriers made of carriers: exclusive ownership, the two-tier Evictable, and
 * moving a tensor's values from one carrier into another.
 *
 * OWNERSHIP. A carrier that is built over others claims them and holds a token
 * for each. Whoever else kept a reference may go on reading an owned carrier,
 * but is not allowed to change it: sw_carrier_is_mutable() is 0, and writing,
 * scattering, releasing, advancing the version and moving are RuntimeErrors.
 * The owner changes it inside an access scope, which holds for one thread.
 * An owner may be owned in turn.
 */
#ifndef STRIDEWEAVE_HIERARCHY_H
#define STRIDEWEAVE_HIERARCHY_H

#include <strideweave/operation.h>

SW_BEGIN_DECLS

/* ---- Ownership: for the authors of composite carriers --------------------------- */

/**
 * sw_carrier_claim - become the one owner of a carrier.
 *
 * Claiming takes no reference: the owner keeps one of its own, and relinquishes
 * before it gives that back.
 *
 * @ret_token  Not 0, and no other claim's in this process. Untouched on failure.
 *
 * Threads: of several that claim one carrier at once, one succeeds.
 * Returns TypeError for what is no carrier; RuntimeError when it was released
 * or has an owner.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_claim(struct sw_carrier *carrier, uint64_t *ret_token);

/**
 * sw_carrier_relinquish - end ownership: the carrier is anybody's again. A
 * carrier that was released meanwhile is relinquished as any other.
 *
 * Returns TypeError for what is no carrier; RuntimeError when @token is not the
 * owner's or a thread is inside an access scope.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_relinquish(struct sw_carrier *carrier, uint64_t token);

/**
 * sw_carrier_begin_owner_access - until the matching end, the calling thread
 * may do with the carrier what its own state permits, as if it had no owner.
 *
 * Scopes nest; each begin has one end on the same thread, which must not
 * terminate in between.
 *
 * Returns TypeError for what is no carrier; RuntimeError when @token is not the
 * owner's or another thread is inside.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_begin_owner_access(struct sw_carrier *carrier, uint64_t token);

/** sw_carrier_end_owner_access - the end of one scope. RuntimeError also when this thread is not inside one. */
SW_API SW_NODISCARD enum sw_status sw_carrier_end_owner_access(struct sw_carrier *carrier, uint64_t token);

/* ---- Evictable: a primary tier to compute on, a secondary tier to keep on ---------- */

/**
 * sw_evictable_class - the class of carriers over two tiers.
 *
 * Values are on the primary tier after construction; sw_evictable_evict() moves
 * them to the secondary tier and sw_evictable_promote() back. While they are on
 * the primary tier, reading, writing, scattering and dispatching go through it;
 * while they are evicted all of these are RuntimeErrors. Size, dtype, the
 * dtypes that can be stored and whether writing is permitted stay what they
 * were at construction.
 *
 * Operations. What is dispatched runs on the primary tiers of its operands,
 * which must all be Evictables over the same two exact classes (TypeError) and
 * hold their values there (RuntimeError). An operation with a dtype policy is
 * refused (NotImplementedError) when its result has a dtype that a tier of the
 * first operand cannot store. A view is on the same Evictable; every other
 * result is on a new one over the result's storage and an empty secondary tier.
 *
 * Hooks:   each execution is a boundary on class Evictable with the primary
 *          class's boundary nested in it; the latter is missing when the checks
 *          above refuse. Such an operation is executed once: it is a
 *          RuntimeError to run it again.
 * Version: that of the Evictable is what counts; each write raises it, and
 *          eviction, promotion and release leave it alone.
 * Release: releases both tiers. Without a release, destroying an Evictable only
 *          gives up its tiers: a reference kept elsewhere is usable again.
 * Threads: as for any carrier, beside readers only when nobody writes; eviction
 *          and promotion are writes.
 */
SW_API struct sw_carrier_class *sw_evictable_class(void);

/**
 * sw_evictable_new - claim two carriers as the tiers of a new one.
 *
 * @primary    Where operations run; not empty. May be immutable, and then the
 *             Evictable is.
 * @secondary  Of the same dtype; mutable, of any size: one that is too small is
 *             replaced at the first eviction by fresh storage of its class.
 * @ret_carrier One reference, owned by the caller; the tiers are referenced by
 *             it. Untouched on failure, which also leaves both tiers unowned.
 *
 * Returns, in the order of the checks: TypeError when either is no carrier;
 * ValueError when they are one; RuntimeError when the primary, then the
 * secondary was released; the same for owned; TypeError for different dtypes;
 * RuntimeError when the secondary is not mutable; ValueError when the primary
 * is empty; TypeError when a move between the classes, in either direction, is
 * registered with an operation that is pinned to other classes; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_evictable_new(struct sw_carrier *primary, struct sw_carrier *secondary,
                                                    struct sw_carrier **ret_carrier);

/**
 * sw_evictable_evict - move the values to the secondary tier; nothing to do
 * when they are there.
 *
 * The tier that is left behind is released. The secondary tier is kept when it
 * is live and large enough, else it is replaced by fresh mutable storage from
 * sw_carrier_allocate_like(), and released. The move is the one registered for
 * the exact classes at this moment. All or nothing: after a failure the values
 * are where they were, and so are the tiers and their owner. Crosses no
 * boundary.
 *
 * Returns TypeError for what is no Evictable; RuntimeError when it was
 * released, when another carrier owns it (unless inside an access scope), or
 * when another thread is inside a scope of a tier; what allocating and moving
 * return.
 */
SW_API SW_NODISCARD enum sw_status sw_evictable_evict(struct sw_carrier *carrier);

/**
 * sw_evictable_promote - move the values back to the primary tier; the mirror
 * image of sw_evictable_evict(). As the move released the old primary tier,
 * this makes fresh storage of its class.
 */
SW_API SW_NODISCARD enum sw_status sw_evictable_promote(struct sw_carrier *carrier);

/** Whether the values are on the secondary tier; also after release. 0 for other classes. */
SW_API int sw_evictable_is_evicted(const struct sw_carrier *carrier);
/** The primary tier, borrowed until the next promotion; NULL for other classes. */
SW_API struct sw_carrier *sw_evictable_primary(const struct sw_carrier *carrier);
/** The secondary tier, borrowed until the next eviction; NULL for other classes. */
SW_API struct sw_carrier *sw_evictable_secondary(const struct sw_carrier *carrier);

/* ---- Moving ------------------------------------------------------------------------- */

/**
 * sw_move - take a tensor's values to another carrier and release the one that
 * they were on.
 *
 * @tensor      On any carrier, which may be immutable. Borrowed.
 * @destination Mutable, of the tensor's dtype, with at least as many slots as
 *              the layout's cosize: a broadcast tensor needs few. One without
 *              slots gets them if its class can do that (FileBacked).
 * @ret_tensor  On success a tensor on @destination with offset 0 and the same
 *              layout, one reference, owned by the caller. Untouched on failure.
 *
 * How the values travel is decided by the registry below. Slots of @destination
 * that the layout does not address are left in a state that depends on it. The
 * version of @destination grows with every copy that began, whether it failed
 * or not; by how much depends on it, too. After a failure both carriers are
 * usable; what a failing copy had already written stays written.
 *
 * Hooks:   none: a move is an operation that nobody dispatched.
 *
 * Returns, in the order of the checks and before anything is copied: TypeError
 * when @tensor is none; RuntimeError when its carrier was released, then when
 * it is owned by another carrier; TypeError when @destination is no carrier;
 * ValueError when it is the tensor's own; RuntimeError when it was released,
 * then when it is not mutable; TypeError for another dtype, then for a
 * registered move that is pinned to other classes; ValueError when it is too
 * small. Then what the copy returns; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_move(const struct sw_tensor *tensor, struct sw_carrier *destination,
                                           struct sw_tensor **ret_tensor);

/**
 * A way of moving values: a descriptor that exists as long as it is registered.
 * Begin it with SW_MOVE_CLASS_HEAD.
 */
struct sw_move_class {
    struct sw_class_head head;
    /* Exact classes that it is written for; NULL: any. A move between others is a TypeError. */
    struct sw_carrier_class *source_class;
    struct sw_carrier_class *destination_class;
    /**
     * Write the elements of @tensor where @output has them: on @destination,
     * offset 0, the same layout. Everything was checked; @n_slots is the
     * layout's cosize, and copying that many slots as a whole is permitted.
     * Must not release either carrier; after success the source is released.
     */
    enum sw_status (*copy)(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                           struct sw_carrier *destination, const struct sw_tensor *output, size_t n_slots);
    const void *user; /* the author's */
};

#define SW_MOVE_CLASS_HEAD(module, qualified_name) \
    { SW_KIND_MOVE_CLASS, (uint32_t)sizeof(struct sw_move_class), 0, module, qualified_name }

/**
 * sw_move_register - move from one exact class to another in a way of one's own,
 * everywhere in the process. CPU to FileBacked and back are registered from the
 * start: they copy whole blocks. Pairs that nobody registered read and write
 * element by element.
 *
 * All three are borrowed until sw_move_unregister(), which must come before any
 * of them is gone (a plug-in that is closed).
 *
 * Threads: any; a move that has begun goes on as it began.
 * Returns TypeError when either class is no carrier class or @move_class is no
 * move class; ValueError when a required member is missing or the pair is
 * registered, which it then stays as it was; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_move_register(struct sw_carrier_class *source_class,
                                                    struct sw_carrier_class *destination_class,
                                                    const struct sw_move_class *move_class);

/** sw_move_unregister - forget a pair. ValueError when it is not registered; TypeError when either is no class. */
SW_API SW_NODISCARD enum sw_status sw_move_unregister(struct sw_carrier_class *source_class,
                                                      struct sw_carrier_class *destination_class);

SW_END_DECLS

#endif
