/* Inside derive/: the first kind from squares of velocities. */
#ifndef NH_DERIVE_SQUARES_H
#define NH_DERIVE_SQUARES_H

#include "derive/inner.h"

/* G and Z_alpha where the kinetic energy is written as a sum of squares; psi: in any form; constant: by symbol, parameters. False: it is
 * no such sum, or a large one. */
bool nh_from_squares(nh_equations *, const nh_expr *psi, const bool *constant, nh_expr *G, nh_expr *Z);

#endif
