/* C, which is C++ as well: C11, and nothing but <math.h>. */
#include "export/writer.h"

static const char arguments[] = "(double t, const double state[], double out[], const double par[])";

/* The words of C and C++, the macros of <math.h>, and what some compilers define. */
static const char reserved[] =
    "auto break case char const continue default do double else enum extern float for goto if inline int "
    "long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile "
    "while "
    "alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept bitand bitor bool catch "
    "char8_t "
    "char16_t char32_t class co_await co_return co_yield compl concept consteval constexpr constinit "
    "const_cast "
    "decltype delete dynamic_cast explicit export false friend import module mutable namespace new noexcept "
    "not "
    "not_eq nullptr operator or or_eq private protected public reflexpr reinterpret_cast requires "
    "static_assert "
    "static_cast synchronized template this thread_local throw true try typeid typename typeof typeof_unqual "
    "using "
    "virtual wchar_t xor xor_eq main NULL NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL FP_NAN FP_INFINITE "
    "FP_ZERO "
    "FP_NORMAL FP_SUBNORMAL FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT math_errhandling linux unix i386 "
    "isnan isinf isfinite isnormal signbit fpclassify errno complex imaginary I fortran far near huge "
    "interface "
    "pi sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt pow fabs fmin fmax sign_of solve_linear "
    "OVERFLOW UNDERFLOW DOMAIN SING PLOSS TLOSS exception signgam j0 j1 jn y0 y1 yn gamma lgamma tgamma "
    "drem significand float_t double_t isgreater isgreaterequal isless islessequal islessgreater isunordered "
    "M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 "
    "MAXFLOAT "
    "M_El M_LOG2El M_LOG10El M_LN2l M_LN10l M_PIl M_PI_2l M_PI_4l M_1_PIl M_2_PIl M_2_SQRTPIl M_SQRT2l "
    "M_SQRT1_2l X_TLOSS";

/* ---------------------------------------------------------------- before the routines */

static void declare_tables(nh_export *e)
{
    for (nh_table_id id = 0; id < NH_TABLES; id++) {
        size_t size = nh_table_size(e, id);
        if (!nh_table_is_there(e, id) || size == 0)
            continue;
        nh_text_format(e->out, "extern const %s%s_%s", nh_table_is_text(id) ? "char *const " : "double ",
                       e->name, nh_table_names[id]);
        if (id == NH_TABLE_START_TIME)
            nh_text_str(e->out, ";\n");
        else
            nh_text_format(e->out, "[%zu];\n", size);
    }
}

static void define_tables(nh_export *e)
{
    for (nh_table_id id = 0; id < NH_TABLES; id++) {
        size_t size = nh_table_size(e, id);
        if (!nh_table_is_there(e, id) || size == 0)
            continue;
        nh_text_format(e->out, "const %s%s_%s", nh_table_is_text(id) ? "char *const " : "double ", e->name,
                       nh_table_names[id]);
        if (id != NH_TABLE_START_TIME)
            nh_text_format(e->out, "[%zu]", size);
        nh_text_str(e->out, id == NH_TABLE_START_TIME ? " = " : " = {");
        nh_write_entries(e, id, ",\n    ");
        nh_text_str(e->out, id == NH_TABLE_START_TIME ? ";\n" : "};\n");
    }
}

static void declare(nh_export *e)
{
    nh_text_str(e->out, "/* What another file needs in order to use this one: */\n"
                        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    declare_tables(e);
    for (nh_routine_id id = 0; id < NH_ROUTINES; id++)
        if (e->routines[id].tape)
            nh_text_format(e->out, "int %s_%s%s;\n", e->name, nh_routine_names[id], arguments);
    nh_text_str(e->out, "#ifdef __cplusplus\n}\n#endif\n\n");
}

static const char sign_of[] = "static double sign_of(double x)\n"
                              "{\n"
                              "    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;\n"
                              "}\n\n";

static const char solve_linear[] = "/* Solves A x = b, A by rows: the solution takes the place of b, and A "
                                   "is used up. Elimination with row exchanges, rows\n"
                                   " * being scaled before. 1: A is singular. */\n"
                                   "static int solve_linear(int n, double *A, double *b)\n"
                                   "{\n"
                                   "    for (int i = 0; i < n; i++) {\n"
                                   "        double size = 0.0;\n"
                                   "        for (int k = 0; k < n; k++)\n"
                                   "            size = fmax(size, fabs(A[i * n + k]));\n"
                                   "        if (!(size > 0.0))\n"
                                   "            return 1;\n"
                                   "        for (int k = 0; k < n; k++)\n"
                                   "            A[i * n + k] /= size;\n"
                                   "        b[i] /= size;\n"
                                   "    }\n"
                                   "    for (int j = 0; j < n; j++) {\n"
                                   "        int pivot = j;\n"
                                   "        for (int i = j + 1; i < n; i++)\n"
                                   "            if (fabs(A[i * n + j]) > fabs(A[pivot * n + j]))\n"
                                   "                pivot = i;\n"
                                   "        if (!(fabs(A[pivot * n + j]) > 0.0))\n"
                                   "            return 1;\n"
                                   "        for (int k = j; k < n; k++) {\n"
                                   "            const double swap = A[j * n + k];\n"
                                   "            A[j * n + k] = A[pivot * n + k];\n"
                                   "            A[pivot * n + k] = swap;\n"
                                   "        }\n"
                                   "        const double right = b[j];\n"
                                   "        b[j] = b[pivot];\n"
                                   "        b[pivot] = right;\n"
                                   "        for (int i = j + 1; i < n; i++) {\n"
                                   "            const double factor = A[i * n + j] / A[j * n + j];\n"
                                   "            for (int k = j + 1; k < n && factor != 0.0; k++)\n"
                                   "                A[i * n + k] -= factor * A[j * n + k];\n"
                                   "            b[i] -= factor * b[j];\n"
                                   "        }\n"
                                   "    }\n"
                                   "    for (int i = n - 1; i >= 0; i--) {\n"
                                   "        for (int k = i + 1; k < n; k++)\n"
                                   "            b[i] -= A[i * n + k] * b[k];\n"
                                   "        b[i] /= A[i * n + i];\n"
                                   "    }\n"
                                   "    return 0;\n"
                                   "}\n\n";

static void begin(nh_export *e)
{
    nh_text_str(e->out, "/*\n");
    nh_describe(e);
    nh_comment_format(
        e, "Each name begins with %s_. The functions write what they compute into out, which may be state,",
        e->name);
    nh_comment(e, "and return 0, or 1 where a linear system has no unique solution; then out is as it was.");
    nh_text_str(e->out, " */\n#include <math.h>\n\n");
    declare(e);
    define_tables(e);
    nh_text_char(e->out, '\n');
    if (nh_export_uses(e, NH_OP_SIGN))
        nh_text_str(e->out, sign_of);
    if (nh_export_uses(e, NH_OP_SOLVE))
        nh_text_str(e->out, solve_linear);
}

/* ---------------------------------------------------------------- routines */

static void routine_begin(nh_export *e)
{
    const nh_routine *r = e->routine;
    nh_text_format(e->out, "/* %s */\nint %s_%s%s\n{\n", r->meaning, e->name, nh_routine_names[r->id],
                   arguments);
    if (r->uses_rates)
        return;
    nh_text_str(e->out, r->uses_time ? "" : "    (void)t;\n");
    nh_text_str(e->out, r->uses_state ? "" : "    (void)state;\n");
    nh_text_str(e->out, r->uses_parameters ? "" : "    (void)par;\n");
}

static void rates(nh_export *e)
{
    nh_text_format(e->out, "    double rate[%zu];\n", e->eq->n);
    nh_text_format(e->out, "    if (%s_%s(t, state, rate, par))\n        return 1;\n", e->name,
                   nh_routine_names[NH_FIRST_PSI]);
}

static void matrix(nh_export *e, size_t system, size_t n)
{
    nh_text_format(e->out, "    double matrix%zu[%zu] = {0.0}, right%zu[%zu] = {0.0};\n", system, n * n,
                   system, n);
}

static void solve(nh_export *e, size_t system, size_t n)
{
    nh_text_format(e->out, "    if (solve_linear(%zu, matrix%zu, right%zu))\n        return 1;\n", n, system,
                   system);
}

static void routine_end(nh_export *e) { nh_text_str(e->out, "    return 0;\n}\n\n"); }

/* ---------------------------------------------------------------- behind them */

static void end_of_file(nh_export *e)
{
    bool par = nh_table_size(e, NH_TABLE_PARAMETERS) > 0;
    nh_text_str(e->out, "/* How to use it, for instance with the GNU Scientific Library:\n *\n");
    nh_comment(e, "    static int field(double t, const double x[], double dx[], void *par)");
    nh_comment(e, "    {");
    nh_comment_format(e, "        return %s_first_kind(t, x, dx, (const double *)par);", e->name);
    nh_comment(e, "    }");
    nh_comment(e, "");
    nh_comment_format(e, "    double t = %s, x[] = {...}; // %s", e->start ? "0" : "...",
                      e->start ? "copies of _start_time and _first_start" : "the initial state");
    if (par)
        nh_comment(e, "    double par[] = {...}; // a copy of _parameter_values");
    nh_comment_format(e, "    gsl_odeiv2_system system = {field, NULL, sizeof x / sizeof *x, %s};",
                      par ? "par" : "NULL");
    nh_comment(e, "    gsl_odeiv2_driver *driver =");
    nh_comment(e, "        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-12, 0);");
    nh_comment(e, "    gsl_odeiv2_driver_apply(driver, &t, 10, x); // x at t = 10");
    nh_text_str(e->out, " */\n");
}

const nh_dialect nh_dialect_c = {
    .comment = " * ",
    .note_begin = "/* ",
    .note_end = " */",
    .define = "const double ",
    .indent = "    ",
    .end = ";",
    .open = '[',
    .close = ']',
    .quote = '"',
    .pi = "3.141592653589793",
    .nan = "NAN",
    .infinity = "INFINITY",
    .calls = {"sqrt", "pow", "exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "asin", "acos", "atan",
              "atan2", "fabs", "sign_of", "fmin", "fmax"},
    .reserved = reserved,
    .begin = begin,
    .routine_begin = routine_begin,
    .rates = rates,
    .matrix = matrix,
    .solve = solve,
    .routine_end = routine_end,
    .end_of_file = end_of_file,
};
