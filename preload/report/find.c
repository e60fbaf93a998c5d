/*
 * Looking for reports in a directory: by their names, and by how they begin.
 * Whether a file is a report in full is found out by opening it.
 */
#include "config.h"

#include "report/find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <swprof/format.h>

#include "base/alloc.h"

#define NAME_BEGINS "swprof-"

static void close_directory(DIR **directory)
{
    if (*directory != NULL)
        closedir(*directory);
}

/* Reports are known by their content where their names are the user's own. */
static int has_magic(int directory, const char *name)
{
    char magic[SWPROF_MAGIC_BYTES];
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (file < 0)
        return 0;
    ssize_t n = pread(file, magic, sizeof magic, 0);
    close(file);
    return n == (ssize_t)sizeof magic && memcmp(magic, SWPROF_MAGIC, sizeof magic) == 0;
}

static enum report_outcome keep(struct found_reports *found, const char *directory, const char *name,
                                const struct stat *status)
{
    struct found_report report = {
        .changed_ns = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec,
        .disk_bytes = (uint64_t)status->st_blocks * 512,
    };
    struct found_report *reports = sw__realloc(found->reports, (found->n_reports + 1) * sizeof *reports);

    if (reports == NULL)
        return REPORT_SYSTEM;
    found->reports = reports;
    size_t n_bytes = strlen(directory) + 1 + strlen(name) + 1;
    report.path = sw__alloc(n_bytes);
    if (report.path == NULL)
        return REPORT_SYSTEM;
    snprintf(report.path, n_bytes, "%s/%s", directory, name);
    found->reports[found->n_reports++] = report;
    return REPORT_OK;
}

static int newest_first(const void *a, const void *b)
{
    const struct found_report *left = a, *right = b;

    if (left->changed_ns != right->changed_ns)
        return left->changed_ns > right->changed_ns ? -1 : 1;
    return strcmp(left->path, right->path);
}

enum report_outcome find_reports(const char *directory, struct found_reports *ret_reports)
{
    struct found_reports found SW__CLEANUP(found_reports_clear) = { NULL, 0 };
    DIR *entries SW__CLEANUP(close_directory) = opendir(directory);
    const struct dirent *entry;

    if (entries == NULL)
        return report_fail(REPORT_SYSTEM, "%s: cannot be searched: %s", directory, strerror(errno));
    while ((entry = readdir(entries)) != NULL) {
        struct stat status;
        if (fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue; /* removed meanwhile */
        if (!S_ISREG(status.st_mode) || status.st_uid != getuid())
            continue;
        if (strncmp(entry->d_name, NAME_BEGINS, strlen(NAME_BEGINS)) == 0 || has_magic(dirfd(entries), entry->d_name))
            REPORT_TRY(keep(&found, directory, entry->d_name, &status));
    }
    if (found.n_reports > 1)
        qsort(found.reports, found.n_reports, sizeof *found.reports, newest_first);
    *ret_reports = found;
    found = (struct found_reports){ NULL, 0 };
    return REPORT_OK;
}

void found_reports_clear(struct found_reports *found)
{
    for (size_t i = 0; i < found->n_reports; i++)
        sw__free(found->reports[i].path);
    sw__free(found->reports);
    *found = (struct found_reports){ NULL, 0 };
}
