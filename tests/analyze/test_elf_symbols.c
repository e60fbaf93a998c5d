/*
 * Names from symbol tables: of a file that is made here, byte by byte, with
 * whatever is wrong in it. Files that compilers make are in tests/stacks.
 */
#include "config.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyze/elf_symbols.h"
#include "check_main.h"

static const uint8_t id[20] = {0xab, 0xcd, 1, 2, 3};
static const char texts[] = "\0inner\0outer\0weak\0global\0local\0empty\0data\0undefined";

/* Where a name stands in the texts. */
static uint32_t text_at(const char *name)
{
    for (size_t i = 1; i < sizeof texts; i += strlen(texts + i) + 1)
        if (strcmp(texts + i, name) == 0)
            return (uint32_t)i;
    ck_abort_msg("no text %s", name);
    return 0;
}

struct image {
    ElfW(Ehdr) header;
    ElfW(Shdr) sections[4]; /* none, symbols, texts, notes */
    struct {
        ElfW(Nhdr) header;
        char name[4];
        uint8_t id[sizeof id];
    } note;
    ElfW(Sym) symbols[10];
    char texts[sizeof texts];
};

static ElfW(Sym) symbol(const char *name, unsigned binding, unsigned type, uint64_t begin, uint64_t n_bytes)
{
    ElfW(Sym) made = { .st_name = text_at(name), .st_shndx = 1, .st_value = begin, .st_size = n_bytes };

    made.st_info = (unsigned char)ELF64_ST_INFO(binding, type);
    return made;
}

static ElfW(Shdr) section(uint32_t type, size_t offset, size_t n_bytes)
{
    ElfW(Shdr) made = { .sh_type = type, .sh_offset = offset, .sh_size = n_bytes };

    return made;
}

static struct image make_image(uint32_t table)
{
    struct image image = { .header.e_shoff = offsetof(struct image, sections) };

    memcpy(image.header.e_ident, ELFMAG, SELFMAG);
    image.header.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    image.header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    image.header.e_shentsize = sizeof image.sections[0];
    image.header.e_shnum = 4;
    image.sections[1] = section(table, offsetof(struct image, symbols), sizeof image.symbols);
    image.sections[1].sh_entsize = sizeof image.symbols[0];
    image.sections[1].sh_link = 2;
    image.sections[2] = section(SHT_STRTAB, offsetof(struct image, texts), sizeof texts);
    image.sections[3] = section(SHT_NOTE, offsetof(struct image, note), sizeof image.note);
    image.note.header = (ElfW(Nhdr)){ 4, sizeof id, NT_GNU_BUILD_ID };
    memcpy(image.note.name, "GNU", 4);
    memcpy(image.note.id, id, sizeof id);
    memcpy(image.texts, texts, sizeof texts);
    image.symbols[1] = symbol("outer", STB_LOCAL, STT_FUNC, 0x100, 0x80);
    image.symbols[2] = symbol("inner", STB_LOCAL, STT_FUNC, 0x120, 0x10);
    image.symbols[3] = symbol("local", STB_LOCAL, STT_FUNC, 0x200, 0x10);
    image.symbols[4] = symbol("global", STB_GLOBAL, STT_FUNC, 0x200, 0x10);
    image.symbols[5] = symbol("weak", STB_WEAK, STT_FUNC, 0x200, 0x10);
    image.symbols[6] = symbol("empty", STB_GLOBAL, STT_FUNC, 0x300, 0);
    image.symbols[7] = symbol("data", STB_GLOBAL, STT_OBJECT, 0x400, 0x10);
    image.symbols[8] = symbol("undefined", STB_GLOBAL, STT_FUNC, 0x500, 0x10);
    image.symbols[8].st_shndx = SHN_UNDEF;
    return image;
}

static char path[] = "/tmp/elf-symbols-XXXXXX";

static void write_bytes(const char *name, const void *bytes, size_t n_bytes)
{
    FILE *file = fopen(name, "wb");

    ck_assert_ptr_ne(file, NULL);
    ck_assert_uint_eq(fwrite(bytes, 1, n_bytes, file), n_bytes);
    ck_assert_int_eq(fclose(file), 0);
}

static struct sw__elf_symbols *open_file(const uint8_t *build_id, size_t n_bytes, int64_t recorded_s)
{
    const struct sw__elf_module module = { path, build_id, n_bytes, recorded_s * 1000000000, NULL };
    struct sw__elf_symbols *symbols = NULL;

    ck_assert_int_eq(sw__elf_symbols_open(&module, NULL, &symbols), SW_OK);
    return symbols;
}

static struct sw__elf_symbols *open_image(const struct image *image)
{
    write_bytes(path, image, sizeof *image);
    return open_file(id, sizeof id, 0);
}

static void expect(const struct sw__elf_symbols *symbols, uint64_t address, const char *name)
{
    const char *found = sw__elf_symbols_find(symbols, address);

    if (name == NULL)
        ck_assert_msg(found == NULL, "%#llx is %s", (unsigned long long)address, found);
    else
        ck_assert_str_eq(found != NULL ? found : "(nothing)", name);
}

START_TEST(an_address_has_the_innermost_function_around_it)
{
    static const uint32_t tables[] = { SHT_SYMTAB, SHT_DYNSYM };

    for (size_t i = 0; i < 2; i++) {
        struct image image = make_image(tables[i]);
        struct sw__elf_symbols *symbols = open_image(&image);

        ck_assert_ptr_eq(sw__elf_symbols_note(symbols), NULL);
        expect(symbols, 0xff, NULL);
        expect(symbols, 0x100, "outer");
        expect(symbols, 0x12f, "inner");
        expect(symbols, 0x130, "outer");
        expect(symbols, 0x180, NULL);
        expect(symbols, UINT64_MAX, NULL);
        sw__elf_symbols_close(symbols);
    }
}
END_TEST

START_TEST(of_several_names_the_global_one_is_shown)
{
    struct image image = make_image(SHT_SYMTAB);
    struct sw__elf_symbols *symbols = open_image(&image);

    expect(symbols, 0x20f, "global");
    sw__elf_symbols_close(symbols);
}
END_TEST

START_TEST(what_is_no_code_with_an_extent_has_no_name)
{
    struct image image = make_image(SHT_SYMTAB);
    struct sw__elf_symbols *symbols = open_image(&image);

    for (uint64_t address = 0x300; address < 0x600; address += 0x100)
        expect(symbols, address, NULL);
    sw__elf_symbols_close(symbols);
}
END_TEST

START_TEST(another_file_is_never_asked)
{
    struct image image = make_image(SHT_SYMTAB);
    struct sw__elf_symbols *symbols;
    uint8_t other[sizeof id];

    memcpy(other, id, sizeof id);
    other[19] ^= 1;
    sw__elf_symbols_close(open_image(&image));
    symbols = open_file(other, sizeof other, 0);
    ck_assert_str_eq(sw__elf_symbols_note(symbols), "the file has changed since it was recorded (another build id)");
    expect(symbols, 0x100, NULL);
    sw__elf_symbols_close(symbols);
    /* A part of it is another one, too; and so is a file that has one where there was none. */
    symbols = open_file(id, sizeof id - 1, 0);
    ck_assert_ptr_ne(sw__elf_symbols_note(symbols), NULL);
    sw__elf_symbols_close(symbols);
    symbols = open_file(NULL, 0, INT32_MAX);
    ck_assert_ptr_ne(sw__elf_symbols_note(symbols), NULL);
    sw__elf_symbols_close(symbols);
}
END_TEST

START_TEST(a_file_without_a_build_id_is_the_same_until_it_changes)
{
    struct image image = make_image(SHT_SYMTAB);
    struct sw__elf_symbols *symbols;
    int64_t now = time(NULL);

    image.note.header.n_type = 1;
    write_bytes(path, &image, sizeof image);
    symbols = open_file(NULL, 0, now + 3600);
    ck_assert_ptr_eq(sw__elf_symbols_note(symbols), NULL);
    expect(symbols, 0x100, "outer");
    sw__elf_symbols_close(symbols);
    symbols = open_file(NULL, 0, now - 3600);
    ck_assert_ptr_ne(sw__elf_symbols_note(symbols), NULL);
    expect(symbols, 0x100, NULL);
    sw__elf_symbols_close(symbols);
}
END_TEST

/* No recorder keeps it: it is none on both sides. */
START_TEST(a_build_id_of_more_than_32_bytes_is_none)
{
    struct image image = make_image(SHT_SYMTAB);
    struct sw__elf_symbols *symbols;

    image.note.header.n_descsz = 40;
    image.sections[3].sh_size += 20; /* into the symbols */
    write_bytes(path, &image, sizeof image);
    symbols = open_file(NULL, 0, time(NULL) + 3600);
    ck_assert_ptr_eq(sw__elf_symbols_note(symbols), NULL);
    expect(symbols, 0x100, "outer");
    sw__elf_symbols_close(symbols);
}
END_TEST

START_TEST(a_build_id_is_looked_for_in_64_places)
{
    static struct {
        struct image image;
        ElfW(Shdr) sections[80];
    } file;

    for (size_t n_before = 62; n_before <= 66; n_before++) {
        struct sw__elf_symbols *symbols;

        file.image = make_image(SHT_SYMTAB);
        file.image.header.e_shoff = sizeof file.image;
        file.image.header.e_shnum = 80;
        memcpy(file.sections, file.image.sections, sizeof file.image.sections);
        for (size_t i = 3; i < 80; i++)
            file.sections[i] = section(i < 3 + n_before ? SHT_NOTE : SHT_NULL, 0, 0);
        file.sections[3 + n_before] = file.image.sections[3];
        write_bytes(path, &file, sizeof file);
        symbols = open_file(id, sizeof id, 0);
        expect(symbols, 0x100, n_before < 64 ? "outer" : NULL);
        sw__elf_symbols_close(symbols);
    }
}
END_TEST

/* However many files there are: what they may take together is said. */
START_TEST(no_more_is_read_than_is_allowed)
{
    struct image image = make_image(SHT_SYMTAB);
    uint64_t bytes_left = 1 << 20;
    const struct sw__elf_module module = { path, id, sizeof id, 0, &bytes_left };
    int n_read = 0;

    write_bytes(path, &image, sizeof image);
    for (int i = 0; i < 2000 && bytes_left != 0; i++) {
        struct sw__elf_symbols *symbols = NULL;

        ck_assert_int_eq(sw__elf_symbols_open(&module, NULL, &symbols), SW_OK);
        if (bytes_left != 0)
            expect(symbols, 0x100, "outer");
        n_read += bytes_left != 0;
        ck_assert_int_eq(sw__elf_symbols_note(symbols) != NULL, bytes_left == 0);
        sw__elf_symbols_close(symbols);
    }
    ck_assert_uint_eq(bytes_left, 0);
    ck_assert_int_ge(n_read, 100);
    ck_assert_int_le((size_t)n_read * sizeof image.symbols, 1 << 20);
}
END_TEST

START_TEST(numbers_that_lead_out_of_the_file_give_no_names)
{
    static const uint64_t odd[] = { 0, 1, 0x7fff, UINT32_MAX, UINT64_MAX - 8, UINT64_MAX };

    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        for (int which = 0; which < 8; which++) {
            struct image image = make_image(SHT_SYMTAB);
            ElfW(Shdr) *table = &image.sections[1];

            switch (which) {
            case 0: image.header.e_shoff = odd[i]; break;
            case 1: image.header.e_shnum = (uint16_t)odd[i]; break;
            case 2: table->sh_offset = odd[i] | sizeof image; break;
            case 3: table->sh_size = odd[i] & ~UINT64_C(0xffff); break;
            case 4: table->sh_link = (uint32_t)odd[i] | 8; break;
            case 5: table->sh_entsize = odd[i]; break;
            case 6: image.sections[2].sh_offset = odd[i] | sizeof image; break;
            default: image.sections[3].sh_size = odd[i]; break;
            }
            struct sw__elf_symbols *symbols = open_image(&image);
            expect(symbols, 0x100, NULL);
            sw__elf_symbols_close(symbols);
        }
    }
}
END_TEST

START_TEST(a_name_behind_the_texts_is_none_and_texts_end)
{
    struct image image = make_image(SHT_SYMTAB);
    struct sw__elf_symbols *symbols;

    image.symbols[1].st_name = sizeof texts;
    image.symbols[3].st_value = UINT64_MAX - 1; /* its end wraps */
    image.texts[sizeof texts - 1] = 'x';
    image.symbols[4].st_name = (uint32_t)sizeof texts - 1;
    symbols = open_image(&image);
    expect(symbols, 0x100, NULL);
    expect(symbols, UINT64_MAX - 1, NULL);
    expect(symbols, 0x200, "x");
    sw__elf_symbols_close(symbols);
}
END_TEST

START_TEST(a_file_that_is_cut_short_gives_names_or_none)
{
    struct image image = make_image(SHT_SYMTAB);

    for (size_t n = 0; n < offsetof(struct image, texts) + sizeof texts; n++) {
        write_bytes(path, &image, n);
        struct sw__elf_symbols *symbols = open_file(id, sizeof id, 0);
        /* The texts stand last: nothing is whole before. */
        expect(symbols, 0x100, NULL);
        sw__elf_symbols_close(symbols);
    }
}
END_TEST

static void expect_note(const char *name, const char *note)
{
    const struct sw__elf_module module = { name, id, sizeof id, 0, NULL };
    struct sw__elf_symbols *symbols = NULL;

    ck_assert_int_eq(sw__elf_symbols_open(&module, NULL, &symbols), SW_OK);
    ck_assert_str_eq(sw__elf_symbols_note(symbols), note);
    expect(symbols, 0x100, NULL);
    sw__elf_symbols_close(symbols);
}

START_TEST(what_is_no_elf_file_is_said_and_not_waited_for)
{
    expect_note("[vdso]", "this is no file");
    expect_note("", "this is no file");
    expect_note("/nowhere/at/all", "the file cannot be read");
    expect_note("/", "the file cannot be read");
    write_bytes(path, "text", 4);
    expect_note(path, "no ELF file stands there any more");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_note(path, "the file cannot be read");
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(a_separate_file_is_found_by_its_build_id)
{
    char root[] = "/tmp/elf-debug-XXXXXX", name[128];
    struct image image = make_image(SHT_SYMTAB), bare = make_image(SHT_NULL);
    const struct sw__elf_module module = { path, id, sizeof id, 0, NULL };
    struct sw__elf_symbols *symbols = NULL;
    char directories[128];

    ck_assert_ptr_ne(mkdtemp(root), NULL);
    snprintf(name, sizeof name, "%s/.build-id", root);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    snprintf(name, sizeof name, "%s/.build-id/ab", root);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    snprintf(name, sizeof name, "%s/.build-id/ab/cd010203%030d.debug", root, 0);
    write_bytes(name, &image, sizeof image);
    write_bytes(path, &bare, sizeof bare);
    snprintf(directories, sizeof directories, "/nowhere:%s", root);
    ck_assert_int_eq(sw__elf_symbols_open(&module, directories, &symbols), SW_OK);
    expect(symbols, 0x100, "outer");
    sw__elf_symbols_close(symbols);
    /* One of another build that stands there is passed over. */
    image.note.id[5] = 9;
    write_bytes(name, &image, sizeof image);
    ck_assert_int_eq(sw__elf_symbols_open(&module, directories, &symbols), SW_OK);
    expect(symbols, 0x100, NULL);
    sw__elf_symbols_close(symbols);
    ck_assert_int_eq(unlink(name), 0);
    snprintf(name, sizeof name, "%s/.build-id/ab", root);
    rmdir(name);
    snprintf(name, sizeof name, "%s/.build-id", root);
    rmdir(name);
    rmdir(root);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_address_has_the_innermost_function_around_it,
        of_several_names_the_global_one_is_shown,
        what_is_no_code_with_an_extent_has_no_name,
        another_file_is_never_asked,
        a_file_without_a_build_id_is_the_same_until_it_changes,
        a_build_id_of_more_than_32_bytes_is_none,
        a_build_id_is_looked_for_in_64_places,
        no_more_is_read_than_is_allowed,
        numbers_that_lead_out_of_the_file_give_no_names,
        a_name_behind_the_texts_is_none_and_texts_end,
        a_file_that_is_cut_short_gives_names_or_none,
        what_is_no_elf_file_is_said_and_not_waited_for,
        a_separate_file_is_found_by_its_build_id,
    };
    int file = mkstemp(path), status;

    if (file < 0)
        return EXIT_FAILURE;
    close(file);
    status = check_main("elf_symbols", tests, sizeof tests / sizeof tests[0]);
    unlink(path);
    return status;
}
