/*
 * Making folders, the outer ones first.
 */
#include "config.h"

#include "base/folders.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int make_folder(const char *path)
{
    struct stat status;

    if (mkdir(path, 0777) == 0)
        return 0;
    const int error = errno;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return 0;
    return error == EEXIST ? ENOTDIR : error;
}

int sw__make_folders(char *path)
{
    for (char *slash = path[0] != '\0' ? strchr(path + 1, '/') : NULL; slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const int error = make_folder(path);
        if (error != 0)
            return error;
        *slash = '/';
    }
    return 0;
}
