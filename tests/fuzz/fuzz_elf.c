/*
 * A file that may be a program, as swprof-run looks at one.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/elf.h"
#include "target.h"

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
    FUZZ_RULE(memchr(facts.sanitizer, '\0', sizeof facts.sanitizer) != NULL, "a name without an end");
    FUZZ_RULE(memchr(facts.interpreter, '\0', sizeof facts.interpreter) != NULL, "a name without an end");
    return 0;
}
