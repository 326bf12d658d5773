/* The door of present/: results as text and JSON. Its calls are public: see nonholo.h. */
#ifndef NH_PRESENT_H
#define NH_PRESENT_H

#include "derive/derive.h"

/* facts.c: all facts, those on the kind of the constraints first; in words. */
nh_facts nh_all_facts(nh_equations *);
const char *nh_verdict_text(nh_verdict);

#endif
