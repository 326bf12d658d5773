/* test_model PATH...: a model laid out is the same model, and the layout of a layout is the layout itself. */
#include "model/model.h"
#include "support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *current; /* the file, for messages */
static int failures;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    printf("%s: different %s\n", current, what);
    failures++;
}

/* ---------------------------------------------------------------- two models */

static bool same_texts(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* The white space of an equation is the layout's affair. */
static bool same_but_for_spaces(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

static void compare_pools(const nh_pool *a, const nh_pool *b)
{
    bool counts =
        a->n_nodes == b->n_nodes && a->n_rationals == b->n_rationals && a->n_symbols == b->n_symbols;
    expect(counts, "number of nodes, numbers or symbols");
    for (size_t i = 0; counts && i < a->n_nodes; i++) {
        nh_node x = a->nodes[i], y = b->nodes[i];
        expect(x.kind == y.kind && x.function == y.function && x.a == y.a && x.b == y.b, "node");
    }
    for (size_t i = 0; counts && i < a->n_rationals; i++)
        expect(nh_rational_equal(a->rationals[i], b->rationals[i]), "number");
    for (size_t i = 0; counts && i < a->n_symbols; i++)
        expect(same_texts(a->symbols[i], b->symbols[i]), "symbol");
}

static void compare_constraint(const nh_constraint *x, const nh_constraint *y)
{
    expect(same_texts(x->name, y->name), "name of a constraint");
    expect(same_but_for_spaces(x->text, y->text), "text of a constraint");
    expect(x->component == y->component && x->kind == y->kind && x->rate_kind == y->rate_kind &&
               x->degree == y->degree,
           "kind of constraint");
    expect(x->C == y->C && x->position == y->position, "constraint");
}

static void compare_point(const nh_point *x, const nh_point *y)
{
    expect(same_texts(x->name, y->name) && x->size == y->size && x->mass == y->mass, "point");
    for (int k = 0; k < 3; k++)
        expect(x->at[k] == y->at[k] && x->rate[k] == y->rate[k] && x->force[k] == y->force[k],
               "components of a point");
}

static void compare_named(const nh_named *x, const nh_named *y, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        expect(same_texts(x[i].name, y[i].name) && x[i].value == y[i].value, what);
}

static void compare_declared(const nh_model *a, const nh_model *b)
{
    for (size_t i = 0; i < a->n; i++) {
        const nh_coordinate *x = &a->coordinates[i], *y = &b->coordinates[i];
        expect(same_texts(x->name, y->name) && x->angle == y->angle && x->q == y->q && x->rate == y->rate,
               "coordinate");
        expect(x->force == y->force, "force");
        expect(!a->psi == !b->psi && (!a->psi || a->psi[i] == b->psi[i]), "parametric equation");
    }
    for (size_t i = 0; i < a->n_parameters; i++) {
        const nh_parameter *x = &a->parameters[i], *y = &b->parameters[i];
        expect(same_texts(x->name, y->name) && x->symbol == y->symbol && x->value == y->value, "parameter");
    }
    for (size_t i = 0; i < a->n_velocities; i++)
        expect(same_texts(a->velocities[i].name, b->velocities[i].name) &&
                   a->velocities[i].symbol == b->velocities[i].symbol,
               "velocity");
    for (size_t i = 0; i < a->n_points; i++)
        compare_point(&a->points[i], &b->points[i]);
    for (size_t i = 0; i < a->r; i++)
        compare_constraint(&a->constraints[i], &b->constraints[i]);
    for (size_t i = 0; i < a->n_independent; i++)
        expect(a->independent[i] == b->independent[i], "independent velocity");
    for (size_t i = 0; i < a->n_initial; i++)
        expect(a->initial[i].symbol == b->initial[i].symbol && a->initial[i].value == b->initial[i].value,
               "start");
}

static void compare_models(const nh_model *a, const nh_model *b)
{
    compare_pools(&a->pool, &b->pool);
    expect(same_texts(a->title, b->title), "title");
    bool counts = a->n == b->n && a->n_parameters == b->n_parameters && a->n_velocities == b->n_velocities &&
                  a->n_points == b->n_points && a->r == b->r && a->n_independent == b->n_independent &&
                  a->n_initial == b->n_initial && a->n_observed == b->n_observed &&
                  a->n_integrals == b->n_integrals && a->n_roles == b->n_roles;
    expect(counts, "number of names");
    if (!counts)
        return;
    for (size_t i = 0; i < a->n_roles; i++)
        expect(a->roles[i].role == b->roles[i].role && a->roles[i].index == b->roles[i].index, "role");
    compare_declared(a, b);
    compare_named(a->observed, b->observed, a->n_observed, "observed value");
    compare_named(a->integrals, b->integrals, a->n_integrals, "integral");
    expect(a->time == b->time && a->start_time == b->start_time, "time");
    expect(a->kinetic == b->kinetic && a->potential == b->potential, "energy");
    expect(a->gravity_size == b->gravity_size && memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0,
           "gravity");
    expect(a->psi_kind == b->psi_kind && a->psi_exact == b->psi_exact &&
               a->representations_agree == b->representations_agree,
           "parametric equations");
}

/* ---------------------------------------------------------------- one file */

static nh_status read_text(nh_context *context, const char *text, size_t length, nh_model **model)
{
    return nh_model_read(context, &(nh_model_source){.name = "m", .text = text, .length = length}, model);
}

/* Where the model is wrong, it is so in the same way. */
static void compare_readings(const test_file *file, const nh_string *laid_out)
{
    nh_context *contexts[2] = {nh_context_new(NULL), nh_context_new(NULL)};
    nh_model *models[2];
    nh_status first = read_text(contexts[0], file->text, file->length, &models[0]);
    nh_status second = read_text(contexts[1], laid_out->data, laid_out->length, &models[1]);
    size_t messages = nh_message_count(contexts[0]);
    expect(first == second, "status");
    expect(messages == nh_message_count(contexts[1]), "number of messages");
    for (size_t i = 0; i < messages && i < nh_message_count(contexts[1]); i++)
        expect(nh_message_get(contexts[0], i).severity == nh_message_get(contexts[1], i).severity, "message");
    if (first == NH_OK && second == NH_OK)
        compare_models(models[0], models[1]);
    for (int i = 0; i < 2; i++) {
        nh_model_free(models[i]);
        nh_context_free(contexts[i]);
    }
}

static nh_status lay_out(nh_context *context, const char *text, size_t length, nh_string *out)
{
    return nh_model_format(context, &(nh_model_source){.text = text, .length = length}, out);
}

/* Returns whether the syntax is right. */
static bool check_file(const test_file *file)
{
    nh_context *context = nh_context_new(NULL);
    nh_string once, twice = {NULL, 0};
    nh_status status = lay_out(context, file->text, file->length, &once);
    expect(status == NH_OK || (status == NH_ERROR_MODEL && !once.data && nh_message_count(context) > 0),
           "status");
    if (status == NH_OK) {
        expect(lay_out(context, once.data, once.length, &twice) == NH_OK, "second status");
        expect(twice.data && same_texts(once.data, twice.data), "second layout");
        compare_readings(file, &once);
    }
    nh_string_free(context, &once);
    nh_string_free(context, &twice);
    nh_context_free(context);
    return status == NH_OK;
}

int main(int argc, char **argv)
{
    test_files files = {NULL, 0};
    size_t right = 0;
    for (int i = 1; i < argc; i++)
        test_files_add(&files, argv[i]);
    for (size_t i = 0; i < files.count; i++) {
        current = files.items[i].path;
        right += check_file(&files.items[i]);
    }
    printf("%zu files, %zu with right syntax, %d differences\n", files.count, right, failures);
    test_files_free(&files);
    return failures > 0 || right == 0;
}
