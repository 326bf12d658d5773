#!/usr/bin/env python3
"""chaos.py NONHOLO: Lyapunov exponents and sections, against closed forms and against an integrator of its own.

The exponent of a chaotic motion is known up to its error; the comparison integrates motion and neighbour by Runge and Kutta's method of
order 4 with equations written down here."""
import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
FEW = "--few" in sys.argv
checks = failures = 0


def judge(holds, what):
    global checks, failures
    checks += 1
    if not holds:
        failures += 1
        print("wrong:", what)


def ask(folder, command, text, *options, status=0):
    path = os.path.join(folder, "model.nh")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    done = subprocess.run([PROGRAM, command, path, *options], capture_output=True, text=True, timeout=300)
    judge(done.returncode == status, f"{command} {options} ends with {done.returncode}: {done.stderr}\n{text}")
    return done.stdout


def exponent(folder, text, *options):
    return json.loads(ask(folder, "lyapunov", text, "--format", "json", *options))


# ---------------------------------------------------------------- closed forms

SADDLE = "coordinates x\nkinetic 1/2*x'^2\npotential -1/2*x^2\ninitial x = 0\n"
SPRING = "coordinates x\nparameters c = 1/5\nkinetic 1/2*x'^2\npotential 1/2*x^2\nforce x = -c*x'\ninitial x = 1\n"
PENDULUM = "angles a\nkinetic 1/2*a'^2\npotential -cos(a)\ninitial a = %s\n"
# the same with a constraint on positions
BOB = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential y\nconstraint x^2 + y^2 = 1\ninitial x = 0, y = %s\n"
# z' = 0.3 x y': linear constraint; x and y are free oscillators
HEISENBERG = ("coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = 0\npotential 1/2*x^2 - 2*y^2\n"
              "initial x = 1, y = 0\n")


# a constraint whose solution has a root, which the motion comes to the end of, and the same without
RUNNERS = ("coordinates x1, y1, x2, y2\n%s\nparameters k = 3/2, c = 1\nkinetic 1/2*(x1'^2 + y1'^2) + x2'^2 + y2'^2\n"
           "potential 1/2*c*((x1 - x2)^2 + (y1 - y2)^2)\n%s\ninitial x1 = 1, y1 = 1, %s\n")
WITH_ROOT = RUNNERS % ("", "constraint x1'^2 + y1'^2 = k^2*(x2'^2 + y2'^2)", "x1' = 3/2, x2' = 0, y2' = 1")
WITH_ANGLES = RUNNERS % ("velocities v, a, b", "parametric x1' = k*v*cos(a), y1' = k*v*sin(a), x2' = v*cos(b), y2' = v*sin(b)", "v = 1, a = 0, b = pi/2")


def closed_forms(folder):
    one, other = (exponent(folder, text, "--to", "400") for text in (WITH_ROOT, WITH_ANGLES))
    judge(abs(one["exponent"] - other["exponent"]) < 3 * (one["error"] + other["error"]) and one["to"] == other["to"] == 400,
          f"the same motion has the exponents {one} and {other}")
    for text, wanted, verdict in ((SADDLE, 1, "positive"), (SPRING, -0.1, "negative"), (PENDULUM % "0", 0, "zero"), (PENDULUM % "2", 0, "zero"), (BOB % "1", 1, "positive"),
                                  (BOB % "-1", 0, "zero"), (HEISENBERG, 2, "positive")):
        for time in (200, 1000):
            found = exponent(folder, text, "--to", str(time))
            judge(abs(found["exponent"] - wanted) < 3 * found["error"] + 1e-9 and found["error"] < 0.03,
                  f"exponent {found['exponent']} +- {found['error']}, not {wanted}\n{text}")
            judge(found["verdict"] == verdict, f"{found['verdict']}, not {verdict}\n{text}")
    found = exponent(folder, SADDLE, "--to", "-200")
    judge(abs(found["exponent"] - 1) < 0.03, f"backwards: {found['exponent']}")


# x'' = s f(x) - d x' near x = 0, where f(x) = x + ...: the exponent there is -d/2 + Re sqrt(d^2/4 + s). How long a run is makes no difference: its
# times are sums of steps, and what rounding leaves up to the end of one is a step, too.
RESTING = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s - %s*x'\n%s\n"
NEARLY_X = ("sinh(x)", "tanh(x)", "exp(x) - 1", "x + cosh(x) - 1", "(exp(x) - exp(-x))/2", "sin(x)", "atan(x)")


def resting(folder):
    for text, s, d, times in ([(RESTING % ("-sinh(x)", 1, "initial x = 1"), -1, 1, (5, 20, 100, 480, 1000)),
                               (RESTING % ("sinh(x)", 0, ""), 1, 0, (5, 20, 63, 100, 480, 1000))] +
                              [(RESTING % (f"{s}*({f})", 1, ""), s, 1, (1000,)) for s in (-2, 2) for f in NEARLY_X]):
        wanted = -d / 2 + max(0, d * d / 4 + s) ** 0.5
        for time in times:
            found = exponent(folder, text, "--to", str(time))
            judge(found["to"] == time and len(found["parts"]) == 20, f"it ends at {found['to']}, not {time}\n{text}")
            judge(abs(found["exponent"] - wanted) < 3 * found["error"] + 1e-9, f"exponent {found['exponent']}, not {wanted}\n{text}")
            judge(time < 100 or found["verdict"] == ("positive" if wanted > 0 else "negative"), f"{found['verdict']}\n{text}")


# ---------------------------------------------------------------- forces that jump

FORCED = "coordinates x\nkinetic 1/2*x'^2\nforce x = %s\ninitial x = %s\n"
# the motion is periodic, with the period pi of the force, and turns round it: complex multipliers, whose product is exp(-0.2 pi)
WELLS = "0.5*x - (%s) - 0.2*x' + 3*cos(2*t)"
STEPS = ("2*sign(x)", "2*sqrt(x^2)/x", "2*abs(x)/x", "4*max(x, 0)/x - 2", "2*x/abs(x)")
# a pendulum in a tilting box, and the same with a constraint; d/dv of its only damping is -0.1
TILTED = "angles a\nkinetic 1/2*a'^2\npotential -cos(a)\nforce a = -0.3*sign(sin(a))*cos(a) - 0.1*a' - cos(t)\ninitial a = 1\n"
TILTED_BOB = ("coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential y\nconstraint x^2 + y^2 = 1\n"
              "force x = -0.3*sign(x) - 0.1*x' + cos(t)*y, y = -0.1*y' - cos(t)*x\ninitial x = sin(1), y = -cos(1)\n")
# a blade at rest on the plane, whose heading is such an oscillator; a push would make it go on at a constant speed
BLADE = ("coordinates x, y\nangles a\nkinetic 1/2*(x'^2 + y'^2 + a'^2)\nforce a = 0.5*a - 2*sign(a) - 0.2*a' + 3*cos(2*t)\n"
         "constraint x'*sin(a) = y'*cos(a)\ninitial a = 0.1, x' = 0\n")
# y'' = y and y'' = -y in turn, each for a time of pi: cosh and sinh of pi, then a turn by half a circle. exp(pi) in 2 pi
TURNS = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = -x, y = sign(x)*y\ninitial x' = 1, y = %s\n"


def with_friction():
    """x'' = -x - 0.3 sign(x') + 2 cos(2 t): its solution between the zeros of x', at each of which the volume changes by x''+/x''-."""
    sign, t, x, v, volume, begin = -1, 0, 1, 0, 0, 200
    while t < 1200:
        c, s = x + 0.3 * sign + 2 / 3 * math.cos(2 * t), v - 4 / 3 * math.sin(2 * t)
        at = lambda u: -c * math.sin(u - t) + s * math.cos(u - t) + 4 / 3 * math.sin(2 * u)
        a = t + 1e-6
        while at(a + 1e-3) * sign > 0:
            a += 1e-3
        b = a + 1e-3
        for _ in range(60):
            a, b = ((a + b) / 2, b) if at((a + b) / 2) * sign > 0 else (a, (a + b) / 2)
        x, v, t = c * math.cos(b - t) + s * math.sin(b - t) - 0.3 * sign - 2 / 3 * math.cos(2 * b), 0, b
        force = -x + 2 * math.cos(2 * t)
        judge(abs(force) > 0.3, "friction holds it")
        volume += math.log((force + 0.3 * sign) / (force - 0.3 * sign)) if t > begin else 0
        sign = -sign
    return volume / (t - begin) / 2  # complex multipliers


def jumps(folder):
    """Where forces jump, neighbours do not meet the jump at the same time, of which the linear equations know nothing."""
    for text, wanted, verdict in (*((FORCED % (WELLS % step, 0.1), -0.1, "negative") for step in STEPS), (BLADE, 0, "zero"),
                                  # an autonomous motion to a limit cycle, and one of a constant energy
                                  (FORCED % ("-x + 0.3*sign(x') - 0.2*x'", 1), 0, "zero"), (FORCED % ("-sign(x)", 1), 0, "zero"),
                                  (FORCED % ("-x - 0.3*sign(x') + 2*cos(2*t)", 1), with_friction(), "negative"),
                                  # jumps in the time, which all neighbours meet at once
                                  (FORCED % ("-x - 0.1*x' + sign(sin(t))", 1), -0.05, "negative"), (FORCED % ("sign(sin(t))*x", 1), 0.5, "positive"),
                                  (TURNS % 0, 0.5, "positive"), (TURNS % 1, 0.5, "positive"), (TILTED, -0.05, "negative"), (TILTED_BOB, -0.05, "negative")):
        found = exponent(folder, text, "--to", "1000")
        judge(found["to"] == 1000 and found["error"] < 0.01 and abs(found["exponent"] - wanted) < 2 * found["error"], f"exponent {found}, not {wanted}\n{text}")
        judge(found["verdict"] == verdict, f"{found['verdict']}, not {verdict}\n{text}")
    judge(exponent(folder, FORCED % ("-x + 0.3*sign(x') - 0.2*x'", 1))["motion"] == "to periodic", "a limit cycle")
    # the same with a steep tanh, which has linear equations
    one, other = (exponent(folder, FORCED % (f"x - x^3 - 0.3*{step} - 0.15*x' + 0.3*cos(t)", 0.1), "--to", "3000") for step in ("sign(x)", "tanh(x/1e-4)"))
    judge(one["verdict"] == other["verdict"] == "positive" and abs(one["exponent"] - other["exponent"]) < 3 * (one["error"] + other["error"]),
          f"chaos across a jump: {one}, {other}")


# rest on a corner: exp(sqrt(3/2) t) on one side and exp(sqrt(1/2) t) on the other, or away from it at once; beside a motion; a motion x = sin(t) that
# touches a jump at x = 1, behind which it is pushed away. What sticks ends.
EDGES = (FORCED % ("x + 0.5*abs(x)", 0), FORCED % ("0.3*sign(x')", 0), FORCED % ("2*sign(x)", 0), TURNS.replace("sign(x)*y", "0.2*sign(y)") % 0,
         TURNS.replace("sign(x)*y", "0.5*y + 0.2*abs(y)") % 0, FORCED % ("-x + 0.3*(1 + sign(x - 1))", "0, x' = 1"))


def on_edges(folder):
    """No exponent is said where it depends on the neighbour."""
    for text in EDGES:
        found = exponent(folder, text, "--to", "500")
        judge(found["verdict"] == "undecided" and found["exponent"] is None and found["error"] is None, f"{found}\n{text}")
    judge("unknown" in ask(folder, "lyapunov", EDGES[0], "--to", "200"), "no value is said to be unknown")
    found = exponent(folder, FORCED % ("-x - 0.1*x' - 0.5*abs(x)", 0), "--to", "500")  # the damping is the same on both sides
    judge(found["verdict"] == "negative" and abs(found["exponent"] + 0.05) < 2 * found["error"], f"rest on a corner: {found}")
    ask(folder, "lyapunov", FORCED % ("-x - 0.5*sign(x' - 0.2)", 3), status=1)


# ---------------------------------------------------------------- unstable, and not chaotic

FLAT = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential 1/2*x^2 + z^2 - 2*y^2\ninitial x = 1, y = 0, z = 1\n"
BALL = "coordinates x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x^2 + y^2 + z^2 = 1\n%s\n"
TWO = ("coordinates x1, y1, x2, y2\nparameters g = 9.81\nkinetic 1/2*(x1'^2 + y1'^2) + 1/2*(x2'^2 + y2'^2)\npotential g*(y1 + y2)\n"
       "constraint x1^2 + y1^2 = 1\nconstraint (x2 - x1)^2 + (y2 - y1)^2 = 1\n"
       f"initial x1 = {math.sin(2)}, y1 = {-math.cos(2)}, x2 = {math.sin(2) + math.sin(2.5)}, y2 = {-math.cos(2) - math.cos(2.5)}\n")
ANGLES = ("angles a, b\npoint P at (sin(a), -cos(a)) mass 1\npoint Q at pos(P) + (sin(b), -cos(b)) mass 1\ngravity (0, -9.81)\n"
          "initial a = 2, b = 2.5\n")


# x = exp(-t) is the one motion of x'' = x that comes to rest, exp(-2 t) that of x'' = x - 3/2 x'; its neighbours go away. Then with an
# oscillator beside it, and on the separatrix x'^2 = x^2 + x^4/2, where rounding lets it leave again. None of them is chaos: no linear equations
# have it, and none in a plane (Poincare, Bendixson).
LINE = "coordinates x\nkinetic 1/2*x'^2\n%s\ninitial x = 1, x' = %s\n"
BESIDE = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential %s\n%s\ninitial x = 1, x' = %s, y = 1\n"
COMING = ((LINE % ("potential -1/2*x^2", "-1"), 30, "linear", "linear, which is not chaos"),
          (LINE % ("potential -1/2*x^2", "-1"), 100, "to rest", "comes to a state of rest that is unstable"),
          (LINE % ("force x = x - 3/2*x'", "-2"), 100, "to rest", "comes to a state of rest that is unstable"),
          (LINE % ("potential -1/2*x^2 - 1/4*x^4", "-sqrt(3/2)"), 30, "plane", "fewer than three dimensions"),
          (BESIDE % ("-1/2*x^2 + y^2", "", "-1"), 100, "to periodic", "comes to a periodic one"),
          (BESIDE % ("-1/2*x^2 - 1/4*x^4 + y^2 + y^4", "", "-sqrt(3/2)"), 30, "to periodic", "comes to a periodic one"),
          ((BESIDE % ("-1/2*x^2 - 1/4*x^4 + 1/2*y^2*(1 + x^2) + y^4", "force y = -y'/5", "-sqrt(3/2)")).replace("y = 1", "y = 0"), 30, "passing", "does not come back often enough"))


def unstable(folder):
    """Rest at a maximum, exp(t) away from it, an oscillation beside a maximum, two of them with the ratio sqrt(2)."""
    for text, to, motion, word in ((SADDLE, 200, "rest", "rest is unstable"), (SADDLE.replace("x = 0", "x = 1e-3"), 200, "unbounded", "which is not chaos"),
                                   (HEISENBERG, 200, "periodic", "periodic, and unstable"), (FLAT, 200, "apart", "does not move itself"), *COMING):
        found = exponent(folder, text, "--to", str(to))
        judge(found["verdict"] == "positive" and found["motion"] == motion, f"{found['motion']}, not {motion}\n{text}")
        told = ask(folder, "lyapunov", text, "--to", str(to))
        judge("motion is chaotic" not in told and word in told, told)
    told = ask(folder, "lyapunov", HENON % ("-0.15", "0.55"))
    judge("the motion is chaotic" in told, told)


def short_runs(folder):
    """x'' = x/400 from rest at 0: exp(t/20), which a run of 200 cannot tell from a power of the time, and one of 1000 can; it never says that it is 0."""
    slow = "coordinates x\nkinetic 1/2*x'^2\npotential -1/800*x^2\ninitial x = 0\n"
    for to, verdict in (("200", "undecided"), ("1000", "positive")):
        found = exponent(folder, slow, "--to", to)
        judge(found["verdict"] == verdict and abs(found["exponent"] - 0.05) < 2 * found["error"], f"{found}, not {verdict}")
    # up against gravity at a constant speed: exp(g t/v); rounding of the direction does not take the motion down
    up = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce y = -9.81\nconstraint x'^2 + y'^2 = 4\ninitial x' = 0, y' = 2\n"
    found = exponent(folder, up, "--to", "200")
    judge(found["verdict"] == "positive" and abs(found["exponent"] - 4.905) < 0.05, f"steady: {found}")
    told = ask(folder, "lyapunov", slow, "--to", "200")
    judge("a larger --to decides" in told, told)


def charts(folder):
    """On a sphere all free motions are great circles, and the spherical pendulum is integrable; the double pendulum is what it is in angles."""
    for text in (BALL % "initial x = 1, y' = 1, z' = 0.3", BALL % "potential 9.81*z\ninitial x = 1, y' = 1"):
        found = exponent(folder, text, "--to", "200")
        judge(found["verdict"] == "zero" and found["to"] == 200, f"{found}\n{text}")
    found, other = (exponent(folder, text, "--to", "300", "--project") for text in (TWO, ANGLES))
    judge(found["to"] == other["to"] == 300 and found["motion"] == other["motion"] == "bounded" and
          abs(found["exponent"] - other["exponent"]) < 5 * (found["error"] + other["error"]), f"the same double pendulum: {found} and {other}")


# ---------------------------------------------------------------- chaos

def add(x, k, h):
    return [a + h * b for a, b in zip(x, k)]


def step(f, x, h):
    k1 = f(x)
    k2 = f(add(x, k1, h / 2))
    k3 = f(add(x, k2, h / 2))
    k4 = f(add(x, k3, h))
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


HENON = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*(x^2 + y^2) + x^2*y - y^3/3\ninitial x = 0, y = %s, x' = %s\n"


def henon(s):
    x, y, u, v, a, b, c, d = s
    return [u, v, -x - 2 * x * y, -y - x * x + y * y, c, d, -a - 2 * (a * y + x * b), -b - 2 * x * a + 2 * y * b]


def benettin(start, time, h):
    """Mean growth behind the first tenth."""
    s, total, steps = list(start) + [0.5, 0.5, 0.5, 0.5], 0, round(time / h)
    for k in range(steps):
        s = step(henon, s, h)
        if k % 100 == 99:
            size = math.sqrt(sum(w * w for w in s[4:]))
            total += math.log(size) if k > steps / 10 else 0
            s[4:] = [w / size for w in s[4:]]
    return total / (0.9 * time)


def chaos(folder):
    time = 3000
    for y, u, verdict in ((-0.15, 0.5, "positive"), (0.3, 0.1, "zero")):
        found = exponent(folder, HENON % (y, u), "--to", str(time))
        other = benettin((0, y, u, 0), time, 0.05)
        judge(found["verdict"] == verdict, f"Henon and Heiles, y = {y}: {found['verdict']}")
        judge(abs(found["exponent"] - other) < 4 * found["error"] + 0.25 * abs(other),
              f"Henon and Heiles, y = {y}: {found['exponent']} +- {found['error']}, by hand {other}")


# ---------------------------------------------------------------- sections

def table(text):
    return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(text))]


def sections(folder):
    rows = table(ask(folder, "run", HENON % (-0.15, 0.5), "--section", "x", "--to", "60", "--quiet"))
    s, t, h, found = [0, -0.15, 0.5, 0] + [0] * 4, 0, 1e-3, []
    while t < 60:
        after = step(henon, s, h)
        if s[0] < 0 <= after[0]:
            part = s[0] / (s[0] - after[0])
            found.append((t + part * h, s[1] + part * (after[1] - s[1]), s[3] + part * (after[3] - s[3])))
        s, t = after, t + h
    judge(len(found) == len(rows) > 5, f"{len(rows)} points of a section, by hand {len(found)}")
    for row, (t, y, v) in zip(rows, found):
        judge(abs(row["x"]) < 1e-11 and row["x'"] > 0, f"a point that is not on the section: {row}")
        judge(abs(row["t"] - t) < 1e-5 and abs(row["y"] - y) < 1e-5 and abs(row["y'"] - v) < 1e-5, f"{row}, by hand {t, y, v}")
    circle = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*(x^2 + y^2)\ninitial x = 1, y' = 1\n"
    rows = table(ask(folder, "run", circle, "--section", "y = 1/2", "--to", "20", "--quiet"))
    judge(len(rows) == 4 and all(abs(row["t"] - math.pi / 6 - 2 * math.pi * k) < 1e-10 for k, row in enumerate(rows)),
          f"the circle rises through 1/2 at {[row['t'] for row in rows]}")
    rows = table(ask(folder, "run", circle, "--section", "y", "--to", "7", "--every", "1", "--quiet"))
    judge([row["event"] for row in rows] == [0] * 7 + [1, 0], "rows of --every beside those of the section")
    judge(table(ask(folder, "run", circle, "--section", "y - 3", "--to", "7", "--quiet")) == [], "a section that is never met")


def wrong(folder):
    ask(folder, "lyapunov", "coordinates x\nkinetic 1/2*x'^2\nforce x = x'^2\ninitial x' = 1\n", status=1)  # ends at t = 1
    ask(folder, "lyapunov", SADDLE, "--to", "soon", status=2)
    ask(folder, "lyapunov", "coordinates x\nparameters m\nkinetic 1/2*m*x'^2\n", status=2)
    ask(folder, "run", SADDLE, "--section", "w", status=2)
    ask(folder, "check", SADDLE, "--section", "x", status=2)


with tempfile.TemporaryDirectory() as place:
    closed_forms(place)
    resting(place)
    jumps(place)
    on_edges(place)
    short_runs(place)
    unstable(place)
    charts(place)
    sections(place)
    wrong(place)
    if not FEW:
        chaos(place)
print(f"{checks} checks, {failures} failures")
sys.exit(1 if failures else 0)
