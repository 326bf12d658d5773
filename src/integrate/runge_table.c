/* The numbers of the method of order 8 of Dormand and Prince, with estimators of orders 5 and 3. */
#include "integrate/inner.h"

/* runge.def five times: what it says of one matter at a time. */
#define WEIGHT(i, j, a)
#define LAST(j, b)
#define FIFTH(j, e)
#define THIRD(j, e)

const nh_runge_table nh_runge_8 = {
    .nodes =
        {
#define NODE(i, c) [i] = c,
#include "integrate/runge.def"
#undef NODE
#define NODE(i, c)
        },
    .weights =
        {
#undef WEIGHT
#define WEIGHT(i, j, a) [i][j] = a,
#include "integrate/runge.def"
#undef WEIGHT
#define WEIGHT(i, j, a)
        },
    .last =
        {
#undef LAST
#define LAST(j, b) [j] = b,
#include "integrate/runge.def"
#undef LAST
#define LAST(j, b)
        },
    .fifth =
        {
#undef FIFTH
#define FIFTH(j, e) [j] = e,
#include "integrate/runge.def"
#undef FIFTH
#define FIFTH(j, e)
        },
    .third =
        {
#undef THIRD
#define THIRD(j, e) [j] = e,
#include "integrate/runge.def"
        },
};
