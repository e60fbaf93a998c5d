/*
 * The sentences of the control calls' statuses, for both libraries that define
 * swprof_status_text().
 */
#ifndef RECORD_CONTROL_STATUS_H
#define RECORD_CONTROL_STATUS_H

/** One sentence for an enum swprof_status. Static, never NULL. */
const char *sw__control_status_text(int status);

#endif
