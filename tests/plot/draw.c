/* Draws pictures for the browser: a motion from the CSV on standard input, or one of those that are hard to draw.
 *
 * usage: draw motion TITLE KINDS <CSV >SVG, with a letter for each column after t: c coordinate, a angle, r rate, s rate of an
 *        angle, v velocity, o observed, e energy, i integral, R reaction, l multiplier
 *        draw NAME >SVG; draw list */
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 400, CURVES = 64 };

typedef struct hard {
    double x[ROWS], y[CURVES][ROWS];
    nh_curve curves[CURVES];
    nh_panel panels[CURVES];
    size_t n_panels;
} hard;

static double part(size_t i) { return (double)i / (ROWS - 1); }

/* A panel of its own for y = f(x), which the caller fills. */
static double *add_panel(hard *h, const char *title)
{
    size_t k = h->n_panels++;
    h->curves[k] = (nh_curve){"f", h->x, h->y[k], ROWS};
    h->panels[k] =
        (nh_panel){.title = title, .x_label = "t", .y_label = "f", .curves = &h->curves[k], .n_curves = 1};
    return h->y[k];
}

static void add_wave(hard *h, const char *title, double middle, double amplitude)
{
    double *y = add_panel(h, title);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = middle + amplitude * sin(12 * part(i));
}

static void scales(hard *h)
{
    add_wave(h, "offset", 9.81, 2e-11);
    add_wave(h, "below zero, offset", -123456.7, 1e-5);
    add_wave(h, "large", 0, 3.4e300);
    add_wave(h, "small", 0, 3.4e-300);
    add_wave(h, "very large", 1e300, 9e299);
    add_wave(h, "constant", 9.81, 0);
    add_wave(h, "zero", 0, 0);
    add_wave(h, "noise", 1, 1e-16);
    add_wave(h, "thousands", 0, 12345);
    add_wave(h, "year", 2024, 3);
    add_wave(h, "large and offset", 1e12, 3);
    add_wave(h, "small and offset", 1e-12, 3e-18);
}

static void gaps(hard *h)
{
    double *y = add_panel(h, "nothing");
    for (size_t i = 0; i < ROWS; i++)
        y[i] = NAN;
    y = add_panel(h, "infinities and gaps");
    for (size_t i = 0; i < ROWS; i++)
        y[i] = i % 50 == 0 ? INFINITY : i % 70 == 69 ? NAN : tan(10 * part(i));
    add_panel(h, "one row")[0] = 3;
    h->curves[2].count = 1;
    add_panel(h, "no rows");
    h->curves[3].count = 0;
    add_panel(h, "no curves");
    h->panels[4].n_curves = 0;
    y = add_panel(h, "every other is missing");
    for (size_t i = 0; i < ROWS; i++)
        y[i] = i % 8 ? NAN : sin(9 * part(i));
}

static void logarithmic(hard *h)
{
    static const double spans[] = {500, 30, 8, 2.4, 1, 0.2, 0.01, 0};
    for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
        double *y = add_panel(h, "logarithmic");
        h->panels[k].y_logarithmic = true;
        for (size_t i = 0; i < ROWS; i++)
            y[i] = pow(10, -spans[k] / 2 + spans[k] * part(i)) * (i % 97 == 96 ? -1 : 3);
    }
}

static void many(hard *h)
{
    char *names = calloc(CURVES, 16);
    for (size_t k = 0; k < CURVES; k++) {
        snprintf(names + 16 * k, 16, "q%zu", k + 1);
        h->curves[k] = (nh_curve){names + 16 * k, h->x, h->y[k], ROWS};
        for (size_t i = 0; i < ROWS; i++)
            h->y[k][i] = sin(6 * part(i) + 0.1 * (double)k);
    }
    for (h->n_panels = 0; h->n_panels < 4; h->n_panels++)
        h->panels[h->n_panels] = (nh_panel){.title = "many curves",
                                            .x_label = "t",
                                            .curves = h->curves,
                                            .n_curves = (size_t[]){64, 13, 12, 7}[h->n_panels]};
}

static const char hostile_text[] =
    "<script>document.title='ran'</script>&amp;\"' ]]> <!-- \xff\x01\x02\x1b \xe2\x80\xae abc "
    "\xf0\x9f\x98\x80 a name that does not come to its end before the picture does, nor "
    "behind it, whatever the width of its letters may be, since it goes on and on";

static void hostile(hard *h)
{
    add_wave(h, hostile_text, 0, 1), add_wave(h, hostile_text, 9.81, 1e-10);
    add_wave(h, "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", 1e7, 1);
    for (size_t k = 0; k < h->n_panels; k++) {
        h->panels[k].x_label = h->panels[k].y_label = h->curves[k].name = h->panels[k].title;
        h->panels[k].equal_scales = k == 1;
    }
}

static void paths(hard *h)
{
    static double right[ROWS], nothing[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        right[i] = cos(12 * part(i));
    add_wave(h, "a circle", 0, 1), add_wave(h, "a line upwards", 0, 1e-3), add_wave(h, "a line across", 0, 0);
    add_wave(h, "a point", 5, 0), add_wave(h, "a thin one", 0, 1e-9), add_wave(h, "dots", 0, 1);
    h->curves[0].x = h->curves[4].x = h->curves[5].x = right, h->curves[1].x = h->curves[3].x = nothing;
    for (size_t k = 0; k < h->n_panels; k++) {
        h->panels[k].equal_scales = true, h->panels[k].points = k == 5;
        h->panels[k].x_label = "x_G", h->panels[k].y_label = "y_G";
    }
}

static const struct {
    const char *name;
    void (*make)(hard *);
} all[] = {{"scales", scales}, {"gaps", gaps},       {"logarithmic", logarithmic},
           {"many", many},     {"hostile", hostile}, {"paths", paths}};

static void draw_hard(nh_text *out, const char *name)
{
    hard *h = calloc(1, sizeof *h);
    for (size_t i = 0; i < ROWS; i++)
        h->x[i] = 20 * part(i);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(name, all[k].name) == 0)
            all[k].make(h);
    nh_figure_svg(out,
                  &(nh_figure){strcmp(name, "hostile") ? name : hostile_text, h->panels, h->n_panels, 0});
    free(h);
}

/* ---------------------------------------------------------------- a motion */

static nh_column kind_of(char letter)
{
    static const char letters[] = "carsvoeiRl";
    static const nh_column kinds[] = {NH_COLUMN_COORDINATE, NH_COLUMN_ANGLE,    NH_COLUMN_RATE,     NH_COLUMN_ANGLE_RATE,
                                      NH_COLUMN_VELOCITY,   NH_COLUMN_OBSERVED, NH_COLUMN_ENERGY,   NH_COLUMN_INTEGRAL,
                                      NH_COLUMN_REACTION,   NH_COLUMN_MULTIPLIER};
    const char *found = strchr(letters, letter);
    return found ? kinds[found - letters] : NH_COLUMN_OBSERVED;
}

static void draw_motion(nh_text *out, const char *title, const char *kinds)
{
    static char line[1 << 16];
    size_t n = strlen(kinds), rows = 0, capacity = 1 << 20;
    double *values = calloc((n + 1) * capacity, sizeof *values);
    nh_plot_column *columns = calloc(n + 1, sizeof *columns);
    char *head = fgets(line, sizeof line, stdin) ? strdup(line) : strdup("t");
    for (char *name = strtok(head, ",\n"), **at = &name; *at && rows <= n; *at = strtok(NULL, ",\n"), rows++)
        if (rows)
            columns[rows - 1] = (nh_plot_column){*at, kind_of(kinds[rows - 1]), values + rows * capacity};
    for (rows = 0; rows < capacity && fgets(line, sizeof line, stdin); rows++) {
        char *at = line;
        for (size_t k = 0; k <= n; k++, at += *at == ',')
            values[k * capacity + rows] = strtod(at, &at);
    }
    nh_plot_motion(out, title, values, rows, columns, n);
    free(values), free(columns), free(head);
}

int main(int argc, char **argv)
{
    nh_heap heap;
    nh_arena arena;
    nh_text out;
    nh_heap_init(&heap, NULL, 0), nh_arena_init(&arena, &heap), nh_text_init(&out, &arena);
    if (argc == 4 && strcmp(argv[1], "motion") == 0)
        draw_motion(&out, argv[2], argv[3]);
    else if (argc == 2 && strcmp(argv[1], "list") != 0)
        draw_hard(&out, argv[1]);
    else
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            nh_text_format(&out, "%s\n", all[k].name);
    fputs(nh_text_get(&out), stdout);
    nh_arena_free(&arena);
    return 0;
}
