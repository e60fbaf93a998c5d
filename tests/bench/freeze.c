/*
 * From the start of exit() to the last store of freeze, as another process sees
 * it that waits for that store; and what an event took of the report.
 */
#include "config.h"

#include "bench.h"

#include "subject.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <swprof/format.h>

/* Shared with the process that waits. */
struct exchange {
    int64_t begin_ns; /* of exit(); valid when the report is frozen */
    int ready;
};

static void *map(int file, size_t n_bytes)
{
    int flags = file < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    void *memory = mmap(NULL, n_bytes, file < 0 ? PROT_READ | PROT_WRITE : PROT_READ, flags, file, 0);

    if (memory == MAP_FAILED)
        bench_fail("nothing could be mapped");
    return memory;
}

static const char *map_report(void)
{
    const char *path = getenv("SWPROF_OUTPUT");
    int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct swprof_header header;

    if (file < 0 || pread(file, &header, sizeof header, 0) != sizeof header)
        bench_fail("no report");
    return map(file, header.cap_bytes);
}

/* Bytes of events in the report, and of the whole. */
static void tell_bytes(const char *report, double n_events)
{
    const struct swprof_header *header = (const void *)report;
    uint64_t event_bytes = 0;

    for (uint64_t at = header->header_bytes; at < header->used_bytes;) {
        const struct swprof_block *block = (const void *)(report + at);

        event_bytes += block->type == SWPROF_BLOCK_EVENTS ? block->published : 0;
        at += block->pages == 0 ? SWPROF_BLOCK_ALIGN : (uint64_t)block->pages * SWPROF_BLOCK_ALIGN;
    }
    bench_figure("bytes_per_boundary", (double)event_bytes / n_events, "bytes");
    bench_figure("report_bytes_per_boundary", (double)header->used_bytes / n_events, "bytes");
}

_Noreturn static void await_frozen(struct exchange *exchange, const char *report)
{
    const struct swprof_header *header = (const void *)report;

    __atomic_store_n(&exchange->ready, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&header->state, __ATOMIC_ACQUIRE) != SWPROF_REPORT_FROZEN)
        ;
    bench_figure("freeze_10m_ms", (double)(bench_now_ns() - exchange->begin_ns) / 1e6, "ms");
    _exit(EXIT_SUCCESS);
}

void bench_freeze(char **arguments)
{
    struct exchange *exchange = map(-1, sizeof *exchange);
    const char *report;
    pid_t pid;

    bench_execute(arguments);
    report = map_report();
    tell_bytes(report, strtod(arguments[0], NULL));
    pid = fork();
    if (pid < 0)
        bench_fail("no process that waits");
    if (pid == 0)
        await_frozen(exchange, report);
    while (!__atomic_load_n(&exchange->ready, __ATOMIC_ACQUIRE))
        ;
    exchange->begin_ns = bench_now_ns();
    exit(EXIT_SUCCESS);
}
