/* Inside algebra/: FLINT. From version 3 on its headers include each other less and less: each one that is used is named here; and from 3.2
 * on they declare what has to do with GMP only if its header comes first. */
#ifndef NH_ALGEBRA_FLINT_H
#define NH_ALGEBRA_FLINT_H

#include <gmp.h>

#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_vec.h>
#include <flint/nmod.h>
#include <flint/nmod_poly.h>

#endif
