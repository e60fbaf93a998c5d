/*
 * A few facts from an ELF file. Every offset in it is tested against what was
 * read: the file may be anything.
 */
#include "config.h"

#include "report/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_HEADERS 256
#define MAX_DYNAMIC 4096

static int read_at(int file, uint64_t offset, void *bytes, size_t n_bytes)
{
    return offset <= INT64_MAX && pread(file, bytes, n_bytes, (off_t)offset) == (ssize_t)n_bytes;
}

/* A NUL-terminated text of at most room - 1 bytes. */
static int read_text(int file, uint64_t offset, char *text, size_t room)
{
    ssize_t n = offset <= INT64_MAX ? pread(file, text, room - 1, (off_t)offset) : -1;

    if (n <= 0)
        return 0;
    text[n] = '\0';
    return 1;
}

struct headers {
    ElfW(Phdr) entries[MAX_HEADERS];
    size_t n_entries;
};

static const ElfW(Phdr) *find_header(const struct headers *headers, uint32_t type)
{
    for (size_t i = 0; i < headers->n_entries; i++)
        if (headers->entries[i].p_type == type)
            return &headers->entries[i];
    return NULL;
}

/* The offset in the file of an address in memory; 0 when no segment holds it. */
static uint64_t offset_of(const struct headers *headers, uint64_t address)
{
    for (size_t i = 0; i < headers->n_entries; i++) {
        const ElfW(Phdr) *header = &headers->entries[i];
        if (header->p_type == PT_LOAD && address >= header->p_vaddr && address - header->p_vaddr < header->p_filesz)
            return header->p_offset + (address - header->p_vaddr);
    }
    return 0;
}

static uint64_t find_dynamic(const ElfW(Dyn) *entries, size_t n_entries, ElfW(Sxword) tag)
{
    for (size_t i = 0; i < n_entries && entries[i].d_tag != DT_NULL; i++)
        if (entries[i].d_tag == tag)
            return entries[i].d_un.d_val;
    return 0;
}

/* Runtimes that refuse to start, or miss allocations, when something is loaded before them. */
static int is_sanitizer(const char *library)
{
    static const char *const names[] = { "libasan.so", "libtsan.so", "liblsan.so", "libhwasan.so", "libclang_rt.asan",
                                         "libclang_rt.tsan" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(library, names[i], strlen(names[i])) == 0)
            return 1;
    return 0;
}

static void find_sanitizer(int file, const struct headers *headers, struct elf_facts *facts)
{
    static ElfW(Dyn) entries[MAX_DYNAMIC];
    const ElfW(Phdr) *dynamic = find_header(headers, PT_DYNAMIC);

    if (dynamic == NULL)
        return;
    size_t n_entries = dynamic->p_filesz / sizeof *entries;
    if (n_entries > MAX_DYNAMIC || !read_at(file, dynamic->p_offset, entries, n_entries * sizeof *entries))
        return;
    uint64_t texts = offset_of(headers, find_dynamic(entries, n_entries, DT_STRTAB));
    for (size_t i = 0; texts != 0 && i < n_entries && entries[i].d_tag != DT_NULL; i++) {
        char library[sizeof facts->sanitizer];
        if (entries[i].d_tag != DT_NEEDED || entries[i].d_un.d_val > INT64_MAX - texts)
            continue;
        if (read_text(file, texts + entries[i].d_un.d_val, library, sizeof library) && is_sanitizer(library)) {
            memcpy(facts->sanitizer, library, sizeof library);
            return;
        }
    }
}

/* The machine that this tool itself was built for. */
static int is_own_machine(const ElfW(Ehdr) *header)
{
    ElfW(Ehdr) own;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int is_known = file >= 0 && read_at(file, 0, &own, sizeof own);

    if (file >= 0)
        close(file);
    return !is_known || (own.e_machine == header->e_machine &&
                         own.e_ident[EI_CLASS] == header->e_ident[EI_CLASS] &&
                         own.e_ident[EI_DATA] == header->e_ident[EI_DATA]);
}

static void examine_elf(int file, struct elf_facts *facts)
{
    struct headers headers = { .n_entries = 0 };
    ElfW(Ehdr) header;

    if (!read_at(file, 0, &header, sizeof header))
        return;
    if (!is_own_machine(&header)) {
        facts->kind = ELF_FOREIGN;
        return;
    }
    if (header.e_phnum > MAX_HEADERS || header.e_phentsize != sizeof *headers.entries ||
        !read_at(file, header.e_phoff, headers.entries, header.e_phnum * sizeof *headers.entries))
        return;
    headers.n_entries = header.e_phnum;
    facts->kind = find_header(&headers, PT_INTERP) != NULL ? ELF_DYNAMIC : ELF_STATIC;
    find_sanitizer(file, &headers, facts);
}

static void examine_script(int file, struct elf_facts *facts)
{
    char line[sizeof facts->interpreter];

    if (!read_text(file, 2, line, sizeof line))
        return;
    facts->kind = ELF_SCRIPT;
    const char *from = line + strspn(line, " \t");
    size_t n = strcspn(from, " \t\n");
    memcpy(facts->interpreter, from, n);
    facts->interpreter[n] = '\0';
}

static int is_privileged(int file)
{
    struct stat status;

    if (fstat(file, &status) != 0)
        return 0;
    if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
        return 1;
    if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getgid())
        return 1;
    return getuid() != 0 && fgetxattr(file, "security.capability", NULL, 0) > 0;
}

void elf_examine(const char *path, struct elf_facts *ret_facts)
{
    char magic[SELFMAG] = { 0 };
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    *ret_facts = (struct elf_facts){ .kind = ELF_UNKNOWN };
    if (file < 0)
        return;
    ret_facts->is_privileged = is_privileged(file);
    if (read_at(file, 0, magic, sizeof magic) && memcmp(magic, ELFMAG, SELFMAG) == 0)
        examine_elf(file, ret_facts);
    else if (magic[0] == '#' && magic[1] == '!')
        examine_script(file, ret_facts);
    close(file);
}
