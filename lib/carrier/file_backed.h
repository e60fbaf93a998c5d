/*
 * FileBacked carriers for the moves that copy whole blocks.
 */
#ifndef CARRIER_FILE_BACKED_H
#define CARRIER_FILE_BACKED_H

#include "carrier/carrier.h"

extern struct sw_carrier_class sw__file_backed_class;

/** Read @n slots from @first on of a FileBacked carrier. OSError. */
SW_NODISCARD enum sw_status sw__file_backed_read(const struct sw_carrier *carrier, size_t first, void *slots, size_t n);
/** Write @n slots from @first on; the version stays. OSError, and then some of them may be written. */
SW_NODISCARD enum sw_status sw__file_backed_write(struct sw_carrier *carrier, size_t first, const void *slots,
                                                  size_t n);

#endif
