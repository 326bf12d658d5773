/* Julia: a module of functions f!(out, state, par, t), with nothing but Base. */
#include "export/writer.h"

static const char reserved[] = "abstract as baremodule begin break catch const continue do else elseif end "
                               "export false finally for function "
                               "global if import in isa let local macro module mutable new outer primitive "
                               "public quote return struct true try "
                               "type using where while nothing pi NaN Inf sin cos tan asin acos atan sinh "
                               "cosh tanh exp log sqrt abs sign min max "
                               "zeros eltype typeof promote_type float length maximum argmax error Float64 "
                               "String solve_linear Base Core Main eval include";

static const char solve_linear[] =
    "# Solves A x = b: the solution takes the place of b, and A is used up. Elimination with row exchanges, "
    "rows being\n"
    "# scaled before.\n"
    "function solve_linear(A, b)\n"
    "    n = length(b)\n"
    "    for i in 1:n\n"
    "        size = maximum(abs, A[i, :])\n"
    "        size > 0 || error(\"a linear system has no unique solution\")\n"
    "        A[i, :] ./= size\n"
    "        b[i] /= size\n"
    "    end\n"
    "    for j in 1:n\n"
    "        pivot = j - 1 + argmax(abs.(A[j:n, j]))\n"
    "        abs(A[pivot, j]) > 0 || error(\"a linear system has no unique solution\")\n"
    "        if pivot != j\n"
    "            A[[j, pivot], :] = A[[pivot, j], :]\n"
    "            b[j], b[pivot] = b[pivot], b[j]\n"
    "        end\n"
    "        for i in j+1:n\n"
    "            factor = A[i, j]/A[j, j]\n"
    "            for k in j+1:n\n"
    "                A[i, k] -= factor*A[j, k]\n"
    "            end\n"
    "            b[i] -= factor*b[j]\n"
    "        end\n"
    "    end\n"
    "    for i in n:-1:1\n"
    "        for k in i+1:n\n"
    "            b[i] -= A[i, k]*b[k]\n"
    "        end\n"
    "        b[i] /= A[i, i]\n"
    "    end\n"
    "end\n\n";

static void write_tables(nh_export *e)
{
    for (nh_table_id id = 0; id < NH_TABLES; id++) {
        bool list = id != NH_TABLE_START_TIME;
        if (!nh_table_is_there(e, id))
            continue;
        nh_text_format(e->out, "const %s = ", nh_table_names[id]);
        if (list)
            nh_text_str(e->out, nh_table_is_text(id) ? "String[" : "Float64[");
        nh_write_entries(e, id, ",\n    ");
        nh_text_str(e->out, list ? "]\n" : "\n");
    }
}

static void begin(nh_export *e)
{
    nh_describe(e);
    nh_comment(e, "Each function f!(out, state, par, t) writes what it computes into out; it throws an error "
                  "where a linear system");
    nh_comment(e, "has no unique solution.");
    nh_text_format(e->out, "module %s\n\n", e->name);
    write_tables(e);
    nh_text_char(e->out, '\n');
    if (nh_export_uses(e, NH_OP_SOLVE))
        nh_text_str(e->out, solve_linear);
}

static void routine_begin(nh_export *e)
{
    const nh_routine *r = e->routine;
    nh_text_format(e->out, "# %s\nfunction %s!(out, state, par, t)\n", r->meaning, nh_routine_names[r->id]);
}

/* The type of the numbers is that of all arguments, and no integer: derivatives by dual numbers go through, also by time. */
static void new_array(nh_export *e, const char *name, size_t number)
{
    nh_text_format(e->out, "    %s", name);
    if (number)
        nh_text_format(e->out, "%zu", number);
    nh_text_str(e->out, " = zeros(float(promote_type(eltype(state), eltype(par), typeof(t))), ");
}

static void rates(nh_export *e)
{
    new_array(e, "rate", 0);
    nh_text_format(e->out, "%zu)\n    %s!(rate, state, par, t)\n", e->eq->n, nh_routine_names[NH_FIRST_PSI]);
}

static void matrix(nh_export *e, size_t system, size_t n)
{
    new_array(e, "matrix", system);
    nh_text_format(e->out, "%zu, %zu)\n", n, n);
    new_array(e, "right", system);
    nh_text_format(e->out, "%zu)\n", n);
}

static void solve(nh_export *e, size_t system, size_t n)
{
    (void)n;
    nh_text_format(e->out, "    solve_linear(matrix%zu, right%zu)\n", system, system);
}

static void routine_end(nh_export *e) { nh_text_str(e->out, "    return nothing\nend\n\n"); }

static void end_of_file(nh_export *e)
{
    nh_text_str(e->out, "end\n\n");
    nh_comment(e, "How to use it, with DifferentialEquations:");
    nh_comment(e, "");
    nh_comment(e, "    using DifferentialEquations");
    nh_comment_format(e, "    include(\"%s.jl\")", e->name);
    if (e->start)
        nh_comment_format(e,
                          "    problem = ODEProblem(%s.first_kind!, %s.first_start, (%s.start_time, 10.0),",
                          e->name, e->name, e->name);
    else
        nh_comment_format(
            e, "    problem = ODEProblem(%s.first_kind!, [...], (0.0, 10.0), # the initial state", e->name);
    nh_comment_format(e, "                         %s.parameter_values)", e->name);
    nh_comment(e, "    motion = solve(problem, Vern9(), reltol = 1e-10, abstol = 1e-12)");
}

const nh_dialect nh_dialect_julia = {
    .comment = "# ",
    .note_begin = "# ",
    .note_end = "",
    .define = "",
    .indent = "    ",
    .end = "",
    .open = '[',
    .close = ']',
    .origin = 1,
    .two_indices = true,
    .quote = '"',
    .pi = "Float64(pi)",
    .nan = "NaN",
    .infinity = "Inf",
    .calls = {"sqrt", "^", "exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "asin", "acos", "atan", "atan",
              "abs", "sign", "min", "max"},
    .reserved = reserved,
    .begin = begin,
    .routine_begin = routine_begin,
    .rates = rates,
    .matrix = matrix,
    .solve = solve,
    .routine_end = routine_end,
    .end_of_file = end_of_file,
};
