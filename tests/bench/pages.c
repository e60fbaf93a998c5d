/*
 * The report's pages, found among the process's mappings.
 */
#define _GNU_SOURCE 1 /* mkostemp() */
#include "config.h"

#include "pages.h"

#include "bench.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct range {
    unsigned long low;
    unsigned long high;
};

static const char *report_path(void)
{
    const char *path = getenv("SWPROF_OUTPUT");

    if (path == NULL || path[0] != '/')
        bench_fail("SWPROF_OUTPUT has to be a path from the root");
    return path;
}

/* Of one line of /proc/self/maps: by the number of the file, which may have got its name after it was mapped. */
static int is_of_file(const char *line, const struct stat *file, struct range *range)
{
    unsigned int major, minor;
    unsigned long inode;

    return sscanf(line, "%lx-%lx %*s %*s %x:%x %lu", &range->low, &range->high, &major, &minor, &inode) == 5 &&
           inode == file->st_ino && makedev(major, minor) == file->st_dev;
}

/*
 * Where a hypervisor keeps page tables of its own, a page that the kernel has made
 * present costs as much again at the program's own first store to it.
 */
static void touch(const struct range *range)
{
    if (madvise((void *)(uintptr_t)range->low, range->high - range->low, MADV_POPULATE_WRITE) != 0)
        bench_fail("the report could not be made present");
    for (unsigned long page = range->low; page < range->high; page += (unsigned long)sysconf(_SC_PAGESIZE)) {
        volatile char *byte = (volatile char *)(uintptr_t)page;

        *byte = *byte;
    }
}

void pages_make_present(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    struct range range;
    struct stat file;
    char line[4096];
    int n_present = 0;

    if (maps == NULL || stat(report_path(), &file) != 0)
        bench_fail("no report");
    while (fgets(line, sizeof line, maps) != NULL)
        if (is_of_file(line, &file, &range)) {
            touch(&range);
            n_present++;
        }
    fclose(maps);
    if (n_present == 0)
        bench_fail("no report is mapped");
}

void *pages_map_fresh(size_t n_bytes)
{
    char path[4096];
    int file;
    void *memory;

    if (snprintf(path, sizeof path, "%s.XXXXXX", report_path()) >= (int)sizeof path)
        bench_fail("SWPROF_OUTPUT is too long");
    file = mkostemp(path, O_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)n_bytes) != 0)
        bench_fail("no file beside the report");
    unlink(path);
    memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        bench_fail("no fresh memory");
    close(file);
    return memory;
}
