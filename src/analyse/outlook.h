/* What the longer searches find at once, for the table of facts. */
#ifndef NH_ANALYSE_OUTLOOK_H
#define NH_ANALYSE_OUTLOOK_H

#include "derive/derive.h"

/* Adds the facts `first-integrals`, in the smallest space, and `states-of-rest`, by a short search; for small systems only. */
void nh_outlook_facts(nh_equations *equations, nh_facts *facts);

#endif
