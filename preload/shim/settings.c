/*
 * The one place that reads the environment.
 */
#include "config.h"

#include "shim/settings.h"

#include <sys/auxv.h>

#include <swprof/format.h>

#include "record/at_load.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/values.h"

#define DEFAULT_BUFFER_BYTES (UINT64_C(256) << 20)

/* A parser gets a text that is not empty; it returns 0 and leaves the field alone when it does not understand. */
typedef int parser(const char *text, void *field);

static int parse_switch(const char *text, void *field)
{
    static const struct sw__word words[] = {{"1", 1}, {"on", 1},  {"yes", 1}, {"true", 1},
                                            {"0", 0}, {"off", 0}, {"no", 0},  {"false", 0}};

    return sw__value_word(text, words, sizeof words / sizeof *words, field);
}

static int parse_signal(const char *text, void *field)
{
    return sw__value_signal(text, field);
}

static int parse_clock(const char *text, void *field)
{
    return sw__value_clock(text, field);
}

static int parse_policy(const char *text, void *field)
{
    return sw__value_policy(text, field);
}

static int parse_schedule(const char *text, void *field)
{
    return sw__value_schedule(text, field);
}

static int parse_stack(const char *text, void *field)
{
    return sw__value_stack(text, field);
}

static int parse_size(const char *text, void *field)
{
    return sw__value_buffer(text, field);
}

static int parse_number(const char *text, void *field)
{
    uint64_t value;

    if (!sw__text_number(&text, &value) || *text != '\0' || value > INT32_MAX)
        return 0;
    *(int32_t *)field = (int32_t)value;
    return 1;
}

static int parse_carriers(const char *text, void *field)
{
    struct sw__text carriers;

    if (sw__text_bytes(text) >= SETTINGS_CARRIERS_BYTES)
        return 0;
    carriers = sw__text_in(field, SETTINGS_CARRIERS_BYTES);
    sw__text_add(&carriers, text);
    return 1;
}

static int template_is_known(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '%') {
            text++;
            if (*text != 'p' && *text != 'n' && *text != 'h' && *text != 'r' && *text != 't' && *text != '%')
                return 0;
        }
    return 1;
}

/* Absolute at once: the program may change its directory before the report is made. */
static int parse_output(const char *text, void *field)
{
    char directory[SETTINGS_OUTPUT_BYTES];
    struct sw__text output;

    if (!template_is_known(text))
        return 0;
    output = sw__text_in(directory, sizeof directory);
    if (text[0] != '/') {
        if (syscall(SYS_getcwd, directory, sizeof directory) <= 0)
            return 0;
        output.used = sw__text_bytes(directory);
        /* What stands in the directory's name is no template. */
        for (const char *at = directory; *at != '\0'; at++)
            if (*at == '%')
                return 0;
        sw__text_add(&output, "/");
    }
    sw__text_add(&output, text);
    if (output.cut)
        return 0;
    sw__copy(field, directory, output.used + 1);
    return 1;
}

struct setting {
    const char *name;
    parser *parse;
    size_t field;
};

static const struct setting table[] = {
#define SETTING(name, parser, field) {name, parser, offsetof(struct settings, field)},
#include "shim/settings.def"
#undef SETTING
};

#define N_SETTINGS (sizeof table / sizeof *table)

/* A bit for each letter that a name begins with. */
static inline uint64_t initials(void)
{
    return 0
#define SETTING(name, parser, field) | UINT64_C(1) << name[0] % 64
#include "shim/settings.def"
#undef SETTING
        ;
}

/* What an entry of the environment says of a variable, or NULL when it is of another one. */
static inline const char *value_of(const char *entry, const char *name)
{
    while (*name != '\0' && *entry == *name) {
        entry++;
        name++;
    }
    return *name == '\0' && *entry == '=' ? entry + 1 : NULL;
}

/*
 * In one go, past most entries at their first letter: getenv() would go through all of them for each variable. Not
 * environ: a program may have a variable of that name.
 */
SW__AT_LOAD static void find_texts(const char **texts)
{
    if (__environ == NULL || getauxval(AT_SECURE) != 0)
        return;
    for (char *const *entry = __environ; *entry != NULL; entry++) {
        if ((initials() >> (unsigned char)**entry % 64 & 1) == 0)
            continue;
        for (size_t i = 0; i < N_SETTINGS; i++)
            if (texts[i] == NULL)
                texts[i] = value_of(*entry, table[i].name);
    }
}

/* Whether an earlier row has set the field of row @row. */
static int is_set(const unsigned char *done, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (done[i] && table[i].field == table[row].field)
            return 1;
    return 0;
}

static void add_bad(struct sw__text *bad, const char *name)
{
    if (bad->used > 0)
        sw__text_add(bad, ", ");
    sw__text_add(bad, name);
}

SW__AT_LOAD void settings_read(struct settings *settings)
{
    const char *texts[N_SETTINGS] = {NULL};
    unsigned char done[N_SETTINGS] = {0};
    struct sw__text bad = sw__text_in(settings->bad, sizeof settings->bad);

    settings->buffer_bytes = DEFAULT_BUFFER_BYTES;
    settings->clock = 0;
    settings->policy = SWPROF_POLICY_STOP;
    settings->shapes = 0;
    settings->memory = 0;
    settings->ranges = 0;
    settings->flows = 0;
    settings->stack = 0;
    settings->start = 1;
    settings->schedule.active = 0;
    settings->signal = 0;
    settings->verbose = 0;
    settings->rank = -1;
    settings->status_file = -1;
    settings->output[0] = '\0';
    settings->carriers[0] = '\0';
    find_texts(texts);
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *text = texts[i];

        if (text == NULL || text[0] == '\0' || is_set(done, i))
            continue;
        done[i] = (unsigned char)table[i].parse(text, (char *)settings + table[i].field);
        /* A launcher's variable that is no number is not the user's mistake. */
        if (!done[i] && sw__same(table[i].name, "SWPROF_", 7))
            add_bad(&bad, table[i].name);
    }
}

int settings_select(const char *carriers, const char *module, const char *name)
{
    size_t module_bytes = sw__text_bytes(module);
    size_t name_bytes = sw__text_bytes(name);

    if (*carriers == '\0')
        return 1;
    while (*carriers != '\0') {
        size_t n = 0;

        while (*carriers == ' ' || *carriers == ',')
            carriers++;
        while (carriers[n] != '\0' && carriers[n] != ',')
            n++;
        while (n > 0 && carriers[n - 1] == ' ')
            n--;
        if (n == name_bytes && sw__same(carriers, name, n))
            return 1;
        if (n == module_bytes + 1 + name_bytes && sw__same(carriers, module, module_bytes) &&
            carriers[module_bytes] == '.' && sw__same(carriers + module_bytes + 1, name, name_bytes))
            return 1;
        carriers += n;
        while (*carriers != '\0' && *carriers != ',')
            carriers++;
    }
    return 0;
}
