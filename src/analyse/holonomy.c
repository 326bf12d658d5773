/* How far the constraints can be integrated. */
#include "analyse/holonomy.h"

#include "analyse/flag.h"
#include "analyse/functions.h"

#include <string.h>

/* For all that is said here. */
static const double SECONDS = 3, SECONDS_FOR_JUMPS = 0.1;

enum { LONGEST = 120 }; /* of a condition, in bytes */

static const char *format3(nh_equations *eq, const char *a, const char *b, const char *c)
{
    nh_text text;
    nh_text_init(&text, &eq->arena);
    nh_text_format(&text, "%s%s%s", a, b, c);
    return nh_text_get(&text);
}

static nh_fact *find_fact(nh_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->items[i].name, name) == 0)
            return &facts->items[i];
    return NULL;
}

/* ---------------------------------------------------------------- affine constraints */

enum { MOST_ROWS = 4 };

/* Where the constraints as they are given may depend on each other, of which psi may know nothing: x z' = x y x' leaves z' = y x'.
 * NH_EXPR_NONE: nowhere. False: not found. */
static bool find_condition(nh_space *space, nh_expr *condition)
{
    nh_equations *eq = space->eq;
    size_t rank = 0, count = eq->r * eq->n;
    nh_expr *C_i = nh_arena_array(&eq->arena, count + 1, sizeof *C_i);
    *condition = NH_EXPR_NONE;
    if (!eq->model->r)
        return true;
    if (!eq->second.C_i || eq->r > MOST_ROWS || nh_is_long(eq, eq->second.C_i, count) || nh_is_late(space))
        return false;
    nh_put_given(eq, eq->second.C_i, count, C_i);
    for (size_t i = 0; i < count; i++)
        if (!C_i[i])
            return false;
    return nh_matrix_rank(&space->algebra, eq->r, eq->n, C_i, &rank, condition) && rank == eq->r;
}

typedef struct singular_states {
    bool none;         /* proved */
    nh_expr condition; /* = 0, where there are some; NH_EXPR_NONE: it was not found */
    bool known;        /* of the flag: */
    nh_expr drops;     /* = 0, where it has fewer dimensions; NH_EXPR_NONE: nowhere */
} singular_states;

static singular_states find_singular(const nh_flag *flag, const nh_fact *regular)
{
    nh_space *space = flag->space;
    singular_states s = {0};
    s.known = nh_flag_drops(flag, &s.drops);
    bool found = find_condition(space, &s.condition), refuted = regular && regular->verdict == NH_REFUTED;
    s.none = (found && !s.condition) || (regular && regular->verdict == NH_PROVED);
    s.condition = refuted ? s.condition : NH_EXPR_NONE;
    return s;
}

/* "x - 1", or NULL where that is too long. */
static const char *short_text(nh_space *space, nh_expr condition)
{
    const char *text = nh_space_text(space, condition, LONGEST + 1);
    return strlen(text) > LONGEST ? NULL : text;
}

/* Of states where the parametric equations have no value, the brackets tell nothing; nor of those where the constraints are singular,
 * and admit more. */
static const char *where_it_drops(const nh_flag *flag, const singular_states *singular)
{
    nh_space *space = flag->space;
    bool poles = nh_space_has_poles(space);
    nh_expr condition = singular->drops, more = singular->condition;
    if (!singular->known)
        return " at almost all states";
    if (!condition && singular->none)
        return poles ? " at every state where psi is defined" : " at every state";
    const char *text = condition ? short_text(space, condition) : NULL,
               *other = more && more != condition ? short_text(space, more) : NULL,
               *less = !text ? ""
                             : format3(space->eq, ", less at most where ", text,
                                       poles ? " = 0, or psi is not defined" : " = 0");
    if (!condition && !other)
        return " at almost all states";
    if (!other || (text && strcmp(text, other) == 0))
        return format3(space->eq, " at almost all states", less, "");
    return format3(space->eq, format3(space->eq, " at almost all states", less, text ? "; " : ": "),
                   "the constraints are singular where ", format3(space->eq, other, " = 0", ""));
}

/* What is true at one state is true at almost all: the fields are the same functions everywhere, and nowhere more is admitted. */
static bool is_analytic(nh_space *space, const nh_facts *facts)
{
    nh_equations *eq = space->eq;
    bool *varies = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *varies);
    for (size_t i = 0; i < space->n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, space->variables[i], &index);
        varies[index] = true;
    }
    return !facts->half_singular && nh_is_analytic(&space->algebra, space->X, space->m * space->n, varies);
}

/* The growth vector, of what, and where. */
static nh_fact growth_fact(const nh_flag *flag, const nh_facts *facts, const singular_states *singular)
{
    nh_equations *eq = flag->space->eq;
    const char *vector = nh_flag_text(flag),
               *of = flag->space->timed ? " with the time as a coordinate," : "";
    if (!flag->complete)
        return (nh_fact){"growth-vector", NH_NOT_KNOWN,
                         format3(eq, vector, of, ": more brackets are beyond the limits")};
    const char *where = is_analytic(flag->space, facts)
                            ? where_it_drops(flag, singular)
                            : " where it was tested: a root of a square, or another function with a corner, "
                              "may make it another elsewhere";
    if (nh_positional(eq))
        where =
            " at almost all states, for almost all values of the functions that the positions keep constant";
    return (nh_fact){"growth-vector", flag->proved ? NH_PROVED : NH_TESTED, format3(eq, vector, of, where)};
}

/* "completely non-holonomic, growth vector (2,3); ..." in front of what is known. */
static void tell_more(const nh_flag *flag, const singular_states *singular, nh_fact *holonomic)
{
    const char *kind = flag->rank == flag->n ? "completely non-holonomic" : "partly integrable";
    bool refuted = holonomic->verdict == NH_REFUTED;
    if (!flag->complete || !flag->proved || nh_positional(flag->space->eq) || refuted != (flag->steps > 1))
        return;
    nh_text text;
    nh_text_init(&text, &flag->space->eq->arena);
    nh_text_format(&text, "%s, growth vector %s%s; %s", refuted ? kind : "integrable", nh_flag_text(flag),
                   !refuted && singular->condition ? ", where the constraints are independent" : "",
                   holonomic->detail);
    holonomic->detail = nh_text_get(&text);
}

/* ---------------------------------------------------------------- with the parameters' own values
 *
 * Parameters are symbols, and what is true of almost all of their values need not be of those that they have: z' = a y x' + b x y' can be
 * integrated where a = b. */

/* Whether the flag has fewer dimensions at every state for these values. */
static bool drops_with_values(nh_space *space, nh_expr condition)
{
    nh_expr own;
    return nh_put_own_values(space->eq, &condition, 1, &own) && nh_space_is_zero(space, own) == NH_YES;
}

static const char *kind_of(const nh_flag *flag)
{
    return flag->steps == 1        ? "integrable"
           : flag->rank == flag->n ? "completely non-holonomic"
                                   : "partly integrable";
}

/* Adds to both what holds for the values of the model, where that is an exception. */
static void tell_exception(const nh_flag *flag, const singular_states *singular, nh_fact *holonomic,
                           nh_fact *growth)
{
    nh_space *space = flag->space;
    nh_equations *eq = space->eq;
    nh_expr *X = nh_space_rows(space, space->m);
    if (!singular->known || !singular->drops || nh_positional(eq) ||
        !drops_with_values(space, singular->drops))
        return;
    const char *here = "; that is 0 at every state for the values that the parameters have";
    nh_flag own = {0};
    if (nh_put_own_values(eq, space->X, space->m * space->n, X))
        nh_flag_grow(&own, space, space->n, space->m, X, false);
    growth->detail = format3(eq, growth->detail, here, "");
    if (!own.complete || !own.proved)
        return;
    growth->detail = format3(eq, growth->detail, ", and the growth vector ", nh_flag_text(&own));
    holonomic->detail = format3(eq, holonomic->detail, "; but for the values that the parameters have: ",
                                format3(eq, kind_of(&own), ", growth vector ", nh_flag_text(&own)));
}

/* ---------------------------------------------------------------- other constraints */

/* If they could be integrated, r functions of the coordinates would be constant whatever the velocities, and the fields would span
 * r dimensions less than there are. */
static void judge_nonlinear(const nh_flag *flag, nh_fact *holonomic)
{
    nh_equations *eq = flag->space->eq;
    nh_text text;
    if (flag->n - flag->rank >= eq->r || nh_positional(eq)) {
        holonomic->detail = "not decided for these constraints, which are not affine in the velocities";
        return;
    }
    nh_text_init(&text, &eq->arena);
    if (flag->rank == flag->n)
        nh_text_str(
            &text, "no function of the coordinates is constant: the admissible velocities and their brackets "
                   "span all directions");
    else
        nh_text_format(&text,
                       "the admissible velocities and their brackets span at least %zu of %zu directions: %s",
                       flag->rank, flag->n, "too few functions of the coordinates can be constant");
    holonomic->verdict = NH_REFUTED;
    holonomic->detail = nh_text_get(&text);
}

/* ---------------------------------------------------------------- functions that stay constant */

static const char *list_of(nh_space *space, const nh_expr *f, size_t count)
{
    nh_text text;
    nh_text_init(&text, &space->eq->arena);
    for (size_t i = 0; i < count; i++) {
        nh_text_str(&text, i ? ", " : "");
        nh_expr_print(&text, &space->eq->pool, f[i], LONGEST);
    }
    return nh_text_get(&text);
}

/* ", between jumps as where y = 0", for each of several that jump; the least that is known of any of them. */
static nh_verdict tell_jumps(nh_space *space, const nh_expr *f, size_t count, nh_text *text)
{
    nh_equations *eq = space->eq;
    nh_verdict worst = NH_PROVED;
    for (size_t i = 0; i < count; i++) {
        nh_expr where;
        nh_verdict verdict = nh_equations_jump(eq, f[i], SECONDS_FOR_JUMPS, &where);
        worst = verdict == NH_TESTED ? NH_TESTED : worst;
        if (verdict != NH_REFUTED)
            continue;
        nh_text_format(text, count > 1 ? "; %s" : ",%s", count > 1 ? list_of(space, f + i, 1) : "");
        nh_text_str(text, " between jumps, as where ");
        nh_expr_print(text, &eq->pool, where, LONGEST);
        nh_text_str(text, " = 0");
    }
    nh_text_str(text, worst == NH_TESTED ? "; jumps that were not found are not excluded" : "");
    return worst;
}

/* Where the brackets span s of n dimensions, n - s functions are constant near almost every state. */
static void judge_constant(const nh_flag *flag, nh_facts *facts, size_t at)
{
    nh_space *space = flag->space;
    size_t wanted = flag->n - flag->rank;
    nh_expr *f = nh_space_rows(space, 1);
    size_t found = flag->complete && wanted ? nh_find_constant(space, wanted, f) : 0;
    nh_text text;
    nh_text_init(&text, &space->eq->arena);
    nh_verdict verdict = found ? NH_PROVED : NH_NOT_KNOWN;
    if (found) {
        nh_text_format(&text, "%s: constant by the constraints %s", list_of(space, f, found),
                       facts->half_singular ? "where these are independent" : "alone");
        verdict = facts->half_singular ? NH_TESTED : tell_jumps(space, f, found, &text);
    }
    if (found && found < wanted && flag->proved)
        nh_text_format(&text, "; near almost every state there %s %zu more",
                       wanted - found == 1 ? "is" : "are", wanted - found);
    if (!found && flag->complete && flag->proved)
        nh_text_format(&text, "none was found; near almost every state there %s %zu",
                       wanted == 1 ? "is" : "are", wanted);
    if (wanted && text.length)
        nh_fact_insert(space->eq, facts, at, (nh_fact){"constant-functions", verdict, nh_text_get(&text)});
}

/* ---------------------------------------------------------------- all of it */

static void tell(nh_space *space, nh_facts *facts, nh_fact *holonomic)
{
    nh_equations *eq = space->eq;
    size_t at = (size_t)(holonomic - facts->items) + 1;
    nh_flag flag;
    nh_flag_grow(&flag, space, space->n, space->m, space->X, false);
    if (!nh_is_affine(eq)) {
        judge_nonlinear(&flag, holonomic);
        nh_fact_insert(eq, facts, at,
                       (nh_fact){"growth-vector", NH_NOT_KNOWN,
                                 "defined for constraints that are affine in the velocities"});
        return;
    }
    flag.proved = flag.proved && is_analytic(space, facts);
    singular_states singular = find_singular(&flag, find_fact(facts, "regular"));
    nh_fact growth = growth_fact(&flag, facts, &singular);
    tell_more(&flag, &singular, holonomic);
    tell_exception(&flag, &singular, holonomic, &growth);
    judge_constant(&flag, facts, at);
    nh_fact_insert(eq, facts, at, growth);
}

void nh_holonomy_facts(nh_equations *eq, nh_facts *facts)
{
    nh_space space;
    nh_fact *holonomic = find_fact(facts, "holonomic");
    if (!holonomic || eq->r == 0 || nh_positional(eq) == eq->r)
        return;
    const char *reason = nh_space_init(&space, eq, SECONDS);
    if (reason) {
        size_t behind = (size_t)(holonomic - facts->items) + 1;
        nh_fact_insert(eq, facts, behind, (nh_fact){"growth-vector", NH_NOT_KNOWN, reason});
        return;
    }
    tell(&space, facts, holonomic);
    nh_space_free(&space);
}
