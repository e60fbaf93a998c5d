/*
 * Looking before touching: cgroup files, statfs, RLIMIT_FSIZE.
 */
#include "config.h"

#include "shim/limits.h"

#include <sys/resource.h>
#include <sys/vfs.h>

#include "record/sys.h"
#include "record/text.h"

/* What the two versions of cgroups call the same things. */
struct naming {
    const char *root;
    const char *limit;
    const char *usage;
    const char *reclaimable; /* of memory.stat: page cache that makes room by itself */
};

static const struct naming namings[] = {
    {"/sys/fs/cgroup", "/memory.max", "/memory.current", "\ninactive_file "},
    {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes", "\ntotal_inactive_file "},
};

/* The text behind the first occurrence of @what in @text, or NULL. */
static const char *behind(const char *text, const char *what)
{
    size_t n = sw__text_bytes(what);
    size_t n_text = sw__text_bytes(text);

    for (size_t i = 0; i + n <= n_text; i++)
        if (sw__same(text + i, what, n))
            return text + i + n;
    return NULL;
}

static void find_directory(struct limits *limits, const char *path)
{
    struct sw__text directory = sw__text_in(limits->directory, sizeof limits->directory);
    size_t n = 0;

    for (size_t i = 0; path[i] != '\0'; i++)
        if (path[i] == '/')
            n = i + 1;
    sw__text_add_bytes(&directory, path, n);
}

void limits_find(struct limits *limits, const char *path, struct scratch *scratch)
{
    const char *groups = scratch->bytes;
    struct sw__text group = sw__text_in(limits->group, sizeof limits->group);
    const char *at;

    find_directory(limits, path);
    limits->legacy = 0;
    if (sw__sys_read_text("/proc/self/cgroup", scratch->bytes, sizeof scratch->bytes) <= 0)
        return;
    at = behind(groups, ":memory:");
    limits->legacy = at != NULL;
    if (at == NULL)
        at = behind(groups, "0::");
    if (at == NULL)
        return;
    sw__text_add(&group, namings[limits->legacy].root);
    for (; *at != '\0' && *at != '\n'; at++)
        sw__text_add_bytes(&group, at, 1);
}

static int read_number(const char *directory, const char *file, uint64_t *number)
{
    char path[600];
    char text[64];
    const char *at = text;
    struct sw__text name = sw__text_in(path, sizeof path);

    sw__text_add(&name, directory);
    sw__text_add(&name, file);
    return sw__sys_read_text(path, text, sizeof text) > 0 && sw__text_number(&at, number);
}

static uint64_t reclaimable(const char *directory, const char *key, struct scratch *scratch)
{
    char path[600];
    char *text = scratch->bytes;
    const char *at;
    uint64_t number = 0;
    struct sw__text name = sw__text_in(path, sizeof path);

    sw__text_add(&name, directory);
    sw__text_add(&name, "/memory.stat");
    if (sw__sys_read_text(path, text, sizeof scratch->bytes) <= 0 || (at = behind(text, key)) == NULL)
        return 0;
    return sw__text_number(&at, &number) ? number : 0;
}

/* Limit minus use of one directory; UINT64_MAX when it sets no limit. */
static uint64_t headroom_of(const char *directory, const struct naming *naming, struct scratch *scratch)
{
    uint64_t limit, usage, cache;

    if (!read_number(directory, naming->limit, &limit) || !read_number(directory, naming->usage, &usage) ||
        limit > (UINT64_C(1) << 62))
        return UINT64_MAX;
    cache = reclaimable(directory, naming->reclaimable, scratch);
    usage = usage > cache ? usage - cache : 0;
    return limit > usage ? limit - usage : 0;
}

/* The least of the group and of all above it. */
static uint64_t headroom(const struct limits *limits, struct scratch *scratch)
{
    const struct naming *naming = &namings[limits->legacy];
    size_t root = sw__text_bytes(naming->root);
    char directory[sizeof limits->group];
    size_t n = sw__text_bytes(limits->group);
    uint64_t least = UINT64_MAX;

    if (n == 0)
        return least;
    sw__copy(directory, limits->group, n + 1);
    for (;;) {
        uint64_t here = headroom_of(directory, naming, scratch);

        if (here < least)
            least = here;
        while (n > root && directory[n - 1] != '/')
            n--;
        if (n <= root)
            return least;
        directory[--n] = '\0';
    }
}

static uint64_t free_space(const char *path)
{
    struct statfs space;

    /* A file system without a size, as an unlimited tmpfs is, has no blocks at all. */
    if (syscall(SYS_statfs, path, &space) != 0 || space.f_blocks == 0)
        return UINT64_MAX;
    return (uint64_t)space.f_bavail * (uint64_t)space.f_bsize;
}

uint64_t limits_spare(const struct limits *limits, struct scratch *scratch)
{
    uint64_t memory = headroom(limits, scratch);
    uint64_t space = free_space(limits->directory);

    memory = memory == UINT64_MAX ? memory : memory / 4;
    space = space == UINT64_MAX ? space : space / 2;
    return memory < space ? memory : space;
}

uint64_t limits_file_bytes(void)
{
    struct rlimit limit;

    if (syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) != 0)
        return UINT64_MAX;
    return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
}
