/*
 * Private files. Growing looks at the limit of file sizes first: the kernel
 * would answer with a signal that ends the program.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* fallocate */

#include "carrier/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/descriptor.h"
#include "carrier/directory.h"

static uint64_t n_generated; /* atomic */

static enum sw_status check_name(const char *name)
{
    if (*name == '\0' || strchr(name, '/') != NULL || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return sw_error_set(SW_VALUE_ERROR, "'%s' is not the name of a file without a directory", name);
    return SW_OK;
}

enum sw_status sw__file_create(const char *name, char **ret_path)
{
    char generated[32];
    char *path SW__OWNED = NULL;

    snprintf(generated, sizeof generated, "carrier-%llu",
             (unsigned long long)__atomic_add_fetch(&n_generated, 1, __ATOMIC_RELAXED));
    if (name != NULL)
        SW__TRY(check_name(name));
    SW__TRY(sw__directory_file(name != NULL ? name : generated, &path));
    int descriptor SW__OWNED_DESCRIPTOR = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0 && (errno == EEXIST || errno == ENAMETOOLONG))
        return sw_error_set(SW_VALUE_ERROR, "cannot make the file %s: %m", path);
    if (descriptor < 0)
        return sw_error_set(SW_OS_ERROR, "cannot make the file %s: %m", path);
    *ret_path = sw__take(path);
    return SW_OK;
}

static enum sw_status open_file(const char *path, int flags, int *ret_descriptor)
{
    int descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC);

    if (descriptor < 0)
        return sw_error_set(SW_OS_ERROR, "cannot open the file %s: %m", path);
    *ret_descriptor = descriptor;
    return SW_OK;
}

static enum sw_status check_limit(const char *path, size_t end)
{
    struct rlimit limit;

    if (end > INT64_MAX || (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < end))
        return sw_error_set(SW_OS_ERROR, "the file %s cannot have %zu bytes: the limit of file sizes", path, end);
    return SW_OK;
}

/* File systems that cannot reserve room get a file with a hole; writing then says when there is none. */
static int reserve(int descriptor, size_t n_bytes)
{
    int result;

    do
        result = fallocate(descriptor, 0, 0, (off_t)n_bytes);
    while (result != 0 && errno == EINTR);
    if (result != 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
        result = ftruncate(descriptor, (off_t)n_bytes);
    return result;
}

enum sw_status sw__file_reserve(const char *path, size_t n_bytes)
{
    int descriptor SW__OWNED_DESCRIPTOR = -1;

    if (n_bytes == 0)
        return SW_OK;
    SW__TRY(check_limit(path, n_bytes));
    SW__TRY(open_file(path, O_RDWR, &descriptor));
    if (reserve(descriptor, n_bytes) == 0)
        return SW_OK;
    enum sw_status status = sw_error_set(SW_OS_ERROR, "no room for %zu bytes in the file %s: %m", n_bytes, path);
    if (ftruncate(descriptor, 0) != 0)
        return sw_error_set(SW_OS_ERROR, "cannot shorten the file %s: %m", path);
    return status;
}

/* What became of one system call; 1 when it is to be made again. */
static int goes_on(ssize_t done, size_t *total)
{
    if (done > 0)
        *total += (size_t)done;
    return done > 0 || (done < 0 && errno == EINTR);
}

enum sw_status sw__file_read(const char *path, size_t offset, void *bytes, size_t n_bytes)
{
    int descriptor SW__OWNED_DESCRIPTOR = -1;
    size_t total = 0;
    ssize_t done = 1;

    SW__TRY(open_file(path, O_RDONLY, &descriptor));
    while (total < n_bytes) {
        done = pread(descriptor, (char *)bytes + total, n_bytes - total, (off_t)(offset + total));
        if (!goes_on(done, &total))
            break;
    }
    if (done < 0)
        return sw_error_set(SW_OS_ERROR, "cannot read the file %s: %m", path);
    if (total < n_bytes)
        return sw_error_set(SW_OS_ERROR, "the file %s ends before byte %zu", path, offset + n_bytes);
    return SW_OK;
}

/* Writing behind the end of a file that somebody shortened would turn what was lost into zeros. */
static enum sw_status check_end(const char *path, int descriptor, size_t end)
{
    struct stat about;

    if (fstat(descriptor, &about) != 0)
        return sw_error_set(SW_OS_ERROR, "cannot examine the file %s: %m", path);
    if ((uint64_t)about.st_size < end)
        return sw_error_set(SW_OS_ERROR, "the file %s ends before byte %zu", path, end);
    return SW_OK;
}

enum sw_status sw__file_write(const char *path, size_t offset, const void *bytes, size_t n_bytes)
{
    int descriptor SW__OWNED_DESCRIPTOR = -1;
    size_t total = 0;
    ssize_t done = 1;

    SW__TRY(check_limit(path, offset + n_bytes));
    SW__TRY(open_file(path, O_WRONLY, &descriptor));
    SW__TRY(check_end(path, descriptor, offset + n_bytes));
    while (total < n_bytes) {
        done = pwrite(descriptor, (const char *)bytes + total, n_bytes - total, (off_t)(offset + total));
        if (!goes_on(done, &total))
            break;
    }
    if (total < n_bytes)
        return sw_error_set(SW_OS_ERROR, "cannot write the file %s: %m", path);
    return SW_OK;
}
