/* Names: theta1' is a theta with the index 1 and a dot, v_G has the index G, lambda_1 the index 1; words stay words. */
#include "present/math.h"

#include <string.h>

static const nh_glyph glyphs[] = {
    {"alpha", "α", "\\alpha"},
    {"beta", "β", "\\beta"},
    {"gamma", "γ", "\\gamma"},
    {"delta", "δ", "\\delta"},
    {"epsilon", "ε", "\\varepsilon"},
    {"zeta", "ζ", "\\zeta"},
    {"eta", "η", "\\eta"},
    {"theta", "θ", "\\theta"},
    {"iota", "ι", "\\iota"},
    {"kappa", "κ", "\\kappa"},
    {"lambda", "λ", "\\lambda"},
    {"mu", "μ", "\\mu"},
    {"nu", "ν", "\\nu"},
    {"xi", "ξ", "\\xi"},
    {"omicron", "ο", "o"},
    {"pi", "π", "\\pi"},
    {"rho", "ρ", "\\rho"},
    {"sigma", "σ", "\\sigma"},
    {"tau", "τ", "\\tau"},
    {"upsilon", "υ", "\\upsilon"},
    {"phi", "φ", "\\varphi"},
    {"chi", "χ", "\\chi"},
    {"psi", "ψ", "\\psi"},
    {"omega", "ω", "\\omega"},
    {"Gamma", "Γ", "\\Gamma"},
    {"Delta", "Δ", "\\Delta"},
    {"Theta", "Θ", "\\Theta"},
    {"Lambda", "Λ", "\\Lambda"},
    {"Xi", "Ξ", "\\Xi"},
    {"Pi", "Π", "\\Pi"},
    {"Sigma", "Σ", "\\Sigma"},
    {"Upsilon", "Υ", "\\Upsilon"},
    {"Phi", "Φ", "\\Phi"},
    {"Psi", "Ψ", "\\Psi"},
    {"Omega", "Ω", "\\Omega"},
    {"partial", "∂", "\\partial"},
    {"reals", "ℝ", "\\mathbb{R}"},
    {"circle", "𝕊", "\\mathbb{S}"},
    {"sum", "Σ", "\\sum"},
    {"star", "*", "*"},
};

const nh_glyph *nh_glyph_of(const char *name)
{
    for (size_t k = 0; k < sizeof glyphs / sizeof *glyphs; k++)
        if (strcmp(glyphs[k].name, name) == 0)
            return &glyphs[k];
    return NULL;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* What follows an underscore: words and numbers, with commas between them. */
static const nh_math *index_of(nh_math_maker *maker, const char *text)
{
    const nh_math *items[64];
    size_t count = 0;
    while (*text && count + 2 < 64) {
        size_t length = strcspn(text, "_");
        const char *word = nh_arena_copy(maker->arena, text, length);
        bool digits = length > 0 && strspn(word, "0123456789") == length;
        if (count)
            items[count++] = nh_math_leaf(maker, NH_MATH_PREFIX, ",");
        items[count++] = digits ? nh_math_leaf(maker, NH_MATH_NUMBER, word) : nh_math_name(maker, word, 0);
        text += length;
        text += *text == '_';
    }
    return count ? nh_math_of(maker, NH_MATH_ROW, count, items) : NULL;
}

static const nh_math *accented(nh_math_maker *maker, const char *base, nh_accent accent)
{
    nh_math *m = nh_arena_array(maker->arena, 1, sizeof *m);
    *m = (nh_math){.kind = NH_MATH_NAME, .text = base, .accent = accent};
    return m;
}

/* In plain text a name is written as it is. */
static const nh_math *plain_name(nh_math_maker *maker, const char *name, size_t length, int primes)
{
    nh_text text;
    nh_text_init(&text, maker->arena);
    nh_text_add(&text, name, length);
    nh_text_repeat(&text, '\'', (size_t)primes);
    return nh_math_leaf(maker, NH_MATH_NAME, nh_text_get(&text));
}

static bool is_verbatim(const nh_math_maker *maker, const char *name)
{
    for (size_t i = 0; i < maker->n_verbatim; i++)
        if (strcmp(maker->verbatim[i], name) == 0)
            return true;
    return false;
}

const nh_math *nh_math_name(nh_math_maker *maker, const char *name, int primes)
{
    size_t length = strcspn(name, "'");
    primes += (int)strlen(name + length);
    if (maker->plain)
        return plain_name(maker, name, length, primes);
    const char *whole = nh_arena_copy(maker->arena, name, length);
    if (is_verbatim(maker, whole))
        return accented(maker, whole,
                        primes == 0   ? NH_ACCENT_NONE
                        : primes == 1 ? NH_ACCENT_DOT
                                      : NH_ACCENT_TWO_DOTS);
    size_t end = strcspn(whole, "_");
    if (end == length)
        while (end > 1 && is_digit(whole[end - 1]))
            end--;
    const char *base = nh_arena_copy(maker->arena, whole, end);
    const nh_math *below = whole[end] ? index_of(maker, whole + end + (whole[end] == '_')) : NULL;
    nh_accent accent = primes == 0 ? NH_ACCENT_NONE : primes == 1 ? NH_ACCENT_DOT : NH_ACCENT_TWO_DOTS;
    nh_math *m = nh_arena_array(maker->arena, 1, sizeof *m);
    *m = *nh_math_scripts(maker, accented(maker, base, accent), below, NULL);
    if (below)
        m->text = name;
    return m;
}

/* ---------------------------------------------------------------- names that look the same */

/* What one sees of a name, in a line. */
static const char *look_of(nh_math_maker *maker, const char *name)
{
    nh_text text;
    nh_text_init(&text, maker->arena);
    nh_math_in_sentence(&text, nh_math_name(maker, name, 0));
    return nh_text_get(&text);
}

static bool is_odd(const char *name)
{
    size_t length = strlen(name);
    return length && (name[0] == '_' || name[length - 1] == '_' || strstr(name, "__"));
}

void nh_math_distinguish(nh_math_maker *maker, const char *const *names, size_t count)
{
    nh_map looks;
    nh_map_init(&looks, maker->arena);
    const char **verbatim = NULL;
    size_t found = 0, capacity = 0;
    for (size_t i = 0; i < count && !maker->plain; i++) {
        nh_slice look = nh_slice_of(look_of(maker, names[i]));
        bool same = nh_map_get(&looks, look) != NH_MAP_NONE;
        if (strchr(names[i], '\'') == NULL && (same || is_odd(names[i])))
            nh_push(maker->arena, verbatim, found, capacity) = names[i];
        if (!same)
            nh_map_put(&looks, look, (uint32_t)i);
    }
    maker->verbatim = verbatim, maker->n_verbatim = found;
}
