/* Words: what is written in a picture, and how wide it may become. */
#include "plot/inner.h"

#include <string.h>

/* ---------------------------------------------------------------- from any text */

#define REPLACEMENT "\xef\xbf\xbd"

/* XML has no place for control characters and for the two that are none; marks that turn the direction of writing
 * would reach further than the name they stand in. */
static bool is_fit(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    bool turning = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
    return !control && !turning && c != 0x2028 && c != 0x2029 && (c & 0xfffe) != 0xfffe;
}

static void add_bytes(nh_text *words, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        size_t size = nh_utf8_decode(text + i, length - i, &c);
        if (size && is_fit(c))
            nh_text_add(words, text + i, size);
        else
            nh_text_str(words, c == '\t' || c == '\n' || c == '\r' ? " " : REPLACEMENT);
        i += size ? size : 1;
    }
}

void nh_words_add(nh_text *words, const char *text)
{
    if (text)
        add_bytes(words, text, strlen(text));
}

const char *nh_words_plain(nh_arena *arena, const char *text)
{
    nh_text words;
    nh_text_init(&words, arena);
    nh_words_add(&words, text);
    return nh_text_get(&words);
}

void nh_words_power(nh_text *words, int exponent)
{
    nh_text_str(words, "10");
    nh_text_char(words, NH_MARK_UP);
    nh_text_format(words, "%s%d", exponent < 0 ? "\u2212" : "", exponent < 0 ? -exponent : exponent);
    nh_text_char(words, NH_MARK_END);
}

/* ---------------------------------------------------------------- names */

static const struct {
    const char *name, *letter;
} greek[] = {
    {"alpha", "α"}, {"beta", "β"},    {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"},
    {"eta", "η"},   {"theta", "θ"},   {"iota", "ι"},  {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},
    {"nu", "ν"},    {"xi", "ξ"},      {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},
    {"phi", "φ"},   {"upsilon", "υ"}, {"chi", "χ"},   {"psi", "ψ"},   {"omega", "ω"},   {"Gamma", "Γ"},
    {"Delta", "Δ"}, {"Theta", "Θ"},   {"Xi", "Ξ"},    {"Pi", "Π"},    {"Lambda", "Λ"},  {"Sigma", "Σ"},
    {"Phi", "Φ"},   {"Psi", "Ψ"},     {"Omega", "Ω"},
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A letter is slanted, a word is not. */
static void add_symbol(nh_text *words, nh_slice base, size_t primes)
{
    nh_slice shown = base;
    for (size_t k = 0; k < sizeof greek / sizeof *greek; k++)
        if (nh_slice_is(base, greek[k].name))
            shown = nh_slice_of(greek[k].letter);
    bool letter = nh_utf8_count(shown.data, shown.length) == 1 && !is_digit(*shown.data);
    if (letter)
        nh_text_char(words, NH_MARK_SYMBOL);
    add_bytes(words, shown.data, shown.length);
    if (letter && primes && primes <= 2)
        nh_text_str(words, primes == 1 ? "\u0307" : "\u0308"); /* dots above */
    else
        for (size_t i = 0; i < primes; i++)
            nh_text_str(words, "\u2032");
}

/* The index is lowered: theta1, v_G, R_theta1, x_G_1. */
static void add_index(nh_text *words, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && text[end] != '_')
            end++;
        nh_text_char(words, NH_MARK_DOWN);
        if (i)
            nh_text_char(words, ',');
        size_t letters = end;
        while (letters > i + 1 && is_digit(text[letters - 1]))
            letters--;
        add_symbol(words, (nh_slice){text + i, letters - i}, 0);
        nh_text_char(words, NH_MARK_DOWN); /* digits are not slanted */
        add_bytes(words, text + letters, end - letters);
        i = end + 1;
    }
    nh_text_char(words, NH_MARK_END);
}

static void add_name(nh_text *words, const char *name, size_t length)
{
    size_t primes = 0, end = 0;
    while (length && name[length - 1] == '\'')
        length--, primes++;
    while (end < length && (end == 0 || name[end] != '_'))
        end++;
    if (end == length)
        while (end > 1 && is_digit(name[end - 1]))
            end--;
    add_symbol(words, (nh_slice){name, end}, primes);
    nh_text_char(words, NH_MARK_END);
    size_t skip = end < length && name[end] == '_';
    if (end + skip < length)
        add_index(words, name + end + skip, length - end - skip);
}

/* Letters, digits and _, then primes; letters beyond ASCII count as such. */
static bool is_name(const char *text, size_t length)
{
    while (length && text[length - 1] == '\'')
        length--;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
        if (!letter && (i == 0 || (!is_digit(c) && c != '_')))
            return false;
    }
    return length > 0;
}

const char *nh_words_name(nh_arena *arena, const char *name)
{
    nh_text words;
    nh_text_init(&words, arena);
    if (!name)
        return "";
    for (const char *at = name; *at;) { /* one name, or several with ", " between them */
        const char *comma = strstr(at, ", ");
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (!is_name(at, length))
            return nh_words_plain(arena, name);
        add_name(&words, at, length);
        nh_text_str(&words, comma ? ", " : "");
        at += length + (comma ? 2 : 0);
    }
    return nh_text_get(&words);
}

/* ---------------------------------------------------------------- how wide */

/* In parts of the size, those of a wide font (DejaVu Sans). */
static double width_of(uint32_t c)
{
    if (c >= 0x300 && c < 0x370) /* accents stand above others */
        return 0;
    if (c >= 0x80)
        return c >= 0x1100 && (c < 0x2000 || c >= 0x2e80) ? 1.15 : c < 0x2000 ? 0.8 : 0.9;
    if (strchr("mwMW@%", (int)c))
        return 1;
    if (strchr("ijl.,:;'|!I ", (int)c))
        return 0.36;
    if (strchr("frt()[]{}-/", (int)c))
        return 0.43;
    return (c >= 'A' && c <= 'Z') || strchr("+=<>~#&", (int)c) ? 0.84 : 0.65;
}

#define SMALL 0.75 /* of an index or an exponent */

/* The size of what follows a mark. */
static double size_after(char mark, double size, double now)
{
    return mark == NH_MARK_UP || mark == NH_MARK_DOWN ? SMALL * size : mark == NH_MARK_END ? size : now;
}

/* Steps over a character or a mark; its width. */
static double step_over(const char **at, double size, double *now)
{
    uint32_t c = 0;
    size_t length = nh_utf8_decode(*at, strlen(*at) < 4 ? strlen(*at) : 4, &c);
    bool mark = c >= NH_MARK_UP && c <= NH_MARK_END;
    if (mark)
        *now = size_after(**at, size, *now);
    *at += length ? length : 1;
    return mark ? 0 : width_of(c) * *now;
}

double nh_words_width(const char *words, double size)
{
    double width = 0, now = size;
    while (*words)
        width += step_over(&words, size, &now);
    return width;
}

const char *nh_words_fit(nh_arena *arena, const char *words, double size, double width)
{
    if (nh_words_width(words, size) <= width)
        return words;
    double used = size, now = size; /* room for the dots */
    const char *at = words, *end = words;
    while (*at && used <= width) {
        end = at;
        used += step_over(&at, size, &now);
    }
    nh_text cut;
    nh_text_init(&cut, arena);
    nh_text_add(&cut, words, (size_t)(end - words));
    nh_text_char(&cut, NH_MARK_END);
    nh_text_str(&cut, "…");
    return nh_text_get(&cut);
}
