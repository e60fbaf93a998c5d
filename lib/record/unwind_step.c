/*
 * One step of libunwind on made-up registers. Each register, and each word that
 * is read from the stack, has a value far from all others, so that the result
 * tells what it was computed from. Only the unwind information itself is read
 * from memory.
 */
#define _GNU_SOURCE 1 /* _dl_find_object */
#include "config.h"

#include "record/unwind_step.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include "record/sys.h"
#include "record/text.h"

#if defined(HAVE_LIBUNWIND) && defined(__x86_64__) && defined(DLFO_EH_SEGMENT_TYPE)

#include <libunwind-x86_64.h>

#define LIBRARY "libunwind-x86_64.so.8"
#define TEXT_OF(name) TEXT_OF_EXPANDED(name)
#define TEXT_OF_EXPANDED(name) #name

typedef int find_object_fn(void *address, struct dl_find_object *result);

static struct {
    find_object_fn *find_object;
    unw_addr_space_t space;
    int (*init)(unw_cursor_t *cursor, unw_addr_space_t space, void *argument);
    int (*step)(unw_cursor_t *cursor);
    int (*get_reg)(unw_cursor_t *cursor, int reg, unw_word_t *value);
    int (*get_save_loc)(unw_cursor_t *cursor, int reg, unw_save_loc_t *place);
    int (*search)(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *table, unw_proc_info_t *info, int wants_info,
                  void *argument);
} library;

/* ---- The object ----------------------------------------------------------------------------- */

static int is_permanent(const struct link_map *map)
{
    for (const ElfW(Dyn) *entry = map->l_ld; entry != NULL && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_FLAGS_1)
            return (entry->d_un.d_val & DF_1_NODELETE) != 0;
    return 0;
}

int unwind_find_object(uintptr_t address, struct unwind_object *ret_object)
{
    struct dl_find_object found;
    uintptr_t libc = (uintptr_t)library.find_object;

    if (library.find_object == NULL || library.find_object((void *)address, &found) != 0) /* NOLINT: an address */
        return 0;
    ret_object->low = (uintptr_t)found.dlfo_map_start;
    ret_object->high = (uintptr_t)found.dlfo_map_end;
    ret_object->bias = found.dlfo_link_map->l_addr;
    ret_object->headers = found.dlfo_eh_frame;
    ret_object->name = found.dlfo_link_map->l_name;
    ret_object->is_program = found.dlfo_link_map->l_prev == NULL;
    ret_object->is_permanent =
        ret_object->is_program || is_permanent(found.dlfo_link_map) || (libc >= ret_object->low && libc < ret_object->high);
    return 1;
}

int unwind_object_is(uintptr_t address, uintptr_t low, uintptr_t high)
{
    struct dl_find_object found;

    return library.find_object((void *)address, &found) == 0 && (uintptr_t)found.dlfo_map_start == low && /* NOLINT */
           (uintptr_t)found.dlfo_map_end == high;
}

/* Header and program headers stand in the first page; NULL where they do not. */
static const ElfW(Phdr) *headers_of(const struct unwind_object *object, size_t *ret_n)
{
    const ElfW(Ehdr) *header = (const void *)object->low; /* NOLINT: an address */
    const size_t page = 4096;

    if (object->high - object->low < page || !sw__same(header->e_ident, ELFMAG, SELFMAG) ||
        header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phoff > page ||
        header->e_phnum > (page - header->e_phoff) / sizeof(ElfW(Phdr)))
        return NULL;
    *ret_n = header->e_phnum;
    return (const void *)(object->low + header->e_phoff); /* NOLINT */
}

/* Whether so many bytes lie in one readable segment. */
static int is_readable(const struct unwind_object *object, uintptr_t address, size_t n_bytes)
{
    size_t n = 0;
    const ElfW(Phdr) *headers = headers_of(object, &n);

    for (size_t i = 0; i < n; i++) {
        uintptr_t low = object->bias + headers[i].p_vaddr;

        /* Of whole words: a segment is mapped by pages. */
        if (headers[i].p_type == PT_LOAD && (headers[i].p_flags & PF_R) && address >= (low & ~UINT64_C(7)) &&
            address - (low & ~UINT64_C(7)) < headers[i].p_memsz + 8 &&
            n_bytes <= headers[i].p_memsz + 15 - (address - (low & ~UINT64_C(7))))
            return 1;
    }
    return 0;
}

static uint32_t build_id_in(uintptr_t at, uintptr_t end, uint8_t *ret_build_id)
{
    while (end - at >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at; /* NOLINT */
        uint64_t name = ((uint64_t)note->n_namesz + 3) & ~UINT64_C(3);
        uint64_t bytes = ((uint64_t)note->n_descsz + 3) & ~UINT64_C(3);

        if (name + bytes > end - at - sizeof *note)
            return 0;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && sw__same(note + 1, "GNU", 4) &&
            note->n_descsz <= SW__UNWIND_BUILD_ID_BYTES) {
            sw__copy(ret_build_id, (const char *)(note + 1) + name, note->n_descsz);
            return note->n_descsz;
        }
        at += sizeof *note + name + bytes;
    }
    return 0;
}

uint32_t unwind_build_id(const struct unwind_object *object, uint8_t *ret_build_id)
{
    size_t n = 0;
    const ElfW(Phdr) *headers = headers_of(object, &n);
    uint32_t found = 0;

    for (size_t i = 0; i < n && found == 0; i++) {
        uintptr_t at = object->bias + headers[i].p_vaddr;

        if (headers[i].p_type == PT_NOTE && is_readable(object, at, headers[i].p_memsz))
            found = build_id_in(at, at + headers[i].p_memsz, ret_build_id);
    }
    return found;
}

/* ---- Made-up registers ---------------------------------------------------------------------- */

/* Where no memory is; a result within NEAR of one was computed from it. */
#define STACK_AT (UINT64_C(1) << 60)
#define BASE_AT (UINT64_C(1) << 61)
#define OTHER_AT (UINT64_C(1) << 62)
#define WORDS_AT (UINT64_C(5) << 60)
#define APART (UINT64_C(1) << 40)
#define NEAR (INT64_C(1) << 28)
#define MOST_WORDS 16

struct probe {
    uintptr_t address;
    const struct unwind_object *object;
    uint64_t words[MOST_WORDS]; /* addresses of the words that were read of the stack */
    uint32_t n_words;
};

static int is_near(uint64_t value, uint64_t of)
{
    return (int64_t)(value - of) > -NEAR && (int64_t)(value - of) < NEAR;
}

static int read_word(unw_addr_space_t space, unw_word_t address, unw_word_t *value, int writes, void *argument)
{
    struct probe *probe = argument;

    (void)space;
    if (writes)
        return -UNW_EINVAL;
    if (is_readable(probe->object, address, sizeof *value)) {
        *value = *(const volatile unw_word_t *)address; /* NOLINT */
        return 0;
    }
    if (!is_near(address, STACK_AT) && !is_near(address, BASE_AT) &&
        address - (WORDS_AT - NEAR) > MOST_WORDS * APART)
        return -UNW_EINVAL;
    for (uint32_t i = 0; i < probe->n_words; i++)
        if (probe->words[i] == address) {
            *value = WORDS_AT + i * APART;
            return 0;
        }
    if (probe->n_words == MOST_WORDS)
        return -UNW_EINVAL;
    *value = WORDS_AT + probe->n_words * APART;
    probe->words[probe->n_words++] = address;
    return 0;
}

static int read_register(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int writes, void *argument)
{
    const struct probe *probe = argument;

    (void)space;
    if (writes)
        return -UNW_EREADONLYREG;
    *value = reg == UNW_X86_64_RIP   ? probe->address
             : reg == UNW_X86_64_RSP ? STACK_AT
             : reg == UNW_X86_64_RBP ? BASE_AT
                                     : OTHER_AT + (uint64_t)reg * APART;
    return 0;
}

static int read_fp_register(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value, int writes, void *argument)
{
    (void)space;
    (void)reg;
    (void)value;
    (void)writes;
    (void)argument;
    return -UNW_EBADREG;
}

/* .eh_frame_hdr as every linker writes it: a sorted table of pairs of offsets. */
struct search_table {
    uint8_t version;
    uint8_t frame_encoding;
    uint8_t count_encoding;
    uint8_t table_encoding;
    int32_t frame;
    uint32_t count;
};
#define COUNT_UDATA4 0x03
#define TABLE_DATAREL_SDATA4 0x3b
#define TABLE_ENTRY_BYTES 8

static int find_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info, int wants_info, void *argument)
{
    const struct probe *probe = argument;
    const struct search_table *table = probe->object->headers;
    unw_dyn_info_t where = {.format = UNW_INFO_FORMAT_REMOTE_TABLE};
    uintptr_t entries = (uintptr_t)(table + 1);

    if (table == NULL || !is_readable(probe->object, (uintptr_t)table, sizeof *table) || table->version != 1 ||
        table->count_encoding != COUNT_UDATA4 || table->table_encoding != TABLE_DATAREL_SDATA4 ||
        !is_readable(probe->object, entries, (uint64_t)table->count * TABLE_ENTRY_BYTES))
        return -UNW_ENOINFO;
    where.start_ip = probe->object->low;
    where.end_ip = probe->object->high;
    where.u.rti.segbase = (uintptr_t)table;
    where.u.rti.table_data = entries;
    where.u.rti.table_len = (uint64_t)table->count * TABLE_ENTRY_BYTES / sizeof(unw_word_t);
    return library.search(space, ip, &where, info, wants_info, argument);
}

static void put_info(unw_addr_space_t space, unw_proc_info_t *info, void *argument)
{
    (void)space;
    (void)info;
    (void)argument;
}

static int no_dynamic_info(unw_addr_space_t space, unw_word_t *address, void *argument)
{
    (void)space;
    (void)address;
    (void)argument;
    return -UNW_ENOINFO;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *argument)
{
    (void)space;
    (void)cursor;
    (void)argument;
    return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t space, unw_word_t ip, char *name, size_t room, unw_word_t *offset, void *argument)
{
    (void)space;
    (void)ip;
    (void)name;
    (void)room;
    (void)offset;
    (void)argument;
    return -UNW_ENOINFO;
}

/* ---- Reading the result ------------------------------------------------------------------------ */

/* What a value was computed from; 0 when from something else. Words of the stack: all from the same one. */
static int place_of(const struct probe *probe, uint64_t value, struct unwind_step *step, int *has_saved,
                    struct unwind_place *ret_place)
{
    if (is_near(value, STACK_AT)) {
        *ret_place = (struct unwind_place){(int32_t)(int64_t)(value - STACK_AT), UNWIND_SP};
        return 1;
    }
    if (is_near(value, BASE_AT)) {
        *ret_place = (struct unwind_place){(int32_t)(int64_t)(value - BASE_AT), UNWIND_BP};
        return 1;
    }
    for (uint32_t i = 0; i < probe->n_words; i++) {
        struct unwind_place word;

        if (!is_near(value, WORDS_AT + i * APART) || !place_of(probe, probe->words[i], step, has_saved, &word) ||
            word.base == UNWIND_SAVED)
            continue;
        if (*has_saved && (word.base != step->saved.base || word.offset != step->saved.offset))
            return 0;
        step->saved = word;
        *has_saved = 1;
        *ret_place = (struct unwind_place){(int32_t)(int64_t)(value - (WORDS_AT + i * APART)), UNWIND_SAVED};
        return 1;
    }
    return 0;
}

/* Offsets in the kernel's signal frame: the stack pointer and the instruction pointer of what was interrupted. */
#define SIGNAL_SP 160
#define SIGNAL_IP 168

static int read_step(const struct probe *probe, unw_cursor_t *cursor, struct unwind_step *step)
{
    unw_save_loc_t ip, bp;
    unw_word_t sp;
    int has_saved = 0;

    if (library.get_reg(cursor, UNW_REG_SP, &sp) != 0 || library.get_save_loc(cursor, UNW_X86_64_RIP, &ip) != 0 ||
        library.get_save_loc(cursor, UNW_X86_64_RBP, &bp) != 0)
        return 0;
    if (!place_of(probe, sp, step, &has_saved, &step->sp) || ip.type != UNW_SLT_MEMORY ||
        !place_of(probe, ip.u.addr, step, &has_saved, &step->ip))
        return 0;
    step->keeps_bp = bp.type == UNW_SLT_REG && bp.u.regnum == UNW_X86_64_RBP;
    if (!step->keeps_bp &&
        (bp.type != UNW_SLT_MEMORY || !place_of(probe, bp.u.addr, step, &has_saved, &step->bp)))
        return 0;
    if (step->sp.base == UNWIND_SAVED && step->sp.offset == 0 && step->saved.base == UNWIND_SP &&
        step->saved.offset == SIGNAL_SP && step->ip.base == UNWIND_SP && step->ip.offset == SIGNAL_IP)
        step->kind = UNWIND_SIGNAL;
    return 1;
}

void unwind_step_find(uintptr_t address, const struct unwind_object *object, struct unwind_step *ret_step)
{
    struct probe probe = {.address = address, .object = object};
    unw_proc_info_t info;
    unw_cursor_t cursor;
    int stepped;

    *ret_step = (struct unwind_step){.kind = UNWIND_UNKNOWN};
    /* Without information libunwind would guess. */
    if (find_info(library.space, address, &info, 0, &probe) != 0 ||
        library.init(&cursor, library.space, &probe) != 0)
        return;
    stepped = library.step(&cursor);
    if (stepped == 0)
        ret_step->kind = UNWIND_LAST;
    else if (stepped > 0) {
        ret_step->kind = UNWIND_STEP;
        if (!read_step(&probe, &cursor, ret_step))
            ret_step->kind = UNWIND_UNKNOWN;
    }
}

static int find_functions(void *opened)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        {TEXT_OF(unw_init_remote), &library.init},       {TEXT_OF(unw_step), &library.step},
        {TEXT_OF(unw_get_reg), &library.get_reg},        {TEXT_OF(unw_get_save_loc), &library.get_save_loc},
        {TEXT_OF(UNW_OBJ(dwarf_search_unwind_table)), &library.search},
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(opened, functions[i].name);

        if (found == NULL)
            return 0;
        sw__copy(functions[i].function, &found, sizeof found);
    }
    return 1;
}

typedef unw_addr_space_t create_fn(unw_accessors_t *accessors, int byte_order);

/*
 * When it is first used libunwind opens a pipe, by which it would check addresses
 * that nobody asks it about here: the program's descriptors are to stay its own.
 */
static unw_addr_space_t create_without_pipe(create_fn *create)
{
    static unw_accessors_t accessors = {find_info,     put_info,         no_dynamic_info, read_word,
                                        read_register, read_fp_register, no_resume,       no_name};
    unw_addr_space_t space;
    struct stat ends[2];
    int pipe[2];

    /* The lowest two that are free: the next ones, too. */
    if (syscall(SYS_pipe2, pipe, O_CLOEXEC) != 0)
        return create(&accessors, 0);
    sw__sys_close(pipe[0]);
    sw__sys_close(pipe[1]);
    space = create(&accessors, 0);
    if (syscall(SYS_fstat, pipe[0], &ends[0]) != 0 || syscall(SYS_fstat, pipe[1], &ends[1]) != 0 ||
        !S_ISFIFO(ends[0].st_mode) || !S_ISFIFO(ends[1].st_mode) || ends[0].st_ino != ends[1].st_ino)
        return space;
    sw__sys_close(pipe[0]);
    sw__sys_close(pipe[1]);
    return space;
}

enum sw__unwind_state unwind_step_load(void)
{
    create_fn *create;
    int (*set_caching)(unw_addr_space_t space, unw_caching_policy_t policy);
    void *opened, *symbol = dlsym(RTLD_DEFAULT, "_dl_find_object");

    if (symbol == NULL)
        return SW__UNWIND_NO_SUPPORT;
    opened = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (opened == NULL || !find_functions(opened))
        return SW__UNWIND_NO_LIBRARY;
    sw__copy(&library.find_object, &symbol, sizeof symbol);
    symbol = dlsym(opened, TEXT_OF(unw_create_addr_space));
    sw__copy(&create, &symbol, sizeof symbol);
    symbol = dlsym(opened, TEXT_OF(unw_set_caching_policy));
    sw__copy(&set_caching, &symbol, sizeof symbol);
    if (create == NULL || set_caching == NULL || (library.space = create_without_pipe(create)) == NULL)
        return SW__UNWIND_NO_LIBRARY;
    set_caching(library.space, UNW_CACHE_NONE);
    return SW__UNWIND_READY;
}

#else

enum sw__unwind_state unwind_step_load(void)
{
    return SW__UNWIND_NO_SUPPORT;
}

int unwind_find_object(uintptr_t address, struct unwind_object *ret_object)
{
    (void)address;
    (void)ret_object;
    return 0;
}

int unwind_object_is(uintptr_t address, uintptr_t low, uintptr_t high)
{
    (void)address;
    (void)low;
    (void)high;
    return 0;
}

uint32_t unwind_build_id(const struct unwind_object *object, uint8_t *ret_build_id)
{
    (void)object;
    (void)ret_build_id;
    return 0;
}

void unwind_step_find(uintptr_t address, const struct unwind_object *object, struct unwind_step *ret_step)
{
    (void)address;
    (void)object;
    *ret_step = (struct unwind_step){.kind = UNWIND_UNKNOWN};
}

#endif
