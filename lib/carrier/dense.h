/*
 * Storage of the host-memory carriers (Generic and CPU): one typed array.
 */
#ifndef CARRIER_DENSE_H
#define CARRIER_DENSE_H

#include "carrier/block.h"
#include "carrier/carrier.h"

/** Payload of a Generic or a CPU carrier; small storage follows it in the payload. */
struct sw__dense {
    void *data; /* aligned to 64 bytes when owned; not NULL before release, also for 0 slots */
    size_t n;   /* slots; 0 after release */
    enum sw_dtype dtype;
    int is_mutable;
    int is_external;        /* caller's memory: never freed */
    struct sw__block block; /* the separate allocation that data lies in, or none */
};

/** The storage of a Generic or CPU carrier; NULL for any other class. */
struct sw__dense *sw__dense_of(const struct sw_carrier *carrier);

/* The two classes over this storage. */
extern struct sw_carrier_class sw__generic_class;
extern struct sw_carrier_class sw__cpu_class;

/** A carrier of either class that owns @n slots; ValueError for a dtype that is not stored or more than INT64_MAX. */
SW_NODISCARD enum sw_status sw__dense_new(struct sw_carrier_class *carrier_class, size_t n, int is_mutable,
                                          enum sw_dtype dtype, enum sw__fill fill, struct sw_carrier **ret_carrier);
/** A carrier over @n elements of the caller's at @pointer; ValueError also when it is not aligned for @dtype. */
SW_NODISCARD enum sw_status sw__dense_wrap(struct sw_carrier_class *carrier_class, size_t n, int is_mutable,
                                           enum sw_dtype dtype, void *pointer, struct sw_carrier **ret_carrier);

/** What a value of kind 0 (a hole) means. */
enum sw__holes { SW__HOLES_REFUSED, SW__HOLES_ARE_ZERO };

/** sw__dense_new() with values, normalised one by one; TypeError or OverflowError for one that @dtype does not take. */
SW_NODISCARD enum sw_status sw__dense_from_values(struct sw_carrier_class *carrier_class,
                                                  const struct sw_scalar *values, size_t n, int is_mutable,
                                                  enum sw_dtype dtype, enum sw__holes holes,
                                                  struct sw_carrier **ret_carrier);

/* Members that both classes share. */
size_t sw__dense_size(const struct sw_carrier *carrier);
enum sw_dtype sw__dense_dtype(const struct sw_carrier *carrier);
int sw__dense_is_mutable(const struct sw_carrier *carrier);
int sw__dense_supports_dtype(const struct sw_carrier *carrier, enum sw_dtype dtype);
enum sw_status sw__dense_get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value);
enum sw_status sw__dense_set(struct sw_carrier *carrier, size_t slot, const struct sw_scalar *value);
enum sw_status sw__dense_scatter(struct sw_carrier *carrier, const struct sw_tensor *source,
                                 const struct sw_tensor *onto, const struct sw_layout *mapping, int64_t mapping_offset);
enum sw_status sw__dense_allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                       enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier);
enum sw_status sw__dense_allocate(struct sw_carrier_class *carrier_class, size_t n, int mutable_storage,
                                  enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier);
void sw__dense_release(struct sw_carrier *carrier);

#endif
