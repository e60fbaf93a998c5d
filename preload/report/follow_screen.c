/*
 * Drawing on a terminal: the alternate screen, lines that are cut to the
 * window, all of a drawing in one piece so that nothing flickers.
 */
#include "config.h"

#include "report/follow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyze/visible.h"
#include "report/utf8.h"

#define ALTERNATE "\x1b[?1049h\x1b[?25l" /* with the cursor hidden */
#define NORMAL "\x1b[?25h\x1b[?1049l"
#define HOME "\x1b[H"
#define REST_OF_LINE "\x1b[K"
#define REST_OF_SCREEN "\x1b[J"
#define PLAIN "\x1b[0m"
#define USUAL_ROWS 24

struct follow_screen follow_screen_of(FILE *stream)
{
    const char *terminal = getenv("TERM");

    return (struct follow_screen){
        .stream = stream,
        .is_terminal = isatty(fileno(stream)) && terminal != NULL && terminal[0] != '\0' &&
                       strcmp(terminal, "dumb") != 0,
    };
}

void follow_screen_open(struct follow_screen *screen)
{
    if (!screen->is_terminal || screen->is_open)
        return;
    fputs(ALTERNATE, screen->stream);
    screen->is_open = 1;
}

void follow_screen_close(struct follow_screen *screen)
{
    if (!screen->is_open)
        return;
    fputs(NORMAL, screen->stream);
    fflush(screen->stream);
    screen->is_open = 0;
}

size_t follow_screen_rows(const struct follow_screen *screen, size_t *ret_columns)
{
    struct winsize size = { .ws_row = 0 };

    if (ioctl(fileno(screen->stream), TIOCGWINSZ, &size) != 0)
        size = (struct winsize){ .ws_row = 0 };
    *ret_columns = size.ws_col;
    return size.ws_row > 0 ? size.ws_row : USUAL_ROWS;
}

/* Bytes of the escape sequence at @text: colours are all that the tables have. */
static size_t escape_bytes(const char *text, size_t n_bytes)
{
    size_t n = 0;

    if (text[0] != '\x1b')
        return 0;
    while (n < n_bytes && text[n] != 'm')
        n++;
    return n < n_bytes ? n + 1 : n_bytes;
}

/* As much of a line as fits @columns; 0: all. */
static enum sw_status put_line(struct sw__builder *to, const char *line, size_t n_bytes, size_t columns)
{
    size_t used = 0, i = 0;

    while (i < n_bytes) {
        uint32_t code = 0;
        size_t n = escape_bytes(line + i, n_bytes - i);
        if (n == 0) {
            n = sw__utf8_sequence((const unsigned char *)line + i, n_bytes - i, &code);
            used += n != 0 ? utf8_columns(code) : 1;
            n = n != 0 ? n : 1;
            if (columns != 0 && used > columns)
                break;
        }
        SW__TRY(sw__builder_append(to, line + i, n));
        i += n;
    }
    if (i < n_bytes && memchr(line, '\x1b', i) != NULL)
        SW__TRY(sw__builder_string(to, PLAIN));
    return sw__builder_string(to, REST_OF_LINE);
}

static enum sw_status put_lines(struct sw__builder *to, const char *text, size_t rows, size_t columns)
{
    SW__TRY(sw__builder_string(to, HOME));
    for (size_t row = 0; row < rows && *text != '\0'; row++) {
        size_t n_bytes = strcspn(text, "\n");
        /* None behind the last: it would scroll. */
        SW__TRY(sw__builder_string(to, row != 0 ? "\r\n" : ""));
        SW__TRY(put_line(to, text, n_bytes, columns));
        text += n_bytes + (text[n_bytes] == '\n');
    }
    return sw__builder_string(to, REST_OF_SCREEN);
}

enum report_outcome follow_screen_draw(const struct follow_screen *screen, const char *text, size_t rows,
                                       size_t columns)
{
    struct sw__builder drawing SW__OWNED_BUILDER = { 0 };

    REPORT_TRY(report_status(put_lines(&drawing, text, rows, columns)));
    fwrite(drawing.bytes, 1, drawing.n_bytes, screen->stream);
    return REPORT_OK;
}
