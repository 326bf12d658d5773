/* The grammar: trees and statements, compared with ones written by hand; and what is wrong with other texts. */
#include "lang/lang.h"
#include "world.h"

/* ---------------------------------------------------------------- trees as text */

static const char *head_of(nh_ast_kind kind)
{
    switch (kind) {
    case NH_AST_SUM: return "sum";
    case NH_AST_PRODUCT: return "product";
    case NH_AST_POWER: return "power";
    case NH_AST_CALL: return "call";
    case NH_AST_VECTOR: return "vector";
    case NH_AST_INDEX: return "index";
    default: return "";
    }
}

static void show_span(nh_text *out, const nh_source *source, nh_span span)
{
    nh_slice text = nh_source_slice(source, span);
    nh_text_add(out, text.data, text.length);
}

/* (sum +a -b), (product *a /b), (power a b), (call f a), (vector a b), (index v i), x', names and numbers */
static void show(nh_text *out, const nh_source *source, const nh_ast *ast)
{
    bool signs = ast->kind == NH_AST_SUM || ast->kind == NH_AST_PRODUCT;
    if (ast->kind == NH_AST_NUMBER) {
        nh_rational_print(out, ast->number);
        return;
    }
    if (ast->kind == NH_AST_NAME || ast->kind == NH_AST_RATE) {
        show_span(out, source, ast->name);
        nh_text_str(out, ast->kind == NH_AST_RATE ? "'" : "");
        return;
    }
    nh_text_format(out, "(%s", head_of(ast->kind));
    if (ast->kind == NH_AST_CALL) {
        nh_text_char(out, ' ');
        show_span(out, source, ast->name);
    }
    for (size_t i = 0; i < ast->count; i++) {
        nh_text_char(out, ' ');
        if (signs)
            nh_text_char(out, ast->operators[i]);
        show(out, source, ast->children[i]);
    }
    nh_text_char(out, ')');
}

static void show_items(nh_text *out, const nh_source *source, const nh_statement *s)
{
    for (size_t i = 0; i < s->n_items; i++) {
        const nh_item *item = &s->items[i];
        nh_text_str(out, " [");
        show_span(out, source, item->name);
        nh_text_str(out, item->rate ? "'" : "");
        if (item->value) {
            nh_text_str(out, " = ");
            show(out, source, item->value);
        }
        nh_text_char(out, ']');
    }
}

static void show_part(nh_text *out, const nh_source *source, const char *label, const nh_ast *ast)
{
    if (!ast)
        return;
    nh_text_format(out, " %s", label);
    show(out, source, ast);
}

static void show_statement(nh_text *out, const nh_source *source, const nh_statement *s)
{
    nh_text_str(out, s->keyword == NH_KEYWORD_COUNT ? "?" : nh_keyword_name(s->keyword));
    nh_text_str(out, s->ok ? "" : " wrong");
    if (s->title.length) {
        nh_text_str(out, " <");
        show_span(out, source, s->title);
        nh_text_char(out, '>');
    }
    show_items(out, source, s);
    if (s->ok) {
        show_part(out, source, "", s->value);
        show_part(out, source, "= ", s->right);
        show_part(out, source, "mass ", s->mass);
        show_part(out, source, "force ", s->force);
        show_part(out, source, "frame ", s->frame);
        show_part(out, source, "inertia ", s->inertia);
        show_part(out, source, "torque ", s->torque);
    }
    nh_text_char(out, '\n');
}

/* The statements of a text, a line for each, and then the messages. */
static const char *parsed(world *w, const char *text)
{
    const nh_source *source = open_text(w, text);
    nh_parser *parser = nh_parser_new(&w->arena, &w->numbers, source, &w->diagnostics);
    nh_statement statement;
    nh_text out;
    nh_text_init(&out, &w->arena);
    while (nh_parser_next(parser, &statement))
        show_statement(&out, source, &statement);
    add_messages(w, &out);
    return nh_text_get(&out);
}

typedef struct example {
    const char *text, *tree;
} example;

static void check(world *w, const example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = parsed(w, examples[i].text);
        if (strcmp(found, examples[i].tree) != 0)
            fail_msg("the text\n%s\nis read as\n%sinstead of\n%s", examples[i].text, found, examples[i].tree);
    }
}

#define CHECK(w, examples) check(w, examples, sizeof(examples) / sizeof *(examples))

/* As the expression of a statement. */
static void check_expressions(world *w, const example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        example e = {join(w, "potential ", examples[i].text),
                     join(w, join(w, "potential ", examples[i].tree), "\n")};
        check(w, &e, 1);
    }
}

#define CHECK_EXPRESSIONS(w, examples) check_expressions(w, examples, sizeof(examples) / sizeof *(examples))

/* ---------------------------------------------------------------- expressions */

static void precedence(void **state)
{
    static const example examples[] = {
        {"a + b*c", "(sum +a +(product *b *c))"},
        {"a*b + c", "(sum +(product *a *b) +c)"},
        {"a*b^c", "(product *a *(power b c))"},
        {"a^b*c", "(product *(power a b) *c)"},
        {"a/b^2*c", "(product *a /(power b 2) *c)"},
        {"(a + b)*c", "(product *(sum +(sum +a +b)) *c)"},
        {"x'^2", "(power x' 2)"},
        {"1/2*m*x'^2", "(product *1 /2 *m *(power x' 2))"},
        {"v[1]^2", "(power (index v 1) 2)"},
        {"sin(x)^2", "(power (call sin x) 2)"},
    };
    CHECK_EXPRESSIONS(*state, examples);
}

static void associativity(void **state)
{
    static const example examples[] = {
        {"a - b - c", "(sum +a -b -c)"}, /* (a - b) - c */
        {"a - b + c", "(sum +a -b +c)"},
        {"a/b/c", "(product *a /b /c)"}, /* (a/b)/c */
        {"a/b*c", "(product *a /b *c)"}, /* (a/b)*c */
        {"a - (b - c)", "(sum +a -(sum +(sum +b -c)))"},
        {"a/(b*c)", "(product *a /(sum +(product *b *c)))"},
        {"x^y^z", "(power x (power y z))"}, /* to the right */
        {"(x^y)^z", "(power (sum +(power x y)) z)"},
        {"a^b^c^d", "(power a (power b (power c d)))"},
    };
    CHECK_EXPRESSIONS(*state, examples);
}

static void signs(void **state)
{
    static const example examples[] = {
        {"-x^2", "(sum -(power x 2))"}, /* -(x^2) */
        {"(-x)^2", "(power (sum +(sum -x)) 2)"},
        {"2^-3", "(power 2 (sum -3))"},
        {"2^-x^2", "(power 2 (sum -(power x 2)))"},
        {"2^--3", "(power 2 (sum -(sum -3)))"},
        {"-2^-2", "(sum -(power 2 (sum -2)))"},
        {"+x", "(sum +x)"},
        {"-x - y", "(sum +(sum -x) -y)"},
        {"-x*y", "(product *(sum -x) *y)"},
        {"x*-y", "(product *x *(sum -y))"},
        {"x/-y^2", "(product *x /(sum -(power y 2)))"},
        {"x - -y", "(sum +x -(sum -y))"},
        {"x + +y", "(sum +x +(sum +y))"},
        {"--x", "(sum -(sum -x))"},
        {"-(a, b)", "(sum -(vector a b))"},
    };
    CHECK_EXPRESSIONS(*state, examples);
}

static void numbers(void **state)
{
    static const example examples[] = {
        {".5", "1/2"},
        {"1.", "1"},
        {"0.1", "1/10"},
        {"1e-3", "1/1000"},
        {"1.5e2", "150"},
        {"1E+2", "100"},
        {"007", "7"},
        {"0.30", "3/10"},
        {"1.e1", "10"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"1e-25", "1/10000000000000000000000000"},
        {"0e5", "0"},
        {"2.5*x", "(product *5/2 *x)"},
    };
    CHECK_EXPRESSIONS(*state, examples);
}

static void operands(void **state)
{
    static const example examples[] = {
        {"x", "x"},
        {"x'", "x'"},
        {"x '", "x'"},
        {"θ'", "θ'"},
        {"(x)", "(sum +x)"},
        {"((x))", "(sum +(sum +x))"},
        {"(a, b)", "(vector a b)"},
        {"(a, b, c)", "(vector a b c)"},
        {"(a, b, c, d)", "(vector a b c d)"}, /* refused by the meaning */
        {"((a, b))", "(sum +(vector a b))"},
        {"2*(a, b) + (c, d)", "(sum +(product *2 *(vector a b)) +(vector c d))"},
        {"v[1]", "(index v 1)"},
        {"v [ 1 ]", "(index v 1)"},
        {"(a, b)[2]", "(index (vector a b) 2)"},
        {"pos(P)[1]", "(index (call pos P) 1)"},
        {"v[1 + 1]", "(index v (sum +1 +1))"},
        {"v[1, 2]", "(index v 1 2)"}, /* refused by the meaning */
        {"sin(x)", "(call sin x)"},
        {"sin (x)", "(call sin x)"},
        {"atan2(y, x)", "(call atan2 y x)"},
        {"dot(a + b, (1, 2))", "(call dot (sum +a +b) (vector 1 2))"},
        {"dot(x)", "(call dot x)"},
        {"f()", "(call f)"}, /* refused by the meaning */
        {"sin(-x)", "(call sin (sum -x))"},
        {"m(x)", "(call m x)"}, /* likewise */
    };
    CHECK_EXPRESSIONS(*state, examples);
}

/* ---------------------------------------------------------------- statements */

static void forms(void **state)
{
    static const example examples[] = {
        {"system Two points, 1 = 2 # not this", "system <Two points, 1 = 2>\n"},
        {"coordinates x", "coordinates [x]\n"},
        {"coordinates x, y1 ,z_2", "coordinates [x] [y1] [z_2]\n"},
        {"angles θ, φ", "angles [θ] [φ]\n"},
        {"parameters m = 1, R, l=2*m", "parameters [m = 1] [R] [l = (product *2 *m)]\n"},
        {"input u = sin(t)", "input [u = (call sin t)]\n"},
        {"let v = (x', y'), w = 2", "let [v = (vector x' y')] [w = 2]\n"},
        {"kinetic x'^2", "kinetic (power x' 2)\n"},
        {"potential -x", "potential (sum -x)\n"},
        {"force x = -k*x, theta = 0", "force [x = (product *(sum -k) *x)] [theta = 0]\n"},
        {"gravity (0, -g)", "gravity (vector 0 (sum -g))\n"},
        {"constraint x' = 0", "constraint x' = 0\n"},
        {"constraint roll: x' - R*w = 0", "constraint [roll] (sum +x' -(product *R *w)) = 0\n"},
        {"constraint roll:x'=y'", "constraint [roll] x' = y'\n"},
        {"constraint vel(P) = (0, 0)", "constraint (call vel P) = (vector 0 0)\n"},
        {"velocities u, w", "velocities [u] [w]\n"},
        {"parametric x' = u, dot(y) = w", "parametric [x' = u] [y' = w]\n"},
        {"independent x', dot(theta)", "independent [x'] [theta']\n"},
        {"initial x = 0, u = 1, y' = 2", "initial [x = 0] [u = 1] [y' = 2]\n"},
        {"observe E = kinetic + potential", "observe [E = (sum +kinetic +potential)]\n"},
        {"integral p = x'", "integral [p = x']\n"},
    };
    CHECK(*state, examples);
}

static void points(void **state)
{
    static const example examples[] = {
        {"point P at (x, y)", "point [P] (vector x y)\n"},
        {"point P at (x, y) mass m", "point [P] (vector x y) mass m\n"},
        {"point P at (x, y) mass m1 + m2 force (a, b)",
         "point [P] (vector x y) mass (sum +m1 +m2) force (vector a b)\n"},
        {"point P at (x, y) force -k*v mass 2",
         "point [P] (vector x y) mass 2 force (product *(sum -k) *v)\n"},
        {"point P at r", "point [P] r\n"},
        {"point P at r + (1, 0)\n  mass m", "point [P] (sum +r +(vector 1 0)) mass m\n"},
        {"point at at at mass mass force force",
         "point [at] at mass mass force force\n"}, /* words after operands only */
        {"point P at mass*(x, y) mass mass", "point [P] (product *mass *(vector x y)) mass mass\n"},
    };
    CHECK(*state, examples);
}

/* Statements that later versions will read. */
static void reserved_statements(void **state)
{
    static const example examples[] = {
        {"reaction P", "reaction wrong [P]\n1:1: this version of the program does not read this statement\n"},
        {"draw P", "draw wrong [P]\n1:6: expected a shape but found 'P'; the shapes are disc, ball, rod, box, path, vector and ground\n"},
        {"reaction x", "reaction wrong [x]\n1:1: this version of the program does not read this statement\n"},
    };
    CHECK(*state, examples);
}

static void frames_and_bodies(void **state)
{
    static const example examples[] = {
        {"frame B = Rz(psi)", "frame [B = (call Rz psi)]\n"},
        {"frame B = Rz(a)*Rx(b), C = B*Ry(c)",
         "frame [B = (product *(call Rz a) *(call Rx b))] [C = (product *B *(call Ry c))]\n"},
        {"body W at r", "body [W] r\n"},
        {"body W at r torque T inertia (a, b, c) mass m frame B force F",
         "body [W] r mass m force F frame B inertia (vector a b c) torque T\n"},
        {"body W at r frame B frame C",
         "body wrong [W] [at] [r] [frame] [B] [frame] [C]\n1:21: 'frame' is given twice\n"},
        {"body W in r", "body wrong [W] [in] [r]\n1:8: expected 'at' but found 'in'; a body has the form: "
                        "body B at VECTOR frame FRAME [mass EXPR] "
                        "[inertia (I1, I2, I3)] [force VECTOR] [torque VECTOR]\n"},
        {"point P at r frame B", "point wrong [P] [at] [r] [frame] [B]\n1:14: unexpected 'frame'; a point "
                                 "has the form: point P at VECTOR [mass EXPR] [force "
                                 "VECTOR]\n"},
    };
    CHECK(*state, examples);
}

static void lines_and_comments(void **state)
{
    static const example examples[] = {
        {"\ufeff# head\n\ncoordinates # which?\n\n  # these:\n  x, # first\n# second\n\ty # last\n# tail\n",
         "coordinates [x] [y]\n"},
        {"kinetic x'^2\n\t+ y'^2\npotential a", "kinetic (sum +(power x' 2) +(power y' 2))\npotential a\n"},
        {"kinetic\n x'\n ^\n 2", "kinetic (power x' 2)\n"},
        {"kinetic x\n '", "kinetic x'\n"},
        {"parameters m = 1,\r\n R = 2\r\ncoordinates x\r", "parameters [m = 1] [R = 2]\ncoordinates [x]\n"},
        {"parameters m = 1,\r R = 2\rcoordinates x", "parameters [m = 1] [R = 2]\ncoordinates [x]\n"},
        {"system Titel\n\n\n", "system <Titel>\n"},
        {"let a = 1\nlet b = 2\n\n\nlet c = 3", "let [a = 1]\nlet [b = 2]\nlet [c = 3]\n"},
    };
    CHECK(*state, examples);
}

/* ---------------------------------------------------------------- what is wrong */

static void wrong_expressions(void **state)
{
    static const example examples[] = {
        {"potential", "potential wrong\n1:1: the statement 'potential' is empty\n"},
        {"potential a +",
         "potential wrong [a]\n1:14: expected a number, a name or '(' but found the end of the statement\n"},
        {"potential a + * b",
         "potential wrong [a] [b]\n1:15: expected a number, a name or '(' but found '*'\n"},
        {"potential m g",
         "potential wrong [m] [g]\n1:13: missing '*' before 'g'; multiplication is written out: m*g\n"},
        {"potential 2x",
         "potential wrong [x]\n1:12: missing '*' before 'x'; multiplication is written out: 2*x\n"},
        {"potential (a)(b)",
         "potential wrong [a] [b]\n1:14: missing '*' before '('; multiplication is written out: )*(\n"},
        {"potential f(a b)",
         "potential wrong [f] [a] [b]\n1:15: missing '*' before 'b'; multiplication is written out: a*b\n"},
        {"potential (a + b", "potential wrong [a] [b]\n1:11: this '(' is not closed\n"},
        {"potential v[1", "potential wrong [v]\n1:12: this '[' is not closed\n"},
        {"potential (a]", "potential wrong [a]\n1:13: unexpected ']' in parentheses\n"},
        {"potential a)", "potential wrong [a]\n1:12: there is no opening parenthesis for this ')'\n"},
        {"potential a]", "potential wrong [a]\n1:12: there is no opening parenthesis for this ']'\n"},
        {"potential a, b", "potential wrong [a] [b]\n1:12: unexpected ','\n"},
        {"potential ()", "potential wrong\n1:12: expected a number, a name or '(' but found ')'\n"},
        {"potential (a,)", "potential wrong [a]\n1:14: expected a number, a name or '(' but found ')'\n"},
        {"potential x''", "potential wrong [x]\n1:13: accelerations, x'', cannot be used in a model\n"},
        {"potential (x)'",
         "potential wrong [x]\n1:14: only coordinates have velocities: ' must follow a name\n"},
        {"potential v[1]'",
         "potential wrong [v]\n1:15: only coordinates have velocities: ' must follow a name\n"},
        {"potential v[1][2]", "potential wrong [v]\n1:15: a scalar has no components\n"},
        {"potential 2^",
         "potential wrong\n1:13: expected a number, a name or '(' but found the end of the statement\n"},
        {"potential a ** 2", "potential wrong [a]\n1:13: unexpected '**'; write '^' for a power\n"},
        {"potential 1e9999", "potential wrong\n1:11: the exponent of this number is too large; exponents go "
                             "from -5000 to 5000\n"},
        {"potential a + b = c", "potential wrong [a] [b] [c]\n1:17: unexpected '='\n"},
        {"potential a:b", "potential wrong [a] [b]\n1:12: unexpected ':'\n"},
    };
    CHECK(*state, examples);
}

static void wrong_statements(void **state)
{
    static const example examples[] = {
        {"kinetik x", "? wrong [x]\n1:1: unknown statement 'kinetik'; did you mean 'kinetic'?\n"},
        {"foo x", "? wrong [x]\n1:1: unknown statement 'foo'; statements begin with a keyword, such as "
                  "coordinates, kinetic or "
                  "constraint\n"},
        {"  kinetic x",
         "? wrong [x]\n1:3: a statement begins at the start of a line, without white space before it\n"},
        {"= x", "? wrong [x]\n1:1: expected a statement but found '='; statements begin with a keyword, such "
                "as coordinates, "
                "kinetic or constraint\n"},
        {"coordinates x y",
         "coordinates wrong [x] [y]\n1:15: missing ',' before 'y'; separate items with ','\n"},
        {"coordinates x,, y", "coordinates wrong [x] [y]\n1:15: expected a name but found ','\n"},
        {"coordinates x,",
         "coordinates wrong [x]\n1:15: expected a name but found the end of the statement\n"},
        {"coordinates x'", "coordinates wrong [x]\n1:14: unexpected '''\n"},
        {"coordinates x = 1", "coordinates wrong [x]\n1:15: unexpected '='\n"},
        {"parameters m = 1 R = 2",
         "parameters wrong [m] [R]\n1:18: missing ',' before 'R'; separate items with ','\n"},
        {"let a", "let wrong [a]\n1:6: expected '=' but found the end of the statement\n"},
        {"initial x = 1 y' = 2",
         "initial wrong [x] [y]\n1:15: missing ',' before 'y'; separate items with ','\n"},
        {"initial x'' = 1", "initial wrong [x]\n1:11: accelerations, x'', cannot be used in a model\n"},
        {"initial x = 1 dot(y) = 2",
         "initial wrong [x] [dot] [y]\n1:15: missing ',' before 'dot'; separate items with ','\n"},
        {"constraint x'",
         "constraint wrong [x]\n1:14: expected '=' but found the end of the statement; a constraint is an "
         "equation: EXPR = EXPR\n"},
        {"constraint a = b = c", "constraint wrong [a] [b] [c]\n1:18: unexpected '='\n"},
        {"constraint a = b, c = d",
         "constraint wrong [a] [b] [c] [d]\n1:17: unexpected ','; give each equation its own "
         "'constraint' statement\n"},
        {"point at (x, y)",
         "point wrong [at] [x] [y]\n1:10: expected 'at' but found '('; a point has the form: point P at "
         "VECTOR [mass EXPR] [force VECTOR]\n"},
        {"point P at r mass m mass n",
         "point wrong [P] [at] [r] [mass] [m] [mass] [n]\n1:21: 'mass' is given twice\n"},
        {"point P at r, s",
         "point wrong [P] [at] [r] [s]\n1:13: unexpected ','; a point has the form: point P at VECTOR "
         "[mass EXPR] [force VECTOR]\n"},
        {"point P at 2 (x, y)",
         "point wrong [P] [at] [x] [y]\n1:14: missing '*' before '('; multiplication is written out: 2*(\n"},
        {"system A\n  B",
         "system wrong <A> [B]\n2:3: a title ends with its line; a statement begins at the start of a line "
         "with a keyword\n"},
        {"system", "system wrong\n1:1: the statement 'system' is empty\n"},
    };
    CHECK(*state, examples);
}

static void after_an_error(void **state)
{
    static const example examples[] = {
        {"let a = (b\nlet c = 2\nlet d = \n  e f\nlet g = 3",
         "let wrong [a] [b]\nlet [c = 2]\nlet wrong [d] [e] [f]\nlet [g = 3]\n1:9: this '(' is not "
         "closed\n4:5: missing '*' "
         "before 'f'; multiplication is written out: e*f\n"},
    };
    CHECK(*state, examples);
}

static void many_errors(void **state)
{
    world *w = *state;
    const char *found = parsed(w, times(w, "let a\n", NH_MAX_ERRORS + 30));
    size_t lines = 0;
    for (const char *c = found; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 2 * (NH_MAX_ERRORS + 1));
    assert_non_null(strstr(found, "\ntoo many errors"));
}

/* A long word is cut in messages, but not within a letter. */
static void long_words(void **state)
{
    world *w = *state;
    const char *name = times(w, "θ", 40);
    const char *cut = times(w, "θ", 30);
    const char *found = parsed(w, join(w, join(w, "potential aa ", "a"), name));
    const char *expected = join(w, join(w, "missing '*' before 'a", times(w, "θ", 29)), "'");
    assert_non_null(strstr(found, expected));
    assert_non_null(strstr(parsed(w, join(w, "potential 1 ", name)), join(w, join(w, "before '", cut), "'")));
}

/* ---------------------------------------------------------------- depth */

static void depth(void **state)
{
    world *w = *state;
    static const struct {
        const char *open, *middle, *close;
        size_t per_level; /* how many of them fit */
    } shapes[] = {{"(", "x", ")", 1},   {"sin(", "x", ")", 1}, {"-", "x", "", 1},          {"x^", "x", "", 1},
                  {"1/(", "x", ")", 1}, {"v[", "1", "]", 1},   {"(1 + (2, ", "x", "))", 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t fits = (NH_MAX_DEPTH - 1) / shapes[i].per_level;
        for (size_t more = 0; more < 2; more++) {
            size_t levels = fits + more;
            const char *text = join(w, join(w, times(w, shapes[i].open, levels), shapes[i].middle),
                                    times(w, shapes[i].close, levels));
            bool refused =
                strstr(parsed(w, join(w, "potential ", text)), "this is nested too deeply") != NULL;
            if (refused != (more > 0))
                fail_msg("%zu times %s is %s", levels, shapes[i].open, refused ? "refused" : "accepted");
        }
    }
}

/* Flat ones have any length. */
static void length(void **state)
{
    world *w = *state;
    size_t count = 20000;
    const char *found =
        parsed(w, join(w, join(w, "potential 1", times(w, " + x*y", count)), times(w, "*z", count)));
    assert_null(strstr(found, "wrong"));
    assert_null(strstr(parsed(w, join(w, "coordinates x", times(w, ", y", count))), "wrong"));
}

/* ---------------------------------------------------------------- options */

static const char *assigned(world *w, const char *text)
{
    const nh_source *source = open_text(w, text);
    nh_statement s;
    nh_text out;
    nh_text_init(&out, &w->arena);
    bool ok = nh_parse_assignments(&w->arena, &w->numbers, source, &w->diagnostics, &s);
    assert_int_equal(ok, s.ok);
    assert_int_equal(ok, w->diagnostics.errors == 0);
    if (ok)
        show_items(&out, source, &s);
    add_messages(w, &out);
    return nh_text_get(&out);
}

static void assignments(void **state)
{
    static const example examples[] = {
        {"m=2", " [m = 2]"},
        {"m=2,R=1/2", " [m = 2] [R = (product *1 /2)]"},
        {" x' = 1 , dot(y)=-2, u=3 ", " [x' = 1] [y' = (sum -2)] [u = 3]"},
        {"m\n=\n2", " [m = 2]"},
        {"", ""},
        {"m", "1:2: expected '=' but found the end of the statement\n"},
        {"m=2,", "1:5: expected a name but found the end of the statement\n"},
        {"m=2 k=3", "1:5: missing ',' before 'k'; separate items with ','\n"},
        {"m=2 # no", "1:5: unexpected '# no'\n"},
        {"2=m", "1:1: expected a name but found '2'\n"},
        {"m=2;k=3", "1:4: unexpected character ';'; separate with ','\n"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const char *found = assigned(*state, examples[i].text);
        if (strcmp(found, examples[i].tree) != 0)
            fail_msg("%s is read as\n%s\ninstead of\n%s", examples[i].text, found, examples[i].tree);
    }
}

static void keywords(void **state)
{
    for (int k = 0; k < NH_KEYWORD_COUNT; k++) {
        nh_keyword found = NH_KEYWORD_COUNT;
        assert_true(nh_keyword_find(nh_slice_of(nh_keyword_name((nh_keyword)k)), &found));
        assert_int_equal(found, k);
    }
    nh_keyword none = NH_KEYWORD_COUNT;
    assert_false(nh_keyword_find(nh_slice_of("System"), &none));
    assert_false(nh_keyword_find(nh_slice_of(""), &none));
    assert_false(nh_keyword_find(nh_slice_of("forces"), &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(precedence, setup, teardown),
        cmocka_unit_test_setup_teardown(associativity, setup, teardown),
        cmocka_unit_test_setup_teardown(signs, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(operands, setup, teardown),
        cmocka_unit_test_setup_teardown(forms, setup, teardown),
        cmocka_unit_test_setup_teardown(points, setup, teardown),
        cmocka_unit_test_setup_teardown(reserved_statements, setup, teardown),
        cmocka_unit_test_setup_teardown(frames_and_bodies, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_and_comments, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_expressions, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_statements, setup, teardown),
        cmocka_unit_test_setup_teardown(after_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(many_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(long_words, setup, teardown),
        cmocka_unit_test_setup_teardown(depth, setup, teardown),
        cmocka_unit_test_setup_teardown(length, setup, teardown),
        cmocka_unit_test_setup_teardown(assignments, setup, teardown),
        cmocka_unit_test(keywords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
