/* Python: plain lists, and nothing but the module math. */
#include "export/writer.h"

static const char reserved[] = "False None True and as assert async await break class continue def del elif "
                               "else except finally for from global "
                               "if import in is lambda nonlocal not or pass raise return try while with "
                               "yield match case type print math min max "
                               "abs range len list float sign_of solve_linear title";

static const char sign_of[] = "def sign_of(x):\n"
                              "    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0\n\n\n";

static const char solve_linear[] =
    "def solve_linear(n, A, b):\n"
    "    \"\"\"Solves A x = b, A being a list by rows: the solution takes the place of b, and A is used up.\n"
    "\n"
    "    Elimination with row exchanges, rows being scaled before; ZeroDivisionError where A is "
    "singular.\"\"\"\n"
    "    rows = [A[i*n:(i + 1)*n] for i in range(n)]\n"
    "    for i in range(n):\n"
    "        size = max(abs(entry) for entry in rows[i])\n"
    "        rows[i] = [entry/size for entry in rows[i]]\n"
    "        b[i] /= size\n"
    "    for j in range(n):\n"
    "        pivot = max(range(j, n), key=lambda i: abs(rows[i][j]))\n"
    "        rows[j], rows[pivot] = rows[pivot], rows[j]\n"
    "        b[j], b[pivot] = b[pivot], b[j]\n"
    "        for i in range(j + 1, n):\n"
    "            factor = rows[i][j]/rows[j][j]\n"
    "            if factor != 0.0:\n"
    "                for k in range(j + 1, n):\n"
    "                    rows[i][k] -= factor*rows[j][k]\n"
    "                b[i] -= factor*b[j]\n"
    "    for i in range(n - 1, -1, -1):\n"
    "        for k in range(i + 1, n):\n"
    "            b[i] -= rows[i][k]*b[k]\n"
    "        b[i] /= rows[i][i]\n\n\n";

static void write_tables(nh_export *e)
{
    for (nh_table_id id = 0; id < NH_TABLES; id++) {
        bool list = id != NH_TABLE_START_TIME;
        if (!nh_table_is_there(e, id))
            continue;
        nh_text_format(e->out, "%s = %s", nh_table_names[id], list ? "[" : "");
        nh_write_entries(e, id, ",\n    ");
        nh_text_str(e->out, list ? "]\n" : "\n");
    }
}

static void begin(nh_export *e)
{
    nh_describe(e);
    nh_comment(e, "The functions return lists. They raise ZeroDivisionError where a linear system has no "
                  "unique solution.");
    nh_text_str(e->out, "import math\n\n");
    write_tables(e);
    nh_text_str(e->out, "\n\n");
    if (nh_export_uses(e, NH_OP_SIGN))
        nh_text_str(e->out, sign_of);
    if (nh_export_uses(e, NH_OP_SOLVE))
        nh_text_str(e->out, solve_linear);
}

static void routine_begin(nh_export *e)
{
    const nh_routine *r = e->routine;
    nh_text_format(e->out, "def %s(t, state, par=parameter_values):\n    \"\"\"%s\"\"\"\n",
                   nh_routine_names[r->id], r->meaning);
    nh_text_format(e->out, "    out = [0.0]*%zu\n", r->tape->n_outputs);
}

static void rates(nh_export *e)
{
    nh_text_format(e->out, "    rate = %s(t, state, par)\n", nh_routine_names[NH_FIRST_PSI]);
}

static void matrix(nh_export *e, size_t system, size_t n)
{
    nh_text_format(e->out, "    matrix%zu = [0.0]*%zu\n    right%zu = [0.0]*%zu\n", system, n * n, system, n);
}

static void solve(nh_export *e, size_t system, size_t n)
{
    nh_text_format(e->out, "    solve_linear(%zu, matrix%zu, right%zu)\n", n, system, system);
}

static void routine_end(nh_export *e) { nh_text_str(e->out, "    return out\n\n\n"); }

static void end_of_file(nh_export *e)
{
    e->out->length--; /* one empty line is enough here */
    nh_comment(e, "How to use it, with SciPy:");
    nh_comment(e, "");
    nh_comment(e, "    from scipy.integrate import solve_ivp");
    nh_comment_format(e, "    import %s as system", e->name);
    if (e->start)
        nh_comment(e,
                   "    motion = solve_ivp(system.first_kind, (system.start_time, 10), system.first_start,");
    else
        nh_comment(e, "    motion = solve_ivp(system.first_kind, (0, 10), [...],  # the initial state");
    nh_comment(
        e,
        "                       args=(system.parameter_values,), method=\"DOP853\", rtol=1e-10, atol=1e-12)");
    nh_comment(e, "    print(motion.y[:, -1])");
}

const nh_dialect nh_dialect_python = {
    .comment = "# ",
    .note_begin = "# ",
    .note_end = "",
    .define = "",
    .indent = "    ",
    .end = "",
    .open = '[',
    .close = ']',
    .quote = '"',
    .pi = "math.pi",
    .nan = "math.nan",
    .infinity = "math.inf",
    .calls = {"math.sqrt", "math.pow", "math.exp", "math.log", "math.sin", "math.cos", "math.sinh",
              "math.cosh", "math.tanh", "math.asin", "math.acos", "math.atan", "math.atan2", "abs", "sign_of",
              "min", "max"},
    .reserved = reserved,
    .begin = begin,
    .routine_begin = routine_begin,
    .rates = rates,
    .matrix = matrix,
    .solve = solve,
    .routine_end = routine_end,
    .end_of_file = end_of_file,
};
