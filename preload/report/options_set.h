/*
 * Between the files that read options: what the rows of option.def call.
 */
#ifndef REPORT_OPTIONS_SET_H
#define REPORT_OPTIONS_SET_H

#include "report/options.h"

/** Check an option's argument and store it; USAGE for one that is none. */
typedef enum report_outcome set_option(struct options *options, const char *value);

set_option set_analysis_id, set_build_id, set_mended, set_no_check, set_overlap;

#endif
