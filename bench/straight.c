#include "straight.h"

#include "expr/intern.h"
#include "lang/lang.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

noreturn void straight_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

char *straight_load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file)
        straight_fail("cannot read %s", path);
    *length = 0;
    for (size_t got = 1; got > 0; *length += got) {
        text = realloc(text, *length + 65537);
        if (!text)
            straight_fail("no memory for %s", path);
        got = fread(text + *length, 1, 65536, file);
    }
    text[*length] = '\0';
    fclose(file);
    return text;
}

/* ---------------------------------------------------------------- writing */

static const char *const places[] = {"first", "second", "third"};

static void write_symbols(FILE *out, nh_pool *pool, nh_arena *scratch, const signed char *signs,
                          const nh_expr *roots, size_t count)
{
    bool *occurs = nh_arena_array(scratch, pool->n_symbols + 1, sizeof *occurs);
    nh_find_symbols(pool, scratch, roots, count, occurs);
    for (uint32_t i = 0; i < pool->n_symbols; i++)
        if (occurs[i])
            fprintf(out, "symbol %s %s %c\n", nh_symbol_name(pool, i), places[pool->places[i]],
                    "-0+"[signs[i] + 1]);
}

static void write_definition(FILE *out, const nh_pool *pool, nh_arena *scratch, const char *name, nh_expr e)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_text text;
    nh_text_init(&text, scratch);
    nh_expr_print(&text, pool, e, 0);
    fprintf(out, "%s = %s\n", name, nh_text_get(&text));
    nh_arena_release(scratch, mark);
}

/* k, kk, ...: such that no symbol is k followed by digits. */
static const char *free_prefix(const nh_pool *pool, nh_arena *scratch)
{
    nh_text prefix;
    nh_text_init(&prefix, scratch);
    for (bool taken = true; taken;) {
        nh_text_char(&prefix, 'k');
        taken = false;
        for (uint32_t i = 0; i < pool->n_symbols; i++) {
            const char *name = nh_symbol_name(pool, i);
            taken = taken || (strncmp(name, nh_text_get(&prefix), prefix.length) == 0 &&
                              isdigit((unsigned char)name[prefix.length]));
        }
    }
    return nh_text_get(&prefix);
}

static uint32_t *count_uses(const nh_pool *pool, nh_arena *scratch, nh_walk walk)
{
    uint32_t *uses = nh_arena_array(scratch, pool->n_nodes, sizeof *uses);
    for (size_t i = 0; i < walk.count; i++) {
        nh_list operands = nh_operands(pool, walk.nodes[i]);
        for (size_t k = 0; k < operands.count; k++)
            uses[operands.items[k]]++;
    }
    return uses;
}

void straight_write(FILE *out, nh_pool *pool, nh_arena *scratch, const signed char *signs,
                    const nh_expr *roots, const char *const *names, size_t count)
{
    write_symbols(out, pool, scratch, signs, roots, count);
    const char *prefix = free_prefix(pool, scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, count);
    uint32_t *uses = count_uses(pool, scratch, walk);
    nh_expr *images = nh_operand_room(pool, scratch, walk), *image = nh_arena_array(scratch, pool->n_nodes, sizeof *image);
    size_t definitions = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        nh_list operands = nh_operands(pool, e);
        for (size_t k = 0; k < operands.count; k++)
            images[k] = image[operands.items[k]];
        image[e] = operands.count ? nh_rebuild(pool, e, images) : e;
        if (operands.count == 0 || uses[e] < 2)
            continue;
        nh_text name;
        nh_text_init(&name, scratch);
        nh_text_format(&name, "%s%zu", prefix, ++definitions);
        write_definition(out, pool, scratch, nh_text_get(&name), image[e]);
        image[e] = nh_symbol(pool, nh_text_get(&name));
    }
    for (size_t i = 0; i < count; i++)
        write_definition(out, pool, scratch, names[i], image[roots[i]]);
}

/* ---------------------------------------------------------------- reading */

typedef struct reader {
    straight *s;
    const char *path;
    const nh_source *source;
} reader;

static nh_expr build(reader *r, const nh_ast *ast);

static nh_expr find(reader *r, nh_span span)
{
    nh_slice name = nh_source_slice(r->source, span);
    uint32_t e = nh_map_get(&r->s->names, name);
    if (nh_slice_is(name, "pi"))
        return r->s->pool->pi;
    if (e == NH_MAP_NONE)
        straight_fail("%s: unknown name %.*s", r->path, (int)name.length, name.data);
    return e;
}

static nh_expr build_call(reader *r, const nh_ast *ast)
{
    nh_slice name = nh_source_slice(r->source, ast->name);
    nh_function function;
    if (!nh_function_find(name, &function) || ast->count != (size_t)nh_function_get(function)->arity)
        straight_fail("%s: unknown function %.*s", r->path, (int)name.length, name.data);
    return nh_call(r->s->pool, function, build(r, ast->children[0]),
                   ast->count > 1 ? build(r, ast->children[1]) : NH_EXPR_NONE);
}

static nh_expr build_list(reader *r, const nh_ast *ast)
{
    nh_pool *pool = r->s->pool;
    bool sum = ast->kind == NH_AST_SUM;
    nh_expr e = sum ? pool->zero : pool->one;
    for (size_t i = 0; i < ast->count; i++) {
        nh_expr x = build(r, ast->children[i]);
        switch (ast->operators[i]) {
        case '+': e = nh_add(pool, e, x); break;
        case '-': e = nh_sub(pool, e, x); break;
        case '*': e = nh_mul(pool, e, x); break;
        default: e = nh_div(pool, e, x); break;
        }
    }
    return e;
}

static nh_expr build(reader *r, const nh_ast *ast)
{
    switch (ast->kind) {
    case NH_AST_NUMBER: return nh_number(r->s->pool, nh_rational_copy(&r->s->pool->numbers, ast->number));
    case NH_AST_NAME: return find(r, ast->name);
    case NH_AST_SUM:
    case NH_AST_PRODUCT: return build_list(r, ast);
    case NH_AST_POWER: return nh_pow(r->s->pool, build(r, ast->children[0]), build(r, ast->children[1]));
    case NH_AST_CALL: return build_call(r, ast);
    default: straight_fail("%s: only scalars", r->path);
    }
}

static void read_symbol(straight *s, const char *path, const char *line)
{
    char name[256], place[16], sign;
    nh_placing placing = NH_PLACED_FIRST;
    if (sscanf(line, "symbol %255s %15s %c", name, place, &sign) != 3)
        straight_fail("%s: not a symbol: %s", path, line);
    while (placing < NH_PLACED_THIRD && strcmp(place, places[placing]) != 0)
        placing++;
    nh_expr e = nh_symbol_placed(s->pool, name, placing);
    nh_push(s->arena, s->signs, s->n_signs, s->signs_capacity) = (signed char)((sign == '+') - (sign == '-'));
    nh_map_put(&s->names, nh_slice_of(nh_arena_copy(s->arena, name, strlen(name))), e);
}

static void read_definition(straight *s, const char *path, const char *line)
{
    nh_numbers numbers;
    nh_diagnostics diagnostics;
    nh_statement statement;
    nh_numbers_init(&numbers, s->arena);
    nh_diagnostics_init(&diagnostics, s->arena);
    reader r = {.s = s, .path = path, .source = nh_source_new(s->arena, path, line, strlen(line))};
    if (!nh_parse_assignments(s->arena, &numbers, r.source, &diagnostics, &statement) ||
        statement.n_items != 1)
        straight_fail("%s: not a definition: %.200s", path, line);
    nh_expr e = build(&r, statement.items[0].value);
    nh_numbers_free(&numbers);
    nh_slice name = nh_source_slice(r.source, statement.items[0].name);
    if (name.data[0] == 'k') {
        nh_map_put(&s->names, name, e);
        return;
    }
    nh_push(s->arena, s->roots, s->count, s->roots_capacity) = e;
    nh_push(s->arena, s->root_names, s->n_names, s->names_capacity) =
        nh_arena_copy(s->arena, name.data, name.length);
}

void straight_read_more(straight *s, const char *path, const char *text, size_t length)
{
    s->count = s->n_names = 0;
    for (const char *line = text, *end = text + length; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        const char *copy = nh_arena_copy(s->arena, line, (size_t)(stop - line));
        if (strncmp(copy, "symbol ", 7) == 0)
            read_symbol(s, path, copy);
        else if (*copy && *copy != '#')
            read_definition(s, path, copy);
        line = stop + 1;
    }
}

void straight_read(straight *s, nh_arena *arena, nh_pool *pool, const char *path, const char *text,
                   size_t length)
{
    *s = (straight){.arena = arena, .pool = pool};
    nh_map_init(&s->names, arena);
    straight_read_more(s, path, text, length);
}
