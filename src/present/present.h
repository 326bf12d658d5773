/* The door of present/: results as text and JSON. Its calls are public: see nonholo.h. */
#ifndef NH_PRESENT_H
#define NH_PRESENT_H

#include "model/model.h"

/* A fact and how it is known. */
typedef struct nh_fact {
    const char *name, *verdict; /* proved, tested, refuted, unknown */
    const char *detail;
} nh_fact;

#endif
