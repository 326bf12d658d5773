/* From expressions as written to expressions of the pool, scalars and vectors. */
#include "model/reader.h"

#include <math.h>

static const nh_value nothing = {.size = 0};

static nh_value scalar(nh_expr e, unsigned on) { return (nh_value){1, {e, 0, 0}, on}; }

static nh_value wrong_value(bool reported)
{
    (void)reported;
    return nothing;
}

/* ---------------------------------------------------------------- what may stand where */

/* One of them, and many of them. */
static const char *dependence_text(unsigned on, bool one)
{
    switch (on) {
    case NH_ON_PARAMETERS: return one ? "the parameter" : "parameters";
    case NH_ON_COORDINATES: return one ? "the coordinate" : "coordinates";
    case NH_ON_RATES: return one ? "the velocity of" : "velocities";
    case NH_ON_VELOCITIES: return one ? "the quasi-velocity" : "quasi-velocities";
    case NH_ON_TIME: return one ? "the time" : "the time";
    case NH_ON_CORNERS: return one ? "the non-smooth function" : "non-smooth functions";
    case NH_ON_REACTIONS: return one ? "the function" : "reactions";
    default: return one ? "the total energy" : "the total energies";
    }
}

/* Checks a dependence against the scope; direct: the name itself is it, otherwise what it stands for contains it. */
static bool permitted(nh_reader *reader, const nh_scope *scope, nh_span span, unsigned on, bool direct)
{
    unsigned excess = on & ~scope->allowed;
    if (!excess)
        return true;
    const char *thing = dependence_text(excess & (~excess + 1u), direct);
    nh_slice name = nh_word(reader, span);
    if (direct)
        return nh_wrong(reader, span, NULL, "%s cannot contain %s '%.*s'", scope->what, thing,
                        (int)name.length, name.data);
    return nh_wrong(reader, span, NULL, "'%.*s' contains %s, which %s cannot", (int)name.length, name.data,
                    thing, scope->what);
}

/* ---------------------------------------------------------------- names */

/* A symbol until all energies are known: nh_sum_energies replaces it. */
static nh_value value_of_total(nh_reader *reader, const nh_ast *ast, const nh_scope *scope, bool kinetic)
{
    if (!permitted(reader, scope, ast->span, NH_ON_TOTALS, true))
        return nothing;
    nh_expr *total = &reader->totals[kinetic ? 0 : 1];
    if (!*total)
        *total = nh_new_symbol(reader, kinetic ? "kinetic" : "potential", NH_ROLE_TOTAL, 0);
    unsigned on =
        NH_ON_TOTALS | NH_ON_COORDINATES | NH_ON_PARAMETERS | NH_ON_TIME | (kinetic ? NH_ON_RATES : 0u);
    return scalar(*total, on);
}

static nh_value value_of_entry(nh_reader *reader, const nh_ast *ast, const nh_scope *scope,
                               const nh_entry *entry)
{
    const nh_model *model = reader->model;
    nh_value value = entry->value;
    bool direct = true;
    switch (entry->kind) {
    case NH_ENTRY_COORDINATE: value = scalar(model->coordinates[entry->index].q, NH_ON_COORDINATES); break;
    case NH_ENTRY_PARAMETER: value = scalar(model->parameters[entry->index].symbol, NH_ON_PARAMETERS); break;
    case NH_ENTRY_VELOCITY: value = scalar(model->velocities[entry->index].symbol, NH_ON_VELOCITIES); break;
    case NH_ENTRY_POINT:
    case NH_ENTRY_BODY:
    case NH_ENTRY_FRAME:
    case NH_ENTRY_CONSTRAINT:
        return wrong_value(nh_wrong(reader, ast->span,
                                    entry->kind == NH_ENTRY_FRAME        ? "write axis(B, 1) or angvel(B)"
                                    : entry->kind == NH_ENTRY_CONSTRAINT ? NULL
                                                                         : "write pos(P) or vel(P)",
                                    "'%s' is %s, which has no value", entry->name,
                                    nh_entry_kind_text(entry->kind)));
    case NH_ENTRY_BROKEN: return nothing;
    default: direct = false; break;
    }
    return permitted(reader, scope, ast->span, value.on, direct) ? value : nothing;
}

static nh_value value_of_name(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_slice name = nh_word(reader, ast->name);
    nh_entry *entry = nh_find(reader, name);
    if (entry)
        return value_of_entry(reader, ast, scope, entry);
    if (nh_slice_is(name, "t"))
        return permitted(reader, scope, ast->span, NH_ON_TIME, true) ? scalar(reader->model->time, NH_ON_TIME)
                                                                     : nothing;
    if (nh_slice_is(name, "pi") || nh_slice_is(name, "\xcf\x80"))
        return scalar(reader->pool->pi, 0);
    if (nh_slice_is(name, "kinetic") || nh_slice_is(name, "potential"))
        return value_of_total(reader, ast, scope, name.data[0] == 'k');
    return wrong_value(nh_unknown(reader, ast->name));
}

/* The entry of a name that must be of one kind; NULL: reported. */
static nh_entry *entry_of(nh_reader *reader, const nh_ast *ast, nh_entry_kind kind, const char *hint)
{
    nh_span span = ast->kind == NH_AST_NAME ? ast->name : ast->span;
    nh_entry *entry = ast->kind == NH_AST_NAME ? nh_find(reader, nh_word(reader, span)) : NULL;
    nh_slice name = nh_word(reader, span);
    if (entry && (entry->kind == kind || entry->kind == NH_ENTRY_BROKEN))
        return entry->kind == kind ? entry : NULL;
    if (entry)
        nh_wrong(reader, span, hint, "'%s' is %s, not %s", entry->name, nh_entry_kind_text(entry->kind),
                 nh_entry_kind_text(kind));
    else if (ast->kind == NH_AST_NAME && !nh_slice_is(name, "t"))
        nh_unknown(reader, span);
    else
        nh_wrong(reader, span, hint, "the name of %s is needed here", nh_entry_kind_text(kind));
    return NULL;
}

static nh_value value_of_rate(nh_reader *reader, const nh_ast *name, nh_span span, const nh_scope *scope)
{
    nh_entry *entry = entry_of(reader, name, NH_ENTRY_COORDINATE, "only coordinates have velocities");
    if (!entry || !permitted(reader, scope, span, NH_ON_RATES, true))
        return nothing;
    return scalar(reader->model->coordinates[entry->index].rate, NH_ON_RATES);
}

/* ---------------------------------------------------------------- operations */

const char *nh_size_text(int size)
{
    return size == 1 ? "a scalar" : size == 2 ? "a vector of 2 components" : "a vector of 3 components";
}

static nh_value value_of_sum(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_pool *pool = reader->pool;
    nh_value sum = nothing;
    bool failed = false;
    for (size_t i = 0; i < ast->count; i++) {
        nh_value term = nh_value_of(reader, ast->children[i], scope);
        failed = failed || term.size == 0;
        if (failed)
            continue; /* go on, to report all that is wrong */
        if (i > 0 && term.size != sum.size)
            return wrong_value(nh_wrong(reader, ast->children[i]->span, NULL, "%s cannot be added to %s",
                                        nh_size_text(term.size), nh_size_text(sum.size)));
        bool minus = ast->operators[i] == '-';
        for (int k = 0; k < term.size; k++)
            sum.e[k] = i == 0
                           ? (minus ? nh_neg(pool, term.e[k]) : term.e[k])
                           : (minus ? nh_sub(pool, sum.e[k], term.e[k]) : nh_add(pool, sum.e[k], term.e[k]));
        sum.size = term.size;
        sum.on |= term.on;
    }
    return failed ? nothing : sum;
}

static nh_value multiply(nh_reader *reader, const nh_ast *ast, nh_value a, nh_value b)
{
    if (a.size > 1 && b.size > 1)
        return wrong_value(nh_wrong(reader, ast->span, "write dot(a, b) or cross(a, b)",
                                    "two vectors cannot be multiplied by '*'"));
    nh_value vector = a.size > 1 ? a : b, factor = a.size > 1 ? b : a, out = {vector.size, {0}, a.on | b.on};
    for (int k = 0; k < vector.size; k++)
        out.e[k] = nh_mul(reader->pool, factor.e[0], vector.e[k]);
    return out;
}

static nh_value divide(nh_reader *reader, const nh_ast *ast, nh_value a, nh_value b)
{
    if (b.size > 1)
        return wrong_value(nh_wrong(reader, ast->span, NULL, "division by a vector"));
    if (b.e[0] == reader->pool->zero ||
        nh_zero_test(reader->modular, &reader->scratch, b.e[0], NULL) == NH_YES)
        return wrong_value(nh_wrong(reader, ast->span, NULL, "division by zero"));
    nh_value out = {a.size, {0}, a.on | b.on};
    for (int k = 0; k < a.size; k++)
        out.e[k] = nh_div(reader->pool, a.e[k], b.e[0]);
    return out;
}

static nh_value value_of_product(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_value product = nothing;
    bool failed = false;
    for (size_t i = 0; i < ast->count; i++) {
        nh_value factor = nh_value_of(reader, ast->children[i], scope);
        failed = failed || factor.size == 0;
        if (failed)
            continue;
        product = i == 0                     ? factor
                  : ast->operators[i] == '/' ? divide(reader, ast->children[i], product, factor)
                                             : multiply(reader, ast->children[i], product, factor);
        failed = product.size == 0;
    }
    return failed ? nothing : product;
}

/* Whether base^n would have more digits than numbers may have. */
static bool power_is_huge(const nh_pool *pool, nh_expr base, int64_t n)
{
    nh_rational value;
    if (!nh_is_number(pool, base, &value) || n == 0 || n == 1 || n == -1)
        return false;
    if (value.big)
        return true;
    double bits = log2(fmax(fabs((double)value.num), (double)value.den));
    return bits * fabs((double)n) > (double)pool->numbers.max_bits;
}

static nh_value value_of_power(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_pool *pool = reader->pool;
    nh_value base = nh_value_of(reader, ast->children[0], scope),
             exponent = nh_value_of(reader, ast->children[1], scope);
    if (!base.size || !exponent.size)
        return nothing;
    if (base.size > 1)
        return wrong_value(nh_wrong(reader, ast->children[0]->span, "the square of a vector is dot(v, v)",
                                    "a vector has no powers"));
    if (exponent.size > 1)
        return wrong_value(nh_wrong(reader, ast->children[1]->span, NULL, "an exponent is a scalar"));
    nh_rational n;
    if (nh_is_number(pool, exponent.e[0], &n) &&
        (n.big || n.num > NH_MAX_EXPONENT || n.num < -NH_MAX_EXPONENT))
        return wrong_value(nh_wrong(reader, ast->children[1]->span, "exponents go from -10000 to 10000",
                                    "this exponent is too large"));
    if (nh_is_number(pool, exponent.e[0], &n) && n.den == 1 && power_is_huge(pool, base.e[0], n.num))
        return wrong_value(nh_wrong(reader, ast->span, NULL, "this number is too long"));
    nh_expr power = nh_pow(pool, base.e[0], exponent.e[0]);
    if (!power)
        return wrong_value(nh_wrong(reader, ast->children[0]->span, NULL, "division by zero"));
    return scalar(power, base.on | exponent.on);
}

static nh_value value_of_vector(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_value vector = {(int)ast->count, {0}, 0};
    if (ast->count > 3)
        return wrong_value(
            nh_wrong(reader, ast->span, NULL, "a vector has 2 or 3 components, not %zu", ast->count));
    for (size_t i = 0; i < ast->count; i++) {
        nh_value component = nh_scalar_of(reader, ast->children[i], scope);
        vector.e[i] = component.e[0];
        vector.on |= component.on;
        vector.size = component.size ? vector.size : 0;
    }
    return vector.size ? vector : nothing;
}

static bool no_component(nh_reader *reader, nh_span span, int size)
{
    nh_slice index = nh_word(reader, span);
    return nh_wrong(reader, span, NULL, "there is no component [%.*s]: this vector has [1] to [%d]",
                    (int)(index.length < 60 ? index.length : 60), index.data, size);
}

static nh_value value_of_index(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_value vector = nh_value_of(reader, ast->children[0], scope);
    if (!vector.size)
        return nothing;
    const nh_ast *index = ast->children[1];
    if (vector.size == 1)
        return wrong_value(nh_wrong(reader, ast->children[0]->span, NULL, "a scalar has no components"));
    bool number =
        ast->count == 2 && index->kind == NH_AST_NUMBER && !index->number.big && index->number.den == 1;
    if (!number || index->number.num < 1 || index->number.num > vector.size)
        return wrong_value(no_component(reader, index->span, vector.size));
    return scalar(vector.e[index->number.num - 1], vector.on);
}

/* ---------------------------------------------------------------- functions */

static bool has_arguments(nh_reader *reader, const nh_ast *ast, size_t count)
{
    nh_slice name = nh_word(reader, ast->name);
    return ast->count == count ||
           nh_wrong(reader, ast->name, NULL, "%.*s takes %zu argument%s, not %zu", (int)name.length,
                    name.data, count, count == 1 ? "" : "s", ast->count);
}

/* A constant that is no number: log(0), sqrt(-1). */
static bool is_finite(nh_reader *reader, nh_expr e)
{
    double value;
    nh_evaluate(reader->pool, &reader->scratch, &e, 1, NULL, &value, NULL);
    return isfinite(value);
}

static nh_value value_of_function(nh_reader *reader, const nh_ast *ast, const nh_scope *scope,
                                  nh_function function)
{
    const nh_function_info *info = nh_function_get(function);
    if (!has_arguments(reader, ast, (size_t)info->arity))
        return nothing;
    unsigned on = info->smooth ? 0 : NH_ON_CORNERS;
    if (!permitted(reader, scope, ast->name, on, true))
        return nothing;
    nh_expr arguments[2] = {0, 0};
    bool failed = false;
    for (size_t i = 0; i < ast->count; i++) {
        nh_value argument = nh_scalar_of(reader, ast->children[i], scope);
        arguments[i] = argument.e[0];
        failed = failed || !argument.size;
        on |= argument.on;
    }
    if (failed)
        return nothing;
    nh_expr result = nh_call(reader->pool, function, arguments[0], arguments[1]);
    if ((on & ~(unsigned)NH_ON_CORNERS) == 0 && !is_finite(reader, result))
        return wrong_value(nh_wrong(reader, ast->name, NULL, "%s has no value here", info->name));
    return scalar(result, on);
}

/* Two vectors of the same size. */
static bool two_vectors(nh_reader *reader, const nh_ast *ast, const nh_scope *scope, nh_value v[2])
{
    if (!has_arguments(reader, ast, 2))
        return false;
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        v[i] = nh_vector_of(reader, ast->children[i], scope);
        ok = ok && v[i].size;
    }
    if (ok && v[0].size != v[1].size)
        return nh_wrong(reader, ast->children[1]->span, NULL, "the vectors have %d and %d components",
                        v[0].size, v[1].size);
    return ok;
}

static nh_expr dot_product(nh_pool *pool, const nh_expr *a, const nh_expr *b, int size)
{
    nh_expr sum = pool->zero;
    for (int k = 0; k < size; k++)
        sum = nh_add(pool, sum, nh_mul(pool, a[k], b[k]));
    return sum;
}

/* dot(x): the velocity; dot(a, b): the product */
static nh_value value_of_dot(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_value v[2];
    if (ast->count == 1)
        return value_of_rate(reader, ast->children[0], ast->children[0]->span, scope);
    if (!two_vectors(reader, ast, scope, v))
        return nothing;
    return scalar(dot_product(reader->pool, v[0].e, v[1].e, v[0].size), v[0].on | v[1].on);
}

static nh_expr minor(nh_pool *pool, const nh_expr *a, const nh_expr *b, int i, int j)
{
    return nh_sub(pool, nh_mul(pool, a[i], b[j]), nh_mul(pool, a[j], b[i]));
}

static nh_value value_of_cross(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_value v[2];
    if (!two_vectors(reader, ast, scope, v))
        return nothing;
    nh_pool *pool = reader->pool;
    const nh_expr *a = v[0].e, *b = v[1].e;
    if (v[0].size == 2)
        return scalar(minor(pool, a, b, 0, 1), v[0].on | v[1].on);
    return (nh_value){
        3, {minor(pool, a, b, 1, 2), minor(pool, a, b, 2, 0), minor(pool, a, b, 0, 1)}, v[0].on | v[1].on};
}

static nh_value value_of_norm(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    if (!has_arguments(reader, ast, 1))
        return nothing;
    nh_value v = nh_vector_of(reader, ast->children[0], scope);
    if (!v.size)
        return nothing;
    nh_expr square = dot_product(reader->pool, v.e, v.e, v.size);
    return scalar(nh_call(reader->pool, NH_FN_sqrt, square, NH_EXPR_NONE), v.on);
}

/* A point or a body; NULL: reported. */
static nh_entry *entry_of_place(nh_reader *reader, const nh_ast *ast)
{
    nh_entry *entry = ast->kind == NH_AST_NAME ? nh_find(reader, nh_word(reader, ast->name)) : NULL;
    return entry && entry->kind == NH_ENTRY_BODY ? entry : entry_of(reader, ast, NH_ENTRY_POINT, NULL);
}

/* The frame of that name, or that of a body; NULL: reported. */
static const nh_frame *frame_named(nh_reader *reader, const nh_ast *ast)
{
    const nh_model *model = reader->model;
    nh_entry *entry = ast->kind == NH_AST_NAME ? nh_find(reader, nh_word(reader, ast->name)) : NULL;
    if (entry && entry->kind == NH_ENTRY_BODY)
        return &model->frames[model->bodies[entry->index].frame];
    entry = entry_of(reader, ast, NH_ENTRY_FRAME, NULL);
    return entry ? &model->frames[entry->index] : NULL;
}

static nh_value value_of_angvel(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    const nh_frame *f = has_arguments(reader, ast, 1) ? frame_named(reader, ast->children[0]) : NULL;
    if (!f || !permitted(reader, scope, ast->name, f->on | NH_ON_RATES, false))
        return nothing;
    return (nh_value){3, {f->omega[0], f->omega[1], f->omega[2]}, f->on | NH_ON_RATES};
}

/* axis(B, k): a column. */
static nh_value value_of_axis(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    const nh_frame *f = has_arguments(reader, ast, 2) ? frame_named(reader, ast->children[0]) : NULL;
    if (!f || !permitted(reader, scope, ast->name, f->on, false))
        return nothing;
    const nh_ast *index = ast->children[1];
    bool number = index->kind == NH_AST_NUMBER && !index->number.big && index->number.den == 1;
    if (!number || index->number.num < 1 || index->number.num > 3)
        return wrong_value(nh_wrong(reader, index->span, NULL, "a frame has the axes 1, 2 and 3"));
    size_t k = (size_t)index->number.num - 1;
    return (nh_value){3, {f->R[k], f->R[3 + k], f->R[6 + k]}, f->on};
}

static nh_value value_of_point(nh_reader *reader, const nh_ast *ast, const nh_scope *scope, bool velocity)
{
    if (!has_arguments(reader, ast, 1))
        return nothing;
    nh_entry *entry = entry_of_place(reader, ast->children[0]);
    if (!entry)
        return nothing;
    unsigned on = entry->value.on | (velocity ? NH_ON_RATES : 0u);
    if (!permitted(reader, scope, ast->name, on, false))
        return nothing;
    const nh_model *model = reader->model;
    const nh_point *point =
        &model->points[entry->kind == NH_ENTRY_BODY ? model->bodies[entry->index].point : entry->index];
    nh_value v = {point->size, {0}, on};
    for (int k = 0; k < point->size; k++)
        v.e[k] = velocity ? point->rate[k] : point->at[k];
    return v;
}

/* Whether the first argument is a point or a body. */
static bool is_place(nh_reader *reader, const nh_ast *ast)
{
    const nh_ast *first = ast->count ? ast->children[0] : NULL;
    nh_entry *entry =
        first && first->kind == NH_AST_NAME ? nh_find(reader, nh_word(reader, first->name)) : NULL;
    return entry && (entry->kind == NH_ENTRY_POINT || entry->kind == NH_ENTRY_BODY);
}

/* reaction(P): the reactive force at a point or body; reaction(B, A): the moment of those on a body about the place A. */
static nh_value value_of_newton(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    bool moment = ast->count == 2;
    if ((!moment && !has_arguments(reader, ast, 1)) ||
        !permitted(reader, scope, ast->name, NH_ON_REACTIONS, true))
        return nothing;
    nh_entry *entry = moment ? entry_of(reader, ast->children[0], NH_ENTRY_BODY,
                                        "a moment is that of a body: reaction(B, VECTOR)")
                             : entry_of_place(reader, ast->children[0]);
    nh_value about = moment ? nh_vector_of(reader, ast->children[1], scope) : (nh_value){.size = 3};
    if (!entry || !about.size)
        return nothing;
    if (about.size == 2)
        return wrong_value(nh_wrong(reader, ast->children[1]->span, NULL, "the place has 3 components"));
    if (moment)
        return nh_reactive_moment(reader, entry->index, about);
    return nh_reactive_force(reader, entry->kind == NH_ENTRY_BODY ? reader->model->bodies[entry->index].point
                                                                  : entry->index);
}

/* A symbol for what only the motion knows. */
static nh_value value_of_reaction(nh_reader *reader, const nh_ast *ast, const nh_scope *scope,
                                  bool multiplier)
{
    if (!multiplier && is_place(reader, ast))
        return value_of_newton(reader, ast, scope);
    if (!has_arguments(reader, ast, 1) || !permitted(reader, scope, ast->name, NH_ON_REACTIONS, true))
        return nothing;
    nh_entry *entry =
        entry_of(reader, ast->children[0], multiplier ? NH_ENTRY_CONSTRAINT : NH_ENTRY_COORDINATE, NULL);
    if (!entry)
        return nothing;
    if (!multiplier)
        return scalar(nh_special_symbol(reader, NH_ROLE_REACTION, entry->index, 0), NH_ON_REACTIONS);
    nh_value value = {(int)reader->equations[entry->index].components, {0}, NH_ON_REACTIONS};
    for (int k = 0; k < value.size; k++)
        value.e[k] = nh_special_symbol(reader, NH_ROLE_MULTIPLIER, entry->index + (uint32_t)k,
                                       value.size > 1 ? k + 1 : 0);
    return value;
}

static nh_value value_of_other_call(nh_reader *reader, const nh_ast *ast)
{
    nh_slice name = nh_word(reader, ast->name);
    nh_entry *entry = nh_find(reader, name);
    if (entry && entry->kind == NH_ENTRY_BROKEN)
        return nothing;
    if (entry || nh_slice_is(name, "t") || nh_slice_is(name, "pi"))
        return wrong_value(nh_wrong(reader, ast->name, "multiplication is written out with '*'",
                                    "'%.*s' is not a function; missing '*'", (int)name.length, name.data));
    return wrong_value(nh_wrong(reader, ast->name, nh_similar(reader, name, true), "unknown function '%.*s'",
                                (int)name.length, name.data));
}

static nh_value value_of_call(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_slice name = nh_word(reader, ast->name);
    nh_function function;
    if (nh_function_find(name, &function))
        return value_of_function(reader, ast, scope, function);
    if (nh_slice_is(name, "dot"))
        return value_of_dot(reader, ast, scope);
    if (nh_slice_is(name, "cross"))
        return value_of_cross(reader, ast, scope);
    if (nh_slice_is(name, "norm"))
        return value_of_norm(reader, ast, scope);
    if (nh_slice_is(name, "pos") || nh_slice_is(name, "vel"))
        return value_of_point(reader, ast, scope, name.data[0] == 'v');
    if (nh_slice_is(name, "reaction") || nh_slice_is(name, "multiplier"))
        return value_of_reaction(reader, ast, scope, name.data[0] == 'm');
    if (nh_slice_is(name, "angvel"))
        return value_of_angvel(reader, ast, scope);
    if (nh_slice_is(name, "axis"))
        return value_of_axis(reader, ast, scope);
    return value_of_other_call(reader, ast);
}

/* ---------------------------------------------------------------- the door */

nh_value nh_value_of(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    switch (ast->kind) {
    case NH_AST_NUMBER: return scalar(nh_number(reader->pool, ast->number), 0);
    case NH_AST_NAME: return value_of_name(reader, ast, scope);
    case NH_AST_RATE: {
        nh_ast name = {.kind = NH_AST_NAME, .span = ast->name, .name = ast->name};
        return value_of_rate(reader, &name, ast->name, scope);
    }
    case NH_AST_SUM: return value_of_sum(reader, ast, scope);
    case NH_AST_PRODUCT: return value_of_product(reader, ast, scope);
    case NH_AST_POWER: return value_of_power(reader, ast, scope);
    case NH_AST_CALL: return value_of_call(reader, ast, scope);
    case NH_AST_VECTOR: return value_of_vector(reader, ast, scope);
    case NH_AST_INDEX: return value_of_index(reader, ast, scope);
    }
    return nothing;
}

nh_value nh_scalar_of(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_value value = nh_value_of(reader, ast, scope);
    if (value.size > 1)
        return wrong_value(nh_wrong(reader, ast->span, "take a component, v[1], or a product, dot(a, b)",
                                    "a scalar is needed here, not a vector"));
    return value;
}

nh_value nh_vector_of(nh_reader *reader, const nh_ast *ast, const nh_scope *scope)
{
    nh_value value = nh_value_of(reader, ast, scope);
    if (value.size == 1)
        return wrong_value(nh_wrong(reader, ast->span, "write a vector as (a, b) or (a, b, c)",
                                    "a vector is needed here, not a scalar"));
    return value;
}
