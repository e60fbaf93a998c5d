/*
 * Texts in fixed room, without the C library: what the shim needs for paths,
 * messages and copies. The loops hide their counters from the compiler, which
 * would otherwise turn them back into calls of strlen() and memcpy() that the
 * profiled program may have defined itself.
 */
#ifndef RECORD_TEXT_H
#define RECORD_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define SW__NO_IDIOM(variable) __asm__("" : "+r"(variable))

static inline size_t sw__text_bytes(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0') {
        n++;
        SW__NO_IDIOM(n);
    }
    return n;
}

static inline void sw__copy(void *to, const void *from, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
        SW__NO_IDIOM(i);
    }
}

static inline void sw__zero(void *memory, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        ((char *)memory)[i] = 0;
        SW__NO_IDIOM(i);
    }
}

static inline int sw__same(const void *left, const void *right, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        if (((const char *)left)[i] != ((const char *)right)[i])
            return 0;
        SW__NO_IDIOM(i);
    }
    return 1;
}

/** Whether two texts are equal. */
static inline int sw__text_is(const char *left, const char *right)
{
    size_t n = sw__text_bytes(left);

    return n == sw__text_bytes(right) && sw__same(left, right, n);
}

/** A text under construction; always NUL-terminated. */
struct sw__text {
    char *text;
    size_t room; /* of text[], the NUL included */
    size_t used;
    int cut;     /* something did not fit */
};

static inline struct sw__text sw__text_in(char *text, size_t room)
{
    text[0] = '\0';
    return (struct sw__text){text, room, 0, 0};
}

static inline void sw__text_add_bytes(struct sw__text *to, const char *from, size_t n_bytes)
{
    if (n_bytes > to->room - 1 - to->used) {
        n_bytes = to->room - 1 - to->used;
        to->cut = 1;
    }
    sw__copy(to->text + to->used, from, n_bytes);
    to->used += n_bytes;
    to->text[to->used] = '\0';
}

static inline void sw__text_add(struct sw__text *to, const char *from)
{
    sw__text_add_bytes(to, from, sw__text_bytes(from));
}

static inline void sw__text_add_number(struct sw__text *to, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    sw__text_add_bytes(to, digits + at, sizeof digits - at);
}

/** Reads decimal digits at *at and moves it behind them; 0 when there is none or too many. */
static inline int sw__text_number(const char **at, uint64_t *number)
{
    const char *from = *at;
    uint64_t value = 0;

    for (; **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(**at - '0'), &value))
            return 0;
    *number = value;
    return *at != from;
}

#endif
