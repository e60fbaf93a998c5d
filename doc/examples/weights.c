/*
 * Files of named tensors.
 */
#include "weights.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scoped.h"
#include "texts.h"

#define MAGIC "named tensors 1\n"
#define N_MOST_VALUES (1 << 26)

struct named_tensor {
    char *name;
    struct sw_tensor *tensor;
};

/* "NAME 3 64 128" is cut to the name; the rest is the shape (3,64,128). */
static enum sw_status parse_line(char *line, struct sw_tree **ret_shape)
{
    int64_t extents[8];
    size_t n = 0;
    char *end = NULL;
    char *at = strchr(line, ' ');

    if (at == NULL || at == line)
        return sw_error_set(SW_VALUE_ERROR, "the line \"%.40s\" is not a name and extents", line);
    *at++ = '\0';
    for (; n < sizeof(extents) / sizeof(extents[0]); at = end) {
        extents[n] = strtoll(at, &end, 10);
        if (end == at)
            break;
        n++;
    }
    if (*at != '\0')
        return sw_error_set(SW_VALUE_ERROR, "the tensor %.40s has no list of extents", line);
    return sw_tree_flat(extents, n, ret_shape);
}

static enum sw_status read_values(FILE *file, const char *name, size_t n, float *values)
{
    uint32_t bits;

    if (fread(values, sizeof(*values), n, file) != n)
        return sw_error_set(SW_VALUE_ERROR, "the file ends inside of the tensor %.40s", name);
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &values[i], sizeof(bits));
        bits = le32toh(bits);
        memcpy(&values[i], &bits, sizeof(bits));
    }
    return SW_OK;
}

/* The tensor that a line announces, which begins with its name then, is added to @weights. */
static enum sw_status read_tensor(FILE *file, char *name, struct sw_carrier_class *carrier_class,
                                  struct weights *weights)
{
    OWNED_TREE struct sw_tree *shape = NULL;
    struct named_tensor *tensors;
    float *values;
    int64_t size;
    enum sw_status status;

    TRY(parse_line(name, &shape));
    TRY(sw_shape_size(shape, &size));
    if (size > N_MOST_VALUES)
        return sw_error_set(SW_VALUE_ERROR, "the tensor %.40s has more than %d elements", name, N_MOST_VALUES);
    tensors = realloc(weights->tensors, (weights->n + 1) * sizeof(*tensors));
    if (tensors == NULL)
        return sw_error_set(SW_MEMORY_ERROR, "no memory for %zu tensors", weights->n + 1);
    weights->tensors = tensors;
    tensors[weights->n] = (struct named_tensor){ strdup(name), NULL };
    weights->n++;
    values = malloc((size_t)size * sizeof(*values));
    if (values == NULL || tensors[weights->n - 1].name == NULL)
        status = sw_error_set(SW_MEMORY_ERROR, "no memory for the tensor %.40s", name);
    else
        status = read_values(file, name, (size_t)size, values);
    if (status == SW_OK)
        status = sw_tensor_from_f32(carrier_class, values, shape, &tensors[weights->n - 1].tensor);
    free(values);
    return status;
}

static enum sw_status read_tensors(FILE *file, struct sw_carrier_class *carrier_class, struct weights *weights)
{
    enum sw_status status = SW_OK;
    char *line = NULL;
    size_t n_line = 0;
    ssize_t length = getline(&line, &n_line, file);

    if (length < 0 || strcmp(line, MAGIC) != 0)
        status = sw_error_set(SW_VALUE_ERROR, "this is no file of named tensors");
    while (status == SW_OK && (length = getline(&line, &n_line, file)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        status = read_tensor(file, line, carrier_class, weights);
    }
    free(line);
    return status;
}

enum sw_status weights_read(const char *path, struct sw_carrier_class *carrier_class, struct weights *weights)
{
    FILE *file = fopen(path, "rb");
    enum sw_status status;

    if (file == NULL)
        return sw_error_set(SW_OS_ERROR, "%s: %s", path, strerror(errno));
    status = read_tensors(file, carrier_class, weights);
    if (status == SW_OK && ferror(file))
        status = sw_error_set(SW_OS_ERROR, "%s could not be read", path);
    fclose(file);
    return status;
}

enum sw_status weights_find(const struct weights *weights, const char *name, const char *shape,
                            struct sw_tensor **ret_tensor)
{
    OWNED_TREE struct sw_tree *wanted = NULL;

    TRY(sw_tree_parse(shape, &wanted));
    for (size_t i = 0; i < weights->n; i++) {
        if (strcmp(weights->tensors[i].name, name) != 0)
            continue;
        if (!sw_tree_equal(sw_tensor_shape(weights->tensors[i].tensor), wanted))
            return sw_error_set(SW_VALUE_ERROR, "the tensor %s has another shape than %s", name, shape);
        *ret_tensor = sw_tensor_ref(weights->tensors[i].tensor);
        return SW_OK;
    }
    return sw_error_set(SW_VALUE_ERROR, "there is no tensor %s among the weights", name);
}

void weights_drop(struct weights *weights)
{
    for (size_t i = 0; i < weights->n; i++) {
        free(weights->tensors[i].name);
        sw_tensor_unref(weights->tensors[i].tensor);
    }
    free(weights->tensors);
}
