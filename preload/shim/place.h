/*
 * Where the report goes: its name, and the opening of a file that is surely
 * ours and new.
 */
#ifndef SHIM_PLACE_H
#define SHIM_PLACE_H

#include <stddef.h>

#include "shim/process.h"
#include "shim/scratch.h"
#include "shim/settings.h"

/*
 * The name of a report. The default is
 *     /dev/shm/swprof-<uid>-<program>-<pid>-<start time>-<PID namespace inode>
 * with SWPROF_OUTPUT expanded instead when it is set; in a directory of that
 * name the default's last part. Where a report stands that is still being
 * written, or was written by this very process (before an exec), ".1", ".2", ...
 * is appended; a finished or abandoned report of the same user at the place that
 * SWPROF_OUTPUT names is replaced; anything else there is refused (EEXIST).
 */
struct place {
    const struct settings *settings;
    const struct process *process;
    char *path; /* the name, or the one that failed */
    size_t room;
    size_t stem;   /* length of the name without ".1" */
    int chosen;    /* SWPROF_OUTPUT named the file itself */
    int nameless;  /* the file has no name yet */
    int directory;    /* open from place_open() to place_close() */
    const char *name; /* within it: the end of path */
};

/**
 * Make the file: without a name where the file system can do that, so that a
 * process killed now leaves nothing. Returns a descriptor, or -1 with errno set
 * and nothing to close.
 */
int place_open(struct place *place, struct scratch *scratch);

/** The file is a whole report now: give it its name. 0, or an errno. */
int place_show(struct place *place, int file, struct scratch *scratch);

/** Whatever has been made is not wanted. */
void place_give_up(const struct place *place);

/** The last of all, whichever went before. */
void place_close(struct place *place);

#endif
