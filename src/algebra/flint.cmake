# FLINT, 2.9 or later. Sets NH_FLINT_LIBRARIES.
find_path(NH_FLINT_INCLUDE flint/fmpz_mpoly_factor.h)
if(NOT NH_FLINT_INCLUDE)
  message(FATAL_ERROR "FLINT is not there; `scripts/setup build` installs what the build needs")
endif()
set(NH_FLINT_LIBRARIES flint mpfr)
