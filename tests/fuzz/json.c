/* The grammar of JSON, and nothing else: a value and where it ends. */
#include "input.h"

#include <string.h>

typedef struct cursor {
    const char *at, *end;
    int depth;
} cursor;

enum { DEEPEST = 1000 };

static bool value(cursor *c);

static char seen(const cursor *c) { return c->at < c->end ? *c->at : '\0'; }

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && strchr(" \t\r\n", *c->at) && *c->at)
        c->at++;
}

static bool take(cursor *c, char sign)
{
    skip_blanks(c);
    if (seen(c) != sign)
        return false;
    c->at++;
    return true;
}

static bool digits(cursor *c)
{
    const char *begin = c->at;
    while (seen(c) >= '0' && seen(c) <= '9')
        c->at++;
    return c->at > begin;
}

static bool number(cursor *c)
{
    c->at += seen(c) == '-';
    bool zero = seen(c) == '0';
    const char *begin = c->at;
    if (!digits(c) || (zero && c->at > begin + 1))
        return false;
    if (seen(c) == '.' && (c->at++, !digits(c)))
        return false;
    if (seen(c) != 'e' && seen(c) != 'E')
        return true;
    c->at++;
    c->at += seen(c) == '+' || seen(c) == '-';
    return digits(c);
}

static bool escape(cursor *c)
{
    char sign = seen(c);
    c->at++;
    for (int i = 0; sign == 'u' && i < 4; i++, c->at++)
        if (!seen(c) || !strchr("0123456789abcdefABCDEF", seen(c)))
            return false;
    return sign && strchr("\"\\/bfnrtu", sign);
}

static bool string(cursor *c)
{
    if (!take(c, '"'))
        return false;
    while (seen(c) != '"') {
        if ((unsigned char)seen(c) < 0x20)
            return false;
        if (*c->at++ == '\\' && !escape(c))
            return false;
    }
    c->at++;
    return true;
}

static bool word(cursor *c, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* Members or elements, behind the sign that opens them. */
static bool list(cursor *c, char closing)
{
    if (take(c, closing))
        return true;
    do {
        if (closing == '}' && !(string(c) && take(c, ':')))
            return false;
        if (!value(c))
            return false;
    } while (take(c, ','));
    return take(c, closing);
}

static bool value(cursor *c)
{
    skip_blanks(c);
    if (++c->depth > DEEPEST)
        return false;
    bool fine = take(c, '{')     ? list(c, '}')
                : take(c, '[')   ? list(c, ']')
                : seen(c) == '"' ? string(c)
                : seen(c) == 't' ? word(c, "true")
                : seen(c) == 'f' ? word(c, "false")
                : seen(c) == 'n' ? word(c, "null")
                                 : number(c);
    c->depth--;
    return fine;
}

bool fuzz_is_json(const char *text, size_t length)
{
    cursor c = {text, text + length, 0};
    bool fine = value(&c);
    skip_blanks(&c);
    return fine && c.at == c.end;
}
