/*
 * Host ranges of a library that was built without them.
 */
#include "config.h"

#include <strideweave/host_ranges.h>

#include "base/range.h"

static enum sw_status refuse(void)
{
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "host range profiling is not compiled");
}

enum sw_status sw_host_ranges_start(void)
{
    return refuse();
}

enum sw_status sw_host_ranges_stop(struct sw_host_range_row **ret_rows, size_t *ret_n_rows)
{
    (void)ret_rows;
    (void)ret_n_rows;
    return refuse();
}

uint64_t sw_host_ranges_session(void)
{
    return 0;
}

enum sw_status sw_host_range_begin(struct sw_host_range_scope *scope, enum sw_host_range range)
{
    (void)scope;
    (void)range;
    return refuse();
}

void sw_host_range_end(struct sw_host_range_scope *scope)
{
    (void)scope;
}

enum sw_status sw_host_ranges_calibrate(uint64_t iterations, struct sw_host_range_calibration *ret_calibration)
{
    (void)iterations;
    (void)ret_calibration;
    return refuse();
}

void sw__collector_enter(struct sw_hook_range *hook)
{
    (void)hook;
}

void sw__collector_exit(struct sw_hook_range *hook)
{
    (void)hook;
}
