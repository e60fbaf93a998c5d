/*
 * The table of a report as PyTorch's profiler prints it: swprof-report table
 * --style torch.
 */
#ifndef REPORT_TORCH_VIEW_H
#define REPORT_TORCH_VIEW_H

#include <strideweave/event_list.h>

#include "report/collect.h"
#include "report/grid.h"

struct torch_view {
    enum sw__grouping grouping;
    unsigned wants; /* flags of enum sw__want that the table has columns for */
    size_t n_stack_entries; /* that tell rows apart */
    const struct sw_event_table_options *options;
};

/** Print the table to a screen's stream; what is to be known of the run on @notes. */
SW_NODISCARD enum report_outcome torch_view_print(const struct report *report, const struct report_filter *filter,
                                                  const struct torch_view *view, const struct screen *screen,
                                                  FILE *notes);

#endif
