/*
 * Why nothing was recorded: from what the shim said, and, when it said
 * nothing, from the program's file.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "report/run.h"
#include "report/say.h"

static void explain(const char *program, const char *why)
{
    say("swprof-run", "nothing was recorded: %s %s", program, why);
}

/* The status with which the dynamic loader ends a program that it cannot put together. */
static int is_loader_failure(const struct run_result *result)
{
    return WIFEXITED(result->wait_status) && WEXITSTATUS(result->wait_status) == RUN_NOT_FOUND;
}

/* The shim was loaded into no process. */
static void explain_unloaded(const char *path, const struct run_result *result)
{
    static const char *const reasons[] = {
        [ELF_DYNAMIC] = "started without libswprof.so: LD_PRELOAD was lost, or the loader refused the library",
        [ELF_STATIC] = "is a static executable: no loader reads LD_PRELOAD. Link it with libstrideweave.so",
        [ELF_FOREIGN] = "is built for another architecture than libswprof.so",
        [ELF_SCRIPT] = "is a script whose interpreter started without libswprof.so",
        [ELF_UNKNOWN] = "is no program that a dynamic loader starts",
    };
    struct elf_facts facts;

    elf_examine(path, &facts);
    if (facts.kind == ELF_SCRIPT && facts.interpreter[0] != '\0') {
        char interpreter[sizeof facts.interpreter];
        memcpy(interpreter, facts.interpreter, sizeof interpreter);
        elf_examine(interpreter, &facts);
        if (facts.kind == ELF_STATIC || facts.is_privileged)
            say("swprof-run", "%s is run by %s", path, interpreter);
        else
            facts.kind = ELF_SCRIPT;
    }
    if (facts.kind == ELF_DYNAMIC && is_loader_failure(result))
        explain(path, "was not started by the dynamic loader: a shared library that it needs is missing, as the "
                      "loader's own message above says (LD_LIBRARY_PATH, or a run path, tells it where to look)");
    else if (facts.is_privileged)
        explain(path, "changes its user, group or capabilities when it starts: the loader then ignores LD_PRELOAD");
    else
        explain(path, reasons[facts.kind]);
}

static const struct swprof_launch_slot *find_slot(const struct swprof_launch *launch, uint32_t flag)
{
    for (size_t i = 0; i < SWPROF_LAUNCH_SLOTS; i++)
        if (launch->slots[i].pid != 0 && (launch->slots[i].flags & flag))
            return &launch->slots[i];
    return NULL;
}

static void explain_failure(const struct swprof_launch *launch)
{
    const struct swprof_launch_slot *slot = find_slot(launch, SWPROF_LAUNCH_REPORT_FAILED);

    if (slot != NULL)
        say("swprof-run", "nothing was recorded: the report %s could not be created: %s", slot->report,
            strerror(slot->error));
    else
        say("swprof-run", "nothing was recorded: the report could not be created");
}

/* What the shim can say, the gravest first. */
static const struct {
    uint32_t flag;
    const char *why;
} sayings[] = {
    { SWPROF_LAUNCH_ABI_MISMATCH,
      "uses a libstrideweave that speaks another version of the hook interface than libswprof.so" },
    { SWPROF_LAUNCH_HOOKS_ELSEWHERE,
      "uses a libstrideweave whose hooks are bound elsewhere (RTLD_DEEPBIND, dlmopen, or linked with -Bsymbolic)" },
    { SWPROF_LAUNCH_PAUSED, "was started with recording off and never called swprof_enable()" },
};

void run_explain(const char *path, const struct run_result *result, const struct swprof_launch *launch)
{
    if (launch->n_loaded == 0) {
        explain_unloaded(path, result);
        return;
    }
    if (launch->flags & SWPROF_LAUNCH_REPORT_FAILED) {
        explain_failure(launch);
        return;
    }
    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++) {
        if (launch->flags & sayings[i].flag) {
            explain(path, sayings[i].why);
            return;
        }
    }
    if (launch->n_without_library == launch->n_ended && launch->n_ended == launch->n_loaded)
        explain(path, "does not use libstrideweave.so");
    else
        explain(path, "ran no operation of libstrideweave.so");
}
