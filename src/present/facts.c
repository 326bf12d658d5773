/* What is true of a system: the kind of its constraints, and what follows from the equations. */
#include "analyse/analyse.h"
#include "present/writer.h"

const char *nh_kind_text(nh_constraint_kind kind)
{
    switch (kind) {
    case NH_POSITIONAL: return "positional";
    case NH_LINEAR: return "linear";
    case NH_AFFINE: return "affine";
    case NH_HOMOGENEOUS: return "homogeneous";
    case NH_NONLINEAR: return "non-linear";
    }
    return "";
}

/* Weakest first: what all constraints together are is what the weakest is. */
typedef struct nature {
    bool linear, affine, homogeneous, exact;
    const nh_constraint *not_linear, *not_affine, *not_homogeneous;
} nature;

static nature nature_of(nh_equations *eq)
{
    const nh_model *model = eq->model;
    nature all = {true, true, true, true, NULL, NULL, NULL};
    for (size_t a = 0; a < model->r; a++) {
        const nh_constraint *c = &model->constraints[a];
        bool linear = c->given.kind == NH_LINEAR, affine = linear || c->given.kind == NH_AFFINE;
        bool homogeneous = linear || c->given.kind == NH_HOMOGENEOUS;
        all.exact = all.exact && c->given.exact;
        if (!linear && all.linear)
            all.linear = false, all.not_linear = c;
        if (!affine && all.affine)
            all.affine = false, all.not_affine = c;
        if (!homogeneous && all.homogeneous)
            all.homogeneous = false, all.not_homogeneous = c;
    }
    if (model->r == 0 && model->psi) {
        all.exact = model->psi_given.exact;
        all.linear = model->psi_given.kind == NH_LINEAR;
        all.affine = all.linear || model->psi_given.kind == NH_AFFINE;
        all.homogeneous = all.linear;
    }
    return all;
}

static const char *detail_of(nh_arena *arena, const char *name, const nh_constraint *c, const char *yes,
                             bool holds)
{
    nh_text text;
    nh_text_init(&text, arena);
    if (holds)
        nh_text_str(&text, yes);
    else if (c && c->given.kind == NH_HOMOGENEOUS && c->given.degree)
        nh_text_format(&text, "the equation in line %zu is homogeneous of degree %d in the velocities",
                       c->line, c->given.degree);
    else if (c)
        nh_text_format(&text, "the equation in line %zu is %s%s", c->line,
                       c->position ? "positional, its derivative " : "", nh_kind_text(c->given.kind));
    else
        nh_text_format(&text, "the parametric equations are not %s", name);
    return nh_text_get(&text);
}

/* Without constraint equations there may be a homogeneous psi that is not linear: that is not decided here. */
static nh_fact nature_fact(nh_arena *arena, const char *name, bool holds, bool exact, const nh_constraint *c,
                           const char *yes)
{
    nh_verdict verdict = !holds ? NH_REFUTED : exact ? NH_PROVED : NH_TESTED;
    return (nh_fact){name, verdict, detail_of(arena, name, c, yes, holds)};
}

/* What kind of constraints there are; what is true of the equations comes behind it. */
static size_t nature_facts(nh_equations *eq, nh_arena *arena, nh_fact facts[3])
{
    const nh_model *model = eq->model;
    nature all = nature_of(eq);
    if (model->r && all.homogeneous && !all.exact)
        all.exact = nh_equations_homogeneous(eq);
    bool free = model->r == 0 && !model->psi;
    bool open = model->r == 0 && model->psi && model->psi_given.kind == NH_NONLINEAR;
    size_t count = 0;
    facts[count++] =
        nature_fact(arena, "linear", all.linear, all.exact, all.not_linear,
                    free ? "there are no constraints" : "every constraint is linear in the velocities");
    facts[count++] =
        nature_fact(arena, "affine", all.affine, all.exact, all.not_affine,
                    free ? "there are no constraints" : "every constraint is affine in the velocities");
    facts[count++] =
        nature_fact(arena, "homogeneous", all.homogeneous, all.exact, all.not_homogeneous,
                    free ? "there are no constraints" : "every constraint is homogeneous in the velocities");
    if (open) {
        facts[0] = (nh_fact){"linear", NH_NOT_KNOWN,
                             "the parametric equations are not linear; the constraint may be"};
        facts[1] = (nh_fact){"affine", NH_NOT_KNOWN,
                             "the parametric equations are not affine; the constraint may be"};
        facts[2] = (nh_fact){"homogeneous", NH_NOT_KNOWN, "not decided for non-linear parametric equations"};
    }
    return count;
}

const char *nh_verdict_text(nh_verdict verdict)
{
    static const char *const texts[] = {
        [NH_PROVED] = "proved", [NH_TESTED] = "tested", [NH_NOT_KNOWN] = "unknown", [NH_REFUTED] = "refuted"};
    return texts[verdict];
}

nh_facts nh_all_facts(nh_equations *eq)
{
    nh_facts *along = nh_equations_facts(eq), all = {0};
    nh_holonomy_facts(eq, along);
    nh_measure_facts(eq, along);
    nh_outlook_facts(eq, along);
    all.items = nh_arena_array(&eq->arena, 3 + along->count, sizeof *all.items);
    all.count = nature_facts(eq, &eq->arena, all.items);
    for (size_t i = 0; i < along->count; i++)
        all.items[all.count++] = along->items[i];
    return all;
}
