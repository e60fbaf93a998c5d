/*
 * Streams that check what is written to them, byte by byte, and keep none of it.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* fopencookie */

#include <string.h>

#include "target.h"

#define MOST_DEPTH 16

/* UTF-8, one byte after the other. */
struct utf8 {
    unsigned n_missing;
    uint32_t code;
    uint32_t smallest;
};

struct json {
    char open[MOST_DEPTH]; /* '{' and '[' */
    size_t depth;
    /* What may come next. */
    enum { VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, NEXT, DONE } expected;
    enum { NOTHING, STRING, ESCAPE, HEX, WORD } inside;
    int is_key;
    unsigned n_hex;
    char word[32];
    size_t n_word;
};

struct csv {
    size_t n_fields; /* of the first record; 0: in it */
    size_t n_seen;
    enum { BEGINNING, PLAIN, QUOTED, QUOTE } at;
    int is_in_record;
};

struct stream {
    enum fuzz_form form;
    int is_begun;
    struct utf8 utf8;
    int is_in_colour;
    struct json json;
    struct csv csv;
};

/* Whether a code point is whole now. */
static int check_utf8(struct utf8 *utf8, unsigned char byte)
{
    if (utf8->n_missing == 0) {
        utf8->n_missing = byte < 0x80 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
        utf8->smallest = byte >= 0xf0 ? 0x10000 : byte >= 0xe0 ? 0x800 : byte >= 0x80 ? 0x80 : 0;
        FUZZ_RULE(byte < 0x80 || (byte >= 0xc2 && byte <= 0xf4), "a byte %02x begins a character", byte);
        utf8->code = byte < 0x80 ? byte : byte & (0x3fu >> utf8->n_missing);
    } else {
        FUZZ_RULE((byte & 0xc0) == 0x80, "a byte %02x continues a character", byte);
        utf8->code = utf8->code << 6 | (byte & 0x3f);
        utf8->n_missing--;
    }
    if (utf8->n_missing != 0)
        return 0;
    FUZZ_RULE(utf8->code >= utf8->smallest && utf8->code <= 0x10ffff && (utf8->code < 0xd800 || utf8->code > 0xdfff),
              "U+%04x", (unsigned)utf8->code);
    return 1;
}

/* Control characters, marks without width, and those that turn the direction of writing. */
static int acts_on_terminals(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x061c || code == 0x00ad ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code == 0x180e ||
           (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe007f);
}

static void check_text(struct stream *stream, uint32_t code)
{
    if (stream->is_in_colour) {
        FUZZ_RULE(strchr("[0123456789;m", (int)code) != NULL, "in a colour: %u", (unsigned)code);
        stream->is_in_colour = code != 'm';
        return;
    }
    if (code == '\x1b' && stream->form == FUZZ_COLOUR_TEXT) {
        stream->is_in_colour = 1;
        return;
    }
    FUZZ_RULE(code == '\n' || !acts_on_terminals(code), "U+%04x in a text", (unsigned)code);
}

static void json_value_ends(struct json *json)
{
    json->expected = json->depth > 0 ? NEXT : DONE;
}

static void json_word_ends(struct json *json)
{
    char *end = NULL;

    if (json->inside != WORD)
        return;
    json->word[json->n_word] = '\0';
    json->inside = NOTHING;
    int is_name = strcmp(json->word, "null") == 0 || strcmp(json->word, "true") == 0 ||
                  strcmp(json->word, "false") == 0;
    if (!is_name) {
        FUZZ_RULE(strspn(json->word, "-+.0123456789eE") == json->n_word, "a word %s", json->word);
        FUZZ_RULE(json->word[0] == '-' || (json->word[0] >= '0' && json->word[0] <= '9'), "a number %s", json->word);
        FUZZ_RULE(json->word[0] != '0' || json->n_word == 1 || json->word[1] == '.', "a number %s", json->word);
        (void)strtod(json->word, &end);
        FUZZ_RULE(*end == '\0', "a number %s", json->word);
    }
    json_value_ends(json);
}

static void json_opens(struct json *json, char c)
{
    FUZZ_RULE(json->expected == VALUE || json->expected == VALUE_OR_END, "where %c stands", c);
    FUZZ_RULE(json->depth < MOST_DEPTH, "so deep");
    json->open[json->depth++] = c;
    json->expected = c == '{' ? KEY_OR_END : VALUE_OR_END;
}

static void json_closes(struct json *json, char opening)
{
    FUZZ_RULE(json->depth > 0 && json->open[json->depth - 1] == opening, "an end of %c", opening);
    FUZZ_RULE(json->expected == NEXT || json->expected == (opening == '{' ? KEY_OR_END : VALUE_OR_END),
              "an end of %c", opening);
    json->depth--;
    json_value_ends(json);
}

static void json_string_begins(struct json *json)
{
    json->is_key = json->expected == KEY || json->expected == KEY_OR_END;
    FUZZ_RULE(json->is_key || json->expected == VALUE || json->expected == VALUE_OR_END, "a string there");
    json->inside = STRING;
}

static void json_between(struct json *json, char c)
{
    switch (c) {
    case ' ':
    case '\n':
        return;
    case '{':
    case '[':
        json_opens(json, c);
        return;
    case '}':
        json_closes(json, '{');
        return;
    case ']':
        json_closes(json, '[');
        return;
    case '"':
        json_string_begins(json);
        return;
    case ':':
        FUZZ_RULE(json->expected == COLON, "a colon there");
        json->expected = VALUE;
        return;
    case ',':
        FUZZ_RULE(json->expected == NEXT, "a comma there");
        json->expected = json->open[json->depth - 1] == '{' ? KEY : VALUE;
        return;
    default:
        FUZZ_RULE(json->expected == VALUE || json->expected == VALUE_OR_END, "a word there");
        json->inside = WORD;
        json->word[0] = c;
        json->n_word = 1;
    }
}

static void json_in_string(struct json *json, char c)
{
    if (json->inside == HEX) {
        FUZZ_RULE(strchr("0123456789abcdefABCDEF", c) != NULL, "a hexadecimal digit %c", c);
        json->inside = ++json->n_hex < 4 ? HEX : STRING;
    } else if (json->inside == ESCAPE) {
        FUZZ_RULE(strchr("\"\\/bfnrtu", c) != NULL, "an escape %c", c);
        json->inside = c == 'u' ? HEX : STRING;
        json->n_hex = 0;
    } else if (c == '\\') {
        json->inside = ESCAPE;
    } else if (c == '"') {
        json->inside = NOTHING;
        if (json->is_key)
            json->expected = COLON;
        else
            json_value_ends(json);
    } else {
        FUZZ_RULE((unsigned char)c >= 0x20 && c != 0x7f, "a control character in a string");
    }
}

static void check_json(struct json *json, char c)
{
    if (json->inside == WORD && strchr(" \n,]}:", c) == NULL) {
        FUZZ_RULE(json->n_word + 1 < sizeof json->word, "so long a word");
        json->word[json->n_word++] = c;
        return;
    }
    json_word_ends(json);
    if (json->inside == NOTHING)
        json_between(json, c);
    else
        json_in_string(json, c);
}

static void csv_record_ends(struct csv *csv)
{
    if (csv->n_fields == 0)
        csv->n_fields = csv->n_seen + 1;
    FUZZ_RULE(csv->n_seen + 1 == csv->n_fields, "%zu fields instead of %zu", csv->n_seen + 1, csv->n_fields);
    csv->n_seen = 0;
    csv->is_in_record = 0;
    csv->at = BEGINNING;
}

/* What a spreadsheet takes for the beginning of a formula stands in quotes. */
static void check_csv(struct csv *csv, char c)
{
    if (csv->at == QUOTED) {
        csv->at = c == '"' ? QUOTE : QUOTED;
        return;
    }
    if (c == '\n') {
        csv_record_ends(csv);
        return;
    }
    csv->is_in_record = 1;
    if (c == ',') {
        csv->n_seen++;
        csv->at = BEGINNING;
    } else if (c == '"') {
        FUZZ_RULE(csv->at == BEGINNING || csv->at == QUOTE, "a quote inside of a plain field");
        csv->at = QUOTED;
    } else {
        FUZZ_RULE(csv->at != QUOTE, "%c behind the end of a quoted field", c);
        FUZZ_RULE(c != '\r' && (csv->at != BEGINNING || strchr("=+@\t", c) == NULL), "%c begins a plain field", c);
        csv->at = PLAIN;
    }
}

static ssize_t check(void *cookie, const char *bytes, size_t n_bytes)
{
    struct stream *stream = cookie;

    stream->is_begun = 1;
    for (size_t i = 0; i < n_bytes; i++) {
        int is_whole = check_utf8(&stream->utf8, (unsigned char)bytes[i]);
        if (stream->form == FUZZ_JSON)
            check_json(&stream->json, bytes[i]);
        else if (stream->form == FUZZ_CSV)
            check_csv(&stream->csv, bytes[i]);
        else if (is_whole)
            check_text(stream, stream->utf8.code);
    }
    return (ssize_t)n_bytes;
}

static int finish(void *cookie)
{
    struct stream *stream = cookie;

    FUZZ_RULE(stream->utf8.n_missing == 0 && !stream->is_in_colour, "the end is cut");
    FUZZ_RULE(stream->form != FUZZ_JSON || !stream->is_begun || stream->json.expected == DONE,
              "the value is not complete");
    FUZZ_RULE(stream->form != FUZZ_CSV || !stream->csv.is_in_record, "the last record has no end");
    free(stream);
    return 0;
}

FILE *fuzz_stream(enum fuzz_form form)
{
    struct stream *stream = calloc(1, sizeof *stream);
    FILE *file;

    if (stream == NULL)
        abort();
    stream->form = form;
    file = fopencookie(stream, "w", (cookie_io_functions_t){ .write = check, .close = finish });
    if (file == NULL)
        abort();
    return file;
}
