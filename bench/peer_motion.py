#!/usr/bin/env python3
"""peer_motion.py derive SYSTEM PARAMETERS OUT: the equations of motion as a Python function, made by SymPy.
peer_motion.py run FUNCTION TO BUDGET TOL...: motions with DOP853 of SciPy on that function.

SYSTEM is what `derivation --system` writes, PARAMETERS a JSON file with their values. The equations are those of KanesMethod
(see peer_derivation.py); for a constraint that is not linear, which KanesMethod does not take, those of the first kind by hand.
lambdify makes a function of them, common subexpressions taken out, and numpy solves the linear equations for z'. These are two
commands since SymPy and SciPy may be at home in different Pythons. The starts of `run` stand on the standard input, and it writes
lines as peer_gsl does; for each tolerance it takes no further start when its budget of seconds is used up.
"""
import inspect
import json
import sys
import time

SOURCE = '''\
from math import *
from numpy.linalg import solve
M = {m}


{function}

def field(t, y):
    out = equations(*y.tolist())
    n = len(out) - M * M - M
    matrix = [out[n + i * M:n + (i + 1) * M] for i in range(M)]
    return out[:n] + solve(matrix, out[n + M * M:]).tolist()
'''


def equations_of(path):
    """q' in (q, z), and matrix and right-hand side for z'; with names for plain symbols."""
    import peer_derivation
    system = peer_derivation.System(path, True)
    if 'points' not in path:
        matrix, right = peer_derivation.kane(path)[0]()
    else:
        matrix, right = first_kind(system)
    return system, matrix, right


def first_kind(system):
    """G z' = psi_alpha (L - g drift), by hand: the metric of the points is constant, and they have coordinates alone."""
    import sympy
    psi = sympy.Matrix(system.psi)
    psi_alpha = psi.jacobian(system.z)
    g = sympy.hessian(system.K, system.rate)
    force = -sympy.Matrix([system.V.diff(q) for q in system.q])
    return psi_alpha.T * g * psi_alpha, psi_alpha.T * force


def derive(path, parameters, out):
    import sympy
    import peer_derivation
    sys.setrecursionlimit(100000)
    system, matrix, right = equations_of(path)
    with open(parameters, encoding='utf-8') as file:
        values = {name: sympy.Rational(value) for name, value in json.load(file).items()}
    plain = peer_derivation.plain_symbols(system)
    every = sympy.Matrix([*system.psi, *matrix, *right]).xreplace(plain)
    every = every.xreplace({symbol: values[symbol.name] for symbol in every.free_symbols if symbol.name in values})
    state = [plain[x] for x in (*system.q, *system.z)]
    made = sympy.lambdify(state, list(every), modules='math', cse=True)
    function = inspect.getsource(made).replace('_lambdifygenerated', 'equations')
    with open(out, 'w', encoding='utf-8') as file:
        file.write(SOURCE.format(m=len(system.z), function=function))


def run(path, to, budget, tolerances):
    import scipy
    from scipy.integrate import solve_ivp
    found = {}
    with open(path, encoding='utf-8') as file:
        exec(compile(file.read(), path, 'exec'), found)
    field = found['field']
    starts = [[float(word) for word in line.split()] for line in sys.stdin]
    for tol in tolerances:
        spent = 0
        for k, start in enumerate(starts):
            begin = time.process_time()
            done = solve_ivp(field, (0, to), start, method='DOP853', rtol=tol, atol=tol, t_eval=[to])
            seconds = time.process_time() - begin
            spent += seconds
            if done.success and len(done.t):
                print(json.dumps({'start': k, 'tol': tol, 'seconds': seconds, 'calls': done.nfev, 'version': scipy.__version__,
                                  'final': [repr(float(x)) for x in done.y[:, -1]]}), flush=True)
            if spent > budget:
                break


def main():
    if sys.argv[1] == 'derive':
        derive(*sys.argv[2:])
    else:
        run(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), [float(tol) for tol in sys.argv[5:]])


if __name__ == '__main__':
    main()
