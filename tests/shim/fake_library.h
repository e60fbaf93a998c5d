/*
 * A stand-in for libstrideweave: it owns dispatch descriptors and passes
 * boundaries to whatever hooks the process has. The shim's tests need nothing
 * of the real library.
 */
#ifndef TESTS_SHIM_FAKE_LIBRARY_H
#define TESTS_SHIM_FAKE_LIBRARY_H

#include <strideweave/hooks.h>

/** Dispatches that exist from the start: "op0" .. "op7"; 0-3 are of Generic, 4-7 of Cpu. */
#define FAKE_DISPATCHES 8

/** Find the process's hooks. Once, before anything else; not needed from constructors on when called by them. */
void fake_load(void);

/** Give a dispatch another name, which is borrowed, before it is used. */
void fake_name(uint32_t id, const char *name);

/** What runs inside a boundary; returns whether it succeeded. */
typedef int fake_body(void *argument);

/** One boundary of dispatch @id around a body (NULL: nothing, which succeeds). */
void fake_operation(uint32_t id, fake_body *body, void *argument);

/** The same with input shapes: `n` one-mode shapes of the given extents; an extent below 0 is no tensor. */
void fake_operation_with_shapes(uint32_t id, uint32_t n, const int64_t *extents);

/** An operand that is a number. */
#define FAKE_NUMBER UINT64_MAX

/** One boundary around a body, of at most 8 operands: storage numbers of tensors, or FAKE_NUMBER; the result's, 0: none. */
void fake_operation_with_tensors(uint32_t id, uint32_t n, const uint64_t *storages, uint64_t result, fake_body *body,
                                 void *argument);

/** The library is one of before flows. Before anything else. */
void fake_before_flows(void);

/** A boundary by hand: begin and end called apart. */
void fake_begin(struct sw_hook_compute *call, uint32_t id);
void fake_end(struct sw_hook_compute *call, int succeeded);

/** How often the library's own default hooks were called: they are wanted when fake_profiler is 1. */
extern int fake_profiler;
extern uint64_t fake_defaults_entered;
extern uint64_t fake_defaults_left;

/** A range of the program at a level, as swprof_range_push() and swprof_range_pop() pass it on. */
void fake_range_push(const char *name, uint32_t level);
void fake_range_pop(uint32_t level);
/** A range of the library itself, entered and left with one structure, while somebody wants such. */
void fake_host_begin(struct sw_hook_range *range, const char *name);
void fake_host_end(struct sw_hook_range *range);
/** A step begins; the one that ends, or SW_HOOK_NO_STEP. */
void fake_step(uint64_t step, uint64_t before);

/** The ABI that the library claims; SW_HOOKS_ABI unless changed before fake_load(). */
extern uint32_t fake_abi;

/** The control hook, or NULL. */
extern sw_hook_control_fn *fake_control;

/** Print the statuses of all control calls, with work inside and outside of rounds. */
int fake_rounds(fake_body *work);

/** @count threads at the same time, three operations each. 2: the machine does not allow so many. */
int fake_parallel(unsigned long count);

/**
 * Says in shared memory (the file FAKE_COUNTER, which exists) how many operations
 * have ended: @count of them, then, when it is told to go on there, more for ever.
 */
int fake_counted(unsigned long count);

#endif
