/*
 * Moving whole arrays of elements between a tensor and plain memory, whatever
 * its carrier. Arrays hold elements as host-memory carriers do.
 */
#ifndef TENSOR_TRANSFER_H
#define TENSOR_TRANSFER_H

#include "tensor/tensor.h"

/** TypeError unless all of @n bytes are 0 or 1. */
SW_NODISCARD enum sw_status sw__check_booleans(const uint8_t *values, size_t n);

/**
 * Store @n elements of the carrier's dtype in slots @first, @first + 1, ... of
 * storage that was just made and nobody else has seen. Its version stays.
 */
SW_NODISCARD enum sw_status sw__carrier_initialize(struct sw_carrier *carrier, int64_t first, const void *values,
                                                   size_t n);

#endif
