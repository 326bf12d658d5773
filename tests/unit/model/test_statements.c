/* Every statement of the language: what it means, against formulas written by hand. */
#include "world.h"

/* ---------------------------------------------------------------- names and lines */

static void title(void **state)
{
    world *w = *state;
    world_read(w, "system   Two points, and a rod  # not part of it\ncoordinates x\nkinetic x'^2\n");
    assert_string_equal(nh_model_title(w->model), "Two points, and a rod");
    world_read(w, "coordinates x\nkinetic x'^2\n");
    assert_string_equal(nh_model_title(w->model), "");
}

static void coordinates_in_order(void **state)
{
    world *w = *state;
    world_read(w, "coordinates c, a\nangles b\nparameters m\ncoordinates d\nangles f, e\n"
                  "kinetic c'^2 + a'^2 + b'^2 + d'^2 + e'^2 + f'^2\n");
    static const char *const names[] = {"c", "a", "b", "d", "f", "e"};
    static const bool angle[] = {false, false, true, false, true, true};
    assert_int_equal(nh_model_count(w->model, NH_COORDINATES), 6);
    assert_int_equal(nh_model_freedom(w->model), 6);
    for (size_t i = 0; i < 6; i++) {
        const nh_coordinate *c = &w->model->coordinates[i];
        uint32_t q, rate;
        assert_string_equal(nh_model_name(w->model, NH_COORDINATES, i), names[i]);
        assert_int_equal(c->angle, angle[i]);
        assert_true(nh_is_symbol(&w->model->pool, c->q, &q) && nh_is_symbol(&w->model->pool, c->rate, &rate));
        assert_int_equal(w->model->roles[q].role, NH_ROLE_COORDINATE);
        assert_int_equal(w->model->roles[rate].role, NH_ROLE_RATE);
        assert_int_equal(w->model->roles[q].index, i);
        assert_int_equal(w->model->roles[rate].index, i);
    }
}

/* A Greek letter and its name are one name, also inside of longer names; pi is the number. */
static void greek(void **state)
{
    world *w = *state;
    world_read(w, "angles θ, φ1\nparameters ω = 2, I_Ω = 3\n"
                  "kinetic 1/2*I_Omega*(theta'^2 + phi1'^2)\n"
                  "potential π*sin(theta + φ1) - pi*cos(θ)\n"
                  "force phi1 = omega*θ', θ = -ω\n"
                  "initial theta = 1, θ' = 2\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double th = at(w, "θ"), ph = at(w, "φ1"), dth = at(w, "θ'"), dph = at(w, "φ1'");
        assert_near(world_value(w, w->model->kinetic), 0.5 * at(w, "I_Ω") * (dth * dth + dph * dph));
        assert_near(world_value(w, w->model->potential), acos(-1) * sin(th + ph) - acos(-1) * cos(th));
        assert_near(force_on(w, 0), -at(w, "ω"));
        assert_near(force_on(w, 1), at(w, "ω") * dth);
    }
    assert_string_equal(nh_model_name(w->model, NH_COORDINATES, 0), "θ");
    assert_int_equal(w->model->n_initial, 2);
    world_refuse(w, "angles θ\nparameters theta\nkinetic θ'^2\n", 2, "declared already");
    world_refuse(w, "angles π\nkinetic π'^2\n", 1, "reserved");
}

/* The letter that has two forms, variants, a capital: names of their own. */
static void greek_variants(void **state)
{
    world *w = *state;
    world_read(
        w, "coordinates σ, ς, ϑ, ϕ, ϵ, Σ\n"
           "kinetic sigma'^2 + 2*varsigma'^2 + 3*vartheta'^2 + 4*varphi'^2 + 5*varepsilon'^2 + 6*Sigma'^2\n");
    static const char *const rates[] = {"σ'", "ς'", "ϑ'", "ϕ'", "ϵ'", "Σ'"};
    double sum = 0;
    world_draw(w);
    for (int i = 0; i < 6; i++)
        sum += (i + 1) * at(w, rates[i]) * at(w, rates[i]);
    assert_near(world_value(w, w->model->kinetic), sum);
}

/* A byte order mark, CRLF, tabs, comments and blank lines inside of a statement, no end of the last line. */
static void continued_lines(void **state)
{
    world *w = *state;
    world_read(
        w,
        "\xef\xbb\xbf# a comment\r\n\r\ncoordinates x, # one\r\n\ty\r\n"
        "kinetic x'^2   # the first half\r\n# between\r\n\r\n   + 2*y'^2\r\nforce x = 1,\r\n      y = 2\r\n"
        "constraint c: x'\r\n = \r\n\ty'\r\ninitial x\r\n  = 3");
    world_draw(w);
    double dx = at(w, "x'"), dy = at(w, "y'");
    assert_near(world_value(w, w->model->kinetic), dx * dx + 2 * dy * dy);
    assert_near(force_on(w, 0), 1);
    assert_near(force_on(w, 1), 2);
    assert_near(world_value(w, w->model->constraints[0].C), dx - dy);
    assert_string_equal(w->model->constraints[0].text, "x' = y'");
    assert_int_equal(w->model->constraints[0].line, 11);
    assert_true(is_exactly(w->model, w->model->initial[0].value, 3, 1));
}

/* ---------------------------------------------------------------- numbers */

/* Numbers are what they say, not the nearest double. */
static void exact_numbers(void **state)
{
    static const struct {
        const char *text;
        int64_t p, q;
    } numbers[] = {
        {"0.1", 1, 10},        {"1e-3", 1, 1000},      {"0.1 + 0.2", 3, 10}, {"1/3*3", 1, 1},
        {"2^3^2", 512, 1},     {"-2^2", -4, 1},        {"(-2)^2", 4, 1},     {"2^-2", 1, 4},
        {"1.5e2", 150, 1},     {".5", 1, 2},           {"9.81", 981, 100},   {"1/2/3", 1, 6},
        {"1/2*3", 3, 2},       {"2 - 3 - 4", -5, 1},   {"-3 - -4", 1, 1},    {"2*-3", -6, 1},
        {"0.1*3 - 0.3", 0, 1}, {"7 - (2 - 5)", 10, 1}, {"1e2*10^-2", 1, 1},  {"sqrt(9/4)", 3, 2},
        {"4^(1/2)", 2, 1},     {"cos(pi)", -1, 1},     {"sin(π/2)", 1, 1},   {"exp(0)", 1, 1},
        {"log(1)", 0, 1},      {"0e5", 0, 1},          {"00.250", 1, 4},     {"1e400*1e-400", 1, 1},
        {"3^100/3^99", 3, 1},  {"2^0", 1, 1},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[200];
        snprintf(text, sizeof text, "coordinates x\nkinetic x'^2\ninitial x = %s\n", numbers[i].text);
        world_read(w, text);
        if (!is_exactly(w->model, w->model->initial[0].value, numbers[i].p, numbers[i].q))
            fail_msg("%s is not %lld/%lld", numbers[i].text, (long long)numbers[i].p,
                     (long long)numbers[i].q);
    }
}

/* Each function of the language, and how operators bind. */
static void functions(void **state)
{
    world *w = *state;
    world_read(w,
               "coordinates x, y\nkinetic x'^2 + y'^2\n"
               "observe a = sin(x) + 2*cos(y)^2, b = tan(x)*y - asin(x/2), c = acos(y/2)/atan(x)\n"
               "observe d = atan2(x, y), e = sinh(x) - cosh(y) + tanh(x*y), f = exp(-x)*log(3 + y)\n"
               "observe g = sqrt(2 + x)^3, h = abs(x) + sign(y), i = min(x, y) - max(x, 2*y)\n"
               "observe j = -x^2, k = 2^x^2, l = x - y - x*y/2/3, m = -x*-y, n = (2 + x)^(1/3), o = x'^-2\n");
    for (int k = 0; k < 3 * STATES; k++) {
        world_draw(w);
        double x = at(w, "x"), y = at(w, "y");
        assert_near(observed(w, "a"), sin(x) + 2 * cos(y) * cos(y));
        assert_near(observed(w, "b"), tan(x) * y - asin(x / 2));
        assert_near(observed(w, "c"), acos(y / 2) / atan(x));
        assert_near(observed(w, "d"), atan2(x, y));
        assert_near(observed(w, "e"), sinh(x) - cosh(y) + tanh(x * y));
        assert_near(observed(w, "f"), exp(-x) * log(3 + y));
        assert_near(observed(w, "g"), sqrt(2 + x) * (2 + x));
        assert_near(observed(w, "h"), fabs(x) + (y > 0 ? 1 : -1));
        assert_near(observed(w, "i"), (x < y ? x : y) - (x > 2 * y ? x : 2 * y));
        assert_near(observed(w, "j"), -(x * x));
        assert_near(observed(w, "k"), pow(2, x * x));
        assert_near(observed(w, "l"), x - y - x * y / 6);
        assert_near(observed(w, "m"), x * y);
        assert_near(observed(w, "n"), cbrt(2 + x));
        assert_near(observed(w, "o"), 1 / (at(w, "x'") * at(w, "x'")));
    }
}

/* ---------------------------------------------------------------- energies and forces */

static void energies_add_up(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nparameters m, k, c\n"
                  "kinetic 1/2*m*x'^2\npotential 1/2*k*x^2\n"
                  "kinetic 1/2*m*(y' + c*x*t)^2\npotential -c*x*y*cos(t)\npotential x^4\nkinetic c*x'*y'\n");
    for (int i = 0; i < STATES; i++) {
        world_draw(w);
        double x = at(w, "x"), y = at(w, "y"), dx = at(w, "x'"), dy = at(w, "y'");
        double m = at(w, "m"), k = at(w, "k"), c = at(w, "c"), t = at(w, "t");
        double K = m * dx * dx / 2 + m * (dy + c * x * t) * (dy + c * x * t) / 2 + c * dx * dy;
        assert_near(world_value(w, w->model->kinetic), K);
        assert_near(world_value(w, w->model->potential), k * x * x / 2 - c * x * y * cos(t) + x * x * x * x);
        assert_near(force_on(w, 0), 0); /* -dV/dq is not in it */
    }
}

static void forces_add_up(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y, z\nparameters c\nkinetic x'^2 + y'^2 + z'^2\n"
                  "force x = -c*x', y = sin(t)\nforce y = x*y', x = 2\nforce x = abs(x')*x' + max(x, y)\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double x = at(w, "x"), y = at(w, "y"), dx = at(w, "x'"), dy = at(w, "y'");
        assert_near(force_on(w, 0), -at(w, "c") * dx + 2 + fabs(dx) * dx + fmax(x, y));
        assert_near(force_on(w, 1), sin(at(w, "t")) + x * dy);
        assert_near(force_on(w, 2), 0);
    }
}

/* ---------------------------------------------------------------- points */

/* Polar coordinates: K = m (r'^2 + r^2 phi'^2)/2; a drag -c v has the components (-c r', -c r^2 phi'). */
static void point_in_the_plane(void **state)
{
    world *w = *state;
    world_read(w, "coordinates r\nangles phi\nparameters m, c\n"
                  "point O at (0, 0)\n"
                  "point P at (r*cos(phi), r*sin(phi)) mass m force -c/3*vel(P)\n"
                  "point D at pos(P) force -2*c/3*vel(P)\n"
                  "force phi = 7\n");
    assert_int_equal(nh_model_count(w->model, NH_POINTS), 3);
    assert_string_equal(nh_model_name(w->model, NH_POINTS, 1), "P");
    assert_int_equal(w->model->points[0].mass, NH_EXPR_NONE);
    assert_int_equal(w->model->points[1].size, 2);
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double r = at(w, "r"), phi = at(w, "phi"), dr = at(w, "r'"), dphi = at(w, "phi'"), c = at(w, "c");
        assert_near(world_value(w, w->model->kinetic), at(w, "m") * (dr * dr + r * r * dphi * dphi) / 2);
        assert_near(force_on(w, 0), -c * dr);
        assert_near(force_on(w, 1), -c * r * r * dphi + 7);
        assert_near(world_value(w, w->model->points[1].at[1]), r * sin(phi));
        assert_near(world_value(w, w->model->points[1].rate[0]), dr * cos(phi) - r * dphi * sin(phi));
    }
}

/* Spherical coordinates. For a force (X, Y, Z): A_r = F.e_r, A_theta = r F.e_theta, A_phi = r sin(theta) F.e_phi. */
static void point_in_space(void **state)
{
    world *w = *state;
    world_read(w, "coordinates r\nangles theta, phi\nparameters m, X, Y\n"
                  "let e = (sin(theta)*cos(phi), sin(theta)*sin(phi), cos(theta))\n"
                  "point P at r*e force (X, Y*r', sign(t)) mass 2*m\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double r = at(w, "r"), th = at(w, "theta"), ph = at(w, "phi");
        double dr = at(w, "r'"), dth = at(w, "theta'"), dph = at(w, "phi'");
        double X = at(w, "X"), Y = at(w, "Y") * dr, Z = at(w, "t") > 0 ? 1 : -1;
        double square = dr * dr + r * r * (dth * dth + sin(th) * sin(th) * dph * dph);
        assert_near(world_value(w, w->model->kinetic), at(w, "m") * square);
        assert_near(force_on(w, 0), X * sin(th) * cos(ph) + Y * sin(th) * sin(ph) + Z * cos(th));
        assert_near(force_on(w, 1), r * (X * cos(th) * cos(ph) + Y * cos(th) * sin(ph) - Z * sin(th)));
        assert_near(force_on(w, 2), r * sin(th) * (-X * sin(ph) + Y * cos(ph)));
        assert_near(world_value(w, w->model->potential), 0);
    }
}

/* A pendulum of length l hung on a point that is moved: the velocity has a part of its own. */
static void point_that_is_carried(void **state)
{
    world *w = *state;
    world_read(w, "angles a\nparameters m, l, w\n"
                  "point P at (l*sin(a) + sin(w*t), -l*cos(a) + t^2) mass m force (t, a')\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double a = at(w, "a"), da = at(w, "a'"), m = at(w, "m"), l = at(w, "l"), f = at(w, "w"),
               t = at(w, "t");
        double vx = l * cos(a) * da + f * cos(f * t), vy = l * sin(a) * da + 2 * t;
        assert_near(world_value(w, w->model->points[0].rate[0]), vx);
        assert_near(world_value(w, w->model->points[0].rate[1]), vy);
        assert_near(world_value(w, w->model->kinetic), m * (vx * vx + vy * vy) / 2);
        assert_near(force_on(w, 0), t * l * cos(a) + da * l * sin(a)); /* virtual displacements at fixed t */
    }
}

/* Points that hang on each other, each with its own force: A_i is a sum over all of them. */
static void points_on_points(void **state)
{
    world *w = *state;
    world_read(w, "coordinates s\nangles a\nparameters M, m, l, c\n"
                  "point C at (s, 0) mass M force (-c*s', 3)\n"
                  "point P at pos(C) + l*(sin(a), -cos(a)) mass m force vel(C) + (0, a)\n"
                  "force s = 1\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double a = at(w, "a"), ds = at(w, "s'"), da = at(w, "a'"), l = at(w, "l");
        double vx = ds + l * cos(a) * da, vy = l * sin(a) * da;
        assert_near(world_value(w, w->model->kinetic),
                    at(w, "M") * ds * ds / 2 + at(w, "m") * (vx * vx + vy * vy) / 2);
        assert_near(force_on(w, 0), -at(w, "c") * ds + ds + 1);
        assert_near(force_on(w, 1), ds * l * cos(a) + a * l * sin(a));
    }
}

/* ---------------------------------------------------------------- gravity */

/* V = -m g.r, for points before and after the statement; A is not touched. */
static void gravity_has_a_potential(void **state)
{
    world *w = *state;
    world_read(w, "angles a\ncoordinates s\nparameters m, M, l, g\n"
                  "point P at (s + l*sin(a), -l*cos(a)) mass m\n"
                  "gravity (1/10*g, -g*(1 + t))\n"
                  "point Q at (2*s, s^2) mass M\npoint N at (s^3, s^3)\n"
                  "potential s\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double a = at(w, "a"), s = at(w, "s"), m = at(w, "m"), M = at(w, "M"), l = at(w, "l"), g = at(w, "g");
        double gx = g / 10, gy = -g * (1 + at(w, "t"));
        double V = -m * (gx * (s + l * sin(a)) - gy * l * cos(a)) - M * (gx * 2 * s + gy * s * s) + s;
        assert_near(world_value(w, w->model->potential), V);
        assert_near(force_on(w, 0), 0);
        assert_near(force_on(w, 1), 0);
    }
}

static void gravity_in_space(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y, z\nparameters m, g\nlet down = -g*(0, 0, 1)\ngravity down\n"
                  "point P at (x, y, z) mass m\npoint Q at (x, x*y, z^2) mass m/2\n");
    world_draw(w);
    double m = at(w, "m"), g = at(w, "g"), z = at(w, "z");
    assert_near(world_value(w, w->model->potential), m * g * z + m * g * z * z / 2);
    assert_int_equal(w->model->gravity_size, 3);
}

/* ---------------------------------------------------------------- abbreviations, inputs, vectors */

static void abbreviations(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nparameters m, k\n"
                  "let v2 = x'^2 + y'^2, r = (x, y), r2 = dot(r, r)\n"
                  "let n = r/sqrt(r2)\n"
                  "kinetic m/2*v2\npotential k*r2^2\nforce x = n[1]*v2, y = n[2]*v2\n");
    for (int i = 0; i < STATES; i++) {
        world_draw(w);
        double x = at(w, "x"), y = at(w, "y"), dx = at(w, "x'"), dy = at(w, "y'"), r = hypot(x, y);
        assert_near(world_value(w, w->model->kinetic), at(w, "m") * (dx * dx + dy * dy) / 2);
        assert_near(world_value(w, w->model->potential), at(w, "k") * r * r * r * r);
        assert_near(force_on(w, 0), x / r * (dx * dx + dy * dy));
        assert_near(force_on(w, 1), y / r * (dx * dx + dy * dy));
    }
}

/* An input may have corners, and may stand in constraints and forces. */
static void inputs(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nparameters A, w\ninput u = A*sin(w*t), ramp = min(t, 1) + abs(u)\n"
                  "kinetic x'^2 + y'^2\nforce x = u*x'\nconstraint follow: y' = ramp*x' + u\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double t = at(w, "t"), u = at(w, "A") * sin(at(w, "w") * t), dx = at(w, "x'");
        assert_near(force_on(w, 0), u * dx);
        assert_near(world_value(w, w->model->constraints[0].C),
                    at(w, "y'") - (fmin(t, 1) + fabs(u)) * dx - u);
    }
    assert_int_equal(nh_model_constraint_kind(w->model, 0), NH_AFFINE);
}

static void vectors_in_the_plane(void **state)
{
    world *w = *state;
    world_read(
        w, "coordinates x, y\nparameters c\nkinetic x'^2 + y'^2\npoint P at (x*y, x - y)\n"
           "let a = (x, 2*y), v = 3*a - (1, c)/2 + pos(P)*c\n"
           "observe v1 = v[1], v2 = (v)[2], d = dot(a, v), s = cross(a, v), n = norm(v), w = norm(vel(P))\n"
           "observe p = pos(P)[1] + vel(P)[2], q = (a + v)[1], e = cross((1, 0), (0, 1)), l = dot(x) + "
           "dot(y)^2\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double x = at(w, "x"), y = at(w, "y"), dx = at(w, "x'"), dy = at(w, "y'"), c = at(w, "c");
        double v1 = 3 * x - 0.5 + c * x * y, v2 = 6 * y - c / 2 + c * (x - y);
        assert_near(observed(w, "v1"), v1);
        assert_near(observed(w, "v2"), v2);
        assert_near(observed(w, "d"), x * v1 + 2 * y * v2);
        assert_near(observed(w, "s"), x * v2 - 2 * y * v1);
        assert_near(observed(w, "n"), hypot(v1, v2));
        assert_near(observed(w, "w"), hypot(dx * y + x * dy, dx - dy));
        assert_near(observed(w, "p"), x * y + dx - dy);
        assert_near(observed(w, "q"), x + v1);
        assert_near(observed(w, "e"), 1);
        assert_near(observed(w, "l"), dx + dy * dy);
    }
}

static void vectors_in_space(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y, z\nkinetic x'^2 + y'^2 + z'^2\npoint P at (x, y, z)\n"
                  "let L = cross(pos(P), vel(P)), k = (0, 0, 1)\n"
                  "observe L1 = L[1], L2 = L[2], L3 = L[3], n = norm(L), d = dot(L, k - (x, 0, 0))\n"
                  "observe right = cross(cross((1, 0, 0), (0, 1, 0)), (1, 0, 0))[2], triple = dot(cross(k, "
                  "pos(P)), vel(P))\n");
    for (int i = 0; i < STATES; i++) {
        world_draw(w);
        double x = at(w, "x"), y = at(w, "y"), z = at(w, "z"), u = at(w, "x'"), v = at(w, "y'"),
               s = at(w, "z'");
        double L1 = y * s - z * v, L2 = z * u - x * s, L3 = x * v - y * u;
        assert_near(observed(w, "L1"), L1);
        assert_near(observed(w, "L2"), L2);
        assert_near(observed(w, "L3"), L3);
        assert_near(observed(w, "n"), sqrt(L1 * L1 + L2 * L2 + L3 * L3));
        assert_near(observed(w, "d"), L3 - x * L1);
        assert_near(observed(w, "right"), 1);
        assert_near(observed(w, "triple"), L3);
    }
}

/* ---------------------------------------------------------------- constraints and velocities */

/* C = left - right; a vector equation is an equation for each component. */
static void constraint_equations(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y, z\nangles a, b\nparameters R\nkinetic x'^2 + y'^2 + z'^2 + a'^2 + b'^2\n"
                  "constraint roll: (x', y') = R*a'*(cos(b), sin(b))\n"
                  "constraint dot(z) = x*x'\n");
    static const char *const names[] = {"roll", "roll", ""};
    assert_int_equal(nh_model_count(w->model, NH_CONSTRAINTS), 3);
    assert_int_equal(nh_model_freedom(w->model), 2);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(nh_model_name(w->model, NH_CONSTRAINTS, i), names[i]);
        assert_int_equal(w->model->constraints[i].component, i < 2 ? i + 1 : 0);
        assert_int_equal(w->model->constraints[i].line, i < 2 ? 5 : 6);
        assert_int_equal(w->model->constraints[i].position, NH_EXPR_NONE);
    }
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double R = at(w, "R"), da = at(w, "a'"), beta = at(w, "b");
        assert_near(world_value(w, w->model->constraints[0].C), at(w, "x'") - R * da * cos(beta));
        assert_near(world_value(w, w->model->constraints[1].C), at(w, "y'") - R * da * sin(beta));
        assert_near(world_value(w, w->model->constraints[2].C), at(w, "z'") - at(w, "x") * at(w, "x'"));
    }
}

/* A position equation keeps its function, and its total derivative is the constraint on the velocities. */
static void position_equations(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y, z\nparameters l\nkinetic x'^2 + y'^2 + z'^2\n"
                  "constraint rod: (x - sin(t))^2 + y^2 = l^2*exp(z)\n");
    const nh_constraint *c = &w->model->constraints[0];
    assert_int_equal(c->kind, NH_POSITIONAL);
    assert_int_equal(c->rate_kind, NH_AFFINE);
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double u = at(w, "x") - sin(at(w, "t")), y = at(w, "y"), l = at(w, "l"), e = l * l * exp(at(w, "z"));
        assert_near(world_value(w, c->position), u * u + y * y - e);
        assert_near(world_value(w, c->C),
                    2 * u * (at(w, "x'") - cos(at(w, "t"))) + 2 * y * at(w, "y'") - e * at(w, "z'"));
    }
}

/* In one statement or several, in any order; psi by coordinate. */
static void parametric_equations(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nangles θ\nparameters a\nkinetic x'^2 + y'^2 + θ'^2\n"
                  "velocities v\nvelocities w\nlet forward = v + a*t\n"
                  "parametric θ' = w, y' = forward*sin(θ)\nparametric dot(x) = forward*cos(θ)\n");
    assert_int_equal(nh_model_count(w->model, NH_VELOCITIES), 2);
    assert_string_equal(nh_model_name(w->model, NH_VELOCITIES, 1), "w");
    assert_int_equal(nh_model_freedom(w->model), 2);
    assert_int_equal(w->model->psi_kind, NH_AFFINE);
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double v = at(w, "v") + at(w, "a") * at(w, "t"), th = at(w, "θ");
        assert_near(world_value(w, w->model->psi[0]), v * cos(th));
        assert_near(world_value(w, w->model->psi[1]), v * sin(th));
        assert_near(world_value(w, w->model->psi[2]), at(w, "w"));
    }
}

static void independent_velocities(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y, z\nangles a\nkinetic x'^2 + y'^2 + z'^2 + a'^2\n"
                  "constraint x'*sin(a) = y'*cos(a)\nindependent a', x'\nindependent dot(z)\n");
    static const uint32_t order[] = {3, 0, 2};
    assert_int_equal(w->model->n_independent, 3);
    assert_memory_equal(w->model->independent, order, sizeof order);
    assert_null(w->model->psi);
}

/* With neither constraints nor parametric equations the system is free. */
static void free_system(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nkinetic x'^2 + y'^2\n");
    assert_int_equal(nh_model_count(w->model, NH_CONSTRAINTS), 0);
    assert_int_equal(nh_model_count(w->model, NH_VELOCITIES), 0);
    assert_int_equal(nh_model_freedom(w->model), 2);
    assert_null(w->model->psi);
}

/* ---------------------------------------------------------------- values to follow */

/* Reactions and multipliers are symbols with a value of their own; those of a dropped equation count for none. */
static void reactions_and_multipliers(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y, z, w\nkinetic x'^2 + y'^2 + z'^2 + w'^2\n"
                  "constraint slide: x' = y'\nconstraint pull: (y' + w', z') = (x*x', z)\n"
                  "observe R = reaction(y)*y', L = 2*multiplier(slide), M = multiplier(pull)[2] - "
                  "norm(multiplier(pull))\n"
                  "observe S = R + reaction(y)\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double l1 = at(w, "multiplier(pull)[1]"), l2 = at(w, "multiplier(pull)[2]"), R = at(w, "reaction(y)");
        assert_near(observed(w, "R"), R * at(w, "y'"));
        assert_near(observed(w, "L"), 2 * at(w, "multiplier(slide)"));
        assert_near(observed(w, "M"), l2 - hypot(l1, l2));
        assert_near(observed(w, "S"), R * at(w, "y'") + R);
    }
}

static nh_symbol_role role_of(world *w, const char *symbol)
{
    return w->model->roles[world_slot(w, symbol) - w->values];
}

/* Multipliers go with their constraints when others are dropped. */
static void multipliers_follow_their_constraints(void **state)
{
    world *w = *state;
    assert_int_equal(
        world_try(w,
                  "coordinates x, y, z, w\nkinetic x'^2 + y'^2 + z'^2 + w'^2\n"
                  "constraint a: x' = y'\nconstraint b: 2*x' = 2*y'\nconstraint c: (z', x') = (x*w', y')\n"
                  "observe A = multiplier(a), C = multiplier(c)[1]\nobserve Y = reaction(y)\n",
                  NULL, NULL),
        NH_OK);
    assert_int_equal(w->model->r, 2);
    assert_int_equal(role_of(w, "multiplier(a)").role, NH_ROLE_MULTIPLIER);
    assert_int_equal(role_of(w, "multiplier(a)").index, 0);
    assert_int_equal(role_of(w, "multiplier(c)[1]").index, 1);
    assert_int_equal(role_of(w, "reaction(y)").role, NH_ROLE_REACTION);
    assert_int_equal(role_of(w, "reaction(y)").index, 1);
}

/* kinetic and potential are the totals of the whole model, wherever the statement stands. */
static void totals(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nparameters m, k, g\nkinetic 1/2*m*x'^2\n"
                  "observe L = kinetic - potential, two = 2*L\nintegral E = kinetic + potential\n"
                  "potential 1/2*k*x^2\npoint P at (x, y) mass 2*m\ngravity (0, -g)\n"
                  "observe V = potential^2\nintegral J = E/kinetic\n");
    for (int i = 0; i < STATES; i++) {
        world_draw(w);
        double m = at(w, "m"), x = at(w, "x"), y = at(w, "y"), dx = at(w, "x'"), dy = at(w, "y'");
        double K = m * dx * dx / 2 + m * (dx * dx + dy * dy),
               V = at(w, "k") * x * x / 2 + 2 * m * at(w, "g") * y;
        assert_near(observed(w, "L"), K - V);
        assert_near(observed(w, "two"), 2 * (K - V));
        assert_near(observed(w, "E"), K + V);
        assert_near(observed(w, "V"), V * V);
        assert_near(observed(w, "J"), (K + V) / K);
    }
    assert_int_equal(nh_model_count(w->model, NH_OBSERVED), 3);
    assert_int_equal(nh_model_count(w->model, NH_INTEGRALS), 2);
    assert_string_equal(nh_model_name(w->model, NH_OBSERVED, 1), "two");
    assert_string_equal(nh_model_name(w->model, NH_INTEGRALS, 0), "E");
    world_refuse(w, "coordinates x\nobserve V = 1/potential\nkinetic x'^2\n", 2, "division by zero");
}

static void integrals(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nkinetic x'^2 + y'^2\nvelocities u, w\nparametric x' = u*y, y' = w\n"
                  "integral p = x*y' - y*dot(x), q = p*u + w^2\n");
    for (int k = 0; k < STATES; k++) {
        world_draw(w);
        double p = at(w, "x") * at(w, "y'") - at(w, "y") * at(w, "x'");
        assert_near(observed(w, "p"), p);
        assert_near(observed(w, "q"), p * at(w, "u") + at(w, "w") * at(w, "w"));
    }
}

/* Values in constants and parameters, in one statement or several, kept in order. */
static void initial_state(void **state)
{
    world *w = *state;
    world_read(w, "coordinates x, y\nparameters l = 2, s = l/4\nkinetic x'^2 + y'^2\n"
                  "initial y = l*sin(pi/6), x' = -3\ninitial dot(y) = s^2, x = 1/3\n");
    static const char *const symbols[] = {"y", "x'", "y'", "x"};
    assert_int_equal(w->model->n_initial, 4);
    for (size_t i = 0; i < 4; i++) {
        uint32_t symbol;
        assert_true(nh_is_symbol(&w->model->pool, w->model->initial[i].symbol, &symbol));
        assert_string_equal(nh_symbol_name(&w->model->pool, symbol), symbols[i]);
    }
    world_draw(w);
    assert_near(world_value(w, w->model->initial[0].value), at(w, "l") / 2);
    assert_true(is_exactly(w->model, w->model->initial[1].value, -3, 1));
    assert_near(world_value(w, w->model->initial[2].value), at(w, "s") * at(w, "s"));
    assert_true(is_exactly(w->model, w->model->initial[3].value, 1, 3));
    assert_true(is_exactly(w->model, w->model->start_time, 0, 1));
}

/* ---------------------------------------------------------------- what may stand where */

static void places(void **state)
{
    static const struct {
        const char *statement, *words;
    } wrong[] = {
        {"potential x*y'", "velocity"},
        {"potential u", "quasi-velocity"},
        {"potential abs(x)", "non-smooth"},
        {"kinetic u^2", "quasi-velocity"},
        {"force x = u", "quasi-velocity"},
        {"force x = kinetic", "total"},
        {"point P at (x', y)", "velocity"},
        {"point P at (x, y) mass x", "coordinate"},
        {"gravity (x, 0)", "coordinate"},
        {"parameters k = x", "coordinate"},
        {"parameters k = t", "time"},
        {"input f = x", "coordinate"},
        {"constraint u = x'", "quasi-velocity"},
        {"constraint abs(x') = 1", "non-smooth"},
        {"let s = abs(x')\nconstraint s = 1", "non-smooth"},
        {"integral I = reaction(x)", "reaction"},
        {"let k = kinetic", "total"},
        {"initial x = y", "coordinate"},
        {"initial x = t", "time"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinates x, y\nvelocities u, w\nparametric x' = u, y' = w\nkinetic x'^2 + y'^2\n%s\n",
                 wrong[i].statement);
        world_refuse(w, text, strchr(wrong[i].statement, '\n') ? 6 : 5, wrong[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(title),
        TEST(coordinates_in_order),
        TEST(greek),
        TEST(greek_variants),
        TEST(continued_lines),
        TEST(exact_numbers),
        TEST(functions),
        TEST(energies_add_up),
        TEST(forces_add_up),
        TEST(point_in_the_plane),
        TEST(point_in_space),
        TEST(point_that_is_carried),
        TEST(points_on_points),
        TEST(gravity_has_a_potential),
        TEST(gravity_in_space),
        TEST(abbreviations),
        TEST(inputs),
        TEST(vectors_in_the_plane),
        TEST(vectors_in_space),
        TEST(constraint_equations),
        TEST(position_equations),
        TEST(parametric_equations),
        TEST(independent_velocities),
        TEST(free_system),
        TEST(reactions_and_multipliers),
        TEST(multipliers_follow_their_constraints),
        TEST(totals),
        TEST(integrals),
        TEST(initial_state),
        TEST(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
