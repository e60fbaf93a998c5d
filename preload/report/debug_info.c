/*
 * Debug information and symbol tables, read by elfutils.
 */
#include "config.h"

#include "report/debug_info.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/builder.h"
#include "base/alloc.h"

int debug_info_is_there(void)
{
    return 1;
}

struct debug_info {
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
static int is_recorded(struct debug_info *info, int file, const struct stat *status, int64_t recorded_ns)
{
    const struct report_module *module = info->module;
    int64_t changed_s = status->st_ctime > status->st_mtime ? status->st_ctime : status->st_mtime;
    const void *build_id = NULL;
    ssize_t n_bytes;
    int is_same;

    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
    if (elf == NULL || elf_kind(elf) != ELF_K_ELF) {
        elf_end(elf);
        info->note = "no ELF file stands there any more";
        return 0;
    }
    n_bytes = dwelf_elf_gnu_build_id(elf, &build_id);
    /* The recorder keeps no longer ones. */
    if (n_bytes > SWPROF_BUILD_ID_BYTES)
        n_bytes = 0;
    if (module->build_id_bytes != 0)
        is_same = n_bytes == (ssize_t)module->build_id_bytes &&
                  memcmp(build_id, module->build_id, module->build_id_bytes) == 0;
    else
        is_same = n_bytes <= 0 && changed_s <= recorded_ns / 1000000000;
    elf_end(elf);
    if (!is_same)
        info->note = module->build_id_bytes != 0 ? "the file has changed since it was recorded (another build id)"
                                                    : "the file has no build id and has changed since it was recorded";
    return is_same;
}

/* The library's own default, and what was asked for. Without a check of sums, which costs more than the build id. */
static enum report_outcome make_debug_path(struct debug_info *info, const char *directories)
{
    struct sw__builder text = { NULL, 0, 0 };

    if (sw__builder_string(&text, ":.debug:/usr/lib/debug") != SW_OK ||
        (directories != NULL && (sw__builder_string(&text, ":") != SW_OK ||
                                 sw__builder_string(&text, directories) != SW_OK))) {
        sw__builder_clear(&text);
        return REPORT_SYSTEM;
    }
    info->debug_path = text.bytes;
    return REPORT_OK;
}

static void open_module(struct debug_info *info, int64_t recorded_ns)
{
    const struct report_module *module = info->module;
    struct stat status;
    int file = module->path[0] == '/' ? open_regular(module->path, &status) : -1;

    if (file < 0) {
        info->note = module->path[0] == '/' ? "the file cannot be read" : "this is no file";
        return;
    }
    if (!is_recorded(info, file, &status, recorded_ns)) {
        close(file);
        return;
    }
    info->callbacks = (Dwfl_Callbacks){
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .debuginfo_path = &info->debug_path,
    };
    info->dwfl = dwfl_begin(&info->callbacks);
    if (info->dwfl != NULL) {
        dwfl_report_begin(info->dwfl);
        /* At no bias: addresses are those of the file. The descriptor is taken over. */
        info->opened = dwfl_report_elf(info->dwfl, sw__file_name(module->path), module->path, file, 0, true);
        dwfl_report_end(info->dwfl, NULL, NULL);
    }
    if (info->opened == NULL) {
        close(file);
        info->note = "the file cannot be understood";
    }
}

enum report_outcome debug_info_open(const struct report_module *module, const char *directories, int64_t recorded_ns,
                                 struct debug_info **ret_info)
{
    struct debug_info *info = sw__alloc_zero(sizeof *info);

    if (info == NULL)
        return REPORT_SYSTEM;
    info->module = module;
    if (make_debug_path(info, directories) != REPORT_OK) {
        debug_info_close(info);
        return REPORT_SYSTEM;
    }
    open_module(info, recorded_ns);
    *ret_info = info;
    return REPORT_OK;
}

void debug_info_close(struct debug_info *info)
{
    if (info == NULL)
        return;
    if (info->dwfl != NULL)
        dwfl_end(info->dwfl);
    sw__free(info->debug_path);
    sw__free(info);
}

const char *debug_info_note(const struct debug_info *info)
{
    return info->note;
}

/* Where a function is left for the one that the compiler put into it. */
struct line {
    const char *file;
    int number; /* 0: not known */
};

/* Frames on their way to whoever asked. */
struct passing {
    const struct debug_info *info;
    uint64_t address;
    debug_info_sink *sink;
    void *context;
    size_t n;
};

static enum sw_status pass_function(struct passing *passing, const char *function, const struct line *line)
{
    const struct sw__frame frame = { passing->info->module->path, passing->address, function, line->file,
                                     line->number };

    SW__TRY(passing->sink(passing->context, &frame));
    passing->n++;
    return SW_OK;
}

/* The symbol that has the address inside of it. */
static const char *find_symbol(const struct debug_info *info, uint64_t address)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(info->opened, address, &offset, &symbol, NULL, NULL, NULL);

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

static void find_line(const struct debug_info *info, uint64_t address, struct line *ret_line)
{
    Dwfl_Line *found = dwfl_module_getsrc(info->opened, address);

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
static enum sw_status pass_scopes(struct passing *passing, Dwarf_Die *unit, Dwarf_Die *scopes, int n_scopes,
                                  struct line *line)
{
    for (int i = 0; i < n_scopes; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *function;
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        function = function_of(&scopes[i]);
        if (function == NULL)
            return SW_OK;
        SW__TRY(pass_function(passing, function, line));
        if (tag == DW_TAG_subprogram)
            return SW_OK;
        find_call(unit, &scopes[i], line);
    }
    return SW_OK;
}

static enum sw_status pass_described(struct passing *passing, struct line *line)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(passing->info->opened, passing->address, &bias);
    Dwarf_Die *innermost = NULL, *scopes = NULL;
    enum sw_status status = SW_OK;

    if (unit == NULL || dwarf_getscopes(unit, passing->address - bias, &innermost) <= 0)
        return SW_OK;
    int n_scopes = dwarf_getscopes_die(&innermost[0], &scopes);
    if (n_scopes > 0)
        status = pass_scopes(passing, unit, scopes, n_scopes, line);
    free(scopes);
    free(innermost);
    return status;
}

enum sw_status debug_info_look_up(struct debug_info *info, uint64_t address, debug_info_sink *sink, void *context,
                                  size_t *ret_n)
{
    struct passing passing = { info, address, sink, context, 0 };
    struct line line = { NULL, 0 };

    *ret_n = 0;
    if (info->opened == NULL || dwfl_addrmodule(info->dwfl, address) != info->opened)
        return SW_OK;
    find_line(info, address, &line);
    SW__TRY(pass_described(&passing, &line));
    const char *function = passing.n == 0 ? find_symbol(info, address) : NULL;
    if (function != NULL)
        SW__TRY(pass_function(&passing, function, &line));
    *ret_n = passing.n;
    return SW_OK;
}

#else

int debug_info_is_there(void)
{
    return 0;
}

enum report_outcome debug_info_open(const struct report_module *module, const char *directories, int64_t recorded_ns,
                                    struct debug_info **ret_info)
{
    (void)module;
    (void)directories;
    (void)recorded_ns;
    *ret_info = NULL;
    return REPORT_OK;
}

void debug_info_close(struct debug_info *info)
{
    (void)info;
}

const char *debug_info_note(const struct debug_info *info)
{
    (void)info;
    return NULL;
}

enum sw_status debug_info_look_up(struct debug_info *info, uint64_t address, debug_info_sink *sink, void *context,
                                  size_t *ret_n)
{
    (void)info;
    (void)address;
    (void)sink;
    (void)context;
    *ret_n = 0;
    return SW_OK;
}

#endif
