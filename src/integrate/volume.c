/* How independent rows are that must be so, C^a_i or psi_alpha: the determinant of their products, along a motion. */
#include "integrate/inner.h"

#include <math.h>
#include <string.h>

void nh_find_products(const nh_series_double *s, size_t first, size_t rows, size_t n, double *M)
{
    const uint32_t *outputs = s->tape->outputs + first;
    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += s->r[outputs[a * n + i]] * s->r[outputs[b * n + i]];
            M[a * rows + b] = sum;
        }
}

struct nh_volume {
    const nh_motion *motion;
    nh_series_double *rows;
    double *products;
};

nh_volume *nh_volume_new(const nh_motion *motion, nh_arena *arena)
{
    nh_volume *v = motion->rows ? nh_arena_array(arena, 1, sizeof *v) : NULL;
    if (!v)
        return NULL;
    *v = (nh_volume){.rows = nh_series_new_double(motion->rows, arena, 0)};
    v->products = nh_zeros(arena, motion->n_rows * motion->n_rows);
    return nh_volume_begin(v, motion) ? v : NULL;
}

bool nh_volume_begin(nh_volume *v, const nh_motion *motion)
{
    v->motion = motion;
    return nh_series_constants_double(v->rows, motion->constants);
}

/* The logarithm of the determinant of the products of the rows that were computed. */
static double log_of_products(nh_volume *v)
{
    size_t count = v->motion->n_rows;
    double product = 1, sum = 0;
    nh_find_products(v->rows, 0, count, v->motion->eq->n, v->products);
    if (!nh_decompose(v->products, count, 0))
        return -INFINITY;
    for (size_t a = 0; a < count; a++) {
        product *= v->products[a * count + a];
        if (a + 1 == count || !(product > 1e-200 && product < 1e200))
            sum += 2 * log(product), product = 1;
    }
    return sum;
}

bool nh_volume_at(nh_volume *v, double t, const double *x, double *out)
{
    if (!v)
        return false;
    v->rows->r[0] = t;
    memcpy(v->rows->r + 1, x, v->motion->size * sizeof *x);
    if (!nh_series_step_double(v->rows, 0))
        return false;
    *out = v->motion->n_rows ? log_of_products(v) : log(v->rows->r[v->rows->tape->outputs[0]]);
    return !isnan(*out);
}

/* ---------------------------------------------------------------- from step to step */

nh_watch nh_watch_begin(nh_volume *v, double t, const double *x)
{
    nh_watch w = {.t = t, .volume = NAN, .largest = -INFINITY, .change = INFINITY};
    if (nh_volume_at(v, t, x, &w.volume))
        w.largest = w.volume;
    return w;
}

/* The root of the determinant, a length, changes by a factor of 2, would lose or gain half if it went on as in the last step, or has become
 * small beside what it was. */
bool nh_watch_step(nh_volume *v, nh_watch *w, double t, const double *x)
{
    static const double factor = 1.4, small = 13.8; /* 2^2 and 1000^2 */
    double volume, length = fabs(t - w->t);
    if (!v || !nh_volume_at(v, t, x, &volume))
        return true;
    double change = volume - w->volume, expected = w->change * length;
    w->largest = fmax(w->largest, volume);
    w->t = t, w->volume = volume, w->change = fabs(exp(-change / 2) - 1) / length;
    return fabs(change) < factor && expected < 0.5 && volume > w->largest - small;
}
