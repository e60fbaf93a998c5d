/*
 * A private file that holds bytes. It is opened for each access, so that the
 * number of files is not bounded by that of descriptors, and a program that
 * closes descriptors which are not its own makes us write to nothing of its own.
 */
#ifndef CARRIER_FILE_H
#define CARRIER_FILE_H

#include <strideweave/status.h>

/**
 * sw__file_create - a new empty file in the private directory.
 *
 * @name      Without '/', or NULL: one that no other has.
 * @ret_path  From sw__alloc().
 *
 * ValueError for another name and for one that exists; OSError; MemoryError.
 */
SW_NODISCARD enum sw_status sw__file_create(const char *name, char **ret_path);
/** Make an empty file hold @n_bytes zeros, for which there is room then; OSError, with the file empty again. */
SW_NODISCARD enum sw_status sw__file_reserve(const char *path, size_t n_bytes);
/** Read all of @n_bytes at @offset; OSError. */
SW_NODISCARD enum sw_status sw__file_read(const char *path, size_t offset, void *bytes, size_t n_bytes);
/** Write all of @n_bytes at @offset; OSError, and then part of it may be written. */
SW_NODISCARD enum sw_status sw__file_write(const char *path, size_t offset, const void *bytes, size_t n_bytes);

#endif
