/*
 * Reading the idx files of the MNIST family: a magic number, the extents and
 * then the bytes, gzip-compressed or not.
 */
#include "idx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define UNSIGNED_BYTES 0x08 /* the type code of the elements */
#define MAX_EXTENT 1000000  /* more is no data set of this family */

/* Whether exactly @n bytes came; gzread() takes an unsigned int and returns an int. */
static int read_all(gzFile file, void *buffer, size_t n)
{
    uint8_t *at = buffer;
    unsigned step;

    while (n > 0) {
        step = n < (1u << 20) ? (unsigned)n : 1u << 20;
        if (gzread(file, at, step) != (int)step)
            return 0;
        at += step;
        n -= step;
    }
    return 1;
}

static int read_word(gzFile file, uint32_t *ret_word)
{
    uint8_t bytes[4];

    if (!read_all(file, bytes, sizeof(bytes)))
        return 0;
    *ret_word = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return 1;
}

/* NULL, or what is wrong with the head of the file. */
static const char *read_head(gzFile file, size_t n_dims, struct idx *idx)
{
    uint32_t word;

    if (!read_word(file, &word) || word != (UNSIGNED_BYTES << 8 | n_dims))
        return "is no idx file of unsigned bytes with that many dimensions";
    idx->n_dims = n_dims;
    idx->item_bytes = 1;
    for (size_t i = 0; i < n_dims; i++) {
        if (!read_word(file, &word))
            return "ends within its head";
        if (word == 0 || word > MAX_EXTENT)
            return "has an extent that is zero or too large";
        idx->extents[i] = word;
        idx->item_bytes *= i > 0 ? word : 1;
    }
    return NULL;
}

/* NULL, or what is wrong with the file. */
static const char *read_file(gzFile file, size_t n_dims, size_t max_items, struct idx *idx)
{
    const char *fault = read_head(file, n_dims, idx);
    size_t n_bytes;

    if (fault != NULL)
        return fault;
    if (idx->extents[0] > max_items)
        idx->extents[0] = max_items;
    n_bytes = idx->extents[0] * idx->item_bytes;
    idx->bytes = malloc(n_bytes > 0 ? n_bytes : 1);
    if (idx->bytes == NULL)
        return "is larger than the memory";
    if (!read_all(file, idx->bytes, n_bytes)) {
        free(idx->bytes);
        return "is damaged or ends too early";
    }
    return NULL;
}

int idx_read(const char *path, size_t n_dims, size_t max_items, struct idx *ret_idx, char *message, size_t n)
{
    struct idx idx = { 0 };
    const char *fault;
    gzFile file;

    if (n_dims > IDX_MAX_DIMS) {
        snprintf(message, n, "%s cannot be read with %zu dimensions.", path, n_dims);
        return -1;
    }
    errno = 0;
    file = gzopen(path, "rb");
    if (file == NULL) {
        snprintf(message, n, "%s cannot be opened: %s.", path, strerror(errno != 0 ? errno : ENOMEM));
        return -1;
    }
    fault = read_file(file, n_dims, max_items, &idx);
    gzclose(file);
    if (fault != NULL) {
        snprintf(message, n, "%s %s.", path, fault);
        return -1;
    }
    *ret_idx = idx;
    return 0;
}

void idx_free(struct idx *idx)
{
    free(idx->bytes);
    idx->bytes = NULL;
}
