#!/usr/bin/env python3
"""sympy_oracle.py PROGRAM [NAME...]: the equations of motion against SymPy's LagrangesMethod.

Each system is written down twice: as a model for PROGRAM, and for SymPy as a Lagrangian, active forces and constraints
in SymPy's own terms. LagrangesMethod derives symbolic equations; these are solved here for the accelerations
and multipliers in 40 digits, at random states on the constraints with random parameters, and compared with what
`PROGRAM eval --format json` says: D, lambda, the R of both kinds, and z' where there is a formula for z.

Signs: the left-hand side of a constraint minus its right-hand side is C. We write g q'' = L + lambda_a dC^a/dq', SymPy's
equations `eom` are (g q'' - L) + lam_a dC^a/dq' = 0: lambda = -lam. R is g q'' - L in both.

The test is itself tested, with every system: each term of the Lagrangian, the forces and the constraints (some of them, where there are many) has a
coefficient in SymPy's equations, which is 1; with any of them changed by a tenth of a percent the comparison has to fail.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

try:
    import mpmath
    import sympy
    from sympy.physics.mechanics import LagrangesMethod, Point, ReferenceFrame, dynamicsymbols
except ImportError:
    # Debian's module belongs to Debian's python, which need not be the first one on the path
    import os
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3") or not os.path.exists("/usr/bin/python3"):
        sys.exit("sympy_oracle.py: there is no SymPy; `scripts/setup test` installs it")
    os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)

PAPER = Path(__file__).resolve().parents[2] / "examples" / "paper"
STATES = 3
MOST_TERMS = 25  # that are changed; at random where there are more

# The program computes in doubles, u = 1e-16, in some hundred operations; states at which the condition number of the
# equations exceeds 1e4 are not used: 1e-16 * 1e2 * 1e4 = 1e-10, and ten times that for the conditioning of g alone.
# A wrong term is much larger: see the coefficients above.
TOLERANCE = 1e-9
LARGEST_CONDITION = 1e4
CHANGE = mpmath.mpf(1) / 1000

FALLING_DISC = """\
coordinates x, y
angles psi, theta, phi
parameters m, R, A, C, g
let vx = x' - R*(cos(theta)*sin(psi)*theta' + sin(theta)*cos(psi)*psi')
let vy = y' + R*(cos(theta)*cos(psi)*theta' - sin(theta)*sin(psi)*psi')
kinetic 1/2*m*(vx^2 + vy^2 + (R*sin(theta)*theta')^2) + 1/2*A*(theta'^2 + (psi'*cos(theta))^2)
kinetic 1/2*C*(phi' - psi'*sin(theta))^2
potential m*g*R*cos(theta)
"""

# name: what is given to the program (a file of examples/paper with more lines, or a text), and, for SymPy, q (q1, ...; the velocity is
# q1d), parameters p, Lagrangian L, forces F, constraints C (on velocities) or H (on positions), and formulas for z.
SYSTEMS = {
    "skate": dict(
        file="skate.nh", q="x y theta", p="m I A1 A2 A3",
        L="m*(xd**2 + yd**2)/2 + I*thetad**2/2", F=dict(x="A1", y="A2", theta="A3"),
        C=["xd*sin(theta) - yd*cos(theta)"],
        z=dict(v="xd*cos(theta) + yd*sin(theta)", w="thetad")),
    "vertical disc": dict(
        file="vertical-disc.nh", q="x y theta psi", p="m R A B A1 A2 A3 A4",
        L="m*(xd**2 + yd**2)/2 + A*thetad**2/2 + B*psid**2/2", F=dict(x="A1", y="A2", theta="A3", psi="A4"),
        C=["xd - R*cos(psi)*thetad", "yd - R*sin(psi)*thetad"], z=dict(z1="thetad", z2="psid")),
    # the model has parametric equations only: the multipliers belong to the constraints that the program found
    "co-axial discs": dict(
        file="coaxial-discs.nh", q="x y theta1 theta2 psi", p="m R a A B A1 A2 A3 A4 A5", multipliers=False,
        L="m*(xd**2 + yd**2) + m*a**2*psid**2/2 + m*a*psid*(xd*cos(psi) + yd*sin(psi))"
          " + A*(theta1d**2 + theta2d**2)/2 + B*psid**2",
        F=dict(x="A1", y="A2", theta1="A3", theta2="A4", psi="A5"),
        C=["xd - R*cos(psi)*theta1d", "yd - R*sin(psi)*theta1d", "psid - R*(theta2d - theta1d)/a"],
        z=dict(z1="theta1d", z2="theta2d")),
    "co-axial discs, six coordinates": dict(
        file="coaxial-discs-implicit.nh", more="force theta1 = A*theta2, theta2 = y, psi = cos(psi), a = B\n",
        q="x y theta1 theta2 psi a", p="m R A B", around=dict(a=2),
        F=dict(theta1="A*theta2", theta2="y", psi="cos(psi)", a="B"),
        no_effect=["m*Derivative(a(t), t)**2/2"],  # for a' = 0 follows from the constraints
        L="m*(xd**2 + yd**2) + m*(a**2*psid**2 + ad**2)/2 + m*a*psid*(xd*cos(psi) + yd*sin(psi))"
          " + m*ad*(xd*sin(psi) - yd*cos(psi)) + A*(theta1d**2 + theta2d**2)/2 + B*psid**2",
        C=["xd - R*cos(psi)*theta1d", "yd - R*sin(psi)*theta1d",
           "xd + a*cos(psi)*psid + sin(psi)*ad - R*cos(psi)*theta2d",
           "yd + a*sin(psi)*psid - cos(psi)*ad - R*sin(psi)*theta2d"]),
    "parallel velocities": dict(
        file="parallel-velocities.nh", q="x1 y1 x2 y2", p="m1 m2 A1 A2 A3 A4",
        L="m1*(x1d**2 + y1d**2)/2 + m2*(x2d**2 + y2d**2)/2", F=dict(x1="A1", y1="A2", x2="A3", y2="A4"),
        C=["x1d*y2d - x2d*y1d"], z=dict(theta="atan(y1d/x1d)")),
    "parallel velocities, incline": dict(
        file="parallel-incline.nh", q="x1 y1 x2 y2", p="m1 m2 g",
        L="m1*(x1d**2 + y1d**2)/2 + m2*(x2d**2 + y2d**2)/2 + g*(m1*x1 + m2*x2)", C=["x1d*y2d - y1d*x2d"]),
    "parallel velocities, equal masses": dict(
        file="parallel-equal-masses.nh", q="x1 y1 x2 y2", p="m g",
        L="m*(x1d**2 + y1d**2 + x2d**2 + y2d**2)/2 + m*g*x1 + m*g*x2", C=["x1d*y2d - y1d*x2d"]),
    "off-centre sleigh": dict(
        text="coordinates x, y\nangles theta\nparameters m, I, a\nkinetic 1/2*I*theta'^2\n"
             "point P at (x + a*cos(theta), y + a*sin(theta)) mass m\nconstraint x'*sin(theta) = y'*cos(theta)\n",
        q="x y theta", p="m I a", C=["xd*sin(theta) - yd*cos(theta)"],
        L="m*(xd**2 + yd**2)/2 + (I + m*a**2)*thetad**2/2 + m*a*thetad*(yd*cos(theta) - xd*sin(theta))"),
    "off-centre sleigh, parametric": dict(
        text="coordinates x, y\nangles theta\nparameters m, I, a, c\nkinetic 1/2*I*theta'^2\n"
             "point P at (x + a*cos(theta), y + a*sin(theta)) mass m\nforce x = -c*x'*abs(x'), theta = -c*theta'\n"
             "velocities v, w\nparametric x' = v*cos(theta), y' = v*sin(theta), theta' = w\n",
        q="x y theta", p="m I a c", C=["xd*sin(theta) - yd*cos(theta)"], multipliers=False,
        L="m*(xd**2 + yd**2)/2 + (I + m*a**2)*thetad**2/2 + m*a*thetad*(yd*cos(theta) - xd*sin(theta))",
        F=dict(x="-c*xd*sqrt(xd**2)", theta="-c*thetad"), z=dict(v="xd*cos(theta) + yd*sin(theta)", w="thetad")),
    # L from the velocity of the centre, (x - R sin(theta) sin(psi), y + R sin(theta) cos(psi), R cos(theta))
    "falling disc": dict(
        text=FALLING_DISC + "constraint x' = R*cos(psi)*phi'\nconstraint y' = R*sin(psi)*phi'\n",
        q="x y psi theta phi", p="m R A C g",
        L="m*(xd**2 + yd**2)/2 + m*R**2*(thetad**2 + psid**2*sin(theta)**2)/2"
          " - m*R*xd*(thetad*cos(theta)*sin(psi) + psid*sin(theta)*cos(psi))"
          " + m*R*yd*(thetad*cos(theta)*cos(psi) - psid*sin(theta)*sin(psi))"
          " + A*(thetad**2 + psid**2*cos(theta)**2)/2 + C*(phid - psid*sin(theta))**2/2 - m*g*R*cos(theta)",
        C=["xd - R*cos(psi)*phid", "yd - R*sin(psi)*phid"]),
    "falling disc, parametric": dict(
        text=FALLING_DISC + "velocities w1, w2, w3\n"
             "parametric x' = R*cos(psi)*w3, y' = R*sin(psi)*w3, psi' = w2, theta' = w1, phi' = w3\n",
        q="x y psi theta phi", p="m R A C g", multipliers=False,
        L="m*(xd**2 + yd**2)/2 + m*R**2*(thetad**2 + psid**2*sin(theta)**2)/2"
          " - m*R*xd*(thetad*cos(theta)*sin(psi) + psid*sin(theta)*cos(psi))"
          " + m*R*yd*(thetad*cos(theta)*cos(psi) - psid*sin(theta)*sin(psi))"
          " + A*(thetad**2 + psid**2*cos(theta)**2)/2 + C*(phid - psid*sin(theta))**2/2 - m*g*R*cos(theta)",
        C=["xd - R*cos(psi)*phid", "yd - R*sin(psi)*phid"], z=dict(w1="thetad", w2="psid", w3="phid")),
    # affine; Euler's angles
    "ball on a turntable": dict(
        text="coordinates x, y\nangles phi, theta, psi\nparameters m, I, R, Omega\n"
             "let wx = theta'*cos(phi) + psi'*sin(theta)*sin(phi), wy = theta'*sin(phi) - psi'*sin(theta)*cos(phi)\n"
             "let wz = phi' + psi'*cos(theta)\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*(wx^2 + wy^2 + wz^2)\n"
             "constraint x' - R*wy = -Omega*y\nconstraint y' + R*wx = Omega*x\n",
        q="x y phi theta psi", p="m I R Omega", around=dict(theta=1.5),
        L="m*(xd**2 + yd**2)/2 + I*(phid**2 + thetad**2 + psid**2 + 2*phid*psid*cos(theta))/2",
        C=["xd - R*(thetad*sin(phi) - psid*sin(theta)*cos(phi)) + Omega*y",
           "yd + R*(thetad*cos(phi) + psid*sin(theta)*sin(phi)) - Omega*x"]),
    "pendulum": dict(
        text="coordinates x, y\nparameters m, l, g\npoint P at (x, y) mass m\ngravity (0, -g)\n"
             "constraint x^2 + y^2 = l^2\n",
        q="x y", p="m l g", L="m*(xd**2 + yd**2)/2 - m*g*y", H=["x**2 + y**2 - l**2"]),
    "pendulum of varying length": dict(
        text="coordinates x, y\nparameters m, l, g\ninput s = l*(1 + sin(t)/4)\npoint P at (x, y) mass m\n"
             "gravity (0, -g)\nconstraint x^2 + y^2 = s^2\n",
        q="x y", p="m l g", L="m*(xd**2 + yd**2)/2 - m*g*y", H=["x**2 + y**2 - l**2*(1 + sin(t)/4)**2"]),
    "two hinged pendulums": dict(
        text="coordinates x1, y1, x2, y2\nparameters m, M, l, k, g\npoint P at (x1, y1) mass m\npoint Q at (x2, y2) mass M\n"
             "gravity (0, -g)\nconstraint dot(pos(P), pos(P)) = l^2\n"
             "constraint dot(pos(Q) - pos(P), pos(Q) - pos(P)) = k^2\n",
        q="x1 y1 x2 y2", p="m M l k g", L="m*(x1d**2 + y1d**2)/2 + M*(x2d**2 + y2d**2)/2 - m*g*y1 - M*g*y2",
        H=["x1**2 + y1**2 - l**2", "(x2 - x1)**2 + (y2 - y1)**2 - k**2"]),
    "constant speed": dict(
        text="coordinates x, y, z\nparameters m, c, g\nkinetic 1/2*m*(x'^2 + y'^2 + z'^2)\npotential m*g*z\n"
             "constraint x'^2 + y'^2 + z'^2 = c^2\n",
        q="x y z", p="m c g", L="m*(xd**2 + yd**2 + zd**2)/2 - m*g*z", C=["xd**2 + yd**2 + zd**2 - c**2"]),
    "prescribed speed": dict(
        text="coordinates x, y\nparameters m, k, c\nkinetic 1/2*m*(x'^2 + y'^2)\npotential 1/2*k*(x^2 + x*y)\n"
             "constraint sqrt(x'^2 + y'^2) = c + t*x/2\n",
        q="x y", p="m k c", L="m*(xd**2 + yd**2)/2 - k*(x**2 + x*y)/2", C=["sqrt(xd**2 + yd**2) - c - t*x/2"],
        around=dict(x=1, y=1)),
    "Appell-Hamel": dict(
        text="coordinates x, y, z\nparameters m, M, k, g\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*M*z'^2\npotential M*g*z\n"
             "constraint x'^2 + y'^2 = k^2*z'^2\n",
        q="x y z", p="m M k g", L="m*(xd**2 + yd**2)/2 + M*zd**2/2 - M*g*z", C=["xd**2 + yd**2 - k**2*zd**2"]),
    "blade steered in time": dict(
        text="coordinates x, y\nangles theta\nparameters m, I, w\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2\n"
             "force x = cos(t)*y, theta = x*y\nconstraint x'*sin(theta + w*t^2) = y'*cos(theta + w*t^2)\n",
        q="x y theta", p="m I w", L="m*(xd**2 + yd**2)/2 + I*thetad**2/2", F=dict(x="cos(t)*y", theta="x*y"),
        C=["xd*sin(theta + w*t**2) - yd*cos(theta + w*t**2)"]),
    "curved metric": dict(
        text="coordinates a, b, c\nparameters m, k\nkinetic 1/2*m*(2*a'^2 + (1 + a^2)*b'^2 + (2 + sin(a))*exp(b)*c'^2)\n"
             "kinetic m*cos(b)*a'*c'/2 + k*a*c*b'*c'/8\nforce b = -k*b'^3\npotential k*a*b*c\n"
             "constraint cos(c)*a' + b*c' = sin(a)\n",
        q="a b c", p="m k", F=dict(b="-k*bd**3"), C=["cos(c)*ad + b*cd - sin(a)"],
        L="m*(ad**2 + (1 + a**2)*bd**2/2 + (1 + sin(a)/2)*exp(b)*cd**2) + m*cos(b)*ad*cd/2 + k*a*c*bd*cd/8 - k*a*b*c"),
    # kinetic energy with terms linear and of degree 0 in the velocities
    "rotating frame": dict(
        text="coordinates r, s\nparameters m, Omega, k\npotential 1/2*k*(r^2 + s^2)\nconstraint r' - s*s' = t*r\n"
             "point P at (r*cos(Omega*t) - s*sin(Omega*t), r*sin(Omega*t) + s*cos(Omega*t)) mass m\n",
        q="r s", p="m Omega k", C=["rd - s*sd - t*r"],
        L="m*(rd**2 + sd**2)/2 + m*Omega*(r*sd - s*rd) + m*Omega**2*(r**2 + s**2)/2 - k*(r**2 + s**2)/2"),
    "car with a trailer": dict(
        text="coordinates x, y\nangles a, b\nparameters m, M, I, J, l, F\npoint P at (x, y) mass m force (F, 0)\n"
             "point Q at pos(P) - l*(cos(b), sin(b)) mass M\nkinetic 1/2*I*a'^2 + 1/2*J*b'^2\n"
             "constraint cross((cos(a), sin(a)), vel(P)) = 0\nconstraint cross((cos(b), sin(b)), vel(Q)) = 0\nforce a = x, b = F*y\n",
        q="x y a b", p="m M I J l F", F=dict(x="F", a="x", b="F*y"),
        L="(m + M)*(xd**2 + yd**2)/2 + M*l*bd*(xd*sin(b) - yd*cos(b)) + (J + M*l**2)*bd**2/2 + I*ad**2/2",
        C=["yd*cos(a) - xd*sin(a)", "yd*cos(b) - xd*sin(b) - l*bd"]),
    "car with a trailer, angle between them": dict(
        text="coordinates x, y\nangles a, d\nparameters m, M, I, J, l\npoint P at (x, y) mass m\n"
             "point Q at pos(P) - l*(cos(a - d), sin(a - d)) mass M\nkinetic 1/2*I*a'^2 + 1/2*J*(a' - d')^2\n"
             "velocities v, w\nparametric x' = v*cos(a), y' = v*sin(a), a' = w, d' = w - v*sin(d)/l\nforce a = x, d = y\n",
        q="x y a d", p="m M I J l", F=dict(a="x", d="y"), multipliers=False, z=dict(v="xd*cos(a) + yd*sin(a)", w="ad"),
        L="(m + M)*(xd**2 + yd**2)/2 + M*l*(ad - dd)*(xd*sin(a - d) - yd*cos(a - d))"
          " + (J + M*l**2)*(ad - dd)**2/2 + I*ad**2/2",
        C=["yd*cos(a) - xd*sin(a)", "yd*cos(a - d) - xd*sin(a - d) - l*(ad - dd)"]),
    "double pendulum, free": dict(
        text="angles a, b\nparameters m, M, l, k, g\npoint P at (l*sin(a), -l*cos(a)) mass m\n"
             "point Q at pos(P) + k*(sin(b), -cos(b)) mass M\ngravity (0, -g)\nforce a = -a'^3\n",
        q="a b", p="m M l k g", F=dict(a="-ad**3"),
        L="(m + M)*l**2*ad**2/2 + M*k**2*bd**2/2 + M*l*k*ad*bd*cos(a - b) + (m + M)*g*l*cos(a) + M*g*k*cos(b)"),
    # a constraint that is transcendental in the velocities beside a linear one
    "transcendental": dict(
        text="coordinates x, y, z\nparameters m, c\nkinetic m*(x'^2 + 2*y'^2 + 3*z'^2 + x'*z'*cos(y))\n"
             "constraint 3*x' + sin(y')*cos(x) + exp(z'/4) = c\nconstraint y' + x*z' = z*t\n",
        q="x y z", p="m c", L="m*(xd**2 + 2*yd**2 + 3*zd**2 + xd*zd*cos(y))",
        C=["3*xd + sin(yd)*cos(x) + exp(zd/4) - c", "yd + x*zd - z*t"]),
}


def random_system(seed):
    """A metric that varies, forces, and linear, affine or non-linear constraints; n from 3 to 5."""
    rng = random.Random(seed)
    n = rng.randint(3, 5)
    q = [f"q{i}" for i in range(1, n + 1)]

    def function():
        a, b = rng.choice(q), rng.choice(q)
        return rng.choice([f"cos({a})", f"sin({a} - {b})", f"(1 + {a}^2)", f"exp(-{a}^2)", f"{a}*{b}", "A", f"1/(2 + sin({a}))"])

    def rate():
        return rng.choice(q) + "'"

    kinetic = "1/2*B*(" + " + ".join(f"{rng.randint(1, 3)}*{a}'^2" for a in q) + ")"
    for _ in q:
        kinetic += f" + 1/2*A*({function()}*{rate()} + {function()}*{rate()})^2"
    potential = f"A*{function()} + B*{function()}"
    force = {a: f"{function()}*{rate()} - B*{rate()}^2*cos(t)" for a in q}
    constraints = []
    for a in range(rng.randint(1, n - 2)):
        tail = rng.choice(["", f" + sin({rng.choice(q)} + t)", f" + {rate()}*{rate()}/4 - A"])
        constraints.append(f"3*{q[a]}' + {function()}*{rate()} + {function()}*{rate()}{tail}")
    text = f"coordinates {', '.join(q)}\nparameters A, B\nkinetic {kinetic}\npotential {potential}\n"
    text += "".join(f"force {a} = {value}\n" for a, value in force.items())
    text += "".join(f"constraint {value} = 0\n" for value in constraints)

    def python(value):
        return value.replace("^", "**").replace("'", "d")

    return dict(text=text, q=" ".join(q), p="A B", L=f"{python(kinetic)} - ({python(potential)})",
                F={a: python(value) for a, value in force.items()}, C=[python(value) for value in constraints])


def large_system(n, r):
    """A full metric and many constraints: the formulas of the second kind are one linear system, not an elimination."""
    numbers = range(1, n + 1)
    rates = " + ".join(f"cos(q{i % n + 1})*q{i}'" for i in numbers)
    constraints = [f"3*q{i}' + cos(q{i + 1})*q{i + 2}' + q{i}*q{i + 3}' - sin(t + q{i})" for i in range(1, r + 1)]
    text = "coordinates " + ", ".join(f"q{i}" for i in numbers) + "\nparameters m, k\n"
    text += "kinetic 1/2*m*(" + " + ".join(f"q{i}'^2" for i in numbers) + f") + 1/2*({rates})^2\n"
    text += "force q1 = k*q2, q2 = -k*q1'\n" + "".join(f"constraint {value} = 0\n" for value in constraints)
    squares = " + ".join(f"m*q{i}d**2/2" for i in numbers)
    return dict(text=text, q=" ".join(f"q{i}" for i in numbers), p="m k", states=1, F=dict(q1="k*q2", q2="-k*q1d"),
                L=f"{squares} + ({rates})**2/2".replace("'", "d"), C=[value.replace("'", "d") for value in constraints])


SYSTEMS["large system"] = large_system(11, 8)
for seed in range(1, 7):
    SYSTEMS[f"random system {seed}"] = random_system(seed)


# ---------------------------------------------------------------- SymPy's side

class Oracle:
    """A system as LagrangesMethod sees it."""

    def __init__(self, system):
        t = dynamicsymbols._t
        self.names = system["q"].split()
        self.parameters = system["p"].split()
        q = [dynamicsymbols(name) for name in self.names]
        scope = {name: getattr(sympy, name) for name in ("sin", "cos", "tan", "atan", "exp", "sqrt")}
        scope.update({name: sympy.Symbol(name) for name in self.parameters}, t=t)
        for name, symbol in zip(self.names, q):
            scope.update({name: symbol, name + "d": symbol.diff(t)})
        self.coefficients = []
        self.terms = []

        def read(text, what):
            """Every term gets a coefficient, but for constants in the Lagrangian, which mean nothing."""
            total = sympy.S.Zero
            for term in sympy.Add.make_args(sympy.expand(sympy.sympify(eval(text, {"__builtins__": {}}, scope)))):
                if what == "the Lagrangian" and not term.has(sympy.Function):
                    total += term
                    continue
                self.coefficients.append(sympy.Symbol(f"_k{len(self.coefficients)}"))
                self.terms.append(f"{term} in {what}")
                total += self.coefficients[-1] * term
            return total

        lagrangian = read(system["L"], "the Lagrangian")
        frame = ReferenceFrame("N")
        forces = []
        for name, text in system.get("F", {}).items():
            point = Point("P" + name)  # one that moves with the velocity of the coordinate
            point.set_vel(frame, scope[name + "d"] * frame.x)
            forces.append((point, read(text, f"the force on {name}") * frame.x))
        self.positions = [read(text, "a constraint") for text in system.get("H", [])]
        velocities = [read(text, "a constraint") for text in system.get("C", [])]
        method = LagrangesMethod(lagrangian, q, forcelist=forces, frame=frame, hol_coneqs=self.positions,
                                 nonhol_coneqs=velocities)
        equations = method.form_lagranges_equations()
        constraints = method.coneqs
        multipliers = list(method.lam_vec)
        self.r = len(multipliers)

        # plain symbols, and functions in mpmath's numbers of (q, q', t, parameters, coefficients)
        plain = {}
        self.q = [sympy.Symbol(f"_q{i}") for i in range(len(q))]
        self.rate = [sympy.Symbol(f"_v{i}") for i in range(len(q))]
        acceleration = [sympy.Symbol(f"_a{i}") for i in range(len(q))]
        for i, symbol in enumerate(q):
            plain.update({symbol: self.q[i], symbol.diff(t): self.rate[i], symbol.diff(t, 2): acceleration[i]})
        lam = [sympy.Symbol(f"_l{i}") for i in range(self.r)]
        plain.update(zip(multipliers, lam))
        arguments = self.q + self.rate + [t] + [scope[name] for name in self.parameters] + self.coefficients

        def function(matrix, more=()):
            return sympy.lambdify(arguments + list(more), sympy.Matrix(matrix).xreplace(plain), modules="mpmath", cse=True)

        equations = sympy.Matrix(equations).xreplace(plain)
        rows = equations
        if self.r:
            rows = equations.col_join(sympy.Matrix(constraints).diff(t).xreplace(plain))
        unknown = acceleration + lam
        self.matrix = function(rows.jacobian(unknown))
        self.constant = function(rows.subs({u: 0 for u in unknown}))
        self.reaction = function(equations.subs({u: 0 for u in lam}), acceleration)  # g q'' - L
        self.f = function(self.positions) if self.positions else None
        self.df = function(sympy.Matrix([f.xreplace(plain) for f in self.positions]).jacobian(self.q)) if self.positions else None
        self.c = function(constraints) if self.r else None
        self.dc = function(sympy.Matrix(constraints).xreplace(plain).jacobian(self.rate)) if self.r else None
        self.z = {}
        for name, text in system.get("z", {}).items():
            self.z[name] = function([sympy.sympify(eval(text, {"__builtins__": {}}, scope)).diff(t)], acceleration)

    def solve(self, state, changed=None):
        """q'', lambda, R, z' with one of the coefficients changed. None: the equations are ill-conditioned."""
        k = [1 + CHANGE if i == changed else mpmath.mpf(1) for i in range(len(self.coefficients))]
        arguments = state + k
        n = len(self.q)
        matrix, constant = self.matrix(*arguments), self.constant(*arguments)
        try:
            if changed is None and mpmath.mnorm(matrix) * mpmath.mnorm(mpmath.inverse(matrix)) > LARGEST_CONDITION:
                return None
            solution = list(-mpmath.lu_solve(matrix, constant))
        except ZeroDivisionError:
            return None
        acceleration = solution[:n]
        names = self.names + [name + "'" for name in self.names] + ["t"]
        return {"state": dict(zip(names, state)), "C": [x for f in (self.f, self.c) if f for x in f(*arguments)],
                "D": acceleration, "lambda": [-x for x in solution[n:]],
                "R": list(self.reaction(*arguments, *acceleration)),
                "z": {name: function(*arguments, *acceleration)[0] for name, function in self.z.items()}}

    def draw(self, rng, around):
        """A random state on the constraints: (q, q', t, parameters). None: there is none near."""
        n = len(self.q)

        def number(low, high):
            return mpmath.mpf(rng.randint(int(low * 1000), int(high * 1000))) / 1000

        q = [around.get(name, 0) + number(-1, 1) for name in self.names]
        state = q + [number(-1, 1) for _ in q] + [number(0, 2)] + [number(0.5, 2) for _ in self.parameters]
        ones = [mpmath.mpf(1)] * len(self.coefficients)
        for function, jacobian, first in ((self.f, self.df, 0), (self.c, self.dc, n)):
            if function and not newton(function, jacobian, state, ones, first, n):
                return None
        return state


def newton(function, jacobian, state, ones, first, n):
    """Moves state[first:first+n] onto function = 0 by the shortest steps."""
    for _ in range(30):
        value = function(*state, *ones)
        if mpmath.norm(value) < mpmath.mpf(10)**-35:
            return max(abs(x) for x in state) < 5
        j = jacobian(*state, *ones)
        try:
            step = j.T * mpmath.lu_solve(j * j.T, value)
        except ZeroDivisionError:
            return False
        for i in range(n):
            state[first + i] -= step[i]
        if mpmath.norm(step) > 100:
            return False
    return False


# ---------------------------------------------------------------- the program's side

def decimal(x):
    return mpmath.nstr(x, 25, min_fixed=-mpmath.inf, max_fixed=mpmath.inf)


def ours(program, system, oracle, state):
    n = len(oracle.names)
    start = [f"{name}={decimal(x)}" for name, x in zip(oracle.names, state)]
    start += [f"{name}'={decimal(x)}" for name, x in zip(oracle.names, state[n:])]
    start.append(f"t={decimal(state[2 * n])}")
    values = [f"{name}={decimal(x)}" for name, x in zip(oracle.parameters, state[2 * n + 1:])]
    return run(program, system, "eval", "--set", ",".join(values), "--start", ",".join(start))


def run(program, system, *arguments):
    text = (PAPER / system["file"]).read_text(encoding="utf-8") if "file" in system else system["text"]
    text += system.get("more", "")
    command = [program, *arguments, "--format", "json", "--quiet", "-"]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise ValueError(f"status {done.returncode}: {done.stderr}\n{' '.join(command)}\n{text}")
    return json.loads(done.stdout)


def differs(a, b):
    """Relative to the largest of the numbers compared, or to 1."""
    if len(a) != len(b):
        return True
    size = max([1] + [abs(x) for x in a])
    return any(not abs(x - y) <= TOLERANCE * size for x, y in zip(a, b))


def differences(expected, found, multipliers):
    """What is not the same. The program brings a state onto its constraints, or refuses it: it must have left this one."""
    state = expected["state"]
    if differs(state.values(), [found["state"][name] for name in state]) or differs(expected["C"], [0] * len(expected["C"])):
        yield "the state"
    if differs(expected["D"], found["second"]["D"]):
        yield "D"
    if multipliers and differs(expected["lambda"], found["second"]["lambda"]):
        yield "lambda"
    for kind in ("first", "second"):
        if differs(expected["R"], found[kind]["R"]):
            yield f"{kind}.R"
    for name, value in expected["z"].items():
        if differs([value], [found["first"]["equations"][name + "'"]]):
            yield f"{name}'"


def doubts(program, system):
    """eval solves the equations of the second kind in numbers. That the formulas give the same is a fact of `check`."""
    if not system.get("C", system.get("H")):
        return []  # no constraints, no second method
    facts = {fact["name"]: fact["verdict"] for fact in run(program, system, "check")["facts"]}
    return [name for name in ("methods-agree", "reactions-ideal") if facts.get(name) not in ("proved", "tested")]


def check(program, name, system):
    """The number of failures. Prints what they are."""
    oracle = Oracle(system)
    rng = random.Random(name)
    multipliers, states = system.get("multipliers", True), system.get("states", STATES)
    terms = range(len(oracle.coefficients))
    unseen = set(rng.sample(terms, min(len(terms), MOST_TERMS)))
    changes, failures, compared = len(unseen), 0, 0
    for _ in range(100):
        state = oracle.draw(rng, system.get("around", {}))
        expected = state and oracle.solve(state)
        if not expected:
            continue
        found = ours(program, system, oracle, state)
        wrong = list(differences(expected, found, multipliers))
        if wrong:
            failures += 1
            print(f"{name}: {', '.join(wrong)} differ at {[mpmath.nstr(x, 17) for x in state]}")
            print(f"  SymPy: {expected}\n  nonholo: {json.dumps(found)}")
        for k in list(unseen):
            changed = oracle.solve(state, k)
            if changed is None or list(differences(changed, found, multipliers)):
                unseen.remove(k)
        compared += 1
        if compared == states:
            break
    unseen = [oracle.terms[k] for k in unseen if not oracle.terms[k].startswith(tuple(system.get("no_effect", ())))]
    doubtful = doubts(program, system)
    if doubtful:
        print(f"{name}: {', '.join(doubtful)}: neither proved nor tested")
    for term in unseen:
        print(f"{name}: nothing is noticed when {term} is changed")
    if compared < states:
        print(f"{name}: only {compared} states were found")
    print(f"{name}: {compared} states, {changes} of {len(terms)} terms changed one by one", flush=True)
    return failures + len(unseen) + len(doubtful) + (compared < states)


def main():
    program, wanted = sys.argv[1], sys.argv[2:] or list(SYSTEMS)
    mpmath.mp.dps = 40
    failures = 0
    for name in wanted:
        try:
            failures += check(program, name, SYSTEMS[name])
        except ValueError as error:
            failures += 1
            print(f"{name}: {error}")
    print(f"SymPy {sympy.__version__}: {len(wanted)} systems, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
