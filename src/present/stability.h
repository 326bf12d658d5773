/* Inside present/: what linearize.c and equilibria.c share. */
#ifndef NH_PRESENT_STABILITY_H
#define NH_PRESENT_STABILITY_H

#include "analyse/analyse.h"

static inline const char *nh_stability_text(nh_stability verdict)
{
    return verdict == NH_STABLE ? "stable" : verdict == NH_UNSTABLE ? "unstable" : "undecided";
}

#endif
