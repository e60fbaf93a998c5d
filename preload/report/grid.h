/*
 * What a command has to show, before a format is chosen: facts about the run,
 * rows of typed cells, and lines for people.
 */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include <stdio.h>

#include "report/display.h"
#include "report/outcome.h"

enum cell_kind {
    CELL_NONE = 0, /* empty; null */
    CELL_TEXT,
    CELL_COUNT,
    CELL_ID,       /* a number that names something */
    CELL_BYTES,
    CELL_BALANCE,  /* bytes that may be below 0 */
    CELL_AMOUNT,   /* a large number, told roughly */
    CELL_RATE,     /* so much per unit of time */
    CELL_TIME,     /* nanoseconds */
    CELL_AGE,      /* nanoseconds, told roughly */
    CELL_MEAN,     /* nanoseconds with a fraction */
    CELL_PERCENT,
    CELL_PROBABILITY,
    CELL_MOMENT,   /* nanoseconds of CLOCK_REALTIME */
    CELL_FLAG,     /* true, false */
    N_CELL_KINDS
};

struct cell {
    enum cell_kind kind;
    union {
        const char *text; /* valid UTF-8; borrowed until the next row is made */
        uint64_t count;
        int64_t integer;
        double real;
    } as;
};

#define CELL_OF_TEXT(value) ((struct cell){ CELL_TEXT, { .text = (value) } })
#define CELL_OF_COUNT(value) ((struct cell){ CELL_COUNT, { .count = (value) } })
#define CELL_OF_ID(value) ((struct cell){ CELL_ID, { .count = (value) } })
#define CELL_OF_BYTES(value) ((struct cell){ CELL_BYTES, { .count = (value) } })
#define CELL_OF_BALANCE(value) ((struct cell){ CELL_BALANCE, { .integer = (value) } })
#define CELL_OF_AMOUNT(value) ((struct cell){ CELL_AMOUNT, { .count = (value) } })
#define CELL_OF_RATE(value) ((struct cell){ CELL_RATE, { .real = (value) } })
#define CELL_OF_TIME(value) ((struct cell){ CELL_TIME, { .integer = (value) } })
#define CELL_OF_AGE(value) ((struct cell){ CELL_AGE, { .integer = (value) } })
#define CELL_OF_MEAN(value) ((struct cell){ CELL_MEAN, { .real = (value) } })
#define CELL_OF_PERCENT(value) ((struct cell){ CELL_PERCENT, { .real = (value) } })
#define CELL_OF_PROBABILITY(value) ((struct cell){ CELL_PROBABILITY, { .real = (value) } })
#define CELL_OF_MOMENT(value) ((struct cell){ CELL_MOMENT, { .integer = (value) } })
#define CELL_OF_FLAG(value) ((struct cell){ CELL_FLAG, { .count = (value) } })

enum column_flags {
    COLUMN_LEFT = 1,     /* text: left-aligned */
    COLUMN_SHRINKS = 2,  /* may be shortened to fit the screen */
    COLUMN_BAR = 4,      /* a share that may be drawn */
    COLUMN_SCREEN = 8,   /* on the screen only */
    COLUMN_EXPORT = 16,  /* in exports only */
    COLUMN_SPARE = 32    /* left out when the screen is too narrow */
};

struct column {
    const char *title; /* on the screen */
    const char *key;   /* in exports; carries the unit */
    uint32_t flags;
};

#define GRID_MAX_COLUMNS 24

struct grid {
    const struct column *columns;
    size_t n_columns;
    size_t n_rows;
    /** Make the cells of a row. May be called again for the same row. */
    enum sw_status (*row)(void *context, size_t row, struct cell *ret_cells);
    void *context;
};

struct fact {
    const char *key;
    struct cell cell;
    int in_every_row; /* formats without a place for facts repeat it with each row */
};

struct document {
    const char *heading; /* lines for people, "" for none */
    const char *footing;
    const struct fact *facts; /* of the run */
    size_t n_facts;
    const struct fact *totals;
    size_t n_totals;
    struct grid grid;
};

/** Where a document goes. */
struct screen {
    FILE *stream;
    size_t columns; /* 0: do not fit */
    int has_colour;
    enum display_unit unit;
};

/** Writes a document; errors of the stream are found by whoever closes it. */
typedef enum sw_status write_document(const struct screen *screen, const struct document *document);

#define REPORT_FORMAT(enumerator, name, function) write_document function;
#include "report/format.def"
#undef REPORT_FORMAT

/* Pieces of formats, for rows that come one after the other and are not held. Of the grid the columns are enough. */
SW_NODISCARD enum sw_status format_csv_keys(struct sw__builder *line, const struct document *document);
SW_NODISCARD enum sw_status format_csv_row(struct sw__builder *line, const struct document *document,
                                           const struct cell *cells);
/** One object and a line end. */
SW_NODISCARD enum sw_status format_jsonl_row(struct sw__builder *text, const struct document *document,
                                             const struct cell *cells);
/** "name": {...}. */
SW_NODISCARD enum sw_status format_json_facts(struct sw__builder *text, const char *name, const struct fact *facts,
                                              size_t n_facts);

/** The function of a format's name; NULL when there is none. */
write_document *format_find(const char *name);

#endif
