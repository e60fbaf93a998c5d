/*
 * Names as cells: the class names of one operation, put together when its row
 * is made. Made for all operations at once they might be far larger than the
 * report: many may refer to one long text.
 */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include "analyze/builder.h"
#include "report/report.h"

struct class_names {
    struct sw__builder carrier; /* "module.Name" */
    struct sw__builder implementation;
};

/** Put together the names of an operation; they replace those of the one before. */
SW_NODISCARD enum sw_status names_make(struct class_names *names, const struct sw__analyze_dispatch *dispatch);
/** The text of one of them, until the next are made. */
const char *names_text(const struct sw__builder *name);
void names_clear(struct class_names *names);

#define REPORT_OWNED_NAMES SW__CLEANUP(names_clear)

#endif
