/*
 * The commands of swprof-report and what they share.
 */
#ifndef REPORT_COMMAND_H
#define REPORT_COMMAND_H

#include "report/collect.h"
#include "report/options.h"
#include "report/output.h"

typedef enum report_outcome command_function(const struct options *options);

#define REPORT_COMMAND(name, function, groups, arguments, help) command_function function;
#include "report/command.def"
#undef REPORT_COMMAND

/** Open the report that the command line names, or the newest of this user, which is then said on stderr. */
SW_NODISCARD enum report_outcome command_open(const struct options *options, struct report **ret_report);
/** The path of the report that an argument means: the file, or one of that name in the directory. */
SW_NODISCARD enum report_outcome command_find(const struct options *options, const char *argument, char **ret_path);
/** Whether there is a file of that name, here or in the directory. */
int command_has_file(const struct options *options, const char *argument);
/** The filter that the options ask for; USAGE when the report has no such thread or session. */
SW_NODISCARD enum report_outcome command_filter(const struct options *options, const struct report *report,
                                                struct report_filter *ret_filter);
/** Give back what it holds. */
void command_filter_clear(struct report_filter *filter);
#define REPORT_OWNED_FILTER SW__CLEANUP(command_filter_clear)
/** Look up the names of the call stacks' frames; what is missing is said on stderr. USAGE when the report has no stacks. */
SW_NODISCARD enum report_outcome command_name_stacks(const struct options *options, struct report *report);
/** INCOMPLETE with a sentence when --strict was given and something is missing. */
SW_NODISCARD enum report_outcome command_strict(const struct options *options, const struct report *report);
/** Write a document in the format and to the place that the options name. */
SW_NODISCARD enum report_outcome command_write(const struct options *options, const struct document *document);

#endif
