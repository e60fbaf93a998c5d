/*
 * The distinct shape lists that a session has seen, each kept once.
 */
#ifndef PROFILER_SHAPE_TABLE_H
#define PROFILER_SHAPE_TABLE_H

#include <strideweave/hooks.h>
#include <strideweave/status.h>

/** One list: a tree per positional input, NULL for what is no tensor; one reference each. */
struct sw__shape_list {
    uint64_t hash;
    size_t n_inputs;
    const struct sw_tree *shapes[];
};

struct sw__shape_table {
    struct sw__shape_list **lists; /* by index, n of them */
    uint32_t n;
    uint32_t room;
    uint32_t *slots; /* open addressing: index + 1, 0 when free */
    uint32_t n_slots; /* power of two, or 0 */
};

/** The index of a call's input shapes; makes it at first sight. 0 when there is no memory. */
int sw__shape_table_find(struct sw__shape_table *table, const struct sw_hook_compute *call, uint32_t *ret_index);
void sw__shape_table_clear(struct sw__shape_table *table);

#endif
