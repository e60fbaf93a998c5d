/*
 * The private directory. Its name carries the process; a lock that the kernel
 * gives back when the process ends says whether it is still in use, also to
 * processes that see other process numbers.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* secure_getenv */

#include "carrier/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/descriptor.h"
#include "base/lock.h"

#define PREFIX ".strideweave-"
#define LOCK_NAME "lock"

static char directory[PATH_MAX]; /* under SW__LOCK_DIRECTORY, like its owner */
static pid_t owner;              /* the process that made it; 0: none */

static void close_stream(DIR **stream)
{
    if (*stream != NULL)
        closedir(*stream);
}

#define OWNED_STREAM SW__CLEANUP(close_stream)

/* ---- Removing ------------------------------------------------------------------- */

static int is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Takes the descriptor over. */
static void empty(int descriptor)
{
    DIR *stream OWNED_STREAM = fdopendir(descriptor);
    const struct dirent *entry;

    if (stream == NULL) {
        close(descriptor);
        return;
    }
    while ((entry = readdir(stream)) != NULL)
        if (!is_dot(entry->d_name))
            unlinkat(descriptor, entry->d_name, 0);
}

/* A directory of this user, and no link that leads to one. */
static int open_own(int parent, const char *name)
{
    int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat about;

    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &about) == 0 && about.st_uid == geteuid())
        return descriptor;
    close(descriptor);
    return -1;
}

/* Whether nobody holds the lock inside of a directory; one that has none yet is just being made. */
static int is_abandoned(int descriptor)
{
    int held SW__OWNED_DESCRIPTOR = openat(descriptor, LOCK_NAME, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

    return held >= 0 && flock(held, LOCK_EX | LOCK_NB) == 0;
}

/* The process that a name says it belongs to; 0 for other names. */
static pid_t process_of(const char *name)
{
    char *end;
    long process;

    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return 0;
    process = strtol(name + strlen(PREFIX), &end, 10);
    return *end == '-' && process > 0 && process <= INT_MAX ? (pid_t)process : 0;
}

static void remove_leftover(int parent, const char *name)
{
    pid_t process = process_of(name);

    /* Whoever closed all descriptors, the lock's among them, is alive nevertheless. */
    if (process == 0 || kill(process, 0) == 0)
        return;
    int descriptor SW__OWNED_DESCRIPTOR = open_own(parent, name);
    if (descriptor < 0 || !is_abandoned(descriptor))
        return;
    empty(dup(descriptor));
    unlinkat(parent, name, AT_REMOVEDIR);
}

static void remove_leftovers(const char *parent_path)
{
    DIR *stream OWNED_STREAM = opendir(parent_path);
    const struct dirent *entry;

    while (stream != NULL && (entry = readdir(stream)) != NULL)
        remove_leftover(dirfd(stream), entry->d_name);
}

static void __attribute__((destructor)) remove_at_exit(void)
{
    if (owner != getpid())
        return;
    int descriptor = open_own(AT_FDCWD, directory);
    if (descriptor >= 0)
        empty(descriptor);
    rmdir(directory);
    owner = 0;
}

/* ---- Making ------------------------------------------------------------------------ */

/* The descriptor stays open for as long as the process lives: it is the lock. */
static enum sw_status hold_lock(const char *path)
{
    int inside SW__OWNED_DESCRIPTOR = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int lock = inside < 0 ? -1 : openat(inside, LOCK_NAME, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        return SW_OK;
    enum sw_status status = sw_error_set(SW_OS_ERROR, "cannot lock the directory %s: %m", path);
    sw__cleanup_descriptor(&lock);
    unlinkat(inside, LOCK_NAME, 0);
    return status;
}

static enum sw_status make(void)
{
    const char *place = secure_getenv("TMPDIR");
    char parent[PATH_MAX], path[PATH_MAX];

    if (place == NULL || *place == '\0')
        place = "/tmp";
    if (realpath(place, parent) == NULL)
        return sw_error_set(SW_OS_ERROR, "cannot use %s for temporary files: %m", place);
    remove_leftovers(parent);
    if ((size_t)snprintf(path, sizeof path, "%s/" PREFIX "%d-XXXXXX", parent, (int)getpid()) >= sizeof path)
        return sw_error_set(SW_OS_ERROR, "the path of the directory for temporary files, %s, is too long", place);
    if (mkdtemp(path) == NULL)
        return sw_error_set(SW_OS_ERROR, "cannot make a directory in %s: %m", parent);
    enum sw_status status = hold_lock(path);
    if (status != SW_OK) {
        rmdir(path);
        return status;
    }
    memcpy(directory, path, sizeof path);
    owner = getpid();
    return SW_OK;
}

enum sw_status sw__directory_file(const char *name, char **ret_path)
{
    SW__HOLD(SW__LOCK_DIRECTORY);
    if (owner != getpid())
        SW__TRY(make());
    size_t bytes = strlen(directory) + strlen(name) + 2;
    char *path = sw__alloc(bytes);
    if (path == NULL)
        return SW_MEMORY_ERROR;
    snprintf(path, bytes, "%s/%s", directory, name);
    *ret_path = path;
    return SW_OK;
}
