/* Which equations are independent, which follow from the others, and which contradict them. Linear and affine ones
 * by elimination modulo a prime; where positions or non-linear equations single out a set of states, or residues do
 * not tell, at states found in doubles. */
#include "model/reader.h"
#include "model/solve.h"

#include <math.h>

typedef enum together { NOWHERE, ALONE_NOWHERE, SOMEWHERE } together;

/* Refuses an equation that does not go together with the others, or not even with itself. */
static void contradiction(nh_reader *reader, nh_equation *equation, together where, const char *how)
{
    static const char *const texts[] = {
        [NOWHERE] = "the others: they never hold together",
        [ALONE_NOWHERE] = "itself: it never holds",
        [SOMEWHERE] = "the others: they hold together at special positions, or for special parameters, only",
    };
    equation->dropped = true;
    nh_wrong(reader, equation->keyword,
             where == SOMEWHERE
                 ? "if that is meant, write what follows for the positions as a constraint, or leave one out"
                 : NULL,
             "%s contradicts %s%s", nh_place_of(reader, &equation->constraint), texts[where], how);
}

/* Whether there is a state where equation a and those before it hold. */
static together hold_together(nh_reader *reader, size_t a)
{
    nh_solver s;
    nh_solver_init(&s, reader);
    for (size_t b = 0; b <= a; b++)
        if (!reader->equations[b].dropped)
            nh_solver_add_constraint(&s, &reader->equations[b].constraint);
    for (int i = 0; i < NH_STARTS; i++)
        if (nh_solver_find(&s) == NH_FOUND)
            return SOMEWHERE;
    return NOWHERE;
}

bool nh_is_affine_row(const nh_equation *equation)
{
    return !equation->dropped &&
           (equation->constraint.kind == NH_LINEAR || equation->constraint.kind == NH_AFFINE);
}

bool nh_is_position_row(const nh_equation *equation)
{
    return !equation->dropped && equation->constraint.kind == NH_POSITIONAL;
}

/* By equation, what an affine one says to those of positions and to those before it. False: residues do not tell. */
static bool eliminate_affine(nh_reader *reader, nh_row *found)
{
    size_t n = reader->model->n;
    nh_elimination *e = nh_elimination_new(reader->modular, &reader->context->arena, n);
    nh_expr *row = nh_arena_array(&reader->context->arena, n + 1, sizeof *row);
    bool told = true;
    for (size_t a = 0; a < reader->n_equations; a++) {
        found[a] = NH_ROW_INDEPENDENT;
        if (nh_is_position_row(&reader->equations[a]))
            nh_affine_row(reader, &reader->equations[a].constraint, row), nh_elimination_add(e, row);
    }
    for (size_t a = 0; a < reader->n_equations && told; a++) {
        if (!nh_is_affine_row(&reader->equations[a]))
            continue;
        nh_affine_row(reader, &reader->equations[a].constraint, row);
        found[a] = nh_elimination_add(e, row);
        told = found[a] != NH_ROW_UNDECIDED;
    }
    return told;
}

/* Affine equations: at almost all (q,t) it is linear algebra. What follows from those alone does so whatever the others say, but
 * whether they go together with others is another question. UNDECIDED where there are such, or residues do not tell. */
static nh_row settle_affine(nh_reader *reader)
{
    nh_row *found = nh_arena_array(&reader->context->arena, reader->n_equations, sizeof *found);
    bool all = true;
    for (size_t a = 0; a < reader->n_equations; a++)
        all = all && (reader->equations[a].dropped || nh_is_affine_row(&reader->equations[a]));
    if (!eliminate_affine(reader, found))
        return NH_ROW_UNDECIDED;
    for (size_t a = 0; a < reader->n_equations; a++) {
        if (found[a] == NH_ROW_FOLLOWS)
            nh_settle_dependent(reader, a);
        if (found[a] == NH_ROW_CONTRADICTS && all)
            contradiction(reader, &reader->equations[a], hold_together(reader, a), "");
    }
    return all ? NH_ROW_INDEPENDENT : NH_ROW_UNDECIDED;
}

/* Equations that go together for some values of the parameters may not do so for those given: a linkage with bars
 * that are too short to be closed. */
static void check_values(nh_reader *reader, nh_solver *s)
{
    int stuck = 0;
    s->always_as_given = true;
    for (int i = 0; i < 2 * NH_STARTS; i++) {
        s->holds = i >= NH_STARTS; /* some unknowns, at last */
        nh_found found = nh_solver_find(s);
        if (found == NH_FOUND)
            return;
        stuck += found == NH_STUCK && !s->holds;
    }
    if (4 * stuck >= 3 * NH_STARTS)
        nh_warn(reader, reader->equations[0].keyword, NULL,
                "with the values of the parameters the constraints never hold together (tested in numbers)");
}

/* All at once: a state that satisfies all of them, with independent derivatives, settles it. */
static bool all_independent(nh_reader *reader)
{
    nh_solver s;
    nh_solver_init(&s, reader);
    size_t r = 0;
    for (size_t a = 0; a < reader->n_equations; a++)
        if (!reader->equations[a].dropped)
            nh_solver_add_constraint(&s, &reader->equations[a].constraint), r++;
    for (int i = 0; i < NH_STARTS; i++)
        if (nh_solver_find(&s) == NH_FOUND && nh_solver_rank(&s, NH_NO_ROW, NULL) == r) {
            if (!s.as_given)
                check_values(reader, &s);
            return true;
        }
    return nh_solver_has_rank_on_a_side(&s, r, NULL);
}

/* What an equation says: of the positions, or of the velocities. */
static nh_expr statement_of(const nh_constraint *c) { return c->position ? c->position : c->C; }

/* Whether equation a holds wherever all the others do, and they have this rank without it. */
static bool follows(nh_reader *reader, size_t a, size_t rank)
{
    nh_solver s;
    nh_solver_init(&s, reader);
    for (size_t b = 0; b < reader->n_equations; b++)
        if (b != a && !reader->equations[b].dropped)
            nh_solver_add_constraint(&s, &reader->equations[b].constraint);
    return nh_solver_vanishes(&s, statement_of(&reader->equations[a].constraint)) == NH_YES &&
           nh_solver_rank(&s, NH_NO_ROW, NULL) == rank;
}

/* Marks the equations that add nothing to the rank at a state where all of them hold. */
static bool find_candidates(nh_reader *reader, bool *candidate, size_t *rank)
{
    nh_solver s;
    size_t *row = nh_arena_array(&reader->context->arena, reader->n_equations, sizeof *row);
    nh_solver_init(&s, reader);
    for (size_t a = 0; a < reader->n_equations; a++)
        if (!reader->equations[a].dropped)
            nh_solver_add_constraint(&s, &reader->equations[a].constraint), row[a] = s.count - 1;
    nh_found found = NH_LOST;
    for (int i = 0; i < NH_STARTS && found != NH_FOUND; i++)
        found = nh_solver_find(&s);
    *rank = found == NH_FOUND ? nh_solver_rank(&s, NH_NO_ROW, NULL) : 0;
    for (size_t a = 0; found == NH_FOUND && a < reader->n_equations; a++)
        candidate[a] = !reader->equations[a].dropped && nh_solver_rank(&s, row[a], NULL) == *rank;
    return found == NH_FOUND;
}

/* Whether the one equation is tried before the other, behind which it stands: a position equation includes its derivative, x' = y' includes
 * x'^2 = y'^2, and x = y includes x^2 = y^2, and not the reverse. */
static bool is_tried_before(const nh_reader *reader, const nh_constraint *later, const nh_constraint *earlier)
{
    nh_arena *scratch = &reader->context->arena;
    nh_expr a = statement_of(later), b = statement_of(earlier);
    if (later->kind != earlier->kind)
        return later->kind > earlier->kind;
    return nh_count_operations(reader->pool, scratch, &a, 1) >=
           nh_count_operations(reader->pool, scratch, &b, 1);
}

/* All equations, those that are not simple first; of two that are alike the later one. */
static size_t *in_order_of_dropping(nh_reader *reader)
{
    size_t *order = nh_arena_array(&reader->context->arena, reader->n_equations + 1, sizeof *order);
    for (size_t a = 0; a < reader->n_equations; a++) {
        size_t place = a;
        for (; place > 0 && is_tried_before(reader, &reader->equations[a].constraint,
                                            &reader->equations[order[place - 1]].constraint);
             place--)
            order[place] = order[place - 1];
        order[place] = a;
    }
    return order;
}

/* Drops what follows from the rest. Simple equations stay; of two that include each other the first. */
static void drop_what_follows(nh_reader *reader)
{
    bool *found = nh_arena_array(&reader->context->arena, reader->n_equations, sizeof *found);
    size_t rank;
    if (!find_candidates(reader, found, &rank))
        return;
    const size_t *order = in_order_of_dropping(reader);
    for (size_t k = 0; k < reader->n_equations; k++) {
        nh_equation *equation = &reader->equations[order[k]];
        if (found[order[k]])
            equation->dropped = found[order[k]] = follows(reader, order[k], rank);
    }
    for (size_t a = 0; a < reader->n_equations; a++)
        if (found[a])
            nh_drop_equation(reader, &reader->equations[a], "follows from the others (tested in numbers)");
}

typedef enum joined { JOINS, NEVER_HOLDS, NEVER_REGULAR, UNCLEAR } joined;

/* Whether the solver's equations, the last one included, can hold together and be independent. */
static joined joins(nh_solver *s, size_t rank)
{
    int stuck = 0, dependent = 0;
    for (int i = 0; i < NH_STARTS; i++) {
        nh_found found = nh_solver_find(s);
        if (found == NH_FOUND && nh_solver_rank(s, NH_NO_ROW, NULL) == rank)
            return JOINS;
        stuck += found == NH_STUCK;
        dependent += found == NH_FOUND;
    }
    if (nh_solver_has_rank_on_a_side(s, rank, NULL))
        return JOINS;
    return dependent > 0 ? NEVER_REGULAR : 4 * stuck >= 3 * NH_STARTS ? NEVER_HOLDS : UNCLEAR;
}

/* The same once more with some unknowns held, and far from t = 0, where no state was found: one that is found then counts, and that there is
 * none says nothing. */
static joined joins_at_last(nh_solver *s, size_t rank)
{
    joined how = joins(s, rank);
    if (how == JOINS || how == NEVER_REGULAR)
        return how;
    s->holds = true;
    joined again = joins(s, rank);
    nh_solver_let_go(s);
    s->late = again != JOINS;
    again = s->late ? joins(s, rank) : again;
    nh_solver_let_go(s);
    return again == JOINS ? JOINS : how;
}

/* Whether an equation never holds, whatever the others say. */
static bool never_holds(nh_reader *reader, const nh_constraint *c)
{
    nh_solver s;
    nh_solver_init(&s, reader);
    nh_solver_add_constraint(&s, c);
    return joins_at_last(&s, 1) == NEVER_HOLDS;
}

/* Whether the positions alone contradict each other: the derivative of x^2 + y^2 = -1 - t^2 goes astray where it is solved with it. */
static bool positions_never_hold(nh_reader *reader, size_t a)
{
    nh_solver s;
    nh_solver_init(&s, reader);
    for (size_t b = 0; b <= a; b++)
        if (nh_is_position_row(&reader->equations[b]))
            nh_solver_add(&s, reader->equations[b].constraint.position);
    int stuck = 0;
    for (int i = 0; i < 3 * NH_STARTS; i++) {
        s.late = i >= NH_STARTS;
        s.holds = i >= 2 * NH_STARTS; /* some unknowns, at last */
        nh_found found = nh_solver_find(&s);
        if (found == NH_FOUND)
            return false;
        stuck += found == NH_STUCK && !s.late;
    }
    return s.count > 0 && 4 * stuck >= 3 * NH_STARTS;
}

/* No state was found where an equation, and those before it, hold: why. */
static void tell_nowhere(nh_reader *reader, nh_equation *equation, bool alone)
{
    if (equation->constraint.position && positions_never_hold(reader, (size_t)(equation - reader->equations)))
        contradiction(reader, equation, alone ? ALONE_NOWHERE : NOWHERE, " (tested in numbers)");
    else if (nh_contradict_exactly(reader))
        contradiction(reader, equation, NOWHERE, "");
    else
        nh_warn(reader, equation->keyword, NULL, "no state was found that satisfies this equation%s",
                alone ? "" : " and the others");
}

/* Whether e vanishes also next to the states where the last rows of the solver do: then it only tells one branch of
 * the other equations from another. States where all equations have the rank `fixed`, so that nothing can move there, do not count. */
static bool chooses_branch(nh_solver *s, size_t rows, nh_expr e, size_t fixed)
{
    int zeros = 0, tries = fixed ? 4 * NH_STARTS : NH_STARTS;
    double usual = nh_solver_usual(s, e);
    for (int i = 0; i < tries && zeros < NH_STATES; i++) {
        double value;
        if (nh_solver_find(s) != NH_FOUND || (fixed && nh_solver_rank(s, NH_NO_ROW, NULL) == fixed))
            continue;
        s->count -= rows;
        nh_found found = nh_solver_find_near(s);
        s->count += rows;
        bool zero = nh_solver_is_zero(s, e, usual, 1e-9, &value);
        if (found != NH_FOUND || !isfinite(value))
            continue;
        if (!zero)
            return false;
        zeros++;
    }
    return zeros == NH_STATES;
}

/* One more equation, on the set that those in the solver single out. Returns whether its rank counts. */
static bool settle_next(nh_reader *reader, nh_solver *s, nh_equation *equation, size_t rank)
{
    const nh_constraint *c = &equation->constraint;
    bool affine = c->kind == NH_LINEAR || c->kind == NH_AFFINE, alone = s->count == 0;
    size_t rows = nh_solver_add_constraint(s, c);
    joined how = joins_at_last(s, rank + 1);
    if (how == NEVER_HOLDS)
        contradiction(reader, equation, never_holds(reader, c) ? ALONE_NOWHERE : NOWHERE,
                      " (tested in numbers)");
    else if (how == NEVER_REGULAR && chooses_branch(s, rows, statement_of(c), 0))
        nh_drop_equation(
            reader, equation,
            "follows from the others near all states that satisfy it (tested in numbers): it only chooses "
            "a branch, and so does the start");
    else if (how == NEVER_REGULAR && affine)
        contradiction(reader, equation, SOMEWHERE, " (tested in numbers)");
    else if (how == NEVER_REGULAR)
        nh_warn(reader, equation->keyword, NULL,
                "every state that was found to satisfy this equation is singular");
    else if (how == UNCLEAR)
        tell_nowhere(reader, equation, alone);
    if (equation->dropped || how == UNCLEAR)
        s->count -= rows;
    return how == JOINS;
}

/* One equation after the other, the simpler ones first. */
static void settle_in_turn(nh_reader *reader)
{
    nh_solver s;
    size_t rank = 0;
    drop_what_follows(reader);
    nh_solver_init(&s, reader);
    for (nh_constraint_kind kind = NH_POSITIONAL; kind <= NH_NONLINEAR; kind++)
        for (size_t a = 0; a < reader->n_equations; a++)
            if (!reader->equations[a].dropped && reader->equations[a].constraint.kind == kind)
                rank += settle_next(reader, &s, &reader->equations[a], rank);
}

enum { MOST_IN_TURN = 60 };

void nh_settle_independence(nh_reader *reader)
{
    if (settle_affine(reader) != NH_ROW_UNDECIDED || all_independent(reader))
        return;
    if (reader->n_equations <= MOST_IN_TURN)
        settle_in_turn(reader);
    else
        nh_warn(reader, reader->equations[0].keyword, NULL,
                "whether these equations are independent could not be decided");
}

/* ---------------------------------------------------------------- what is left to move */

/* As many equations as coordinates leave single states, and may leave whole curves where some of them follow from the others: a linkage
 * with one bar more than it needs. Drops an equation that holds wherever the others leave something to move; false: there is none. */
static bool drop_where_it_moves(nh_reader *reader, size_t n)
{
    for (size_t a = reader->n_equations; a-- > 0;) {
        nh_equation *equation = &reader->equations[a];
        nh_solver s;
        if (equation->dropped)
            continue;
        nh_solver_init(&s, reader);
        for (size_t b = 0; b < reader->n_equations; b++)
            if (b != a && !reader->equations[b].dropped)
                nh_solver_add_constraint(&s, &reader->equations[b].constraint);
        size_t rows = nh_solver_add_constraint(&s, &equation->constraint);
        if (chooses_branch(&s, rows, statement_of(&equation->constraint), n)) {
            nh_drop_equation(
                reader, equation,
                "follows from the others near all states that were found where something can move");
            return true;
        }
    }
    return false;
}

/* Every freedom taken away: what is left to move? */
void nh_check_freedom(nh_reader *reader)
{
    size_t r = 0, n = reader->model->n;
    nh_equation *last = NULL;
    for (size_t a = 0; a < reader->n_equations; a++) {
        r += !reader->equations[a].dropped;
        if (r == n && !last)
            last = &reader->equations[a];
    }
    while (r == n && reader->n_equations <= MOST_IN_TURN && drop_where_it_moves(reader, n))
        r--;
    if (r >= n && last)
        nh_wrong(reader, last->keyword, NULL,
                 "too many constraints: %zu equation%s for %zu coordinate%s leave%s nothing free to move", n,
                 n == 1 ? "" : "s", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
}
