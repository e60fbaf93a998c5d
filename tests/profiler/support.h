/*
 * What the Profiler's tests share: tensors to work on, a plug-in carrier whose
 * operations nest and fail on demand, and short checks. The programs run
 * plain, under the shim and linked with it, so they rely on nothing between tests.
 */
#ifndef TESTS_PROFILER_SUPPORT_H
#define TESTS_PROFILER_SUPPORT_H

#include <check.h>

#include <strideweave/strideweave.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A 2x3 float32 tensor of ones on a shipped class. */
struct sw_tensor *make_tensor(struct sw_carrier_class *carrier_class);
/** The same with a shape of one's own, "(2,(3,4))". */
struct sw_tensor *make_shaped(struct sw_carrier_class *carrier_class, const char *shape);

/** Execute neg on a fresh Generic tensor; fails the test when that fails. */
void run_neg(void);

/**
 * A tensor on a plug-in carrier. Its class dispatches
 *   "leaf"   returns its operand
 *   "inner"  executes "leaf" on the plug-in
 *   "outer"  executes "inner"
 *   "pair"   executes "leaf" twice
 *   "fails"   fails inside the boundary
 *   "mixed"  executes neg on Generic
 *   "calls"  calls plugin_callback(plugin_argument)
 */
extern struct sw_carrier_class plugin_class;
extern enum sw_status (*plugin_callback)(void *argument);
extern void *plugin_argument;
struct sw_tensor *make_plugin_tensor(void);
/** Dispatch and execute by name on a plug-in tensor. */
enum sw_status run_plugin(const char *name);

/** An entered Profiler. */
struct sw_profiler *enter_profiler(const struct sw_profiler_options *options);
/** A Profiler that records one neg on Generic, completed. */
struct sw_profiler *profile_one_neg(int record_shapes);
/** Its events. */
const struct sw_profiler_event *events_of(struct sw_profiler *profiler, size_t n_expected);

#ifdef __cplusplus
}
#endif

#define ck_assert_status(call, expected) ck_assert_str_eq(sw_status_name(call), sw_status_name(expected))
#define ck_assert_message(part) \
    ck_assert_msg(strstr(sw_error_message(), part) != NULL, "the message is: %s", sw_error_message())

#endif
