/*
 * What stands at an address of a module: function, file and line, from the
 * module's own file, after the program has ended. A file that is not the one
 * that was recorded is never asked.
 */
#ifndef REPORT_SYMBOLS_H
#define REPORT_SYMBOLS_H

#include "analyze/frame_text.h"
#include "report/report.h"

struct symbols;

/** Where names come from. */
struct symbols_wanted {
    const char *directories; /* of separate debug information, beside the usual ones: "DIR:DIR"; NULL for none */
    int no_lines;            /* names of functions alone, from symbol tables */
    int64_t recorded_ns;     /* CLOCK_REALTIME when the program ran: for a file that has no build id a later change
                                tells that it is another one */
    uint64_t *bytes_left;    /* of files with symbol tables that may still be read; NULL: any number */
};

/** Whether lines can be told at all in this build. */
int symbols_have_lines(void);

/**
 * symbols_open - find the file of a module and what describes it.
 *
 * A module whose file cannot be used has no names; symbols_note() says why.
 * SYSTEM: memory.
 */
SW_NODISCARD enum report_outcome symbols_open(const struct report_module *module, const struct symbols_wanted *wanted,
                                              struct symbols **ret_symbols);
void symbols_close(struct symbols *symbols);

/** Why there are fewer names than there could be, as a sentence without the path; NULL: no reason. */
const char *symbols_note(const struct symbols *symbols);

typedef enum sw_status symbols_sink(void *context, const char *text);

/**
 * Pass what stands at an address of the file (sw__frame_text()), functions that
 * the compiler put into one another innermost first.
 */
SW_NODISCARD enum sw_status symbols_look_up(struct symbols *symbols, uint64_t address, symbols_sink *sink,
                                            void *context);

#endif
