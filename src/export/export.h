/* The door of export/: the equations as source code. Its call is public: see nonholo.h. */
#ifndef NH_EXPORT_H
#define NH_EXPORT_H

#include "tape/tape.h"

#endif
