/*
 * The inside of a carrier, for the rooms that implement the class contract.
 */
#ifndef CARRIER_CARRIER_H
#define CARRIER_CARRIER_H

#include <strideweave/carrier.h>

#include "base/cleanup.h"

struct sw_carrier {
    uint32_t kind;   /* SW_KIND_CARRIER */
    uint32_t n_refs; /* atomic */
    struct sw_carrier_class *carrier_class;
    uint64_t version;       /* grows with every successful public write */
    uint32_t released;      /* 1 after release; never 0 again */
    uint32_t shift;         /* bytes between the start of the allocation and this */
    uint64_t owner_token;   /* not 0 while owned by another carrier; atomic */
    uint64_t access_thread; /* the thread inside a scope of its owner, or 0; atomic */
    uint32_t access_depth;  /* how many scopes; touched by that thread only */
    uint32_t is_counted;    /* its storage is in the counters of memory; lib/dispatch/storage.c's, as is the next */
    uint64_t number;        /* by which tools tell carriers apart; 0: none yet; atomic */
    _Alignas(64) unsigned char payload[];
};

SW__DEFINE_CLEANUP(carrier, struct sw_carrier, sw_carrier_unref)
#define SW__OWNED_CARRIER SW__CLEANUP(sw__cleanup_carrier)

/** TypeError unless @carrier is one; @what names the argument in the text. */
SW_NODISCARD enum sw_status sw__carrier_check(const struct sw_carrier *carrier, const char *what);
/** RuntimeError when released. */
SW_NODISCARD enum sw_status sw__carrier_check_live(const struct sw_carrier *carrier);

/** Whether the calling thread is inside an access scope of the carrier's owner. */
int sw__carrier_is_accessed_here(const struct sw_carrier *carrier);
/** Whether it has an owner and the calling thread is not inside a scope of it: an alias may read, and nothing else. */
static inline int sw__carrier_is_locked(const struct sw_carrier *carrier)
{
    return __atomic_load_n(&carrier->owner_token, __ATOMIC_RELAXED) != 0 && !sw__carrier_is_accessed_here(carrier);
}
/** RuntimeError when locked; @verb says in the text what only the owner may do. */
SW_NODISCARD enum sw_status sw__carrier_check_accessible(const struct sw_carrier *carrier, const char *verb);
/** RuntimeError unless a public write is allowed now: live, mutable, not owned by another. */
SW_NODISCARD enum sw_status sw__carrier_check_writable(const struct sw_carrier *carrier);
/** TypeError unless @carrier_class is a carrier class; ValueError when a required member is missing. */
SW_NODISCARD enum sw_status sw__carrier_class_check(const struct sw_carrier_class *carrier_class);

/** sw_carrier_new() of which only the first @zeroed_bytes of the payload are zeroed. */
SW_NODISCARD enum sw_status sw__carrier_new_partly(struct sw_carrier_class *carrier_class, size_t payload_bytes,
                                                   size_t zeroed_bytes, struct sw_carrier **ret_carrier);

/**
 * Fresh mutable storage of a class without a prototype. TypeError for what is no
 * class or no dtype; NotImplementedError when the class cannot; else as the class says.
 */
SW_NODISCARD enum sw_status sw__carrier_allocate(struct sw_carrier_class *carrier_class, size_t n, enum sw_dtype dtype,
                                                 int uninitialized, struct sw_carrier **ret_carrier);

/**
 * sw__carrier_dispatch - sw_carrier_dispatch() for a name that is looked up once; lib/dispatch defines it.
 *
 * @kept  Where the interned name stays between calls that give the same @name; NULL before the first. NULL: nowhere.
 */
SW_NODISCARD enum sw_status sw__carrier_dispatch(struct sw_carrier *carrier, const char *name, const char **kept,
                                                 struct sw_operation **ret_operation);

/* The dispatch hooks of the shipped classes are rows of the operation table; lib/op defines them. */
enum sw_status sw__generic_dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation);
enum sw_status sw__cpu_dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation);

#endif
