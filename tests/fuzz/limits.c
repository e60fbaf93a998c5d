/*
 * Limits on memory while the code under test runs: by the sanitizer's hooks
 * where there is one, else by standing before the C library's allocator.
 */
#include "config.h"

#define _GNU_SOURCE 1

#include <malloc.h>
#include <stdatomic.h>
#include <string.h>

#include "target.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

int fuzz_is_thorough;

static int is_limited;
static size_t most_bytes, most_total, total;

char *fuzz_text(const uint8_t *data, size_t n_bytes)
{
    char *text = malloc(n_bytes + 1);

    if (text == NULL)
        abort();
    memcpy(text, data, n_bytes);
    text[n_bytes] = '\0';
    return text;
}

static void taken(size_t n_bytes)
{
    if (!is_limited)
        return;
    total += n_bytes;
    if (n_bytes <= most_bytes && total <= most_total)
        return;
    is_limited = 0; /* saying so takes memory too */
    fprintf(stderr, "an allocation of %zu bytes, %zu in all: the limits are %zu and %zu\n", n_bytes, total, most_bytes,
            most_total);
    abort();
}

static void given_back(size_t n_bytes)
{
    if (is_limited)
        total -= n_bytes < total ? n_bytes : total;
}

#ifdef SANITIZED

int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void *, size_t),
                                              void (*given_back)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *memory);

static void on_malloc(const volatile void *memory, size_t n_bytes)
{
    (void)memory;
    taken(n_bytes);
}

static void on_free(const volatile void *memory)
{
    if (is_limited && memory != NULL)
        given_back(__sanitizer_get_allocated_size(memory));
}

static void begin(void)
{
    static int is_installed;

    if (!is_installed)
        __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    is_installed = 1;
}

#else

void *__libc_malloc(size_t n_bytes);
void *__libc_calloc(size_t n, size_t n_bytes);
void *__libc_realloc(void *memory, size_t n_bytes);
void __libc_free(void *memory);

void *malloc(size_t n_bytes)
{
    taken(n_bytes);
    return __libc_malloc(n_bytes);
}

void *calloc(size_t n, size_t n_bytes)
{
    size_t n_total = 0;

    taken(__builtin_mul_overflow(n, n_bytes, &n_total) ? SIZE_MAX : n_total);
    return __libc_calloc(n, n_bytes);
}

void *realloc(void *memory, size_t n_bytes)
{
    if (is_limited && memory != NULL)
        given_back(malloc_usable_size(memory));
    taken(n_bytes);
    return __libc_realloc(memory, n_bytes);
}

void free(void *memory)
{
    if (is_limited && memory != NULL)
        given_back(malloc_usable_size(memory));
    __libc_free(memory);
}

static void begin(void)
{
}

#endif

void fuzz_limit_memory(size_t bytes, size_t in_all)
{
    begin();
    most_bytes = bytes;
    most_total = in_all;
    total = 0;
    is_limited = 1;
}

void fuzz_unlimit_memory(void)
{
    is_limited = 0;
}
