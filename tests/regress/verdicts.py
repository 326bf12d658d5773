#!/usr/bin/env python3
"""verdicts.py NONHOLO: models that once got a wrong verdict, a wrong refusal or a number that is none.

Each has its reason beside it; the right answers are those of mechanics, none was taken from the program.
"""
import json
import math
import resource
import subprocess
import sys
import tempfile

THREE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential 3*x + y*z\n"
PENDULUM = """coordinates x1, y1, x2, y2
parameters g = 9.81
kinetic 1/2*(x1'^2 + y1'^2) + 1/2*(x2'^2 + y2'^2)
potential g*(y1 + y2)
constraint x1^2 + y1^2 = 1
constraint (x2 - x1)^2 + (y2 - y1)^2 = 1
"""
SPHERE = """coordinates x, y, z
parameters m = 1, g = 9.81, l = 2
kinetic 1/2*m*(x'^2 + y'^2 + z'^2)
potential m*g*z
constraint x^2 + y^2 + z^2 = l^2
"""
SKATE = """coordinates x, y
angles theta
velocities v, w
kinetic 1/2*(x'^2 + y'^2 + theta'^2)
parametric x' = v*cos(theta), %s, theta' = w
"""
ICE = "coordinates x, y, k\nkinetic 1/2*(x'^2 + y'^2 + k'^2)\nconstraint x'*sin(k) - y'*cos(k) = 1\n"
NO_INERTIA = "coordinates x, y\nparameters k = %s\nkinetic 1/2*x'^2 + 1/2*k*y'^2\nconstraint y' = x'\n"
FREE = "coordinates x, y, z\nparameters k = %s\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
C, S = math.cos(10), math.sin(10)
PLANE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = 1\n"
HALF = "coordinates x, z\nkinetic 1/2*(x'^2 + z'^2)\n%s"
LOSES = "coordinates x, y\nkinetic 1/2*x'^2 + 1/2*(20 - x^2)*y'^2\ninitial x = 5\n"  # its sign, where x^2 > 20

# Verdicts that must not be given, and those that must.
# sign(x) and x/sqrt(x^2) have the derivative 0: what depends on them is not cyclic, and they are not constant; SL is, as L is
SIGNS = "coordinates x, y, z\nangles a\nkinetic 1/2*(x'^2 + y'^2 + z'^2 + a'^2)\nforce a = %s\nconstraint x'*sin(a) = y'*cos(a)\n"
# off by very little: Toda's chain of three, Kepler's centre, a polynomial potential
TODA = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential exp(x - y) + exp(y - z) + exp(z - x)\n" \
    "integral T = x'*y'*z' - x'*exp(y - z) - y'*exp(z - x) - z'*exp(x - y)%s\n"
LAPLACE = "coordinates x, y\nparameters k = 1\nkinetic 1/2*(x'^2 + y'^2)\npotential -k/sqrt(x^2 + y^2)\n" \
    "integral A = y'*(x*y' - y*x') - k*x/sqrt(x^2 + y^2%s)\n"
LITTLE = "coordinates x, y\nparameters m = 1/3, M = 7*m/10\nkinetic 1/2*(x'^2 + y'^2)\npotential x^4 + x^2*y^2 + y\n"
TWICE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x^2 - y^2 = 0\nconstraint x' = y'\ninitial x = 1, y = %s, z = 1\nintegral bad = x\n"
KEPLER = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential -1/sqrt(x^2 + y^2)\nlet L = x*y' - y*x'\nintegral L1 = L\nintegral SL = L/sqrt(L^2)\n" \
    "integral A = x'*L + y/sqrt(x^2 + y^2)\n"
FACTS = [
    # z' = 0 for x > 0, and z' = -2 x y' for x < 0: neither (2,3) nor (2) at almost all states. Roots of what is no square are one function
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint (sqrt(x^2) - x)*y' = z'\n", {'growth-vector': 'tested', 'holonomic': 'refuted'}),
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint (sqrt(x^2) - x)*z' = y'\n", {'caplygin-form': 'tested'}),
    *((f"coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint {root}*y' = z'\n", {'growth-vector': 'proved', 'caplygin-form': 'proved'})
      for root in ('sqrt(x^2 + y^2)', 'sqrt(1 + x^2)', 'sqrt(1 - x^2)', 'sqrt(x)', 'x')),
    # sqrt(x^2) - x is 0 at all x > 0: the constraint says nothing of z' there, and z' has no inertia
    *((HALF % (f"constraint ({half})*z' = 0\ninitial x = -1, x' = 1\nintegral Z = z\n"),
       {'regular': 'refuted', 'constant-coordinates': 'tested', 'constant-functions': 'tested', 'growth-vector': 'tested', 'integral Z': 'tested', 'energy-conserved': 'proved'})
      for half in ('sqrt(x^2) - x', 'sqrt((x - 3)^2) - x + 3', 'sqrt((x - 40)^2) - x + 40', '(sqrt(x^2) - x)*(1 + x^2)')),
    *((f"coordinates x, z\nkinetic 1/2*(x'^2 + z'^2*({half}))\ninitial x = -1\n", {'metric-positive': 'refuted'})
      for half in ('sqrt(x^2) - x', 'sqrt((x - 3)^2) - x + 3', 'sqrt((x - 40)^2) - x + 40', '20 - sqrt((x - 20)^2)/3')),
    (HALF % "constraint (sqrt(x^2) - x + 1)*z' = 0\ninitial x = -1\n", {'regular': ('proved', 'tested'), 'constant-coordinates': 'proved'}),
    ("coordinates x, z\nkinetic 1/2*(x'^2 + z'^2*(sqrt((x - 3)^2) - x + 4))\n", {'metric-positive': ('proved', 'tested')}),
    # where x < 0, x + sqrt(x^2) is the number 0
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint (sqrt(x^2) - x)*z' = y'\nconstraint y' = x'*z\ninitial x = -1, z = 1\n",
     {'constant-functions': None}),
    # x = sqrt(2), y = z = 0: squares of different orders
    (THREE + "constraint (x^2 - 2)*x' + (y^2 + z^2)^2*y' = 0\n", {'regular': 'refuted'}),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = -sign(x)\n", {'cyclic-coordinates': None}),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = -x/sqrt(x^2)\n", {'cyclic-coordinates': None}),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = x - x\n", {'cyclic-coordinates': 'proved'}),
    ("coordinates x\nkinetic 1/2*x'^2\npotential sqrt(x^2)\nintegral Q = x/sqrt(x^2)\nintegral W = x/sqrt(x^2)*(kinetic + potential)\n",
     {'energy-conserved': 'proved', 'integral Q': 'refuted', 'integral W': 'refuted', 'cyclic-coordinates': None}),
    (KEPLER, {'energy-conserved': 'proved', 'integral L1': 'proved', 'integral A': 'proved', 'integral SL': ('proved', 'tested')}),
    # atan jumps by pi at a pole of its argument, atan2 by 2 pi; x' is constant, and never comes to a pole
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nintegral A = atan(tan(x)) - x\nintegral B = asin(sin(x)) - x\nintegral C = x - sqrt(x^2)\n"
     "integral D = atan(sin(x)/cos(x)) - x\nintegral E = atan2(sin(x), cos(x)) - x\nintegral G = atan(1/x) + atan(x)\n"
     "integral H = atan(tan(x'))\nintegral I = atan(y'/x')\nintegral J = atan(tan(x/9) - tan(x/9)) + x'\n",
     {**{f'integral {name}': 'refuted' for name in 'ABCDEG'}, **{f'integral {name}': 'proved' for name in 'HIJ'}}),
    # numbers nowhere, or at x = 0 alone; and what is one for large x, or with the model's own k, alone
    ("coordinates x, y\nparameters k = 30\nkinetic 1/2*(x'^2 + y'^2)\nintegral A = asin(2 + 0*x)\nintegral B = log(x) - log(-x)\n"
     "integral C = sqrt(-x^2)\nintegral D = x'*exp(log(x - 5))/(x - 5)\nintegral E = y'*sqrt(k - 20)\n",
     {**{f'integral {name}': 'unknown' for name in 'ABC'}, 'integral D': ('proved', 'tested'), 'integral E': 'proved'}),
    # |x|/x changes at x = 0 from -1 to 1, however it is written and however far away; so does sqrt(sin^2)/sin, and z' sqrt(1 + 1/y^2) is
    # x' sqrt(1 + y^2) sign(y); what changes nowhere, or is infinite there, is constant: so is the energy of an attracting centre
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nintegral A = sqrt(x^2)/x\nintegral B = (x^4)^(1/4)/x\nintegral C = sqrt(x^2*y^2)/(x*y)\n"
     "integral D = norm((x, 0))/x\nintegral E = exp(log(x^2)/2)/x\nintegral F = sqrt((x - 50)^2)/(x - 50)\n"
     "integral G = sqrt((x^2 - y)^2)/(x^2 - y)\nintegral H = sqrt(1 - cos(x)^2)/sin(x)\nintegral I = sqrt(cosh(x)^2 - 1)/sinh(x)\n"
     "integral J = atan(tan(x/100)) - x/100\nintegral K = sqrt(t^2)/t\nintegral L = sqrt((x - 3000)^2)/(x - 3000)\n"
     "integral M = sqrt(x'^2)/x'\nintegral N = sqrt(x'^2 + y'^2)/x'\nintegral O = x'/(x*y' - y*x')\n",
     {**{f'integral {name}': 'refuted' for name in 'ABCDEFGHIJKL'}, **{f'integral {name}': 'proved' for name in 'MNO'}}),
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = y*x'\nintegral E = z'*sqrt(1 + 1/y^2)\nintegral F = x'*sqrt(1 + y^2)\n",
     {'integral E': 'refuted', 'integral F': 'proved'}),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x^2 + y^2 = 1\nintegral A = sqrt(x^2)/x\nintegral B = sqrt(x^2 + y^2)\n",
     {'integral A': 'refuted', 'integral B': ('proved', 'tested')}),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 + y'^2 = 1\nintegral A = sqrt(x^2)/x\n", {'integral A': 'refuted'}),
    ("coordinates x, y\nparameters k = 2\nkinetic 1/2*(x'^2 + y'^2)\npotential -k/sqrt(x^2 + y^2) - k/sqrt((x - 1)^2 + (y - 1)^2)\n",
     {'energy-conserved': 'proved'}),
    ("coordinates x\nkinetic 1/2*x'^2\npotential -1/sqrt(x^2)\n", {'energy-conserved': 'proved'}),
    (TODA % '', {'integral T': 'proved'}), (TODA % ' + 1e-11*x', {'integral T': 'refuted'}), (TODA % ' + 1e-25*x', {'integral T': 'refuted'}),
    (LAPLACE % '', {'integral A': 'proved'}), (LAPLACE % ' + 1e-13', {'integral A': 'refuted'}), (LAPLACE % ' + 1e-40', {'integral A': 'refuted'}),
    (LITTLE + "integral E = kinetic + potential\nintegral F = kinetic + potential + 1e-18*x\nintegral G = 1e-30*x\nintegral H = tanh(1000*x)\n"
     "integral I = exp(-1000*(x - 30)^2)\nintegral J = tanh(1000*(x - 30))\nintegral K = kinetic + potential + (10*M - 7*m)*x\n",
     {'integral E': 'proved', 'integral K': 'proved', **{f'integral {name}': 'refuted' for name in 'FGHIJ'}}),
    # dx d(log) + 1e-14 dy/z is not closed: (2,3), and not integrable
    (THREE + "constraint y*z*x' + x*z*y' + x*y*z' + 1e-14*x*y' = 0\n", {'holonomic': 'refuted', 'growth-vector': 'proved'}),
    (THREE + "constraint y*z*x' + x*z*y' + x*y*z' = 0\n", {'holonomic': 'proved', 'growth-vector': 'proved'}),
    # x = y = t satisfies both; what is divided by x - y holds on the other branch alone, where both coordinates are constant
    (TWICE % '1', {'integral bad': 'unknown', 'constant-coordinates': None, 'constant-functions': ('unknown', None), 'holonomic': 'unknown', 'regular': 'refuted'}),
    (TWICE % '-1', {'integral bad': 'proved'}),
    # a parameter that is 0 is the number 0
    (FREE % '0' + "constraint z' = y*x' + k\n", {'linear': 'proved', 'affine': 'proved', 'homogeneous': 'proved'}),
    (FREE % '1' + "constraint z' = y*x' + k\n", {'linear': 'refuted', 'affine': 'proved', 'homogeneous': 'refuted'}),
    # dry friction takes all volume at a' = 0
    (SIGNS % "-sign(a')", {'invariant-measure': 'unknown'}),
    # homogeneous of degree 3: R_i q'^i = 3 lambda C = 0 (Euler), so that the energy is conserved: only states on C may refute it
    (THREE + "constraint x'^3 + y'^3 = z'^3\n", {'reactions-powerless': 'proved', 'energy-conserved': ('proved', 'tested')}),
    (THREE + "constraint x'^4 + y'^4 = z'^4\n", {'reactions-powerless': 'proved', 'energy-conserved': ('proved', 'tested')}),
    (THREE + "constraint z' = sqrt(x'^2 + y'^2)\n", {'reactions-powerless': ('proved', 'tested'),
                                                      'energy-conserved': ('proved', 'tested')}),
    # x' = 0 at t = 1 alone, and C_x' = 2 x'; beside it, at no time
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 = (1 - t)^2*(1 + y^2)\n", {'regular': 'refuted'}),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint (t - 7)*x' = (t - 7)*y'\n", {'regular': 'refuted'}),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 = (1 + t^2)*(1 + y^2)\n", {'regular': ('proved', 'tested')}),
    # the sphere and the hyperbola are regular everywhere; the origin is not on them
    (THREE + "constraint x^2 + y^2 + z^2 = 4\n", {'regular': ('proved', 'tested')}),
    (THREE + "constraint x*y = 1\n", {'regular': ('proved', 'tested')}),
    # x = 0 is not on C: 0 = 1 there
    (THREE + "constraint x^2*x' - 1 = 0\n", {'regular': ('proved', 'tested')}),
    # a given speed is never 0, and 1 = 0 at the origin; x^2 + y^2 = z^2 + 1e-9 has no point where all three are 0
    ("coordinates r, ph\nkinetic r'^2 + r^2*ph'^2\nconstraint r'^2 + r^2*ph'^2 = 2\n", {'regular': ('proved', 'tested')}),
    ("angles th, ph\nkinetic th'^2 + sin(th)^2*ph'^2\nconstraint th'^2 + sin(th)^2*ph'^2 = 1\n", {'regular': ('proved', 'tested')}),
    (THREE + "constraint x*x' + y*y' = 1\n", {'regular': ('proved', 'tested')}),
    (THREE + "constraint x^2 + y^2 - z^2 = 1e-9\n", {'regular': ('proved', 'tested')}),
    # ... and these do vanish, at x = +-sqrt(2), y = z = 0, and at (1000, -3)
    (THREE + "constraint (x^2 - 2)*x' + (y^2 + z^2)*y' = 0\n", {'regular': 'refuted'}),
    (THREE + "constraint (x - 1000)*x' + (y + 3)^3*y' = 0\n", {'regular': 'refuted'}),
    ("angles a, b\ncoordinates x\nkinetic x'^2 + a'^2 + b'^2\nconstraint cos(a)*cos(b)*a' + sin(b)*b' = 0\n", {'regular': 'refuted'}),
    # no squares: tanh, atan and v/sqrt(1 + v^2) increase everywhere, and reach 10 z only where z is small; the power is lambda C_x' x'
    *((THREE + f"constraint {left}*z\ninitial z = 0.01, x' = {rate}\n", {'regular': 'proved', 'energy-conserved': 'refuted'})
      for left, rate in (("tanh(x') = 10", math.atanh(0.1)), ("atan(x') = 26", math.tan(0.26)), ("x'/sqrt(1 + x'^2 + y'^2) = 20", 0.2 / math.sqrt(0.96)))),
    # the force vanishes on the circle
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = (x^2 + y^2 - 1)*y\nconstraint x^2 + y^2 = 1\nintegral E = kinetic\n",
     {'energy-conserved': ('proved', 'tested'), 'integral E': ('proved', 'tested')}),
    # s occurs in the constraint on the positions, though not in its derivative; None: no such fact
    ("coordinates s\nangles a\nkinetic 1/2*(s'^2 + a'^2)\nconstraint cos(a) - s = 0\n", {'cyclic-coordinates': None}),
    # a parameter that is 0 is not positive: y has no inertia, and the constraint is x' z = 0, 0 = 0, or the first one again
    (NO_INERTIA % '0', {'metric-positive': 'refuted', 'methods-agree': 'unknown'}),
    (NO_INERTIA % '1', {'metric-positive': 'proved', 'methods-agree': 'proved'}),
    (FREE % '0' + "constraint k*y' = x'*z\n", {'regular': 'refuted', 'holonomic': ('proved', 'unknown'), 'growth-vector': 'unknown'}),
    (FREE % '1' + "constraint k*y' = x'*z\n", {'regular': 'proved', 'holonomic': 'refuted', 'growth-vector': 'proved'}),
    (FREE % '0' + "constraint k*y' = k*x'*z\n", {'regular': 'refuted', 'holonomic': ('proved', 'unknown'), 'methods-agree': 'unknown', 'growth-vector': 'unknown'}),
    (FREE % '0' + "constraint y' = x'*z\nconstraint y' + k*x' = x'*z\n", {'regular': 'refuted', 'methods-agree': 'unknown', 'constant-coordinates': None, 'constant-functions': None}),
    # ... and so what it switches off makes no difference: y' = 0, and no friction; 0.1 + 0.2 - 0.3 is 0, too
    (FREE % '0' + "constraint y' = k*x'*z\nforce x = -k*x'\n", {'regular': 'proved', 'holonomic': 'proved', 'growth-vector': 'proved',
                                                             'energy-conserved': 'proved', 'invariant-measure': 'proved'}),
    (FREE % '0.2\nparameters c = 0.1 + k - 0.3' + "constraint y' = c*x'*z\nforce x = -c*x'\n", {'holonomic': 'proved', 'energy-conserved': 'proved'}),
    (FREE % '1' + "constraint y' = k*x'*z\nforce x = -k*x'\n", {'holonomic': 'refuted', 'energy-conserved': 'refuted',
                                                              'invariant-measure': 'refuted'}),
    # what M = 2 m says is part of the model
    (FREE % '1, M = 2*k' + "constraint y' = (M - 2*k)*x'*z\nintegral F = y\n", {'holonomic': 'proved', 'integral F': 'proved'}),
    (FREE % '1, M = 3*k' + "constraint y' = (M - 2*k)*x'*z\nintegral F = y\n", {'holonomic': 'refuted', 'integral F': 'refuted'}),
    # friction from x = 2 on; |cos| is -cos beyond pi/2, |x - 3| is x - 3 beyond 3
    ("coordinates x\nparameters c = 10\nkinetic 1/2*x'^2\nforce x = -c*max(x - 2, 0)*x'\nintegral F = x'\n",
     {'energy-conserved': 'refuted', 'integral F': 'refuted'}),
    ("angles x\nkinetic 1/2*x'^2\nintegral R = sqrt(1 - sin(x)^2) - cos(x)\nintegral S = sqrt((x - 3)^2) + x\nintegral E = sqrt(x'^2)\n",
     {'integral R': 'refuted', 'integral S': 'refuted', 'integral E': ('proved', 'tested')}),
    # the planes through the axis meet at the poles of the sphere
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x^2 + y^2 + z^2 = 1\nconstraint x*y' - y*x' = 0\ninitial x = 1\n",
     {'regular': 'refuted'}),
    # polar coordinates: g is singular at r = 0
    ("coordinates r\nangles a\nkinetic 1/2*(r'^2 + r^2*a'^2)\n", {'metric-positive': 'refuted'}),
]

# Accelerations at regular states where some parametrisation fails.
STATES = [
    (PENDULUM, 'x1=0,y1=-1,x2=0,y2=-2', [0, 0, 0, 0]),  # hanging at rest
    (SPHERE, "z=-2,x'=1,y'=1/2", [0, 0, 1.25 / 2]),      # at the bottom: v^2/l upwards
    (SPHERE, "x=2,y'=1", [-1 / 2, 0, -9.81]),            # at the equator: -v^2/l inwards, and free fall
    ("coordinates x, y, z, w\nkinetic 1/2*(x'^2 + y'^2 + z'^2 + w'^2)\nconstraint x*x' + y*y' + z*z' + w*w' = 0\n",
     "y=1,x'=2", [0, -4, 0, 0]),                         # on the unit sphere: -v^2/l
    # parametric equations alone, at a heading where x'/y' has no value: w v across; with a wind along y that moves the ice: the same
    (SKATE % "y' = v*sin(theta)", 'theta=0,v=2,w=3', [0, 6, 0]),
    (SKATE % "y' = v*sin(theta)", 'theta=pi/2,v=2,w=3', [-6, 0, 0]),
    (SKATE % "y' = v*sin(theta) + 5", 'theta=0,v=2,w=3', [0, 6, 0]),
    # ice that moves across, at headings where one of the two velocities cannot be had from the other; a circle whose centre moves
    (ICE, "k=0,x'=2,k'=3", [0, 6, 0]),
    (ICE, "k=pi/2,y'=2,k'=3", [-6, 0, 0]),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint (x - sin(t))^2 + y^2 = 1\n", "x=1,y=0,x'=1,y'=2", [-4, 0]),
    ("coordinates x1, x2\nparameters M = 1.99e30, m = 1000\nkinetic 1/2*M*x1'^2 + 1/2*m*x2'^2\npotential m*x2\n", 'x1=0', [0, -1]),
    # z' (x' - y') = 0 is no pair of parallel velocities: on x' = y' the force is shared
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential y\nconstraint x'*z' - y'*z' = 0\n", "x'=1/4,y'=1/4,z'=-0.6",
     (-1 / 2, -1 / 2, 0)),
    # q' = 0 is the end of q' = sqrt(1 - (1 + cos(a))^2 a'^2), and a good state: (1 + cos(a)) a' is constant along it
    ("coordinates a, q\nkinetic 1/2*(a'^2 + q'^2)\nconstraint (1 + cos(a))^2*a'^2 + q'^2 = 1\n", "a=-1/2,a'=-1/(1+cos(1/2)),q'=0",
     (-math.sin(0.5) / (1 + math.cos(0.5)) ** 3, 0)),
    # slow is not singular: the force along the velocity does nothing, and that across all it does
    (PLANE + "constraint x'^2 + y'^2 = 1e-8\n", "x'=1e-4", (0, 0)),
    (PLANE + "constraint x'^2 + y'^2 = 1e-8\n", "x'=0,y'=1e-4", (1, 0)),
    (PLANE + "constraint x'^2 + y'^2 = 1e-20\n", "x'=6e-11,y'=8e-11", (0.64, -0.48)),
    (PLANE + "constraint x'^2 = 1e-14*y'^2\n", "x'=1e-7,y'=1", (1e-14, 1e-7)),
    # nor is the unit of a constraint
    (PLANE + "constraint 1e-200*x' = 1e-200*y'\n", "x'=1,y'=1", (1 / 2, 1 / 2)),
    (PLANE + "constraint 1e200*x' = 1e200*y'\n", "x'=1,y'=1", (1 / 2, 1 / 2)),
    # constraints that are nearly parallel leave (1, 1e6, 1e6) u
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nforce x = 1, z = 2\nconstraint x' = 1e-6*y'*z\nconstraint x' = z'*1e-6*y\n",
     'y=1,z=1', [x * 2000001 / 2000000000001 for x in (1, 1e6, 1e6)]),
]

# Start states: what is completed, and what is moved.
STARTS = [
    # least kinetic energy with x' held, where the metric couples it with the others: y' = 0, z' = 1 (K = 3/2)
    ("coordinates x, y, z\nkinetic x'^2 + x'*y' + 3/2*y'^2 + 1/2*z'^2\nconstraint x' + y' + z' = 2\n", ['--start', "x'=1"],
     {"y'": 0, "z'": 1}),
    # velocities that the program chose, under the names that it shows: x' = u1, y' = u2, z' = x u2
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = x*y'\n", ['--start', 'x=1/2,u1=2,u2=3'],
     {"x'": 2, "y'": 3, "z'": 1.5}),
    # the same as x' = y'
    (PLANE + "constraint 1e-200*(x' - y') = 0\n", ['--start', "y'=1"], {"x'": 1, "y'": 1}),
    # nearest points of circles that are far away: along the line to the centre
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x^2 + y^2 = 1\n", ['--start', 'x=5,y=1', '--project'],
     {'x': 5 / 26 ** 0.5, 'y': 1 / 26 ** 0.5}),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint (x - 5)^2 + (y - 1)^2 = 1\n", [],
     {'x': 5 - 5 / 26 ** 0.5, 'y': 1 - 1 / 26 ** 0.5}),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint (x' - 5)^2 + (y' - 1)^2 = 1\n", [],
     {"x'": 5 - 5 / 26 ** 0.5, "y'": 1 - 1 / 26 ** 0.5}),
    # more equations than what is free, and moved all the same: y^3 - 7/2 y^2 + 9/2 = (y - 3)(y - 3/2)(y + 1)
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint y^3 - 7/2*y^2 + 9/2 = 0\n", ['--start', 'x=5,y=7/3', '--project'],
     {'x': 5, 'y': 3}),
    # a root that has no value everywhere is no reason to refuse: x' = -(a' + a'^2)/3
    ("coordinates a, x\nkinetic 1/2*(a'^2 + x'^2)\nconstraint 3*x' + a' + a'^2 = 0\ninitial a' = 0.9\n", [], {"x'": -0.57}),
    # quasi-velocities that are left out are 0, whether the constraint that they satisfy is written down or not
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x' = 1 + y'\nvelocities u\nparametric x' = 1 + u, y' = u\n", [], {'u': 0, "x'": 1}),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nvelocities u\nparametric x' = 1 + u, y' = u\n", [], {'u': 0, "x'": 1}),
    # near the end of a root: a' = 1/3 - x'^2/2
    ("coordinates a, x\nkinetic 1/2*(a'^2 + x'^2)\nconstraint a' + x'^2/2 = 1/(2 + cos(a))\ninitial x' = -0.1\n", [],
     {"a'": 1 / 3 - 0.005}),
]

# Motions from tables of starts: the last row.
TABLES = [
    # a Greek letter is its name, also in a table: alpha + 3 alpha', alpha'
    ("angles α\nkinetic 1/2*α'^2\n", "alpha,α'\n1,2\n", 3, [1, 3, 7, 2]),
    # the velocity along the blade loses k' a second, x' cos(k) + y' sin(k) = 2 - t, past every heading
    # A has values in the table alone: x = 2 cos(t/2)
    ("coordinates x\nparameters A, B = 1/2\nkinetic 1/2*A*x'^2\npotential B*x^2\n", "A,x\n1,1\n4,2\n", 1, [2, 1, 2 * math.cos(0.5), -math.sin(0.5)]),
    (ICE, "x',k'\n2,1\n", 10, [1, 10, -8 * S - 2 * C + 2, 8 * C - 2 * S + 2, 10, -8 * C + S, -8 * S - C, 1]),
]

# a bob on a rope that is drawn in, in the plane without weight, far past where velocities that were chosen at its start end: l^2 phi' = 1,
# l = 2 - t/2, phi = 2/l - 1
TABLES.append(("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x^2 + y^2 = (2 - t/2)^2\ninitial x = 2, x' = -1/2\n", "y'\n0.5\n", 3,
               [1, 3, 0.5 * math.cos(3), 0.5 * math.sin(3), -0.5 * math.cos(3) - 2 * math.sin(3), -0.5 * math.sin(3) + 2 * math.cos(3)]))

# Past the tip of x'^2 = y'^2, where both branches meet, each motion stays on its own: y' = x' or -x', and x' = 1 - t
for branch in (1, -1):
    TABLES.append(("coordinates x, y\nkinetic 1/2*(x'^2 + 2*y'^2)\npotential 3*x\nconstraint x'^2 = y'^2\n"
                   f"initial x' = 1, y' = {branch}\n", f"x',y'\n1,{branch}\n", 2.1, [1, 2.1, -0.105, -0.105 * branch, -1.1, -1.1 * branch]))
# and by the second method both of them, whatever the model's own start is; but for the product the tip is a singular state
TABLES.append((TABLES[-1][0], "x',y'\n1,1\n", 0.9, [1, 0.9, 0.495, 0.495, 0.1, 0.1], '--method', 'second'))

# Motions that cannot reach their end: what they say.
ENDS = [
    # cos(y) (...) = 5 as y comes to pi/2: the velocities grow beyond all bounds, and it once went on from there as if nothing had happened
    ("""coordinates r, y, x2
kinetic 1/2*(4*r'^2 + 0.31*y'^2 + 1/2*x2'^2) + 0.35/2*(r*r' + 0.31*y')^2
gravity (1/2, 0, -3)
body P at (0.31*cos(x2), 1.02*cos(y), y*x2) mass 0.31 frame Rx(y) inertia (2, 3, 5/2, 1/3, -1/5, 1/4)
potential 1/3*x2/(1 + 0.86^2)
force y = asin(cos(-r)/2)*r'
constraint r^2 + x2^2 = 2.65^2
constraint 5 = dot(vel(P), (sin(y), -cos(y), 0))
initial r = 2/7, y = 3/7, x2 = 2/4, r' = -5/8, y' = -5/4, x2' = -2/4
""", ['--to', '1', '--project'], 'stopped at'),
]
# x' = 2 cos(y)/sqrt(2 - sin(y)^2): where it is 0 both constraints are y'^2 = 4, and each other's; solvers went on, or crept there for long
TOUCHING = """coordinates x, y, z
kinetic 1/2*(x'^2 + y'^2 + z'^2) + 1/2*(x'*cos(z) + z')^2
potential x*z
constraint x'^2 + y'^2 = 4
constraint 2*x'^2 + sin(y)^2*y'^2 = 4
initial y = 0.85, x' = 1, y' = 1.7, z' = 0.3
"""
ENDS += [(TOUCHING, ['--to', '3', '--project', '--solver', solver], 'a singular state') for solver in ('taylor', 'rk', 'cvode')]

# Metrics that cannot be inverted at the start, and are not by rounding: nothing of the second kind.
SINGULAR = [
    ("coordinates x, y\nkinetic 1/2*(x' + 1.1*y')^2\nconstraint x' = 2*y'\n",),
    ("coordinates x, y, z\nkinetic 1/2*(0.1*x' + 0.7*y' + z')^2 + 1/2*(0.3*x' - 0.2*z')^2\nconstraint x' = z'\n",),
    ("coordinates a, b\nkinetic 1/2*(a'^2 + 2*a'*b'*cos(a) + b'^2)\nconstraint a' = 2*b'\ninitial a = 2*pi\n",),
]

# Done, with a warning that contains this: verdicts are for one factor of a product, and energy is not kept on the other one.
RATCHET = """coordinates x, y, z
kinetic 1/2*(x'^2 + 2*y'^2 + z'^2)
potential x + z^2
constraint (x' - y*z')*(y' + z' - 1) = 0
initial y = 1, x' = 1/2, z' = 1/2, y' = 2
"""
WARNED = [
    # g^ij is 1e12/4 up to 1: what rounding leaves of 1 + 1e-12 is all that is known
    ('eval', "coordinates x, y\nkinetic 1/2*(x' + y')^2 + 1/2*1e-12*(x' - y')^2\nforce x = 1\n", 'nearly singular'),
    # x'^2 + (y' - 1/2)^2 = 4 with x' = 1: y' = 1/2 -+ sqrt(3), and the smaller one is taken
    *((command, "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'^2 + (y' - 1/2)^2 = 4\ninitial x' = 1\n", "leaves out y' = -1.23205:") for command in ('eval', 'run')),
    ('check', RATCHET, "for x' - y*z' = 0"),
    ('run', RATCHET, "for x' - y*z' = 0"),
]

# At rest on a line, y + 2 z = 0: text has some members, JSON all that were found.
FAMILIES = [(RATCHET,)]

# At rest: the dimensions of the families. Two lines that cross are two families, and no plane.
BEAD = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
DIMENSIONS = [
    (BEAD.replace(', z', '').replace(" + z'^2", '') + 'constraint x*y = 0\ninitial x = 1\n', {1}),
    (BEAD + 'constraint x*y = 0\ninitial x = 1\n', {2}),
    (BEAD + 'potential x^2*y^2 + z^2\n', {1}),
    (BEAD + 'constraint x^2 + y^2 + z^2 = 1\n', {2}),
    (BEAD + 'potential (x^2 + y^2 - 1)^2/4 + z^2\n', {0, 1}),  # the ring, and the top
    (BEAD + 'potential (x - y*z)^2\n', {2}),
]

# Velocities along which forces jump at rest: states that dry friction holds are not listed, which is said.
SLIPS = "coordinates x\nangles a\nkinetic 1/2*x'^2 + 1/16*a'^2\npotential x^2\nlet s = sign(x' - a'/2)\nforce x = -s, a = s/2\n"
LINE = "coordinates x\nparameters c = 1/2\nkinetic 1/2*x'^2\npotential %s\nforce x = -c*%s\n"
JUMPS = [
    (LINE % ('x', "sign(x')"), ["x'"], 0),  # on an incline
    (LINE % ('x^2', "sign(x')"), ["x'"], 1),
    (LINE % ('x^2', "max(x, 3)*sign(x' - 1)"), [], 1),
    (LINE % ('x^2', "sign(x)"), [], 1),
    (LINE % ('x^2', "abs(x')*x'"), [], 1),
    (LINE % ('x^2', "tanh(1e4*x')"), [], 1),
    (LINE % ('x^2', "sqrt(abs(x'))*sign(x')"), [], 1),
    (SLIPS, ["a'", "x'"], 1),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential x\nforce x = -x'/sqrt(x'^2 + y'^2), y = -y'/sqrt(x'^2 + y'^2)\n", ["x'", "y'"], None),
    # no force jumps: psi^i_alpha does, at the vertex of the cone
    (BEAD + "potential 1/2*(x^2 + y^2 + z^2)\nconstraint x'^2 + y'^2 = z'^2\n", [], None),
    # one force does, along y'
    (BEAD + "potential 1/2*(x^2 + y^2 + z^2)\nforce y = -sign(y')\nconstraint x' = z'\nindependent x', y'\n", ["y'"], None),
]

# At rest: how many of the states that are found are told to be stable, and the variables that are anywhere.
REST = [
    # x^5 and the like are 0 to rounding near 0, where nothing but x = 0 is at rest: one state, and no reason to call it stable
    *((f"coordinates x\nkinetic 1/2*x'^2\nforce x = {force} - x'\n", 0, [], 1)
      for force in ('x^5', '-x^5', 'x^6', '1e-6*x^3', '1e-9*x^2', '1e-6*x^2', '-(x - 1)^5')),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = -x^5 - x', y = -y - y'\n", 0, [], 1),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = 1 - cos(x) - x'\n", 0, [], 3),
    # x = 0 alone, however flat it is; a weak well and a weak hill
    *((f"coordinates x\nkinetic 1/2*x'^2\nforce x = {force} - x'\n", 0, [], 1) for force in ('x^9', '1e-6*x^9', '1e-6*x^5', '-1e-9*x^3')),
    ("angles a\nkinetic 1/2*a'^2\npotential 1e-12*cos(a)\nforce a = -a'\n", 1, [], 2),
    # V' > 0 for all x > 0, and < 0 for x < 0, though it is 0 in doubles for |x| < 0.037; a zero at 1/3, and none at 2, where it is as small
    ("coordinates x\nkinetic 1/2*x'^2\npotential exp(-1/x^2)\n", 0, [], 0),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential exp(-1/x^2) + 1/2*y^2\nforce x = -x'\n", 0, [], 0),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = -(x - 1/3)*exp(-1/(x - 2)^2)\n", 1, [], 1),
    # points of inflection, off which rounding makes a well or a hill, of the size of the root of what it leaves: unstable, if anything
    ("coordinates x\nkinetic 1/2*x'^2\npotential (exp(x) - 2)^3\n", 0, [], 1),
    *((f"angles x\nkinetic 1/2*x'^2\npotential {sign}cos(x)^3\n", 1, [], 4) for sign in ('', '-')),
    # flat bottoms and tops that are not at 0, to which Newton's steps come slowly
    *((f"coordinates x\nkinetic 1/2*x'^2\npotential {V}\n", 0, [], 1) for V in ('(x - 1)^4', '-(x - 1/3)^6', '(x - 1/3)^5', '(exp(x) - 2)^4')),
    # eigenvalues 1e-12 and 1e-15, which are none in doubles
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = 1e-9*x - 1e3*x'\n", 0, []),
    # on the sphere the free velocities that are found degenerate where x = 0, and no other state with x = 0 than the poles and the equator is at rest
    ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential (x^2 + y^2)/2\nconstraint x*x' + y*y' + z*z' = 0\ninitial x = 1\n", 0, ['x', 'y', 'z'], 2),
    # but two simple states near each other
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = x*(x - 1/100) - x'\n", 1, [], 2),
    # wherever x < 0, but for x > 0 there is a spring
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = -max(x, 0) - x'\n", None, []),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = max(-x - 3, 0) - x'\n", None, []),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = -x'\n", 1, ['x']),
    # dry friction: with sign(0) = 0 there is rest at x = 0 alone, not where the spring is as strong as the friction of a body that moves; it takes
    # energy away, the least of which is there
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = -x - sign(x')\n", 1, [], 1),
    ("coordinates x\nkinetic 1/2*x'^2\nforce x = -x + sign(x')\n", 0, [], 1),
    # a disc that slips, R = 1/2; x' - R a' is exactly 0 at rest
    (SLIPS, 1, ['a'], 1),
    # x^2/(x^2 + y^2) has no value at the origin: of the states of rest only x = 2 is stable
    ("coordinates x, y\nkinetic 1/2*x'^2 + 1/2*y'^2\nforce x = -x - x'/10 + 2*x^2/(x^2 + y^2), y = -y - y'\n", 1, []),
    # the same at (1, 1)
    ("coordinates x, y\nkinetic 1/2*x'^2 + 1/2*y'^2\nforce x = 1 - x - x'/10 + 2*(x - 1)^2/((x - 1)^2 + (y - 1)^2), y = 1 - y - y'\n", 1, []),
]

# At rest or steady: states that have to be among those that are found, the verdicts that they may have, and how many states there are (None: any number).
SPRING = "coordinates x\nparameters mu = 1e-4, g = 9.81\nkinetic 1/2*x'^2\npotential x^2/2\nforce x = %s\n"
MAYBE_STABLE, MAYBE_UNSTABLE = ('stable', 'undecided'), ('unstable', 'undecided')
WIND = "coordinates x, y\nparameters c = 1, w = %s\nkinetic 1/2*(x'^2 + y'^2)\npotential y\nconstraint x'^2 %s (y' - w)^2 = c^2\ninitial x' = 1, y' = w\n"
STATES_OF = [
    # at the speed c relative to a wind, in a field: straight up, which is unstable, and straight down; u1 is the direction, within a turn
    *((WIND % (w, '+'), ['--steady'], [({'u1': math.pi / 2}, ('unstable',)), ({'u1': -math.pi / 2}, ('stable',))], 2) for w in ('-3/10', '0', '2')),
    # E' = |v| (c - |v|/10) > 0 near by: it settles on a cycle; the other way round small motions come to rest; however small the jump is
    *((SPRING % f"-0.1*x' + {jump}*sign(x')", [], [({'x': 0}, MAYBE_UNSTABLE)], 1) for jump in ('1e-3', '2e-3', '1e-9', '1e-14')),
    *((SPRING % f"{force} + 0.05*x'", [], [({'x': 0}, MAYBE_STABLE)], 1) for force in ("-1e-3*sign(x')", "-mu*g*sign(x')", "-1e-12*sign(x')")),
    # pushed away from 0 to both sides, to where the spring is as strong
    (SPRING % "-0.1*x' + 1e-3*sign(x)", [], [({'x': 0}, MAYBE_UNSTABLE), ({'x': 1e-3}, ['stable']), ({'x': -1e-3}, ['stable'])], 3),
    # a corner at 1 beside a strong spring
    (SPRING % "-1e9*(x - 1) + 1 - x' + 1e-3*max(x - 1, 0)", [], [({'x': 1}, ['undecided', 'stable'])], 1),
    # no corner: |v| v has the derivative 0 at 0, and the rest decides
    *((SPRING % f"-{drag} + 1e-8*x'", [], [({'x': 0}, ['unstable'])], 1) for drag in ("x'*sqrt(x'^2)", "x'*abs(x')", "sqrt(x'^6)", "max(x', -x')*x'")),
    *((SPRING % f"-{drag} - 1e-3*x'", [], [({'x': 0}, ['stable'])], 1) for drag in ("x'*sqrt(x'^2)", "x'*abs(x')", "abs(x')^3*sign(x')")),
]

# Families: the verdict of the member that is shown, and one that another has, with the values for which that may be; None: the verdict is
# proved for all; 'may': it is not, and none that differs is in the box.
ACROSS = "coordinates x, y\nparameters a = %s\nkinetic 1/2*(x'^2 + y'^2)\npotential y^2*(%s)/2\nforce x = -x', y = -y'\n"
TRAILER = """coordinates x, y
angles th, ph
kinetic 1/2*(x'^2 + y'^2 + th'^2 + 2*th'*ph' + 2*ph'^2)
potential 1/2*ph^2
velocities v, p
parametric x' = v*cos(th), y' = v*sin(th), th' = v*tan(ph), ph' = p
"""
MEMBERS = [
    # y'' = -y' - k(x) y: stable where k > 0
    (ACROSS % (20, 'a^2 - x^2'), [], 'stable', 'may', None),
    (ACROSS % (9.8, 'a^2 - x^2'), [], 'stable', 'unstable', lambda m: abs(m['x']) > 9.8),
    (ACROSS % (1, '(x - 2)^2 - 0.01'), [], 'stable', 'unstable', lambda m: abs(m['x'] - 2) < 0.1),
    (ACROSS % (1, 'x^4 + a'), [], 'stable', None, None),
    (ACROSS % (1, 'cos(x)^2 + 1'), [], 'stable', None, None),
    (ACROSS % (1, '-a - x^2'), [], 'unstable', None, None),
    (ACROSS % (1, '1'), [], 'stable', None, None),
    # p' = -(ph + v p)/2: the energy of the member v = 0 is least there, and tells nothing of v < 0
    (TRAILER, ['--steady'], 'stable', 'unstable', lambda m: m['v'] < 0),
    (TRAILER.replace("potential 1/2*ph^2\n", "potential 1/2*ph^2\nforce ph = -ph'\n"), ['--steady'], 'stable', 'unstable', lambda m: m['v'] < -1),
]

STIFF = "coordinates x, y\nparameters k = 1e10\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*k*(x - y)^2 - 1/2*1e-3*y^2\n" \
    "force x = -1e5*(x' - y'), y = -1e5*(y' - x') - 0.01*y'\n"
FLAT = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s - x'\n"
STATES_OF += [(STIFF, [], [({'x': 0, 'y': 0}, ['unstable'])], 1),
              (FLAT % 'exp(1e-17*x) - 1', [], [({'x': 0}, ['unstable'])], 1)]

# Zeros of polynomials, by their factors: close to each other, far from the box, and close to 0; V' = -x (2 x^2 - 3 (a + 2) x/2 + 2 a) for the last: the product of two zeros is a
POINT = "coordinates x\nkinetic 1/2*x'^2\n"
LARGEST = (3*(1e-5 + 2) + math.sqrt(9*(1e-5 + 2)**2 - 64e-5)) / 8
STATES_OF += [
    (POINT + 'force x = -(x - 1)*(x - 1.00001)*(x - 1.00002)\n', [],
     [({'x': 1}, ['stable']), ({'x': 1.00001}, ['unstable']), ({'x': 1.00002}, ['stable'])], 3),
    (POINT + 'force x = -(x - 1)*(x - 12)*(x - 1e6)\n', [], [({'x': 1}, ['stable']), ({'x': 12}, ['unstable']), ({'x': 1e6}, ['stable'])], 3),
    (POINT + 'force x = -(x - 1)*(x - 12)*(x - 1e6)\n', ['--box', 'x=0:20'], [({'x': 1}, ['stable']), ({'x': 12}, ['unstable'])], 2),
    (POINT + 'potential -1/2*x^2*(x - 1e-5)*(x - 2)\n', [], [({'x': 0}, ['unstable']), ({'x': 1e-5 / LARGEST}, ['stable']), ({'x': LARGEST}, ['unstable'])], 3),
    # triple zeros, where nothing linear decides; none at all
    (POINT + "force x = -(x^2 - 2)^3 - x'\n", [], [({'x': math.sqrt(2)}, MAYBE_STABLE), ({'x': -math.sqrt(2)}, MAYBE_UNSTABLE)], 2),
    (POINT + 'force x = x^2 + 1/1000\n', [], [], 0)]

# linearize --vary: where the verdict changes, and an entry of A in text.
CHANGES = [
    ("coordinates x\nparameters r = 0\nkinetic 1/2*x'^2\npotential -r*x^2/2 + x^4/4\nforce x = -x'\n", 'r=-1:1:4', [0, 0]),
    ("coordinates x\nparameters r = 0\nkinetic 1/2*x'^2\npotential -r*x^2/2 + x^4/4\nforce x = -x'\n", 'r=-1:1:5', [0]),
    ("coordinates x\nparameters c = 0\nkinetic 1/2*x'^2\npotential x^2/2\nforce x = -c*x' - x'^3\n", 'c=-1:1:4', [0]),
]

# linearize: the verdicts that there may be, and the eigenvalues to 9 digits (None: any).
LINEAR = [
    (SPRING % "-1e9*(x - 1) + 1 - x' + 1e-6*sign(x - 1)", ['--at', 'x=1'], ['undecided'], None),  # pushed away on both sides
    # x and y move together, 2 l^2 + l/100 - 1/1000 = 0, up to 1e-13
    (STIFF, [], ['unstable'], [0.02, -0.025]),
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1e18*x^2 - 1e-6*y^2\nforce x = -1e9*x', y = -y'\n", [], ['unstable'],
     [(-1 + math.sqrt(1 + 8e-6)) / 2, (-1 - math.sqrt(1 + 8e-6)) / 2, complex(-5e8, math.sqrt(1.75e18))]),
    # half-stable at x = 0, or repelled on both sides; what vanishes on a lattice, or at a few places, is no family
    *((FLAT % force, [], ['unstable', 'undecided'], None)
      for force in ('1 - cos(2*pi*x/1e-3)', 'sin(1000*pi*x)^3', 'x^3*(x^2 - 1e-6)^3*(x^2 - 1e-2)^3', 'sin(pi*x/0.0001)^2', 'x^2*(x^2 - 0.061803^2)^2')),
    (FLAT % '0', [], ['stable'], None),
    (FLAT % '(sin(x)^2 + cos(x)^2 - 1)', [], ['stable'], None),
    # l^2 + l = 1e-17, and l^2 = 1e-8 l - 1
    (FLAT % 'exp(1e-17*x) - 1', [], ['unstable'], [1e-17, -1]),
    (SPRING % "-x'*sqrt(x'^2) + 1e-8*x'", [], ['unstable'], [complex(5e-9, math.sqrt(1 - 2.5e-17))]),
]

# The first row of a run: what is not a column must be None.
ROWS = [
    # u and q2 move one point along a line: g is singular, which residues of roots do not tell; its inverse by rounding gave 0.00092. Gauss: z' is
    # where (d6''^2 + q3''^2)/2 is least, 0.000142282262943714
    ("""coordinates u, q2, q3
parameters m = 3, A = sqrt(m)
let d6 = sqrt(2 + cos(q2) + sin(u))
point P at (d6, q3) mass 1
constraint q2' = u'/sqrt(1 + u^2)
constraint q3' = A*u' + m*u'^2
velocities z
parametric u' = z, q2' = z/sqrt(1 + u^2), q3' = A*z + m*z^2
initial q2 = 1, z = 1
observe b = reaction(q3)
""", ['--reactions'], {'b': 0.0011001336860966684, 'R_q3': 0.0011001336860966684, 'lambda_1': None}),
    ("coordinates x, y\nparameters m = 1, M = 0\nkinetic 1/2*m*x'^2 + 1/2*M*y'^2\nforce x = 1\nconstraint y' = 2*x'\n", ['--reactions', '--method', 'both'],
     {'R_x': 0, 'R_y': 0, 'lambda_1': None}),
]

# Too small for doubles, and not 0: x'' = exp(-1e10 (x - 3)^2) - x' rests nowhere; y'' = -y' - k(x) y with k = -2 at x = 3.3 alone, and 2 nearly everywhere; and
# eigenvalues 1e-400 and the like, all positive, so that nothing is stable. x'' = x'^151 runs away from rest.
REST += [(POINT + "force x = -x' + exp(-1e10*(x - 3)^2)\n", 0, [], 0),
         (PLANE[:PLANE.index('force')] + "parameters c = 1e-400\npotential -c*x^2/2 + y^2\nforce x = -x', y = -y'\n", 0, [], 1),
         (POINT + 'parameters c = 1e-700\npotential -c*x^2/2\n', 0, [], 1),
         *((POINT + f'force x = {force}\n', 0, ['x'], 1) for force in ("1e-400*x'", "exp(-800)*x'", "x'^151"))]
# least at x = 0 alone: the force is -3 x |x|, -5 x^3 |x|, and -sign(x), which are 0/0 there as 2 x sqrt(x^2) + x^3/sqrt(x^2) and the like
REST += [(POINT + f'potential {V}\n', None, [], 1) for V in ('(x^2)^(3/2)', 'x^2*sqrt(x^2)', '(x^2)^(5/2)', 'sqrt(x^2)', '(x^2)^(3/4)')]
# t + |t| is 0 before t = 0, and nothing is divided by it there: every position stays at rest
SPACE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
REST += [(SPACE + line, None, ['x', 'y', 'z'])
         for line in ("constraint y' = (t + sqrt(t^2))*x'\n", "constraint y' = (sqrt(sin(t)^2) + sin(t))*x'\n", "constraint (sqrt(t^2) + t)*z' = y'\n",
                      "constraint (sqrt(t^2) - t)*z' = y'\n", "input u = t + sqrt(t^2)\nconstraint y' = u*x'\n")]
# y' = 2 (x - 30) z' for x > 30, and y' = 0 before: C_i [X, Y]^i = 2, and 0. y' = f(x) x' is integrable on all sides
FACTS += [(SPACE + f"constraint y' = {half}*z'\n", {'holonomic': 'refuted'})
          for half in ('(sqrt((x - 30)^2) + x - 30)', '(sqrt((x - 300)^2) + x - 300)')]
FACTS += [(SPACE + "constraint y' = (sqrt((x - 30)^2) + x - 30)*x'\n", {'holonomic': ('proved', 'tested')})]
# z' = 0 for x > 30, whatever is before: there every state is singular, and behind it nothing moves along z. What follows on both sides is dropped
CHAINED = SPACE + "constraint (sqrt((x - {0})^2) + x - {0})*z' = 0\nforce z = 1\ninitial x = {1}, x' = 1\n"
WARNED += [('check', SPACE + "constraint z' = x'\nconstraint (sqrt((x - 30)^2) + x - 29)*(z' - x') = 0\n", 'follows from the others')]
# a mass for x > 50 alone, 2 s with s = x - 50; and one that is nowhere
LATE = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2) + 1/2*(%s)*z'^2\ninitial x = 60, z' = 1\n"
FACTS += [(LATE % 'sqrt((x - 50)^2) + x - 50', {'metric-positive': 'refuted', 'energy-conserved': 'proved'})]
NARROW = PLANE[:PLANE.index('force')] + "potential y^2*(1 - 2*exp(-1e8*(x - 3.3)^2))\nforce x = -x', y = -y'\n"
MEMBERS += [(NARROW, [], 'stable', 'may', None)]
LINEAR += [*((POINT + f'force x = {force}\n', [], ['unstable', 'undecided'], None) for force in ("1e-400*x'", "exp(-800)*x'", "x'^151", '1e-200*x - 1e200*x\'')),
           (POINT + "force x = 1e-300*x'\n", [], ['unstable'], [1e-300]),
           (NARROW, ['--at', 'x=3.3'], ['unstable'], [1])]

# Text in which there is a reason, whatever it is.
# x' y' z' = 0 at (0, 0, 5) at rest: with x' = y' = 0 it may go, z'' = -z; x, y and z are alike, and of three factors none is told by a start at rest. Without
# forces every position stays at rest, whatever x'^2 = y' z z' is there: 0 = 0.
CORNER = BEAD + "potential 1/2*(x^2 + y^2 + z^2)\nconstraint x'*y'*z' = 0\n"
WARNED += [(command, CORNER, 'is a product of 3 factors with velocities') for command in ('check', 'equilibria')] + \
    [('equilibria', CORNER + "initial x' = 1, y' = 2\n", "is a product: all that follows is for z' = 0")]
DIMENSIONS += [(BEAD + f'constraint {C}\n', {3}) for C in ("x'^2 = y'*z*z'", "x'*y' = z'^2")]

TOLD = [# a free particle on a cone of velocities: z' is a function of x' and y', and z x' - x z' is none of what is found without it
        ('integrals', BEAD + "constraint x'^2 + y'^2 = z'^2\ninitial x' = 3, y' = 4, z' = 5\n", "z*x' - x*z'\n     proved: linear in the velocities"),
        # y'^2 is constant, and a function of y'
        ('integrals', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = -x'\n", 'none of degree 2 in the velocities, independent of these, in the space searched'),
        ('equilibria', CORNER, 'tested, to rounding; singular; undecided: the constraints are singular there: rest is one of the motions that they admit'),
        ('check', BEAD + "constraint x'^2 = y'*z*z'\n", 'states-of-rest          proved    everywhere (singular)'),
        ('check', NARROW, 'y = 0 (stable, others of the family may differ)'),
          # a free particle goes away; the other sheet of a hyperbola is not searched
        ('equilibria', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*y^2\n", 'meant but for x, on which nothing depends: it may drift away\n'),
        ('equilibria --steady', WIND % ('0', '-'), "the constraint has two roots for x': searched on that of the initial state alone"),
        # at rest alone: where x1' = 0, the other derivatives are not
        ('check', "coordinates x1, y1, x2, y2\nkinetic x1'^2 + y1'^2 + x2'^2 + y2'^2\nconstraint x1'^2 + y1'^2 = 4*(x2'^2 + y2'^2)\n",
         "singular where x1'^2 + y1'^2 + 16*x2'^2 + 16*y2'^2 = 0"),
        ('integrals', TODA % ' + 1e-11*x', 'integral T of the model: refuted'), ('integrals', LAPLACE % ' + 1e-13', 'integral A of the model: refuted'),
        # y stands in the constraint
        ('integrals', FREE % '1' + "constraint z' = y*x'\n",
         'cyclic coordinates: x (its momentum is not constant, by the constraints), z (its momentum is not constant, by the constraints)\n'),
        # at x = 1 the constraint says nothing, and admits 3 dimensions: psi does not know of it; [d_x, d_y + x^2 d_z] = 2 x d_z is 0 at x = 0
        ('check', THREE + "constraint (x - 1)*z' = (x - 1)*y*x'\n", '(2,3) at almost all states: the constraints are singular where x - 1 = 0\n'),
        ('check', THREE + "constraint y*z' = z'\n", 'integrable, growth vector (2), where the constraints are independent;'),
        ('check', THREE + "constraint (y - 2)*z' = (y - 2)*x^2*y'\n",
         '(2,3) at almost all states, less at most where x = 0; the constraints are singular where y - 2 = 0\n'),
        ('check', THREE + "constraint z' = y*x'\n", '(2,3) at every state\n'),
        ('check', PLANE + 'integral A = asin(2 + 0*x)\n', 'integral A              unknown   no state was found where it has a value\n'),
        *((command, BEAD + "potential 1/2*(x^2 + y^2 + z^2)\nconstraint x'^2 + y'^2 = z'^2\n", 'as a cone is at its vertex') for command in ('check', 'equilibria')),
        # x = 1 and x = 12 are at rest, one of which is in the box; a free particle is at rest everywhere
        ('check', "coordinates x\nkinetic 1/2*x'^2\nforce x = (x - 1)*(x - 12)*exp(x)\n",
         'x = 1 (stable); searched within x = -10:10; there may be others\n'),
        ('check', "coordinates x\nkinetic 1/2*x'^2\n", 'everywhere (stable)\n'),
        ('check', POINT + 'force x = -(x - 1)*(x - 12)*(x - 1e6)\n', 'x = 1 (stable); x = 12 (unstable); x = 1000000 (stable)\n'),
        ('equilibria', POINT + 'force x = -(x - 1)*(x - 12)*(x - 1e6)\n', 'these are all'),
        ('check', SIGNS % '-sign(x)', 'cyclic-coordinates      proved    y, z:'),
        # y' sign(sin x) - x' sign(x) jumps at x = 0, its square at x = pi
        ('integrals', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = -sign(sin(x)), y = -sign(x)\n", 'none in the space searched'),
        # the momentum is there for k = 0 alone, which is a symbol
        ('integrals', "coordinates x\nparameters k = 0, m = 1\nkinetic 1/2*m*x'^2\nforce x = -k*x'^3 - k*x\n", 'for k = 0 alone'),
        # a blade in a bowl rests along a line; at the bottom, where the energy is least, it is stable
        ('equilibria', "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential 9.81*z\nconstraint z = x^2 + 2*y^2\nconstraint x' = y'*z\n",
         'others of the family are stable'),
        # x'' = -x, y'' = -y, and z' = x y' is of second order: the names are those that `equilibria` shows
        ('linearize --at u1=0,u2=0', "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential 1/2*(x^2 + y^2)\nconstraint z' = x*y'\n", 'at rest'),
        ('eval', NO_INERTIA % '0', 'no second kind: the metric g is singular')]

# In angles the metric of a spherical pendulum is singular at both poles, and nowhere else, however near them; no double is pi. The masses may be of any size.
POLES = "angles th, ph\nparameters m = %s\nkinetic 1/2*m*(th'^2 + sin(th)^2*ph'^2)\npotential m*cos(th)\n"
TINY = "coordinates x, y\nkinetic 1/2*x'^2 + 1/2*((x - 1/10)^2%s)*y'^2\n"
STARTS += [(POLES % m, ['--start', start], {}) for m in ('1', '1e-20') for start in ('th=pi/3', 'th=3.14159265', 'th=1e-20', 'th=1e17', 'th=22')]
STARTS += [(TINY % ' + 1e-20', ['--start', 'x=1/10'], {}), (TINY % '', ['--start', 'x=1/10 + 1e-9'], {})]

# Refused, with a message that contains this.
REFUSED = [
    *((command, POLES % m, ['--start', start], 'the initial state is singular')
      for command in ('eval', 'run') for m in ('1', '1e-20') for start in ('th=0', 'th=pi', 'th=-3*pi', 'th=3.141592653589793')),
    *(('lyapunov', POLES % '1', ['--start', start], 'the initial state is singular') for start in ('th=0', 'th=pi')),
    *((command, TINY % '', ['--start', 'x=1/10'], 'the initial state is singular') for command in ('eval', 'run')),
    ('check', SPACE + "constraint (sqrt((x - 300)^2) + x - 300)*z' = y'\nvelocities u, w\nparametric x' = u, y' = 0, z' = w\n", [], 'do not satisfy'),
    *(('run', CHAINED.format(corner, corner - 1), [], 'the initial state is singular') for corner in (1, 30)),
    *(('run', LATE % mass, [], 'the motion is not determined') for mass in ('0', 'sqrt((x - 50)^2) - sqrt((50 - x)^2)')),
    ('derive', THREE + "constraint (x' - 2*y')^2 = 0\n", [], 'singular at every state'),
    ('derive', THREE + "constraint (x' - z)^3 = 0\n", [], 'singular at every state'),
    ('check', THREE + "constraint cos(x' - y') = 1\n", [], 'singular at every state'),
    ('derive', PLANE + "constraint x'^2 - 2*x'*y' + y'^2 = 0\n", [], 'singular at every state'),
    ('derive', PLANE + "constraint 1e-9*x'^2 = 0\n", [], 'singular at every state'),
    ('derive', PLANE + "constraint (x'*y - y'*x)^2 = 0\n", [], 'singular at every state'),
    # its only state, a = 0, is a root of order 7, which once made it look as if it followed from the others, off by 0.06 at the start
    ('eval', "angles a\ncoordinates x\nkinetic 1/2*(a'^2 + x'^2)\nconstraint a = sinh(sin(a))\ninitial a = 1, a' = 1\n", ['--project'], 'singular'),
    # C_i = 1 - cos(w) cos(x) and the like are 0 at the only velocity that these have, a triple root: once it was a motion
    ('run', PLANE + "constraint y' = sin(y')*cos(x)\n", [], 'the initial state is singular'),
    ('eval', PLANE + "constraint y' = sin(y')*cos(x)\n", [], 'the initial state is singular'),
    ('run', PLANE + "constraint x'*(y' - sin(y')) = 0\ninitial x' = 1\n", [], 'the initial state is singular'),
    ('run', PLANE + "constraint sin(y') = y'*(1 + x^2)\ninitial x' = 1\n", ['--method', 'second'], 'the initial state is singular'),
    ('run', PLANE + "constraint y' = sin(y')\ninitial x' = 1\n", [], 'no state was found'),
    ('eval', THREE + "constraint z' = x*y'\n", ['--start', 'u3=1'], "unknown name 'u3'"),  # there are two
    ('eval', THREE + "constraint z' = x*y'\nindependent x', y'\n", ['--start', 'u1=1'], "unknown name 'u1'"),
    ('eval', THREE + "constraint z' = x*y'\n", ['--start', "u1=1,x'=1"], 'not as both'),
    # what has no value is told, and not that more velocities are to be given: sin(t)/t, and the derivative of |t|, are 0/0 at t = 0
    ('eval', "input u = sin(t)/t\n" + PLANE + "constraint x' = u*y\ninitial y = 1\n", [], "x' = u*y has no finite value"),
    ('run', "input u = sqrt(t^2)\n" + PLANE + "constraint x = u\n", [], 'the derivative of the constraint x = u has no finite value'),
    ('run', "input u = sin(t)/t\n" + PLANE + "velocities w\nparametric x' = u*w, y' = w\ninitial w = 1\n", [], 'psi has no finite value'),
    # nothing is singular in 1e-200 x' = y y', but G = 1 + 1e400 y^2
    ('eval', PLANE + "constraint 1e-200*x' = y*y'\ninitial y = 1\n", [], 'too large'),
    ('eval', LOSES, [], 'g has the eigenvalue -5 at x = 5'),
    ('lyapunov', LOSES, [], 'g has the eigenvalue -5 at x = 5'),
    ('eval', "coordinates x\nkinetic 1/2*x'^2\npotential 1/x\n", [], 'no finite value'),
    ('eval', "coordinates x\nkinetic 1/2*x'^2\npotential sqrt(x)\n", ['--start', 'x=-1'], 'no finite value'),
    ('eval', "coordinates x, y\nparameters m, a\nkinetic 1/2*m*(x'^2 + y'^2)\nconstraint x' = a*y'\n", ['--set', 'a=1'], 'parameters m'),
    # |v| = 1 and v = 0
    ('eval', "coordinates r, x1\nangles beta\nparameters N = 0\npoint U at (beta*beta, beta) mass 2\nkinetic 1/2*(r'^2 + x1'^2)\n"
     "constraint e8: 1 = norm(vel(U))\nconstraint dot(vel(U), (0, 1)) = N\n", [], 'independent'),
    # y has no inertia, whatever B is; for this B the constraints depend on each other wherever both hold, where nothing can be looked at
    ('check', "coordinates x, y, z\nparameters B = 1\npoint P at (0, 0) mass 1\nforce y = 1\nconstraint x' + sin(z') = 0\n"
     "constraint x'^2 = B\n", [], 'G is singular'),
    # the velocities of b and c are in the constraint with the factor 0, which rounding makes 3e-17: with a' = 0 there is nothing that gives 4
    ('eval', "angles b, a\ncoordinates c\nbody Q at (1, 1, c) inertia (2, 3, 1, 0, 0, 1) mass 1 frame Rx(a/2)*Ry(c)*Ry(b)\n"
     "constraint dot(angvel(Q), axis(Q, 1)) = 4\ninitial a = 1, c = 1/3, a' = 0\n", [], 'initial velocities'),
    # nothing is left of the constraint at x = pi
    ('eval', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x'*sin(x) = y'*sin(2*x)\ninitial x = pi, x' = 1, y' = 1\n", [],
     'is singular'),
    # what is given leaves no solution: x - y is -1, x^2 + y^2 + 9 is no less than 9, x'^2 + y'^2 no less than 9
    ('run', THREE + "constraint x = y\nconstraint x' = y'\ninitial x = 1, y = 2\n", [], 'coordinates contradict the constraint x = y'),
    ('run', SPHERE + "initial z = 3\n", [], 'coordinates contradict the constraint x^2'),
    ('eval', PLANE + "constraint x'^2 + y'^2 = 4\ninitial x' = 3\n", [], "velocities contradict the constraint x'^2"),
    # a statement that is indented by mistake
    ('eval', "coordinates x\nkinetic 1/2*x'^2\n initial x = 1\n", [], 'a line that begins with white space continues the statement above'),
    ('eval', "coordinates x\n kinetic 1/2*x'^2\ninitial x = 1\n", [], 'a line that begins with white space continues the statement above'),
    ('eval', "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nconstraint 1e-8*(x' - y') = 0\n", ['--start', "x'=1,y'=2"], 'violate'),
]

# A circle beside one of twice the square of its radius, in any units: nothing holds; beside itself it says nothing new
CIRCLES = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x'^2 + y'^2 = %s\nconstraint 3*x'^2 + 3*y'^2 = 3*%s\n"
REFUSED += [('check', CIRCLES % (k, f'2*{k}'), [], 'contradicts the others') for k in ('1e-40', '1e-30', '1e-20', '1e-10', '1e-5', '1', '1e20')]
WARNED += [('derive', CIRCLES % (k, k), 'follows from the others') for k in ('1e-30', '1e-20', '1e-10', '1', '1e20')]

# For the parameters that are 0, and those that are formulas of others, these are z' = 0, z' = 1 and x'^2 = y'^2
GIVEN = "coordinates x, y, z\nparameters %s\nkinetic x'^2 + y'^2 + z'^2\n%s\n"
ALL_LINEAR = {'linear': 'proved', 'affine': 'proved', 'homogeneous': 'proved', 'holonomic': 'proved', 'regular': 'proved', 'invariant-measure': 'proved'}
FACTS += [
    (GIVEN % ('a = 0', "constraint a*x'^2 + z' = 0"), ALL_LINEAR),
    (GIVEN % ('a = 1, b = 2*a', "constraint x'^2*(b - 2*a)*y + z' = 0"), ALL_LINEAR),
    (GIVEN % ('a = 1, b = 2*a', "constraint x'^2*(b - 2*a)*y + z' = 1"), {'linear': 'refuted', 'affine': 'proved', 'homogeneous': 'refuted', 'holonomic': 'proved'}),
    (GIVEN % ('a = 1, b = 2*a', "constraint x'*(b - 2*a)*y + x'^2 = y'^2"), {'linear': 'refuted', 'affine': 'refuted', 'homogeneous': 'proved'}),
    (GIVEN % ('a = 1, b = 2', "constraint x'^2*(b - 2*a)*y + z' = 0"), {'linear': 'refuted', 'affine': 'refuted', 'homogeneous': 'refuted'}),
    (GIVEN % ('a = 1, b = 2*a', "velocities u, v\nparametric x' = u, y' = v, z' = x*u + (b - 2*a)*v^2"),
     {'linear': 'proved', 'affine': 'proved', 'homogeneous': 'proved'}),
    # z = a x y + c, a surface: dq dp is constant (Liouville), p = G u, hence rho = det G = 1 + a^2 (x^2 + y^2)
    (GIVEN % ('a = 1, b = a', "constraint z' = a*y*x' + b*x*y'"), {'holonomic': 'proved', 'invariant-measure': 'proved'}),
    # z' = a y x' + b x y', with b = a + c and c = 0, too
    (GIVEN % ('a = 1, c = 0, b = a + c', "constraint z' = a*y*x' + b*x*y'"), {'holonomic': 'proved', 'invariant-measure': 'proved'}),
    # y occurs with the factor 0
    (GIVEN % ('a = 1, b = 2*a', "constraint z' = (b - 2*a)*y*x'"), {'cyclic-coordinates': 'proved'}),
]
TOLD += [('check', GIVEN % ('a = 1, b = a', "constraint z' = a*y*x' + b*x*y'"), 'rho = a^2*(x^2 + y^2) + 1'),
         # a and b are symbols, for which it is not so, and have values for which it is
         ('check', GIVEN % ('a = 1, b = 1', "constraint z' = a*y*x' + b*x*y'"), 'but for the values that the parameters have: integrable, growth vector (2)'),
         ('check', GIVEN % ('a = 1, b = 1', "constraint z' = a*y*x' + b*x*y'"), 'that is 0 at every state for the values that the parameters have, and the growth vector (2)'),
         ('check', GIVEN % ('a = 1, b = 1', "constraint z' = a*y*x' + b*x*y'"), 'but for the values that the parameters have: rho = x^2 + y^2 + 1'),
         ('check', GIVEN % ('a = 1, b = 2*a', "constraint z' = (b - 2*a)*y*x'"), 'x, y, z: in no kinetic energy, force or constraint')]

# A force with the potential x^2 + y^2 - a x y where b = a, of which x = y = 0 is the strict minimum; and x^2/2 where k = 0
LINEAR += [("coordinates x, y\nparameters %s\nkinetic x'^2 + y'^2\nforce x = -2*x + a*y, y = b*x - 2*y\n" % parameters, [], ['stable'], None)
           for parameters in ('a = 1, b = a', 'a = 1, d = 0, c = a + d, b = c')]
LINEAR += [("coordinates x\nparameters k = 0\nkinetic x'^2\npotential 1/2*x^2*(1 + k*t)\n", [], ['stable'], None),
           # with another value the formula is not that of the parameter, and the time is in the equations
           ("coordinates x, y\nparameters a = 1, b = a\nkinetic x'^2 + y'^2\nforce x = -2*x + a*y, y = b*x - 2*y\n", ['--set', 'b=-1'], ['undecided', 'unstable'], None),
           ("coordinates x\nparameters k = 0\nkinetic x'^2\npotential 1/2*x^2*(1 + k*t)\n", ['--set', 'k=1'], ['undecided'], None)]

# Components that follow from each other at almost all states, and not where one of them reads 0 = 0: together they say w = 0 at every state
VECTOR = "coordinates x, y\nangles th, ph\nkinetic 1/2*(x'^2 + y'^2 + th'^2 + ph'^2)\nconstraint (x' - y*th'%s)*%s = %s\ninitial y = 1, th' = 1\n"
CIRCULAR, SPHERICAL = ('(sin(th), cos(th))', '(0, 0)'), ('(sin(th)*cos(ph), sin(th)*sin(ph), cos(th))', '(0, 0, 0)')
FACTS += [(VECTOR % (rest, *form), {'linear': kind, 'affine': 'proved', 'regular': 'proved'})
          for rest, kind in (('', 'proved'), (' - 1', 'refuted')) for form in (CIRCULAR, SPHERICAL)]
WARNED += [('check', VECTOR % ('', *CIRCULAR), "x' - y*th' = 0 stands in their place, with a multiplier of its own")]
# where x = y = 0 nothing is left, and nowhere else; of a w = 0, b w = 0 with a = 0 the second one says it all
FACTS += [(VECTOR % ('', '(th, ph)', '(0, 0)'), {'regular': 'refuted'}),
          ("coordinates x, y, z\nparameters a = 0, b = 1\nkinetic x'^2 + y'^2 + z'^2\nconstraint a*(z' - y*x') = 0\nconstraint b*(z' - y*x') = 0\n",
           {'regular': 'proved'})]
STARTS += [(VECTOR % ('', '(th, ph)', '(0, 0)'), ['--start', 'th=0,ph=1'], {"x'": 1, "th'": 1})]
# r x r' = 0 has two independent components beside the origin, and no two combinations that are independent everywhere (no field on the sphere): the
# start tells which one is dropped
STARTS += [("coordinates x, y, z\nkinetic x'^2 + y'^2 + z'^2\npoint P at (x, y, z)\nconstraint cross(pos(P), vel(P)) = (0, 0, 0)\n",
            ['--start', f"{q}=2,{q}'=3"], {"x'": 0, "y'": 0, "z'": 0, f"{q}'": 3}) for q in 'xyz']
# beside a circle for the positions, too
FACTS += [("coordinates x, y, z\nangles th\nkinetic x'^2 + y'^2 + z'^2 + th'^2\nconstraint x^2 + y^2 = 1\nconstraint (z' - th')*(sin(th), cos(th)) = (0, 0)\n"
           "initial x = 1, z' = 1, th' = 1\n", {'regular': ('proved', 'tested')})]
# A ball inside a vertical cylinder, on its way through th = 0: the place of contact has no velocity, which is two conditions in three equations. With
# k = I/(m r^2) = 2/5: th'' = 0, (1 + k) z'' = -g - k th' r w and r w' = th' z' for the spin w along the normal (Neimark, Fufaev), hence
# z = -g/(k th'^2) (1 - cos(sqrt(k/(1 + k)) th' t))
CYLINDER = """angles th, a, b, c
coordinates z
parameters m = 1, r = 1/4, R = 1, I = 1/40, g = 9.81
frame F = Rz(a)*Rx(b)*Rz(c)
body B at ((R - r)*cos(th), (R - r)*sin(th), z) frame F mass m inertia (I, I, I)
gravity (0, 0, -g)
constraint vel(B) + cross(angvel(B), r*(cos(th), sin(th), 0)) = (0, 0, 0)
initial b = 1, th = 1/2, th' = -1
"""
# and one on a sphere, over whose equator, th = pi/2, it goes: three equations that say two things; those two beside it
ON_SPHERE = """angles th, ph, a, b, c
parameters m = 1, r = 1/4, R = 1, I = 1/40, g = 9.81
frame N = Rz(ph)*Ry(th), F = Rz(a)*Rx(b)*Rz(c)
body B at (R + r)*axis(N, 3) frame F mass m inertia (I, I, I)
gravity (0, 0, -g)
let v = vel(B) - r*cross(angvel(B), axis(N, 3))
%s
initial b = 1, th = 1/2, ph = 0.3, ph' = 1
"""
THREE_OF_TWO = ON_SPHERE % 'constraint v = (0, 0, 0)', ON_SPHERE % 'constraint dot(v, axis(N, 1)) = 0\nconstraint dot(v, axis(N, 2)) = 0'
# the same in coordinates x, y, with the cylinder as a constraint
IN_SPACE = CYLINDER.replace('angles th, a', 'angles a').replace('coordinates z', 'coordinates x, y, z').replace('(R - r)*cos(th), (R - r)*sin(th), z', 'x, y, z') \
    .replace('r*(cos(th), sin(th), 0)', 'r/(R - r)*(x, y, 0)').replace('constraint', 'constraint x^2 + y^2 = (R - r)^2\nconstraint') \
    .replace("th = 1/2, th' = -1", "x = (R - r)*cos(1/2), y = (R - r)*sin(1/2), x' = (R - r)*sin(1/2), y' = -(R - r)*cos(1/2)")
HEIGHT = -9.81 / 0.4 * (1 - math.cos(math.sqrt(2 / 7) * 10))
ARRIVALS = [(CYLINDER, 10, {'th': -9.5, 'z': HEIGHT}), (IN_SPACE, 10, {'x': 0.75 * math.cos(9.5), 'y': -0.75 * math.sin(9.5), 'z': HEIGHT})]

ARRIVALS += [(CHAINED.format(corner, 2 * corner), 2, {'x': 2 * corner + 2, 'z': 0, "z'": 0}) for corner in (1, 30, 300)]
# free, with z' = 2 (x - 30) w; and z' = 1/(2 (x - 30))
LATER = "coordinates x, z\nkinetic 1/2*(x'^2 + z'^2)\n%s\ninitial x = 60, %s\n"
ARRIVALS += [(LATER % ("velocities u, w\nparametric x' = u, z' = (sqrt((x - 30)^2) + x - 30)*w", 'u = 1, w = 1'), 1, {'x': 61, 'z': 60, 'w': 60 / 62}),
             (LATER % ("constraint (sqrt((x - 30)^2) + x - 30)*z' = 1", "x' = 1"), 1, {'x': 61, 'z': math.log(31 / 30) / 2})]
# s z' = 10, and s'' = z'^2 = 100/s^2: Kepler's equation of what is repelled, s = 5 (1 + cosh h), t = sqrt(5^3/100) (h + sinh h); here h = 1
ARRIVALS += [(LATE % 'sqrt((x - 50)^2) + x - 50', 1.25 ** 0.5 * (1 + math.sinh(1)),
              {'x': 55 + 5 * math.cosh(1), "x'": 5 * math.sinh(1) / (1.25 ** 0.5 * (1 + math.cosh(1))), "z'": 2 / (1 + math.cosh(1))})]

# Lines of tables that single runs with --set or --start are refused for; and the line.
TURNING = "angles a\ncoordinates x\nparameters J = 1, k = 2*J\nkinetic 1/2*x'^2 + 1/2*%s*a'^2\nforce a = -a\ninitial x = 1, a = 1\n"
BAD_LINES = [
    (POLES % '1', 'th\n1\n3.1415926\n3.141592653589793\n', 'the initial state is singular', 4),
    (TURNING % 'J', 'J,x\n1,1\n-1,1\n2,1\n', 'g has the eigenvalue -1', 3),
    (TURNING % 'J', 'J\n1\n2\n0\n', 'some motion has no inertia', 4),
    (TURNING % 'k', 'J\n-1/2\n'.replace('-1/2', '-0.5'), 'g has the eigenvalue -1', 2),  # by another one
    (LOSES.replace('initial x = 5\n', ''), 'x\n1\n5\n', 'g has the eigenvalue -5', 3),  # at the start
    # psi_alpha = ((w, 1), (u, 0)) has the rank 1 where u = 0
    ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nvelocities u, w\nparametric x' = u*w, y' = u\ninitial u = 1\n", 'u,w\n1,1\n0,1\n', 'singular', 3),
]

# Starts that once took 15 and 6 s, and may take a part of one: seconds of the processor.
QUICK = [
    ("coordinates x, s, y, w\nparameters J = 0.35\nkinetic 1/2*(4*x'^2 + J*s'^2 + J*y'^2 + 12e-1*w'^2) + 1/7*(cos(x)*y' + 4*s' + 8/3*w')^2\n"
     "point P at (J*sin(w), x*w) mass J\nconstraint dot(vel(P), vel(P)) = 6/4\nconstraint dot(vel(P), (sin(y), -cos(y)))^2 + y'^2 = J\n"
     "initial x = 0.87, s = -0.40, y = -2/8, w = 1/7, x' = -0.60, y' = -0.50, w' = -1/7\n", 5),
    ("angles b, c, a\ncoordinates u, x, w\nparameters g = .5, N = sqrt(g)\nlet V = sin(a)*cos(w)\n"
     "kinetic 1/2*(g*b'^2 + N*c'^2 + g*a'^2 + .6*u'^2 + 3e-1*x'^2 + g*w'^2)\n"
     "body Q at (0.66*sin(x), sqrt(1 + sin(u)^2), cos(V + x)) mass 1 inertia (2, 3, 5/2, 1/3, -1/5, 1/4) frame Rz(b + V)*Rz(w)*Ry(a)\n"
     "constraint u' + x'*c'/2 = sqrt(1 + sin(V)^2)\nconstraint (3e-1 + w^2)*b' - (c*u' + w*x' + cos(V)*c') = 0\n"
     "constraint a'^2 + x'^2 = .9^2\nconstraint 5 = dot(vel(Q), (sin(a), -cos(a), 0))\n"
     "initial b = 0.92, c = 0.63, a = g/4, u = -4/9, x = 0.21, w = 5/4, b' = -0.60, c' = 1, a' = -1, u' = pi/6, w' = -5/8\n", 5),
]


def run(nonholo, command, model, *options):
    return subprocess.run([nonholo, command, '--format', 'json', '--quiet', '-', *options], input=model.encode(), capture_output=True)


def start(nonholo, model, options, wanted):
    done = run(nonholo, 'eval', model, *options)
    if done.returncode:
        return [done.stderr.decode()]
    state = json.loads(done.stdout)['state']
    return [f'{name} is {state[name]}' for name, value in wanted.items() if abs(state[name] - value) > 1e-9]


def table(nonholo, model, rows, to, wanted, *options):
    with tempfile.NamedTemporaryFile('w', suffix='.csv', encoding='utf-8') as file:
        file.write(rows)
        file.flush()
        done = subprocess.run([nonholo, 'run', '--quiet', '-', '--starts', file.name, '--to', str(to), *options], input=model.encode(), capture_output=True)
    if done.returncode:
        return [done.stderr.decode()]
    found = [float(x) for x in done.stdout.decode().splitlines()[-1].split(',')]
    return [] if all(abs(a - b) < 1e-9 for a, b in zip(found, wanted)) else [f'{found} and not {wanted}']


def last_row(nonholo, model, to):
    done = subprocess.run([nonholo, 'run', '--quiet', '-', '--to', str(to)], input=model.encode(), capture_output=True)
    names, *rows = (line.split(',') for line in done.stdout.decode().splitlines())
    return dict(zip(names, map(float, rows[-1]))) if rows else {}


def arrival(nonholo, model, to, wanted):
    found = last_row(nonholo, model, to)
    return [f'{name} is {found.get(name)} and not {x}' for name, x in {**wanted, 't': to}.items() if not abs(found.get(name, math.nan) - x) < 1e-8]


def same_arrival(nonholo, model, other, to):
    return arrival(nonholo, model, to, last_row(nonholo, other, to))


def ends(nonholo, model, options, message):
    done = subprocess.run([nonholo, 'run', '-', *options], input=model.encode(), capture_output=True, timeout=60)
    return [] if done.returncode == 1 and message in done.stderr.decode() else [f'ended with {done.returncode}: {done.stderr.decode()}']


def facts(nonholo, model, wanted):
    found = {fact['name']: fact['verdict'] for fact in json.loads(run(nonholo, 'check', model).stdout)['facts']}
    return [f'{name} is {found.get(name)}' for name, verdicts in wanted.items()
            if found.get(name) not in ([verdicts] if isinstance(verdicts, str) or verdicts is None else verdicts)]


def state(nonholo, model, start, wanted):
    done = run(nonholo, 'eval', model, '--start', start)
    if done.returncode:
        return [done.stderr.decode()]
    evaluated = json.loads(done.stdout)
    mass = [evaluated['g'][i][i] for i in range(len(wanted))]  # all of them have a diagonal metric
    first = [(a + r) / m for a, r, m in zip(evaluated['A'], evaluated['first']['R'], mass)]
    return [f'{kind}: {found} and not {wanted}' for kind, found in (('first', first), ('second', evaluated['second']['D']))
            if not all(abs(a - b) < 1e-9 for a, b in zip(found, wanted))]


def singular(nonholo, model):
    done = run(nonholo, 'eval', model)
    if done.returncode:
        return [done.stderr.decode()]
    found = json.loads(done.stdout)
    return [f'{name} is {x}' for name, x in (('g_inverse', found['g_inverse']), ('second', found['second'])) if x is not None]


def warned(nonholo, command, model, message):
    done = subprocess.run([nonholo, command, '-'], input=model.encode(), capture_output=True)
    return [] if done.returncode == 0 and message in done.stderr.decode() else [f'ended with {done.returncode}: {done.stderr.decode()}']


def families(nonholo, model):
    text = subprocess.run([nonholo, 'equilibria', '--quiet', '-'], input=model.encode(), capture_output=True).stdout.decode()
    found = json.loads(run(nonholo, 'equilibria', model).stdout)
    states = found['equilibria']
    off = [x['state'] for x in states if abs(x['state']['y'] + 2 * x['state']['z']) > 1e-9]
    few = text.count('one of a family') < len(states) and f'and {len(states) - text.count("one of a family")} more' in text
    return [f'{off} are no states of rest'] * bool(off) + ['all members are told, or not how many are left'] * (not few)


def dimensions(nonholo, model, wanted):
    found = {x['dimension'] for x in json.loads(run(nonholo, 'equilibria', model).stdout)['equilibria']}
    return [f'{found} dimensions'] * (found != wanted)


def jumps(nonholo, model, wanted, count):
    found = json.loads(run(nonholo, 'equilibria', model).stdout)
    text = subprocess.run([nonholo, 'equilibria', '-'], input=model.encode(), capture_output=True).stdout.decode()
    return [f'{found["jumps"]} jump'] * (sorted(found['jumps']) != wanted) + ['which is not said'] * (('sign(0) is 0' in text) != bool(wanted)) + \
        [f'{len(found["equilibria"])} states were found'] * (count not in (None, len(found['equilibria'])))


def rest(nonholo, model, stable, free, count=None):
    found = json.loads(run(nonholo, 'equilibria', model).stdout)['equilibria']
    told = sum(x['verdict'] == 'stable' for x in found)
    anywhere = sorted({name for x in found for name in x['free']})
    return [f'{told} are stable'] * (stable not in (None, told)) + [f'{anywhere} are anywhere'] * (anywhere != free) + \
        [f'{len(found)} states were found'] * (count not in (None, len(found)))


def states_of(nonholo, model, options, wanted, count):
    found = json.loads(run(nonholo, 'equilibria', model, *options).stdout)['equilibria']
    wrong = [f'{len(found)} states were found'] * (count not in (None, len(found)))
    for state, verdicts in wanted:
        here = [x for x in found if all(abs(x['state'][name] - value) <= 1e-9 * max(abs(value), 1e-3) for name, value in state.items())]
        wrong += [f'{state} was not found'] * (not here)
        wrong += [f'{state} is {x["verdict"]}: {x["reason"]}' for x in here if x['verdict'] not in verdicts]
    return wrong


def members(nonholo, model, options, verdict, other, where):
    found = [x for x in json.loads(run(nonholo, 'equilibria', model, *options).stdout)['equilibria'] if x['free']]
    x = found[0]
    wrong = [f'{len(found)} families, {x["verdict"]}'] * (len(found) != 1 or x['verdict'] != verdict)
    wrong += [f'member {x["member"]}'] * ((x['member'] is None) != (other is None))
    if other in (None, 'may'):
        return wrong + [f'{x["other"]} is {x["other_verdict"]}'] * (x['other'] is not None)
    return wrong + [f'{x["other"]} is {x["other_verdict"]}'] * (x['other_verdict'] != other or not where(x['other']))


def changes(nonholo, model, vary, wanted):
    found = [x['value'] for x in json.loads(run(nonholo, 'linearize', model, '--vary', vary).stdout)['vary']['changes']]
    return [] if len(found) == len(wanted) and all(abs(a - b) < 1e-9 for a, b in zip(found, wanted)) else [f'changes at {found}']


def linear(nonholo, model, options, verdicts, eigenvalues):
    found = json.loads(run(nonholo, 'linearize', model, *options).stdout)
    values = [complex(*x) for x in found['eigenvalues']]
    wrong = [f'{found["verdict"]}: {found["reason"]}'] * (found['verdict'] not in verdicts)
    for value in eigenvalues or []:
        near = min(values, key=lambda x: abs(x - value))
        wrong += [f'{near} and not {value}'] * (abs(near - value) > 1e-9 * abs(value))
    return wrong


def first_row(nonholo, model, options, wanted):
    done = subprocess.run([nonholo, 'run', '-', '--to', '1e-3', *options], input=model.encode(), capture_output=True)
    names, row = (line.split(',') for line in done.stdout.decode().splitlines()[:2])
    found = dict(zip(names, map(float, row)))
    return [f'{name} is {found.get(name)}' for name, x in wanted.items()
            if (name in found) != (x is not None) or (x is not None and abs(found[name] - x) > 1e-14)]


def told(nonholo, command, model, text):
    out = subprocess.run([nonholo, *command.split(), '-'], input=model.encode(), capture_output=True).stdout.decode()
    return [] if text in out and '(null)' not in out else [out]


def refused(nonholo, command, model, options, message):
    options = [*options, '--format', 'csv' if command == 'run' else 'json']
    done = subprocess.run([nonholo, command, '-', *options], input=model.encode(), capture_output=True)
    return [] if done.returncode == 2 and message in done.stderr.decode() and not done.stdout else \
        [f'{command} ended with {done.returncode}: {done.stderr.decode()}']


def bad_line(nonholo, model, rows, message, line):
    with tempfile.NamedTemporaryFile('w', suffix='.csv', encoding='utf-8') as file:
        file.write(rows)
        file.flush()
        done = subprocess.run([nonholo, 'run', '-', '--starts', file.name], input=model.encode(), capture_output=True)
    told = done.stderr.decode()
    return [] if done.returncode == 2 and message in told and f'.csv:{line}:1: error: there is no such start' in told and not done.stdout else \
        [f'ended with {done.returncode}: {told}']


def quick(nonholo, model, seconds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = run(nonholo, 'eval', model, '--project')
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return [] if took < seconds and done.returncode in (0, 2) else [f'{took} s, ended with {done.returncode}']


def main():
    nonholo, failures, checked = sys.argv[1], 0, 0
    for test, cases in ((facts, FACTS), (state, STATES), (start, STARTS), (table, TABLES), (arrival, ARRIVALS), (same_arrival, [(*THREE_OF_TWO, 2)]), (ends, ENDS), (singular, SINGULAR), (warned, WARNED), (families, FAMILIES), (dimensions, DIMENSIONS), (jumps, JUMPS), (rest, REST), (states_of, STATES_OF), (members, MEMBERS), (changes, CHANGES), (linear, LINEAR), (first_row, ROWS), (told, TOLD),
                        (refused, REFUSED), (bad_line, BAD_LINES), (quick, QUICK)):
        checked += len(cases)
        for case in cases:
            wrong = test(nonholo, *case)
            failures += len(wrong)
            for line in wrong:
                print(f'{case[:2]}\n    {line}')
    print(f'{checked} models, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
