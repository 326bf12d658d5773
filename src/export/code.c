/* From a tape to statements: one local variable for each value that is needed, in the order of the tape. */
#include "export/writer.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- numbers */

/* The shortest decimal that reads back to the same double, marked as one. */
void nh_write_double(nh_export *e, double value)
{
    char digits[32];
    if (isnan(value)) {
        nh_text_str(e->out, e->dialect->nan);
        return;
    }
    if (isinf(value)) {
        nh_text_format(e->out, "%s%s", value < 0 ? "-" : "", e->dialect->infinity);
        return;
    }
    nh_double_print(digits, value);
    nh_text_str(e->out, digits);
    if (!strpbrk(digits, ".e"))
        nh_text_str(e->out, ".0");
}

/* A decimal of few digits: 981/100 is 9.81. */
static bool is_decimal(nh_rational value)
{
    static const int64_t LARGEST = INT64_C(1000000000000000);
    int64_t den = value.den;
    while (den % 2 == 0)
        den /= 2;
    while (den % 5 == 0)
        den /= 5;
    return den == 1 && value.den <= 1000000 && value.num < LARGEST && value.num > -LARGEST;
}

/* A quotient of two numbers that are exact gives the double nearest to it; other numbers are written as that double. */
static void write_rational(nh_export *e, nh_rational value)
{
    static const int64_t EXACT = INT64_C(1) << 53;
    bool small = !value.big && value.num <= EXACT && value.num >= -EXACT && value.den <= EXACT;
    bool quotient = small && value.den != 1 && !is_decimal(value), negative = nh_rational_sign(value) < 0;
    nh_text_str(e->out, quotient || negative ? "(" : "");
    if (quotient) {
        nh_write_double(e, (double)value.num);
        nh_text_char(e->out, '/');
        nh_write_double(e, (double)value.den);
    } else
        nh_write_double(e, nh_rational_to_double(value));
    nh_text_str(e->out, quotient || negative ? ")" : "");
}

/* ---------------------------------------------------------------- operands */

static void write_operand(nh_export *e, uint32_t r)
{
    const nh_tape *t = e->routine->tape;
    if (r < t->n_inputs + t->n_constant_inputs)
        nh_text_str(e->out, e->routine->variables[r].name);
    else if (!e->number[r])
        nh_text_format(e->out, "k%u", e->label[r]);
    else if (t->numbers[e->number[r] - 1].pi)
        nh_text_str(e->out, e->dialect->pi);
    else
        write_rational(e, t->numbers[e->number[r] - 1].value);
}

/* "    const double k12 = " */
static void begin_value(nh_export *e, uint32_t r)
{
    e->label[r] = ++e->labels;
    nh_text_format(e->out, "%s%sk%u = ", e->dialect->indent, e->dialect->define, e->label[r]);
}

static void end_statement(nh_export *e) { nh_text_format(e->out, "%s\n", e->dialect->end); }

static void write_element(nh_export *e, const char *name, size_t i)
{
    const nh_dialect *d = e->dialect;
    nh_text_format(e->out, "%s%c%zu%c", name, d->open, i + d->origin, d->close);
}

/* ---------------------------------------------------------------- steps */

static void write_infix(nh_export *e, uint32_t out, uint32_t a, const char *operator, uint32_t b)
{
    begin_value(e, out);
    write_operand(e, a);
    nh_text_str(e->out, operator);
    write_operand(e, b);
    end_statement(e);
}

/* f(a) or f(a, b); nothing where nobody needs it. */
static void write_call(nh_export *e, nh_call_name f, uint32_t out, uint32_t a, const uint32_t *b)
{
    if (!e->routine->live[out])
        return;
    begin_value(e, out);
    nh_text_format(e->out, "%s(", e->dialect->calls[f]);
    write_operand(e, a);
    if (b) {
        nh_text_str(e->out, ", ");
        write_operand(e, *b);
    }
    nh_text_char(e->out, ')');
    end_statement(e);
}

static void write_negative(nh_export *e, const nh_step *step)
{
    begin_value(e, step->out);
    nh_text_char(e->out, '-');
    write_operand(e, step->a);
    end_statement(e);
}

static nh_call_name arc(const nh_step *step)
{
    return step->function == NH_FN_asin   ? NH_CALL_ASIN
           : step->function == NH_FN_acos ? NH_CALL_ACOS
                                          : NH_CALL_ATAN;
}

/* ---------------------------------------------------------------- linear systems */

static bool is_zero(const nh_export *e, uint32_t r)
{
    return e->number[r] && !e->routine->tape->numbers[e->number[r] - 1].pi &&
           nh_rational_sign(e->routine->tape->numbers[e->number[r] - 1].value) == 0;
}

static void write_entry(nh_export *e, size_t system, size_t i, size_t j, size_t n)
{
    const nh_dialect *d = e->dialect;
    nh_text_format(e->out, "%smatrix%zu%c", d->indent, system, d->open);
    if (d->two_indices)
        nh_text_format(e->out, "%zu, %zu", i + d->origin, j + d->origin);
    else
        nh_text_format(e->out, "%zu", i * n + j + d->origin);
    nh_text_format(e->out, "%c = ", d->close);
}

static void write_right(nh_export *e, size_t system, size_t i)
{
    nh_text_format(e->out, "right%zu%c%zu%c", system, e->dialect->open, i + e->dialect->origin,
                   e->dialect->close);
}

static void fill_system(nh_export *e, size_t number, const nh_linear *system)
{
    size_t n = system->n;
    for (size_t k = 0; k < n * n; k++)
        if (!is_zero(e, system->matrix[k])) {
            write_entry(e, number, k / n, k % n, n);
            write_operand(e, system->matrix[k]);
            end_statement(e);
        }
    for (size_t i = 0; i < n; i++)
        if (!is_zero(e, system->right[i])) {
            nh_text_str(e->out, e->dialect->indent);
            write_right(e, number, i);
            nh_text_str(e->out, " = ");
            write_operand(e, system->right[i]);
            end_statement(e);
        }
}

static void write_solve(nh_export *e, const nh_step *step)
{
    const nh_linear *system = &e->routine->tape->systems[step->a];
    size_t number = step->a + 1;
    e->dialect->matrix(e, number, system->n);
    fill_system(e, number, system);
    e->dialect->solve(e, number, system->n);
    for (uint32_t i = 0; i < system->n; i++)
        if (e->routine->live[step->out + i]) {
            begin_value(e, step->out + i);
            write_right(e, number, i);
            end_statement(e);
        }
}

/* tanh(a), and (1 - tanh(a)) (1 + tanh(a)) where it is needed. */
static void write_tanh(nh_export *e, const nh_step *s)
{
    write_call(e, NH_CALL_TANH, s->out, s->a, NULL);
    if (!e->routine->live[s->out + 1])
        return;
    begin_value(e, s->out + 1);
    nh_text_str(e->out, "(1.0 - ");
    write_operand(e, s->out);
    nh_text_str(e->out, ")*(1.0 + ");
    write_operand(e, s->out);
    nh_text_str(e->out, ")");
    end_statement(e);
}

/* ---------------------------------------------------------------- routines */

static void write_functions(nh_export *e, const nh_step *s)
{
    switch ((nh_op)s->op) {
    case NH_OP_SQRT: write_call(e, NH_CALL_SQRT, s->out, s->a, NULL); break;
    case NH_OP_POWER: write_call(e, NH_CALL_POWER, s->out, s->a, &s->b); break;
    case NH_OP_EXP: write_call(e, NH_CALL_EXP, s->out, s->a, NULL); break;
    case NH_OP_LOG: write_call(e, NH_CALL_LOG, s->out, s->a, NULL); break;
    case NH_OP_SINCOS:
        write_call(e, NH_CALL_SIN, s->out, s->a, NULL);
        write_call(e, NH_CALL_COS, s->out + 1, s->a, NULL);
        break;
    case NH_OP_SINHCOSH:
        write_call(e, NH_CALL_SINH, s->out, s->a, NULL);
        write_call(e, NH_CALL_COSH, s->out + 1, s->a, NULL);
        break;
    case NH_OP_TANH: write_tanh(e, s); break;
    case NH_OP_ARC: write_call(e, arc(s), s->out, s->a, NULL); break;
    case NH_OP_ATAN2: write_call(e, NH_CALL_ATAN2, s->out, s->a, &s->b); break;
    case NH_OP_ABS: write_call(e, NH_CALL_ABS, s->out, s->a, NULL); break;
    case NH_OP_SIGN: write_call(e, NH_CALL_SIGN, s->out, s->a, NULL); break;
    case NH_OP_MIN: write_call(e, NH_CALL_MIN, s->out, s->a, &s->b); break;
    case NH_OP_MAX: write_call(e, NH_CALL_MAX, s->out, s->a, &s->b); break;
    default: write_solve(e, s); break;
    }
}

static void write_step(nh_export *e, const nh_step *s)
{
    if (!nh_step_is_needed(e->routine, s))
        return;
    switch ((nh_op)s->op) {
    case NH_OP_ADD: write_infix(e, s->out, s->a, " + ", s->b); break;
    case NH_OP_SUB: write_infix(e, s->out, s->a, " - ", s->b); break;
    case NH_OP_MUL:
    case NH_OP_SCALE: write_infix(e, s->out, s->a, "*", s->b); break;
    case NH_OP_DIV: write_infix(e, s->out, s->a, "/", s->b); break;
    case NH_OP_SQUARE: write_infix(e, s->out, s->a, "*", s->a); break;
    case NH_OP_NEG: write_negative(e, s); break;
    default: write_functions(e, s); break;
    }
}

static void write_note(nh_export *e, const char *text)
{
    const nh_dialect *d = e->dialect;
    nh_text_format(e->out, "%s%s%s%s\n", d->indent, d->note_begin, text, d->note_end);
}

/* theta = state[2] */
static void write_variables(nh_export *e)
{
    static const char *const arrays[] = {"", "state", "rate", "par"};
    const nh_tape *t = e->routine->tape;
    if (e->routine->uses_rates)
        e->dialect->rates(e);
    for (size_t i = 0; i < t->n_inputs + t->n_constant_inputs; i++) {
        const nh_variable *v = &e->routine->variables[i];
        if (!e->routine->live[i] || v->from == NH_FROM_TIME)
            continue;
        nh_text_format(e->out, "%s%s%s = ", e->dialect->indent, e->dialect->define, v->name);
        write_element(e, arrays[v->from], v->index);
        end_statement(e);
    }
}

static bool write_steps(nh_export *e, const nh_step *steps, size_t count, const char *note)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        bool needed = nh_step_is_needed(e->routine, &steps[i]);
        if (needed && !any && note)
            write_note(e, note);
        any = any || needed;
        write_step(e, &steps[i]);
    }
    return any;
}

static void write_outputs(nh_export *e)
{
    const nh_routine *r = e->routine;
    for (size_t i = 0; i < r->tape->n_outputs; i++) {
        if (r->undefined[i])
            write_note(e, r->undefined[i]);
        nh_text_str(e->out, e->dialect->indent);
        write_element(e, "out", i);
        nh_text_str(e->out, " = ");
        if (r->undefined[i])
            nh_text_str(e->out, e->dialect->nan);
        else
            write_operand(e, r->tape->outputs[i]);
        end_statement(e);
    }
}

void nh_write_routine(nh_export *e, nh_routine_id id)
{
    const nh_routine *r = e->routine = &e->routines[id];
    const nh_tape *t = r->tape;
    if (!t)
        return;
    nh_arena *scratch = &e->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    e->label = nh_arena_array(scratch, t->n_registers + 1, sizeof *e->label);
    e->number = nh_arena_array(scratch, t->n_registers + 1, sizeof *e->number);
    e->labels = 0;
    for (size_t i = 0; i < t->n_numbers; i++)
        e->number[t->numbers[i].out] = (uint32_t)i + 1;
    e->dialect->routine_begin(e);
    write_variables(e);
    bool before = write_steps(e, t->before, t->n_before, "from numbers and parameters alone:");
    write_steps(e, t->steps, t->n_steps, before ? "from the state:" : NULL);
    write_outputs(e);
    e->dialect->routine_end(e);
    nh_arena_release(scratch, mark);
}
