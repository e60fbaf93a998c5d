/*
 * The policy as data: policy.def expanded into packed rows, and a hash index
 * from operation names to their rows, made at the first look-up.
 */
#include "config.h"

#include "dtype/policy_table.h"

#include <pthread.h>
#include <string.h>

/* The operands of policy.def as (accepted classes, dtype that they become). */
#define F (SW__CLASS_FLOAT32, FLOAT32)
#define I (SW__CLASS_INT32, INT32)
#define B (SW__CLASS_BOOL, BOOL)
#define I_AS_F (SW__CLASS_INT32, FLOAT32)
#define W_AS_F (SW__CLASSES_SCALAR, FLOAT32)
#define WI_AS_I (SW__CLASS_NATURAL | SW__CLASS_INTEGER, INT32)
#define WN_AS_I (SW__CLASS_NATURAL, INT32)
#define ABSENT (0, DTYPE_NONE)

#define CLASSES_OF(classes, dtype) (classes)
#define DTYPE_OF(classes, dtype) SW_##dtype

/* A list of one to four operands, filled up with ABSENT to four. */
#define PAD(...) PAD_TO_4(__VA_ARGS__, ABSENT, ABSENT, ABSENT, ABSENT)
#define PAD_TO_4(a, b, c, d, ...) a, b, c, d
#define APPLY(macro, ...) macro(__VA_ARGS__)

#define ACCEPTS(...) APPLY(ACCEPTS_4, PAD(__VA_ARGS__))
#define ACCEPTS_4(a, b, c, d)                                                      \
    SW__PACK_CLASSES(CLASSES_OF a, 0) | SW__PACK_CLASSES(CLASSES_OF b, 1) |        \
        SW__PACK_CLASSES(CLASSES_OF c, 2) | SW__PACK_CLASSES(CLASSES_OF d, 3)
#define COUNT(...) APPLY(COUNT_4, PAD(__VA_ARGS__))
#define COUNT_4(a, b, c, d) \
    ((CLASSES_OF a) != 0) + ((CLASSES_OF b) != 0) + ((CLASSES_OF c) != 0) + ((CLASSES_OF d) != 0)
#define CONVERT(...) APPLY(CONVERT_4, PAD(__VA_ARGS__))
#define CONVERT_4(a, b, c, d) { DTYPE_OF a, DTYPE_OF b, DTYPE_OF c, DTYPE_OF d }

static const struct sw__policy_row rows[] = {
#define SW_POLICY(operation, operands, compute, accumulation, output)                              \
    { #operation,          ACCEPTS operands, COUNT operands, SW__COMPUTE_##compute,                \
      SW__ACCUMULATE_##accumulation, SW_##output, CONVERT operands },
#include "dtype/policy.def"
#undef SW_POLICY
};

#define N_ROWS (sizeof rows / sizeof *rows)
/* A power of two, well above the number of operations. */
#define N_BUCKETS 256

/* Filled once, before the first look-up returns; only read afterwards. */
static struct sw__policy_rows index_of_names[N_BUCKETS];
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

static size_t hash_name(const char *name)
{
    uint32_t hash = 0;

    for (; *name != '\0'; name++)
        hash = hash * 31 + (unsigned char)*name;
    return (hash ^ (hash >> 8)) % N_BUCKETS;
}

/* The bucket that holds @name, or the empty one where it belongs. */
static struct sw__policy_rows *bucket_of(const char *name)
{
    size_t bucket = hash_name(name);

    while (index_of_names[bucket].n != 0 && strcmp(index_of_names[bucket].first->operation, name) != 0)
        bucket = (bucket + 1) % N_BUCKETS;
    return &index_of_names[bucket];
}

static void make_index(void)
{
    for (size_t row = 0; row < N_ROWS; row++) {
        struct sw__policy_rows *found = bucket_of(rows[row].operation);

        if (found->n == 0)
            found->first = &rows[row];
        found->n++;
    }
}

struct sw__policy_rows sw__policy_find(const char *operation)
{
    pthread_once(&index_once, make_index);
    return *bucket_of(operation);
}

struct sw__policy_rows sw__policy_all(void)
{
    return (struct sw__policy_rows){ rows, N_ROWS };
}
