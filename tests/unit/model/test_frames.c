/* Frames and bodies: rotations against numbers, angular velocities against derivatives, energies and forces against those of points
 * that make up the body. */
#include "world.h"

/* ---------------------------------------------------------------- rotations */

/* R by multiplying matrices of numbers. */
static void turn(double R[3][3], int k, double a)
{
    double A[3][3] = {{0}}, out[3][3] = {{0}};
    int u = (k + 1) % 3, v = (k + 2) % 3;
    A[k][k] = 1, A[u][u] = A[v][v] = cos(a), A[u][v] = -sin(a), A[v][u] = sin(a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int l = 0; l < 3; l++)
                out[i][j] += R[i][l] * A[l][j];
    memcpy(R, out, sizeof out);
}

static void axes(void **state)
{
    world *w = *state;
    world_read(w,
               "angles a, b, c\nkinetic a'^2 + b'^2 + c'^2\nframe B = Rz(a)*Rx(2*b), C = B*Ry(c - a)*Rz(t)\n"
               "observe x1 = axis(C, 1)[1], y1 = axis(C, 1)[2], z1 = axis(C, 1)[3]\n"
               "observe x2 = axis(C, 2)[1], y2 = axis(C, 2)[2], z2 = axis(C, 2)[3]\n"
               "observe x3 = axis(C, 3)[1], y3 = axis(C, 3)[2], z3 = axis(C, 3)[3]\n");
    for (int round = 0; round < 20; round++) {
        double R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        world_draw(w);
        turn(R, 2, at(w, "a")), turn(R, 0, 2 * at(w, "b"));
        turn(R, 1, at(w, "c") - at(w, "a")), turn(R, 2, at(w, "t"));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_near(observed(w, (char[]){"xyz"[i], (char)('1' + j), '\0'}), R[i][j]);
    }
}

/* d/dt of an axis is omega x axis: the points at the axes' ends have these velocities. */
static void angular_velocity(void **state)
{
    world *w = *state;
    world_read(
        w,
        "angles a, b, c, d\nkinetic a'^2 + b'^2 + c'^2 + d'^2\n"
        "frame B = Rx(a)*Rz(b*c)*Ry(d)*Rx(t*a)\nbody W at (0, 0, 0) frame B\n"
        "point P at axis(B, 1)\npoint Q at axis(W, 2)\n"
        "let u = vel(P) - cross(angvel(B), axis(B, 1)), v = vel(Q) - cross(angvel(W), axis(B, 2))\n"
        "observe u1 = u[1], u2 = u[2], u3 = u[3], v1 = v[1], v2 = v[2], v3 = v[3], size = norm(angvel(B))\n");
    for (int round = 0; round < 20; round++) {
        world_draw(w);
        for (int i = 0; i < 6; i++)
            assert_near(observed(w, (char[]){"uv"[i / 3], (char)('1' + i % 3), '\0'}), 0);
        assert_true(observed(w, "size") > 0.01);
    }
}

/* ---------------------------------------------------------------- bodies */

static const char turned[] =
    "coordinates x, y, z\nangles a, b, c\nparameters m, r, s, g\nframe B = Rz(a)*Rx(b)*Ry(c)\n";

/* The kinetic energies, potentials and forces of two models at the same states. */
static void same_model(world *w, const char *one, const char *other)
{
    char text[2][2000];
    double found[2][20][2 + 6];
    for (int k = 0; k < 2; k++) {
        snprintf(text[k], sizeof text[k], "%s%s", turned, k ? other : one);
        world_read(w, text[k]);
        w->seed = 77;
        for (int round = 0; round < 20; round++) {
            static const char *const names[] = {"t",  "x",  "y",  "z",  "a", "b", "c", "x'", "y'",
                                                "z'", "a'", "b'", "c'", "m", "r", "s", "g"};
            for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                *world_slot(w, names[i]) = world_random(w);
            found[k][round][0] = world_value(w, w->model->kinetic);
            found[k][round][1] = world_value(w, w->model->potential);
            for (size_t i = 0; i < 6; i++)
                found[k][round][2 + i] = w->model->coordinates[i].force ? force_on(w, i) : 0;
        }
    }
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < 8; i++)
            assert_near(found[0][round][i], found[1][round][i]);
}

/* Six points on the axes. */
static void energy_of_axes(void **state)
{
    same_model(*state,
               "body W at (x, y, z) frame B mass 6*m inertia (2*m*(s^2 + 4*s^2), 2*m*(r^2 + 4*s^2), 2*m*(r^2 "
               "+ s^2))\ngravity (g, 2*g, -g)\n",
               "let o = (x, y, z)\npoint A1 at o + r*axis(B, 1) mass m\npoint A2 at o - r*axis(B, 1) mass m\n"
               "point B1 at o + s*axis(B, 2) mass m\npoint B2 at o - s*axis(B, 2) mass m\n"
               "point C1 at o + 2*s*axis(B, 3) mass m\npoint C2 at o - 2*s*axis(B, 3) mass m\ngravity (g, "
               "2*g, -g)\n");
}

/* Round about the axis of the last rotation, and a ball: the shorter forms of the energy. */
static void round_bodies(void **state)
{
    same_model(*state,
               "body W at (x, y, z) frame B mass 6*m inertia (2*m*(r^2 + s^2), 4*m*r^2, 2*m*(r^2 + s^2))\n",
               "let o = (x, y, z)\npoint A1 at o + r*axis(B, 1) mass m\npoint A2 at o - r*axis(B, 1) mass m\n"
               "point B1 at o + s*axis(B, 2) mass m\npoint B2 at o - s*axis(B, 2) mass m\n"
               "point C1 at o + r*axis(B, 3) mass m\npoint C2 at o - r*axis(B, 3) mass m\n");
    same_model(*state, "body W at (x, y, z) frame B mass m inertia (s, s, s)\n",
               "body W at (x, y, z) frame B mass m inertia (s, s, s, 0*m, 0*r, 0)\n");
    same_model(*state, "body W at (x, y, z) frame B mass m inertia (s, s, s)\n",
               "point W at (x, y, z) mass m\nkinetic 1/2*s*dot(angvel(B), angvel(B))\n");
}

/* Two points anywhere, and a third that puts the centre back. */
static void full_tensor(void **state)
{
    same_model(*state,
               "body W at (x, y, z) frame B mass 2*m inertia (2*m*(s^2 + 4*r^2), 2*m*(r^2 + 4*r^2), 2*m*(r^2 "
               "+ s^2), -2*m*r*s, "
               "-2*m*r*2*r, -2*m*s*2*r)\n",
               "let o = (x, y, z), d = r*axis(B, 1) + s*axis(B, 2) + 2*r*axis(B, 3)\npoint P at o + d mass "
               "m\npoint Q at o - d mass m\n");
}

/* A couple of forces is a torque; a force at the centre is one at a point. */
static void forces(void **state)
{
    same_model(*state,
               "body W at (x, y, z) frame B mass m inertia (s, s, s) force (r, t, x') torque "
               "2*r*cross(axis(B, 1), (t, y, z'))\n",
               "body W at (x, y, z) frame B mass m inertia (s, s, s)\npoint P at (x, y, z) force (r, t, x')\n"
               "point Q at (x, y, z) + r*axis(B, 1) force (t, y, z')\npoint S at (x, y, z) - r*axis(B, 1) "
               "force -(t, y, z')\n");
}

/* ---------------------------------------------------------------- what is wrong */

static void wrong_frames(void **state)
{
    static const char head[] = "coordinates x\nangles a\nparameters m = 1\nkinetic x'^2 + a'^2\n";
    static const struct {
        const char *line, *words;
    } wrong[] = {
        {"frame B = a", "not a frame"},
        {"frame B = Rz(a, a)", "one angle"},
        {"frame B = Rw(a)", "a rotation is needed"},
        {"frame B = Rz(a)/Rx(a)", "cannot be divided"},
        {"frame B = Rz(a)*B", "a rotation is needed"},
        {"frame B = Rz(a')", "cannot contain the velocity"},
        {"frame B = C*Rz(a)", "unknown name"},
        {"frame B = Rz((a, a))", "a scalar is needed"},
        {"body W at (x, 0) mass m", "3 components"},
        {"body W at (x, 0, 0) inertia (m, m, m)", "has a frame"},
        {"body W at (x, 0, 0) frame Rz(a) inertia (m, m)", "3 or 6"},
        {"body W at (x, 0, 0) frame Rz(a) inertia m", "3 or 6"},
        {"body W at (x, 0, 0) frame Rz(a) inertia (m, m, x)", "cannot contain the coordinate"},
        {"body W at (x, 0, 0) frame Rz(a) torque (m, m)", "3 components"},
        {"body W at (x, 0, 0) frame x", "not a frame"},
        {"observe v = axis(m, 1)[1]", "not a frame"},
        {"body W at (x, 0, 0)\nobserve v = axis(W, 4)[1]", "the axes 1, 2 and 3"},
        {"body W at (x, 0, 0)\nobserve v = W", "which has no value"},
        {"frame B = Rz(a)\nobserve v = pos(B)[1]", "not a point"},
    };
    char text[400];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "%s%s\n", head, wrong[i].line);
        world_refuse(*state, text, strchr(wrong[i].line, '\n') ? 6 : 5, wrong[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(axes, setup, teardown),
        cmocka_unit_test_setup_teardown(angular_velocity, setup, teardown),
        cmocka_unit_test_setup_teardown(energy_of_axes, setup, teardown),
        cmocka_unit_test_setup_teardown(round_bodies, setup, teardown),
        cmocka_unit_test_setup_teardown(full_tensor, setup, teardown),
        cmocka_unit_test_setup_teardown(forces, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_frames, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
