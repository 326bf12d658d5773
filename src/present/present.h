/* The door of present/: results as text and JSON. Its calls are public: see nonholo.h. */
#ifndef NH_PRESENT_H
#define NH_PRESENT_H

#include "derive/derive.h"

#endif
