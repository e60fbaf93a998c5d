/*
 * Sections of an ELF file, read with every bound tested.
 */
#ifndef ANALYZE_ELF_FILE_H
#define ANALYZE_ELF_FILE_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include <strideweave/status.h>

/** Most bytes of a table that is read whole. */
#define SW__ELF_MOST_BYTES (UINT64_C(512) << 20)
/** Of a build id, as recorders keep it: a longer one is none. */
#define SW__ELF_MOST_ID_BYTES 32

/** An open file. Zeroed apart from the descriptor: none. */
struct sw__elf_file {
    int descriptor;
    uint64_t n_bytes;
    uint64_t *bytes_left; /* that may still be read, of whatever files; NULL: any number */
    int64_t changed_s; /* last change of its content or of its place */
    ElfW(Shdr) *sections;
    size_t n_sections;
    uint8_t build_id[SW__ELF_MOST_ID_BYTES];
    size_t build_id_bytes;
};

/**
 * Open a regular file of this machine's class and byte order; anything else is
 * never waited for. @bytes_left: how much may still be read, less what is read
 * and something for each time; 0 when that was not enough; NULL: any number.
 * Borrowed until the file is closed. @ret_note: why there is nothing to be read,
 * or NULL.
 *
 * Returns SW_OK; SW_MEMORY_ERROR. Closed in any case.
 */
SW_NODISCARD enum sw_status sw__elf_file_open(const char *path, uint64_t *bytes_left, struct sw__elf_file *ret_file,
                                              const char **ret_note);
void sw__elf_file_close(struct sw__elf_file *file);

/** The first section of a type that has bytes in the file, or NULL. */
const ElfW(Shdr) *sw__elf_file_section(const struct sw__elf_file *file, uint32_t type);

/**
 * The bytes of a section and a NUL behind them. NULL: it does not lie in the
 * file, or is too large. sw__free().
 *
 * Returns SW_OK; SW_MEMORY_ERROR.
 */
SW_NODISCARD enum sw_status sw__elf_file_read(const struct sw__elf_file *file, const ElfW(Shdr) *section,
                                              void **ret_bytes);

#endif
