/* Inside derive/, included by its door: the principles behind the equations, and the geometry of the metric, as objects that
 * one can ask for. All are functions of (q, z, z', t), in the variables of the first kind, but for the geometry. */
#ifndef NH_DERIVE_PRINCIPLES_H
#define NH_DERIVE_PRINCIPLES_H

#include "derive/forms.h"

/* What is asked for: bits, and their names in the same order. */
enum {
    NH_SHOW_GAUSS = 1,
    NH_SHOW_GIBBS_APPELL = 2,
    NH_SHOW_VIRTUAL = 4,
    NH_SHOW_CHRISTOFFEL = 8,
    NH_SHOW_GEODESIC = 16,
    NH_SHOW_NEWTON = 32,
    NH_SHOW_COUNT = 6
};
extern const char *const nh_show_names[NH_SHOW_COUNT];

/* NULL: not asked for, or not there; then nh_forms.unexpanded has the reason, under "show.gauss" or "show.gauss.points".
 * Vectors at points are stored one after the other: a_0[nu*size + k]. */
typedef struct nh_principles {
    unsigned shown;
    const char **zdot_names; /* of z'^alpha: "v'" */
    nh_expr *zdot;           /* their symbols */

    nh_expr *free;      /* q''_f = g^-1 L, the free acceleration */
    nh_expr *lipschitz; /* 1/2 g_ij (q'' - q''_f)^i (q'' - q''_f)^j */
    nh_expr *gauss;     /* 1/2 sum_nu m (a - A/m)^2 */

    nh_expr *A_alpha; /* A_alpha = A_i psi^i_alpha */
    nh_expr *S;       /* 1/2 sum_nu m a^2 */
    nh_expr *S_1;     /* 1/2 sum_nu A^2/m */
    nh_expr *S_2;     /* sum_nu A.a */
    nh_expr *S_star;  /* S without what does not depend on z' */
    nh_expr *dS;      /* dS/dz'^alpha */

    size_t n_points, size; /* and components of each */
    nh_expr *a_0;          /* a_nu = a_0nu + a_alphanu z'^alpha */
    nh_expr *a_alpha;      /* a_alphanu = d_i r_nu psi^i_alpha: m blocks, each as a_0 */
    nh_expr *w;            /* w_nu = a_alphanu z'^alpha */
    nh_expr *W;            /* A_alpha z'^alpha */
    nh_expr *R_points;     /* m a - A along the motion */

    nh_expr *christoffel;       /* Gamma_ijk, [(i*n + j)*n + k] */
    nh_expr *christoffel_upper; /* Gamma^k_ij, [(i*n + j)*n + k] */
    nh_expr *geodesic;          /* -Gamma^i_hk q'^h q'^k */
} nh_principles;

#endif
