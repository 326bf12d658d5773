/* Names of the model as names of a language: in ASCII, none of its own words, all different. */
#include "export/writer.h"

#include <string.h>

/* Longer names are cut: MATLAB takes no more than 63 letters. */
enum { LONGEST = 48 };

static const char *const greek[] = {"alpha",   "beta", "gamma", "delta",  "epsilon", "zeta", "eta",
                                    "theta",   "iota", "kappa", "lambda", "mu",      "nu",   "xi",
                                    "omicron", "pi",   "rho",   "sigma",  "sigma",   "tau",  "upsilon",
                                    "phi",     "chi",  "psi",   "omega"};

static const struct {
    uint32_t letter;
    const char *name;
} variants[] = {{0x3d1, "vartheta"}, {0x3d5, "varphi"}, {0x3d6, "varpi"},
                {0x3f0, "varkappa"}, {0x3f1, "varrho"}, {0x3f5, "varepsilon"}};

/* Of a Greek letter; NULL: it is none. */
static const char *letter_name(uint32_t c, bool *capital)
{
    *capital = c >= 0x391 && c <= 0x3a9;
    if (*capital || (c >= 0x3b1 && c <= 0x3c9))
        return greek[c - (*capital ? 0x391 : 0x3b1)];
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
        if (variants[k].letter == c)
            return variants[k].name;
    return NULL;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static void add_letter(nh_text *out, uint32_t c)
{
    bool capital;
    const char *name = letter_name(c, &capital);
    if (!name) {
        nh_text_str(out, c == '\'' ? "_dot" : "_");
        return;
    }
    nh_text_char(out, capital ? (char)(name[0] - 'a' + 'A') : name[0]);
    nh_text_str(out, name + 1);
}

/* A letter first, then letters, digits and _. */
static nh_text plain_name(nh_export *e, const char *text)
{
    nh_text out;
    size_t length = strlen(text), size;
    nh_text_init(&out, e->arena);
    if (!is_plain(text[0]) || is_digit(text[0]) || text[0] == '_')
        nh_text_str(&out, (unsigned char)text[0] < 0x80 ? "n" : "");
    for (size_t i = 0; i < length; i += size ? size : 1) {
        uint32_t c = '_';
        size = nh_utf8_decode(text + i, length - i, &c);
        if (c < 0x80 && is_plain((char)c))
            nh_text_char(&out, (char)c);
        else
            add_letter(&out, c);
    }
    out.length = out.length < LONGEST ? out.length : LONGEST;
    return out;
}

/* k12, matrix1 and right1 are given by the code itself. */
static bool is_ours(nh_slice name)
{
    static const char *const words[] = {"k", "matrix", "right"};
    size_t end = name.length;
    while (end > 0 && is_digit(name.data[end - 1]))
        end--;
    for (size_t k = 0; k < 3 && end < name.length; k++)
        if (nh_slice_is((nh_slice){name.data, end}, words[k]))
            return true;
    return false;
}

const char *nh_safe_name(nh_export *e, const char *text)
{
    nh_text out = plain_name(e, text);
    size_t length = out.length;
    for (size_t k = 1;; k++) {
        const char *name = nh_arena_copy(e->arena, nh_text_get(&out), out.length);
        nh_slice slice = nh_slice_of(name);
        if (!is_ours(slice) && nh_map_get(&e->taken, slice) == NH_MAP_NONE) {
            nh_map_put(&e->taken, slice, 0);
            return name;
        }
        out.length = length;
        nh_text_char(&out, '_');
        if (k > 1)
            nh_text_format(&out, "%zu", k);
    }
}

/* ---------------------------------------------------------------- all of them */

static void take_words(nh_export *e, const char *words)
{
    for (const char *end; *words; words = *end ? end + 1 : end) {
        end = strchr(words, ' ');
        end = end ? end : words + strlen(words);
        nh_map_put(&e->taken, (nh_slice){words, (size_t)(end - words)}, 0);
    }
}

static const char **names(nh_export *e, size_t count)
{
    return nh_arena_array(e->arena, count + 1, sizeof(const char *));
}

static const char *primed(nh_export *e, const char *name)
{
    nh_text text;
    nh_text_init(&text, e->arena);
    nh_text_format(&text, "%s'", name);
    return nh_text_get(&text);
}

static void take_our_words(nh_export *e)
{
    take_words(e, e->dialect->reserved);
    take_words(e, "t state out par rate");
    for (size_t k = 0; k < NH_TABLES; k++)
        take_words(e, nh_table_names[k]);
    for (size_t k = 0; k < NH_ROUTINES; k++)
        take_words(e, nh_routine_names[k]);
}

static void take_word_of_file(nh_export *e, const char *word)
{
    nh_text text;
    nh_text_init(&text, e->arena);
    nh_text_format(&text, "%s_%s", e->name, word);
    take_words(e, nh_text_get(&text));
}

/* The file may have the name of a variable: they do not meet. What begins with its name, as in C, does meet variables. */
void nh_name_file(nh_export *e, const char *text)
{
    nh_map_init(&e->taken, e->arena);
    take_our_words(e);
    e->name = nh_safe_name(e, text);
    nh_map_init(&e->taken, e->arena);
    take_our_words(e);
    for (size_t k = 0; k < NH_TABLES; k++)
        take_word_of_file(e, nh_table_names[k]);
    for (size_t k = 0; k < NH_ROUTINES; k++)
        take_word_of_file(e, nh_routine_names[k]);
}

/* What is read most keeps its name; q' comes last. */
void nh_name_variables(nh_export *e)
{
    const nh_equations *eq = e->eq;
    const nh_model *model = eq->model;
    e->q = names(e, eq->n), e->rates = names(e, eq->n), e->z = names(e, eq->m);
    e->parameters = names(e, model->n_parameters);
    for (size_t i = 0; i < eq->n; i++)
        e->q[i] = nh_safe_name(e, model->coordinates[i].name);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (eq->z[alpha].rate_of < 0)
            e->z[alpha] = nh_safe_name(e, eq->z[alpha].name);
    for (size_t i = 0; i < model->n_parameters; i++)
        e->parameters[i] = nh_safe_name(e, model->parameters[i].name);
    for (size_t i = 0; i < eq->n; i++)
        e->rates[i] = nh_safe_name(e, primed(e, model->coordinates[i].name));
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (eq->z[alpha].rate_of >= 0)
            e->z[alpha] = e->rates[eq->z[alpha].rate_of];
}
