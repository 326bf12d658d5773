/* What a solver without series would step over. A force may be nothing at all places of a step that are looked at, and something between them: as
 * 1/(1 + (x/s)^20) is far from x = 0. Along the step the time and the state are in a box; interval arithmetic tells how large functions may be in
 * it, and how small what is divided by (nh_tape.hidden, powers, steep). Where that is much more than at the places, the step is too long. */
#include "integrate/inner.h"

#include <float.h>

struct nh_pulses {
    const nh_tape *tape;
    nh_enclosure *box;
    size_t n_hidden;      /* functions and powers */
    double *largest;      /* by function: at the places */
    double *least, *most; /* by what is steep where it is nearly 0: its size at the places */
};

static const double much = 8;

nh_pulses *nh_pulses_new(const nh_motion *m, nh_arena *arena)
{
    const nh_tape *tape = m->values;
    if (!tape->has_hidden && !tape->n_steep)
        return NULL;
    nh_pulses *p = nh_arena_array(arena, 1, sizeof *p);
    *p = (nh_pulses){.tape = tape, .box = nh_enclosure_new(tape, arena)};
    nh_enclosure_constants(p->box, m->constants);
    p->n_hidden = tape->n_hidden + tape->n_powers;
    p->largest = nh_zeros(arena, p->n_hidden);
    p->least = nh_zeros(arena, tape->n_steep), p->most = nh_zeros(arena, tape->n_steep);
    return p;
}

/* The register of a function; of tanh its derivative. */
static uint32_t register_of(const nh_tape *t, size_t i)
{
    if (i >= t->n_hidden)
        return t->powers[i - t->n_hidden].out;
    const nh_step *s = &t->steps[t->hidden[i]];
    return s->op == NH_OP_TANH ? s->out + 1 : s->out;
}

void nh_pulses_begin(nh_pulses *p)
{
    for (size_t i = 0; i < p->n_hidden; i++)
        p->largest[i] = 0;
    for (size_t i = 0; i < p->tape->n_steep; i++)
        p->least[i] = INFINITY, p->most[i] = 0;
}

void nh_pulses_look(nh_pulses *p, const double *r)
{
    for (size_t i = 0; i < p->n_hidden; i++)
        p->largest[i] = fmax(p->largest[i], fabs(r[register_of(p->tape, i)]));
    for (size_t i = 0; i < p->tape->n_steep; i++) {
        double size = fabs(r[p->tape->steep[i]]);
        p->least[i] = size < p->least[i] ? size : p->least[i];
        p->most[i] = size > p->most[i] ? size : p->most[i];
    }
}

/* Where nothing has changed much, nothing can have been near 0 meanwhile but by a turn of its own, which the solver sees. */
bool nh_pulses_are_likely(const nh_pulses *p)
{
    bool likely = p->n_hidden > 0;
    for (size_t i = 0; i < p->tape->n_steep && !likely; i++)
        likely = p->most[i] > 2 * p->least[i];
    return likely;
}

void nh_pulses_box(nh_pulses *p, size_t input, double low, double high)
{
    double more = (high - low) / 8;
    p->box->r[input] = (nh_interval){low - more, high + more};
}

static double size_of(nh_interval a) { return fmax(fabs(a.low), fabs(a.high)); }

/* What is 0 since it has faded may have been more than the least of numbers. */
static double nothing_for(const nh_pulses *p, size_t i)
{
    bool fades = i < p->tape->n_hidden && p->tape->steps[p->tape->hidden[i]].fades;
    return fades && p->largest[i] == 0 ? 1e-90 : DBL_MIN;
}

static bool function_hides(const nh_pulses *p, size_t i)
{
    double most = size_of(p->box->r[register_of(p->tape, i)]);
    return isfinite(p->largest[i]) && most > nothing_for(p, i) && most > much * p->largest[i];
}

/* What may be 0 is a pole, which the solver sees, or none, as in sin(x)/x. */
static bool is_steep(const nh_pulses *p, size_t i)
{
    nh_interval b = p->box->r[p->tape->steep[i]];
    double least = b.low > 0 ? b.low : b.high < 0 ? -b.high : 0;
    return least > 0 && much * least < p->least[i];
}

bool nh_pulses_may_hide(nh_pulses *p)
{
    bool may = false;
    nh_enclosure_step(p->box, 0);
    for (size_t i = 0; i < p->n_hidden && !may; i++)
        may = function_hides(p, i);
    for (size_t i = 0; i < p->tape->n_steep && !may; i++)
        may = is_steep(p, i);
    return may;
}
