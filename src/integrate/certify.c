/* How many digits can be relied on. The motion is integrated once more, at another order and in a higher precision; what both
 * have in common, in units of the largest that each column has been, is what can be believed of the less exact one. Where the
 * difference grows by a constant factor in equal times, the motion depends on its start beyond all computing: it is chaotic. */
#include "integrate/job.h"

#include <math.h>
#include <string.h>

struct nh_certificate {
    nh_arena *arena;
    size_t n, n_kept, rows, next;
    double *held; /* rows of the less exact run: t, event, the columns and what is kept */
    size_t n_held, held_capacity;
    double *values; /* of the more exact run: t, the columns and their sizes */
    double *sizes;  /* of columns in the more exact run, so far */
    size_t count, capacity;
    const nh_column *kinds;
    double *largest; /* by column, so far */
    double *errors;  /* by row: t and the difference */
    size_t n_errors, errors_capacity;
    int least;
    double t_least;     /* where the digits ran out */
    bool ran_out, lost; /* of a row, and of the motion itself, less than two digits were left */
    size_t alone;       /* rows without a counterpart */
};

enum { MOST_DIGITS = 15, FEW_DIGITS = 2 };

nh_certificate *nh_certificate_new(nh_arena *arena, const nh_motion *m)
{
    nh_certificate *c = nh_arena_array(arena, 1, sizeof *c);
    *c = (nh_certificate){
        .arena = arena, .n = m->n_columns, .n_kept = m->n_kept, .kinds = m->kinds, .least = MOST_DIGITS};
    c->largest = nh_arena_array(arena, m->n_columns + 1, sizeof *c->largest);
    memset(c->largest, 0, (m->n_columns + 1) * sizeof *c->largest);
    c->sizes = nh_zeros(arena, m->n_columns);
    return c;
}

double *nh_certificate_sizes(nh_certificate *c) { return c->sizes; }

static size_t width_of_values(const nh_certificate *c) { return 1 + 2 * c->n; }

/* ---------------------------------------------------------------- the rows of both runs */

/* As many again, where the array has to grow, and the rows of the other run. */
static bool has_room(const nh_certificate *c, size_t more)
{
    const nh_heap *heap = c->arena->heap;
    size_t needed = (6 * c->n_held + more) * sizeof(double) + ((size_t)1 << 16);
    return heap->used < heap->limit && heap->limit - heap->used > needed;
}

bool nh_certificate_hold(nh_certificate *c, double t, const double *columns, const double *kept, int event)
{
    if (!has_room(c, 2 + c->n + c->n_kept))
        return false;
    nh_push(c->arena, c->held, c->n_held, c->held_capacity) = t;
    nh_push(c->arena, c->held, c->n_held, c->held_capacity) = event;
    for (size_t i = 0; i < c->n; i++)
        nh_push(c->arena, c->held, c->n_held, c->held_capacity) = columns[i];
    for (size_t i = 0; i < c->n_kept; i++)
        nh_push(c->arena, c->held, c->n_held, c->held_capacity) = kept[i];
    return true;
}

bool nh_certificate_held(const nh_certificate *c, size_t k, nh_held_row *row)
{
    size_t width = 2 + c->n + c->n_kept;
    if ((k + 1) * width > c->n_held)
        return false;
    const double *held = c->held + k * width;
    *row = (nh_held_row){held[0], held + 2, held + 2 + c->n, (int)held[1]};
    return true;
}

void nh_certificate_keep(nh_certificate *c, double t, const double *columns)
{
    nh_push(c->arena, c->values, c->count, c->capacity) = t;
    for (size_t i = 0; i < c->n; i++)
        nh_push(c->arena, c->values, c->count, c->capacity) = columns[i];
    for (size_t i = 0; i < c->n; i++)
        nh_push(c->arena, c->values, c->count, c->capacity) = c->sizes[i];
    c->rows++;
}

/* The row of the other run at this time, from the next one on; rows of events may be there in one of them alone. NULL: none. */
static const double *counterpart(nh_certificate *c, double t)
{
    for (size_t k = c->next; k < c->rows && k < c->next + 64; k++)
        if (fabs(c->values[k * width_of_values(c)] - t) <= 1e-6 * fmax(1, fabs(t))) {
            c->next = k;
            return c->values + k * width_of_values(c);
        }
    return NULL;
}

/* What differences of a column are measured by: the largest it has been, between rows included, but for one that stays at 0, up to rounding of others, that of its kind. */
static double size_of(const nh_certificate *c, size_t i)
{
    double kind = 0;
    for (size_t k = 0; k < c->n; k++)
        if (c->kinds[k] == c->kinds[i])
            kind = fmax(kind, c->largest[k]);
    double size = c->largest[i] > 1e-12 * kind ? c->largest[i] : 1e-3 * kind;
    return size > 0 ? size : 1;
}

/* What the motion goes on from. */
static bool is_state(nh_column kind)
{
    return kind == NH_COLUMN_COORDINATE || kind == NH_COLUMN_ANGLE || kind == NH_COLUMN_RATE ||
           kind == NH_COLUMN_ANGLE_RATE || kind == NH_COLUMN_VELOCITY;
}

/* The largest difference of a row, relative, and that of the state in it; NaN: the other run has no such row. */
static double difference(nh_certificate *c, double t, const double *columns, double *of_state)
{
    const double *other = counterpart(c, t);
    double worst = *of_state = 0;
    if (!other)
        return NAN;
    for (size_t i = 0; i < c->n; i++)
        c->largest[i] = fmax(c->largest[i], fmax(fabs(other[1 + i]), other[1 + c->n + i]));
    for (size_t i = 0; i < c->n; i++) {
        double apart = fabs(columns[i] - other[1 + i]) / size_of(c, i);
        worst = fmax(worst, apart), *of_state = is_state(c->kinds[i]) ? fmax(*of_state, apart) : *of_state;
    }
    c->next++;
    return worst;
}

static int digits_of(double worst)
{
    int digits = worst > 0 ? (int)fmax(floor(-log10(worst)), 0) : MOST_DIGITS;
    return digits > MOST_DIGITS ? MOST_DIGITS : digits;
}

/* What agrees again, when the motion is lost, does so by chance, as far as is known. */
int nh_certificate_digits(nh_certificate *c, double t, const double *columns)
{
    double of_state, worst = difference(c, t, columns, &of_state);
    if (isnan(worst)) {
        c->alone++;
        return 0;
    }
    nh_push(c->arena, c->errors, c->n_errors, c->errors_capacity) = t;
    nh_push(c->arena, c->errors, c->n_errors, c->errors_capacity) = worst;
    int digits = c->lost ? 0 : digits_of(worst);
    c->lost = c->lost || digits_of(of_state) < FEW_DIGITS;
    if (digits < FEW_DIGITS && !c->ran_out)
        c->ran_out = true, c->t_least = t;
    c->least = digits < c->least ? digits : c->least;
    return digits;
}

/* The straight line through (x, y): what is left of the variance, and its slope. */
static double misfit(const double *x, const double *y, size_t n, double *slope)
{
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < n; i++)
        mx += x[i] / (double)n, my += y[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my), yy += (y[i] - my) * (y[i] - my);
    *slope = xx > 0 ? xy / xx : 0;
    return yy - *slope * xy;
}

/* Whether the logarithm of the difference grows with the time rather than with its logarithm, by more than a thousandfold. */
static bool grows_exponentially(const nh_certificate *c, double *rate)
{
    size_t most = c->n_errors / 2, n = 0;
    double *t = nh_arena_array(c->arena, most + 1, sizeof *t),
           *log_t = nh_arena_array(c->arena, most + 1, sizeof *t);
    double *e = nh_arena_array(c->arena, most + 1, sizeof *e), power;
    for (size_t i = 0; i < most; i++) {
        double elapsed = fabs(c->errors[2 * i] - c->errors[0]), error = c->errors[2 * i + 1];
        if (error > 0.05)
            break; /* as large as the motion itself: it grows no more */
        if (elapsed > 0 && error > 0)
            t[n] = elapsed, log_t[n] = log(elapsed), e[n++] = log(error);
    }
    if (n < 8)
        return false;
    double by_time = misfit(t, e, n, rate), by_power = misfit(log_t, e, n, &power);
    return by_time<by_power && * rate *(t[n - 1] - t[0])> log(1e3);
}

void nh_certificate_tell(const nh_certificate *c, bool can_be_chaotic, nh_text *out)
{
    double rate = 0;
    if (c->alone)
        nh_text_format(out, "certified: %zu row%s not in the more exact run\n", c->alone,
                       c->alone == 1 ? " is" : "s are");
    bool chaotic = grows_exponentially(c, &rate);
    if (c->ran_out) {
        nh_text_str(out, "certified: the digits run out at t = ");
        nh_tell_number(out, c->t_least);
        nh_text_char(out, '\n');
    } else if (c->n_errors)
        nh_text_format(out, "certified: at least %d digit%s in every %srow\n", c->least,
                       c->least == 1 ? "" : "s", c->alone ? "other " : "");
    if (chaotic) {
        nh_text_format(out, "the motion is %s: a difference grows like exp(",
                       can_be_chaotic ? "chaotic" : "unstable");
        nh_tell_number(out, rate);
        nh_text_str(out, " t)\n");
    }
}
