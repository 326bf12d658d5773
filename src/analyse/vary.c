#include "analyse/vary.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void *wrong(const nh_flow *f, const char *hint, const char *message)
{
    nh_report(&f->eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, hint, "%s", message);
    return NULL;
}

/* That something was not found. */
static void *report(nh_flow *f, const char *hint, const char *message)
{
    f->lost = true;
    return wrong(f, hint, message);
}

static double value_of(const nh_flow *f, const double *values, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&f->eq->pool, symbol, &index);
    return values[index];
}

/* What is held, and what is varied if it is no parameter. */
static bool settle(const nh_base_point *place, nh_given given, const double *values)
{
    nh_flow *f = place->flow;
    nh_expr *symbols = nh_arena_array(f->arena, place->n_held + given.count + 1, sizeof *symbols);
    double *numbers = nh_doubles(f->arena, place->n_held + given.count);
    size_t count = 0;
    for (size_t i = 0; i < place->n_held + given.count; i++) {
        nh_expr symbol = i < place->n_held ? place->held[i] : given.symbols[i - place->n_held];
        uint32_t index = 0;
        nh_is_symbol(&f->eq->pool, symbol, &index);
        if (f->eq->model->roles[index].role != NH_ROLE_PARAMETER)
            symbols[count] = symbol, numbers[count++] = value_of(f, values, symbol);
    }
    return nh_settle(f, symbols, numbers, count);
}

nh_linearization *nh_linearize_at(const nh_base_point *place, nh_given given)
{
    nh_flow *f = place->flow;
    double *values = nh_start_state_with(f->eq, place->project, given);
    if (!values)
        return NULL;
    if (!nh_flow_put(f, values))
        return wrong(f, "give the parameters values in 'parameters', or with --set",
                     "the state has no value");
    if (place->settle && !settle(place, given, values))
        return report(f, "give other values with --at: those given are held",
                      "no steady motion was found near this state");
    nh_linearization *l = nh_linearize(f);
    return l ? l
             : report(f, "give another state with --at", "the equations have no derivatives at this state");
}

/* ---------------------------------------------------------------- eigenvalues followed */

static double distance(nh_eigenvalue a, nh_eigenvalue b) { return hypot(a.re - b.re, a.im - b.im); }

/* Where eigenvalue k would be, as it went on in the last two rows. */
static nh_eigenvalue expected(const nh_locus *locus, size_t k)
{
    const nh_locus_row *last = &locus->rows[locus->count - 1];
    nh_eigenvalue e = last->eigenvalues[k];
    if (locus->count > 1) {
        nh_eigenvalue before = last[-1].eigenvalues[k];
        e.re += e.re - before.re, e.im += e.im - before.im;
    }
    return e;
}

/* The closest pair first, then the closest of the others. */
static void follow(const nh_locus *locus, nh_arena *arena, nh_eigenvalue *values)
{
    size_t n = locus->n;
    nh_eigenvalue *out = nh_arena_array(arena, n + 1, sizeof *out);
    bool *taken = nh_arena_array(arena, n + 1, sizeof *taken),
         *placed = nh_arena_array(arena, n + 1, sizeof *placed);
    for (size_t step = 0; step < n && locus->count; step++) {
        size_t from = 0, to = 0;
        double least = INFINITY;
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < n && !placed[k]; i++)
                if (!taken[i] && distance(expected(locus, k), values[i]) < least)
                    least = distance(expected(locus, k), values[i]), from = i, to = k;
        out[to] = values[from], placed[to] = taken[from] = true;
    }
    if (locus->count)
        memcpy(values, out, n * sizeof *values);
}

/* ---------------------------------------------------------------- where the verdict changes */

static double growth_of(const nh_eigenvalue *e, size_t count)
{
    double largest = -INFINITY;
    for (size_t k = 0; k < count; k++)
        if (e[k].re != 0 || e[k].im != 0)
            largest = fmax(largest, e[k].re);
    return largest;
}

static double growth(const nh_linearization *l) { return growth_of(l->eigenvalues, l->n_free); }

/* Which side of a change a state is on. */
typedef struct side {
    enum { BY_VERDICT, BY_GROWTH, BY_DECAY } how;
    nh_stability before; /* BY_VERDICT */
    size_t zeros;        /* BY_DECAY: those that there are beside the change */
} side;

/* An eigenvalue that passes through 0 is taken as 0 for a while: there is neither growth nor decay. */
static bool is_on(const nh_linearization *l, side s)
{
    if (s.how == BY_VERDICT)
        return l->verdict == s.before;
    return s.how == BY_GROWTH ? growth(l) > 0 : growth(l) < 0 && l->zeros <= s.zeros;
}

enum { HALVINGS = 60 };

/* Where the answer for a is no longer given, between a and b; *none: it is the same for b, as where one of them is the very place of the change. NAN:
 * reported. */
static double edge(const nh_base_point *place, const nh_range *range, side s, double a, double b, bool *none)
{
    nh_linearization *l = nh_linearize_at(place, (nh_given){&range->symbol, &b, 1});
    bool at_b = l && is_on(l, s);
    l = l ? nh_linearize_at(place, (nh_given){&range->symbol, &a, 1}) : NULL;
    bool at_a = l && is_on(l, s);
    *none = at_a == at_b;
    double from = a, to = b;
    for (int k = 0; k < HALVINGS && l; k++) {
        double middle = a + (b - a) / 2;
        if (middle == a || middle == b)
            break;
        l = nh_linearize_at(place, (nh_given){&range->symbol, &middle, 1});
        if (l && is_on(l, s) == at_a)
            a = middle;
        else
            b = middle;
    }
    double middle = a + (b - a) / 2, last = fabs(to - from) * 4 * DBL_EPSILON;
    return !l ? NAN : fabs(middle - from) <= last ? from : fabs(middle - to) <= last ? to : middle;
}

static bool find_change(const nh_base_point *place, const nh_range *range, nh_locus *locus,
                        const nh_locus_row *last, const nh_locus_row *now)
{
    nh_stability before = last->verdict, behind = now->verdict;
    double a = growth_of(last->eigenvalues, locus->n), b = growth_of(now->eigenvalues, locus->n);
    bool crosses =
        fmax(a, b) > 0 && fmin(a, b) < -1e-9 * fmax(a, b); /* not where it stays on the axis on one side */
    size_t zeros = last->zeros < now->zeros ? last->zeros : now->zeros;
    side one = {.how = crosses ? BY_GROWTH : BY_VERDICT, .before = before},
         other = {.how = crosses ? BY_DECAY : BY_VERDICT, .before = before, .zeros = zeros};
    bool no_growth, no_decay = true;
    a = edge(place, range, one, last->value, now->value, &no_growth);
    b = crosses ? edge(place, range, other, last->value, now->value, &no_decay) : a;
    a = no_growth && !no_decay ? b : a, b = no_decay ? a : b;
    nh_push(place->flow->arena, locus->changes, locus->n_changes, locus->changes_capacity) =
        (nh_change){a + (b - a) / 2, before, behind};
    return isfinite(a) && isfinite(b);
}

/* ---------------------------------------------------------------- the rows */

enum { DEFAULT_STEPS = 100, MOST_STEPS = 100000 };

static bool add_row(const nh_base_point *place, const nh_range *range, nh_locus *locus, double value)
{
    nh_arena *arena = place->flow->arena;
    nh_linearization *l = nh_linearize_at(place, (nh_given){&range->symbol, &value, 1});
    if (!l)
        return false;
    if (locus->count && l->n_free != locus->n)
        return report(place->flow, "vary it within a smaller range",
                      "the number of eigenvalues changes on the way") != NULL;
    locus->n = l->n_free;
    follow(locus, arena, l->eigenvalues);
    nh_locus_row row = {value, l->eigenvalues, l->zeros, l->verdict, l->steady};
    const nh_locus_row *last = locus->count ? &locus->rows[locus->count - 1] : NULL;
    if (last && last->steady && row.steady && last->verdict != row.verdict &&
        !find_change(place, range, locus, last, &row))
        return false;
    nh_push(arena, locus->rows, locus->count, locus->capacity) = row;
    return true;
}

nh_locus *nh_vary(const nh_base_point *place, const nh_range *range)
{
    nh_flow *f = place->flow;
    double from = nh_flow_number(f, range->from), to = nh_flow_number(f, range->to),
           steps = range->steps ? nh_flow_number(f, range->steps) : DEFAULT_STEPS;
    nh_locus *locus = nh_arena_array(f->arena, 1, sizeof *locus);
    *locus = (nh_locus){.name = range->name};
    if (!isfinite(from) || !isfinite(to) || !(steps >= 1 && steps <= MOST_STEPS && steps == floor(steps)))
        return wrong(f, "write --vary v=0:10:100: from, to and the number of steps, at most 100000",
                     "the range of --vary is none");
    for (size_t k = 0; k <= (size_t)steps; k++)
        if (!add_row(place, range, locus, k == (size_t)steps ? to : from + (to - from) * ((double)k / steps)))
            return NULL;
    return locus;
}
