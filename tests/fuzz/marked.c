/* Whether what is opened in a text is closed: the elements of SVG and MathML, the braces of LaTeX. */
#include "input.h"

#include <string.h>

enum { DEEPEST = 1000 };

typedef struct name {
    const char *text;
    size_t length;
} name;

static name name_at(const char *at) { return (name){at, strcspn(at, " \t\r\n/>")}; }

static bool same(name a, name b) { return a.length == b.length && memcmp(a.text, b.text, a.length) == 0; }

/* Where an element's sign ">" is, quoted values being skipped; NULL: nowhere. */
static const char *end_of_tag(const char *at)
{
    for (char quote = 0; *at; at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        else if (quote ? *at == '<' : *at == '>')
            return quote ? NULL : at;
    }
    return NULL;
}

static bool is_entity(const char *at)
{
    size_t length = strcspn(at, ";");
    return at[length] == ';' && length > 1 && length < strcspn(at, " <>\n\"'");
}

/* Elements that are open, innermost last. */
typedef struct elements {
    name open[DEEPEST];
    size_t depth;
} elements;

/* One tag, from its "<"; where it ends, NULL: it is none, or closes another one. */
static const char *take_tag(elements *e, const char *at)
{
    const char *end = end_of_tag(at);
    if (!end || strncmp(at, "<!", 2) == 0 || strncmp(at, "<?", 2) == 0)
        return end;
    bool closes = at[1] == '/';
    name tag = name_at(at + 1 + closes);
    if (tag.length == 0 ||
        (closes ? e->depth == 0 || !same(e->open[e->depth - 1], tag) : e->depth == DEEPEST))
        return NULL;
    if (closes)
        e->depth--;
    else if (end[-1] != '/')
        e->open[e->depth++] = tag;
    return end;
}

bool fuzz_is_marked_up(const char *text)
{
    elements e = {.depth = 0};
    for (const char *at = text; *at; at++) {
        if (*at == '<' && !(at = take_tag(&e, at)))
            return false;
        if (*at == '&' && !is_entity(at))
            return false;
    }
    return e.depth == 0;
}

bool fuzz_is_braced(const char *text)
{
    size_t depth = 0;
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        else if (*text == '}' && depth-- == 0)
            return false;
        else
            depth += *text == '{';
    }
    return depth == 0;
}
