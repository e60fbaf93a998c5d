/*
 * The command line of swprof-report.
 */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include <strideweave/event_list.h>

#include "analyze/analyze.h"
#include "report/grid.h"
#include "report/overlap_mode.h"

enum option_groups {
    OPTIONS_COMMON = 1,
    OPTIONS_TABLE = 2,
    OPTIONS_ROWS = 4,
    OPTIONS_SELECT = 8,
    OPTIONS_FORMAT = 16,
    OPTIONS_STRICT = 32,
    OPTIONS_REMOVE = 64,
    OPTIONS_SAVE = 128,
    OPTIONS_PROCESS = 256,
    OPTIONS_EXPORT = 512,
    OPTIONS_DIFF = 1024,
    OPTIONS_TORCH = 2048,
    OPTIONS_CHECK = 4096,
    OPTIONS_RUNTIME = 8192,
    OPTIONS_COLUMNS = 16384, /* of single operations */
    OPTIONS_MEMORY = 32768,
    OPTIONS_STACKS = 65536, /* call stacks beside each operation */
    OPTIONS_NAMES = 131072  /* names of the frames of call stacks */
};

/** Whose table it is. */
enum table_style {
    STYLE_PEOPLE = 0,
    STYLE_SPEC,
    STYLE_TORCH,    /* what PyTorch's profiler prints */
    STYLE_TORCH_NEW
};

struct options {
    const char *sort;        /* as it was given, or NULL */
    enum sw__column sort_by;
    enum sw__direction direction;
    int has_direction;       /* chosen by an option; else by the kind of column */
    enum sw__grouping grouping;
    unsigned wants;          /* flags of enum sw__want */
    int leaves_out_check;
    int compensates;
    int64_t row_limit;       /* SW_NO_LIMIT, or >= 0 */
    const char *carriers;    /* NULL: all */
    int64_t thread;          /* kernel id; -1: all */
    int64_t session;         /* from 1; 0: all */
    int64_t step;            /* -1: all */
    const char *range;       /* NULL: all */
    enum display_unit unit;
    write_document *format;
    enum table_style style;
    struct sw_event_table_options torch; /* of tables in PyTorch's style */
    int torch_groups_carriers;
    int has_stacks;          /* call stacks are shown */
    int64_t stack_entries;   /* innermost ones that tell rows apart; 0: none */
    const char *debug_directories; /* NULL: the usual ones alone */
    int has_no_lines;        /* names of functions from symbol tables alone */
    const char *metric;      /* NULL: the form's own */
    const char *output;      /* NULL: standard output */
    const char *directory;
    int64_t pid;             /* of the process whose report is meant; 0: none */
    int follows;
    int64_t interval_ns;     /* between two drawings */
    enum overlap_mode overlap;
    const char *mended;      /* where check writes a treated trace; NULL: nowhere */
    int64_t most_device_ns;  /* 0: the default */
    int has_fail_above;
    double fail_above;       /* per cent */
    const char *analysis_id; /* that is expected; NULL: any */
    const char *build_id;
    int64_t offset;          /* results of a query to leave out */
    int is_strict;
    int removes_all;
    int replaces;            /* save: a report that stands at the place of the copy */
    int wants_help;
    int wants_version;
    uint64_t used; /* a bit per row of option.def */
    char **arguments;        /* those that are no options */
    int n_arguments;
};
#define OPTIONS_INIT                                                                                       \
    {                                                                                                      \
        .sort_by = SW__COLUMN_SELF_TOTAL_TIME_NS, .direction = SW__DESCENDING, .row_limit = SW_NO_LIMIT,   \
        .thread = -1, .step = -1, .format = format_text, .interval_ns = 1000000000, .torch = SW_EVENT_TABLE_OPTIONS_INIT \
    }

SW_NODISCARD enum report_outcome options_parse(int n_arguments, char **arguments, struct options *ret_options);
/** The name of an option that was given and is in none of @groups; NULL when there is none. */
const char *options_find_stranger(const struct options *options, unsigned groups);
/** Whether the table is one of PyTorch's. */
static inline int options_are_torch(const struct options *options)
{
    return options->style == STYLE_TORCH || options->style == STYLE_TORCH_NEW;
}
/** Whether an option was given, by its long name. */
int options_has(const struct options *options, const char *name);
/** The options of some groups, one per line. */
void options_print(FILE *stream, unsigned groups);

#endif
