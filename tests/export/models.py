"""Models that the exported code is tested with, besides the examples.

Options: low, the smallest random value of a state; set, values of parameters; large, not for slow builds."""

import importlib.util
import os

MODELS = {}
BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "models.py")


def model(name, text, **options):
    MODELS[name] = (text, options)


model("every-function", """\
system       Every function */ of the /* language ??/ \\ % # coding: latin-1
coordinates  x, y, z
parameters   a = 1/3, b = 2*a, c = 0.1, big = 123456789012345678901234567890/7, e1 = 7/3
input        u = sin(t) + 1/3
force        x = -atan2(y, 1 + x^2) + asin(x/10) + acos(y/10) + atan(z)*sinh(x/3) + cosh(y/3) - tanh(z),
             y = exp(-x^2)*log(2 + y^2) + sqrt(1 + z^2) + tan(x/9) + (1 + x^2)^(2/3) + (2 + x^2)^(-5/2) + x^7 + pi*x,
             z = abs(x) + sign(y) + min(x, y) + max(y, z) + u*big/10^30 + (1 + y^2)^e1 + (3 + y^2)^x + 1/x^3
kinetic      1/2*(1 + c*cos(x)^2)*x'^2 + 1/2*b*y'^2 + 1/2*z'^2 + a*x'*y'/10
potential    1/2*x^2*y^2 + 123456789/1000000007*z
constraint   z' = x*y' + sin(t)
initial      x = 1/2
observe      K = kinetic, V = potential, lam = multiplier(c1), R = reaction(z)^2 + t
""".replace("constraint   z'", "constraint   c1: z'"))

model("ugly-names", """\
system       Ugly
coordinates  lambda, for, state
angles       θ, end
parameters   double = 2, theta_ = 3, k1 = 1, par = 1, matrix1 = 2, class = 1/2, sign_of = 1, __x = 1, lambda_dot = 2, y1 = 1, gamma = 1,
             round = 1, hypot = 1, erf = 1, log2 = 1, floor = 1, index = 1, printf = 1, i = 1, e = 1, ugly_first_psi = 1, ugly_parameters = 1,
             Float64 = 2, String = 1, length = 1, typeof = 1, float = 1, M_PI = 1, isless = 1
let          v = lambda'*cos(θ) + for'*sin(θ)
kinetic      1/2*double*(lambda'^2 + for'^2) + 1/2*theta_*θ'^2 + 1/2*end'^2*class + 1/2*state'^2*(1 + for^2)*__x
potential    k1*lambda^2 + par*state^2*matrix1 + sign_of*θ + lambda_dot*end*y1*gamma
             + round*for*hypot*erf*log2*floor*index*printf*i*e*ugly_first_psi*ugly_parameters
             + pi*Float64*String*length*typeof*float*M_PI*isless*for
constraint   lambda'*sin(θ) - for'*cos(θ) = 0
constraint   rate: state' = for*end'
initial      θ = 1/3
observe      out = kinetic, t0 = potential, math = v + reaction(θ) + multiplier(rate)
""")

model("free", """\
system       No constraints
angles       a, b
parameters   m = 2, l = 1/3, g = 9.81
point        P at l*(sin(a), -cos(a)) mass m
point        Q at pos(P) + l*(sin(b), -cos(b)) mass m/7
gravity      (0, -g)
observe      E = kinetic + potential
""")

model("affine", """\
system       A rolling ball on a turning table, in the plane
coordinates  x, y
angles       p
parameters   m = 1, W = 3/7, J = 2/5
kinetic      1/2*m*(x'^2 + y'^2) + 1/2*J*p'^2
force        x = -y, p = cos(t)
constraint   x' = p'*cos(p) - W*y*cos(t)
initial      y = 1
""")

model("speed", """\
system       A point of constant speed
coordinates  x, y
parameters   m = 3/2, c = 7/5, g = 9.81
kinetic      1/2*m*(x'^2 + y'^2)
potential    m*g*y
constraint   x'^2 + y'^2 = c^2
initial      x' = c
""")

model("quadratic", """\
system       A quadratic constraint with a branch
coordinates  x, y, z
parameters   a = 2
kinetic      1/2*(x'^2 + y'^2 + z'^2)
potential    x*y + z
constraint   a*z'^2 + z'*(3 + x^2) - x'^2 - y'^2 = 0
initial      x' = 1, y' = 1/2
""")

model("implicit-only", """\
system       Not to be solved in formulas
coordinates  x, y, z
kinetic      1/2*(x'^2 + y'^2 + z'^2)
force        x = y, z = -1
constraint   z' + z'^5 = x'*y' + sin(x')
initial      x' = 1, y' = 1/2
observe      K = kinetic, R = reaction(x)
""")

model("parametric-only", """\
system       Parametric alone, not affine: no second kind
coordinates  x, y, z
kinetic      1/2*(x'^2 + y'^2 + z'^2)
potential    x*y
velocities   u, w
parametric   x' = u*cos(w), y' = u*sin(w), z' = u^2*w
initial      u = 1, w = 1/3
observe      R = reaction(z) + u, K = kinetic
""", low=0.5)

model("parametric-affine", """\
system       Parametric alone, affine
coordinates  x, y
angles       p
kinetic      1/2*(x'^2 + y'^2 + p'^2)
velocities   u, w
parametric   x' = u*cos(p) + t, y' = u*sin(p), p' = w
initial      p = 1/3
observe      both = u*w + x'
""")

model("independent", """\
system       Velocities of coordinates as the parameters
coordinates  x, y, z
kinetic      1/2*(x'^2 + 2*y'^2 + 3*z'^2)
potential    x^2
constraint   z' = x*y' + y
independent  x', y'
initial      x = 1
observe      s = x'*z', K = kinetic, V = potential
""")

model("position", """\
system       A pendulum in Cartesian coordinates, and a bead
coordinates  x, y, s
parameters   l = 2, m = 1/3, g
kinetic      1/2*m*(x'^2 + y'^2) + 1/2*s'^2
potential    m*g*y
constraint   rod: x^2 + y^2 = l^2
constraint   bead: s' = x*y'
initial      y = -2
""", set="g=9.81")

model("singular-metric", """\
system       A coordinate without inertia: no second kind
coordinates  x, y
parameters   m = 1
kinetic      1/2*m*x'^2
force        x = -x
constraint   y' = x'*x
observe      R = reaction(x)
""")

model("chain", "system Many coordinates: linear systems that stay\ncoordinates " +
      ", ".join(f"x{i}" for i in range(12)) + "\nparameters m = 1/3, k1 = 2\n" +
      "".join(f"kinetic 1/2*m*(x{i}' - cos(x{i + 1})*x{i + 1}')^2 + 1/2*m*x{i}'^2*{i + 1}/7\n" for i in range(11)) +
      "kinetic 1/2*m*x11'^2\npotential 1/2*k1*(" + " + ".join(f"(x{i} - x{i + 1})^2" for i in range(11)) + ")\n" +
      "".join(f"constraint c{i}: x{i}' = sin(x{i + 6})*x{i + 6}'\n" for i in range(5)) + "observe l = multiplier(c3)\n", large=True)

model("dense", "system Dense linear systems\ncoordinates " + ", ".join(f"x{i}" for i in range(7)) +
      "\nparameters m = 1/3, k1 = 2\n" +
      "".join(f"kinetic 1/2*m*((1 + {i}*x{j}^2)*x{i}' - cos(x{j} + {i})*x{j}')^2\n" for i in range(7) for j in range(i)) +
      "kinetic " + " + ".join(f"1/2*m*x{i}'^2" for i in range(7)) + "\npotential 1/2*k1*x0^2*x3\n" +
      "".join(f"constraint c{i}: x{i}' + x{i + 1}'*sin(x{i + 2}) + cos(x{i})*x{i + 3}' = 0\n" for i in range(2)) +
      "observe l = multiplier(c1), E = kinetic\n", low=0.1, large=True)

model("time", """\
system       Constraints and energies that depend on time
coordinates  x, y
parameters   w = 2
input        f = exp(-t)*max(cos(w*t), 0)
point        P at (x + sin(w*t), y) mass 1 + w force (f, -1)
constraint   y' = x'*t + f
initial      x = 1
observe      a = f*x'
""")

model("bare", "coordinates x\nkinetic 1/2*x'^2\n")

made = importlib.util.spec_from_file_location("made", BENCH)
cars = importlib.util.module_from_spec(made)
made.loader.exec_module(cars)
model("car", cars.car(8, False) + "initial v = 1\n", large=True)
model("disc", cars.DISC + "initial theta = 1/3, w1 = 1, w2 = 2, w3 = 3\n")
