/*
 * The Fashion-MNIST data set as tensors.
 */
#ifndef EXAMPLES_FASHION_MNIST_H
#define EXAMPLES_FASHION_MNIST_H

#include <strideweave/strideweave.h>

#define N_PIXELS 784
#define N_CLASSES 10
#define N_MOST_IMAGES 60000

struct data_set {
    size_t n;
    struct sw_tensor *images;  /* (n,784), from 0 to 1 */
    struct sw_tensor *targets; /* (n,10), 1 at the image's class, else 0 */
    int32_t *labels;           /* n classes */
};

/**
 * data_read - the first images of one half of the data set.
 *
 * @directory      Where the files are.
 * @which          "train" or "t10k": how their names begin.
 * @n              Images after these are not read.
 * @carrier_class  Where the tensors are.
 * @data           Zeroed by the caller; data_drop() gives it back, also after a failure.
 */
enum sw_status data_read(const char *directory, const char *which, size_t n, struct sw_carrier_class *carrier_class,
                         struct data_set *data);

void data_drop(struct data_set *data);

/** A (first,second) tensor of zeros. */
enum sw_status zeros_2d(struct sw_carrier_class *carrier_class, size_t first, size_t second,
                        struct sw_tensor **ret_tensor);

#endif
