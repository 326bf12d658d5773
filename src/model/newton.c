/* What the constraints do to a point or body: by Newton's law, all that acts on it besides gravity and what its own statement gives,
 *     F = m a - (force) - m g,    M_c = d/dt (R I Omega) - (torque),    M_A = M_c + (c - A) x F
 * c its centre. While the text is read, gravity may still be to come: symbols stand for the components of F and M_c until it is known. */
#include "model/reader.h"

#include <string.h>

/* The symbol of component k of F at a point, or of M_c of a body. */
static nh_expr symbol_of(nh_reader *reader, nh_role role, uint32_t index, int k)
{
    return nh_special_symbol(reader, role, 3 * index + (uint32_t)k, k + 1);
}

nh_value nh_reactive_force(nh_reader *reader, uint32_t point)
{
    nh_value F = {.size = reader->model->points[point].size, .on = NH_ON_REACTIONS};
    for (int k = 0; k < F.size; k++)
        F.e[k] = symbol_of(reader, NH_ROLE_POINT_FORCE, point, k);
    return F;
}

nh_value nh_reactive_moment(nh_reader *reader, uint32_t body, nh_value about)
{
    nh_pool *pool = reader->pool;
    const nh_point *centre = &reader->model->points[reader->model->bodies[body].point];
    nh_value F = nh_reactive_force(reader, reader->model->bodies[body].point),
             M = {.size = 3, .on = F.on | about.on};
    nh_expr arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = nh_sub(pool, centre->at[k], about.e[k]);
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        nh_expr turn = nh_sub(pool, nh_mul(pool, arm[u], F.e[v]), nh_mul(pool, arm[v], F.e[u]));
        M.e[k] = nh_add(pool, symbol_of(reader, NH_ROLE_BODY_MOMENT, body, k), turn);
    }
    return M;
}

/* ---------------------------------------------------------------- once gravity is known */

/* d/dt of functions of (q,q',t), in q''. */
static void rates_of(nh_reader *reader, const nh_expr *f, size_t count, nh_expr *out)
{
    nh_model *model = reader->model;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    size_t n = model->n;
    nh_expr *symbols = nh_arena_array(&reader->scratch, 2 * n + 1, sizeof *symbols);
    nh_expr *rates = nh_arena_array(&reader->scratch, 2 * n + 1, sizeof *rates);
    for (size_t i = 0; i < n; i++) {
        symbols[i] = model->coordinates[i].q, rates[i] = model->coordinates[i].rate;
        symbols[n + i] = model->coordinates[i].rate;
        rates[n + i] = nh_special_symbol(reader, NH_ROLE_ACCELERATION, (uint32_t)i, 0);
    }
    symbols[2 * n] = model->time, rates[2 * n] = reader->pool->one;
    nh_directional(reader->pool, &reader->scratch, f, count, symbols, rates, 2 * n + 1, out);
    nh_arena_release(&reader->scratch, mark);
}

static nh_expr force_at(nh_reader *reader, uint32_t index, uint32_t k)
{
    nh_pool *pool = reader->pool;
    const nh_model *model = reader->model;
    nh_point point = model->points[index]; /* the list may move meanwhile */
    nh_expr a = pool->zero, F = pool->zero;
    if (point.mass) {
        rates_of(reader, &point.rate[k], 1, &a);
        if (model->gravity_size == point.size)
            a = nh_sub(pool, a, model->gravity[k]);
        F = nh_mul(pool, point.mass, a);
    }
    return point.force[0] ? nh_sub(pool, F, point.force[k]) : F;
}

static nh_expr moment_of(nh_reader *reader, uint32_t index, uint32_t k)
{
    static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    nh_pool *pool = reader->pool;
    const nh_body body = reader->model->bodies[index];
    const nh_frame f = reader->model->frames[body.frame];
    nh_expr L = pool->zero, M = pool->zero; /* component k of R I Omega */
    for (int i = 0; i < 3 && body.turns; i++)
        for (int j = 0; j < 3; j++)
            L = nh_add(
                pool, L,
                nh_mul(pool, f.R[3 * k + (uint32_t)i], nh_mul(pool, body.inertia[entry[i][j]], f.own[j])));
    rates_of(reader, &L, 1, &M);
    return body.torque[0] ? nh_sub(pool, M, body.torque[k]) : M;
}

void nh_insert_newton(nh_reader *reader, nh_expr *value)
{
    nh_model *model = reader->model;
    size_t known = model->n_roles;
    for (size_t i = 0; i < known; i++) {
        nh_symbol_role role = model->roles[i];
        bool force = role.role == NH_ROLE_POINT_FORCE;
        if ((!force && role.role != NH_ROLE_BODY_MOMENT) || !*value)
            continue;
        nh_expr symbol = nh_symbol_at(reader->pool, (uint32_t)i);
        nh_expr law = force ? force_at(reader, role.index / 3, role.index % 3)
                            : moment_of(reader, role.index / 3, role.index % 3);
        nh_substitute(reader->pool, &reader->scratch, value, 1, &symbol, &law, 1, value);
    }
}
