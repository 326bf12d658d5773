"""Small systems whose rest, and whose motions near by, are known."""
import mpmath as mp

PENDULUM = """system Pendulum
angles q
parameters m = 2, g = 9.81, l = 3/2, c = 0
kinetic 1/2*m*l^2*q'^2
potential -m*g*l*cos(q)
force q = -c*q'
"""
BOB = """system Pendulum as a point on a circle
coordinates x, y
parameters m = 2, g = 9.81, l = 3/2
point P at (x, y) mass m
gravity (0, -g)
constraint rod: x^2 + y^2 = l^2
initial y = -l
"""
BOB_WITH_FRICTION = BOB.replace('mass m', 'mass m force -1/2*vel(P)')
DOUBLE_BOB = """system Double pendulum as two points
coordinates x1, y1, x2, y2
parameters g = 9.81
point P at (x1, y1) mass 1
point Q at (x2, y2) mass 1
gravity (0, -g)
constraint x1^2 + y1^2 = 1
constraint (x2 - x1)^2 + (y2 - y1)^2 = 1
initial y1 = -1, y2 = -2
"""
# along y = 1 - x^2/c the potential is a/2 (1 + (1 - 2/c) x^2 + ...): a well for a > 0, c > 2 and for a < 0, c < 2, whatever it is beside the curve
CURVED = """system Bead on a parabola, in a field around a point
coordinates x, y
parameters a = 1, c = 4
kinetic 1/2*(x'^2 + y'^2)
potential a/2*(x^2 + y^2)
constraint y = 1 - x^2/c
initial y = 1
"""
# the bottom is a strict minimum; a blade does not change that
BLADE_IN_BOWL = """system A blade in a bowl
coordinates x, y, z
angles theta
parameters g = 9.81
kinetic 1/2*(x'^2 + y'^2 + z'^2 + theta'^2)
potential g*z + 1/2*theta^2
constraint z = x^2 + 2*y^2
constraint x'*sin(theta) - y'*cos(theta) = 0
"""
# springs that are written as forces, whose work is that of a potential; and one where it is not: (s^2 + 3)^2 = 1/100
SPRINGS = """system Springs as forces
coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
force x = -3*x + y, y = x - 3*y
"""
CIRCULATORY = SPRINGS.replace('x - 3*y', '1/100*x - 3*y')
# |v| v has the derivative 0 at v = 0, where sqrt(v^2) has none; a drag that takes energy away leaves a minimum stable, a wind that brings some does not
DRAG = """system Drag by the square of the speed
coordinates x, y
parameters c = 1/2
kinetic 1/2*(x'^2 + y'^2)
potential 1/2*(3*x^2 + 5*y^2)
force x = -c*sqrt(x'^2 + y'^2)*x', y = -c*sqrt(x'^2 + y'^2)*y'
"""
BOB_WITH_DRAG = BOB.replace('mass m', 'mass m force -1/2*norm(vel(P))*vel(P)')
PENDULUM_WITH_DRAG = PENDULUM.replace("-c*q'", "-c*abs(q')*q'").replace('c = 0', 'c = 1')
SPEED = DRAG.replace("*x', y", ', y').replace("*y'\n", '\n')
DOUBLE = """system Double pendulum
angles a, b
parameters m = 1, l = 2, g = 9.81
point P at l*(sin(a), -cos(a)) mass m
point Q at pos(P) + l*(sin(b), -cos(b)) mass m
gravity (0, -g)
"""
HOOP = """system Bead on a rotating hoop
angles q
parameters m = 1, R = 1/2, g = 9.81, omega = 5
kinetic 1/2*m*R^2*(q'^2 + omega^2*sin(q)^2)
potential -m*g*R*cos(q)
"""
DRIVEN_HOOP = """system Bead on a hoop that turns with the time
angles q
parameters m = 1, R = 1/2, g = 9.81, omega = 5
input turn = omega*t
point P at R*(sin(q)*cos(turn), sin(q)*sin(turn), -cos(q)) mass m
gravity (0, 0, -g)
"""
CART = """system Pendulum on a cart that is held by its force
coordinates x
angles q
parameters M = 2, m = 1/2, l = 3/4, g = 9.81, k1 = 4, k2 = 6, k3 = 60, k4 = 14
point C at (x, 0) mass M
point P at (x + l*sin(q), l*cos(q)) mass m
gravity (0, -g)
force x = k1*x + k2*x' + k3*sin(q) + k4*q'
"""
CARRIED = """system Pendulum on a carriage of constant speed
angles q
parameters m = 1, l = 3/4, g = 9.81, v = 3
input s = v*t
point P at (s + l*sin(q), -l*cos(q)) mass m
gravity (0, -g)
"""
SHAKEN = CARRIED.replace('input s = v*t', 'input s = v*cos(7*t)')
MATHIEU = """system Mathieu
coordinates x
parameters a = 1, b = 1/2
kinetic 1/2*x'^2
force x = -(a + b*cos(2*t))*x - x'
"""
SLEIGH = """system Off-centre sleigh
coordinates x, y
angles theta
parameters m = 3, a = 2/5, I = 1/2
point G at (x + a*cos(theta), y + a*sin(theta)) mass m
kinetic 1/2*I*theta'^2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
initial v = 1
"""
# at y = z = 0, x' = 1 only x' is bound, in first order: y'' = -k y - c y', z'' = -n z - c z'
QUINTIC = """system A constraint that cannot be solved
coordinates x, y, z
parameters k = 3, n = 5, c = 1
kinetic 1/2*(x'^2 + y'^2 + z'^2)
potential 1/2*(k*y^2 + n*z^2)
force y = -c*y', z = -c*z'
constraint C: x' + x'^5 + y'^3 + z'^3 = 2
initial x' = 1
"""
WELL = """system Two wells
coordinates x
parameters m = 1, a = 4, b = 1, c = 0
kinetic 1/2*m*x'^2
potential 1/4*b*x^4 - 1/2*a*x^2
force x = -c*x'
"""
HANGING = """system Hanging from a spring
coordinates x
parameters m = 2, k = 7, g = 9.81
kinetic 1/2*m*x'^2
potential 1/2*k*x^2 - m*g*x
"""
TWO_HANGING = """system Two hanging from springs
coordinates x, y
parameters m = 2, M = 3, k = 50, n = 40, g = 9.81
kinetic 1/2*m*x'^2 + 1/2*M*y'^2
potential 1/2*k*x^2 + 1/2*n*(y - x)^2 - m*g*x - M*g*y
"""
FALLING = """system Falling
coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
potential 9.81*y
"""
SKATE = """system Skate
coordinates x, y
angles theta
parameters m = 2, I = 1/2
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
velocities v, w
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
"""
SPHERICAL = """system Spherical pendulum as a point on a sphere
coordinates x, y, z
parameters m = 1, g = 9.81, l = 2
point P at (x, y, z) mass m
gravity (0, 0, -g)
constraint x^2 + y^2 + z^2 = l^2
initial z = -l
"""
# in angles about the vertical, with a wheel: the metric is singular at both poles, upright or not, and only there does nothing pull
GEARED = """system Spherical pendulum that turns a wheel
coordinates r
angles th, ph
kinetic 1/2*(th'^2 + sin(th)^2*ph'^2) + 1/2*r'^2
potential cos(th)
constraint r' = 1/2*sin(th)^2*ph'
"""
# a mass so small that it hides what vanishes beside it
LIGHT = """system Spherical pendulum beside a light particle
coordinates x
angles th, ph
kinetic 1/2*1e-30*x'^2 + 1/2*(th'^2 + sin(th)^2*ph'^2)
potential cos(th) + 1e-30*x^2
"""
LIGHT_PLANE = LIGHT.replace(', ph', '').replace(" + sin(th)^2*ph'^2", '')
# no free velocities are good everywhere on a sphere; the pendulum in angles is singular at both poles, whichever are used
BESIDE = """system Spherical pendulum beside a point on spheres
coordinates x, y, z
angles th, ph
kinetic 1/2*(x'^2 + y'^2 + z'^2) + 1/2*(th'^2 + sin(th)^2*ph'^2)
potential z + cos(th)
constraint x*x' + y*y' + z*z' = 0
initial x = 1/10, y = 1/5, z = 1, th = 1
"""
# drawn to the axis of the spheres: it rests at the poles, where the free velocities degenerate, and on the equator
TO_AXIS = """system On spheres, drawn to an axis
coordinates x, y, z
kinetic 1/2*(x'^2 + y'^2 + z'^2)
potential 1/2*(x^2 + y^2)
constraint x*x' + y*y' + z*z' = 0
initial x = 1
"""
SADDLE = """system A saddle with friction
coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
potential 1/2*(x^2 - y^2)
force x = -x', y = -y'
"""
QUARTIC = """system A flat bottom
coordinates x
kinetic 1/2*x'^2
potential x^4
"""
HILL = QUARTIC.replace('x^4', '-x^4').replace('bottom', 'top')
CUBIC = QUARTIC.replace('x^4', 'x^3')
FREE = """system Free
coordinates x
kinetic 1/2*x'^2
"""
# indefinite, and stable by gyroscopic forces in first order only: the linear equations do not decide
GYRO = """system A hill with gyroscopic forces
coordinates x, y
parameters w = 5
kinetic 1/2*(x'^2 + y'^2)
potential -1/2*(x^2 + 2*y^2)
force x = w*y', y = -w*x'
"""
# with friction, however small, a gyroscopically stabilised hill is unstable (Thomson, Tait, Chetaev)
CHETAEV = GYRO.replace("w*y', y = -w*x'", "w*y' - 1/1000*x', y = -w*x' - 1/1000*y'")
# x'' = y' and y'' = -x': circles, whose centres drift under no force; rest is a family, and stable
MAGNETIC = """system A charge in a magnetic field
coordinates x, y
parameters w = 2
kinetic 1/2*(x'^2 + y'^2)
force x = w*y', y = -w*x'
"""
WIRE = """system Bead on a wavy wire
coordinates x
parameters m = 2, k = 3/2
kinetic 1/2*m*x'^2
potential k*(1/2*x^2 - sin(x))
"""
SWINGING_SLEIGH = """system Sleigh with a pendulum
coordinates x, y
angles theta, a
parameters M = 3, I = 1, m = 1/2, l = 0.4, g = 9.81, k = 0.2
let e = (cos(theta), sin(theta), 0)
point S at (x, y, 0) mass M
point B at (x, y, 0) + l*(sin(a)*e - cos(a)*(0, 0, 1)) mass m
kinetic 1/2*I*theta'^2
gravity (0, 0, -g)
force a = -k*a'
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
initial theta = 0.2, a = 0.5, theta' = 1, x' = cos(0.2), y' = sin(0.2)
"""
TRICYCLE = """system Tricycle with a pole
coordinates x, y
angles theta, delta, beta
parameters m = 4, I = 1, J = 1/5, l = 1, a = 0.3, k = 2, c = 1/10, mp = 1/2, g = 9.81, h = 0.6
let e = (cos(theta), sin(theta), 0)
let n = (-sin(theta), cos(theta), 0)
point P at (x, y, 0) + a*e mass m
point Q at (x, y, 0) + h*(sin(beta)*n + cos(beta)*(0, 0, 1)) mass mp
kinetic 1/2*I*theta'^2 + 1/2*J*(theta' + delta')^2
potential 1/2*k*delta^2 + 4*beta^2
gravity (0, 0, -g)
force beta = -c*beta', delta = -c*delta'
constraint x'*sin(theta) - y'*cos(theta) = 0
constraint x'*sin(theta + delta) - y'*cos(theta + delta) - l*theta'*cos(delta) = 0
initial x' = 1, delta = 0.2, beta = 0.1
"""
WINDY_SKATE = """system Skate whose speed and turn are coupled by drag
coordinates x, y
angles theta
velocities v, w
parameters m = 2, I = 1/2
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
let s = x'*cos(theta) + y'*sin(theta)
force theta = s - s^3/4 - theta'
parametric x' = v*cos(theta), y' = v*sin(theta), theta' = w
initial v = 2, w = 2
"""
WAVY_SKATE = """system Skate that a wavy slope turns
coordinates x, y
angles theta
parameters m = 2, I = 1/2, k = 3/2
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2
potential k*(1/2*x^2 - sin(x)) + exp(y/3) - cos(theta) + theta^2/20
constraint x'*sin(theta) - y'*cos(theta) = 0
"""
ELLIPSE = """system A point on an ellipse with a spring
coordinates x, y
parameters m = 2, k = 3/2, a = 0.7
kinetic 1/2*m*(x'^2 + y'^2)
potential k*(1/2*x^2 - sin(x)) + a*exp(y/3)
constraint x^2/4 + y^2 = 1
initial x = 2
"""
DOUBLE_ZERO = """system Two double zeros
coordinates x
parameters m = 2
kinetic 1/2*m*x'^2
potential x^5/5 - 4*x^3/3 + 4*x
"""
RUNNERS = """system Two runners, one k times as fast
coordinates x1, y1, x2, y2
parameters m1 = 1, m2 = 2, k = 3/2, c = 1
kinetic 1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)
potential 1/2*c*((x1 - x2)^2 + (y1 - y2)^2)
constraint ratio: x1'^2 + y1'^2 = k^2*(x2'^2 + y2'^2)
initial x1 = 1, y1 = 1, x1' = 3/2, x2' = 0, y2' = 1
"""


def chain(count, walls=True):
    names = [f'x{i}' for i in range(1, count + 1)]
    ends = ['0', *names, '0'] if walls else names
    return '\n'.join(['system Chain', 'coordinates ' + ', '.join(names), 'parameters m = 3, k = 5',
                      'kinetic 1/2*m*(' + ' + '.join(f"{x}'^2" for x in names) + ')',
                      'potential 1/2*k*(' + ' + '.join(f'({b} - {a})^2' for a, b in zip(ends, ends[1:])) + ')', ''])


def pair(square):
    """The eigenvalues +-root of a square."""
    root = mp.sqrt(mp.mpc(square))
    return [root, -root]


def roots(*coefficients):
    """Of a polynomial, the highest coefficient first."""
    return mp.polyroots([mp.mpf(c) for c in coefficients], maxsteps=200, extraprec=200)
