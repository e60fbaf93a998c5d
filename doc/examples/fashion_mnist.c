/*
 * The Fashion-MNIST data set as tensors.
 */
#include "fashion_mnist.h"

#include <stdio.h>
#include <stdlib.h>

#include "idx.h"
#include "scoped.h"
#include "texts.h"

static enum sw_status shape_2d(size_t first, size_t second, struct sw_tree **ret_shape)
{
    const int64_t extents[] = { (int64_t)first, (int64_t)second };

    return sw_tree_flat(extents, 2, ret_shape);
}

enum sw_status zeros_2d(struct sw_carrier_class *carrier_class, size_t first, size_t second,
                        struct sw_tensor **ret_tensor)
{
    struct sw_tree *shape = NULL;
    enum sw_status status;

    TRY(shape_2d(first, second, &shape));
    status = sw_tensor_zeros(carrier_class, SW_FLOAT32, shape, ret_tensor);
    sw_tree_unref(shape);
    return status;
}

static enum sw_status read_file(const char *directory, const char *name, size_t n_dims, size_t n_items,
                                struct idx *ret_idx)
{
    char path[1024];
    char message[1280];

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    if (idx_read(path, n_dims, n_items, ret_idx, message, sizeof(message)) != 0)
        return sw_error_set(SW_OS_ERROR, "%s", message);
    return SW_OK;
}

/*
 * The file lists image after image. Taken as (784,n), first mode fastest, that
 * is a compact tensor; its transpose is a view, nothing is copied again.
 */
static enum sw_status make_images(struct sw_carrier_class *carrier_class, const struct idx *idx,
                                  struct sw_tensor **ret_images)
{
    size_t n_values = idx->extents[0] * N_PIXELS;
    float *values = malloc(n_values * sizeof(*values));
    OWNED struct sw_tensor *columns = NULL;
    struct sw_tree *shape = NULL;
    enum sw_status status = shape_2d(N_PIXELS, idx->extents[0], &shape);

    if (values == NULL)
        status = sw_error_set(SW_MEMORY_ERROR, "There is no memory for %zu images.", idx->extents[0]);
    for (size_t i = 0; i < n_values && status == SW_OK; i++)
        values[i] = (float)idx->bytes[i] / 255.0f;
    if (status == SW_OK)
        status = sw_tensor_from_f32(carrier_class, values, shape, &columns);
    sw_tree_unref(shape);
    free(values);
    TRY(status);
    return transposed(columns, ret_images);
}

/* Rows of the identity matrix, chosen by the labels. */
static enum sw_status make_targets(struct sw_carrier_class *carrier_class, const int32_t *labels, size_t n,
                                   struct sw_tensor **ret_targets)
{
    const int64_t extent = (int64_t)n;
    float identity_values[N_CLASSES * N_CLASSES] = { 0 };
    OWNED struct sw_tensor *identity = NULL;
    OWNED struct sw_tensor *index = NULL;
    struct sw_tree *shape = NULL;
    enum sw_status status;

    for (size_t i = 0; i < N_CLASSES; i++)
        identity_values[i * N_CLASSES + i] = 1.0f;
    TRY(zeros_2d(carrier_class, N_CLASSES, N_CLASSES, &identity));
    TRY(sw_tensor_write_f32(identity, identity_values, N_CLASSES * N_CLASSES));
    TRY(sw_tree_flat(&extent, 1, &shape));
    status = sw_tensor_from_i32(carrier_class, labels, shape, &index);
    sw_tree_unref(shape);
    TRY(status);
    return sw_gather(identity, index, 0, ret_targets);
}

static enum sw_status make_data(struct sw_carrier_class *carrier_class, const struct idx *images,
                                const struct idx *labels, struct data_set *data)
{
    if (images->extents[1] * images->extents[2] != N_PIXELS || images->extents[0] != labels->extents[0])
        return sw_error_set(SW_VALUE_ERROR,
                            "The data set has %zu images of %zu pixels and %zu labels; %d pixels and "
                            "as many labels as images were expected.",
                            images->extents[0], images->item_bytes, labels->extents[0], N_PIXELS);
    data->n = labels->extents[0];
    data->labels = malloc(data->n * sizeof(*data->labels));
    if (data->labels == NULL)
        return sw_error_set(SW_MEMORY_ERROR, "There is no memory for %zu labels.", data->n);
    for (size_t i = 0; i < data->n; i++)
        data->labels[i] = labels->bytes[i];
    TRY(make_images(carrier_class, images, &data->images));
    return make_targets(carrier_class, data->labels, data->n, &data->targets);
}

enum sw_status data_read(const char *directory, const char *which, size_t n, struct sw_carrier_class *carrier_class,
                         struct data_set *data)
{
    char name[64];
    struct idx images = { 0 };
    struct idx labels = { 0 };
    enum sw_status status;

    snprintf(name, sizeof(name), "%s-images-idx3-ubyte.gz", which);
    status = read_file(directory, name, 3, n, &images);
    snprintf(name, sizeof(name), "%s-labels-idx1-ubyte.gz", which);
    if (status == SW_OK)
        status = read_file(directory, name, 1, n, &labels);
    if (status == SW_OK)
        status = make_data(carrier_class, &images, &labels, data);
    idx_free(&images);
    idx_free(&labels);
    return status;
}

void data_drop(struct data_set *data)
{
    sw_tensor_unref(data->images);
    sw_tensor_unref(data->targets);
    free(data->labels);
}
