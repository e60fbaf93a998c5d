/*
 * Files of named tensors, as onnx_tensors.py writes them:
 *
 *     named tensors 1
 *     NAME EXTENT...          one line; then the elements, 32-bit floating point,
 *                             little-endian, the first extent counting fastest
 *     NAME EXTENT...          and so on to the end of the file
 */
#ifndef EXAMPLES_WEIGHTS_H
#define EXAMPLES_WEIGHTS_H

#include <strideweave/strideweave.h>

struct weights {
    size_t n;
    struct named_tensor *tensors;
};

/**
 * weights_read - all tensors of a file.
 *
 * @path           The file.
 * @carrier_class  Where the tensors are.
 * @weights        Zeroed by the caller; weights_drop() gives it back, also after a failure.
 */
enum sw_status weights_read(const char *path, struct sw_carrier_class *carrier_class, struct weights *weights);

/**
 * weights_find - one of them, as one reference for the caller.
 *
 * @shape  What its shape must be, as text: "(3,64,128)".
 *
 * ValueError when there is none of this name and shape.
 */
enum sw_status weights_find(const struct weights *weights, const char *name, const char *shape,
                            struct sw_tensor **ret_tensor);

void weights_drop(struct weights *weights);

#endif
