/*
 * System calls without the C library's wrappers: a profiled program may define
 * open() or mmap() itself, and the wrappers are cancellation points. Results
 * are those of syscall(2): -1 and errno on failure.
 */
#ifndef RECORD_SYS_H
#define RECORD_SYS_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8, "offsets and addresses pass through syscall() as one word");

static inline int sw__sys_open(const char *path, int flags, unsigned mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode);
}

static inline void sw__sys_close(int file)
{
    syscall(SYS_close, file);
}

static inline long sw__sys_read(int file, void *bytes, size_t n_bytes)
{
    return syscall(SYS_read, file, bytes, n_bytes);
}

/** NULL on failure. */
static inline void *sw__sys_map(size_t n_bytes, int protection, int flags, int file)
{
    long address = syscall(SYS_mmap, NULL, n_bytes, protection, flags, file, 0L);

    return address == -1 ? NULL : (void *)address; /* NOLINT: an address by definition */
}

static inline void sw__sys_unmap(void *memory, size_t n_bytes)
{
    syscall(SYS_munmap, memory, n_bytes);
}

static inline int sw__sys_advise(void *memory, size_t n_bytes, int advice)
{
    return (int)syscall(SYS_madvise, memory, n_bytes, advice);
}

/** The first bytes of a file as a text; its length, or -1. For what /proc and /sys hold. */
static inline long sw__sys_read_text(const char *path, char *text, size_t room)
{
    int file = sw__sys_open(path, O_RDONLY, 0);
    size_t used = 0;
    long got = 0;

    if (file < 0)
        return -1;
    while (used + 1 < room && (got = sw__sys_read(file, text + used, room - 1 - used)) > 0)
        used += (size_t)got;
    sw__sys_close(file);
    text[used] = '\0';
    return got < 0 ? -1 : (long)used;
}

#endif
