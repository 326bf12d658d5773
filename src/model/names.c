/* The one name space of a model. */
#include "model/reader.h"

#include <string.h>

/* ---------------------------------------------------------------- Greek letters */

static const char *const small[] = {"alpha",   "beta", "gamma", "delta",    "epsilon", "zeta", "eta",
                                    "theta",   "iota", "kappa", "lambda",   "mu",      "nu",   "xi",
                                    "omicron", "pi",   "rho",   "varsigma", "sigma",   "tau",  "upsilon",
                                    "phi",     "chi",  "psi",   "omega"};
static const char *const large[] = {"Alpha",   "Beta", "Gamma", "Delta",  "Epsilon", "Zeta", "Eta",
                                    "Theta",   "Iota", "Kappa", "Lambda", "Mu",      "Nu",   "Xi",
                                    "Omicron", "Pi",   "Rho",   "",       "Sigma",   "Tau",  "Upsilon",
                                    "Phi",     "Chi",  "Psi",   "Omega"};

static const char *greek_name(uint32_t c)
{
    if (c >= 0x3b1 && c <= 0x3c9)
        return small[c - 0x3b1];
    if (c >= 0x391 && c <= 0x3a9)
        return large[c - 0x391];
    switch (c) {
    case 0x3d1: return "vartheta";
    case 0x3d5: return "varphi";
    case 0x3d6: return "varpi";
    case 0x3f0: return "varkappa";
    case 0x3f1: return "varrho";
    case 0x3f5: return "varepsilon";
    default: return NULL;
    }
}

nh_slice nh_name_spelled(nh_arena *arena, nh_slice name)
{
    if (nh_utf8_count(name.data, name.length) == name.length)
        return name;
    nh_text text;
    nh_text_init(&text, arena);
    for (size_t i = 0; i < name.length;) {
        uint32_t c = 0;
        size_t size = nh_utf8_decode(name.data + i, name.length - i, &c);
        const char *greek = greek_name(c);
        if (greek)
            nh_text_str(&text, greek);
        else
            nh_text_add(&text, name.data + i, size);
        i += size;
    }
    return (nh_slice){nh_text_get(&text), text.length};
}

/* ---------------------------------------------------------------- reserved names */

static const char *const vector_functions[] = {"dot", "cross",  "norm", "pos",
                                               "vel", "angvel", "axis", "multiplier"};

static bool is_vector_function(nh_slice name)
{
    for (size_t i = 0; i < sizeof vector_functions / sizeof *vector_functions; i++)
        if (nh_slice_is(name, vector_functions[i]))
            return true;
    return false;
}

/* What a reserved name is, or NULL. */
static const char *reserved_as(nh_slice name)
{
    nh_function function;
    nh_keyword keyword;
    if (nh_slice_is(name, "t"))
        return "the time";
    if (nh_slice_is(name, "pi"))
        return "the number pi";
    if (nh_function_find(name, &function) || is_vector_function(name))
        return "a function";
    return nh_keyword_find(name, &keyword) ? "a keyword" : NULL;
}

/* ---------------------------------------------------------------- entries */

void nh_names_init(nh_reader *reader) { nh_map_init(&reader->model->names, &reader->model->arena); }

bool nh_model_declares(const nh_model *model, const char *name)
{
    return nh_map_get(&model->names, nh_slice_of(name)) != NH_MAP_NONE;
}

nh_entry *nh_find(nh_reader *reader, nh_slice name)
{
    uint32_t i = nh_map_get(&reader->model->names, nh_name_spelled(&reader->model->arena, name));
    return i == NH_MAP_NONE ? NULL : &reader->entries[i];
}

static nh_entry *enter(nh_reader *reader, nh_slice key, nh_span span, nh_entry_kind kind)
{
    nh_arena *arena = &reader->model->arena;
    nh_slice name = nh_word(reader, span);
    nh_entry entry = {.kind = kind, .span = span, .name = nh_arena_copy(arena, name.data, name.length)};
    char *copy = nh_arena_copy(arena, key.data, key.length);
    nh_map_put(&reader->model->names, (nh_slice){copy, key.length}, (uint32_t)reader->n_entries);
    nh_push(arena, reader->entries, reader->n_entries, reader->entries_capacity) = entry;
    return &reader->entries[reader->n_entries - 1];
}

const char *nh_entry_kind_text(nh_entry_kind kind)
{
    static const char *const texts[] = {
        [NH_ENTRY_COORDINATE] = "a coordinate",
        [NH_ENTRY_PARAMETER] = "a parameter",
        [NH_ENTRY_INPUT] = "an input",
        [NH_ENTRY_LET] = "an abbreviation",
        [NH_ENTRY_POINT] = "a point",
        [NH_ENTRY_FRAME] = "a frame",
        [NH_ENTRY_BODY] = "a body",
        [NH_ENTRY_VELOCITY] = "a quasi-velocity",
        [NH_ENTRY_CONSTRAINT] = "a constraint",
        [NH_ENTRY_OBSERVED] = "an observed value",
        [NH_ENTRY_INTEGRAL] = "an integral",
        [NH_ENTRY_BROKEN] = "a name",
    };
    return texts[kind];
}

static bool already_declared(nh_reader *reader, nh_span span, const nh_entry *entry)
{
    nh_slice name = nh_word(reader, span);
    size_t line = nh_source_place(reader->text, entry->span.offset).line;
    return nh_wrong(reader, span, NULL, "'%.*s' is declared already: %s in line %zu", (int)name.length,
                    name.data, nh_entry_kind_text(entry->kind), line);
}

nh_entry *nh_declare(nh_reader *reader, nh_span span, nh_entry_kind kind)
{
    nh_slice name = nh_word(reader, span), key = nh_name_spelled(&reader->model->arena, name);
    const char *reserved = reserved_as(key);
    if (reserved) {
        nh_wrong(reader, span, "choose another name", "'%.*s' is reserved: it is %s", (int)name.length,
                 name.data, reserved);
        return NULL;
    }
    nh_entry *entry = nh_find(reader, name);
    if (!entry)
        return enter(reader, key, span, kind);
    if (entry->kind != NH_ENTRY_BROKEN) {
        already_declared(reader, span, entry);
        return NULL;
    }
    entry->kind = kind, entry->span = span;
    return entry;
}

void nh_declare_broken(nh_reader *reader, nh_span span)
{
    nh_slice key = nh_name_spelled(&reader->model->arena, nh_word(reader, span));
    if (!reserved_as(key) && nh_map_get(&reader->model->names, key) == NH_MAP_NONE)
        enter(reader, key, span, NH_ENTRY_BROKEN);
}

/* ---------------------------------------------------------------- suggestions */

typedef struct nearest {
    nh_slice wanted;
    const char *name;
    size_t distance;
} nearest;

static void consider(nearest *best, const char *name)
{
    size_t distance = nh_edit_distance(best->wanted, nh_slice_of(name), best->distance);
    if (distance < best->distance)
        best->name = name, best->distance = distance;
}

/* m1 for M1: a difference in case alone is the nearest of all. */
static bool same_but_for_case(nh_slice a, const char *b)
{
    if (a.length != strlen(b))
        return false;
    for (size_t i = 0; i < a.length; i++)
        if ((a.data[i] | 0x20) != (b[i] | 0x20))
            return false;
    return true;
}

const char *nh_similar(nh_reader *reader, nh_slice name, bool functions)
{
    size_t characters = nh_utf8_count(name.data, name.length);
    nearest best = {.wanted = name, .distance = characters <= 2 ? 2 : characters / 3 + 2};
    for (size_t i = 0; i < reader->n_entries && !functions; i++) {
        if (same_but_for_case(name, reader->entries[i].name))
            best.name = reader->entries[i].name, best.distance = 0;
        consider(&best, reader->entries[i].name);
    }
    for (int f = 0; f < NH_FN_COUNT && functions; f++)
        consider(&best, nh_function_get((nh_function)f)->name);
    for (size_t i = 0; i < sizeof vector_functions / sizeof *vector_functions && functions; i++)
        consider(&best, vector_functions[i]);
    if (!best.name || (characters == 1 && best.distance > 0))
        return NULL;
    nh_text hint;
    nh_text_init(&hint, reader->diagnostics->arena);
    nh_text_format(&hint, "did you mean '%s'?", best.name);
    return nh_text_get(&hint);
}

bool nh_unknown(nh_reader *reader, nh_span span)
{
    nh_slice name = nh_word(reader, span);
    nh_function function;
    if (nh_function_find(name, &function) || is_vector_function(name))
        return nh_wrong(reader, span, "write its argument in parentheses", "'%.*s' is a function",
                        (int)name.length, name.data);
    nh_wrong(reader, span, nh_similar(reader, name, false), "unknown name '%.*s'", (int)name.length,
             name.data);
    if (reader->source == reader->text)
        nh_declare_broken(reader, span); /* one report for each unknown name */
    return false;
}
