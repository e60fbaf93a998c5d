/*
 * Names of functions from a file's own symbol table: for call stacks where
 * nobody reads debug information, in the program itself and in a reader that
 * was built without elfutils.
 *
 * The file may be anything: every number in it is tested against what was read.
 * It is read, not mapped, because a mapped file that is cut short meanwhile ends
 * the program.
 */
#ifndef ANALYZE_ELF_SYMBOLS_H
#define ANALYZE_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include <strideweave/status.h>

#include "base/cleanup.h"

struct sw__elf_symbols;

/** The file that was mapped when a frame in it was recorded. Borrowed for the call that it is given to. */
struct sw__elf_module {
    const char *path;
    const uint8_t *build_id;
    size_t build_id_bytes; /* 0: it has none */
    int64_t recorded_ns;   /* CLOCK_REALTIME: a file without a build id that was changed later is another one */
    uint64_t *bytes_left;  /* of files that may still be read, as of sw__elf_file_open(); NULL: any number */
};

/**
 * sw__elf_symbols_open - read the functions of a module's file: of .symtab, of
 * its separate file by build id below a directory of debug information
 * (DIR/.build-id/xx/rest.debug) when it has none, and else of .dynsym.
 *
 * @directories  "DIR:DIR"; NULL for none.
 *
 * A file that cannot be read, is no ELF file of this machine's kind, or is not
 * the one that was recorded gives no names; sw__elf_symbols_note() says why.
 *
 * Returns SW_OK; SW_MEMORY_ERROR.
 */
SW_NODISCARD enum sw_status sw__elf_symbols_open(const struct sw__elf_module *module, const char *directories,
                                                 struct sw__elf_symbols **ret_symbols);
void sw__elf_symbols_close(struct sw__elf_symbols *symbols);

/** Why there are no names, as a sentence without the path; NULL: there are. */
const char *sw__elf_symbols_note(const struct sw__elf_symbols *symbols);

/** The function that has an address of the file inside of it; NULL: none. Lives as long as the symbols. */
const char *sw__elf_symbols_find(const struct sw__elf_symbols *symbols, uint64_t address);

SW__DEFINE_CLEANUP(elf_symbols, struct sw__elf_symbols, sw__elf_symbols_close)
#define SW__OWNED_ELF_SYMBOLS SW__CLEANUP(sw__cleanup_elf_symbols)

#endif
