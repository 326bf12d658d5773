/* peer_cvode adams|bdf SYSTEM TO BUDGET TOL...: motions with CVODE of SUNDIALS: Adams's methods with fixed-point iteration, or
 * BDF with Newton's and a dense matrix of differences. Otherwise as peer_gsl. */
#include "fields.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static bool stiff;
static SUNContext context;

static int field_of(realtype t, N_Vector y, N_Vector d, void *user)
{
    (void)t;
    ((const field_system *)user)->field(N_VGetArrayPointer(y), N_VGetArrayPointer(d));
    return 0;
}

static void silent(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

static bool motion(const field_system *system, double *y, double to, double tol, long *calls)
{
    N_Vector state = N_VMake_Serial(system->n, y, context);
    void *solver = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, context);
    SUNMatrix matrix = NULL;
    SUNLinearSolver linear = NULL;
    SUNNonlinearSolver iteration = NULL;
    realtype t = 0;
    long more = 0;
    CVodeSetErrHandlerFn(solver, silent, NULL);
    CVodeInit(solver, field_of, 0, state);
    CVodeSStolerances(solver, tol, tol);
    CVodeSetUserData(solver, (void *)system);
    CVodeSetMaxNumSteps(solver, 100000000);
    CVodeSetStopTime(solver, to);
    if (stiff) {
        matrix = SUNDenseMatrix(system->n, system->n, context);
        linear = SUNLinSol_Dense(state, matrix, context);
        CVodeSetLinearSolver(solver, linear, matrix);
    } else {
        iteration = SUNNonlinSol_FixedPoint(state, 0, context);
        CVodeSetNonlinearSolver(solver, iteration);
    }
    bool done = CVode(solver, to, state, &t, CV_NORMAL) >= 0;
    CVodeGetNumRhsEvals(solver, calls);
    if (stiff && CVodeGetNumLinRhsEvals(solver, &more) == 0)
        *calls += more;
    CVodeFree(&solver);
    SUNLinSolFree(linear), SUNMatDestroy(matrix), SUNNonlinSolFree(iteration);
    N_VDestroy(state);
    return done;
}

int main(int argc, char **argv)
{
    if (argc < 6 || SUNContext_Create(NULL, &context) != 0)
        return 2;
    stiff = strcmp(argv[1], "bdf") == 0;
    return measure(argv[2], atof(argv[4]), argv + 5, argc - 5, atof(argv[3]), motion);
}
