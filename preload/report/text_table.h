/*
 * Numbers for texts: equal ones have the same, from 0 in the order in which they
 * were first seen.
 */
#ifndef REPORT_TEXT_TABLE_H
#define REPORT_TEXT_TABLE_H

#include "analyze/index_table.h"

/** Zeroed: an empty table. */
struct text_table {
    const char **texts; /* by their numbers; borrowed */
    uint32_t n_texts;
    struct sw__index_table table;
};

SW_NODISCARD enum sw_status text_table_number(struct text_table *table, const char *text, uint32_t *ret_number);
void text_table_clear(struct text_table *table);

#endif
