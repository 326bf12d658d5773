/* The door of analyse/: what the equations tell of the motions without integrating them. */
#ifndef NH_ANALYSE_H
#define NH_ANALYSE_H

#include "analyse/holonomy.h"
#include "analyse/measure.h"

#endif
