/* Octave and MATLAB: one function, which returns a struct of handles and values. */
#include "export/writer.h"

static const char reserved[] =
    "break case catch classdef continue do else elseif end end_try_catch "
    "end_unwind_protect endclassdef endenumeration "
    "endevents endfor endfunction endif endmethods endparfor endproperties "
    "endswitch endwhile enumeration events for "
    "function global if methods otherwise parfor persistent properties return "
    "spmd switch try until unwind_protect "
    "unwind_protect_cleanup while pi NaN Inf sin cos sinh cosh tanh atan atan2 exp "
    "realsqrt reallog realpow abs sign min max "
    "zeros error size numel arc_sine arc_cosine solve_linear model title ans";

/* Octave and MATLAB go on with complex numbers where a real one does not exist: here that is an error. */
static const char arcs[] = "function y = arc_sine(x)\n"
                           "  if abs(x) > 1\n"
                           "    error('asin: there is no real value');\n"
                           "  end\n"
                           "  y = asin(x);\n"
                           "end\n\n"
                           "function y = arc_cosine(x)\n"
                           "  if abs(x) > 1\n"
                           "    error('acos: there is no real value');\n"
                           "  end\n"
                           "  y = acos(x);\n"
                           "end\n\n";

static const char solve_linear[] =
    "% Solves A x = b. Elimination with row exchanges, rows being scaled before.\n"
    "function b = solve_linear(A, b)\n"
    "  n = numel(b);\n"
    "  for i = 1:n\n"
    "    s = max(abs(A(i, :)));\n"
    "    if ~(s > 0)\n"
    "      error('a linear system has no unique solution');\n"
    "    end\n"
    "    A(i, :) = A(i, :)/s;\n"
    "    b(i) = b(i)/s;\n"
    "  end\n"
    "  for j = 1:n\n"
    "    [s, k] = max(abs(A(j:n, j)));\n"
    "    if ~(s > 0)\n"
    "      error('a linear system has no unique solution');\n"
    "    end\n"
    "    k = k + j - 1;\n"
    "    A([j k], :) = A([k j], :);\n"
    "    b([j k]) = b([k j]);\n"
    "    f = A(j+1:n, j)/A(j, j);\n"
    "    A(j+1:n, j+1:n) = A(j+1:n, j+1:n) - f*A(j, j+1:n);\n"
    "    b(j+1:n) = b(j+1:n) - f*b(j);\n"
    "  end\n"
    "  for i = n:-1:1\n"
    "    b(i) = (b(i) - A(i, i+1:n)*b(i+1:n))/A(i, i);\n"
    "  end\n"
    "end\n\n";

/* Texts in a cell, numbers in a column. */
static void write_tables(nh_export *e)
{
    for (nh_table_id id = 0; id < NH_TABLES; id++) {
        bool text = nh_table_is_text(id), list = id != NH_TABLE_START_TIME;
        if (!nh_table_is_there(e, id))
            continue;
        nh_text_format(e->out, "  model.%s = %s", nh_table_names[id], text ? "{" : list ? "[" : "");
        nh_write_entries(e, id, ", ...\n    ");
        nh_text_str(e->out, text ? "};\n" : list ? "]';\n" : ";\n");
    }
    for (nh_routine_id id = 0; id < NH_ROUTINES; id++)
        if (e->routines[id].tape)
            nh_text_format(e->out, "  model.%s = @%s;\n", nh_routine_names[id], nh_routine_names[id]);
}

static void begin(nh_export *e)
{
    nh_describe(e);
    nh_comment(e, "The functions f(t, state, par) return columns. It is an error where a linear system has "
                  "no unique solution, and");
    nh_comment(e, "where a value is not real.");
    nh_text_format(e->out, "function model = %s()\n", e->name);
    write_tables(e);
    nh_text_str(e->out, "end\n\n");
    if (nh_export_uses(e, NH_OP_ARC))
        nh_text_str(e->out, arcs);
    if (nh_export_uses(e, NH_OP_SOLVE))
        nh_text_str(e->out, solve_linear);
}

static void routine_begin(nh_export *e)
{
    const nh_routine *r = e->routine;
    nh_text_format(e->out, "%% %s\nfunction out = %s(t, state, par)\n", r->meaning, nh_routine_names[r->id]);
    nh_text_format(e->out, "  out = zeros(%zu, 1);\n", r->tape->n_outputs);
}

static void rates(nh_export *e)
{
    nh_text_format(e->out, "  rate = %s(t, state, par);\n", nh_routine_names[NH_FIRST_PSI]);
}

static void matrix(nh_export *e, size_t system, size_t n)
{
    nh_text_format(e->out, "  matrix%zu = zeros(%zu, %zu);\n  right%zu = zeros(%zu, 1);\n", system, n, n,
                   system, n);
}

static void solve(nh_export *e, size_t system, size_t n)
{
    (void)n;
    nh_text_format(e->out, "  right%zu = solve_linear(matrix%zu, right%zu);\n", system, system, system);
}

static void routine_end(nh_export *e) { nh_text_str(e->out, "end\n\n"); }

static void end_of_file(nh_export *e)
{
    nh_comment_format(e, "How to use it: this file is %s.m, in the folder of work or on the path.", e->name);
    nh_comment(e, "");
    nh_comment_format(e, "    model = %s();", e->name);
    nh_comment(e, "    options = odeset('RelTol', 1e-10, 'AbsTol', 1e-12);");
    nh_comment(e, "    field = @(t, x) model.first_kind(t, x, model.parameter_values);");
    if (e->start)
        nh_comment(e, "    [t, x] = ode45(field, [model.start_time, 10], model.first_start, options);");
    else
        nh_comment(e, "    [t, x] = ode45(field, [0, 10], x0, options); % x0: the initial state");
}

const nh_dialect nh_dialect_octave = {
    .comment = "% ",
    .note_begin = "% ",
    .note_end = "",
    .define = "",
    .indent = "  ",
    .end = ";",
    .open = '(',
    .close = ')',
    .origin = 1,
    .two_indices = true,
    .quote = '\'',
    .pi = "pi",
    .nan = "NaN",
    .infinity = "Inf",
    .calls = {"realsqrt", "realpow", "exp", "reallog", "sin", "cos", "sinh", "cosh", "tanh", "arc_sine",
              "arc_cosine", "atan", "atan2", "abs", "sign", "min", "max"},
    .reserved = reserved,
    .begin = begin,
    .routine_begin = routine_begin,
    .rates = rates,
    .matrix = matrix,
    .solve = solve,
    .routine_end = routine_end,
    .end_of_file = end_of_file,
};
