# FLINT: from 3.0 on all in one library; before, fractions of polynomials are in Calcium, with what that needs.
# Sets NH_FLINT_LIBRARIES.
find_path(NH_FLINT3_INCLUDE flint/fmpz_mpoly_q.h)
find_path(NH_CALCIUM_INCLUDE calcium/fmpz_mpoly_q.h)
if(NH_FLINT3_INCLUDE)
  set(NH_FLINT_LIBRARIES flint mpfr)
elseif(NH_CALCIUM_INCLUDE)
  set(NH_FLINT_LIBRARIES calcium flint-arb antic flint mpfr)
else()
  message(FATAL_ERROR "FLINT is not there; `scripts/setup build` installs what the build needs")
endif()
