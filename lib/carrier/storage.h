/*
 * What carriers say of their storage: it was made, it is given back, there was
 * none to be had. lib/dispatch tells tools and the counters of this process,
 * when anybody wants to know.
 */
#ifndef CARRIER_STORAGE_H
#define CARRIER_STORAGE_H

#include "carrier/carrier.h"

/** @bytes of storage were made for @carrier. 0 bytes are no storage, and told to nobody. */
void sw__storage_made(struct sw_carrier *carrier, uint64_t bytes);
/** They are about to be given back. */
void sw__storage_gone(struct sw_carrier *carrier, uint64_t bytes);
/** There was no room for @bytes of @carrier. */
void sw__storage_refused(struct sw_carrier *carrier, uint64_t bytes);

#endif
