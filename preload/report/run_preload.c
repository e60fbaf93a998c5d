/*
 * Finding the program, and making LD_PRELOAD. What the user preloads already
 * stays and comes behind the shim; a sanitizer's runtime has to come first.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memmem */

#include "report/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/builder.h"
#include "base/alloc.h"

static int is_program(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *run_find_program(const char *command)
{
    const char *directories = getenv("PATH");

    if (strchr(command, '/') != NULL)
        return access(command, F_OK) == 0 ? sw__strdup(command) : NULL;
    if (directories == NULL)
        directories = "/bin:/usr/bin";
    for (const char *from = directories;;) {
        struct sw__builder path SW__OWNED_BUILDER = { 0 };
        size_t n = strcspn(from, ":");
        if (sw__builder_append(&path, n != 0 ? from : ".", n != 0 ? n : 1) != SW_OK ||
            sw__builder_string(&path, "/") != SW_OK || sw__builder_string(&path, command) != SW_OK)
            return NULL;
        if (is_program(path.bytes)) {
            char *found = NULL;
            return sw__builder_take(&path, &found) == SW_OK ? found : NULL;
        }
        if (from[n] == '\0')
            return NULL;
        from += n + 1;
    }
}

/* Whether a list of libraries begins with one whose name has @beginning. */
static int begins_with_sanitizer(const char *list)
{
    size_t n = strcspn(list, ": ");
    const char *name = list;

    for (size_t i = 0; i < n; i++)
        if (list[i] == '/')
            name = list + i + 1;
    return strncmp(name, "lib", 3) == 0 && memmem(name, (size_t)(list + n - name), "san", 3) != NULL;
}

static enum sw_status join(struct sw__builder *list, const char *sanitizer, const char *shim, const char *existing)
{
    if (existing != NULL && begins_with_sanitizer(existing)) {
        size_t n = strcspn(existing, ": ");
        SW__TRY(sw__builder_append(list, existing, n));
        SW__TRY(sw__builder_string(list, ":"));
        existing += n + strspn(existing + n, ": ");
    } else if (sanitizer[0] != '\0') {
        SW__TRY(sw__builder_string(list, sanitizer));
        SW__TRY(sw__builder_string(list, ":"));
    }
    SW__TRY(sw__builder_string(list, shim));
    if (existing == NULL || existing[0] == '\0')
        return SW_OK;
    SW__TRY(sw__builder_string(list, ":"));
    return sw__builder_string(list, existing);
}

enum report_outcome run_set_preload(const char *shim, const struct elf_facts *program)
{
    struct sw__builder list SW__OWNED_BUILDER = { 0 };
    struct elf_facts own;

    if (strpbrk(shim, ": \t\n") != NULL)
        return report_fail(REPORT_SYSTEM,
                           "%s: the loader takes ':' and blanks for separators in LD_PRELOAD, so a library in such a "
                           "folder cannot be preloaded: install it elsewhere",
                           shim);
    elf_examine(shim, &own);
    REPORT_TRY(report_status(
        join(&list, own.sanitizer[0] != '\0' ? own.sanitizer : program->sanitizer, shim, getenv("LD_PRELOAD"))));
    if (setenv("LD_PRELOAD", list.bytes, 1) != 0)
        return report_fail(REPORT_SYSTEM, "LD_PRELOAD cannot be set: %s", strerror(errno));
    return REPORT_OK;
}
