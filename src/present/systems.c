/* The two dynamical systems. */
#include "present/systems.h"
#include "present/objects.h"

static void equation(nh_writer *w, const char *name, int primes, nh_expr right)
{
    nh_page_equation(&w->page, nh_math_name(&w->page.maker, name, primes), nh_written_math(w, right));
}

bool nh_first_is_large(const nh_writer *w)
{
    return w->forms->psi && (!w->forms->G_inverse || nh_object_is_too_long(w, NH_OBJECT_Z_upper));
}

/* q' = psi, z' = Z; in the velocities themselves where there is no psi. */
void nh_first_equations(nh_writer *w)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    bool long_psi = w->forms->psi && nh_object_is_too_long(w, NH_OBJECT_psi);
    if (long_psi)
        nh_object_page(w, NH_OBJECT_psi);
    for (size_t i = 0; w->forms->psi && !long_psi && i < w->eq->n; i++)
        equation(w, q[i].name, 1, w->forms->psi[i]);
    for (size_t alpha = 0; w->forms->psi && !nh_first_is_large(w) && alpha < w->eq->m; alpha++)
        equation(w, w->eq->z[alpha].name, 1, w->forms->Z_upper[alpha]);
    if (nh_first_is_large(w)) {
        nh_page_say(&w->page,
                    "The $z'$ are the solution of a linear system. It is too large for formulas to be of "
                    "use: the program "
                    "solves it in numbers, and --format json or --only Z_upper write its elimination out.");
        nh_page_notation(&w->page, "G_{alpha beta} z'^beta = Z_alpha");
    }
    for (size_t i = 0; !w->forms->psi && i < w->eq->n; i++)
        equation(w, q[i].name, 2, w->forms->acceleration[i]);
}

void nh_second_equations(nh_writer *w)
{
    if (nh_object_is_too_long(w, NH_OBJECT_D)) {
        nh_object_page(w, NH_OBJECT_D);
        return;
    }
    for (size_t i = 0; i < w->eq->n; i++)
        equation(w, w->eq->model->coordinates[i].name, 2, w->forms->D[i]);
}

void nh_second_as_system(nh_writer *w)
{
    nh_page_say(&w->page, "$D$ and $lambda$ are the solution of one linear system.");
    if (nh_second_is_large(w))
        nh_page_say(&w->page, "It is too large for formulas to be of use: the program solves it in numbers, "
                              "and --format json or "
                              "--only D,lambda write its elimination out.");
    nh_page_notation(&w->page, "g_{i j} D^j - C^a_i lambda_a = L_i");
    nh_page_notation(&w->page, "C^a_i D^i = -q'^i partial_i C^a - partial_t C^a");
}

void nh_eliminated_objects(nh_writer *w)
{
    static const nh_choice objects[] = {NH_OBJECT_D, NH_OBJECT_lambda, NH_OBJECT_R, NH_OBJECT_R_upper};
    for (size_t k = 0; k < sizeof objects / sizeof *objects; k++)
        if (w->only >> objects[k] & 1)
            nh_object_page(w, objects[k]);
}

void nh_reactions(nh_writer *w)
{
    nh_object_page(w, NH_OBJECT_lambda);
    nh_object_page(w, NH_OBJECT_R);
}

void nh_first_system(nh_writer *w)
{
    if (w->method == NH_METHOD_SECOND && w->only)
        nh_page_say(&w->page, "The first method was not asked for.");
    if (w->method == NH_METHOD_SECOND)
        return;
    nh_page_heading(&w->page, "Equations of the first kind");
    if (!w->forms->psi)
        nh_page_say(&w->page, "On $C$, in the velocities: the constraints were not solved for them.");
    nh_first_equations(w);
    if (nh_first_is_large(w) && !w->steps)
        nh_object_page(w, NH_OBJECT_G), nh_object_page(w, NH_OBJECT_Z_lower);
}

void nh_second_system(nh_writer *w)
{
    if (w->method == NH_METHOD_FIRST && w->only)
        nh_page_say(&w->page, "The second method was not asked for.");
    if (w->method == NH_METHOD_FIRST)
        return;
    nh_page_heading(&w->page, "Equations of the second kind");
    if (w->eq->second.reason) {
        nh_text text;
        nh_text_init(&text, w->page.maker.arena);
        nh_text_format(&text, "There are none: %s.", w->eq->second.reason);
        nh_page_say(&w->page, nh_text_get(&text));
        return;
    }
    if (!nh_second_by_inverses(w))
        nh_second_as_system(w);
    if (nh_second_is_large(w))
        return;
    nh_second_equations(w);
    if (!w->eq->r)
        return;
    nh_page_heading(&w->page, "Multipliers and reactive forces");
    nh_reactions(w);
}

void nh_abbreviations(nh_writer *w)
{
    if (!w->shared.count)
        return;
    nh_page_heading(&w->page, w->steps ? "Names of parts" : "where");
    for (size_t i = 0; i < w->shared.count; i++)
        nh_page_equation(&w->page, nh_math_expr(&w->page.maker, w->shared.definitions[i].symbol),
                         nh_math_expr(&w->page.maker, w->shared.definitions[i].value));
}
