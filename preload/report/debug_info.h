/*
 * Functions, files and lines from debug information and symbol tables, read by
 * elfutils; where that is not there everything is empty.
 */
#ifndef REPORT_DEBUG_INFO_H
#define REPORT_DEBUG_INFO_H

#include "report/symbols.h"

struct debug_info;

/** Whether this build has elfutils. */
int debug_info_is_there(void);

/** As symbols_open(), which only calls it where elfutils is there. */
SW_NODISCARD enum report_outcome debug_info_open(const struct report_module *module, const char *directories,
                                                 int64_t recorded_ns, struct debug_info **ret_info);
void debug_info_close(struct debug_info *info);

/** As symbols_note(). */
const char *debug_info_note(const struct debug_info *info);

typedef enum sw_status debug_info_sink(void *context, const struct sw__frame *frame);

/** Pass what is known of an address, innermost first; @ret_n: how many frames that was, 0 when nothing is known. */
SW_NODISCARD enum sw_status debug_info_look_up(struct debug_info *info, uint64_t address, debug_info_sink *sink,
                                               void *context, size_t *ret_n);

#endif
