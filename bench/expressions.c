/* expressions MODEL: the equations of motion of the first kind, G_ab dz^b/dt = Z_a, as straight-line text, just as
 * they come out of the derivatives: nothing is simplified.
 *
 *     psi^i_a = d psi^i / d z^a
 *     G_ab    = g_ij psi^i_a psi^j_b
 *     L_i     = A_i - dV/dq^i + dK/dq^i - (d p_i/dq^j) q'^j - d p_i/dt,  p_i = dK/dq'^i
 *     Z_a     = (L_i(q,psi) - g_ij (psi^k d_k psi^j + d_t psi^j)) psi^i_a
 *
 * with g v = p(q,v,t) - p(q,0,t). */
#include "straight.h"

#include "model/model.h"

#include <stdlib.h>

typedef struct equations {
    nh_model *model;
    nh_pool *pool;
    nh_arena *scratch;
    size_t n, m;
    nh_expr *q, *rate; /* n each, and the time behind the q */
    nh_expr *p;
} equations;

static nh_expr *room(equations *s, size_t count)
{
    return nh_arena_array(s->scratch, count + 1, sizeof(nh_expr));
}

static void start(equations *s, nh_model *model, nh_arena *scratch)
{
    *s = (equations){
        .model = model, .pool = &model->pool, .scratch = scratch, .n = model->n, .m = model->n_velocities};
    s->q = room(s, s->n), s->rate = room(s, s->n), s->p = room(s, s->n);
    for (size_t i = 0; i < s->n; i++)
        s->q[i] = model->coordinates[i].q, s->rate[i] = model->coordinates[i].rate;
    s->q[s->n] = model->time;
    nh_gradient(s->pool, scratch, &model->kinetic, NULL, 1, s->rate, s->n, s->p);
}

/* out_i = g_ij v^j */
static void lower(equations *s, const nh_expr *v, nh_expr *out)
{
    nh_expr *none = room(s, s->n), *rest = room(s, s->n);
    for (size_t i = 0; i < s->n; i++)
        none[i] = s->pool->zero;
    nh_substitute(s->pool, s->scratch, s->p, s->n, s->rate, v, s->n, out);
    nh_substitute(s->pool, s->scratch, s->p, s->n, s->rate, none, s->n, rest);
    for (size_t i = 0; i < s->n; i++)
        out[i] = nh_sub(s->pool, out[i], rest[i]);
}

/* out = d x/dt along q' = velocity */
static void along(equations *s, const nh_expr *x, const nh_expr *velocity, nh_expr *out)
{
    nh_expr *direction = room(s, s->n);
    for (size_t i = 0; i < s->n; i++)
        direction[i] = velocity[i];
    direction[s->n] = s->pool->one;
    nh_directional(s->pool, s->scratch, x, s->n, s->q, direction, s->n + 1, out);
}

/* L_i(q,psi) */
static void free_forces(equations *s, nh_expr *L)
{
    nh_pool *pool = s->pool;
    nh_expr *dK = room(s, s->n), *dV = room(s, s->n), *dp = room(s, s->n);
    nh_gradient(pool, s->scratch, &s->model->kinetic, NULL, 1, s->q, s->n, dK);
    nh_gradient(pool, s->scratch, &s->model->potential, NULL, 1, s->q, s->n, dV);
    along(s, s->p, s->rate, dp);
    for (size_t i = 0; i < s->n; i++) {
        nh_expr A = nh_sub(pool, s->model->coordinates[i].force, dV[i]);
        L[i] = nh_add(pool, A, nh_sub(pool, dK[i], dp[i]));
    }
    nh_substitute(pool, s->scratch, L, s->n, s->rate, s->model->psi, s->n, L);
}

static nh_expr dot(equations *s, const nh_expr *a, const nh_expr *b)
{
    nh_expr sum = s->pool->zero;
    for (size_t i = 0; i < s->n; i++)
        sum = nh_add(s->pool, sum, nh_mul(s->pool, a[i], b[i]));
    return sum;
}

/* Appends G_ab for a <= b, then Z_a. */
static void derive(equations *s, nh_expr *out)
{
    size_t n = s->n, m = s->m;
    nh_expr *columns = room(s, n * m), *lowered = room(s, n), *force = room(s, n), *drift = room(s, n);
    for (size_t a = 0; a < m; a++)
        nh_directional(s->pool, s->scratch, s->model->psi, n, &s->model->velocities[a].symbol, &s->pool->one,
                       1, columns + a * n);
    for (size_t a = 0; a < m; a++) {
        lower(s, columns + a * n, lowered);
        for (size_t b = a; b < m; b++)
            *out++ = dot(s, lowered, columns + b * n);
    }
    free_forces(s, force);
    along(s, s->model->psi, s->model->psi, drift);
    lower(s, drift, lowered);
    for (size_t i = 0; i < n; i++)
        force[i] = nh_sub(s->pool, force[i], lowered[i]);
    for (size_t a = 0; a < m; a++)
        *out++ = dot(s, force, columns + a * n);
}

static const char *entry_name(equations *s, char letter, size_t a, size_t b)
{
    nh_text name;
    nh_text_init(&name, s->scratch);
    nh_text_format(&name, "%c%zu", letter, a);
    if (b)
        nh_text_format(&name, "%zu", b);
    return nh_text_get(&name);
}

static void name_entries(equations *s, const char **names)
{
    for (size_t a = 1; a <= s->m; a++)
        for (size_t b = a; b <= s->m; b++)
            *names++ = entry_name(s, 'G', a, b);
    for (size_t a = 1; a <= s->m; a++)
        *names++ = entry_name(s, 'Z', a, 0);
}

typedef struct task {
    nh_context *context;
    nh_model *model;
} task;

static void run(void *arg)
{
    task *t = arg;
    nh_arena scratch;
    equations s;
    nh_arena_init(&scratch, &t->context->heap);
    start(&s, t->model, &scratch);
    size_t count = s.m * (s.m + 1) / 2 + s.m;
    nh_expr *entries = room(&s, count);
    const char **names = nh_arena_array(&scratch, count, sizeof *names);
    derive(&s, entries);
    name_entries(&s, names);
    printf("# %s\n", nh_model_title(t->model));
    straight_write(stdout, s.pool, &scratch, nh_model_signs(t->model, &scratch), entries, names, count);
    nh_arena_free(&scratch);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        straight_fail("usage: expressions MODEL");
    size_t length;
    char *text = straight_load(argv[1], &length);
    task t = {.context = nh_context_new(NULL)};
    if (!t.context)
        straight_fail("no memory");
    nh_status status = nh_model_read(
        t.context, &(nh_model_source){.name = argv[1], .text = text, .length = length}, &t.model);
    for (size_t i = 0; i < nh_message_count(t.context); i++)
        fputs(nh_message_text(t.context, i), stderr);
    if (status != NH_OK)
        straight_fail("%s", nh_status_text(status));
    if (!t.model->psi)
        straight_fail("%s: there are no parametric equations", argv[1]);
    status = nh_heap_try(&t.context->heap, run, &t);
    nh_model_free(t.model);
    nh_context_free(t.context);
    free(text);
    if (status != NH_OK)
        straight_fail("%s", nh_status_text(status));
    return 0;
}
