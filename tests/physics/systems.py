"""Models of the tests of `run`, and what is known of their motions: closed forms, and integrators that share nothing with the
program. Nothing here is taken from its output."""
import csv
import io
import math
import os
import subprocess
import sys
import traceback
from decimal import Decimal, getcontext

import mpmath

getcontext().prec = 50
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, 'bench'))
from models import DISC, car  # noqa: E402  (the bench's models, whose exact ends are known)

with open(os.path.join(SOURCE, 'bench', 'motion', 'points.nh'), encoding='utf-8') as stream:
    POINTS = stream.read()
CAR = car(8, False) + 'parameters kappa = 1\nforce th0 = -kappa*sin(th0)\n'
INCLINE = """system Knife edge on an incline
coordinates x, y
angles theta
parameters m = 2, I = 1/2, g = 9.81, slope = 3/5
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
potential -m*g*slope*y
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
initial x = 1, y = -2, theta = 0.4, v = 0.7, w = 1.1
"""
SLEIGH = """system Off-centre sleigh
coordinates x, y
angles theta
parameters m = 2, J = 1, a = 1/2
point G at (x + a*cos(theta), y + a*sin(theta)) mass m
kinetic 1/2*J*theta'^2
constraint blade: x'*sin(theta) = y'*cos(theta)
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
initial v = -0.6, w = -0.8
"""
TURNTABLE = """system Ball on a turntable
coordinates x, y
angles a, b, c
parameters m = 3, R = 1/4, j = 2/5, n = 2
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*j*m*R^2*(a'^2 + b'^2 + c'^2)
constraint along: x' - R*b' = -n*y
constraint across: y' + R*a' = n*x
initial x = 0.5, y = 0.25, x' = -0.5, y' = 1.25, c' = 2
"""
SPEED = """system A point of constant speed
coordinates x, y
parameters m = 3, c = 2, g = 9.81
kinetic 1/2*m*(x'^2 + y'^2)
potential m*g*y
constraint speed: x'^2 + y'^2 = c^2
initial x' = 6/5, y' = 8/5
"""
# x'' = -k t, y'' = k with k from y' = t x': x' = u/sqrt(1 + t^2)
TURNING = """system A direction that depends on the time
coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
constraint line: y' = t*x'
initial x' = 2
"""
HAMEL = """system Appell and Hamel
coordinates x, y, z
parameters m = 1, a = 2, g = 9.81
kinetic 1/2*m*(x'^2 + y'^2 + z'^2)
potential m*g*z
constraint cone: z'^2 = a^2*(x'^2 + y'^2)
initial x' = 6, y' = 8, z' = 20
"""
PENDULUM = """system Pendulum
angles q
parameters g = 9.81, l = 2
kinetic 1/2*l^2*q'^2
potential -g*l*cos(q)
initial q = 1.5
"""
BOB = """system Pendulum as a point on a circle
coordinates x, y
parameters m = 1, g = 9.81, l = 2, q0 = 1.5
kinetic 1/2*m*(x'^2 + y'^2)
potential m*g*y
constraint rod: x^2 + y^2 = l^2
initial x = l*sin(q0), y = -l*cos(q0)
"""
OSCILLATOR = """system Oscillator
coordinates x
parameters k = 1
kinetic 1/2*x'^2
potential 1/2*k*x^2
initial x = 1
"""
CARRIED = """system Two points on a bar, one of them carried
coordinates x, y
parameters w = 1.5
kinetic 1/2*(x'^2 + y'^2)
potential 9.81*y
constraint bar: x*cos(w*t) + y*sin(w*t) = 1
initial x = 1
"""
DOUBLE = """system Double pendulum
angles a, b
parameters m = 1, l = 1, g = 9.81
point P at l*(sin(a), -cos(a)) mass m
point Q at pos(P) + l*(sin(b), -cos(b)) mass m
gravity (0, -g)
initial a = 2.5, b = 2
"""
UPRIGHT = """system Vertical rolling disc on an incline
coordinates x, y
angles theta, psi
parameters m = 1, R = 1/2, A = 1/8, B = 1/16, k = 3
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*(A*theta'^2 + B*psi'^2)
potential -m*k*x
constraint x' - R*cos(psi)*theta' = 0
constraint y' - R*sin(psi)*theta' = 0
velocities z1, z2
parametric x' = R*cos(psi)*z1, y' = R*sin(psi)*z1, theta' = z1, psi' = z2
initial z1 = 1, z2 = 3/2
"""
BALL = """system Ball that rolls in a parabolic force
coordinates x, y
angles a, b, c
parameters m = 1, R = 1/2, J = 2/5*m*R^2
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*(a'^2 + b'^2 + c'^2)
potential 1/2*m*(x^2 + 2*y^2)
constraint x' - R*b' = 0
constraint y' + R*a' = 0
initial x = 1, y = 1/2, x' = 1/4, c' = 1
"""
BEAD = """system A bead on a fixed circle in space, spherical
coordinates x, y, z
kinetic 1/2*(x'^2 + y'^2 + z'^2)
potential 9.81*z
constraint x^2 + y^2 + z^2 = 1
initial x = 1, y' = 2
"""


def chain(count):
    """Pendulums, each hung from the one before."""
    names = [f'q{i}' for i in range(count)]
    lines = ['angles ' + ', '.join(names)]
    before = ''
    for i, q in enumerate(names):
        lines.append(f'point P{i} at {before}(sin({q}), -cos({q}))/{count} mass 1')
        before = f'pos(P{i}) + '
    lines.append('gravity (0, -9.81)')
    lines.append('initial ' + ', '.join(f'{q} = {(-1) ** i * 0.1 * (i + 1):.1f}' for i, q in enumerate(names)))
    return '\n'.join(lines) + '\n'


# ---------------------------------------------------------------- the program

class Answer:
    def __init__(self, done):
        self.status, self.text, self.told = done.returncode, done.stdout.decode(), done.stderr.decode()
        table = list(csv.reader(io.StringIO(self.text)))
        self.names, cells = (table[0], table[1:]) if table else ([], [])
        self.rows = [dict(zip(self.names, map(float, row))) for row in cells]

    def column(self, name):
        return [row[name] for row in self.rows]

    def steps(self):
        words = self.told.split(' step')[0].split()
        return int(words[-1])

    def number(self, before, after=','):
        """What stands between two words of the summary."""
        return float(self.told.split(before)[1].split(after)[0].split()[0])


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)

    def __call__(self, model, *options, folder=None):
        command = [self.path, 'run', '-', *map(str, options)]
        return Answer(subprocess.run(command, input=model.encode(), capture_output=True, timeout=300, cwd=folder, check=False))


def off(rows, wanted, columns=None):
    """The largest error, relative to the largest value of its column, or to 1."""
    size, worst = {}, {}
    for row in rows:
        for name, value in wanted(row['t']).items():
            if columns and name not in columns:
                continue
            size[name] = max(size.get(name, 1), abs(value))
            error = abs(row[name] - value)
            worst[name] = max(worst.get(name, 0), error if error == error else math.inf)
    return max((worst[name] / size[name] for name in worst), default=math.inf)


def apart(rows, others):
    """The same for two lists of rows."""
    if len(rows) != len(others) or not rows or [row['t'] for row in rows] != [row['t'] for row in others]:
        return math.inf
    return max(max(abs(a[name] - b[name]) for a, b in zip(rows, others)) / max(1, *(abs(a[name]) for a in rows)) for name in rows[0])


def judge(tests, program, few, least):
    """Runs generators of (good, text), and ends the program. One that comes to no end itself is a failure too."""
    done, failures = 0, []
    for test in tests:
        try:
            for good, text in test(program, few):
                done += 1
                failures += [] if good else [f'{test.__name__}: {text}']
        except (LookupError, ValueError, TypeError, OSError, subprocess.SubprocessError):
            failures.append(f'{test.__name__}: {traceback.format_exc()}')
    print(*failures[:20], sep='\n')
    print(f'{done} checks, {len(failures)} failures')
    sys.exit(1 if failures or done < least else 0)


# ---------------------------------------------------------------- closed forms

def gd(x):
    """The function of Gudermann: the integral of 1/cosh."""
    return 2 * math.atan(math.tanh(x / 2))


def incline(t, x0=1, y0=-2, theta0=0.4, v0=0.7, w=1.1, k=9.81 * 3 / 5):
    """v' = k sin(theta), theta = theta0 + w t: v = b - k/w cos(theta)."""
    theta = theta0 + w * t
    b = v0 + k / w * math.cos(theta0)
    v = b - k / w * math.cos(theta)
    x = x0 + b / w * (math.sin(theta) - math.sin(theta0)) - k / (2 * w) * (t + (math.sin(2 * theta) - math.sin(2 * theta0)) / (2 * w))
    y = y0 - b / w * (math.cos(theta) - math.cos(theta0)) - k / (2 * w * w) * (math.sin(theta) ** 2 - math.sin(theta0) ** 2)
    return {'x': x, 'y': y, 'theta': theta, 'v': v, 'w': w, "x'": v * math.cos(theta), "y'": v * math.sin(theta), "theta'": w}


def sleigh(t, v0=-0.6, w0=-0.8, m=2, J=1, a=0.5):
    """v' = a w^2, (J + m a^2) w' = -m a v w: v^2 + D w^2 = V^2 with D = (J + m a^2)/m, v = V tanh(s), w = V/sqrt(D)/cosh(s)."""
    D = (J + m * a * a) / m
    V = math.sqrt(v0 * v0 + D * w0 * w0)
    rate, s0 = a * V / D, math.atanh(v0 / V)
    s, sign = s0 + rate * t, math.copysign(1, w0)
    return {'v': V * math.tanh(s), 'w': sign * V / math.sqrt(D) / math.cosh(s),
            'theta': sign * V / math.sqrt(D) / rate * (gd(s) - gd(s0))}


def turntable(t, x0=0.5, y0=0.25, u=-0.5, v=1.25, j=0.4, n=2):
    """(x', y') turns with the rate n j/(1 + j), 2n/7 for a homogeneous ball; the spin c' stays."""
    k = n * j / (1 + j)
    c, s = math.cos(k * t), math.sin(k * t)
    return {"x'": u * c - v * s, "y'": u * s + v * c, 'x': x0 + (u * s + v * (c - 1)) / k, 'y': y0 + (u * (1 - c) + v * s) / k,
            'c': 2 * t, "c'": 2}


def speed(t, c=2, g=9.81, u0=math.atan2(1.6, 1.2)):
    """The direction u has u' = -(g/c) cos(u): u = -gd(s), s = s0 + g t/c."""
    s0 = math.asinh(math.tan(-u0))
    s = s0 + g * t / c
    return {"x'": c / math.cosh(s), "y'": -c * math.tanh(s), 'x': c * c / g * (gd(s) - gd(s0)),
            'y': -c * c / g * (math.log(math.cosh(s)) - math.log(math.cosh(s0)))}


def turning(t, u=2):
    root = math.sqrt(1 + t * t)
    return {"x'": u / root, "y'": u * t / root, 'x': u * math.asinh(t), 'y': u * (root - 1)}


def hamel(t, a=2, g=9.81, rho=10):
    """The speed over ground falls at the rate g a/(1 + a^2), in a fixed direction."""
    fall = g * a / (1 + a * a)
    way, now = rho * t - fall * t * t / 2, rho - fall * t
    return {'x': 0.6 * way, 'y': 0.8 * way, 'z': a * way, "x'": 0.6 * now, "y'": 0.8 * now, "z'": a * now}


def quarter(k):
    """The complete elliptic integral K(k)."""
    a, b = 1.0, math.sqrt(1 - k * k)
    for _ in range(12):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def pendulum(t, q0='1.5', g='9.81', l=2):
    """From rest at q0: sin(q/2) = k cd(w t), k = sin(q0/2); in thirty digits, since doubles lose two of theirs in the elliptic functions."""
    with mpmath.workdps(30):
        w, k = mpmath.sqrt(mpmath.mpf(g) / l), mpmath.sin(mpmath.mpf(q0) / 2)
        sn, cn, dn = (mpmath.ellipfun(name, w * mpmath.mpf(t), k=k) for name in ('sn', 'cn', 'dn'))
        s = k * cn / dn
        return {'q': float(2 * mpmath.asin(s)),
                "q'": float(-2 * k * w * (1 - k * k) * sn / (dn * dn) / mpmath.sqrt(1 - s * s))}


def bob(t, l=2):
    known = pendulum(t)
    q, rate = known['q'], known["q'"]
    return {'x': l * math.sin(q), 'y': -l * math.cos(q), "x'": l * math.cos(q) * rate, "y'": l * math.sin(q) * rate}


def oscillator(t):
    return {'x': math.cos(t), "x'": -math.sin(t)}


def carried(t, w=1.5, g=9.81):
    """On a line that turns at the distance 1 from the origin, s along (-sin, cos): s'' = w^2 s - g cos(w t). The start is the one of
    the least velocity, here 0 = s' + w."""
    b = g / (2 * w * w)
    s = -b * math.cosh(w * t) - math.sinh(w * t) + b * math.cos(w * t)
    return {'x': math.cos(w * t) - s * math.sin(w * t), 'y': math.sin(w * t) + s * math.cos(w * t)}


# name, model, what is known, a time to which it is a good test
CLOSED = {
    'incline': (INCLINE, incline, 20),
    'sleigh': (SLEIGH, sleigh, 20),
    'turntable': (TURNTABLE, turntable, 20),
    'speed': (SPEED, speed, 3),
    'turning': (TURNING, turning, 20),
    'pendulum': (PENDULUM, pendulum, 20),
    'bob': (BOB, bob, 20),
    'oscillator': (OSCILLATOR, oscillator, 20),
    'carried': (CARRIED, carried, 3),
}


# ---------------------------------------------------------------- in fifty digits

def exact_cos_sin(x):
    x = +x
    cos, sin, term, k = Decimal(0), Decimal(0), Decimal(1), 0
    while abs(term) > Decimal('1e-60') or k < abs(x):
        if k % 2 == 0:
            cos += term if k % 4 == 0 else -term
        else:
            sin += term if k % 4 == 1 else -term
        k += 1
        term = term * x / k
    return cos, sin


def exact_pendulum(q, rate, ratio, times, h=Decimal('0.125'), order=44):
    """q'' = -ratio sin(q) by power series with fifty digits; times: multiples of h."""
    found, t = {0: (q, rate)}, Decimal(0)
    while t < max(times):
        cos, sin = exact_cos_sin(q)
        a, s, c = [q, rate], [sin], [cos]
        for n in range(order):
            s.append(sum((i * a[i] * c[n + 1 - i] for i in range(1, n + 2)), Decimal(0)) / (n + 1))
            c.append(-sum((i * a[i] * s[n + 1 - i] for i in range(1, n + 2)), Decimal(0)) / (n + 1))
            a.append(-ratio * s[n] / ((n + 1) * (n + 2)))
        q = sum(a[i] * h ** i for i in range(len(a)))
        rate = sum(i * a[i] * h ** (i - 1) for i in range(1, len(a)))
        t += h
        found[float(t)] = (q, rate)
    return {time: found[time] for time in times}
