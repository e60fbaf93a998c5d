/*
 * Appending records to blocks of one type: texts, dispatches, shape lists,
 * sessions. For the holder of the capture's lock.
 */
#ifndef SHIM_SERIES_H
#define SHIM_SERIES_H

#include "shim/capture.h"

/**
 * Room for a record of @n_bytes (rounded up to a multiple of 8), in a new block
 * where the current one is full. @first_id is for that block. NULL when there is
 * none, and why.
 */
void *series_room(struct capture *capture, struct series *series, enum swprof_block_type type, uint64_t n_bytes,
                  uint32_t first_id, enum swprof_lost *reason);

/** The record that was just written into the room is whole. */
void series_publish(struct series *series, uint64_t n_bytes);

/**
 * Reference of a text in the report, stored once however often it is asked for.
 * Cut to SERIES_TEXT_BYTES; 0 for NULL and when there is no room.
 */
uint32_t series_text(struct capture *capture, const char *text);

/** Reference of a text that is in the report already, else 0. Threads: any, without the lock. */
uint32_t series_find_text(const struct capture *capture, const char *text);

/** series_text() of what the program made up, and may make up without end: such texts get a 64th of the cap. */
uint32_t series_made_up_text(struct capture *capture, const char *text);

#define SERIES_TEXT_BYTES 1024
#define SERIES_MOST_TEXTS (UINT32_C(1) << 18)

#endif
