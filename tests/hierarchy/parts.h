/*
 * What the tests of the hierarchy are made of: short constructors, and a
 * carrier class and moves from outside the library that fail when told to.
 */
#ifndef TESTS_HIERARCHY_PARTS_H
#define TESTS_HIERARCHY_PARTS_H

#include <check.h>

#include <strideweave/strideweave.h>

#define N_ELEMENTS(array) (sizeof(array) / sizeof *(array))
#define OK(call) ck_assert_msg((call) == SW_OK, "%s: %s", #call, sw_error_message())
#define FAILS(call, status) ck_assert_str_eq(sw_status_name(call), sw_status_name(status))

/* Float32 carriers with these values. */
#define GENERIC(...) parts_generic((const float[]){ __VA_ARGS__ }, N_ELEMENTS(((const float[]){ __VA_ARGS__ })), 0)
#define IMMUTABLE(...) parts_generic((const float[]){ __VA_ARGS__ }, N_ELEMENTS(((const float[]){ __VA_ARGS__ })), 1)
#define CPU(...) parts_cpu((const float[]){ __VA_ARGS__ }, N_ELEMENTS(((const float[]){ __VA_ARGS__ })))
#define VAULT(...) parts_vault((const float[]){ __VA_ARGS__ }, N_ELEMENTS(((const float[]){ __VA_ARGS__ })))
struct sw_carrier *parts_generic(const float *values, size_t n, int immutable);
struct sw_carrier *parts_cpu(const float *values, size_t n);
struct sw_carrier *parts_vault(const float *values, size_t n);
/** Zeros of any dtype, possibly none, on Generic storage. */
struct sw_carrier *parts_zeros(size_t n, enum sw_dtype dtype);
/** Takes over the references to both tiers. */
struct sw_carrier *parts_evictable(struct sw_carrier *primary, struct sw_carrier *secondary);
/** "(2,3):(1,2)" on @carrier; keeps a reference of its own. */
struct sw_tensor *parts_tensor(struct sw_carrier *carrier, int64_t offset, const char *layout);
/** The same, taking over the reference to @carrier. */
struct sw_tensor *parts_tensor_over(struct sw_carrier *carrier, const char *layout);

/**
 * Move a view of @source to @destination, whose layout it keeps and whose offset
 * becomes 0. Gives up both references; the destination comes back.
 */
struct sw_carrier *parts_moved(struct sw_carrier *source, int64_t offset, const char *layout,
                               struct sw_carrier *destination);

struct sw_scalar parts_number(double value);
double parts_slot(const struct sw_carrier *carrier, int64_t slot);
enum sw_status parts_set(struct sw_carrier *carrier, int64_t slot, double value);
/** Element by ordinal. */
double parts_element(const struct sw_tensor *tensor, int64_t ordinal);
/** Whether the slots are these and no others. */
void parts_expect(const struct sw_carrier *carrier, const float *values, size_t n);
#define EXPECT(carrier, ...) \
    parts_expect(carrier, (const float[]){ __VA_ARGS__ }, N_ELEMENTS(((const float[]){ __VA_ARGS__ })))

/** What an object of another kind looks like to a call that wants a carrier. */
struct sw_carrier *parts_no_carrier(void);

/* A class of Float32 carriers that can be read and written, and nothing else: it computes nothing. */
extern struct sw_carrier_class vault_class;
/** How many more writes to vaults succeed; negative: all. */
extern int vault_writes_left;
/** How many more allocations of vaults succeed; negative: all. */
extern int vault_allocations_left;
/** Vaults in existence. */
extern int vault_count;

/* Moves of one's own: element by element and counted; failing after the first; cancelling the thread. */
extern const struct sw_move_class counted_move;
extern const struct sw_move_class failing_move;
extern const struct sw_move_class cancelled_move;
extern int n_counted_moves;
extern size_t n_counted_slots; /* of the last one */

#endif
