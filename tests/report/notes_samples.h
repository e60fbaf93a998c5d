/*
 * Samples with odd notes and odd names; notes_samples.c says what each is.
 */
#ifndef TESTS_REPORT_NOTES_SAMPLES_H
#define TESTS_REPORT_NOTES_SAMPLES_H

#include "make_report.h"

struct made_report sample_wild_names(void);
struct made_report sample_wild_notes(void);
struct made_report sample_crossed_notes(void);
struct made_report sample_lost_notes(void);

#endif
