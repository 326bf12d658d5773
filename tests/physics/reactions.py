#!/usr/bin/env python3
"""reactions.py NONHOLO: reactive forces and moments at points and bodies, against what mechanics says of them.

A disc that rolls feels the ground at one point: the moment about it is zero. A rod on a hinge, a bob on a string and a block on
an incline have closed forms."""
import csv
import io
import math
import subprocess
import sys

DISC = """coordinates x, y
angles psi, theta, phi
parameters m = 1.3, R = 0.4, A = 0.06, C = 0.11, g = 9.81
frame B = Rz(psi)*Rx(-theta), W = B*Ry(phi)
body D at (x, y, 0) + R*axis(B, 3) frame W mass m inertia (A, C, A) torque (0.1, 0.2, -0.3)
constraint vel(D) + cross(angvel(D), -R*axis(B, 3)) = (0, 0, 0)
independent theta', psi', phi'
initial theta = 0.3, theta' = 0.5, psi' = -0.7, phi' = 4
let M = reaction(D, (x, y, 0))
observe M1 = M[1], M2 = M[2], M3 = M[3], normal = reaction(D)[3]
gravity (0, 0, -g)
"""
# I: about the centre; the hinge is at the origin
ROD = """angles a
parameters m = 2, l = 3/4, I = 0.2, g = 9.81
body S at l*(sin(a), 0, -cos(a)) frame Ry(-a) mass m inertia (I, I, I)
gravity (0, 0, -g)
initial a = 1, a' = 0.4
observe along = dot(reaction(S), (-sin(a), 0, cos(a))), across = dot(reaction(S), (cos(a), 0, sin(a)))
observe hinge = reaction(S, (0, 0, 0))[2], moment = reaction(S, pos(S))[2]
"""
BOB = """coordinates x, y
parameters m = 2, l = 3/2, g = 9.81
point P at (x, y) mass m force (0.3, 0)
gravity (0, -g)
constraint x^2 + y^2 = l^2
initial x = 0.9, y = -1.2, x' = 0.8, y' = 0.6
observe T = -dot(reaction(P), pos(P))/l, S = cross(reaction(P), pos(P))
"""
BLOCK = """coordinates x, y
parameters m = 3, alpha = 0.4, g = 9.81
point P at (x, y) mass m
gravity (0, -g)
constraint y' = -tan(alpha)*x'
observe N = dot(reaction(P), (sin(alpha), cos(alpha))), F = dot(reaction(P), (cos(alpha), -sin(alpha)))
"""

failures = checks = 0


def rows(nonholo, model, *options):
    done = subprocess.run([nonholo, "run", "-", "--quiet", *options], input=model, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]


def near(value, expected, what, tolerance=1e-10):
    global failures, checks
    checks += 1
    if not abs(value - expected) <= tolerance * max(1, abs(expected)):
        failures += 1
        print(f"{what}: {value!r} is not {expected!r}")


def disc(nonholo, method):
    for row in rows(nonholo, DISC, "--to", "3", "--method", method):
        for name in ("M1", "M2", "M3"):
            near(row[name], 0, f"disc, {method}, {name} at t = {row['t']}")
    upright = rows(nonholo, DISC.replace("torque (0.1, 0.2, -0.3)", ""), "--to", "1", "--start", "theta=0,theta'=0,psi'=0,phi'=5")
    for row in upright:
        near(row["normal"], 1.3 * 9.81, "disc upright, normal force")


def rod(nonholo):
    m, l, I, g = 2, 0.75, 0.2, 9.81
    for row in rows(nonholo, ROD, "--to", "3"):
        a, rate = row["a"], row["a'"]
        down = -m * g * l * math.sin(a) / (I + m * l * l)
        near(row["along"], m * (l * rate**2 + g * math.cos(a)), "rod, along")
        near(row["across"], m * (l * down + g * math.sin(a)), "rod, across")
        near(row["hinge"], 0, "rod, moment about the hinge")
        near(row["moment"], -I * down, "rod, moment about the centre")


def bob(nonholo, method):
    for row in rows(nonholo, BOB, "--to", "3", "--method", method):
        speed = row["x'"] ** 2 + row["y'"] ** 2
        near(row["T"], 2 * (speed - 9.81 * row["y"]) / 1.5 + 0.3 * row["x"] / 1.5, f"bob, {method}, tension")
        near(row["S"], 0, f"bob, {method}, across")


def block(nonholo):
    for row in rows(nonholo, BLOCK, "--to", "1"):
        near(row["N"], 3 * 9.81 * math.cos(0.4), "block, normal force")
        near(row["F"], 0, "block, friction")


def main():
    nonholo = sys.argv[1]
    for method in ("first", "second"):
        disc(nonholo, method)
        bob(nonholo, method)
    rod(nonholo)
    block(nonholo)
    print(f"{checks} checks, {failures} failures")
    sys.exit(failures > 0 or checks < 1000)


if __name__ == "__main__":
    main()
