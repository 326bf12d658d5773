/* Several numbers side by side in a register of the processor, which computes with all of them at once. */
#ifndef NH_BASE_LANES_H
#define NH_BASE_LANES_H

enum { NH_LANES = 4 };
typedef double nh_lanes __attribute__((vector_size(8 * NH_LANES), aligned(8)));

#endif
