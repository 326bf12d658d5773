/* Inside tape/. */
#ifndef NH_TAPE_INNER_H
#define NH_TAPE_INNER_H

#include "tape/tape.h"

/* series.c: a linear system of a tape, coefficient k; 0: singular. Called by machine code too. */
int nh_series_solve(nh_series_double *, const nh_step *, double k);

#endif
