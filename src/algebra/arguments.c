#include "algebra/arguments.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EXPONENT = 6, MAX_VISITS = 20000 };

static bool same_monomial(const nh_monomial *a, const nh_monomial *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->factors[i].base == b->factors[i].base && a->factors[i].exponent == b->factors[i].exponent;
    return same;
}

static bool add_term(nh_basis *basis, nh_polynomial *p, const nh_monomial *m)
{
    nh_numbers *numbers = &basis->pool->numbers;
    for (size_t i = 0; i < p->count; i++)
        if (same_monomial(&p->terms[i], m)) {
            p->terms[i].coefficient = nh_rational_add(numbers, p->terms[i].coefficient, m->coefficient);
            if (nh_rational_sign(p->terms[i].coefficient) == 0)
                p->terms[i] = p->terms[--p->count];
            return true;
        }
    if (p->count == NH_MOST_TERMS)
        return false;
    p->terms[p->count++] = *m;
    return true;
}

static bool multiply_factor(const nh_pool *pool, nh_monomial *m, nh_factor f)
{
    size_t i = 0;
    while (i < m->count && nh_compare(pool, m->factors[i].base, f.base) < 0)
        i++;
    if (i < m->count && m->factors[i].base == f.base) {
        m->factors[i].exponent += f.exponent;
        if (m->factors[i].exponent == 0) {
            memmove(&m->factors[i], &m->factors[i + 1], (m->count - i - 1) * sizeof *m->factors);
            m->count--;
        }
        return true;
    }
    if (m->count == NH_MOST_FACTORS)
        return false;
    memmove(&m->factors[i + 1], &m->factors[i], (m->count - i) * sizeof *m->factors);
    m->factors[i] = f;
    m->count++;
    return true;
}

static bool multiply_terms(nh_basis *basis, nh_polynomial *out, const nh_polynomial *a,
                           const nh_polynomial *b)
{
    out->count = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            nh_monomial m = a->terms[i];
            for (size_t k = 0; k < b->terms[j].count; k++)
                if (!multiply_factor(basis->pool, &m, b->terms[j].factors[k]))
                    return false;
            m.coefficient = nh_rational_mul(&basis->pool->numbers, m.coefficient, b->terms[j].coefficient);
            if (!add_term(basis, out, &m))
                return false;
        }
    return true;
}

void nh_set_atom(nh_polynomial *p, nh_expr e, int64_t exponent)
{
    p->count = 1;
    p->terms[0] = (nh_monomial){.count = 1, .coefficient = nh_rational_int(1)};
    p->terms[0].factors[0] = (nh_factor){e, exponent};
}

static bool expand(nh_basis *basis, nh_expr e, nh_polynomial *p, int depth);

static bool expand_power(nh_basis *basis, nh_node node, int64_t n, nh_polynomial *p, int depth)
{
    nh_arena_mark mark = nh_arena_here(basis->arena);
    nh_polynomial *base = nh_arena_alloc(basis->arena, sizeof *base),
                  *product = nh_arena_alloc(basis->arena, sizeof *product);
    bool fits = n >= 1 && n <= MAX_EXPONENT && expand(basis, node.a, base, depth + 1);
    if (fits)
        *p = *base;
    for (int64_t k = 1; k < n && fits; k++) {
        fits = multiply_terms(basis, product, p, base);
        *p = *product;
    }
    nh_arena_release(basis->arena, mark);
    return fits;
}

static bool expand_two(nh_basis *basis, nh_node node, nh_polynomial *p, int depth)
{
    nh_arena_mark mark = nh_arena_here(basis->arena);
    nh_polynomial *a = nh_arena_alloc(basis->arena, sizeof *a), *b = nh_arena_alloc(basis->arena, sizeof *b);
    bool fits = expand(basis, node.a, a, depth + 1) && expand(basis, node.b, b, depth + 1);
    if (fits && node.kind == NH_MUL) {
        fits = multiply_terms(basis, p, a, b);
    } else if (fits) {
        *p = *a;
        for (size_t i = 0; i < b->count && fits; i++)
            fits = add_term(basis, p, &b->terms[i]);
    }
    nh_arena_release(basis->arena, mark);
    return fits;
}

/* False: too long, or too many parts: shared ones are visited again. */
static bool expand(nh_basis *basis, nh_expr e, nh_polynomial *p, int depth)
{
    nh_node node = nh_get(basis->pool, e);
    nh_rational n;
    if (depth > 60 || basis->visits++ > MAX_VISITS)
        return false;
    switch (node.kind) {
    case NH_NUMBER:
        p->count = nh_rational_sign(basis->pool->rationals[node.a]) != 0;
        p->terms[0] = (nh_monomial){.coefficient = basis->pool->rationals[node.a]};
        return true;
    case NH_ADD:
    case NH_MUL: return expand_two(basis, node, p, depth);
    case NH_POW:
        if (nh_is_number(basis->pool, node.b, &n) && !n.big && n.den == 1 && n.num > 0)
            return expand_power(basis, node, n.num, p, depth);
        if (nh_is_number(basis->pool, node.b, &n) && !n.big && n.den == 1) {
            nh_set_atom(p, node.a, n.num);
            return true;
        }
        break;
    default: break;
    }
    nh_set_atom(p, e, 1);
    return true;
}

enum { MOST_TIMES = 200, LARGEST_NUMBER = 12 };

/* The argument, or all of it as one atom: where it is too long, or too large a
 * multiple. Numbers that are not small are atoms, too: sin(775) is no
 * polynomial in sin(1). */
nh_polynomial *nh_argument_of(nh_basis *basis, nh_expr e)
{
    nh_polynomial *p = nh_arena_alloc(basis->arena, sizeof *p);
    basis->visits = 0;
    if (!expand(basis, e, p, 0))
        nh_set_atom(p, e, 1);
    for (size_t i = 0; i < p->count; i++) {
        nh_monomial *m = &p->terms[i];
        nh_rational c = m->coefficient;
        if (m->count == 0 && (c.big || c.den > LARGEST_NUMBER || llabs(c.num) > LARGEST_NUMBER)) {
            *m = (nh_monomial){.count = 1, .coefficient = nh_rational_int(1)};
            m->factors[0] = (nh_factor){nh_number(basis->pool, c), 1};
        } else if (c.big || c.den > NH_MOST_UNITS || llabs(c.num) > MOST_TIMES * c.den) {
            nh_set_atom(p, e, 1);
        }
    }
    return p;
}

nh_expr nh_monomial_expr(nh_basis *basis, const nh_monomial *m)
{
    nh_expr e = basis->pool->one;
    for (size_t i = 0; i < m->count; i++)
        e = nh_mul(basis->pool, e, nh_power(basis->pool, m->factors[i].base, m->factors[i].exponent));
    return e;
}

/* In the order of the atoms, so that there is one way to write it. */
nh_expr nh_basis_collect(nh_basis *basis, nh_expr e)
{
    nh_pool *pool = basis->pool;
    nh_polynomial *p = nh_argument_of(basis, e);
    nh_expr atoms[NH_MOST_TERMS], sum = pool->zero;
    for (size_t i = 0; i < p->count; i++)
        atoms[i] = nh_monomial_expr(basis, &p->terms[i]);
    for (size_t done = 0; done < p->count; done++) {
        size_t first = 0;
        for (size_t i = 1; i < p->count; i++)
            first = !atoms[first] || (atoms[i] && nh_compare(pool, atoms[i], atoms[first]) < 0) ? i : first;
        sum = nh_add(pool, sum, nh_mul(pool, nh_number(pool, p->terms[first].coefficient), atoms[first]));
        atoms[first] = NH_EXPR_NONE;
    }
    return sum;
}
