/*
 * Status names and the per-thread error text. The text lives on the heap and
 * thread-local storage holds one pointer to it, so that the library can be
 * opened with dlopen into what little static TLS is left.
 */
#include "config.h"

#include <strideweave/status.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ERROR_TEXT_BYTES 512

/* In the place of a text for which there was no memory at the last failure; never written to. */
static char no_memory_text[] = "no memory, not even for an error message";

/* Written and read by its own thread only. */
static __thread char *thread_text __attribute__((tls_model("initial-exec")));

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_usable;

static void drop_text(void *text)
{
    free(text);
    thread_text = NULL;
}

static void make_key(void)
{
    key_usable = pthread_key_create(&key, drop_text) == 0;
}

/* Not by sw__alloc(): its failures are reported through here. */
static char *text_of_thread(void)
{
    if (thread_text != NULL && thread_text != no_memory_text)
        return thread_text;
    pthread_once(&key_once, make_key);
    if (!key_usable)
        return NULL;
    char *text = malloc(ERROR_TEXT_BYTES);
    if (text == NULL)
        return NULL;
    if (pthread_setspecific(key, text) != 0) {
        free(text);
        return NULL;
    }
    text[0] = '\0';
    thread_text = text;
    return text;
}

const char *sw_status_name(enum sw_status status)
{
    switch (status) {
#define SW_STATUS(enumerator, number, name) \
    case SW_##enumerator:                   \
        return name;
#include <strideweave/status.def>
#undef SW_STATUS
    }
    return "unknown status";
}

const char *sw_error_message(void)
{
    return thread_text != NULL ? thread_text : "";
}

enum sw_status sw_error_set(enum sw_status status, const char *format, ...)
{
    char *text = text_of_thread();
    va_list arguments;

    if (text == NULL) {
        thread_text = no_memory_text;
        return status;
    }
    /* Formatted aside first: an argument may be the current text. */
    char fresh[ERROR_TEXT_BYTES];
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < sizeof fresh; i++) {
        text[i] = fresh[i];
        if (fresh[i] == '\0')
            break;
    }
    return status;
}

const char *sw_version_string(void)
{
    return PACKAGE_VERSION;
}
