/* What is said of each state of rest: whether it is stable, and whether that is true of its family. */
#include "analyse/hunt.h"
#include "analyse/members.h"

#include <math.h>
#include <string.h>

typedef struct opinion {
    bool singular;
    nh_stability verdict;
    const char *reason;
    const nh_linearization *l; /* NULL: none */
} opinion;

/* ---------------------------------------------------------------- at a state */

static const double NEAR = 1e-9, JUMP = 1e-2;

/* Beside a state: with 0 for numbers that are nearly 0, or moved a little. */
static void beside(const nh_hunt *h, const double *inputs, size_t number, double *out)
{
    const nh_flow *f = h->flow;
    out[0] = inputs[0];
    for (size_t k = 0; k < f->size; k++) {
        double part = (double)(nh_hash(number * 65537 + k) >> 12 & 0xffff) / 0x8000 - 1, x = inputs[1 + k];
        double moved = number ? x + NEAR * f->scale[k] * part : fabs(x) < NEAR * f->scale[k] ? 0 : x;
        out[1 + k] = h->moves[k] ? moved : x;
    }
}

/* Whether some equation is more apart at two states than its derivatives J and the roots of small numbers make it. */
static bool jumps(const nh_hunt *h, const double *J, const double *inputs, const double *other,
                  const double *at, const double *there)
{
    size_t size = h->flow->size;
    for (size_t i = 0; i < h->n_roots; i++) {
        double linear = 0, scale = h->G->scale && h->G->scale[i] > 0 ? h->G->scale[i] : 1;
        for (size_t k = 0; k < size; k++)
            linear += fabs(J[i * size + k] * (other[1 + k] - inputs[1 + k]));
        if (fabs(there[i] - at[i]) > JUMP * scale + 10 * linear)
            return true;
    }
    return false;
}

/* Whether the equations are next to the state what they are there: at 0/0 they are not, or have no value at all, whatever their
 * derivatives say. Beyond the end of a root there is nothing to compare; signs of velocities are meant to jump. */
static bool is_continuous(nh_hunt *h, const double *inputs)
{
    nh_flow *f = h->flow;
    double *other = nh_doubles(f->arena, f->size + 1), *at = nh_doubles(f->arena, h->n_roots),
           *there = nh_doubles(f->arena, h->n_roots), *J = nh_doubles(f->arena, h->n_roots * f->size);
    beside(h, inputs, 0, other);
    if (!nh_smooth_at(f, h->G, inputs, at) || !nh_smooth_at(f, h->G, other, there))
        return false;
    if (!nh_smooth_derivatives(f, h->G, inputs, J)) /* none: a corner */
        memset(J, 0, h->n_roots * f->size * sizeof *J);
    for (size_t number = 1; number <= 4 && !f->corners; number++) {
        beside(h, inputs, number, other);
        if (nh_smooth_at(f, h->G, other, there) && jumps(h, J, inputs, other, at, there))
            return false;
    }
    return true;
}

static opinion opinion_at(nh_hunt *h, const double *inputs)
{
    nh_flow *f = h->flow;
    opinion o = {true, NH_UNDECIDED, "the equations of motion are singular there", NULL};
    memcpy(f->inputs, inputs, (f->size + 1) * sizeof *f->inputs);
    bool good = is_continuous(h, inputs) && !(nh_flow_regularity(f, inputs) < 1e-9);
    nh_linearization *l = good ? nh_linearize(f) : NULL;
    if (good)
        o.reason = "the equations of motion have no derivatives there";
    if (l)
        o = (opinion){false, l->verdict, l->reason, l};
    return o;
}

/* ---------------------------------------------------------------- in a family */

/* Whether free variable k makes a difference to the motion. */
static bool matters(const nh_hunt *h, const nh_equilibrium *e, size_t k)
{
    return e->bound[k] || (e->free[k] && nh_taking_part(h->flow)[k]);
}

/* Whether it is proved that what is said of one member is true of all: those that nothing depends on make no difference; with the others no eigenvalue may
 * come to the imaginary axis, where eigenvalues are what decides: with those that are 0, one for each of these variables. */
static bool are_alike(nh_hunt *h, const nh_equilibrium *e, const nh_linearization *l)
{
    size_t count = 0, zeros = 0, on_axis = 0;
    for (size_t k = 0; k < h->flow->size; k++)
        count += matters(h, e, k);
    if (count == 0 || nh_set_has_any(h->flow, e->bound) || !l || l->verdict == NH_UNDECIDED)
        return count == 0;
    for (size_t i = 0; i < l->n_free; i++)
        on_axis += fabs(l->eigenvalues[i].re) <= 20 * l->eigenvalues[i].error;
    return nh_members_alike(h->flow, l, e, &zeros) &&
           (l->verdict == NH_UNSTABLE || (zeros == count && on_axis == count));
}

/* Of those with other verdicts, one that is decided. Where free velocities degenerate, they tell nothing. */
static void compare(nh_hunt *h, nh_equilibrium *e, const double *inputs)
{
    if (nh_hunt_is_degenerate(h, inputs))
        return;
    nh_stability there = opinion_at(h, inputs).verdict;
    if (there == e->verdict || (e->other && (e->other_verdict != NH_UNDECIDED || there == NH_UNDECIDED)))
        return;
    e->other_verdict = there, e->other = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(e->other, inputs, (h->flow->size + 1) * sizeof *inputs);
}

enum { DRAWN = 4 };

/* Among those that were found, where eigenvalues are farthest to both sides, and some that are drawn. */
static void find_other(nh_hunt *h, nh_equilibrium *e)
{
    size_t size = h->flow->size;
    double *inputs = nh_doubles(h->flow->arena, 2 * (size + 1));
    for (size_t i = 0; i < e->n_members; i++)
        compare(h, e, e->members[i]);
    for (size_t k = 0; k < size; k++)
        if (e->free[k] && matters(h, e, k) &&
            nh_extreme_members(h->flow, e, k, h->all->low[k], h->all->high[k], inputs))
            compare(h, e, inputs), compare(h, e, inputs + size + 1);
    for (int member = 0; member < DRAWN && nh_set_has_any(h->flow, e->free); member++)
        compare(h, e, nh_family_member(h, e).inputs);
}

/* "...; others of the family are unstable, as that with v = -1": a verdict that is not proved for all is that of the member that is shown. */
static void tell_others(nh_hunt *h, nh_equilibrium *e)
{
    static const char *const names[] = {"stable", "unstable", "undecided"};
    const double *inputs = e->other ? e->other : e->inputs;
    nh_text out;
    bool any = false;
    nh_text_init(&out, h->flow->arena);
    nh_text_str(&out, e->reason);
    if (e->other)
        nh_text_format(&out, "; others of the family are %s, as that with ", names[e->other_verdict]);
    else
        nh_text_str(&out, nh_set_has_any(h->flow, e->bound)
                              ? "; others of the family may differ"
                              : "; others of the family may differ from that with ");
    for (size_t k = 0; k < h->flow->size; k++)
        if (matters(h, e, k) && (e->other || !nh_set_has_any(h->flow, e->bound))) {
            nh_text_format(&out, "%s%s = ", any ? ", " : "", h->flow->names[k]);
            nh_text_short(&out, inputs[1 + k], 6);
            any = true;
        }
    e->reason = nh_text_get(&out);
}

/* Where the constraints depend on each other the directions that they leave are any in which they are looked at: x'*y'*z' = 0 at rest. What was
 * found is then a motion for some of them. */
static void doubt_singular(nh_hunt *h, nh_equilibrium *e)
{
    if (!(nh_flow_independence(h->flow, e->inputs) < 1e-9) || nh_family_is_everywhere(h->flow, e))
        return;
    e->found = NH_TESTED, e->within = 0;
    e->reason = "the constraints are singular there: rest is one of the motions that they admit, and need "
                "not be the only one; nor are these the only such states";
}

void nh_equilibrium_judge(nh_hunt *h, nh_equilibrium *e)
{
    opinion first = opinion_at(h, e->inputs);
    if (first.singular && nh_set_has_any(h->flow, e->free)) {
        const nh_equilibrium any = nh_family_member(h, e);
        opinion o = opinion_at(h, any.inputs);
        if (!o.singular)
            first = o, memcpy(e->inputs, any.inputs, (h->flow->size + 1) * sizeof *any.inputs);
    }
    e->singular = first.singular, e->verdict = first.verdict, e->reason = first.reason;
    if (first.singular && (h->flow->second || !h->flow->eq->model->psi))
        doubt_singular(h, e);
    e->alike = are_alike(h, e, first.l);
    if (e->alike)
        return;
    find_other(h, e);
    tell_others(h, e);
}
