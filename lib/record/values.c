/*
 * Words, sizes and signals.
 */
#include "config.h"

#include "record/values.h"

#include <signal.h>

#include <swprof/format.h>
#include <swprof/swprof.h>

#include "record/text.h"
#include "record/unwind.h"

/* Behind the two that the C library keeps to itself. */
#define LEAST_REALTIME 34
#define MOST_REALTIME 64

#define N_WORDS(words) (sizeof(words) / sizeof *(words))

int sw__value_word(const char *text, const struct sw__word *words, size_t n_words, int32_t *value)
{
    for (size_t i = 0; i < n_words; i++)
        if (sw__text_is(text, words[i].text)) {
            *value = words[i].value;
            return 1;
        }
    return 0;
}

static int enumerator(const char *text, const struct sw__word *words, size_t n_words, uint32_t *value)
{
    int32_t found;

    if (!sw__value_word(text, words, n_words, &found))
        return 0;
    *value = (uint32_t)found;
    return 1;
}

int sw__value_buffer(const char *text, uint64_t *value)
{
    static const struct sw__word units[] = {{"", 0},    {"B", 0},    {"K", 10},   {"KB", 10}, {"KiB", 10},
                                            {"M", 20},  {"MB", 20},  {"MiB", 20}, {"G", 30},  {"GB", 30},
                                            {"GiB", 30}, {"k", 10},  {"m", 20},   {"g", 30}};
    uint64_t number;
    int32_t shift;

    if (!sw__text_number(&text, &number) || !sw__value_word(text, units, N_WORDS(units), &shift))
        return 0;
    if (number > SW__MOST_BUFFER_BYTES >> shift || number << shift < SW__LEAST_BUFFER_BYTES)
        return 0;
    *value = number << shift;
    return 1;
}

int sw__value_stack(const char *text, uint32_t *value)
{
    static const struct sw__word off[] = {{"off", 0}, {"no", 0}, {"false", 0}};
    uint64_t number;
    int32_t word;

    if (sw__value_word(text, off, N_WORDS(off), &word)) {
        *value = 0;
        return 1;
    }
    if (!sw__text_number(&text, &number) || *text != '\0')
        return 0;
    *value = number < SW__UNWIND_MOST_FRAMES ? (uint32_t)number : SW__UNWIND_MOST_FRAMES;
    return 1;
}

int sw__value_policy(const char *text, uint32_t *value)
{
    static const struct sw__word words[] = {
        {"stop", SWPROF_POLICY_STOP}, {"ring", SWPROF_POLICY_RING}, {"summary", SWPROF_POLICY_SUMMARY}};

    return enumerator(text, words, N_WORDS(words), value);
}

int sw__value_clock(const char *text, uint32_t *value)
{
    static const struct sw__word words[] = {{"tsc", SWPROF_CLOCK_TSC}, {"monotonic", SWPROF_CLOCK_MONOTONIC}};

    return enumerator(text, words, N_WORDS(words), value);
}

int sw__value_signal(const char *text, int32_t *value)
{
    static const struct sw__word names[] = {{"HUP", SIGHUP}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}};
    uint64_t number;

    if (sw__value_word(sw__same(text, "SIG", 3) ? text + 3 : text, names, N_WORDS(names), value))
        return 1;
    if (!sw__text_number(&text, &number) || *text != '\0' || number < LEAST_REALTIME || number > MOST_REALTIME)
        return 0;
    *value = (int32_t)number;
    return 1;
}

static const struct {
    const char *name;
    size_t field;
} schedule_parts[] = {
    {"wait", offsetof(struct swprof_schedule, wait)},     {"warmup", offsetof(struct swprof_schedule, warmup)},
    {"active", offsetof(struct swprof_schedule, active)}, {"repeat", offsetof(struct swprof_schedule, repeat)},
    {"skip_first", offsetof(struct swprof_schedule, skip_first)},
};

/* "name=number", and what is behind it; NULL for anything else. */
static const char *schedule_part(const char *text, struct swprof_schedule *schedule, uint32_t *seen)
{
    for (size_t i = 0; i < N_WORDS(schedule_parts); i++) {
        size_t n = sw__text_bytes(schedule_parts[i].name);
        uint64_t number;

        if (!sw__same(text, schedule_parts[i].name, n) || text[n] != '=')
            continue;
        text += n + 1;
        if ((*seen & 1u << i) != 0 || !sw__text_number(&text, &number) || number > SW__MOST_STEPS)
            return NULL;
        *seen |= 1u << i;
        sw__copy((char *)schedule + schedule_parts[i].field, &number, sizeof number);
        return text;
    }
    return NULL;
}

int sw__value_schedule(const char *text, struct swprof_schedule *value)
{
    struct swprof_schedule schedule = {.wait = 0};
    uint32_t seen = 0;

    for (;;) {
        text = schedule_part(text, &schedule, &seen);
        if (text == NULL || (*text != ',' && *text != '\0'))
            return 0;
        if (*text == '\0')
            break;
        text++;
    }
    if (schedule.active == 0)
        return 0;
    *value = schedule;
    return 1;
}
