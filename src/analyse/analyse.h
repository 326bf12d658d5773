/* The door of analyse/: what can be said of the motions without following them. */
#ifndef NH_ANALYSE_H
#define NH_ANALYSE_H

#include "analyse/holonomy.h"
#include "analyse/integrals.h"
#include "analyse/measure.h"

#endif
