/* The first kind where the kinetic energy is a sum of squares, K = 1/2 sum_j w_j l_j^2 with w_j constant and l_j of degree 1 in q'.
 * With f_j = l_j(q, psi), f' the rate of f along the motion for constant z, and
 *     B_ji = d/dt dl_j/dq'^i - dl_j/dq^i      (0 where l_j is the rate of a function, as the velocities of points are)
 * there are
 *     G_ab = sum_j w_j f_j,a f_j,b
 *     Z_a  = A_i psi^i_a - sum_j w_j (f_j,a f_j' + f_j B_ji psi^i_a).
 * Two velocities of one weight may be turned by an angle theta(q): with u = f_1 cos + f_2 sin, v = f_2 cos - f_1 sin
 *     f_1,a f_1' + f_2,a f_2' = u,a (u' - v theta') + v,a (v' + u theta').
 * That is the shorter one where a body moves along itself, or where its velocity is known in its own frame: u and v are then things that
 * stand in psi already, which is found by residues. What is made of that is a candidate like others, and has to have their values. */
#include "derive/squares.h"

#include <string.h>

enum { MOST_SQUARES = 256, MOST_COORDINATES = 128, MOST_KNOWN = 4096, MOST_ANGLES = 128 };

/* w l^2/2; squares that stand in one sum behind one factor are a group. */
typedef struct square {
    nh_expr weight, velocity, f;
    size_t group;
    bool turned;
} square;

/* One velocity, or two that belong together: beside an angle, where they are turned. */
typedef struct part {
    nh_expr weight, u, v; /* v: NH_EXPR_NONE where it is one */
    nh_expr theta;        /* NH_EXPR_NONE: as they are */
    const square *of;     /* of one that is as it is */
} part;

typedef struct search {
    nh_equations *eq;
    const nh_expr *psi;
    square *squares;
    size_t n_squares;
    part *parts;
    size_t n_parts;
    nh_expr *known; /* what may stand for a velocity, and its residues by their hash */
    size_t n_known;
    uint32_t *table;  /* of 2 MOST_KNOWN: index + 1 */
    nh_expr *factors; /* of which a velocity may be a multiple: z and what was found */
    size_t n_factors;
    nh_expr *symbols, *along; /* q, t and their rates on C */
} search;

/* ---------------------------------------------------------------- squares */

typedef struct pending {
    nh_expr e, weight;
    size_t group;
} pending;

/* By handle: whether e contains anything but parameters. */
static bool *find_changing(nh_equations *eq, const bool *constant, nh_arena *scratch)
{
    const nh_expr *root = &eq->model->kinetic;
    nh_walk walk = nh_walk_of(&eq->pool, scratch, root, 1);
    bool *changes = nh_arena_array(scratch, (size_t)*root + 1, sizeof *changes);
    memset(changes, 0, ((size_t)*root + 1) * sizeof *changes);
    for (size_t i = 0; i < walk.count; i++) {
        uint32_t index = 0;
        nh_expr e = walk.nodes[i];
        nh_list operands = nh_operands(&eq->pool, e);
        changes[e] = nh_is_symbol(&eq->pool, e, &index) && !constant[index];
        for (size_t k = 0; k < operands.count; k++)
            changes[e] = changes[e] || changes[operands.items[k]];
    }
    return changes;
}

/* One more; false: it is no square, and no sum or multiple of such. */
static bool take_apart(search *s, pending p, const bool *changes, pending *stack, size_t *depth,
                       size_t *groups)
{
    nh_pool *pool = &s->eq->pool;
    nh_node node = nh_get(pool, p.e);
    if (node.kind == NH_ADD) {
        stack[(*depth)++] = (pending){node.b, p.weight, p.group};
        stack[(*depth)++] = (pending){node.a, p.weight, p.group};
        return true;
    }
    if (node.kind == NH_MUL && changes[node.a] != changes[node.b]) {
        nh_expr weight = changes[node.a] ? node.b : node.a, rest = changes[node.a] ? node.a : node.b;
        stack[(*depth)++] = (pending){rest, nh_mul(pool, p.weight, weight), ++*groups};
        return true;
    }
    bool is_square = node.kind == NH_POW && node.b == pool->two;
    if (is_square)
        s->squares[s->n_squares++] = (square){nh_mul(pool, pool->two, p.weight), node.a, 0, p.group, false};
    return is_square;
}

static bool find_squares(search *s, const bool *constant)
{
    nh_equations *eq = s->eq;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    const bool *changes = find_changing(eq, constant, scratch);
    pending *stack = nh_arena_array(scratch, 2 * MOST_SQUARES + 2, sizeof *stack);
    size_t depth = 0, groups = 0;
    bool all = true;
    s->squares = nh_arena_array(&eq->arena, MOST_SQUARES, sizeof *s->squares);
    stack[depth++] = (pending){eq->model->kinetic, eq->pool.one, 0};
    while (depth && all) {
        pending p = stack[--depth];
        all = depth < 2 * MOST_SQUARES && s->n_squares < MOST_SQUARES &&
              take_apart(s, p, changes, stack, &depth, &groups);
    }
    nh_arena_release(scratch, mark);
    return all;
}

/* f, the velocities on C. */
static void put_on_C(search *s)
{
    nh_equations *eq = s->eq;
    nh_expr *rates = nh_array(eq, eq->n), *l = nh_array(eq, s->n_squares), *f = nh_array(eq, s->n_squares);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    for (size_t j = 0; j < s->n_squares; j++)
        l[j] = s->squares[j].velocity;
    nh_substitute(&eq->pool, &eq->context->arena, l, s->n_squares, rates, s->psi, eq->n, f);
    for (size_t j = 0; j < s->n_squares; j++)
        s->squares[j].f = f[j];
}

/* ---------------------------------------------------------------- what is known */

static bool is_usable(const nh_residue *r) { return r->valid == (1u << NH_MODULAR_POINTS) - 1 && !r->root; }

static bool are_same(const nh_residue *a, const nh_residue *b)
{
    return is_usable(a) && is_usable(b) && memcmp(a->at, b->at, sizeof a->at) == 0;
}

/* Where an expression of these residues is in the table, or would be. */
static uint32_t *place_of(search *s, const nh_residue *value)
{
    size_t size = 2 * (size_t)MOST_KNOWN, at = nh_hash(value->at[0]) % size;
    for (;; at = (at + 1) % size) {
        if (!s->table[at])
            return &s->table[at];
        nh_residue there = nh_modular_value(s->eq->modular, s->known[s->table[at] - 1]);
        if (are_same(&there, value))
            return &s->table[at];
    }
}

static void learn(search *s, nh_expr e)
{
    nh_residue value = nh_modular_value(s->eq->modular, e);
    if (!is_usable(&value) || s->n_known == MOST_KNOWN)
        return;
    uint32_t *place = place_of(s, &value);
    if (*place)
        return;
    s->known[s->n_known] = e, *place = (uint32_t)++s->n_known;
}

static nh_expr known_like(search *s, nh_expr e)
{
    nh_residue value = nh_modular_value(s->eq->modular, e);
    uint32_t at = is_usable(&value) ? *place_of(s, &value) : 0;
    return at ? s->known[at - 1] : NH_EXPR_NONE;
}

/* All that psi consists of, each sine with its cosine, and the z. */
static void learn_psi(search *s)
{
    nh_equations *eq = s->eq;
    nh_pool *pool = &eq->pool;
    nh_walk walk = nh_walk_of(pool, &eq->context->arena, s->psi, eq->n);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        s->factors[s->n_factors++] = eq->z[alpha].symbol, learn(s, eq->z[alpha].symbol);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        learn(s, walk.nodes[i]);
        if (node.kind == NH_CALL && (node.function == NH_FN_sin || node.function == NH_FN_cos))
            learn(s, nh_call(pool, node.function == NH_FN_sin ? NH_FN_cos : NH_FN_sin, node.a, NH_EXPR_NONE));
    }
    for (size_t i = 0; i < eq->model->n_parameters; i++)
        learn(s, eq->model->parameters[i].symbol);
}

/* The same in a short form; NH_EXPR_NONE: none was found. */
static nh_expr short_form(search *s, nh_expr e)
{
    nh_pool *pool = &s->eq->pool;
    if (nh_is_null(s->eq, e))
        return pool->zero;
    for (int minus = 0; minus < 2; minus++, e = nh_neg(pool, e)) {
        nh_expr found = known_like(s, e);
        for (size_t k = s->n_factors; k-- > 0 && !found;) {
            nh_expr other = known_like(s, nh_div(pool, e, s->factors[k]));
            found = other ? nh_mul(pool, s->factors[k], other) : NH_EXPR_NONE;
        }
        if (found)
            return minus ? nh_neg(pool, found) : found;
    }
    return NH_EXPR_NONE;
}

/* ---------------------------------------------------------------- turning */

static size_t find_angles(search *s, const square *a, const square *b, nh_expr *angles)
{
    nh_equations *eq = s->eq;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(&eq->pool, scratch, (nh_expr[]){a->f, b->f}, 2);
    size_t count = 0;
    for (size_t i = walk.count;
         i-- > 0 && count < MOST_ANGLES;) { /* the last ones first: those of the body itself */
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        bool new = node.kind == NH_CALL && (node.function == NH_FN_sin || node.function == NH_FN_cos);
        for (size_t k = 0; k < count && new; k++)
            new = angles[k] != node.a;
        if (new)
            angles[count++] = node.a;
    }
    nh_arena_release(scratch, mark);
    return count;
}

static bool has_no_z(search *s, nh_expr e)
{
    nh_equations *eq = s->eq;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends), none = true;
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    nh_find_symbols(&eq->pool, scratch, &e, 1, depends);
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        uint32_t index = 0;
        none = none && nh_is_symbol(&eq->pool, eq->z[alpha].symbol, &index) && !depends[index];
    }
    nh_arena_release(scratch, mark);
    return none;
}

static bool turn_by(search *s, square *a, square *b, nh_expr theta)
{
    nh_pool *pool = &s->eq->pool;
    nh_expr sine = nh_call(pool, NH_FN_sin, theta, NH_EXPR_NONE),
            cosine = nh_call(pool, NH_FN_cos, theta, NH_EXPR_NONE);
    nh_expr u = nh_add(pool, nh_mul(pool, a->f, cosine), nh_mul(pool, b->f, sine));
    nh_expr v = nh_sub(pool, nh_mul(pool, b->f, cosine), nh_mul(pool, a->f, sine));
    if (!(u = short_form(s, u)) || !(v = short_form(s, v)) || !has_no_z(s, theta))
        return false;
    a->turned = b->turned = true;
    s->parts[s->n_parts++] = (part){a->weight, u, v, theta, NULL};
    for (int i = 0; i < 2; i++, u = v)
        if (u != pool->zero)
            s->factors[s->n_factors++] = u, learn(s, u);
    return true;
}

static void turn(search *s, square *a, square *b)
{
    nh_expr angles[MOST_ANGLES];
    size_t count = find_angles(s, a, b, angles);
    for (size_t k = 0; k < count && !a->turned; k++)
        turn_by(s, a, b, angles[k]);
}

/* Whether one more was turned. */
static bool turn_more(search *s)
{
    size_t before = s->n_parts;
    for (size_t i = 0; i < s->n_squares; i++) {
        square *a = &s->squares[i];
        for (size_t k = i + 1; k < s->n_squares && s->squares[k].group == a->group && !a->turned; k++)
            if (!s->squares[k].turned && s->squares[k].weight == a->weight)
                turn(s, a, &s->squares[k]);
    }
    return s->n_parts > before;
}

/* What was found may be what others are a multiple of. Those that are not turned stay as they are. */
static void find_parts(search *s)
{
    while (turn_more(s))
        ;
    for (size_t i = 0; i < s->n_squares; i++) {
        const square *a = &s->squares[i];
        if (!a->turned)
            s->parts[s->n_parts++] = (part){a->weight, a->f, NH_EXPR_NONE, NH_EXPR_NONE, a};
    }
}

/* ---------------------------------------------------------------- G and Z */

static nh_expr rate_of(search *s, nh_expr e)
{
    nh_expr rate;
    nh_directional(&s->eq->pool, &s->eq->context->arena, &e, 1, s->symbols, s->along, s->eq->n + 1, &rate);
    return rate;
}

/* B_ji psi^i_alpha; NULL: it vanishes. */
static nh_expr *find_bracket(search *s, nh_expr l, const nh_expr *psi_alpha)
{
    nh_equations *eq = s->eq;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n;
    nh_expr *rates = nh_array(eq, n + 1), *row = nh_array(eq, n), *moved = nh_array(eq, n),
            *slope = nh_array(eq, n);
    bool any = false;
    for (size_t i = 0; i < n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    rates[n] = pool->one;
    nh_gradient(pool, scratch, &l, NULL, 1, rates, n, row);
    nh_gradient(pool, scratch, &l, NULL, 1, s->symbols, n, slope);
    nh_directional(pool, scratch, row, n, s->symbols, rates, n + 1, moved);
    for (size_t i = 0; i < n; i++) {
        moved[i] = nh_sub(pool, moved[i], slope[i]);
        bool null = nh_is_null(eq, moved[i]);
        moved[i] = null ? pool->zero : moved[i], any = any || !null;
    }
    if (!any)
        return NULL;
    nh_substitute(pool, scratch, moved, n, rates, s->psi, n, moved);
    nh_expr *out = nh_array(eq, eq->m);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        out[alpha] = nh_dot(eq, moved, psi_alpha + alpha * n, n);
    return out;
}

/* by z */
static void slopes_of(search *s, nh_expr e, nh_expr *out)
{
    nh_equations *eq = s->eq;
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        out[alpha] = nh_derivative(&eq->pool, &eq->context->arena, e, eq->z[alpha].symbol);
}

/* The only alpha with e = z^alpha e,alpha; m: there is none. */
static size_t only_z(search *s, nh_expr e, const nh_expr *slopes)
{
    nh_equations *eq = s->eq;
    size_t only = eq->m;
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (slopes[alpha] != eq->pool.zero) {
            if (only < eq->m)
                return eq->m;
            only = alpha;
        }
    bool is = only < eq->m &&
              nh_is_null(eq, nh_sub(&eq->pool, e, nh_mul(&eq->pool, eq->z[only].symbol, slopes[only])));
    return is ? only : eq->m;
}

/* *sum += a b c */
static void add_product(nh_pool *pool, nh_expr *sum, nh_expr a, nh_expr b, nh_expr c)
{
    *sum = nh_add(pool, *sum, nh_mul(pool, a, nh_mul(pool, b, c)));
}

typedef struct sums {
    nh_expr *G, *Z; /* Z without its sign */
    nh_expr *along; /* by alpha: what z^alpha is a factor of */
} sums;

/* w e,a e,b; and w e,a (e' + more) */
static void add_velocity(search *s, sums *out, nh_expr weight, nh_expr e, nh_expr more)
{
    nh_equations *eq = s->eq;
    nh_pool *pool = &eq->pool;
    size_t m = eq->m;
    nh_expr *slopes = nh_array(eq, m);
    slopes_of(s, e, slopes);
    size_t only = only_z(s, e, slopes);
    nh_expr rate = only < m ? more : nh_add(pool, rate_of(s, e), more);
    if (only < m)
        add_product(pool, &out->along[only], weight, slopes[only], rate_of(s, slopes[only]));
    for (size_t alpha = 0; alpha < m; alpha++) {
        add_product(pool, &out->Z[alpha], weight, slopes[alpha], rate);
        for (size_t beta = 0; beta <= alpha; beta++)
            add_product(pool, &out->G[alpha * m + beta], weight, slopes[alpha], slopes[beta]);
    }
}

static void add_part(search *s, sums *out, const part *p, const nh_expr *psi_alpha)
{
    nh_equations *eq = s->eq;
    nh_pool *pool = &eq->pool;
    if (p->theta) {
        nh_expr turn = rate_of(s, p->theta);
        add_velocity(s, out, p->weight, p->u, nh_neg(pool, nh_mul(pool, p->v, turn)));
        add_velocity(s, out, p->weight, p->v, nh_mul(pool, p->u, turn));
        return;
    }
    add_velocity(s, out, p->weight, p->u, pool->zero);
    const nh_expr *bracket = find_bracket(s, p->of->velocity, psi_alpha);
    for (size_t alpha = 0; alpha < eq->m && bracket; alpha++)
        add_product(pool, &out->Z[alpha], p->weight, p->u, bracket[alpha]);
}

static void find_sums(search *s, nh_expr *G, nh_expr *Z)
{
    nh_equations *eq = s->eq;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, m = eq->m;
    nh_expr *psi_alpha = nh_array(eq, m * n), *A = nh_array(eq, n), *slopes = nh_array(eq, m);
    sums out = {G, Z, nh_array(eq, m)};
    for (size_t i = 0; i < m * m; i++)
        G[i] = Z[i / m] = out.along[i / m] = pool->zero;
    for (size_t i = 0; i < n; i++) {
        slopes_of(s, s->psi[i], slopes);
        for (size_t alpha = 0; alpha < m; alpha++)
            psi_alpha[alpha * n + i] = slopes[alpha];
    }
    for (size_t k = 0; k < s->n_parts; k++)
        add_part(s, &out, &s->parts[k], psi_alpha);
    memcpy(A, eq->A, n * sizeof *A);
    nh_put_psi(eq, A);
    for (size_t alpha = 0; alpha < m; alpha++) {
        nh_expr inertia = nh_add(pool, Z[alpha], nh_mul(pool, eq->z[alpha].symbol, out.along[alpha]));
        Z[alpha] = nh_sub(pool, nh_dot(eq, A, psi_alpha + alpha * n, n), inertia);
        for (size_t beta = 0; beta < alpha; beta++)
            G[beta * m + alpha] = G[alpha * m + beta];
    }
}

bool nh_from_squares(nh_equations *eq, const nh_expr *psi, const bool *constant, nh_expr *G, nh_expr *Z)
{
    search s = {.eq = eq, .psi = psi};
    size_t n = eq->n;
    if (!eq->first.psi || n > MOST_COORDINATES || !find_squares(&s, constant))
        return false;
    s.parts = nh_arena_array(&eq->arena, s.n_squares + 1, sizeof *s.parts);
    s.known = nh_array(eq, MOST_KNOWN), s.factors = nh_array(eq, eq->m + 2 * s.n_squares);
    s.table = nh_arena_array(&eq->arena, 2 * (size_t)MOST_KNOWN, sizeof *s.table);
    memset(s.table, 0, 2 * (size_t)MOST_KNOWN * sizeof *s.table);
    s.symbols = nh_array(eq, n + 1), s.along = nh_array(eq, n + 1);
    for (size_t i = 0; i < n; i++)
        s.symbols[i] = eq->model->coordinates[i].q, s.along[i] = psi[i];
    s.symbols[n] = eq->model->time, s.along[n] = eq->pool.one;
    put_on_C(&s);
    learn_psi(&s);
    find_parts(&s);
    find_sums(&s, G, Z);
    return true;
}
