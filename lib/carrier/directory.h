/*
 * The process's private directory for temporary files: made on first use,
 * removed when the process exits. What a process that was killed left behind is
 * removed by the next one that makes such a directory.
 */
#ifndef CARRIER_DIRECTORY_H
#define CARRIER_DIRECTORY_H

#include <strideweave/status.h>

/**
 * sw__directory_file - the path of a file in the directory; nothing is created
 * but the directory.
 *
 * @name      Without '/'.
 * @ret_path  Absolute, from sw__alloc().
 *
 * A child of fork() has a directory of its own. Any thread. OSError when the
 * directory cannot be made; MemoryError.
 */
SW_NODISCARD enum sw_status sw__directory_file(const char *name, char **ret_path);

#endif
