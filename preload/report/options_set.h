/*
 * Between the files that read options: what the rows of option.def call.
 */
#ifndef REPORT_OPTIONS_SET_H
#define REPORT_OPTIONS_SET_H

#include "report/options.h"

/** Check an option's argument and store it; USAGE for one that is none. */
typedef enum report_outcome set_option(struct options *options, const char *value);

set_option set_analysis_id, set_build_id, set_mended, set_no_check, set_overlap;
set_option set_group_by_carrier, set_group_by_overload, set_header, set_max_name_width, set_max_shapes_width,
    set_top_level;

/** The number that an argument is; USAGE for what is none, or below @least. */
SW_NODISCARD enum report_outcome options_parse_number(const char *option, const char *value, int64_t least,
                                                      int64_t *ret_number);
/** What the options of a table in PyTorch's style mean together. */
SW_NODISCARD enum report_outcome options_choose_torch(struct options *options);

#endif
