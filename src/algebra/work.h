/* Inside algebra/: a ring for some expressions, in a job. */
#ifndef NH_ALGEBRA_WORK_H
#define NH_ALGEBRA_WORK_H

#include "algebra/algebra.h"
#include "algebra/readable.h"
#include "algebra/ring.h"

/* Makes the basis of the roots, starts a job, makes the ring, and runs body(ring, arg) there. False: given up; the
 * reason is in the algebra. */
bool nh_work(nh_algebra *, const nh_expr *roots, size_t count, bool chained, void (*body)(nh_ring *, void *),
             void *arg);

#endif
