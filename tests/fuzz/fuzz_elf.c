/*
 * A file that may be a program: as swprof-run looks at one, and as call stacks
 * get names from it.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/elf_file.h"
#include "analyze/elf_symbols.h"
#include "report/elf.h"
#include "target.h"

/* Its own build id is asked for, so that its symbols are read. */
static void look_up(const char *path, size_t n_bytes)
{
    static const uint64_t addresses[] = { 0, 1, 0x1000, 0x1139, 0x401136, INT64_MAX, UINT64_MAX };
    struct sw__elf_module module = { .path = path, .recorded_ns = INT64_MAX };
    struct sw__elf_symbols *symbols = NULL;
    struct sw__elf_file file;
    const char *note;

    if (sw__elf_file_open(path, NULL, &file, &note) != SW_OK)
        abort();
    module.build_id = file.build_id;
    module.build_id_bytes = file.build_id_bytes;
    if (sw__elf_symbols_open(&module, NULL, &symbols) != SW_OK)
        abort();
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        const char *name = sw__elf_symbols_find(symbols, addresses[i]);

        FUZZ_RULE(name == NULL || strlen(name) <= n_bytes, "a name that is longer than the file");
    }
    sw__elf_symbols_close(symbols);
    sw__elf_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static int file = -1;
    struct elf_facts facts;
    char path[48];

    if (file < 0)
        file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, n_bytes, 0) != (ssize_t)n_bytes)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    elf_examine(path, &facts);
    look_up(path, n_bytes);
    FUZZ_RULE(memchr(facts.sanitizer, '\0', sizeof facts.sanitizer) != NULL, "a name without an end");
    FUZZ_RULE(memchr(facts.interpreter, '\0', sizeof facts.interpreter) != NULL, "a name without an end");
    return 0;
}
