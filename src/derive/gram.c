/* How independent rows are, as a formula: det [rows_a . rows_b]. The velocities of two points along a common direction, x_1' = rho (cos, sin)(theta), x_2' = sigma (cos, sin)(theta),
 * have rho^2 + sigma^2, for which neither the rows nor their products are needed. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <math.h>
#include <string.h>

/* Of what is tried: rows, and terms that their entries would have. */
enum { MOST_ROWS = 4, MOST_TERMS = 12, MOST_TERMS_IN_ALL = 200 };

static bool is_even_power(const nh_pool *pool, nh_node node)
{
    nh_rational n;
    return node.kind == NH_POW && nh_is_number(pool, node.b, &n) && nh_rational_is_int(n) && !n.big &&
           n.num > 0 && n.num % 2 == 0;
}

/* Whether it is made of positive numbers, squares, roots and exponentials by sums and products alone: it is never negative, and where it is small
 * no digits are lost. */
static bool is_sum_of_squares(const nh_pool *pool, nh_arena *scratch, nh_expr e)
{
    nh_walk walk = nh_walk_of(pool, scratch, &e, 1);
    bool *is = nh_arena_array(scratch, (size_t)e + 1, sizeof *is);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_rational n;
        bool *this = &is[walk.nodes[i]];
        switch (node.kind) {
        case NH_NUMBER: *this = nh_is_number(pool, walk.nodes[i], &n) && nh_rational_sign(n) >= 0; break;
        case NH_ADD:
        case NH_MUL: *this = is[node.a] && is[node.b]; break;
        case NH_POW: *this = is_even_power(pool, node); break;
        case NH_CALL: *this = node.function == NH_FN_sqrt || node.function == NH_FN_exp; break;
        default: *this = node.kind == NH_PI;
        }
    }
    return is[e];
}

static bool is_short(nh_equations *eq, const nh_expr *rows, size_t count)
{
    double *terms = nh_arena_array(&eq->context->arena, count + 1, sizeof *terms), most = 0;
    nh_predict_terms(eq, rows, count, terms);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, terms[i]);
    return most <= MOST_TERMS;
}

nh_expr nh_equations_gram(nh_equations *eq, const nh_expr *rows, size_t count)
{
    size_t n = eq->n;
    nh_expr *columns = nh_array(eq, n * count), *products = nh_array(eq, count * count), found = NH_EXPR_NONE;
    if (count > MOST_ROWS || !is_short(eq, rows, count * n))
        return NH_EXPR_NONE;
    for (size_t a = 0; a < count; a++)
        for (size_t i = 0; i < n; i++)
            columns[i * count + a] = rows[a * n + i];
    nh_algebra algebra;
    nh_algebra_init(&algebra, &eq->pool, &(nh_budget){.max_terms = MOST_TERMS_IN_ALL, .max_seconds = 1},
                    NULL);
    if (!nh_matrix_multiply_symmetric(&algebra, count, n, rows, columns, products) ||
        !nh_matrix_determinant(&algebra, count, products, &found) ||
        !is_sum_of_squares(&eq->pool, &eq->context->arena, found))
        found = NH_EXPR_NONE;
    nh_algebra_free(&algebra);
    return found;
}
