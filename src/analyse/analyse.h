/* The door of analyse/: the questions that come after the equations. */
#ifndef NH_ANALYSE_H
#define NH_ANALYSE_H

#include "analyse/equilibria.h"
#include "analyse/holonomy.h"
#include "analyse/integrals.h"
#include "analyse/linearize.h"
#include "analyse/lyapunov.h"
#include "analyse/measure.h"
#include "analyse/outlook.h"
#include "analyse/vary.h"

#endif
