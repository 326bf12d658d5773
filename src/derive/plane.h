/* Inside derive/: the equations of a problem to first order. */
#ifndef NH_DERIVE_PLANE_H
#define NH_DERIVE_PLANE_H

#include "derive/nearest.h"

/* F_a/l_a + J_a (s - s_now) with |J_a| = 1. */
typedef struct nh_plane {
    size_t n, rank;
    double *d;              /* of the unknowns */
    double *F, *length, *J; /* F_a/l_a; l_a, 0: the row is; by rows */
    double *left;           /* what is left of the rows without Q so far */
    double *Q; /* n orthonormal rows: the first `rank` span those of J, the others what F leaves free */
    double *R; /* J of picked[k] = sum over l <= k of R_kl Q_l */
    size_t *picked;
    double *c, *step; /* rank, n numbers: workspace */
} nh_plane;

double *nh_unknown_slot(const nh_problem *, size_t i);       /* where its value is */
double *nh_plane_numbers(const nh_problem *, size_t count);  /* in the arena of the equations */
double nh_inner(const double *a, const double *b, size_t n); /* a . b */
double nh_length(const double *v, size_t n);                 /* of any size: no square is lost */

nh_plane nh_plane_of(const nh_problem *);

/* Q and R for the rows, the largest first, from where the problem was looked at; the rest of Q. */
void nh_plane_rows(const nh_problem *, nh_plane *);
void nh_plane_rest(nh_plane *);

/* x = from + part d step */
void nh_plane_go(nh_problem *, const nh_plane *, const double *from, const double *step, double part);

/* nh_onto, but that equations may touch, and that the unknowns are anywhere where it is false. */
bool nh_plane_onto(nh_problem *, nh_plane *);

#endif
