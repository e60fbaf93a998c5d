/*
 * Reading the idx files of the MNIST family: a magic number, the extents and
 * then the bytes, gzip-compressed or not.
 */
#ifndef EXAMPLES_IDX_H
#define EXAMPLES_IDX_H

#include <stddef.h>
#include <stdint.h>

#define IDX_MAX_DIMS 3

struct idx {
    size_t n_dims;
    size_t extents[IDX_MAX_DIMS]; /* the first one counts the items */
    size_t item_bytes;            /* product of the others */
    uint8_t *bytes;               /* extents[0] items, one after the other; idx_free() gives them back */
};

/**
 * idx_read - read the first items of a file of unsigned bytes.
 *
 * @path       The file.
 * @n_dims     How many extents it must have.
 * @max_items  Items after these are not read.
 * @ret_idx    Filled on success, untouched on failure.
 * @message    Filled on failure: one sentence, of at most @n bytes with its end.
 *
 * Returns 0, or -1 on failure.
 */
int idx_read(const char *path, size_t n_dims, size_t max_items, struct idx *ret_idx, char *message, size_t n);

void idx_free(struct idx *idx);

#endif
