/* The legend: names to the right of a panel, each as near to the end of its curve as the others let it. */
#include "plot/inner.h"

#include <math.h>

enum { GAP = 8, SAMPLE = 18, WIDEST = 130, SIZE = 12 };

#define LINE 17.0 /* from a name to the next */

static bool is_named(const nh_curve *curve) { return curve->name && *curve->name; }

static size_t named_of(const nh_panel *panel)
{
    size_t count = 0;
    for (size_t i = 0; i < panel->n_curves; i++)
        count += is_named(&panel->curves[i]);
    return count;
}

/* If there are too many the last line tells how many are left out. */
static size_t shown_of(size_t named) { return named > NH_LEGEND_MOST ? NH_LEGEND_MOST - 1 : named; }

static const char *words_of(nh_arena *arena, const nh_curve *curve)
{
    return nh_words_fit(arena, nh_words_name(arena, curve->name), SIZE, WIDEST);
}

static const char *more_words(nh_arena *arena, size_t count)
{
    nh_text words;
    nh_text_init(&words, arena);
    nh_text_format(&words, "and %zu more", count);
    return nh_text_get(&words);
}

double nh_legend_width(const nh_panel *panel, nh_arena *scratch)
{
    size_t named = named_of(panel), shown = shown_of(named), seen = 0;
    double width = 0;
    for (size_t i = 0; i < panel->n_curves && seen < shown; i++)
        if (is_named(&panel->curves[i])) {
            width = fmax(width, nh_words_width(words_of(scratch, &panel->curves[i]), SIZE));
            seen++;
        }
    if (shown < named)
        width = fmax(width, nh_words_width(more_words(scratch, named), SIZE));
    return named ? GAP + SAMPLE + 5 + width : 0;
}

/* ---------------------------------------------------------------- places */

typedef struct entry {
    size_t curve;
    double y;
} entry;

/* By the end of the curve, from above; those with equal ends in their order. */
static void sort(entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && entries[j].y < entries[j - 1].y; j--) {
            entry swapped = entries[j];
            entries[j] = entries[j - 1], entries[j - 1] = swapped;
        }
}

/* Neighbours that are too near become a block around the middle of where they would be; blocks that meet become one. */
static void spread(entry *entries, size_t count, double bottom)
{
    size_t starts[NH_LEGEND_MOST], blocks = 0;
    double tops[NH_LEGEND_MOST], sums[NH_LEGEND_MOST];
    for (size_t i = 0; i < count; i++) {
        starts[blocks] = i, sums[blocks] = entries[i].y, tops[blocks] = entries[i].y, blocks++;
        for (;;) {
            size_t b = blocks - 1, length = i + 1 - starts[b];
            double rows = (double)(length - 1) * LINE, top = sums[b] / (double)length - rows / 2;
            tops[b] = fmax(LINE / 2, fmin(top, bottom - LINE / 2 - rows));
            if (b == 0 || tops[b] >= tops[b - 1] + (double)(starts[b] - starts[b - 1]) * LINE)
                break;
            sums[b - 1] += sums[b], blocks--;
        }
    }
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = starts[b]; i < (b + 1 < blocks ? starts[b + 1] : count); i++)
            entries[i].y = tops[b] + (double)(i - starts[b]) * LINE;
}

void nh_legend_draw(nh_text *out, nh_arena *scratch, const nh_panel *panel, const double *ends)
{
    entry entries[NH_LEGEND_MOST];
    size_t named = named_of(panel), shown = shown_of(named), count = 0;
    double x = NH_PANEL_WIDTH + GAP, bottom = NH_PANEL_HEIGHT - (shown < named ? LINE : 0);
    for (size_t i = 0; i < panel->n_curves && count < shown; i++)
        if (is_named(&panel->curves[i]))
            entries[count++] = (entry){i, isnan(ends[i]) ? NH_PANEL_HEIGHT : ends[i]};
    sort(entries, count);
    spread(entries, count, bottom);
    nh_lettering lettering = {.size = SIZE};
    for (size_t k = 0; k < count; k++) {
        nh_curve_sample(out, panel, entries[k].curve, x, entries[k].y);
        nh_svg_words(out, x + SAMPLE + 5, entries[k].y + 4, lettering,
                     words_of(scratch, &panel->curves[entries[k].curve]));
    }
    if (shown < named)
        nh_svg_words(out, x, NH_PANEL_HEIGHT - 3, lettering, more_words(scratch, named - shown));
}
