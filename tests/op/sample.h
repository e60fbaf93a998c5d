/*
 * Samples: for every row of the operation table operands that it takes, of
 * random shapes, layouts, dtypes and values, independent of carriers. What a
 * seed gives is always the same.
 */
#ifndef TESTS_OP_SAMPLE_H
#define TESTS_OP_SAMPLE_H

#include <strideweave/strideweave.h>

#include "dtype/policy_table.h"

#define SAMPLE_OPERANDS 8

struct sample_random {
    uint64_t state;
    uint64_t turn; /* through the rows of the dtype policy, so that none is left out */
};

/** In [0, @n). */
int64_t sample_below(struct sample_random *random, int64_t n);

/** A tensor without a carrier, or any other operand. */
struct sample_operand {
    struct sw_operand other;  /* unless it is a tensor */
    struct sw_tree *tree;     /* owned; what @other names */
    struct sw_layout *layout; /* owned; NULL: no tensor */
    enum sw_dtype dtype;
    int64_t offset;
    double *slots; /* owned */
    size_t n_slots;
};

struct sample {
    const char *name;   /* dispatch name */
    const char *family; /* of ops.def */
    struct sample_operand operands[SAMPLE_OPERANDS];
    size_t n_operands;
    const struct sw__policy_row *policy; /* that the operands follow, mostly; NULL for a view */
    struct sw_execution_options options;
    int has_options;
};

/** Rows of ops.def. */
size_t sample_n_rows(void);
/** A sample of row @row. Given back with sample_clear(). */
void sample_make(struct sample *sample, size_t row, struct sample_random *random);
void sample_clear(struct sample *sample);

enum sample_layouts { SAMPLE_AS_MADE, SAMPLE_CANONICAL };

/** The operands on a carrier class, with their layouts or copied to canonical ones; given back with sample_drop(). */
void sample_build(const struct sample *sample, struct sw_carrier_class *on, enum sample_layouts layouts,
                  struct sw_operand *operands);
void sample_drop(const struct sample *sample, struct sw_operand *operands);
/** Dispatch and execute. */
enum sw_status sample_run(const struct sample *sample, const struct sw_operand *operands,
                          struct sw_tensor **ret_tensor);
/** The operation and its operands in words, in a static buffer. */
const char *sample_text(const struct sample *sample);

#endif
