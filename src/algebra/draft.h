/* Inside algebra/: a pool for drafts.
 *
 * On the way to a readable form many are written that nobody will see. They are made in a pool of their own, which is
 * thrown away in the end; only what was asked for is brought back. There the handles depend on the expressions alone,
 * and so does every choice that is made by them: the same comes out whatever else the caller's pool holds. */
#ifndef NH_ALGEBRA_DRAFT_H
#define NH_ALGEBRA_DRAFT_H

#include "algebra/algebra.h"

/* What is done in the draft's pool, which is the algebra's meanwhile, with the input there. False: there is no output. */
typedef bool nh_draft_body(nh_algebra *, const nh_expr *in, nh_expr *out, void *arg);

/* Returns what the body does; where it is true, out[] has been brought back. Where something gives up, the draft is
 * freed on the way. */
bool nh_draft_run(nh_algebra *, const nh_expr *in, size_t n_in, nh_expr *out, size_t n_out,
                  nh_draft_body *body, void *arg);

#endif
