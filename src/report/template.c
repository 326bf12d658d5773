/* The page around the sections. */
#include "report/inner.h"

#include <string.h>

/* Made when the program is built, from web/, byte after byte: texts of C are not that long. The page is empty where it could not be
 * made. */
static const char style[] = {
#include "report/style.inc"
    '\0'};
static const char page[] = {
#include "report/page.inc"
    '\0'};

int nh_has_page(void) { return *page != '\0'; }

static const char *title_of(const nh_page_parts *p) { return *p->model->title ? p->model->title : p->name; }

/* No scripts, nothing from elsewhere. */
static void plain_page(nh_text *out, const nh_page_parts *p)
{
    nh_text_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                     "'unsafe-inline'; img-src data:\">\n"
                     "<title>");
    nh_html_text(out, title_of(p));
    nh_text_str(out, "</title>\n<style>\n");
    nh_text_str(out, style);
    nh_text_str(out, "</style>\n</head>\n<body class=\"plain\">\n<main>\n");
    nh_html_static(out, p, false);
    nh_text_str(out, "</main>\n</body>\n</html>\n");
}

static void put(nh_text *out, const nh_page_parts *p, const char *marker)
{
    if (strcmp(marker, "@TITLE@") == 0)
        nh_html_text(out, title_of(p));
    else if (strcmp(marker, "@STATIC@") == 0)
        nh_html_static(out, p, true);
    else
        nh_report_data(out, p);
}

/* Each marker once, in this order of the page. */
static void full_page(nh_text *out, const nh_page_parts *p)
{
    static const char *const markers[] = {"@TITLE@", "@STATIC@", "@DATA@"};
    const char *rest = page;
    for (const char *next = rest; *next;) {
        const char *marker = NULL;
        next = strchr(rest, '@');
        for (size_t k = 0; k < 3 && next; k++)
            if (strncmp(next, markers[k], strlen(markers[k])) == 0)
                marker = markers[k];
        if (!next)
            break;
        nh_text_add(out, rest, (size_t)(next - rest));
        if (marker)
            put(out, p, marker);
        else
            nh_text_char(out, '@');
        rest = next + (marker ? strlen(marker) : 1);
    }
    nh_text_str(out, rest);
}

void nh_report_page(nh_text *out, const nh_page_parts *p, bool script)
{
    if (script && nh_has_page())
        full_page(out, p);
    else
        plain_page(out, p);
}
