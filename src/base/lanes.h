/* Several numbers side by side in a register of the processor, which computes with all of them at once. How many there are depends on
 * the processor: the files that are compiled for each kind of it (tape/wide.cmake) compute with them, and all others hand them on, or see
 * as many numbers behind each other as nh_lanes_count() says. */
#ifndef NH_BASE_LANES_H
#define NH_BASE_LANES_H

#ifdef NH_BY_PROCESSOR
#ifdef NH_FOR_WIDEST
enum { NH_LANES = 8 };
#else
enum { NH_LANES = 4 };
#endif
typedef double nh_lanes __attribute__((vector_size(8 * NH_LANES), aligned(8)));
#else
typedef struct nh_lanes nh_lanes;
#endif

enum { NH_LANES_AT_MOST = 8 };

#endif
