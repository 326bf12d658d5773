/* A figure: panels in rows, and the style of all. */
#include "plot/inner.h"

#include <math.h>
#include <string.h>

enum { EDGE = 14, GAP = 16, TITLE_HEIGHT = 30 };

#define TITLE_SIZE 16.0

/* ---------------------------------------------------------------- the style */

/* Colours that are told apart by the colour-blind, at least 3:1 to the ground; dashes where there are more curves than
 * colours. Every rule begins with the class of the figure, since a figure may stand in a page. */
static const char style[] =
    "<style>\n"
    ".nh-figure{font-family:\"Helvetica Neue\",Helvetica,Arial,\"DejaVu Sans\",sans-serif}\n"
    ".nh-figure text{fill:#1a1a1a;stroke:none}\n"
    ".nh-figure .symbol{font-family:\"STIX Two Text\",\"Times New Roman\",Times,\"DejaVu "
    "Serif\",serif;font-style:italic}\n"
    ".nh-figure .tick{fill:#4d4d4d}\n"
    ".nh-figure .head,.nh-figure .main{font-weight:600}\n"
    ".nh-figure .ground{fill:#fff}\n"
    ".nh-figure path,.nh-figure circle{fill:none}\n"
    ".nh-figure .grid{stroke:#ececec}\n"
    ".nh-figure .zero{stroke:#bdbdbd}\n"
    ".nh-figure .frame{stroke:#595959}\n"
    ".nh-figure .line{stroke-width:1.6;stroke-linejoin:round;stroke-linecap:butt}\n"
    ".nh-figure .dots{stroke-width:4.5;stroke-linecap:round}\n"
    ".nh-figure .start{stroke-width:1.4;fill:#fff}\n"
    ".nh-figure .c0{stroke:#0072b2}\n"
    ".nh-figure .c1{stroke:#d55e00}\n"
    ".nh-figure .c2{stroke:#00876c}\n"
    ".nh-figure .c3{stroke:#b0468f}\n"
    ".nh-figure .c4{stroke:#222}\n"
    ".nh-figure .c5{stroke:#9a7400}\n"
    ".nh-figure .d1{stroke-dasharray:7 3}\n"
    ".nh-figure .d2{stroke-dasharray:2 2.5}\n"
    ".nh-figure .d3{stroke-dasharray:9 3 2 3}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".nh-figure text{fill:#e8e8e8}\n"
    ".nh-figure .tick{fill:#b8b8b8}\n"
    ".nh-figure .ground,.nh-figure .start{fill:#16181b}\n"
    ".nh-figure .grid{stroke:#2b2e33}\n"
    ".nh-figure .zero{stroke:#5c6067}\n"
    ".nh-figure .frame{stroke:#9a9ea5}\n"
    ".nh-figure .c0{stroke:#56b4e9}\n"
    ".nh-figure .c1{stroke:#ff8a3d}\n"
    ".nh-figure .c2{stroke:#2fc79b}\n"
    ".nh-figure .c3{stroke:#e58fc3}\n"
    ".nh-figure .c4{stroke:#f2f2f2}\n"
    ".nh-figure .c5{stroke:#e6c229}\n"
    "}\n"
    "</style>\n";

/* ---------------------------------------------------------------- for those who do not see it */

static void describe_panel(nh_text *out, nh_arena *scratch, const nh_panel *panel)
{
    size_t told = panel->n_curves < NH_LEGEND_MOST ? panel->n_curves : NH_LEGEND_MOST;
    nh_svg_escaped(out, nh_words_plain(scratch, panel->title && *panel->title ? panel->title : "Panel"));
    if (panel->x_label && panel->y_label)
        nh_text_str(out, ", "), nh_svg_escaped(out, nh_words_plain(scratch, panel->y_label));
    if (panel->x_label)
        nh_text_str(out, " over "), nh_svg_escaped(out, nh_words_plain(scratch, panel->x_label));
    for (size_t i = 0; i < told; i++) {
        const char *name = panel->curves[i].name;
        nh_text_str(out, i ? ", " : ": ");
        nh_svg_escaped(out, nh_words_plain(scratch, name && *name ? name : "a curve"));
    }
    if (told < panel->n_curves)
        nh_text_format(out, " and %zu more", panel->n_curves - told);
    nh_text_str(out, ". ");
}

static void describe(nh_text *out, nh_arena *scratch, const nh_figure *figure)
{
    nh_text_str(out, "<title>");
    nh_svg_escaped(out, nh_words_plain(scratch, figure->title && *figure->title ? figure->title : "Figure"));
    nh_text_str(out, "</title>\n<desc>");
    for (size_t i = 0; i < figure->n_panels; i++)
        describe_panel(out, scratch, &figure->panels[i]);
    nh_text_str(out, "</desc>\n");
}

/* ---------------------------------------------------------------- the sheet */

typedef struct layout {
    size_t columns, rows;
    double cell_width, cell_height, top, width, height;
} layout;

/* All frames have one size, so that they stand in line. */
static layout layout_of(nh_arena *scratch, const nh_figure *figure)
{
    size_t n = figure->n_panels ? figure->n_panels : 1;
    size_t columns = figure->columns ? figure->columns : n == 1 ? 1 : n <= 8 ? 2 : 3;
    layout l = {.columns = columns < n ? columns : n};
    double legend = 22; /* half of a tick's label */
    for (size_t i = 0; i < figure->n_panels; i++)
        legend = fmax(legend, nh_legend_width(&figure->panels[i], scratch));
    l.rows = (n + l.columns - 1) / l.columns;
    l.cell_width = ceil(NH_PANEL_LEFT + NH_PANEL_WIDTH + legend);
    l.cell_height = NH_PANEL_TOP + NH_PANEL_HEIGHT + NH_PANEL_BOTTOM;
    l.top = EDGE + (figure->title && *figure->title ? TITLE_HEIGHT : 0);
    l.width = 2 * EDGE + (double)l.columns * (l.cell_width + GAP) - GAP;
    l.height = l.top + (double)l.rows * (l.cell_height + GAP) - GAP + EDGE;
    return l;
}

static void begin(nh_text *out, const layout *l)
{
    nh_text_format(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"nh-figure\" role=\"img\" width=\"%d\" "
                   "height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                   (int)l->width, (int)l->height, (int)l->width, (int)l->height);
}

static void draw_panels(nh_text *out, nh_arena *scratch, const nh_figure *figure, const layout *l)
{
    for (size_t i = 0; i < figure->n_panels; i++) {
        nh_arena_mark before = nh_arena_here(scratch);
        nh_text_str(out, "<g transform=\"translate(");
        nh_svg_number(out, EDGE + (double)(i % l->columns) * (l->cell_width + GAP) + NH_PANEL_LEFT);
        nh_text_char(out, ' ');
        nh_svg_number(out, l->top + (double)(i / l->columns) * (l->cell_height + GAP) + NH_PANEL_TOP);
        nh_text_str(out, ")\">\n");
        nh_panel_draw(out, scratch, &figure->panels[i]);
        nh_text_str(out, "</g>\n");
        nh_arena_release(scratch, before);
    }
}

void nh_figure_svg(nh_text *out, const nh_figure *figure)
{
    nh_arena scratch; /* apart from the text, which grows meanwhile */
    nh_arena_init_temporary(&scratch, out->arena->heap);
    layout l = layout_of(&scratch, figure);
    begin(out, &l);
    describe(out, &scratch, figure);
    nh_text_str(out, style);
    nh_text_str(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    nh_svg_words(out, EDGE, EDGE + TITLE_SIZE, (nh_lettering){.style = "main", .size = TITLE_SIZE},
                 nh_words_fit(&scratch, nh_words_plain(&scratch, figure->title), TITLE_SIZE * 1.08,
                              l.width - 2 * EDGE));
    draw_panels(out, &scratch, figure, &l);
    nh_text_str(out, "</svg>\n");
    nh_arena_free(&scratch);
}
