/*
 * Names as cells: texts that are put together from a report's names.
 */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include "base/cleanup.h"
#include "report/report.h"

struct joined_names {
    char **carriers;        /* per dispatch: "module.Name" */
    char **implementations; /* likewise */
    size_t n_dispatches;
};

SW_NODISCARD enum sw_status names_join(const struct report *report, struct joined_names *ret_names);
void names_clear(struct joined_names *names);

#define REPORT_OWNED_NAMES SW__CLEANUP(names_clear)

#endif
