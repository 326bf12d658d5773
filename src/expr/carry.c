/* Expressions from one pool to another, the same in every detail.
 *
 * They are made in the order in which they are read, operands first and the left one first: what handles they get
 * depends on what they are, and not on what the pool that they come from holds besides. */
#include "expr/expr.h"
#include "expr/intern.h"

typedef struct carrier {
    nh_pool *to;
    nh_arena *scratch;
    const nh_pool *from;
    nh_expr *keys, *images; /* hash table, keys 0 where free */
    size_t count, capacity;
    nh_expr *todo;
    size_t n_todo, todo_capacity;
} carrier;

static size_t place_of(const carrier *c, nh_expr e)
{
    size_t mask = c->capacity - 1, i = nh_hash(e) & mask;
    while (c->keys[i] && c->keys[i] != e)
        i = (i + 1) & mask;
    return i;
}

static void grow(carrier *c)
{
    carrier old = *c;
    c->capacity = old.capacity ? 2 * old.capacity : 2 * NH_FIRST_CAPACITY;
    c->keys = nh_arena_array(c->scratch, c->capacity, sizeof *c->keys);
    c->images = nh_arena_array(c->scratch, c->capacity, sizeof *c->images);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.keys[i]) {
            size_t place = place_of(c, old.keys[i]);
            c->keys[place] = old.keys[i], c->images[place] = old.images[i];
        }
}

static nh_expr image_of(const carrier *c, nh_expr e)
{
    size_t place = place_of(c, e);
    return c->keys[place] ? c->images[place] : NH_EXPR_NONE;
}

static void set_image(carrier *c, nh_expr e, nh_expr image)
{
    if (2 * ++c->count > c->capacity)
        grow(c);
    size_t place = place_of(c, e);
    c->keys[place] = e, c->images[place] = image;
}

static int operands_of(nh_node node)
{
    switch (node.kind) {
    case NH_ADD:
    case NH_MUL:
    case NH_POW: return 2;
    case NH_CALL: return nh_function_get((nh_function)node.function)->arity;
    default: return 0;
    }
}

/* The same node, its operands being there. */
static nh_expr remake(carrier *c, nh_expr e)
{
    nh_node node = c->from->nodes[e];
    int n = operands_of(node);
    switch (node.kind) {
    case NH_NUMBER: return nh_number(c->to, c->from->rationals[node.a]);
    case NH_SYMBOL: return nh_symbol_at(c->to, node.a);
    case NH_PI: return c->to->pi;
    default: break;
    }
    if (n == 0)
        return nh_import(c->to, c->scratch, c->from, e);
    node.a = image_of(c, node.a);
    if (n > 1)
        node.b = image_of(c, node.b);
    return nh_intern(c->to, node);
}

/* Whether an operand has to be made before; it comes next. */
static bool is_waiting(carrier *c, nh_node node)
{
    int n = operands_of(node);
    const nh_expr operands[2] = {node.a, node.b};
    for (int k = 0; k < n; k++)
        if (!image_of(c, operands[k])) {
            nh_push(c->scratch, c->todo, c->n_todo, c->todo_capacity) = operands[k];
            return true;
        }
    return false;
}

static void carry(carrier *c, nh_expr e)
{
    nh_push(c->scratch, c->todo, c->n_todo, c->todo_capacity) = e;
    while (c->n_todo > 0) {
        nh_expr x = c->todo[c->n_todo - 1];
        bool made = image_of(c, x) != NH_EXPR_NONE;
        if (!made && is_waiting(c, c->from->nodes[x]))
            continue;
        c->n_todo--;
        if (!made)
            set_image(c, x, remake(c, x));
    }
}

void nh_carry(nh_pool *to, nh_arena *scratch, const nh_pool *from, const nh_expr *in, size_t count,
              nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    carrier c = {.to = to, .scratch = scratch, .from = from};
    grow(&c);
    for (size_t i = 0; i < count; i++) {
        if (in[i])
            carry(&c, in[i]);
        out[i] = in[i] ? image_of(&c, in[i]) : NH_EXPR_NONE;
    }
    nh_arena_release(scratch, mark);
}
