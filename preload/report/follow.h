/*
 * A table that is drawn anew while its program runs.
 *
 *   command_table -> follow_table: refresh the report, update the tally, draw, wait
 */
#ifndef REPORT_FOLLOW_H
#define REPORT_FOLLOW_H

#include <signal.h>

#include "report/command.h"

/**
 * Draw the table every options->interval_ns until the program has ended, then
 * print it once more. On a terminal each drawing replaces the one before, and
 * Ctrl-C ends; elsewhere they follow one another, a blank line between them.
 */
SW_NODISCARD enum report_outcome follow_table(const struct options *options);

/* ---- Waiting (follow_wait.c) ---- */

struct follow_wait {
    int process;       /* pidfd; -1: not to be had, or its end is known */
    int signals;       /* signalfd; -1: signals do what they always do */
    sigset_t caught;
    sigset_t before;
};
#define FOLLOW_WAIT_NONE { .process = -1, .signals = -1 }

/** Begin to take signals instead of being ended by them: those that are not ignored. */
SW_NODISCARD enum report_outcome follow_catch_signals(struct follow_wait *wait);
/** Be woken by the end of a process, if it still is the one that started at @start_time. */
void follow_watch_process(struct follow_wait *wait, int32_t pid, uint64_t start_time);
/** Wait for a signal (its number is returned), the end of the process, or the end of the time (0). */
int follow_wait(struct follow_wait *wait, int64_t ns);
void follow_wait_clear(struct follow_wait *wait);

/* ---- The terminal (follow_screen.c) ---- */

struct follow_screen {
    FILE *stream;
    int is_terminal; /* one that can be drawn on */
    int is_open;     /* the alternate screen is shown */
};

struct follow_screen follow_screen_of(FILE *stream);
void follow_screen_open(struct follow_screen *screen);
/** Back to what was on the terminal before. */
void follow_screen_close(struct follow_screen *screen);
/** Rows of the window, and its columns where the terminal tells (else 0). */
size_t follow_screen_rows(const struct follow_screen *screen, size_t *ret_columns);
/** Draw lines from the top: no more than the window has, each cut at its edge. */
SW_NODISCARD enum report_outcome follow_screen_draw(const struct follow_screen *screen, const char *text, size_t rows,
                                                    size_t columns);

#endif
