/*
 * From the rows of ops.def to operation classes, and from dispatch names to
 * rows: the dispatch hooks of the Generic and CPU carriers.
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "op/level.h"
#include "op/op.h"

enum row {
#define SW__OP(name, family, generic, cpu, gradient, flags) ROW_##name,
#include "op/ops.def"
#undef SW__OP
    N_ROWS
};

/* Written once, under names_once, before any row is given out. */
static struct sw__policy_rows policies[N_ROWS];

static const struct sw__op generic_ops[N_ROWS] = {
#define SW__OP(name, family, generic, cpu, gradient, flags) \
    { #name, sw_generic_class, &sw__kernel_##generic, &sw__gradient_##gradient, &policies[ROW_##name] },
#include "op/ops.def"
#undef SW__OP
};

/* The kernels of these families are compiled for every level, the others' for the first one only. */
#define AT_LEVEL_elementwise(level, name) &sw__kernel_##level##_##name
#define AT_LEVEL_ternary(level, name) &sw__kernel_##level##_##name
#define AT_LEVEL_reduce(level, name) &sw__kernel_##level##_##name
#define AT_LEVEL_scan(level, name) &sw__kernel_##level##_##name
#define AT_LEVEL_matmul(level, name) &sw__kernel_##level##_##name
#define AT_LEVEL_conv(level, name) &sw__kernel_##level##_##name
#define AT_LEVEL_gather(level, name) &sw__kernel_##name
#define AT_LEVEL_scatter(level, name) &sw__kernel_##name
#define AT_LEVEL_sort(level, name) &sw__kernel_##name
#define AT_LEVEL_view(level, name) &sw__kernel_##name

/* Generic stays at the first level: it is what CPU is compared with. */
static const struct sw__op cpu_ops[SW__N_LEVELS][N_ROWS] = {
    {
#define SW__OP(name, family, generic, cpu, gradient, flags) \
    { #name, sw_cpu_class, &sw__kernel_##cpu, &sw__gradient_##gradient, &policies[ROW_##name] },
#include "op/ops.def"
#undef SW__OP
    },
#ifdef HAVE_X86_LEVELS
    {
#define SW__OP(name, family, generic, cpu, gradient, flags) \
    { #name, sw_cpu_class, AT_LEVEL_##family(avx2, cpu), &sw__gradient_##gradient, &policies[ROW_##name] },
#include "op/ops.def"
#undef SW__OP
    },
    {
#define SW__OP(name, family, generic, cpu, gradient, flags) \
    { #name, sw_cpu_class, AT_LEVEL_##family(avx512, cpu), &sw__gradient_##gradient, &policies[ROW_##name] },
#include "op/ops.def"
#undef SW__OP
    },
#endif
};

const struct sw__op *sw__op_at(enum sw__level level, size_t row)
{
    return row < N_ROWS ? &cpu_ops[level][row] : NULL;
}

/* Writable: the first dispatch writes a class's serial, and to which level CPU's rows belong. */
static struct sw_operation_class generic_classes[N_ROWS] = {
#define SW__OP(name, family, generic, cpu, gradient, flags)                                        \
    { SW_OPERATION_CLASS_HEAD("strideweave", "Generic." #name), flags, 0,                \
      sw__##family##_compute, NULL, &generic_ops[ROW_##name] },
#include "op/ops.def"
#undef SW__OP
};

static struct sw_operation_class cpu_classes[N_ROWS] = {
#define SW__OP(name, family, generic, cpu, gradient, flags)                                        \
    { SW_OPERATION_CLASS_HEAD("strideweave", "CPU." #name), flags, 0,                    \
      sw__##family##_compute, NULL, &cpu_ops[SW__LEVEL_PLAIN][ROW_##name] },
#include "op/ops.def"
#undef SW__OP
};

const struct sw__op *sw__op_find(const struct sw_operation *operation)
{
    const struct sw_operation_class *own = sw_operation_class_of(operation);

    for (int row = 0; row < N_ROWS; row++)
        if (own == &generic_classes[row] || own == &cpu_classes[row])
            return own->user;
    return NULL;
}

/* ---- Names ------------------------------------------------------------------------ */

/* Power of two, at least twice N_ROWS. */
#define N_SLOTS 128
_Static_assert(2 * N_ROWS <= N_SLOTS, "the table of names is at most half full");

struct name_slot {
    const char *name; /* interned; NULL when free */
    enum row row;
};

/* Written once, under names_once; read-only afterwards. */
static struct name_slot by_address[N_SLOTS];
static enum row by_text[N_ROWS];
static pthread_once_t names_once = PTHREAD_ONCE_INIT;
static int names_are_indexed; /* atomic */

static size_t slot_of(const char *name)
{
    return (size_t)(((uint64_t)(uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15)) >> 57) % N_SLOTS;
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp(generic_ops[*(const enum row *)a].name, generic_ops[*(const enum row *)b].name);
}

static void index_names(void)
{
    const enum sw__level level = sw__level_highest();

    for (int row = 0; row < N_ROWS; row++) {
        by_text[row] = (enum row)row;
        policies[row] = sw__policy_find(generic_ops[row].name);
        cpu_classes[row].user = &cpu_ops[level][row];
        /* A name that could not be interned is still found by its text. */
        const char *name = sw__intern(generic_ops[row].name);
        if (name == NULL)
            continue;
        size_t slot = slot_of(name);
        while (by_address[slot].name != NULL)
            slot = (slot + 1) % N_SLOTS;
        by_address[slot] = (struct name_slot){ name, (enum row)row };
    }
    qsort(by_text, N_ROWS, sizeof by_text[0], compare_rows);
    __atomic_store_n(&names_are_indexed, 1, __ATOMIC_RELEASE);
}

static int compare_text(const void *key, const void *row)
{
    return strcmp(key, generic_ops[*(const enum row *)row].name);
}

/* The row of a dispatch name; N_ROWS when there is none. */
static enum row find(const char *name)
{
    if (__builtin_expect(!__atomic_load_n(&names_are_indexed, __ATOMIC_ACQUIRE), 0))
        pthread_once(&names_once, index_names);
    for (size_t slot = slot_of(name); by_address[slot].name != NULL; slot = (slot + 1) % N_SLOTS)
        if (by_address[slot].name == name)
            return by_address[slot].row;
    const enum row *row = bsearch(name, by_text, N_ROWS, sizeof by_text[0], compare_text);
    return row != NULL ? *row : N_ROWS;
}

static enum sw_status dispatch(struct sw_operation_class *classes, const struct sw_carrier *carrier, const char *name,
                               struct sw_operation **ret_operation)
{
    enum row row = find(name);

    if (row == N_ROWS)
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "%s carriers have no operation named \"%s\"",
                            carrier->carrier_class->head.qualified_name, name);
    return sw_operation_new(&classes[row], ret_operation);
}

enum sw_status sw__generic_dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    return dispatch(generic_classes, carrier, name, ret_operation);
}

enum sw_status sw__cpu_dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    return dispatch(cpu_classes, carrier, name, ret_operation);
}
