/* Frames and bodies. A frame is a product of rotations; with R its matrix, Omega its angular velocity along its own axes, and A the
 * rotation by the angle a about the axis k,
 *     R -> R A,   Omega -> A^T Omega + a' e_k,   omega -> omega + a' R e_k      (omega: in ground components)
 * A body has the kinetic energy 1/2 m v^2 + 1/2 Omega.I Omega, and a torque T on it adds T . d omega/dq'^i to the forces. */
#include "model/reader.h"

#include <string.h>

enum { PLACE = NH_ON_PARAMETERS | NH_ON_COORDINATES | NH_ON_TIME };
static const nh_scope in_angle = {"an angle of a frame", PLACE};
static const nh_scope in_inertia = {"a moment of inertia", NH_ON_PARAMETERS};
static const nh_scope in_torque = {"a torque", PLACE | NH_ON_RATES | NH_ON_CORNERS};

/* ---------------------------------------------------------------- rotations */

/* The ground itself. */
static nh_frame ground(const nh_pool *pool)
{
    nh_frame f = {.name = "", .axis = -1};
    for (int i = 0; i < 9; i++)
        f.R[i] = i % 4 == 0 ? pool->one : pool->zero;
    for (int i = 0; i < 3; i++)
        f.omega[i] = f.own[i] = f.last[i] = pool->zero;
    return f;
}

/* cos and sin of the angle; (u, v) are the axes after k. */
typedef struct turning {
    nh_expr c, s;
    int k, u, v;
} turning;

/* x e_u + y e_v of the frame before, seen from the one after. */
static void turn_back(nh_pool *pool, const turning *t, nh_expr *x)
{
    nh_expr u = x[t->u], v = x[t->v];
    x[t->u] = nh_add(pool, nh_mul(pool, t->c, u), nh_mul(pool, t->s, v));
    x[t->v] = nh_sub(pool, nh_mul(pool, t->c, v), nh_mul(pool, t->s, u));
}

static void rotate(nh_reader *reader, nh_frame *f, int k, nh_value angle)
{
    nh_pool *pool = reader->pool;
    turning t = {.k = k, .u = (k + 1) % 3, .v = (k + 2) % 3};
    nh_expr rate;
    t.c = nh_call(pool, NH_FN_cos, angle.e[0], NH_EXPR_NONE),
    t.s = nh_call(pool, NH_FN_sin, angle.e[0], NH_EXPR_NONE);
    nh_total_derivative(reader, angle.e, 1, &rate);
    for (int i = 0; i < 3; i++) {
        f->omega[i] = nh_add(pool, f->omega[i], nh_mul(pool, rate, f->R[3 * i + k]));
        turn_back(pool, &t, &f->R[3 * i]); /* the columns turn as components do */
    }
    memcpy(f->last, f->own, sizeof f->last);
    turn_back(pool, &t, f->own);
    f->own[k] = nh_add(pool, f->own[k], rate);
    f->axis = k;
    f->on |= angle.on;
}

/* ---------------------------------------------------------------- products */

static const char frame_hint[] =
    "a frame is a product of rotations Rx(a), Ry(a), Rz(a), which may begin with the name of a frame";

/* Rx, Ry, Rz: 0, 1, 2; -1: something else. */
static int axis_of(nh_reader *reader, const nh_ast *ast)
{
    nh_slice name = nh_word(reader, ast->name);
    bool rotation = ast->kind == NH_AST_CALL && name.length == 2 && name.data[0] == 'R' &&
                    name.data[1] >= 'x' && name.data[1] <= 'z';
    return rotation ? name.data[1] - 'x' : -1;
}

static bool begin_with(nh_reader *reader, const nh_ast *ast, nh_frame *f)
{
    nh_entry *entry = nh_find(reader, nh_word(reader, ast->name));
    if (!entry)
        return nh_unknown(reader, ast->name);
    if (entry->kind == NH_ENTRY_BROKEN)
        return false;
    const nh_model *model = reader->model;
    if (entry->kind == NH_ENTRY_FRAME)
        *f = model->frames[entry->index];
    else if (entry->kind == NH_ENTRY_BODY)
        *f = model->frames[model->bodies[entry->index].frame];
    else
        return nh_wrong(reader, ast->span, frame_hint, "'%s' is %s, not a frame", entry->name,
                        nh_entry_kind_text(entry->kind));
    return true;
}

static bool take_factor(nh_reader *reader, const nh_ast *ast, bool first, nh_frame *f)
{
    int axis = axis_of(reader, ast);
    if (first && ast->kind == NH_AST_NAME)
        return begin_with(reader, ast, f);
    if (axis < 0)
        return nh_wrong(reader, ast->span, frame_hint, "a rotation is needed here");
    if (ast->count != 1)
        return nh_wrong(reader, ast->span, NULL, "a rotation has one angle, not %zu", ast->count);
    nh_value angle = nh_scalar_of(reader, ast->children[0], &in_angle);
    if (angle.size)
        rotate(reader, f, axis, angle);
    return angle.size != 0;
}

bool nh_frame_of(nh_reader *reader, const nh_ast *ast, nh_frame *f)
{
    *f = ground(reader->pool);
    if (ast->kind != NH_AST_PRODUCT)
        return take_factor(reader, ast, true, f);
    for (size_t i = 0; i < ast->count; i++) {
        if (ast->operators[i] == '/')
            return nh_wrong(reader, ast->children[i]->span, frame_hint, "rotations cannot be divided");
        if (!take_factor(reader, ast->children[i], i == 0, f))
            return false;
    }
    return true;
}

static uint32_t keep_frame(nh_model *model, nh_frame f)
{
    nh_push(&model->arena, model->frames, model->n_frames, model->frames_capacity) = f;
    return (uint32_t)model->n_frames - 1;
}

void nh_declare_frame(nh_reader *reader, const nh_item *item)
{
    nh_frame f;
    bool ok = nh_frame_of(reader, item->value, &f);
    nh_entry *entry = nh_declare(reader, item->name, ok ? NH_ENTRY_FRAME : NH_ENTRY_BROKEN);
    if (!ok || !entry)
        return;
    f.name = entry->name;
    entry->index = keep_frame(reader->model, f);
}

/* ---------------------------------------------------------------- bodies */

/* Three numbers along the axes, or six: I11, I22, I33, I12, I13, I23. */
static bool read_inertia(nh_reader *reader, const nh_ast *ast, nh_body *body)
{
    bool ok = true;
    if (ast->kind != NH_AST_VECTOR || (ast->count != 3 && ast->count != 6))
        return nh_wrong(reader, ast->span, "write (I1, I2, I3), or (I11, I22, I33, I12, I13, I23)",
                        "an inertia has 3 or 6 components");
    for (size_t i = 0; i < 6; i++)
        body->inertia[i] = reader->pool->zero;
    for (size_t i = 0; i < ast->count; i++) {
        nh_value value = nh_scalar_of(reader, ast->children[i], &in_inertia);
        ok = ok && value.size;
        body->inertia[i] = value.e[0];
    }
    body->turns = true;
    return ok;
}

/* A_i += T . d omega/dq'^i */
static void add_torque(nh_reader *reader, const nh_body *body)
{
    nh_model *model = reader->model;
    const nh_frame *f = &model->frames[body->frame];
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    nh_expr *rates = nh_arena_array(&reader->scratch, model->n, sizeof *rates);
    nh_expr *A = nh_arena_array(&reader->scratch, model->n, sizeof *A);
    for (size_t i = 0; i < model->n; i++)
        rates[i] = model->coordinates[i].rate;
    nh_gradient(reader->pool, &reader->scratch, f->omega, body->torque, 3, rates, model->n, A);
    for (size_t i = 0; i < model->n; i++)
        model->coordinates[i].force = nh_add(reader->pool, model->coordinates[i].force, A[i]);
    nh_arena_release(&reader->scratch, mark);
}

static void set_torque(nh_reader *reader, const nh_ast *ast, nh_body *body)
{
    nh_value torque = nh_vector_of(reader, ast, &in_torque);
    if (torque.size == 2)
        nh_wrong(reader, ast->span, NULL, "a torque on a body has 3 components");
    else if (torque.size && body) {
        memcpy(body->torque, torque.e, sizeof torque.e);
        add_torque(reader, body);
    }
}

static bool needs_frame(nh_reader *reader, const nh_statement *s)
{
    const nh_ast *clause = s->inertia ? s->inertia : s->torque;
    return !clause || s->frame ||
           nh_wrong(reader, clause->span, "add: frame NAME", "a body that turns has a frame");
}

/* The frame of that name itself; otherwise one of its own, without a name. */
static uint32_t frame_for(nh_reader *reader, const nh_ast *ast, nh_frame f)
{
    nh_entry *entry = ast && ast->kind == NH_AST_NAME ? nh_find(reader, nh_word(reader, ast->name)) : NULL;
    if (entry && entry->kind == NH_ENTRY_FRAME)
        return entry->index;
    f.name = "";
    return keep_frame(reader->model, f);
}

void nh_declare_body(nh_reader *reader, const nh_statement *s)
{
    nh_model *model = reader->model;
    nh_body body = {.name = ""};
    nh_frame f = ground(reader->pool);
    bool ok = needs_frame(reader, s);
    ok = (!s->frame || nh_frame_of(reader, s->frame, &f)) && ok;
    ok = (!s->inertia || read_inertia(reader, s->inertia, &body)) && ok;
    nh_entry *entry;
    nh_point *point = nh_add_point(reader, s, ok ? NH_ENTRY_BODY : NH_ENTRY_BROKEN, &entry);
    if (point && point->size != 3)
        point = NULL, entry->kind = NH_ENTRY_BROKEN,
        nh_wrong(reader, s->value->span, "write the place as (x, y, z)",
                 "a body is in space: its place has 3 components");
    if (point && ok) {
        body.name = entry->name, body.point = (uint32_t)(point - model->points);
        body.frame = frame_for(reader, s->frame, f);
        entry->index = (uint32_t)model->n_bodies;
        entry->value.on |= f.on;
        nh_push(&model->arena, model->bodies, model->n_bodies, model->bodies_capacity) = body;
    }
    if (point && ok && s->mass && !s->inertia)
        nh_warn(reader, s->items[0].name, "add: inertia (I1, I2, I3); a point has none",
                "the body '%s' has a mass and no inertia", body.name);
    bool there = point && ok;
    if (s->force)
        nh_set_point_force(reader, s->force, there ? point : NULL);
    if (s->torque)
        set_torque(reader, s->torque, there ? &model->bodies[model->n_bodies - 1] : NULL);
}

/* ---------------------------------------------------------------- energy */

/* Equal moments across the axis of the last rotation: the body does not see it there. */
static bool is_round(const nh_frame *f, const nh_body *b, const nh_pool *pool)
{
    if (f->axis < 0)
        return false;
    nh_expr u = b->inertia[(f->axis + 1) % 3], v = b->inertia[(f->axis + 2) % 3];
    return u == v && b->inertia[3] == pool->zero && b->inertia[4] == pool->zero &&
           b->inertia[5] == pool->zero;
}

/* K += 1/2 Omega.I Omega */
void nh_add_body_energy(nh_reader *reader, const nh_body *b)
{
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    nh_model *model = reader->model;
    nh_pool *pool = reader->pool;
    const nh_frame *f = &model->frames[b->frame];
    bool round = is_round(f, b, pool);
    nh_expr twice = pool->zero;
    for (int i = 0; b->turns && i < 6; i++) {
        int j = pairs[i][0], k = pairs[i][1];
        const nh_expr *omega = round && j != f->axis ? f->last : f->own;
        nh_expr term = nh_mul(pool, b->inertia[i], nh_mul(pool, omega[j], omega[k]));
        twice = nh_add(pool, twice, i < 3 ? term : nh_add(pool, term, term));
    }
    model->kinetic = nh_add(pool, model->kinetic, nh_mul(pool, pool->half, twice));
}
