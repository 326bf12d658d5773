/* Inside tape/: exact numbers in the precisions of the machines. */
#ifndef NH_TAPE_NUMBER_H
#define NH_TAPE_NUMBER_H

#include "tape/tape.h"

double nh_number_double(nh_rational value, bool pi);
long double nh_number_long(nh_rational value, bool pi);
#ifdef NH_HAS_QUAD
__float128 nh_number_quad(nh_rational value, bool pi);
#endif

#endif
