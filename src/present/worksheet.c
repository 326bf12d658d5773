/* The worksheet: both recipes, step by step. Each step says what is done, gives the general formula, and then this system's. */
#include "present/objects.h"
#include "present/systems.h"

#include <string.h>

/* Sentences are for the worksheet; without it, the objects stand alone. */
static void say(nh_writer *w, const char *text)
{
    if (w->steps)
        nh_page_say(&w->page, text);
}

/* One step, if its object is asked for. general: for several constraints; single: for one, where it is not the same without the
 * index. */
static void step(nh_writer *w, nh_choice object, const char *sentence, const char *general,
                 const char *single)
{
    size_t count;
    nh_object_values(w, object, &count);
    if (!nh_is_wanted(w, object) || !count)
        return;
    nh_page_say(&w->page, sentence);
    nh_page_notation(&w->page, single && w->eq->r == 1 ? single : general);
    nh_object_page(w, object);
}

static bool wants_part(const nh_writer *w, nh_choice part)
{
    bool any = nh_is_wanted(w, part);
    size_t count;
    for (nh_choice k = NH_OBJECT_g; k < NH_CHOICES && !any; k++)
        any = w->only >> k & 1 && nh_object_part(k) == part && nh_object_values(w, k, &count);
    return any;
}

/* ---------------------------------------------------------------- the system */

static void name_list(nh_writer *w, const char *before, const char *after)
{
    const nh_model *model = w->eq->model;
    nh_page_say(&w->page, before);
    for (size_t i = 0; i < model->n; i++) {
        nh_page_more(&w->page, i == 0 ? " " : i + 1 < model->n ? ", " : " and ", NULL);
        nh_page_more(&w->page, NULL, nh_math_name(&w->page.maker, model->coordinates[i].name, 0));
    }
    nh_page_more(&w->page, after, NULL);
}

/* Q = R^2 x S^1: an angle is a point of the circle. */
static void configuration_space(nh_writer *w)
{
    const nh_model *model = w->eq->model;
    size_t angles = 0;
    for (size_t i = 0; i < model->n; i++)
        angles += model->coordinates[i].angle;
    nh_text before, space;
    nh_text_init(&before, w->page.maker.arena), nh_text_init(&space, w->page.maker.arena);
    if (angles < model->n)
        nh_text_format(&space, "reals^%zu", model->n - angles);
    for (size_t i = 0; i < angles; i++)
        nh_text_format(&space, "%scircle^1", space.length ? " times " : "");
    nh_text_format(&before, "The configuration space $Q = %s$ has the dimension %zu, with the coordinates",
                   nh_text_get(&space), model->n);
    name_list(w, nh_text_get(&before), ".");
}

static void parameters(nh_writer *w)
{
    const nh_model *model = w->eq->model;
    if (!model->n_parameters)
        return;
    nh_page_say(&w->page, "The parameters are");
    for (size_t i = 0; i < model->n_parameters; i++) {
        nh_page_more(&w->page, i ? ", " : " ", NULL);
        nh_page_more(&w->page, NULL, nh_math_name(&w->page.maker, model->parameters[i].name, 0));
        if (model->parameters[i].value) {
            nh_page_more(&w->page, " = ", NULL);
            nh_page_more(&w->page, NULL, nh_math_expr(&w->page.maker, model->parameters[i].value));
        }
    }
    nh_page_more(&w->page, ".", NULL);
}

enum { LONGEST_ENERGY = 1200 };

static void energy(nh_writer *w, const char *sentence, const char *name, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    nh_expr_print(&text, &w->eq->pool, e, LONGEST_ENERGY);
    if (e == w->eq->pool.zero || text.length > LONGEST_ENERGY)
        return;
    nh_page_say(&w->page, sentence);
    nh_page_equation(&w->page, nh_notation(&w->page.maker, name), nh_math_expr(&w->page.maker, e));
}

static void system_part(nh_writer *w)
{
    const nh_model *model = w->eq->model;
    if (!wants_part(w, NH_PART_SYSTEM))
        return;
    nh_page_heading(&w->page, "The system");
    if (nh_is_wanted(w, NH_PART_SYSTEM)) {
        configuration_space(w);
        parameters(w);
        energy(w, "The kinetic energy is", "K", model->kinetic);
        energy(w, "The potential energy is", "V", model->potential);
    }
    step(w, NH_OBJECT_g, "The metric is made of the second derivatives of the kinetic energy.",
         "g_{i j} = {partial^2 K}/{partial q'^i partial q'^j}", NULL);
    if (nh_is_wanted(w, NH_OBJECT_A))
        nh_page_say(&w->page, w->eq->model->potential == w->eq->pool.zero
                                  ? "The active forces are"
                                  : "The active forces, those of the potential energy included, are");
    nh_object_page(w, NH_OBJECT_A);
}

/* ---------------------------------------------------------------- the constraints */

static const nh_fact *fact(const nh_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->items[i].name, name) == 0)
            return &facts->items[i];
    return NULL;
}

static void say_kind(nh_writer *w)
{
    const nh_model *model = w->eq->model;
    for (size_t a = 0; a < model->r; a++) {
        const nh_constraint *c = &model->constraints[a];
        nh_text text;
        nh_text_init(&text, w->page.maker.arena);
        if (model->r == 1)
            nh_text_str(&text, "The equation is ");
        else
            nh_text_format(&text, "Equation %zu is ", a + 1);
        if (c->position)
            nh_text_format(&text, "one between positions; its derivative is %s in the velocities.",
                           nh_kind_text(c->rate_kind));
        else
            nh_text_format(&text, "%s in the velocities.", nh_kind_text(c->kind));
        bool same = a > 0 && c->kind == c[-1].kind && c->rate_kind == c[-1].rate_kind;
        bool all = true;
        for (size_t b = 1; b < model->r; b++)
            all = all && model->constraints[b].kind == c->kind &&
                  model->constraints[b].rate_kind == c->rate_kind;
        if (a == 0 && all && model->r > 1) {
            nh_text_init(&text, w->page.maker.arena);
            nh_text_format(&text, "All of them are %s in the velocities.", nh_kind_text(c->rate_kind));
        }
        if (!(same && model->constraints[0].kind == c->kind))
            nh_page_say(&w->page, nh_text_get(&text));
    }
}

static void say_regular(nh_writer *w, const nh_facts *facts)
{
    const nh_fact *regular = fact(facts, "regular");
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    if (!regular)
        return;
    nh_text_format(&text, "Regular (%s): %s.", nh_verdict_text(regular->verdict), regular->detail);
    nh_page_words(&w->page, nh_text_get(&text));
}

static void constraints_part(nh_writer *w, const nh_facts *facts)
{
    size_t n = w->eq->n, m = w->eq->m;
    if (!wants_part(w, NH_PART_CONSTRAINTS))
        return;
    nh_page_heading(&w->page, "The constraints");
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    if (n == m)
        nh_text_str(&text, "There are none: the motion is free, and $z = q'$.");
    else
        nh_text_format(&text, "The velocities satisfy %zu equation%s, so that %zu of %zu %s free.", n - m,
                       n - m == 1 ? "" : "s", m, n, m == 1 ? "is" : "are");
    nh_page_say(&w->page, nh_text_get(&text));
    if (w->forms->n_positions)
        nh_page_say(&w->page, "The positions satisfy $f = 0$ with");
    nh_object_page(w, NH_OBJECT_positions);
    if (w->forms->C && w->eq->r && nh_is_wanted(w, NH_OBJECT_C))
        nh_page_say(&w->page,
                    w->forms->n_positions
                        ? "With the derivatives of these, the equations for the velocities are $C^a = 0$ with"
                    : w->eq->r == 1 ? "It is $C = 0$ with"
                                    : "They are $C^a = 0$ with");
    nh_object_page(w, NH_OBJECT_C);
    say_kind(w);
    say_regular(w, facts);
}

/* ---------------------------------------------------------------- the first method */

static void free_motion(nh_writer *w)
{
    step(w, NH_OBJECT_L,
         "The free motion, as if there were no constraints, has Lagrange's equations $g_{i j} q''^j = L_i$.",
         "L_i = A_i + {partial K}/{partial q^i} - {partial^2 K}/{partial q'^i partial q^j} q'^j - {partial^2 "
         "K}/{partial q'^i partial t}",
         NULL);
}

/* Which velocities are the free ones where no psi is written down. */
static void say_not_solved(nh_writer *w)
{
    if (!w->steps)
        return;
    nh_page_say(&w->page, "The constraints were not solved for velocities. As free ones serve");
    for (size_t alpha = 0; alpha < w->eq->m; alpha++) {
        nh_page_more(&w->page, alpha == 0 ? " " : alpha + 1 < w->eq->m ? ", " : " and ", NULL);
        nh_page_more(&w->page, NULL, nh_math_name(&w->page.maker, w->eq->z[alpha].name, 0));
    }
    nh_page_more(&w->page,
                 ", at states where they determine the others. What follows is written in all velocities, on "
                 "the constraint.",
                 NULL);
}

/* With the derivatives of psi, or without psi those of the velocities. */
static void directions(nh_writer *w)
{
    if (w->forms->psi)
        step(
            w, NH_OBJECT_psi_alpha,
            "Their derivatives are the directions in which the velocity may change; there is a row for each.",
            "psi^i_alpha = {partial psi^i}/{partial z^alpha}", NULL);
    else
        step(w, NH_OBJECT_psi_alpha,
             "The derivatives of all velocities by the free ones are the directions in which the velocity "
             "may change; there is a row "
             "for each.",
             "psi^i_alpha = {partial q'^i}/{partial z^alpha}", NULL);
    step(w, NH_OBJECT_G, "The metric in these directions is",
         "G_{alpha beta} = g_{i j} psi^i_alpha psi^j_beta", NULL);
    step(w, NH_OBJECT_G_inverse, "Its inverse is", "[G^{alpha beta}] = [G_{alpha beta}]^{-1}", NULL);
}

static void first_part(nh_writer *w)
{
    if (!wants_part(w, NH_PART_FIRST) || (w->method == NH_METHOD_SECOND && !w->only))
        return;
    if (w->method == NH_METHOD_SECOND) {
        nh_page_say(&w->page, "The first method was not asked for.");
        return;
    }
    nh_page_heading(&w->page, "First method: the field Z on the constraint");
    if (w->forms->psi)
        step(w, NH_OBJECT_psi, "The velocities on the constraint are given by the free ones.", "q'^i = psi^i",
             NULL);
    else
        say_not_solved(w);
    directions(w);
    free_motion(w);
    step(w, NH_OBJECT_Zbar,
         "On the constraint, the acceleration that is there without any $z'$ is taken away from these.",
         "Zbar_i = L_i - g_{i j} (psi^k partial_k psi^j + partial_t psi^j)", NULL);
    step(w, NH_OBJECT_Z_lower, "What remains in the free directions drives the motion.",
         "Z_alpha = Zbar_i psi^i_alpha", NULL);
    if (!nh_first_is_large(w))
        step(w, NH_OBJECT_Z_upper, "With the inverse of $G$ its components are",
             "Z^alpha = G^{alpha beta} Z_beta", NULL);
    if (nh_is_wanted(w, NH_PART_FIRST)) {
        say(w, "The dynamical system of the first kind is");
        nh_first_equations(w);
    }
    if (w->eq->r)
        step(w, NH_OBJECT_R_first, "The reactive forces are what the free motion lacks.",
             "R_i = g_{i j} (psi^j_alpha Z^alpha + psi^k partial_k psi^j + partial_t psi^j) - L_i", NULL);
}

/* ---------------------------------------------------------------- the second method */

static void by_inverses(nh_writer *w)
{
    step(w, NH_OBJECT_g_inverse, "The inverse of the metric is", "[g^{i j}] = [g_{i j}]^{-1}", NULL);
    step(w, NH_OBJECT_C_upper, "It raises their index.", "C^{a i} = g^{i j} C^a_j", NULL);
    step(w, NH_OBJECT_G_upper, "The metric across the constraint is", "G^{a b} = C^{a i} C^b_i", NULL);
    step(w, NH_OBJECT_G_lower, "Its inverse is", "[G_{a b}] = [G^{a b}]^{-1}", "G^{-1} = {1}/{G}");
    step(w, NH_OBJECT_C_a, "It lowers the index of the constraint.", "C_a^i = G_{a b} C^{b i}",
         "C_star^i = G^{-1} C^i");
    step(w, NH_OBJECT_pi, "The projection across the constraint is", "pi^{i j} = C^{a i} C_a^j",
         "pi^{i j} = C^i C_star^j");
    step(w, NH_OBJECT_g_minus_pi, "The projection along it is", "g^{i j} - pi^{i j}", NULL);
}

static void multipliers(nh_writer *w)
{
    step(w, NH_OBJECT_lambda, "The multipliers keep the motion on the constraint.",
         "lambda_a = -G_{a b} (C^{b i} L_i + q'^i partial_i C^b + partial_t C^b)",
         "lambda = -G^{-1} (C^i L_i + q'^i partial_i C + partial_t C)");
    step(w, NH_OBJECT_R, "The reactive forces are", "R_i = lambda_a C^a_i", NULL);
    step(w, NH_OBJECT_R_upper, "With raised index they are", "R^i = g^{i j} R_j", NULL);
}

static void second_field(nh_writer *w)
{
    if (!nh_is_wanted(w, NH_OBJECT_D))
        return;
    nh_page_say(&w->page, "The dynamical system of the second kind, of which the motions that start on $C$ "
                          "are those of the system, is");
    nh_page_notation(
        &w->page, w->eq->r == 1 ? "D^i = (g^{i j} - pi^{i j}) L_j - (q'^j partial_j C + partial_t C) C_star^i"
                  : w->eq->r ? "D^i = (g^{i j} - pi^{i j}) L_j - (q'^j partial_j C^a + partial_t C^a) C_a^i"
                             : "D^i = g^{i j} L_j");
    nh_second_equations(w);
}

static void say_none(nh_writer *w)
{
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    nh_text_format(&text, "There is none: %s.", w->eq->second.reason);
    nh_page_say(&w->page, nh_text_get(&text));
}

static bool moves_in_time(const nh_writer *w)
{
    bool moves = false;
    for (size_t a = 0; a < w->eq->r && w->forms->dC_dt; a++)
        moves = moves || w->forms->dC_dt[a] != w->eq->pool.zero;
    return moves;
}

static void second_part(nh_writer *w)
{
    if (!wants_part(w, NH_PART_SECOND) || (w->method == NH_METHOD_FIRST && !w->only))
        return;
    if (w->method == NH_METHOD_FIRST) {
        nh_page_say(&w->page, "The second method was not asked for.");
        return;
    }
    nh_page_heading(&w->page, "Second method: the field D, with the reactive forces");
    if (w->eq->second.reason) {
        say_none(w);
        return;
    }
    step(w, NH_OBJECT_C_i, "The derivatives by the velocities tell the directions of the reactive forces.",
         "C^a_i = {partial C^a}/{partial q'^i}", NULL);
    if (nh_second_by_inverses(w))
        by_inverses(w);
    step(w, NH_OBJECT_dC, "The derivatives by the coordinates are",
         "partial_i C^a = {partial C^a}/{partial q^i}", NULL);
    if (moves_in_time(w))
        step(w, NH_OBJECT_dC_dt, "The constraint moves in time.", "partial_t C^a = {partial C^a}/{partial t}",
             NULL);
    if (w->method == NH_METHOD_SECOND)
        free_motion(w);
    if (!nh_second_by_inverses(w) && nh_is_wanted(w, NH_PART_SECOND))
        nh_second_as_system(w);
    if (nh_second_is_large(w))
        nh_eliminated_objects(w);
    else
        multipliers(w), second_field(w);
}

/* ---------------------------------------------------------------- what is true */

static void table_of(nh_writer *w, const nh_facts *facts, const char *const *names, size_t count)
{
    nh_page_table(&w->page, 3);
    nh_page_cell(&w->page, "fact"), nh_page_cell(&w->page, "verdict"),
        nh_page_cell(&w->page, "how, or where not");
    for (size_t i = 0; i < facts->count; i++) {
        bool named = false;
        for (size_t k = 0; k < count; k++)
            named = named || strcmp(names[k], facts->items[i].name) == 0;
        if (count && !named)
            continue;
        nh_page_cell(&w->page, facts->items[i].name);
        nh_page_cell(&w->page, nh_verdict_text(facts->items[i].verdict));
        nh_page_cell(&w->page, facts->items[i].detail);
    }
}

static const char *const agreement[] = {"representations-agree", "methods-agree", "reactions-ideal"};
enum { AGREEMENT = sizeof agreement / sizeof *agreement };

static void agreement_part(nh_writer *w, const nh_facts *facts)
{
    bool any = false;
    for (size_t k = 0; k < AGREEMENT; k++)
        any = any || fact(facts, agreement[k]);
    if (!nh_is_wanted(w, NH_PART_AGREEMENT) || !any || w->method != NH_METHOD_BOTH)
        return;
    nh_page_heading(&w->page, "Agreement of the two methods");
    if (w->eq->second.reason)
        nh_page_say(&w->page, "There is one method only, so that nothing can be compared.");
    else
        nh_page_say(&w->page, "To be shown: on the constraint, $C^a = 0$ for $q' = psi$, the field $D$ is "
                              "the field $Z$, and the "
                              "reactive forces do no work in the free directions.");
    if (!w->eq->second.reason)
        nh_page_notation(
            &w->page,
            "D^j = psi^j_alpha Z^alpha + psi^k partial_k psi^j + partial_t psi^j ; R_i psi^i_alpha = 0");
    table_of(w, facts, agreement, AGREEMENT);
}

static void facts_part(nh_writer *w, const nh_facts *facts)
{
    if (!nh_is_wanted(w, NH_PART_FACTS))
        return;
    nh_page_heading(&w->page, "What is true of the system");
    table_of(w, facts, NULL, 0);
}

static void count_cell(nh_writer *w, const nh_expr *e, size_t count, const nh_expr *more, size_t n_more)
{
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    nh_expr *all = nh_arena_array(w->page.maker.arena, count + n_more + 1, sizeof *all);
    if (count)
        memcpy(all, e, count * sizeof *e);
    if (n_more)
        memcpy(all + count, more, n_more * sizeof *more);
    nh_text_format(&text, "%zu", nh_count_operations(&w->eq->pool, w->scratch, all, count + n_more));
    nh_page_cell(&w->page, nh_text_get(&text));
}

static void operations_part(nh_writer *w)
{
    const nh_forms *o = w->forms;
    size_t n = w->eq->n, m = w->eq->m, r = w->eq->r;
    bool first = w->method != NH_METHOD_SECOND, second = !w->eq->second.reason && o->D;
    if (!nh_is_wanted(w, NH_PART_OPERATIONS))
        return;
    nh_page_heading(&w->page, "Operations");
    nh_page_say(&w->page,
                "To evaluate the right-hand sides once, with what they have in common computed once:");
    nh_page_table(&w->page, 3);
    nh_page_cell(&w->page, "method"), nh_page_cell(&w->page, "unknowns"),
        nh_page_cell(&w->page, "operations");
    nh_text unknowns;
    nh_text_init(&unknowns, w->page.maker.arena);
    nh_text_format(&unknowns, "%zu", n + m);
    if (first) {
        nh_page_cell(&w->page, "first"), nh_page_cell(&w->page, nh_text_get(&unknowns));
        if (o->psi)
            count_cell(w, o->psi, n, o->Z_upper, m);
        else
            count_cell(w, o->acceleration, n, NULL, 0);
    }
    if (!second)
        return;
    nh_text_init(&unknowns, w->page.maker.arena);
    nh_text_format(&unknowns, "%zu", 2 * n);
    nh_page_cell(&w->page, "second"), nh_page_cell(&w->page, nh_text_get(&unknowns));
    count_cell(w, o->D, n, NULL, 0);
    nh_page_cell(&w->page, "second, with reactive forces"), nh_page_cell(&w->page, nh_text_get(&unknowns));
    count_cell(w, o->D, n, o->R, r ? n : 0);
}

void nh_derive_worksheet(nh_writer *w)
{
    nh_facts facts = {0};
    if (nh_is_wanted(w, NH_PART_CONSTRAINTS) || nh_is_wanted(w, NH_PART_AGREEMENT) ||
        nh_is_wanted(w, NH_PART_FACTS))
        facts = nh_all_facts(w->eq);
    if (*w->eq->model->title)
        nh_page_title(&w->page, w->eq->model->title);
    if (w->shared.count)
        nh_page_say(&w->page,
                    "Long formulas have parts with names of their own, which are listed at the end.");
    system_part(w);
    constraints_part(w, &facts);
    first_part(w);
    second_part(w);
    agreement_part(w, &facts);
    facts_part(w, &facts);
    operations_part(w);
    if (w->principles)
        nh_show_page(w);
    nh_abbreviations(w);
}
