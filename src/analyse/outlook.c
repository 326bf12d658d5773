#include "analyse/outlook.h"
#include "analyse/equilibria.h"
#include "analyse/hunt.h"
#include "analyse/integrals.h"

#include <math.h>
#include <string.h>

static void add(nh_equations *eq, nh_facts *facts, const char *name, nh_verdict verdict, const char *detail)
{
    nh_push(&eq->arena, facts->items, facts->count, facts->capacity) = (nh_fact){name, verdict, detail};
}

/* By the size of the formulas, so that the table is the same on every machine. */
enum { MOST_OPERATIONS = 400, MOST_VARIABLES = 12 };

static bool is_small(nh_equations *eq)
{
    nh_arena *scratch = &eq->context->arena;
    return eq->first.psi && eq->n + eq->m <= MOST_VARIABLES &&
           !nh_has_solve(&eq->pool, scratch, eq->first.Z_upper, eq->m) &&
           nh_count_operations(&eq->pool, scratch, eq->first.Z_upper, eq->m) <= MOST_OPERATIONS;
}

/* ---------------------------------------------------------------- integrals */

enum { LONGEST = 100 };

static void name_integral(nh_equations *eq, nh_text *out, const nh_integral *i)
{
    nh_text value;
    nh_text_init(&value, &eq->arena);
    nh_expr_print(&value, &eq->pool, i->value, 0);
    if (out->length)
        nh_text_str(out, "; ");
    if (i->meaning)
        nh_text_str(out, i->meaning);
    else if (value.length <= LONGEST)
        nh_text_str(out, nh_text_get(&value));
    else
        nh_text_format(out, "one of degree %zu in the velocities", i->degree);
}

static void add_integrals(nh_equations *eq, nh_facts *facts)
{
    const nh_integrals *found = nh_find_integrals(eq, &(nh_search_options){.degree = 2, .max_seconds = 1});
    nh_text out;
    nh_verdict weakest = NH_PROVED;
    nh_text_init(&out, &eq->arena);
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].verdict == NH_NOT_KNOWN)
            continue;
        name_integral(eq, &out, &found->items[i]);
        weakest = found->items[i].verdict > weakest ? found->items[i].verdict : weakest;
    }
    if (out.length)
        add(eq, facts, "first-integrals", weakest, nh_text_get(&out));
}

/* ---------------------------------------------------------------- rest */

/* "theta = pi, x = 0": the coordinates that are not free, and velocities that are not 0 (an angle may be one). */
static bool name_variables(const nh_flow *f, nh_text *out, const nh_equilibrium *e)
{
    bool any = false;
    for (size_t k = 0; k < f->size; k++) {
        if (e->free[k] || (k >= f->n && fabs(e->inputs[1 + k]) < 1e-9))
            continue;
        nh_text_format(out, "%s%s = ", any ? ", " : "", f->names[k]);
        if (e->exact)
            nh_expr_print(out, &f->eq->pool, e->exact[k], 60);
        else if (fabs(e->inputs[1 + k]) < 0.01)
            nh_text_short(out, e->inputs[1 + k], 4);
        else
            nh_text_double(out, round(e->inputs[1 + k] * 1e6) / 1e6 + 0.0);
        any = true;
    }
    return any;
}

static const char *name_verdict(nh_stability verdict)
{
    return verdict == NH_STABLE ? "stable" : verdict == NH_UNSTABLE ? "unstable" : "undecided";
}

/* What is said of one member of a family, where it is not proved for all, is not said of all. */
static void name_state(const nh_flow *f, nh_text *out, const nh_equilibrium *e)
{
    nh_text_str(out, out->length ? "; " : "");
    bool any = name_variables(f, out, e);
    nh_text_format(out, "%s (%s", any ? "" : "everywhere",
                   e->singular ? "singular" : name_verdict(e->verdict));
    if (!e->singular && !e->alike && e->other)
        nh_text_format(out, ", others of the family %s", name_verdict(e->other_verdict));
    else if (!e->singular && !e->alike && e->verdict != NH_UNDECIDED)
        nh_text_str(out, ", others of the family may differ");
    else if (!e->singular && nh_set_has_any(f, e->bound))
        nh_text_str(out, ", one of a family");
    nh_text_char(out, ')');
}

/* A state of rest may be the only place where the constraints depend on each other: then they are not regular, which random states
 * do not tell. */
static void refute_regular(nh_flow *f, nh_facts *facts, const nh_equilibrium *e)
{
    double *slopes = nh_doubles(f->arena, f->eq->r * f->eq->n);
    nh_text out;
    if (!e->singular || !(nh_flow_independence(f, e->inputs) < 1e-9) ||
        !nh_smooth_at(f, f->slopes, e->inputs, slopes))
        return;
    nh_text_init(&out, &f->eq->arena);
    nh_text_str(&out, "singular at ");
    bool any = name_variables(f, &out, e);
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->items[i].name, "regular") == 0 && facts->items[i].verdict == NH_TESTED)
            facts->items[i] =
                (nh_fact){"regular", NH_REFUTED, any ? nh_text_get(&out) : "singular at every state of rest"};
}

/* "; there may be others", and where was searched, but for angles, all around which it was. */
static void tell_box(nh_flow *f, nh_text *out, const nh_equilibria *all)
{
    bool *shown = nh_arena_array(f->arena, f->size + 1, sizeof *shown);
    for (size_t k = 0; k < f->n; k++) {
        bool turn = f->angle[k] && all->high[k] - all->low[k] > 2 * acos(-1) - 1e-9;
        for (size_t i = 0; i < all->count && !turn; i++)
            shown[k] = shown[k] || !all->items[i].free[k];
    }
    if (nh_set_has_any(f, shown)) {
        nh_text_str(out, "; searched within ");
        nh_box_print(out, f, all, shown);
    }
    nh_text_str(out, "; there may be others");
}

enum { SEARCHES = 60, SHOWN = 4 };

/* One list: the states, and what makes them fewer or more. */
static void name_all(const nh_equilibria *all, nh_facts *facts, nh_text *out, nh_verdict *weakest)
{
    nh_flow *f = all->flow;
    for (size_t i = 0; i < all->count; i++) {
        if (i < SHOWN)
            name_state(f, out, &all->items[i]);
        *weakest = all->items[i].found > *weakest ? all->items[i].found : *weakest;
        refute_regular(f, facts, &all->items[i]);
    }
    if (all->count > SHOWN)
        nh_text_format(out, "; and %zu more", all->count - SHOWN);
}

static void add_rest(nh_equations *eq, nh_facts *facts)
{
    nh_flow *f = nh_flow_new(eq);
    nh_text out;
    nh_verdict weakest = NH_PROVED;
    const char *without;
    if (!nh_flow_put_parameters(f, &without))
        return;
    const nh_equilibria *all = nh_find_equilibria(&f, false, SEARCHES);
    nh_text_init(&out, &eq->arena);
    for (const nh_equilibria *part = all; part; part = part->more)
        name_all(part, facts, &out, &weakest);
    if (all->count && nh_set_has_any(f, all->jumps))
        nh_text_str(&out, "; and what dry friction holds: sign(0) is 0 here");
    if (all->count && nh_set_has_any(f, all->vertex))
        nh_text_str(&out, "; the constraints are singular at rest, as a cone is at its vertex");
    if (all->count && !all->complete)
        tell_box(f, &out, all);
    if (all->count)
        add(eq, facts, "states-of-rest", weakest, nh_text_get(&out));
}

void nh_outlook_facts(nh_equations *eq, nh_facts *facts)
{
    if (!is_small(eq) || nh_constraints_depend(eq))
        return;
    add_integrals(eq, facts);
    add_rest(eq, facts);
}
