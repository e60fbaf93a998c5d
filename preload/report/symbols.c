/*
 * Debug information and symbol tables, read by elfutils.
 */
#include "config.h"

#include "report/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/builder.h"
#include "analyze/visible.h"
#include "base/alloc.h"
#include "report/demangle.h"
#include "report/utf8.h"

/* The file's name without its directories. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* A file may be called anything: what a terminal would act on is made visible here, for all outputs. */
static enum sw_status pass(struct sw__builder *text, symbols_sink *sink, void *context)
{
    struct sw__builder visible SW__OWNED_BUILDER = { NULL, 0, 0 };
    char *clean SW__OWNED = NULL;

    SW__TRY(utf8_clean(text->bytes, text->n_bytes, &clean));
    SW__TRY(sw__visible(&visible, clean));
    return sink(context, visible.bytes != NULL ? visible.bytes : "");
}

static enum sw_status pass_offset(const struct report_module *module, uint64_t address, symbols_sink *sink,
                                  void *context)
{
    struct sw__builder text SW__OWNED_BUILDER = { NULL, 0, 0 };
    char offset[32];

    snprintf(offset, sizeof offset, "+%#" PRIx64, address);
    SW__TRY(sw__builder_string(&text, module->path[0] != '\0' ? name_of(module->path) : "(unknown)"));
    SW__TRY(sw__builder_string(&text, offset));
    return pass(&text, sink, context);
}

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbols {
    const struct report_module *module;
    const char *note;
    char *debug_path;       /* where libdwfl looks */
    Dwfl_Callbacks callbacks;
    Dwfl *dwfl;
    Dwfl_Module *opened;    /* NULL: nothing may be asked */
};

/* A regular file alone: what a report names is not to be waited for. */
static int open_regular(const char *path, struct stat *ret_status)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (file >= 0 && fstat(file, ret_status) == 0 && S_ISREG(ret_status->st_mode))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Whether the file is the one that was mapped. */
static int is_recorded(struct symbols *symbols, int file, const struct stat *status, int64_t recorded_ns)
{
    const struct report_module *module = symbols->module;
    int64_t changed_s = status->st_ctime > status->st_mtime ? status->st_ctime : status->st_mtime;
    const void *build_id = NULL;
    ssize_t n_bytes;
    int is_same;

    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
    if (elf == NULL || elf_kind(elf) != ELF_K_ELF) {
        elf_end(elf);
        symbols->note = "no ELF file stands there any more";
        return 0;
    }
    n_bytes = dwelf_elf_gnu_build_id(elf, &build_id);
    if (module->build_id_bytes != 0)
        is_same = n_bytes == (ssize_t)module->build_id_bytes &&
                  memcmp(build_id, module->build_id, module->build_id_bytes) == 0;
    else
        is_same = n_bytes <= 0 && changed_s <= recorded_ns / 1000000000;
    elf_end(elf);
    if (!is_same)
        symbols->note = module->build_id_bytes != 0 ? "the file has changed since it was recorded (another build id)"
                                                    : "the file has no build id and has changed since it was recorded";
    return is_same;
}

/* The library's own default, and what was asked for. Without a check of sums, which costs more than the build id. */
static enum report_outcome make_debug_path(struct symbols *symbols, const char *directories)
{
    struct sw__builder text = { NULL, 0, 0 };

    if (sw__builder_string(&text, ":.debug:/usr/lib/debug") != SW_OK ||
        (directories != NULL && (sw__builder_string(&text, ":") != SW_OK ||
                                 sw__builder_string(&text, directories) != SW_OK))) {
        sw__builder_clear(&text);
        return REPORT_SYSTEM;
    }
    symbols->debug_path = text.bytes;
    return REPORT_OK;
}

static void open_module(struct symbols *symbols, int64_t recorded_ns)
{
    const struct report_module *module = symbols->module;
    struct stat status;
    int file = module->path[0] == '/' ? open_regular(module->path, &status) : -1;

    if (file < 0) {
        symbols->note = module->path[0] == '/' ? "the file cannot be read" : "this is no file";
        return;
    }
    if (!is_recorded(symbols, file, &status, recorded_ns)) {
        close(file);
        return;
    }
    symbols->callbacks = (Dwfl_Callbacks){
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .debuginfo_path = &symbols->debug_path,
    };
    symbols->dwfl = dwfl_begin(&symbols->callbacks);
    if (symbols->dwfl != NULL) {
        dwfl_report_begin(symbols->dwfl);
        /* At no bias: addresses are those of the file. The descriptor is taken over. */
        symbols->opened = dwfl_report_elf(symbols->dwfl, name_of(module->path), module->path, file, 0, true);
        dwfl_report_end(symbols->dwfl, NULL, NULL);
    }
    if (symbols->opened == NULL) {
        close(file);
        symbols->note = "the file cannot be understood";
    }
}

enum report_outcome symbols_open(const struct report_module *module, const char *directories, int64_t recorded_ns,
                                 struct symbols **ret_symbols)
{
    struct symbols *symbols = sw__alloc_zero(sizeof *symbols);

    if (symbols == NULL)
        return REPORT_SYSTEM;
    symbols->module = module;
    if (make_debug_path(symbols, directories) != REPORT_OK) {
        symbols_close(symbols);
        return REPORT_SYSTEM;
    }
    open_module(symbols, recorded_ns);
    *ret_symbols = symbols;
    return REPORT_OK;
}

void symbols_close(struct symbols *symbols)
{
    if (symbols == NULL)
        return;
    if (symbols->dwfl != NULL)
        dwfl_end(symbols->dwfl);
    sw__free(symbols->debug_path);
    sw__free(symbols);
}

const char *symbols_note(const struct symbols *symbols)
{
    return symbols->note;
}

/* Where a function is left for the one that the compiler put into it. */
struct line {
    const char *file;
    int number; /* 0: not known */
};

static enum sw_status pass_function(const struct symbols *symbols, const char *function, const struct line *line,
                                    symbols_sink *sink, void *context)
{
    struct sw__builder text SW__OWNED_BUILDER = { NULL, 0, 0 };

    if (line->file != NULL && line->number > 0) {
        SW__TRY(sw__builder_string(&text, line->file));
        SW__TRY(sw__builder_string(&text, "("));
        SW__TRY(sw__builder_integer(&text, line->number));
        SW__TRY(sw__builder_string(&text, "): "));
    } else {
        SW__TRY(sw__builder_string(&text, name_of(symbols->module->path)));
        SW__TRY(sw__builder_string(&text, ": "));
    }
    SW__TRY(demangle(&text, function));
    return pass(&text, sink, context);
}

/* The symbol that has the address inside of it. */
static const char *find_symbol(const struct symbols *symbols, uint64_t address)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(symbols->opened, address, &offset, &symbol, NULL, NULL, NULL);

    return name != NULL && offset < symbol.st_size ? name : NULL;
}

/* Files as the compiler was told of them. */
static const char *shorten(const char *file, const char *directory)
{
    size_t n = directory != NULL ? strlen(directory) : 0;

    return n > 1 && file != NULL && strncmp(file, directory, n) == 0 && file[n] == '/' ? file + n + 1 : file;
}

static const char *directory_of(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static void find_line(const struct symbols *symbols, uint64_t address, struct line *ret_line)
{
    Dwfl_Line *found = dwfl_module_getsrc(symbols->opened, address);

    ret_line->file = found != NULL ? dwfl_lineinfo(found, NULL, &ret_line->number, NULL, NULL, NULL) : NULL;
    if (ret_line->file != NULL)
        ret_line->file = shorten(ret_line->file, dwfl_line_comp_dir(found));
}

/* Where the code of an inlined function was wanted. */
static void find_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct line *ret_line)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files;
    size_t n_files = 0;

    *ret_line = (struct line){ NULL, 0 };
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 || line > INT32_MAX ||
        dwarf_getsrcfiles(unit, &files, &n_files) != 0 || file >= n_files)
        return;
    ret_line->file = shorten(dwarf_filesrc(files, file, NULL, NULL), directory_of(unit));
    ret_line->number = (int)line;
}

static const char *function_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

    return name != NULL ? name : dwarf_diename(die);
}

/* The functions that hold the address, innermost first; 0 passed when the debug information has none. */
static enum sw_status pass_scopes(const struct symbols *symbols, Dwarf_Die *unit, Dwarf_Die *scopes, int n_scopes,
                                  struct line *line, symbols_sink *sink, void *context, size_t *n_passed)
{
    for (int i = 0; i < n_scopes; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *function;
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        function = function_of(&scopes[i]);
        if (function == NULL)
            return SW_OK;
        SW__TRY(pass_function(symbols, function, line, sink, context));
        ++*n_passed;
        if (tag == DW_TAG_subprogram)
            return SW_OK;
        find_call(unit, &scopes[i], line);
    }
    return SW_OK;
}

static enum sw_status pass_described(const struct symbols *symbols, uint64_t address, struct line *line,
                                     symbols_sink *sink, void *context, size_t *n_passed)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(symbols->opened, address, &bias);
    Dwarf_Die *innermost = NULL, *scopes = NULL;
    enum sw_status status = SW_OK;

    if (unit == NULL || dwarf_getscopes(unit, address - bias, &innermost) <= 0)
        return SW_OK;
    int n_scopes = dwarf_getscopes_die(&innermost[0], &scopes);
    if (n_scopes > 0)
        status = pass_scopes(symbols, unit, scopes, n_scopes, line, sink, context, n_passed);
    free(scopes);
    free(innermost);
    return status;
}

enum sw_status symbols_look_up(struct symbols *symbols, uint64_t address, symbols_sink *sink, void *context)
{
    struct line line = { NULL, 0 };
    const char *function;
    size_t n_passed = 0;

    if (symbols->opened == NULL || dwfl_addrmodule(symbols->dwfl, address) != symbols->opened)
        return pass_offset(symbols->module, address, sink, context);
    find_line(symbols, address, &line);
    SW__TRY(pass_described(symbols, address, &line, sink, context, &n_passed));
    if (n_passed > 0)
        return SW_OK;
    function = find_symbol(symbols, address);
    if (function != NULL)
        return pass_function(symbols, function, &line, sink, context);
    return pass_offset(symbols->module, address, sink, context);
}

#else

struct symbols {
    const struct report_module *module;
};

enum report_outcome symbols_open(const struct report_module *module, const char *directories, int64_t recorded_ns,
                                 struct symbols **ret_symbols)
{
    struct symbols *symbols = sw__alloc(sizeof *symbols);

    (void)directories;
    (void)recorded_ns;
    if (symbols == NULL)
        return REPORT_SYSTEM;
    symbols->module = module;
    *ret_symbols = symbols;
    return REPORT_OK;
}

void symbols_close(struct symbols *symbols)
{
    sw__free(symbols);
}

const char *symbols_note(const struct symbols *symbols)
{
    (void)symbols;
    return "this swprof-report was built without elfutils (libdw) and cannot look names up";
}

enum sw_status symbols_look_up(struct symbols *symbols, uint64_t address, symbols_sink *sink, void *context)
{
    return pass_offset(symbols->module, address, sink, context);
}

#endif
