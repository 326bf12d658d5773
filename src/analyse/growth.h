/* Inside analyse/: whether the energy grows anywhere near a state. */
#ifndef NH_ANALYSE_GROWTH_H
#define NH_ANALYSE_GROWTH_H

#include "analyse/linearize.h"

/* Whether dH(x') <= 0 at all states that are tried near a steady motion, on what is held; slope: dH/dx by variable, and dH/dt behind them; power: dH(x') in
 * a form in which nothing cancels; NH_EXPR_NONE: there is none. */
bool nh_energy_falls_nearby(nh_flow *, const nh_linearization *, const nh_expr *slope, nh_expr power);

#endif
