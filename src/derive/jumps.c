/* Functions that are constant between jumps. That the rate of F along the motion is 0 says nothing of the places where something in it
 * changes its branch: F = sign(x) has the rate 0, and so has sqrt(x^2)/x. Where a switch of F (continuity.c) is 0 is found along lines
 * through random states; there F is looked at a little earlier and a little later on the motion. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

/* Lines for each switch; and operations in all, so that long functions are looked at fewer times. */
enum {
    LINES = 24,
    LEAST_LINES = 2,
    MOST_OPERATIONS = 4000000,
    SAMPLES = 40,
    BISECTIONS = 80,
    MOST_OPERATIONS_OF_RATES = 2000
};

static const double FIRST_STEP = 1e-2, STEP_RATIO = 1.5; /* samples up to 1e5 away */

typedef struct hunt {
    nh_judge *j;
    nh_expr F, rate;
    nh_switches switches;
    nh_switch *found;           /* where it jumps */
    nh_expr *variables, *rates; /* q, z (or q') and t, and how they change along the motion */
    nh_expr *slopes;            /* by variable: the derivatives of the switch that is looked at */
    size_t count;
    bool changes;  /* there its rate is not 0 */
    bool in_rates; /* in all q' on C, by the second kind; otherwise in the velocities of the first kind */
    bool touches;  /* u does not change its sign at the zero that is looked at */
    bool moves;    /* states on a line are brought onto C by numbers */
} hunt;

/* ---------------------------------------------------------------- states */

static void find_variables(hunt *h)
{
    nh_equations *eq = h->j->eq;
    bool in_z = eq->first.psi && !h->in_rates;
    size_t n = eq->n, m = in_z ? eq->m : n;
    const nh_expr *accelerations = h->in_rates ? eq->second.D
                                   : in_z      ? eq->first.Z_upper
                                               : eq->first.acceleration;
    h->variables = nh_array(eq, n + m + 1), h->rates = nh_array(eq, n + m + 1),
    h->slopes = nh_array(eq, n + m + 1);
    for (size_t i = 0; i < n; i++, h->count++) {
        h->variables[i] = eq->model->coordinates[i].q;
        h->rates[i] = in_z ? eq->first.psi[i] : eq->model->coordinates[i].rate;
    }
    for (size_t k = 0; k < m; k++, h->count++) {
        h->variables[n + k] = in_z ? eq->z[k].symbol : eq->model->coordinates[k].rate;
        h->rates[n + k] = accelerations[k];
    }
    h->variables[h->count] = eq->model->time, h->rates[h->count++] = eq->pool.one;
    for (size_t a = 0; a < eq->model->r; a++)
        h->moves = h->moves || eq->model->constraints[a].position;
    h->moves = h->moves || (!in_z && eq->second.C);
}

/* In q', the velocities too. */
static bool onto_C(hunt *h, double *values)
{
    nh_equations *eq = h->j->eq;
    return nh_onto_C(h->j, values) &&
           (!h->in_rates || !eq->second.C || nh_project_velocities(eq, values, eq->second.C, eq->r));
}

static double *slot_of(hunt *h, size_t variable, double *values)
{
    uint32_t index = 0;
    nh_is_symbol(&h->j->eq->pool, h->variables[variable], &index);
    return &values[index];
}

static double *room_of(hunt *h)
{
    return nh_arena_array(&h->j->eq->context->arena, h->j->eq->pool.n_symbols + h->count + 1, sizeof(double));
}

static double value_of(hunt *h, nh_expr e, const double *values, double *error)
{
    nh_equations *eq = h->j->eq;
    double out = NAN;
    nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, values, &out, error);
    return out;
}

/* ---------------------------------------------------------------- zeros on a line */

/* From a state (by symbol) into a direction (by variable); there is the state at a distance. */
typedef struct line {
    hunt *h;
    nh_expr u;
    nh_evaluator *evaluator; /* of u */
    const double *from, *direction;
    double *there;
} line;

/* u so far away; NAN where there is no state. */
static double at(line *l, double distance)
{
    hunt *h = l->h;
    memcpy(l->there, l->from, h->j->eq->pool.n_symbols * sizeof *l->there);
    for (size_t v = 0; v < h->count; v++)
        *slot_of(h, v, l->there) += distance * l->direction[v];
    if (h->moves && !onto_C(h, l->there))
        return NAN;
    nh_arena *scratch = &h->j->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    double u = NAN;
    nh_evaluator_at(l->evaluator, scratch, l->there, &u, NULL);
    nh_arena_release(scratch, mark);
    return u;
}

/* Between two distances where u has different signs. True: it is 0 there, and has no pole. */
static bool bisect(line *l, double a, double b, double u_a, double *zero)
{
    double most = fabs(u_a), middle = a;
    for (int k = 0; k < BISECTIONS; k++) {
        middle = 0.5 * (a + b);
        double u = at(l, middle);
        if (u == 0 || middle == a || middle == b)
            break;
        if (isnan(u))
            return false;
        if ((u < 0) == (u_a < 0))
            a = middle;
        else
            b = middle;
    }
    *zero = middle;
    return fabs(at(l, middle)) <= 1e-6 * most;
}

/* Between three distances, |u| being least at the middle one: where it is least, if that is 0. */
static bool touch(line *l, double a, double b, double *zero)
{
    double most = fmax(fabs(at(l, a)), fabs(at(l, b)));
    for (int k = 0; k < BISECTIONS; k++) {
        double left = a + 0.382 * (b - a), right = a + 0.618 * (b - a);
        if (fabs(at(l, left)) < fabs(at(l, right)))
            b = right;
        else
            a = left;
    }
    *zero = 0.5 * (a + b);
    return fabs(at(l, *zero)) <= 1e-12 * most;
}

static bool look_at(hunt *, nh_switch *, line *, double zero, const char **detail);

/* Every zero next to two samples. True: one shows a jump. */
static bool along(line *l, nh_switch *s, double sense, const char **detail)
{
    double before = 0, x = 0, u_before = NAN, u = at(l, 0), zero;
    for (int k = 0; k < SAMPLES; k++) {
        double next = x + sense * FIRST_STEP * pow(STEP_RATIO, k), u_next = at(l, next);
        bool least = fabs(u) < fabs(u_before) && fabs(u) < fabs(u_next);
        l->h->touches = false;
        if (u * u_next < 0 && bisect(l, x, next, u, &zero) && look_at(l->h, s, l, zero, detail))
            return true;
        l->h->touches = true;
        if (least && u * u_before > 0 && u * u_next > 0 && touch(l, before, next, &zero) &&
            look_at(l->h, s, l, zero, detail))
            return true;
        before = x, x = next, u_before = u, u = u_next;
    }
    return false;
}

/* ---------------------------------------------------------------- beside a zero */

/* The motion there, from beside the zero, as a displacement: 1 is the size of the state, for which it takes the time. False: it is
 * not defined, or infinite. */
static bool motion_at(line *l, double zero, double *velocity, double *time)
{
    hunt *h = l->h;
    nh_equations *eq = h->j->eq;
    double *closer = room_of(h), scale = 0, growth = 0, unit = fmax(1, fabs(zero));
    if (isnan(at(l, zero + 1e-6 * unit)))
        return false;
    nh_evaluate(&eq->pool, &eq->context->arena, h->rates, h->count, l->there, velocity, NULL);
    if (isnan(at(l, zero + 1e-9 * unit)))
        return false;
    nh_evaluate(&eq->pool, &eq->context->arena, h->rates, h->count, l->there, closer, NULL);
    at(l, zero);
    for (size_t v = 0; v < h->count; v++) {
        scale = fmax(scale, fabs(velocity[v]) / fmax(1, fabs(*slot_of(h, v, l->there))));
        growth = !(fabs(closer[v]) <= 3 * (1 + fabs(velocity[v]))) ? INFINITY : growth;
    }
    for (size_t v = 0; v < h->count; v++)
        velocity[v] /= scale;
    *time = 1 / scale;
    return isfinite(scale) && scale > 0 && isfinite(growth);
}

/* Whether F grows without an end towards a zero at which there is no motion: it changes over the last three powers of ten no less than
 * over those before them. */
static bool is_infinite(line *l, double zero)
{
    double unit = fmax(1, fabs(zero)), F[3];
    for (int k = 0; k < 3; k++)
        F[k] =
            isnan(at(l, zero + pow(10, -9 + 3 * k) * unit)) ? NAN : value_of(l->h, l->h->F, l->there, NULL);
    at(l, zero);
    return isinf(F[0]) ||
           (fabs(F[0] - F[1]) > 1e-3 * fabs(F[0]) && fabs(F[0] - F[1]) > 0.5 * fabs(F[1] - F[2]));
}

static void go(hunt *h, const double *from, const double *velocity, double by, double *to)
{
    memcpy(to, from, h->j->eq->pool.n_symbols * sizeof *to);
    for (size_t v = 0; v < h->count; v++)
        *slot_of(h, v, to) += by * velocity[v];
}

/* u'/u on the motion, times the time from the zero: k where u is as its k-th power. */
static double order_at(hunt *h, nh_expr u, const double *state, double time)
{
    nh_equations *eq = h->j->eq;
    double *slopes = room_of(h), *rates = room_of(h), sum = 0;
    nh_evaluate(&eq->pool, &eq->context->arena, h->slopes, h->count, state, slopes, NULL);
    nh_evaluate(&eq->pool, &eq->context->arena, h->rates, h->count, state, rates, NULL);
    for (size_t v = 0; v < h->count; v++)
        sum += slopes[v] != 0 ? slopes[v] * rates[v] : 0;
    return sum * time / value_of(h, u, state, NULL);
}

/* Whether the motion comes from the zero, or goes to it: with u' = h u it does neither, nor where forces keep it away. */
static bool is_reached(hunt *h, nh_expr u, const double *state, const double *velocity, double by,
                       double time)
{
    double *room = room_of(h);
    go(h, state, velocity, 100 * by, room);
    double far = order_at(h, u, room, 100 * by * time);
    go(h, state, velocity, by, room);
    double near = order_at(h, u, room, by * time);
    return near > 0.01 && !(near < 0.1 * far);
}

/* F and u on one side of the zero: far is F at a hundred times the distance. */
typedef struct side {
    double F, error, varies, grows; /* towards the zero */
    int u;                          /* its sign, 0 where that is not certain */
} side;

static side side_at(hunt *h, nh_expr u, const double *state, const double *velocity, double by, double *room)
{
    side s;
    double far, far_error, u_error;
    go(h, state, velocity, 100 * by, room);
    far = value_of(h, h->F, room, &far_error);
    go(h, state, velocity, by, room);
    s.F = value_of(h, h->F, room, &s.error);
    double at_u = value_of(h, u, room, &u_error);
    s.u = !(fabs(at_u) > u_error) ? 0 : at_u < 0 ? -1 : 1;
    s.varies = fabs(s.F - far), s.grows = fabs(s.F) - fabs(far), s.error = 1000 * fmax(s.error, far_error);
    return s;
}

static const char *told(hunt *h, const nh_switch *s, const double *values, side before, side after)
{
    nh_equations *eq = h->j->eq;
    double unit = pow(10, floor(log10(fmax(fabs(before.F), fabs(after.F)))) - 5);
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false;
    nh_text text;
    nh_text_init(&text, &eq->arena);
    nh_text_str(&text, "its rate is 0, but it jumps where ");
    nh_expr_print(&text, &eq->pool, s->written, 200);
    nh_text_str(&text, " = 0, as from ");
    nh_text_six(&text, fabs(before.F) < unit ? 0 : before.F);
    nh_text_str(&text, " to ");
    nh_text_six(&text, fabs(after.F) < unit ? 0 : after.F);
    nh_find_symbols(&eq->pool, &eq->context->arena, &h->F, 1, depends);
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        if (depends[i]) {
            nh_text_format(&text, "%s%s = ", any ? ", " : " at ", eq->pool.symbols[i]);
            nh_text_six(&text, fabs(values[i]) < 1e-12 ? 0 : values[i]);
            any = true;
        }
    return nh_text_get(&text);
}

/* Whether the rate of F, known to be 0 at other states, is not 0 here. */
static bool changes_at(hunt *h, const double *values, const char **detail)
{
    double error = 0, rate = h->rate ? value_of(h, h->rate, values, &error) : 0;
    if (h->moves || !isfinite(rate) || !isfinite(error) || !(fabs(rate) > 1000 * error))
        return false;
    *detail = nh_witness(h->j, "its rate", h->rate, rate, values);
    return true;
}

static nh_expr argument(const hunt *h, const nh_switch *s) { return h->in_rates ? s->written : s->u; }

/* Between a motion's states before and after a zero of u: constant on both sides, and not the same. F being infinite or u not crossed is
 * no jump. */
static bool jumps_at(hunt *h, nh_switch *s, const double *state, const double *velocity, double by,
                     double time, const char **detail)
{
    double *room = room_of(h);
    nh_expr u = argument(h, s);
    side a = side_at(h, u, state, velocity, -by, room);
    bool changes = changes_at(h, room, detail);
    side b = side_at(h, u, state, velocity, by, room);
    double height = fabs(a.F - b.F), varies = a.varies + b.varies, error = a.error + b.error;
    h->changes = changes || changes_at(h, room, detail);
    if (h->changes)
        return true;
    if (s->corner || !isfinite(error))
        return false;
    if (varies > 1e-3 * (fabs(a.F) + fabs(b.F)) + error) {
        s->poles += a.grows > 0 || b.grows > 0;
        return false;
    }
    s->crossed++;
    if (!(height > 20 * varies + error) || a.u * b.u != (h->touches ? 1 : -1) ||
        !is_reached(h, u, state, velocity, -by, time) || !is_reached(h, u, state, velocity, by, time))
        return false;
    *detail = told(h, s, state, a, b);
    return true;
}

static bool look_at(hunt *h, nh_switch *s, line *l, double zero, const char **detail)
{
    static const double distances[] = {1e-5, 1e-4, 1e-6, 1e-8};
    double *velocity = room_of(h), *state = room_of(h);
    double time;
    bool found = false;
    if (!motion_at(l, zero, velocity, &time)) {
        s->poles += is_infinite(l, zero);
        return false;
    }
    memcpy(state, l->there, h->j->eq->pool.n_symbols * sizeof *state);
    for (size_t k = 0; k < sizeof distances / sizeof *distances && !found; k++)
        found = jumps_at(h, s, state, velocity, distances[k], time, detail);
    return found;
}

/* ---------------------------------------------------------------- the verdict */

/* One variable alone, or several at once, of those that u depends on. */
static void choose_direction(hunt *h, nh_expr u, size_t k, double *direction)
{
    nh_equations *eq = h->j->eq;
    bool *depends = nh_arena_array(&eq->context->arena, eq->pool.n_symbols + 1, sizeof *depends);
    size_t *among = nh_arena_array(&eq->context->arena, h->count, sizeof *among), n = 0;
    nh_find_symbols(&eq->pool, &eq->context->arena, &u, 1, depends);
    for (size_t v = 0; v < h->count; v++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, h->variables[v], &index);
        direction[v] = 0;
        if (depends[index] || (h->in_rates && k % 3 == 2)) /* C has them all together */
            among[n++] = v;
    }
    for (size_t i = 0; i < n; i++)
        direction[among[i]] =
            k % 2 && k / 2 % n != i ? 0 : (double)(nh_hash(17 * k + i + 1) >> 40) / (1 << 23) - 1;
}

/* Of the longest switch, which is looked at a few times for each sample: most of these are next to no zero. */
static size_t operations_of_switches(const hunt *h)
{
    nh_equations *eq = h->j->eq;
    size_t most = 0;
    for (size_t i = 0; i < h->switches.count; i++) {
        size_t own = nh_count_operations(&eq->pool, &eq->context->arena, &h->switches.items[i].u, 1);
        most = own > most ? own : most;
    }
    return most;
}

static size_t lines_of(const hunt *h)
{
    nh_equations *eq = h->j->eq;
    size_t each = SAMPLES * 4 * operations_of_switches(h) +
                  nh_count_operations(&eq->pool, &eq->context->arena, h->rates, h->count) +
                  nh_count_operations(&eq->pool, &eq->context->arena, &h->F, 1) +
                  (size_t)(h->moves ? 200 : 1) * SAMPLES * 8;
    size_t most = MOST_OPERATIONS / (h->switches.count * (each + 1));
    return most < LEAST_LINES ? LEAST_LINES : most < LINES ? most : LINES;
}

static bool search(hunt *h, const char **detail)
{
    nh_arena *scratch = &h->j->eq->context->arena;
    size_t lines = lines_of(h);
    bool found = false;
    for (size_t k = 0; k < lines && !found; k++)
        for (size_t i = 0; i < h->switches.count && !found; i++) {
            nh_arena_mark mark = nh_arena_here(scratch);
            double *from = room_of(h), *direction = room_of(h);
            nh_expr u = argument(h, &h->switches.items[i]);
            nh_gradient(&h->j->eq->pool, scratch, &u, NULL, 1, h->variables, h->count, h->slopes);
            line l = {h, u, nh_evaluator_new(&h->j->eq->pool, scratch, &u, 1), from, direction, room_of(h)};
            choose_direction(h, l.u, k, direction);
            found =
                nh_draw_state(h->j, from) && onto_C(h, from) &&
                (along(&l, &h->switches.items[i], 1, detail) || along(&l, &h->switches.items[i], -1, detail));
            h->found = found ? &h->switches.items[i] : NULL;
            nh_arena_release(scratch, mark);
        }
    return found;
}

/* Something that is no corner is 0 where F and the motion go on, or was not seen to be 0 anywhere, which proves nothing. */
static bool is_in_doubt(const nh_switches *s)
{
    bool any = false;
    for (size_t k = 0; k < s->count; k++)
        any = any || (!s->items[k].corner && (s->items[k].crossed || !s->items[k].poles));
    return any;
}

/* Where the velocities of the first kind may fail, and the motion need not: in all q' on C. What was infinite there, was so in the
 * former. */
static bool search_in_rates(hunt *h, nh_expr F, const char **detail)
{
    nh_equations *eq = h->j->eq;
    hunt other = {.j = h->j, .F = F, .switches = h->switches, .in_rates = true};
    bool corners = true;
    for (size_t k = 0; k < h->switches.count; k++) {
        h->switches.items[k].poles = 0;
        corners = corners && h->switches.items[k].corner;
    }
    if (corners || eq->second.reason || eq->second.none_given)
        return false;
    find_variables(&other);
    bool found = search(&other, detail);
    h->found = other.found;
    return found;
}

static nh_verdict judge_switches(nh_judge *j, nh_expr F, bool proved, const char **detail, nh_expr *where)
{
    nh_equations *eq = j->eq;
    hunt h = {.j = j};
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    nh_put_given(eq, &F, 1, &F);
    F = F ? nh_with_zero_arguments(j, F) : F;
    if (!F)
        return NH_PROVED;
    nh_on_C(j, &F, 1, &h.F);
    h.rate = nh_rate_of(j, F);
    find_variables(&h);
    bool seen = !proved && !h.moves && h.rate && !nh_has_solve(&eq->pool, &eq->context->arena, &h.rate, 1) &&
                !nh_operations_exceed(&eq->pool, &eq->context->arena, h.rate, MOST_OPERATIONS_OF_RATES);
    nh_find_switches(j, F, seen ? h.rate : NH_EXPR_NONE, &h.switches);
    if (!h.switches.count || !h.F || !h.rate)
        return NH_PROVED;
    bool found = search(&h, detail) || (!nh_chart_is_good(j) && search_in_rates(&h, F, detail));
    j->random = random;
    *where = found && !h.changes ? h.found->written : NH_EXPR_NONE;
    bool doubt = is_in_doubt(&h.switches);
    if (!found && doubt)
        *detail =
            "its rate along the motion is 0, and no jump was found; that it is continuous is not proved";
    return found ? NH_REFUTED : doubt ? NH_TESTED : NH_PROVED;
}

/* What constraints keep constant is that where they are independent; the energy is kept by reactions, whatever these are. */
nh_verdict nh_judge_jumps(nh_judge *j, nh_expr F, bool proved, const char **detail, nh_expr *where)
{
    const nh_model *model = j->eq->model;
    nh_verdict verdict = judge_switches(j, F, proved, detail, where);
    bool is_energy = F == nh_add(&j->eq->pool, model->kinetic, model->potential);
    if (verdict == NH_REFUTED || is_energy || !nh_is_half_singular(j))
        return verdict;
    *detail = "its rate along the motion is 0 where the constraints are independent, which in a whole region "
              "they are not";
    return NH_TESTED;
}

/* ---------------------------------------------------------------- velocities that jump */

/* Whether e, which is not constant, jumps on the motion: REFUTED, and where. */
static nh_verdict look_for_steps(nh_judge *j, nh_expr e, nh_expr *where)
{
    hunt h = {.j = j};
    const char *detail;
    nh_on_C(j, &e, 1, &h.F);
    if (!h.F || !nh_may_step(j, e))
        return NH_PROVED;
    if (nh_operations_exceed(&j->eq->pool, &j->eq->context->arena, e, MOST_OPERATIONS_OF_RATES))
        return NH_TESTED;
    nh_find_switches(j, e, NH_EXPR_NONE, &h.switches);
    if (!h.switches.count)
        return NH_PROVED;
    find_variables(&h);
    bool found = search(&h, &detail), unseen = false;
    for (size_t k = 0; k < h.switches.count; k++) {
        const nh_switch *s = &h.switches.items[k];
        unseen = unseen || (!s->corner && !s->crossed && !s->poles);
    }
    *where = found ? h.found->written : NH_EXPR_NONE;
    return found ? NH_REFUTED : unseen ? NH_TESTED : NH_PROVED;
}

/* As the model gives them: psi, which follows, may be long. */
static bool constraints_may_jump(nh_judge *j)
{
    nh_equations *eq = j->eq;
    bool may = false;
    for (size_t i = 0; eq->model->psi && i < eq->n && !may; i++)
        may = nh_may_step(j, eq->model->psi[i]);
    for (size_t a = 0; eq->second.C && a < eq->r && !may; a++)
        may = nh_may_step(j, eq->second.C[a]);
    return may;
}

/* What the velocities jump with: psi, or C, the positions, and the kinetic energy. */
static size_t list_steps(nh_judge *j, nh_expr *e)
{
    nh_equations *eq = j->eq;
    const nh_model *model = eq->model;
    size_t count = 0, held = eq->first.psi ? eq->n : eq->second.C ? eq->r : 0;
    e[count++] = model->kinetic;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            e[count++] = model->constraints[a].position;
    bool may = held && constraints_may_jump(j);
    for (size_t i = 0; i < held && may; i++)
        e[count++] = eq->first.psi ? eq->first.psi[i] : eq->second.C[i];
    nh_put_given(eq, e, count, e);
    return count;
}

static nh_verdict find_steps(nh_judge *j, nh_expr *where)
{
    nh_equations *eq = j->eq;
    nh_expr *e = nh_array(eq, 1 + eq->model->r + eq->n + eq->r);
    size_t count = list_steps(j, e);
    nh_verdict worst = NH_PROVED;
    for (size_t i = 0; i < count && worst != NH_REFUTED; i++) {
        nh_verdict verdict = e[i] ? look_for_steps(j, e[i], where) : NH_PROVED;
        worst = verdict > worst ? verdict : worst;
    }
    return worst;
}

static bool depends_on_rates(nh_judge *j, nh_expr F)
{
    nh_equations *eq = j->eq;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false;
    nh_find_symbols(&eq->pool, &eq->context->arena, &F, 1, depends);
    for (size_t i = 0; i < eq->n + eq->m; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, i < eq->n ? eq->model->coordinates[i].rate : eq->z[i - eq->n].symbol, &index);
        any = any || depends[index];
    }
    return any;
}

static void tell_steps(nh_judge *j)
{
    nh_text text;
    nh_text_init(&text, &j->eq->arena);
    nh_text_str(
        &text,
        "its rate is 0 while no velocity jumps; with a constraint or the kinetic energy they do where ");
    nh_expr_print(&text, &j->eq->pool, j->steps_where, 200);
    nh_text_str(&text, " = 0");
    j->steps_told = nh_text_get(&text);
}

nh_verdict nh_judge_steps(nh_judge *j, nh_expr F, const char **detail)
{
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    if (!depends_on_rates(j, F))
        return NH_PROVED;
    if (!j->steps_looked_for) {
        j->steps = find_steps(j, &j->steps_where), j->steps_looked_for = true;
        j->steps_told = "its rate is 0; that no constraint jumps, and the velocities with it, is not proved";
        if (j->steps == NH_REFUTED)
            tell_steps(j);
    }
    j->random = random;
    *detail = j->steps == NH_PROVED ? *detail : j->steps_told;
    return j->steps == NH_REFUTED ? NH_NOT_KNOWN : j->steps;
}

/* ---------------------------------------------------------------- values */

enum { STATES_FOR_VALUES = 200 };

/* Near and far, every other time with the parameters' own values. */
bool nh_has_a_value(nh_judge *j, nh_expr F)
{
    nh_equations *eq = j->eq;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values), value = NAN;
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    nh_on_C(j, &F, 1, &F);
    for (int k = 0; k < STATES_FOR_VALUES && F && !isfinite(value); k++) {
        j->wide = k / 2 % 2;
        if (!nh_draw_state(j, values))
            continue;
        if (k % 2)
            nh_put_parameters(j, values);
        if (k % 2 == 0 || nh_onto_C(j, values))
            nh_evaluate(&eq->pool, &eq->context->arena, &F, 1, values, &value, NULL);
    }
    j->wide = false, j->random = random;
    return isfinite(value);
}
