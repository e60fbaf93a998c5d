/*
 * Carriers, tensors on them and what composes carriers when memory runs out:
 * each allocation of each call fails once. The call then says MemoryError,
 * values stay where they were and nothing is kept.
 */
#include "config.h"

#include "allocations.h"
#include "op/op_test.h"

#ifdef SW_FAILURE_INJECTION

static const struct classes {
    const char *name;
    struct sw_carrier_class *(*source)(void);
    struct sw_carrier_class *(*destination)(void);
} pairs[] = {
    { "CPU to FileBacked", sw_cpu_class, sw_file_backed_class },
    { "FileBacked to CPU", sw_file_backed_class, sw_cpu_class },
    { "CPU to Generic", sw_cpu_class, sw_generic_class },
    { "Generic to FileBacked", sw_generic_class, sw_file_backed_class },
};

/* Two zeros on a fresh tensor; with failures of allocation as they come. */
static enum sw_status two_on(struct sw_carrier_class *on, struct sw_tensor **ret_tensor)
{
    static const int64_t n = 2;
    struct sw_tree *shape = NULL;
    enum sw_status status = sw_tree_flat(&n, 1, &shape);

    if (status == SW_OK)
        status = sw_tensor_zeros(on, SW_FLOAT32, shape, ret_tensor);
    sw_tree_unref(shape);
    return status;
}

static enum sw_status run_move(const void *argument)
{
    const struct classes *classes = argument;
    struct sw_tensor *source = NULL, *room = NULL, *moved = NULL;
    enum sw_status status = two_on(classes->source(), &source);

    if (status == SW_OK)
        status = two_on(classes->destination(), &room);
    if (status == SW_OK)
        status = sw_tensor_write_f32(source, (const float[]){ 5, 6 }, 2);
    if (status == SW_OK) {
        status = sw_move(source, sw_tensor_carrier(room), &moved);
        ck_assert((status == SW_OK) == (moved != NULL));
        /* The source keeps its values unless they were taken. */
        ck_assert_int_eq(sw_carrier_size(sw_tensor_carrier(source)) > 0, status != SW_OK);
    }
    sw_tensor_unref(moved);
    sw_tensor_unref(room);
    sw_tensor_unref(source);
    return status;
}

START_TEST(every_move_survives_the_failure_of_every_allocation)
{
    for (size_t i = 0; i < N_OF(pairs); i++)
        ck_assert_uint_gt(fail_each_allocation(run_move, &pairs[i], pairs[i].name, SW_OK), 3);
}
END_TEST

/* Made, computed on, evicted, promoted and read. */
static enum sw_status use(struct sw_carrier *carrier, const struct sw_layout *layout)
{
    struct sw_tensor *tensor = NULL, *sum = NULL;
    float values[2] = { 0, 0 };
    enum sw_status status = sw_tensor_new(carrier, 0, layout, &tensor);

    if (status == SW_OK)
        status = sw_add(tensor, tensor, &sum);
    if (status == SW_OK) {
        status = sw_evictable_evict(carrier);
        ck_assert_int_eq(sw_evictable_is_evicted(carrier), status == SW_OK);
    }
    if (status == SW_OK) {
        status = sw_evictable_promote(carrier);
        ck_assert_int_eq(sw_evictable_is_evicted(carrier), status != SW_OK);
    }
    if (status == SW_OK)
        status = sw_tensor_read_f32(tensor, values, 2);
    ck_assert(status != SW_OK || (values[0] == 5 && values[1] == 6));
    sw_tensor_unref(sum);
    sw_tensor_unref(tensor);
    return status;
}

static enum sw_status run_evictable(const void *argument)
{
    const struct classes *classes = argument;
    struct sw_tensor *primary = NULL, *secondary = NULL;
    struct sw_carrier *carrier = NULL;
    enum sw_status status = two_on(classes->source(), &primary);

    if (status == SW_OK)
        status = two_on(classes->destination(), &secondary);
    if (status == SW_OK)
        status = sw_tensor_write_f32(primary, (const float[]){ 5, 6 }, 2);
    if (status == SW_OK) {
        status = sw_evictable_new(sw_tensor_carrier(primary), sw_tensor_carrier(secondary), &carrier);
        ck_assert((status == SW_OK) == (carrier != NULL));
    }
    if (status == SW_OK)
        status = use(carrier, sw_tensor_layout(primary));
    sw_carrier_unref(carrier);
    sw_tensor_unref(secondary);
    sw_tensor_unref(primary);
    return status;
}

START_TEST(an_evictable_survives_the_failure_of_every_allocation)
{
    for (size_t i = 0; i < N_OF(pairs); i++)
        if (pairs[i].source != sw_file_backed_class)
            ck_assert_uint_gt(fail_each_allocation(run_evictable, &pairs[i], pairs[i].name, SW_OK), 10);
}
END_TEST

CHECK_MAIN("memory", every_move_survives_the_failure_of_every_allocation,
           an_evictable_survives_the_failure_of_every_allocation)

#else

#include <stdio.h>

int main(void)
{
    puts("skipped: built without --enable-failure-injection");
    return 77;
}

#endif
