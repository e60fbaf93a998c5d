/*
 * Every ordered pair of carrier classes, the shipped ones and one from outside:
 * tensors move, a registered move is used, and an Evictable has the two as tiers.
 */
#include "config.h"

#include "check_main.h"
#include "parts.h"

static struct sw_carrier *generic_of(float first, float second)
{
    return GENERIC(first, second);
}

static struct sw_carrier *cpu_of(float first, float second)
{
    return CPU(first, second);
}

static struct sw_carrier *vault_of(float first, float second)
{
    return VAULT(first, second);
}

static struct sw_carrier *file_of(float first, float second)
{
    struct sw_carrier *empty = NULL, *carrier = NULL;

    OK(sw_file_backed_new(NULL, &empty));
    OK(sw_carrier_allocate_like(empty, 2, 1, SW_FLOAT32, 0, &carrier));
    OK(parts_set(carrier, 0, (double)first));
    OK(parts_set(carrier, 1, (double)second));
    sw_carrier_unref(empty);
    return carrier;
}

static struct sw_carrier *evictable_of(float first, float second)
{
    return parts_evictable(CPU(first, second), file_of(0, 0));
}

typedef struct sw_carrier *make_side(float first, float second);

static make_side *const sides[] = { generic_of, cpu_of, file_of, evictable_of, vault_of };

#define N_SIDES N_ELEMENTS(sides)
#define N_PAIRS (N_SIDES * N_SIDES)

/* Of the row of a looped test. */
static make_side *first_of(int row)
{
    return sides[(size_t)row / N_SIDES];
}

static make_side *second_of(int row)
{
    return sides[(size_t)row % N_SIDES];
}

/* The second element of the source goes first. */
static struct sw_carrier *move(make_side *from, make_side *to)
{
    return parts_moved(from(3, 4), 1, "1:1", to(0, 9));
}

START_TEST(a_tensor_moves)
{
    struct sw_carrier *destination = move(first_of(_i), second_of(_i));

    EXPECT(destination, 4, 9);
    sw_carrier_unref(destination);
}
END_TEST

START_TEST(a_registered_move_is_used)
{
    struct sw_carrier *from = first_of(_i)(0, 0), *to = second_of(_i)(0, 0);
    struct sw_carrier_class *source = sw_carrier_class_of(from), *destination = sw_carrier_class_of(to);
    /* Some pairs have a move from the start. */
    const enum sw_status status = sw_move_unregister(source, destination);

    ck_assert(status == SW_OK || status == SW_VALUE_ERROR);
    OK(sw_move_register(source, destination, &counted_move));
    sw_carrier_unref(move(first_of(_i), second_of(_i)));
    ck_assert_int_eq(n_counted_moves, 1);
    OK(sw_move_unregister(source, destination));
    sw_carrier_unref(move(first_of(_i), second_of(_i)));
    ck_assert_int_eq(n_counted_moves, 1);
    sw_carrier_unref(from);
    sw_carrier_unref(to);
}
END_TEST

START_TEST(an_evictable_has_them_as_tiers)
{
    struct sw_carrier *carrier = parts_evictable(first_of(_i)(3, 4), second_of(_i)(0, 0));

    for (int round = 0; round < 2; round++) {
        OK(sw_evictable_evict(carrier));
        ck_assert_int_eq(sw_evictable_is_evicted(carrier), 1);
        OK(sw_evictable_promote(carrier));
        EXPECT(carrier, 3, (float)(4 + round));
        OK(parts_set(carrier, 1, 5));
    }
    EXPECT(carrier, 3, 5);
    sw_carrier_unref(carrier);
    ck_assert_int_eq(vault_count, 0);
}
END_TEST

int main(void)
{
    const int failed[] = {
        check_main_each("pairs: move", a_tensor_moves, N_PAIRS),
        check_main_each("pairs: registry", a_registered_move_is_used, N_PAIRS),
        check_main_each("pairs: tiers", an_evictable_has_them_as_tiers, N_PAIRS),
    };

    return failed[0] || failed[1] || failed[2];
}
