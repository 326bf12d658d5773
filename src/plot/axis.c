/* Axes: the span of the values, and where a value stands. */
#include "plot/inner.h"

#include <math.h>

/* Beyond, and nearer to zero, spans could not be divided into steps any more. */
#define LARGEST 1e300
#define SMALLEST 1e-300

/* On a logarithmic axis, which may be divided like a linear one when it is short. */
#define SMALLEST_POSITIVE 1e-290
#define SHORTEST_LOGARITHM 1e-6

/* A span that is a smaller part of its values than this is made of their rounding. */
#define ROUNDING 1e-13

static double value_on(bool logarithmic, double value)
{
    if (!(fabs(value) <= LARGEST))
        return NAN;
    if (!logarithmic)
        return value;
    return value >= SMALLEST_POSITIVE ? log10(value) : NAN;
}

/* What has no place on its own axis does not count; the other axis is not asked, so that a curve has the same span in
 * all panels. */
nh_extent nh_extent_of(const nh_curve *curves, size_t count, bool y, bool logarithmic)
{
    nh_extent extent = {INFINITY, -INFINITY};
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < curves[k].count; i++) {
            double value = value_on(logarithmic, y ? curves[k].y[i] : curves[k].x[i]);
            if (value < extent.low)
                extent.low = value;
            if (value > extent.high)
                extent.high = value;
        }
    return extent;
}

static double least_span(double low, double high)
{
    return fmax(SMALLEST, ROUNDING * fmax(fabs(low), fabs(high)));
}

static bool is_flat(double low, double high) { return !(high - low > least_span(low, high)); }

/* Something to see around a single value. */
static double span_around(double value) { return fabs(value) > 10 * SMALLEST ? fabs(value) / 5 : 2; }

static void spread(nh_axis *axis, double middle, double span)
{
    axis->low = middle - span / 2, axis->high = middle + span / 2;
}

void nh_axis_fit(nh_axis *axis, nh_extent extent, double margin)
{
    double low = extent.low, high = extent.high, middle = low / 2 + high / 2;
    if (!(low <= high))
        axis->low = 0, axis->high = 1;
    else if (is_flat(low, high) || (axis->logarithmic && high - low < SHORTEST_LOGARITHM))
        spread(axis, middle, axis->logarithmic ? 2 : span_around(middle));
    else
        axis->low = low - margin * (high - low), axis->high = high + margin * (high - low);
}

/* The axis with less on it gets a longer span, so that a pixel is as much on both. */
void nh_axes_fit_equal(nh_axis *x, nh_axis *y, nh_extent of_x, nh_extent of_y, double margin)
{
    nh_axis_fit(x, of_x, margin), nh_axis_fit(y, of_y, margin);
    double width = fabs(x->end - x->start), height = fabs(y->end - y->start);
    bool flat_x = of_x.low <= of_x.high && is_flat(of_x.low, of_x.high);
    bool flat_y = of_y.low <= of_y.high && is_flat(of_y.low, of_y.high);
    double by_x = (x->high - x->low) / width, by_y = (y->high - y->low) / height;
    double unit = flat_x && !flat_y ? by_y : flat_y && !flat_x ? by_x : fmax(by_x, by_y);
    unit = fmax(unit, least_span(x->low, x->high) / width);
    unit = fmax(unit, least_span(y->low, y->high) / height);
    spread(x, x->low / 2 + x->high / 2, unit * width);
    spread(y, y->low / 2 + y->high / 2, unit * height);
}

double nh_axis_at(const nh_axis *axis, double value)
{
    double on = axis->logarithmic ? log10(value) : value;
    return axis->start + (on - axis->low) / (axis->high - axis->low) * (axis->end - axis->start);
}

double nh_axis_place(const nh_axis *axis, double value)
{
    return isnan(value_on(axis->logarithmic, value)) ? NAN : nh_axis_at(axis, value);
}
