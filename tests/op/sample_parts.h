/*
 * What the files that make samples share: random values, shapes, layouts and
 * operands. Trees and layouts that come are owned by the caller.
 */
#ifndef TESTS_OP_SAMPLE_PARTS_H
#define TESTS_OP_SAMPLE_PARTS_H

#include "layout/layout.h"
#include "layout/tree.h"
#include "sample.h"

#define MAX_MODES 5
#define MAX_NODES 32
#define MAX_SIZE 3000

/** 1 in one of @n cases. */
int one_in(struct sample_random *random, int64_t n);
double random_real(struct sample_random *random);
double random_value(struct sample_random *random, enum sw_dtype dtype);

struct sw_tree *make_tree(const int64_t *nodes, size_t n);
struct sw_tree *random_shape(struct sample_random *random, int64_t n_modes);
/** A shape with some extents 1. */
struct sw_tree *narrowed(const struct sw_tree *shape, struct sample_random *random);
/** A shape with extents 1 made larger. */
struct sw_tree *widened(const struct sw_tree *shape, struct sample_random *random);
/** Mode @mode replaced by the modes of @by. */
struct sw_tree *replaced(const struct sw_tree *shape, size_t mode, const struct sw_tree *by);
int64_t mode_size(const struct sw_tree *shape, size_t mode);
/** Leaves take their strides in a random order: with gaps, repeated or both, at times. */
struct sw_layout *random_layout(const struct sw_tree *shape, struct sample_random *random);

struct sample_operand *add_operand(struct sample *sample, struct sw_operand other);
/** Takes over @tree. */
void add_tree(struct sample *sample, struct sw_tree *tree);
/** Takes over @layout. */
struct sample_operand *add_placed(struct sample *sample, enum sw_dtype dtype, struct sw_layout *layout,
                                  struct sample_random *random);
/** Takes over @shape. */
struct sample_operand *add_tensor(struct sample *sample, enum sw_dtype dtype, struct sw_tree *shape,
                                  struct sample_random *random);

/* One function per family of ops.def: adds the operands of @sample->name. */
typedef void make_fn(struct sample *sample, struct sample_random *random);
make_fn make_elementwise, make_ternary, make_reduce, make_matmul, make_conv, make_scan, make_gather, make_scatter,
    make_sort, make_view;

#endif
