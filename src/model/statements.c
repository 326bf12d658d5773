/* The meaning of each statement. */
#include "model/reader.h"

#include <string.h>

/* What may stand in which statement. */
enum {
    STATE = NH_ON_COORDINATES | NH_ON_RATES | NH_ON_TIME | NH_ON_PARAMETERS,
    PLACE = NH_ON_COORDINATES | NH_ON_TIME | NH_ON_PARAMETERS,
};
static const nh_scope in_parameter = {"the value of a parameter", NH_ON_PARAMETERS};
static const nh_scope in_input = {"an input", NH_ON_PARAMETERS | NH_ON_TIME | NH_ON_CORNERS};
static const nh_scope in_let = {"an abbreviation", NH_ON_ALL & ~NH_ON_TOTALS};
static const nh_scope in_kinetic = {"a kinetic energy", STATE};
static const nh_scope in_potential = {"a potential energy", PLACE};
static const nh_scope in_force = {"a force", STATE | NH_ON_CORNERS};
static const nh_scope in_position = {"the position of a point", PLACE};
static const nh_scope in_mass = {"a mass", NH_ON_PARAMETERS};
static const nh_scope in_gravity = {"gravity", NH_ON_PARAMETERS | NH_ON_TIME};
static const nh_scope in_constraint = {"a constraint", STATE};
static const nh_scope in_parametric = {"a parametric equation", PLACE | NH_ON_VELOCITIES};
static const nh_scope in_observe = {"an observed value", STATE | NH_ON_VELOCITIES | NH_ON_CORNERS |
                                                             NH_ON_REACTIONS | NH_ON_TOTALS};
static const nh_scope in_integral = {"an integral", STATE | NH_ON_VELOCITIES | NH_ON_TOTALS};

static const char *name_of(nh_reader *reader, nh_span span)
{
    nh_slice name = nh_word(reader, span);
    return nh_arena_copy(&reader->model->arena, name.data, name.length);
}

/* ---------------------------------------------------------------- declarations */

nh_expr nh_new_symbol(nh_reader *reader, const char *name, nh_role role, size_t index)
{
    nh_model *model = reader->model;
    bool position = role == NH_ROLE_TIME || role == NH_ROLE_COORDINATE;
    nh_expr symbol = nh_symbol_placed(&model->pool, name,
                                      role == NH_ROLE_PARAMETER ? NH_PLACED_FIRST
                                      : position                ? NH_PLACED_SECOND
                                                                : NH_PLACED_THIRD);
    nh_push(&model->arena, model->roles, model->n_roles, model->roles_capacity) =
        (nh_symbol_role){role, (uint32_t)index};
    return symbol;
}

nh_expr nh_special_symbol(nh_reader *reader, nh_role role, uint32_t index, int component)
{
    nh_model *model = reader->model;
    for (size_t i = 0; i < model->n_roles; i++)
        if (model->roles[i].role == role && model->roles[i].index == index)
            return nh_symbol_at(&model->pool, (uint32_t)i);
    nh_text name;
    nh_text_init(&name, &model->arena);
    switch (role) {
    case NH_ROLE_MULTIPLIER:
        nh_text_format(&name, "multiplier(%s)", reader->equations[index].constraint.name);
        break;
    case NH_ROLE_ACCELERATION: nh_text_format(&name, "%s''", model->coordinates[index].name); break;
    case NH_ROLE_POINT_FORCE: nh_text_format(&name, "reaction(%s)", model->points[index / 3].name); break;
    case NH_ROLE_BODY_MOMENT: nh_text_format(&name, "moment(%s)", model->bodies[index / 3].name); break;
    default: nh_text_format(&name, "reaction(%s)", model->coordinates[index].name); break;
    }
    if (component > 0)
        nh_text_format(&name, "[%d]", component);
    return nh_new_symbol(reader, nh_text_get(&name), role, index);
}

static void declare_coordinate(nh_reader *reader, nh_span span, bool angle)
{
    nh_model *model = reader->model;
    nh_entry *entry = nh_declare(reader, span, NH_ENTRY_COORDINATE);
    if (!entry)
        return;
    nh_coordinate c = {.name = entry->name, .angle = angle, .force = model->pool.zero};
    nh_text rate;
    nh_text_init(&rate, &model->arena);
    nh_text_format(&rate, "%s'", entry->name);
    entry->index = (uint32_t)model->n;
    c.q = nh_new_symbol(reader, c.name, NH_ROLE_COORDINATE, model->n);
    c.rate = nh_new_symbol(reader, nh_text_get(&rate), NH_ROLE_RATE, model->n);
    nh_push(&model->arena, model->coordinates, model->n, model->coordinates_capacity) = c;
}

static void declare_velocity(nh_reader *reader, nh_span span)
{
    nh_model *model = reader->model;
    nh_entry *entry = nh_declare(reader, span, NH_ENTRY_VELOCITY);
    if (!entry)
        return;
    entry->index = (uint32_t)model->n_velocities;
    nh_velocity z = {entry->name, nh_new_symbol(reader, entry->name, NH_ROLE_VELOCITY, model->n_velocities)};
    nh_push(&model->arena, model->velocities, model->n_velocities, model->velocities_capacity) = z;
}

/* The value first: a parameter cannot be defined by itself. */
static void declare_parameter(nh_reader *reader, const nh_item *item)
{
    nh_model *model = reader->model;
    nh_value value = {.size = 1};
    if (item->value)
        value = nh_scalar_of(reader, item->value, &in_parameter);
    nh_entry *entry = nh_declare(reader, item->name, NH_ENTRY_PARAMETER);
    if (!entry)
        return;
    entry->index = (uint32_t)model->n_parameters;
    nh_expr symbol = nh_new_symbol(reader, entry->name, NH_ROLE_PARAMETER, model->n_parameters);
    nh_push(&model->arena, model->parameters, model->n_parameters, model->parameters_capacity) =
        (nh_parameter){entry->name, symbol, value.e[0]};
}

/* let, input, observe, integral: a name for a value. */
static void declare_value(nh_reader *reader, const nh_item *item, nh_entry_kind kind, const nh_scope *scope,
                          bool vectors)
{
    nh_value value =
        vectors ? nh_value_of(reader, item->value, scope) : nh_scalar_of(reader, item->value, scope);
    nh_entry *entry = nh_declare(reader, item->name, value.size ? kind : NH_ENTRY_BROKEN);
    if (!entry)
        return;
    if (kind == NH_ENTRY_INPUT)
        value.on &= ~(unsigned)NH_ON_CORNERS; /* a given function of time may have corners */
    entry->value = value;
    nh_model *model = reader->model;
    nh_named named = {entry->name, value.e[0]};
    if (value.size && kind == NH_ENTRY_OBSERVED)
        nh_push(&model->arena, model->observed, model->n_observed, model->observed_capacity) = named;
    if (value.size && kind == NH_ENTRY_INTEGRAL)
        nh_push(&model->arena, model->integrals, model->n_integrals, model->integrals_capacity) = named;
}

/* ---------------------------------------------------------------- energies and forces */

static void add_energy(nh_reader *reader, const nh_ast *ast, bool kinetic)
{
    nh_arena *arena = &reader->model->arena;
    nh_value value = nh_scalar_of(reader, ast, kinetic ? &in_kinetic : &in_potential);
    if (!value.size)
        return;
    nh_energy energy = {value.e[0], ast->span};
    if (kinetic)
        nh_push(arena, reader->kinetics, reader->n_kinetics, reader->kinetics_capacity) = energy;
    else
        nh_push(arena, reader->potentials, reader->n_potentials, reader->potentials_capacity) = energy;
}

/* The coordinate of this name; NULL: reported. */
static nh_coordinate *coordinate_named(nh_reader *reader, nh_span span)
{
    nh_entry *entry = nh_find(reader, nh_word(reader, span));
    if (entry && entry->kind == NH_ENTRY_COORDINATE)
        return &reader->model->coordinates[entry->index];
    if (!entry)
        nh_unknown(reader, span);
    else if (entry->kind != NH_ENTRY_BROKEN)
        nh_wrong(reader, span, NULL, "'%s' is %s, not a coordinate", entry->name,
                 nh_entry_kind_text(entry->kind));
    return NULL;
}

static void add_force(nh_reader *reader, const nh_item *item)
{
    nh_coordinate *c = coordinate_named(reader, item->name);
    nh_value value = nh_scalar_of(reader, item->value, &in_force);
    if (c && value.size)
        c->force = nh_add(reader->pool, c->force, value.e[0]);
}

static void set_gravity(nh_reader *reader, const nh_statement *s)
{
    nh_model *model = reader->model;
    if (reader->gravity_span.length) {
        nh_wrong(reader, s->keyword_span, NULL, "gravity is given twice");
        return;
    }
    reader->gravity_span = s->keyword_span;
    nh_value value = nh_vector_of(reader, s->value, &in_gravity);
    reader->gravity_place = s->value->span;
    model->gravity_size = value.size;
    memcpy(model->gravity, value.e, sizeof value.e);
}

/* The force may contain the position and the velocity of its own point. */
void nh_set_point_force(nh_reader *reader, const nh_ast *ast, nh_point *point)
{
    nh_value force = nh_vector_of(reader, ast, &in_force);
    if (force.size && point && force.size != point->size)
        nh_wrong(reader, ast->span, NULL, "the position has %d components, the force %d", point->size,
                 force.size);
    else if (force.size && point) {
        memcpy(point->force, force.e, sizeof force.e);
        nh_add_point_force(reader, point);
    }
}

nh_point *nh_add_point(nh_reader *reader, const nh_statement *s, nh_entry_kind kind, nh_entry **entry)
{
    nh_model *model = reader->model;
    nh_value at = nh_vector_of(reader, s->value, &in_position), mass = {.size = 1};
    if (s->mass)
        mass = nh_scalar_of(reader, s->mass, &in_mass);
    bool ok = at.size && mass.size && kind != NH_ENTRY_BROKEN;
    if (ok && model->n_points && model->points[0].size != at.size)
        ok = nh_wrong(reader, s->value->span, NULL, "'%s' has %d components, this one %d",
                      model->points[0].name, model->points[0].size, at.size);
    *entry = nh_declare(reader, s->items[0].name, ok ? kind : NH_ENTRY_BROKEN);
    if (!ok || !*entry)
        return NULL;
    nh_point point = {.name = (*entry)->name, .size = at.size, .mass = mass.e[0]};
    (*entry)->index = (uint32_t)model->n_points;
    (*entry)->value.on = at.on;
    memcpy(point.at, at.e, sizeof at.e);
    nh_total_derivative(reader, point.at, (size_t)point.size, point.rate);
    nh_push(&model->arena, model->points, model->n_points, model->points_capacity) = point;
    return &model->points[model->n_points - 1];
}

static void declare_point(nh_reader *reader, const nh_statement *s)
{
    nh_entry *entry;
    nh_point *point = nh_add_point(reader, s, NH_ENTRY_POINT, &entry);
    if (s->force)
        nh_set_point_force(reader, s->force, point);
}

/* ---------------------------------------------------------------- constraints */

/* The equation as written, on one line with single spaces. */
static const char *one_line(nh_reader *reader, nh_span span)
{
    nh_slice text = nh_word(reader, span);
    nh_text out;
    nh_text_init(&out, &reader->model->arena);
    bool space = false, comment = false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        comment = (comment || c == '#') && c != '\n' && c != '\r';
        bool white = comment || c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!white && space)
            nh_text_char(&out, ' ');
        if (!white)
            nh_text_char(&out, c);
        space = white;
    }
    return nh_text_get(&out);
}

static void add_constraint(nh_reader *reader, const nh_statement *s)
{
    nh_model *model = reader->model;
    nh_value left = nh_value_of(reader, s->value, &in_constraint),
             right = nh_value_of(reader, s->right, &in_constraint);
    bool ok = left.size && right.size;
    if (ok && left.size != right.size)
        ok = nh_wrong(reader, s->right->span, right.size == 1 ? "write a vector, such as (0, 0, 0)" : NULL,
                      "the left side is %s, the right side %s", nh_size_text(left.size),
                      nh_size_text(right.size));
    nh_entry *entry = NULL;
    if (s->n_items)
        entry = nh_declare(reader, s->items[0].name, ok ? NH_ENTRY_CONSTRAINT : NH_ENTRY_BROKEN);
    if (!ok)
        return;
    if (entry)
        entry->index = (uint32_t)reader->n_equations;
    nh_constraint c = {.name = s->n_items ? name_of(reader, s->items[0].name) : ""};
    c.text = one_line(reader, nh_span_join(s->value->span, s->right->span));
    c.line = nh_source_place(reader->source, s->span.offset).line;
    for (int k = 0; k < left.size; k++) {
        c.component = left.size > 1 ? k + 1 : 0;
        c.C = nh_sub(reader->pool, left.e[k], right.e[k]);
        nh_equation equation = {.constraint = c, .keyword = s->keyword_span, .components = (size_t)left.size};
        nh_push(&model->arena, reader->equations, reader->n_equations, reader->equations_capacity) = equation;
    }
}

static void add_parametric(nh_reader *reader, const nh_item *item)
{
    nh_model *model = reader->model;
    if (!item->rate) {
        nh_slice name = nh_word(reader, item->name);
        nh_wrong(reader, item->name, "parametric equations are written x' = ...", "'%.*s' is not a velocity",
                 (int)name.length, name.data);
        return;
    }
    nh_coordinate *c = coordinate_named(reader, item->name);
    nh_value value = nh_scalar_of(reader, item->value, &in_parametric);
    if (!c || !value.size)
        return;
    if (!model->psi)
        model->psi = nh_arena_array(&model->arena, model->n, sizeof *model->psi);
    size_t i = (size_t)(c - model->coordinates);
    if (model->psi[i])
        nh_wrong(reader, item->name, NULL, "the parametric equation for %s' is given twice", c->name);
    model->psi[i] = value.e[0];
}

static void add_independent(nh_reader *reader, const nh_item *item)
{
    nh_model *model = reader->model;
    nh_coordinate *c = coordinate_named(reader, item->name);
    if (!c)
        return;
    if (!item->rate) {
        nh_wrong(reader, item->name, "name the velocities: independent x', y'", "'%s' is not a velocity",
                 c->name);
        return;
    }
    uint32_t i = (uint32_t)(c - model->coordinates);
    for (size_t k = 0; k < model->n_independent; k++)
        if (model->independent[k] == i) {
            nh_wrong(reader, item->name, NULL, "%s' is named twice", c->name);
            return;
        }
    nh_push(&model->arena, model->independent, model->n_independent, model->independent_capacity) = i;
}

/* ---------------------------------------------------------------- the statement */

static void read_item(nh_reader *reader, nh_keyword keyword, const nh_item *item)
{
    switch (keyword) {
    case NH_KEYWORD_coordinates: declare_coordinate(reader, item->name, false); break;
    case NH_KEYWORD_angles: declare_coordinate(reader, item->name, true); break;
    case NH_KEYWORD_parameters: declare_parameter(reader, item); break;
    case NH_KEYWORD_velocities: declare_velocity(reader, item->name); break;
    case NH_KEYWORD_input: declare_value(reader, item, NH_ENTRY_INPUT, &in_input, false); break;
    case NH_KEYWORD_let: declare_value(reader, item, NH_ENTRY_LET, &in_let, true); break;
    case NH_KEYWORD_observe: declare_value(reader, item, NH_ENTRY_OBSERVED, &in_observe, false); break;
    case NH_KEYWORD_integral: declare_value(reader, item, NH_ENTRY_INTEGRAL, &in_integral, false); break;
    case NH_KEYWORD_force: add_force(reader, item); break;
    case NH_KEYWORD_frame: nh_declare_frame(reader, item); break;
    case NH_KEYWORD_parametric: add_parametric(reader, item); break;
    case NH_KEYWORD_independent: add_independent(reader, item); break;
    default: break;
    }
}

static void set_title(nh_reader *reader, const nh_statement *s)
{
    if (reader->system_span.length)
        nh_wrong(reader, s->keyword_span, NULL, "the title is given twice");
    reader->system_span = s->keyword_span;
    reader->model->title = name_of(reader, s->title);
}

/* Coordinates cannot be added once equations are given one by one for each. */
static bool in_order(nh_reader *reader, const nh_statement *s)
{
    bool coordinate = s->keyword == NH_KEYWORD_coordinates || s->keyword == NH_KEYWORD_angles;
    if (coordinate && reader->model->psi)
        return nh_wrong(reader, s->keyword_span, "move this statement up",
                        "coordinates are declared before the parametric equations");
    return true;
}

static void remember(nh_span *where, nh_span span)
{
    if (!where->length)
        *where = span;
}

void nh_read_statement(nh_reader *reader, const nh_statement *s)
{
    if (!in_order(reader, s))
        return;
    if (s->keyword == NH_KEYWORD_velocities)
        remember(&reader->velocities_span, s->keyword_span);
    if (s->keyword == NH_KEYWORD_parametric)
        remember(&reader->parametric_span, s->keyword_span);
    if (s->keyword == NH_KEYWORD_independent)
        remember(&reader->independent_span, s->keyword_span);
    switch (s->keyword) {
    case NH_KEYWORD_system: set_title(reader, s); break;
    case NH_KEYWORD_kinetic: add_energy(reader, s->value, true); break;
    case NH_KEYWORD_potential: add_energy(reader, s->value, false); break;
    case NH_KEYWORD_gravity: set_gravity(reader, s); break;
    case NH_KEYWORD_point: declare_point(reader, s); break;
    case NH_KEYWORD_body: nh_declare_body(reader, s); break;
    case NH_KEYWORD_draw: nh_read_drawing(reader, s); break;
    case NH_KEYWORD_constraint: add_constraint(reader, s); break;
    case NH_KEYWORD_initial: nh_read_initial(reader, s->items, s->n_items); break;
    default:
        for (size_t i = 0; i < s->n_items; i++)
            read_item(reader, s->keyword, &s->items[i]);
    }
}
