/* Inside analyse/: what kind of motion a run was: one whose neighbours leave it need not be chaotic. */
#ifndef NH_ANALYSE_ORBIT_H
#define NH_ANALYSE_ORBIT_H

#include "analyse/flow.h"

typedef enum nh_orbit {
    NH_ORBIT_BOUNDED,     /* none of the others, as far as the run tells: it comes back again and again */
    NH_ORBIT_REST,        /* nothing moves */
    NH_ORBIT_PERIODIC,    /* it comes back to a state that it had */
    NH_ORBIT_UNBOUNDED,   /* it goes farther and farther */
    NH_ORBIT_APART,       /* the neighbour leaves it where it does not move itself */
    NH_ORBIT_TO_REST,     /* it comes to a state of rest */
    NH_ORBIT_TO_PERIODIC, /* it comes to a periodic motion */
    NH_ORBIT_LINEAR,      /* so are the equations */
    NH_ORBIT_PLANE,       /* fewer than three dimensions, and no time in the equations */
    NH_ORBIT_PASSING,     /* where the neighbour leaves it, it does not go to and fro */
} nh_orbit;

typedef struct nh_trace nh_trace;

/* Of those variables of a flow; from the state of the stepper on. */
nh_trace *nh_trace_new(nh_flow *, const size_t *variables, size_t count, const nh_stepper *);

/* After a step that began at a time with a state. */
void nh_trace_step(nh_trace *, nh_stepper *, double t, const double *x);

/* One of several parts of equal length is over. */
void nh_trace_part(nh_trace *);

/* w: the neighbour, by variable; late: of the end of the run, or NULL. */
nh_orbit nh_trace_end(const nh_trace *, const nh_trace *late, const double *w);

#endif
