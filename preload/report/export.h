/*
 * Every operation of a report, written for another tool as it comes by: memory
 * does not grow with the report.
 */
#ifndef REPORT_EXPORT_H
#define REPORT_EXPORT_H

#include "report/collect.h"
#include "report/flows.h"
#include "report/heading.h"
#include "report/noted.h"

/** What is written how. */
struct exporter {
    const struct report *report;
    const struct report_filter *filter;
    FILE *stream;
    int leaves_out;           /* the filter may leave out operations that self times know of */
    unsigned wants;           /* flags of enum sw__want */
    const char *metric;       /* as the command line has it; NULL: the form's own */
    struct sw__builder text;  /* not yet handed to the stream */
    struct heading heading;   /* its totals are known when all events have come by */
    int64_t first_ns;         /* of the run */
    uint64_t n_written;       /* events */
    struct flows flows;       /* of the report; none where the form has no place for them */
    uint64_t n_flows;         /* written */
    void *state;              /* of the form */
};

/**
 * A form. begin() comes first. Events come thread by thread, those inside of
 * one before it; enter() tells of each when nothing inside of it has come yet,
 * and without its self time. All of them come, also those that the filter left
 * out (SW__ANALYZE_HIDDEN). What was appended to the text is written now and
 * then. clear() gives back the state, whatever came before.
 */
struct export_form {
    enum report_outcome (*begin)(struct exporter *exporter);
    sw__nest_sink *enter; /* context: the exporter. NULL: not of interest */
    sw__nest_sink *event; /* likewise */
    noted_sink *note;     /* likewise, of each note behind the events of all threads; NULL: it has no place for them */
    flow_sink *flow;      /* likewise, of each flow behind the notes; NULL: it has no place for them */
    enum sw_status (*end)(struct exporter *exporter);
    void (*clear)(struct exporter *exporter); /* NULL: nothing to do */
    int needs_stacks; /* of the names of call stacks, which else are looked up when asked for */
};

#define REPORT_EXPORT(name, form, help) extern const struct export_form form;
#include "report/export.def"
#undef REPORT_EXPORT

/** The form of a name; NULL when there is none. */
const struct export_form *export_find(const char *name);
/** "chrome, csv, ... or jsonl": the names of all. */
enum sw_status export_put_names(struct sw__builder *text);

/** What came by. */
struct export_written {
    struct report_totals totals;
    uint64_t n_flows;
};

/** Write the selected operations in a form. @wants: flags of enum sw__want. */
SW_NODISCARD enum report_outcome export_write(const struct report *report, const struct report_filter *filter,
                                              const struct export_form *form, unsigned wants, const char *metric,
                                              FILE *stream, struct export_written *ret_written);

/** Hand the text to the stream when there is much of it. */
void export_flush(struct exporter *exporter);
/** Microseconds with three decimals, from integers: what Chrome traces have for times. */
SW_NODISCARD enum sw_status export_put_us(struct sw__builder *text, int64_t ns);

#endif
