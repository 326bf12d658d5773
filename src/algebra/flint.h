/* Inside algebra/: FLINT, and what differs between its versions. Fractions of polynomials came with Calcium
 * until FLINT 3.0 took them in. Its headers include each other less and less since: each one that is used is
 * named here; and from 3.2 on they declare what has to do with GMP only if its header comes first. */
#ifndef NH_ALGEBRA_FLINT_H
#define NH_ALGEBRA_FLINT_H

#include <gmp.h>

#include <flint/flint.h>
#if defined(__has_include) && __has_include(<flint/fmpz_mpoly_q.h>)
#include <flint/fmpz_mpoly_q.h>
#else
#include <calcium/fmpz_mpoly_q.h>
#endif
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/nmod.h>
#include <flint/nmod_poly.h>

#endif
