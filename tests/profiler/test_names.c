/*
 * Requirement: Public profiling names share both supported import paths.
 */
#include "config.h"

#include "check_main.h"
#include "names.h"

#include <strideweave/strideweave.h>

START_TEST(both_headers_give_the_same_functions)
{
    ck_assert(names_by_operation_header.profile == sw_profile);
    ck_assert(names_by_operation_header.profiler_new == sw_profiler_new);
    ck_assert(names_by_operation_header.event_new == sw_profiler_event_new);
    ck_assert(names_by_operation_header.aggregate_new == sw_profiler_aggregate_new);
}
END_TEST

CHECK_MAIN("names", both_headers_give_the_same_functions)
