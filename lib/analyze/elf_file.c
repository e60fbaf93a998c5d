/*
 * Opening, headers, build id.
 */
#include "config.h"

#include "analyze/elf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define MOST_SECTIONS ((size_t)1 << 20)
#define MOST_SEGMENTS ((size_t)1 << 10)
#define MOST_NOTE_BYTES ((size_t)1 << 16)
#define MOST_NOTES 64
/* What a read takes beside its bytes. */
#define BYTES_PER_READ 512

static int may_read(const struct sw__elf_file *file, size_t n_bytes)
{
    const uint64_t n = (uint64_t)n_bytes + BYTES_PER_READ;

    if (file->bytes_left == NULL)
        return 1;
    if (n > *file->bytes_left) {
        *file->bytes_left = 0;
        return 0;
    }
    *file->bytes_left -= n;
    return 1;
}

static int read_at(const struct sw__elf_file *file, uint64_t offset, void *bytes, size_t n_bytes)
{
    size_t n_read = 0;

    if (offset > file->n_bytes || n_bytes > file->n_bytes - offset || !may_read(file, n_bytes))
        return 0;
    while (n_read < n_bytes) {
        ssize_t n = pread(file->descriptor, (char *)bytes + n_read, n_bytes - n_read, (off_t)(offset + n_read));

        if (n == 0 || (n < 0 && errno != EINTR))
            return 0;
        n_read += n > 0 ? (size_t)n : 0;
    }
    return 1;
}

/* ---- Sections ------------------------------------------------------------------------------- */

static int is_own_kind(const ElfW(Ehdr) *header)
{
    const unsigned char own_class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    const unsigned char own_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == own_class &&
           header->e_ident[EI_DATA] == own_order;
}

/* As many as the first one says when they are too many for the header. */
static size_t count_sections(const struct sw__elf_file *file, const ElfW(Ehdr) *header)
{
    ElfW(Shdr) first;

    if (header->e_shoff == 0 || header->e_shentsize != sizeof first)
        return 0;
    if (header->e_shnum != 0)
        return header->e_shnum;
    return read_at(file, header->e_shoff, &first, sizeof first) && first.sh_size <= MOST_SECTIONS ? first.sh_size : 0;
}

static enum sw_status read_sections(struct sw__elf_file *file, const ElfW(Ehdr) *header)
{
    size_t n = count_sections(file, header);

    if (n == 0 || n > file->n_bytes / sizeof *file->sections)
        return SW_OK;
    file->sections = sw__alloc(n * sizeof *file->sections);
    if (file->sections == NULL)
        return SW_MEMORY_ERROR;
    if (read_at(file, header->e_shoff, file->sections, n * sizeof *file->sections))
        file->n_sections = n;
    return SW_OK;
}

const ElfW(Shdr) *sw__elf_file_section(const struct sw__elf_file *file, uint32_t type)
{
    for (size_t i = 0; i < file->n_sections; i++)
        if (file->sections[i].sh_type == type && file->sections[i].sh_size != 0)
            return &file->sections[i];
    return NULL;
}

enum sw_status sw__elf_file_read(const struct sw__elf_file *file, const ElfW(Shdr) *section, void **ret_bytes)
{
    char *bytes SW__OWNED = NULL;

    *ret_bytes = NULL;
    if (section->sh_type == SHT_NOBITS || section->sh_size > SW__ELF_MOST_BYTES ||
        section->sh_offset > file->n_bytes || section->sh_size > file->n_bytes - section->sh_offset)
        return SW_OK;
    bytes = sw__alloc_large((size_t)section->sh_size + 1);
    if (bytes == NULL)
        return SW_MEMORY_ERROR;
    if (!read_at(file, section->sh_offset, bytes, (size_t)section->sh_size))
        return SW_OK;
    bytes[section->sh_size] = '\0';
    *ret_bytes = sw__take(bytes);
    return SW_OK;
}

/* ---- Build id ------------------------------------------------------------------------------- */

static void find_build_id(struct sw__elf_file *file, const uint8_t *notes, size_t n_bytes)
{
    ElfW(Nhdr) note;

    for (size_t at = 0; n_bytes - at >= sizeof note;) {
        memcpy(&note, notes + at, sizeof note);
        uint64_t name = ((uint64_t)note.n_namesz + 3) & ~UINT64_C(3);
        uint64_t bytes = ((uint64_t)note.n_descsz + 3) & ~UINT64_C(3);
        at += sizeof note;
        if (name > n_bytes - at || bytes > n_bytes - at - name)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + at, "GNU", 4) == 0 &&
            note.n_descsz <= sizeof file->build_id) {
            memcpy(file->build_id, notes + at + name, note.n_descsz);
            file->build_id_bytes = note.n_descsz;
            return;
        }
        at += (size_t)(name + bytes);
    }
}

/* Where notes are read, and how many times that may still be. */
struct reading {
    uint8_t *room;
    int n_left;
};

static void read_notes(struct sw__elf_file *file, uint64_t offset, uint64_t n_bytes, struct reading *reading)
{
    if (file->build_id_bytes == 0 && n_bytes <= MOST_NOTE_BYTES && reading->n_left-- > 0 &&
        read_at(file, offset, reading->room, (size_t)n_bytes))
        find_build_id(file, reading->room, (size_t)n_bytes);
}

/* Sections first: those of a file of debug information are right where its segments need not be. */
static enum sw_status read_build_id(struct sw__elf_file *file, const ElfW(Ehdr) *header)
{
    uint8_t *room SW__OWNED = sw__alloc(MOST_NOTE_BYTES);
    struct reading reading = { room, MOST_NOTES };

    if (room == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < file->n_sections; i++)
        if (file->sections[i].sh_type == SHT_NOTE)
            read_notes(file, file->sections[i].sh_offset, file->sections[i].sh_size, &reading);
    for (size_t i = 0; i < header->e_phnum && i < MOST_SEGMENTS && header->e_phentsize == sizeof(ElfW(Phdr)); i++) {
        ElfW(Phdr) segment;

        if (header->e_phoff <= file->n_bytes &&
            read_at(file, header->e_phoff + i * sizeof segment, &segment, sizeof segment) &&
            segment.p_type == PT_NOTE)
            read_notes(file, segment.p_offset, segment.p_filesz, &reading);
    }
    return SW_OK;
}

/* ---- The file -------------------------------------------------------------------------------- */

static enum sw_status read_file(struct sw__elf_file *file, const char **ret_note)
{
    ElfW(Ehdr) header;

    if (!read_at(file, 0, &header, sizeof header) || !is_own_kind(&header)) {
        *ret_note = "no ELF file stands there any more";
        return SW_OK;
    }
    SW__TRY(read_sections(file, &header));
    return read_build_id(file, &header);
}

enum sw_status sw__elf_file_open(const char *path, uint64_t *bytes_left, struct sw__elf_file *ret_file,
                                 const char **ret_note)
{
    struct stat status;
    enum sw_status result;

    *ret_note = NULL;
    *ret_file = (struct sw__elf_file){ .descriptor = -1, .bytes_left = bytes_left };
    if (path[0] != '/') {
        *ret_note = "this is no file";
        return SW_OK;
    }
    ret_file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (ret_file->descriptor < 0 || fstat(ret_file->descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        sw__elf_file_close(ret_file);
        *ret_note = "the file cannot be read";
        return SW_OK;
    }
    ret_file->n_bytes = (uint64_t)status.st_size;
    ret_file->changed_s = status.st_ctime > status.st_mtime ? status.st_ctime : status.st_mtime;
    result = read_file(ret_file, ret_note);
    if (result != SW_OK || *ret_note != NULL)
        sw__elf_file_close(ret_file);
    return result;
}

void sw__elf_file_close(struct sw__elf_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    sw__free(file->sections);
    *file = (struct sw__elf_file){ .descriptor = -1 };
}
