/* Expressions as text of the model language. */
#include "expr/expr.h"
#include "expr/intern.h"

/* How tightly a node binds; a node inside a tighter one gets parentheses. */
typedef enum { LEVEL_SUM = 1, LEVEL_PRODUCT, LEVEL_POWER, LEVEL_ATOM } level;

/* What is still to be written: a piece of text, or an expression at a level; kept on a stack, so that deep
 * expressions need no recursion. */
typedef struct piece {
    const char *text; /* NULL: the expression */
    nh_expr e;
    level at_least;
    bool negated; /* the expression's sign is written already */
} piece;

typedef struct printer {
    const nh_pool *pool;
    nh_text *out;
    nh_arena scratch;
    piece *stack;
    size_t count, capacity;
} printer;

static void later(printer *p, piece item) { nh_push(&p->scratch, p->stack, p->count, p->capacity) = item; }
static void later_text(printer *p, const char *text) { later(p, (piece){.text = text}); }
static void later_expr(printer *p, nh_expr e, level at_least) { later(p, (piece){.e = e, .at_least = at_least}); }

static bool negative_number(const nh_pool *pool, nh_expr e)
{
    nh_rational value;
    return nh_is_number(pool, e, &value) && nh_rational_sign(value) < 0;
}

/* Whether a minus stands in front: a negative number or a negative coefficient. */
static bool has_minus(const nh_pool *pool, nh_expr e)
{
    nh_node node = pool->nodes[e];
    return negative_number(pool, e) || (node.kind == NH_MUL && negative_number(pool, node.a));
}

static void print_number(printer *p, nh_expr e, bool negated)
{
    nh_rational value = p->pool->rationals[p->pool->nodes[e].a];
    nh_text digits;
    nh_text_init(&digits, &p->scratch);
    nh_rational_print(&digits, value);
    nh_text_str(p->out, nh_text_get(&digits) + (negated && nh_rational_sign(value) < 0));
}

/* x^-n as a divisor. */
static bool is_divisor(const nh_pool *pool, nh_expr e)
{
    nh_node node = pool->nodes[e];
    return node.kind == NH_POW && negative_number(pool, node.b);
}

static void print_sum(printer *p, nh_node node)
{
    bool minus = has_minus(p->pool, node.b);
    later(p, (piece){.e = node.b, .at_least = LEVEL_PRODUCT, .negated = minus});
    later_text(p, minus ? " - " : " + ");
    later_expr(p, node.a, LEVEL_SUM);
}

/* Pushes the divisor of a product: /x or /x^n. */
static void later_divisor(printer *p, nh_expr e)
{
    nh_node node = p->pool->nodes[e];
    nh_rational n = p->pool->rationals[p->pool->nodes[node.b].a];
    if (nh_rational_is(n, -1)) {
        later_expr(p, node.a, LEVEL_POWER);
    } else {
        later(p, (piece){.e = node.b, .at_least = LEVEL_ATOM, .negated = true});
        later_text(p, "^");
        later_expr(p, node.a, LEVEL_ATOM);
    }
    later_text(p, "/");
}

static void print_product(printer *p, nh_node node, bool negated)
{
    nh_expr a = node.a, b = node.b;
    if (is_divisor(p->pool, a) && !is_divisor(p->pool, b))
        a = node.b, b = node.a;
    bool unit = a == p->pool->minus_one;
    if (unit && !negated)
        nh_text_char(p->out, '-');
    if (is_divisor(p->pool, b)) {
        later_divisor(p, b);
        if (unit)
            later_text(p, "1");
    } else {
        later_expr(p, b, LEVEL_PRODUCT); /* a*(b*c) and a*(b/c) need no parentheses */
        if (!unit)
            later_text(p, "*");
    }
    if (!unit)
        later(p, (piece){.e = a, .at_least = LEVEL_PRODUCT, .negated = negated});
}

static void print_power(printer *p, nh_expr e, nh_node node)
{
    if (is_divisor(p->pool, e)) {
        later_divisor(p, e);
        later_text(p, "1");
        return;
    }
    later_expr(p, node.b, LEVEL_ATOM);
    later_text(p, "^");
    later_expr(p, node.a, LEVEL_ATOM);
}

static void print_call(printer *p, nh_node node)
{
    const nh_function_info *info = nh_function_get((nh_function)node.function);
    later_text(p, ")");
    if (info->arity == 2) {
        later_expr(p, node.b, LEVEL_SUM);
        later_text(p, ", ");
    }
    later_expr(p, node.a, LEVEL_SUM);
    later_text(p, "(");
    nh_text_str(p->out, info->name);
}

static level level_of(const nh_pool *pool, nh_expr e, bool negated)
{
    nh_rational value;
    switch (pool->nodes[e].kind) {
    case NH_NUMBER:
        value = pool->rationals[pool->nodes[e].a];
        if (nh_rational_sign(value) < 0 && !negated)
            return LEVEL_SUM;
        return nh_rational_is_int(value) ? LEVEL_ATOM : LEVEL_PRODUCT;
    case NH_ADD: return LEVEL_SUM;
    case NH_MUL: return has_minus(pool, e) && !negated ? LEVEL_SUM : LEVEL_PRODUCT;
    case NH_POW: return is_divisor(pool, e) ? LEVEL_PRODUCT : LEVEL_POWER;
    default: return LEVEL_ATOM;
    }
}

static void print_node(printer *p, piece item)
{
    nh_node node = p->pool->nodes[item.e];
    switch (node.kind) {
    case NH_NUMBER: print_number(p, item.e, item.negated); break;
    case NH_SYMBOL: nh_text_str(p->out, p->pool->symbols[node.a]); break;
    case NH_PI: nh_text_str(p->out, "pi"); break;
    case NH_ADD: print_sum(p, node); break;
    case NH_MUL: print_product(p, node, item.negated); break;
    case NH_POW: print_power(p, item.e, node); break;
    case NH_CALL: print_call(p, node); break;
    default: nh_text_str(p->out, "undefined"); break;
    }
}

static void print_piece(printer *p, piece item)
{
    if (item.text) {
        nh_text_str(p->out, item.text);
    } else if (level_of(p->pool, item.e, item.negated) < item.at_least) {
        nh_text_char(p->out, '(');
        later_text(p, ")");
        later_expr(p, item.e, LEVEL_SUM);
    } else {
        print_node(p, item);
    }
}

void nh_expr_print(nh_text *out, const nh_pool *pool, nh_expr e, size_t limit)
{
    printer p = {.pool = pool, .out = out};
    nh_arena_init(&p.scratch, out->arena->heap);
    size_t start = out->length;
    later_expr(&p, e, LEVEL_SUM);
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
