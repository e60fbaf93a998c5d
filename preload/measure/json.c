/*
 * The few things that a report in JSON is made of.
 */
#include "config.h"

#include "measure/measure.h"

#include <errno.h>
#include <string.h>

FILE *json_open(const char *path)
{
    if (strcmp(path, "-") == 0)
        return stdout;
    FILE *stream = fopen(path, "we");
    if (stream == NULL)
        bench_fail(BENCH_FAILED, "%s: %s", path, strerror(errno));
    return stream;
}

enum bench_outcome json_close(const char *path, FILE *stream)
{
    const int failed = ferror(stream) | (stream == stdout ? fflush(stream) : fclose(stream));

    return failed ? bench_fail(BENCH_FAILED, "%s could not be written", path) : BENCH_OK;
}

void json_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < 0x20)
            fprintf(stream, "\\u%04x", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}

void json_number(FILE *stream, double value)
{
    char text[SW_BENCH_NUMBER_BYTES];

    fputs(sw_bench_number_text(value, text), stream);
}
