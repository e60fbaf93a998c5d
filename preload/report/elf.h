/*
 * What decides whether LD_PRELOAD can reach a program: read from its file.
 */
#ifndef REPORT_ELF_H
#define REPORT_ELF_H

#include <stddef.h>

/** What kind of file a program is, as far as preloading is concerned. */
enum elf_kind {
    ELF_DYNAMIC,  /* a dynamic loader is named: LD_PRELOAD works */
    ELF_STATIC,   /* none is: LD_PRELOAD is never read */
    ELF_FOREIGN,  /* of another architecture or word size than this tool */
    ELF_SCRIPT,   /* begins with "#!" */
    ELF_UNKNOWN   /* none of these, or not readable */
};

struct elf_facts {
    enum elf_kind kind;
    int is_privileged;      /* set-uid, set-gid or with capabilities: the loader ignores LD_PRELOAD */
    char interpreter[256];  /* of a script: the program that runs it */
    char sanitizer[64];     /* the sanitizer runtime it needs, which wants to be loaded first; "" for none */
};

/** Look at the file of a program. Never fails: what cannot be read is ELF_UNKNOWN. */
void elf_examine(const char *path, struct elf_facts *ret_facts);

#endif
