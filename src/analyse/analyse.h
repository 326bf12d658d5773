/* The door of analyse/: what can be said of the motions without following them. */
#ifndef NH_ANALYSE_H
#define NH_ANALYSE_H

#include "analyse/integrals.h"

#endif
