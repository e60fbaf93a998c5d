/*
 * What the commands say on the standard error: one line, in which nothing that
 * came from a file, a name or another process can act on a terminal.
 */
#ifndef REPORT_SAY_H
#define REPORT_SAY_H

/** "TOOL: " and the formatted line. */
void say(const char *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
