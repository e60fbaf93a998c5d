/*
 * The functions of a symbol table in the order of their addresses.
 */
#include "config.h"

#include "analyze/elf_symbols.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/builder.h"
#include "analyze/elf_file.h"
#include "base/alloc.h"

/* Functions that begin before an address and might still hold it: more are no program's. */
#define MOST_NESTED 64
#define DEBUG_DIRECTORY "/usr/lib/debug"

struct function {
    uint64_t begin;
    uint64_t end;
    uint32_t name; /* in the texts */
    uint32_t rank; /* of names of one address the highest is shown */
};

struct sw__elf_symbols {
    const char *note;
    struct function *functions; /* ascending by address, then by rank */
    size_t n_functions;
    char *texts;
    uint64_t text_bytes;
};

/* ---- Reading a table ------------------------------------------------------------------------- */

static uint32_t rank_of(const ElfW(Sym) *symbol)
{
    unsigned binding = ELF64_ST_BIND(symbol->st_info);

    return binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0;
}

/* Code that has a name and an extent. */
static int is_function(const struct sw__elf_symbols *symbols, const ElfW(Sym) *symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);

    return (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) && symbol->st_shndx != SHN_UNDEF &&
           symbol->st_size != 0 && symbol->st_value <= UINT64_MAX - symbol->st_size && symbol->st_name != 0 &&
           symbol->st_name < symbols->text_bytes;
}

static int by_address(const void *a, const void *b)
{
    const struct function *left = a, *right = b;

    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    /* Of equal ones the one that stands first in the texts comes last: it is found first. */
    return left->name != right->name ? (left->name > right->name ? -1 : 1) : 0;
}

static enum sw_status take_functions(struct sw__elf_symbols *symbols, const char *table, size_t n_symbols)
{
    ElfW(Sym) symbol;
    size_t n = 0;

    for (size_t i = 0; i < n_symbols; i++) {
        memcpy(&symbol, table + i * sizeof symbol, sizeof symbol);
        n += (size_t)is_function(symbols, &symbol);
    }
    symbols->functions = sw__alloc_large(n * sizeof *symbols->functions);
    if (symbols->functions == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n_symbols; i++) {
        memcpy(&symbol, table + i * sizeof symbol, sizeof symbol);
        if (is_function(symbols, &symbol))
            symbols->functions[symbols->n_functions++] = (struct function){
                symbol.st_value, symbol.st_value + symbol.st_size, symbol.st_name, rank_of(&symbol) };
    }
    if (n > 1)
        qsort(symbols->functions, n, sizeof *symbols->functions, by_address);
    return SW_OK;
}

/* The functions of the first table of a type; nothing when there is none that can be read. */
static enum sw_status read_table(struct sw__elf_symbols *symbols, const struct sw__elf_file *file, uint32_t type)
{
    const ElfW(Shdr) *section = sw__elf_file_section(file, type);
    void *texts = NULL, *table SW__OWNED = NULL;

    if (symbols->n_functions != 0 || section == NULL || section->sh_entsize != sizeof(ElfW(Sym)) ||
        section->sh_link >= file->n_sections || file->sections[section->sh_link].sh_type != SHT_STRTAB)
        return SW_OK;
    SW__TRY(sw__elf_file_read(file, section, &table));
    if (table == NULL)
        return SW_OK;
    SW__TRY(sw__elf_file_read(file, &file->sections[section->sh_link], &texts));
    if (texts == NULL)
        return SW_OK;
    sw__free(symbols->texts);
    sw__free(symbols->functions);
    symbols->functions = NULL;
    symbols->texts = texts;
    symbols->text_bytes = file->sections[section->sh_link].sh_size;
    return take_functions(symbols, table, (size_t)section->sh_size / sizeof(ElfW(Sym)));
}

/* ---- The right file --------------------------------------------------------------------------- */

static int has_build_id(const struct sw__elf_file *file, const struct sw__elf_module *module)
{
    return file->build_id_bytes == module->build_id_bytes &&
           memcmp(file->build_id, module->build_id, module->build_id_bytes) == 0;
}

static const char *why_another(const struct sw__elf_file *file, const struct sw__elf_module *module)
{
    if (module->build_id_bytes != 0)
        return has_build_id(file, module) ? NULL
                                          : "the file has changed since it was recorded (another build id)";
    return file->build_id_bytes == 0 && file->changed_s <= module->recorded_ns / 1000000000
               ? NULL
               : "the file has no build id and has changed since it was recorded";
}

/* DIR/.build-id/xx/rest.debug. */
static enum sw_status debug_path(const char *directory, size_t n_bytes, const struct sw__elf_module *module,
                                 struct sw__builder *path)
{
    SW__TRY(sw__builder_append(path, directory, n_bytes));
    SW__TRY(sw__builder_string(path, "/.build-id/"));
    for (size_t i = 0; i < module->build_id_bytes; i++) {
        char digits[4];

        snprintf(digits, sizeof digits, "%02x%s", module->build_id[i], i == 0 ? "/" : "");
        SW__TRY(sw__builder_string(path, digits));
    }
    return sw__builder_string(path, ".debug");
}

static enum sw_status read_debug_file(struct sw__elf_symbols *symbols, const char *directory, size_t n_bytes,
                                      const struct sw__elf_module *module)
{
    struct sw__builder path SW__OWNED_BUILDER = { NULL, 0, 0 };
    struct sw__elf_file file SW__CLEANUP(sw__elf_file_close) = { .descriptor = -1 };
    const char *note;

    SW__TRY(debug_path(directory, n_bytes, module, &path));
    SW__TRY(sw__elf_file_open(path.bytes, module->bytes_left, &file, &note));
    return note == NULL && has_build_id(&file, module) ? read_table(symbols, &file, SHT_SYMTAB) : SW_OK;
}

static enum sw_status read_debug_files(struct sw__elf_symbols *symbols, const char *directories,
                                       const struct sw__elf_module *module)
{
    if (module->build_id_bytes < 2)
        return SW_OK;
    SW__TRY(read_debug_file(symbols, DEBUG_DIRECTORY, strlen(DEBUG_DIRECTORY), module));
    for (const char *from = directories; from != NULL && symbols->n_functions == 0;) {
        size_t n = strcspn(from, ":");

        SW__TRY(read_debug_file(symbols, from, n, module));
        from = from[n] == ':' ? from + n + 1 : NULL;
    }
    return SW_OK;
}

static enum sw_status read_tables(struct sw__elf_symbols *symbols, const struct sw__elf_module *module,
                                  const char *directories)
{
    struct sw__elf_file file SW__CLEANUP(sw__elf_file_close) = { .descriptor = -1 };

    SW__TRY(sw__elf_file_open(module->path, module->bytes_left, &file, &symbols->note));
    if (symbols->note == NULL)
        symbols->note = why_another(&file, module);
    if (symbols->note != NULL)
        return SW_OK;
    SW__TRY(read_table(symbols, &file, SHT_SYMTAB));
    if (symbols->n_functions == 0)
        SW__TRY(read_debug_files(symbols, directories, module));
    return read_table(symbols, &file, SHT_DYNSYM);
}

static int is_used_up(const struct sw__elf_module *module)
{
    return module->bytes_left != NULL && *module->bytes_left == 0;
}

static enum sw_status read_module(struct sw__elf_symbols *symbols, const struct sw__elf_module *module,
                                  const char *directories)
{
    if (!is_used_up(module))
        SW__TRY(read_tables(symbols, module, directories));
    if (is_used_up(module))
        symbols->note = "there is more to be read for names than is read";
    return SW_OK;
}

enum sw_status sw__elf_symbols_open(const struct sw__elf_module *module, const char *directories,
                                    struct sw__elf_symbols **ret_symbols)
{
    struct sw__elf_symbols *symbols SW__OWNED_ELF_SYMBOLS = sw__alloc_zero(sizeof *symbols);

    if (symbols == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(read_module(symbols, module, directories));
    *ret_symbols = sw__take(symbols);
    return SW_OK;
}

void sw__elf_symbols_close(struct sw__elf_symbols *symbols)
{
    if (symbols == NULL)
        return;
    sw__free(symbols->functions);
    sw__free(symbols->texts);
    sw__free(symbols);
}

const char *sw__elf_symbols_note(const struct sw__elf_symbols *symbols)
{
    return symbols->note;
}

/* ---- Looking up -------------------------------------------------------------------------------- */

/* How many functions begin at an address or before it. */
static size_t count_before(const struct sw__elf_symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->n_functions;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (symbols->functions[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *sw__elf_symbols_find(const struct sw__elf_symbols *symbols, uint64_t address)
{
    size_t n = count_before(symbols, address);

    for (size_t i = 0; i < MOST_NESTED && i < n; i++) {
        const struct function *function = &symbols->functions[n - 1 - i];

        if (address < function->end)
            return symbols->texts + function->name;
    }
    return NULL;
}
