/*
 * Reports that contradict themselves, each in one way: bad_samples.def lists them.
 */
#ifndef TESTS_REPORT_BAD_SAMPLES_H
#define TESTS_REPORT_BAD_SAMPLES_H

#include "make_report.h"

#define BAD_SAMPLE(name, function, sentence) struct made_report function(void);
#include "bad_samples.def"
#undef BAD_SAMPLE

#endif
