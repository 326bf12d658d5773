/* Expressions as text of the model language. */
#include "expr/expr.h"

/* How tightly something binds; what stands inside something tighter gets parentheses. */
typedef enum { LEVEL_SUM = 1, LEVEL_PRODUCT, LEVEL_POWER, LEVEL_ATOM } level;

/* What is still to be written: a piece of text, a number, or an expression at a level. The pieces are kept on a
 * stack, so that deep expressions need no recursion. */
typedef struct piece {
    const char *text;
    nh_expr e; /* where text is NULL */
    level at_least;
} piece;

typedef struct printer {
    const nh_pool *pool;
    nh_text *out;
    nh_arena scratch;
    piece *stack; /* the next one on top */
    size_t count, capacity;
    piece *line; /* the pieces of what is being taken apart, in order */
    size_t n_line, line_capacity;
} printer;

static void then_text(printer *p, const char *text)
{
    nh_push(&p->scratch, p->line, p->n_line, p->line_capacity) = (piece){.text = text};
}

static void then_expr(printer *p, nh_expr e, level at_least)
{
    nh_push(&p->scratch, p->line, p->n_line, p->line_capacity) = (piece){.e = e, .at_least = at_least};
}

/* The line goes on top of the stack. */
static void push_line(printer *p)
{
    while (p->n_line > 0)
        nh_push(&p->scratch, p->stack, p->count, p->capacity) = p->line[--p->n_line];
}

/* ---------------------------------------------------------------- numbers */

static const char *number_text(printer *p, nh_rational value)
{
    nh_text digits;
    nh_text_init(&digits, &p->scratch);
    nh_rational_print(&digits, value);
    return nh_text_get(&digits);
}

/* Numerator and denominator of a number without its sign, as texts. */
static void split_number(printer *p, nh_rational value, const char **above, const char **below)
{
    const char *digits = number_text(p, value);
    digits += *digits == '-';
    size_t length = 0, slash = 0;
    for (; digits[length]; length++)
        if (digits[length] == '/')
            slash = length;
    *above = nh_arena_copy(&p->scratch, digits, slash ? slash : length);
    *below = slash ? digits + slash + 1 : "1";
}

/* ---------------------------------------------------------------- products */

static void then_power(printer *p, nh_expr base, int64_t exponent)
{
    then_expr(p, base, exponent == 1 ? LEVEL_POWER : LEVEL_ATOM);
    if (exponent == 1)
        return;
    nh_text digits;
    nh_text_init(&digits, &p->scratch);
    nh_rational_print(&digits, nh_rational_int(exponent));
    then_text(p, "^");
    then_text(p, nh_text_get(&digits));
}

static bool is_one(const char *digits) { return digits[0] == '1' && !digits[1]; }

/* The factors with exponents of one sign, with '*' between them; first: nothing stands before. Returns whether
 * nothing stands there still. */
static bool then_factors(printer *p, const nh_product *product, int sign, bool first)
{
    for (size_t i = 0; i < product->count; i++) {
        nh_factor f = product->factors[i];
        if ((f.exponent > 0) != (sign > 0))
            continue;
        if (!first)
            then_text(p, "*");
        then_power(p, f.base, sign * f.exponent);
        first = false;
    }
    return first;
}

static size_t count_below(const nh_product *product)
{
    size_t count = 0;
    for (size_t i = 0; i < product->count; i++)
        count += product->factors[i].exponent < 0;
    return count;
}

/* 1/2*m*v^2, but x/(2*y): a number's denominator joins others, where there are any. The sign is written by the
 * caller. */
static void then_product(printer *p, const nh_product *product)
{
    const char *above, *below;
    size_t divisors = count_below(product);
    split_number(p, product->number, &above, &below);
    bool fraction = divisors == 0 && !is_one(below), first = is_one(above) && !fraction;
    if (!first)
        then_text(p, above);
    if (fraction)
        then_text(p, "/"), then_text(p, below);
    if (then_factors(p, product, 1, first) && first)
        then_text(p, "1");
    if (divisors == 0)
        return;
    bool several = divisors + !is_one(below) > 1;
    then_text(p, several ? "/(" : "/");
    if (!is_one(below))
        then_text(p, below);
    then_factors(p, product, -1, is_one(below));
    if (several)
        then_text(p, ")");
}

static void print_product(printer *p, nh_expr e)
{
    nh_product product = nh_product_of(p->pool, &p->scratch, e);
    if (nh_rational_sign(product.number) < 0)
        then_text(p, "-");
    then_product(p, &product);
    push_line(p);
}

static void print_sum(printer *p, nh_expr e)
{
    nh_sum sum = nh_sum_of(p->pool, &p->scratch, e);
    for (size_t i = 0; i < sum.count; i++) {
        bool minus = nh_rational_sign(sum.terms[i].number) < 0;
        then_text(p, i == 0 ? (minus ? "-" : "") : minus ? " - " : " + ");
        then_product(p, &sum.terms[i]);
    }
    push_line(p);
}

/* ---------------------------------------------------------------- the rest */

static void print_power(printer *p, nh_node node)
{
    then_expr(p, node.a, LEVEL_ATOM);
    then_text(p, "^");
    then_expr(p, node.b, LEVEL_ATOM);
    push_line(p);
}

static void print_call(printer *p, nh_node node)
{
    const nh_function_info *info = nh_function_get((nh_function)node.function);
    then_text(p, info->name);
    then_text(p, "(");
    then_expr(p, node.a, LEVEL_SUM);
    if (info->arity == 2) {
        then_text(p, ", ");
        then_expr(p, node.b, LEVEL_SUM);
    }
    then_text(p, ")");
    push_line(p);
}

/* An exponent of a factor: an integer of machine size. */
static bool is_integer(const nh_pool *pool, nh_expr e)
{
    nh_rational value;
    return nh_is_number(pool, e, &value) && !value.big && value.den == 1;
}

static level level_of(const nh_pool *pool, nh_expr e)
{
    nh_node node = pool->nodes[e];
    nh_rational value;
    switch (node.kind) {
    case NH_NUMBER:
        nh_is_number(pool, e, &value);
        return nh_rational_sign(value) < 0 ? LEVEL_SUM
               : nh_rational_is_int(value) ? LEVEL_ATOM
                                           : LEVEL_PRODUCT;
    case NH_ADD: return LEVEL_SUM;
    case NH_MUL:
        return nh_is_number(pool, node.a, &value) && nh_rational_sign(value) < 0 ? LEVEL_SUM : LEVEL_PRODUCT;
    case NH_POW:
        return is_integer(pool, node.b) && nh_is_number(pool, node.b, &value) && nh_rational_sign(value) < 0
                   ? LEVEL_PRODUCT
                   : LEVEL_POWER;
    default: return LEVEL_ATOM;
    }
}

static void print_node(printer *p, nh_expr e)
{
    nh_node node = p->pool->nodes[e];
    switch (node.kind) {
    case NH_NUMBER: nh_text_str(p->out, number_text(p, p->pool->rationals[node.a])); break;
    case NH_SYMBOL: nh_text_str(p->out, p->pool->symbols[node.a]); break;
    case NH_PI: nh_text_str(p->out, "pi"); break;
    case NH_ADD: print_sum(p, e); break;
    case NH_MUL: print_product(p, e); break;
    case NH_POW:
        if (is_integer(p->pool, node.b))
            print_product(p, e);
        else
            print_power(p, node);
        break;
    case NH_CALL: print_call(p, node); break;
    default: nh_text_str(p->out, "undefined"); break;
    }
}

static void print_piece(printer *p, piece item)
{
    if (item.text) {
        nh_text_str(p->out, item.text);
    } else if (level_of(p->pool, item.e) < item.at_least) {
        then_text(p, "(");
        then_expr(p, item.e, LEVEL_SUM);
        then_text(p, ")");
        push_line(p);
    } else {
        print_node(p, item.e);
    }
}

void nh_expr_print(nh_text *out, const nh_pool *pool, nh_expr e, size_t limit)
{
    printer p = {.pool = pool, .out = out};
    nh_arena_init_temporary(&p.scratch, out->arena->heap);
    size_t start = out->length;
    then_expr(&p, e, LEVEL_SUM);
    push_line(&p);
    while (p.count > 0) {
        piece item = p.stack[--p.count];
        if (limit && out->length - start > limit) {
            nh_text_str(out, "...");
            break;
        }
        print_piece(&p, item);
    }
    nh_arena_free(&p.scratch);
}
