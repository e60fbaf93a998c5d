/*
 * Calls of the library with trees that are given as text, and the class of
 * carriers that a command line names.
 */
#ifndef EXAMPLES_TEXTS_H
#define EXAMPLES_TEXTS_H

#include <string.h>
#include <strideweave/strideweave.h>

#include "scoped.h"

/** A local tree that is given back at the end of its block. */
#define OWNED_TREE __attribute__((cleanup(give_back_tree)))
static inline void give_back_tree(struct sw_tree **tree)
{
    sw_tree_unref(*tree);
}

/** A view: "((*,*,*),(0,129,*),2)" keeps all of a mode, a range of one and one element of one. */
static inline enum sw_status slice_by(const struct sw_tensor *in, const char *key_text, struct sw_tensor **ret_tensor)
{
    OWNED_TREE struct sw_tree *key = NULL;

    TRY(sw_tree_parse(key_text, &key));
    return sw_slice(in, key, ret_tensor);
}

static inline enum sw_status reshape_to(const struct sw_tensor *in, const char *shape_text,
                                        struct sw_tensor **ret_tensor)
{
    OWNED_TREE struct sw_tree *shape = NULL;

    TRY(sw_tree_parse(shape_text, &shape));
    return sw_reshape(in, shape, ret_tensor);
}

/** A fresh tensor of as many values as the shape says. */
static inline enum sw_status tensor_of(struct sw_carrier_class *carrier_class, const float *values,
                                       const char *shape_text, struct sw_tensor **ret_tensor)
{
    OWNED_TREE struct sw_tree *shape = NULL;

    TRY(sw_tree_parse(shape_text, &shape));
    return sw_tensor_from_f32(carrier_class, values, shape, ret_tensor);
}

/** A view of a tensor of two modes with the modes exchanged. */
static inline enum sw_status transposed(const struct sw_tensor *in, struct sw_tensor **ret_tensor)
{
    static const int64_t order[] = { 1, 0 };

    return sw_permute(in, order, 2, ret_tensor);
}

/** The shipped class that computes and has this name; NULL when there is none. */
static inline struct sw_carrier_class *carrier_class_named(const char *name)
{
    static const struct {
        const char *name;
        struct sw_carrier_class *(*get)(void);
    } classes[] = { { "CPU", sw_cpu_class }, { "Generic", sw_generic_class } };

    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (strcmp(classes[i].name, name) == 0)
            return classes[i].get();
    }
    return NULL;
}

#endif
