/* What the scripts of the page read. */
#include "report/inner.h"

#include <string.h>

/* A JSON string that may stand in a page: without <. */
static void json_string(nh_text *out, const char *text, size_t length)
{
    nh_text plain;
    nh_text_init(&plain, out->arena);
    nh_text_json(&plain, text, length);
    for (size_t i = 0; i < plain.length; i++)
        if (plain.data[i] == '<')
            nh_text_str(out, "\\u003c");
        else
            nh_text_char(out, plain.data[i]);
}

static void json_word(nh_text *out, const char *text) { json_string(out, text, strlen(text)); }

static const char *kind_of(nh_column column)
{
    switch (column) {
    case NH_COLUMN_TIME: return "time";
    case NH_COLUMN_COORDINATE: return "coordinate";
    case NH_COLUMN_ANGLE: return "angle";
    case NH_COLUMN_RATE: return "rate";
    case NH_COLUMN_ANGLE_RATE: return "angle-rate";
    case NH_COLUMN_VELOCITY: return "velocity";
    case NH_COLUMN_OBSERVED: return "observed";
    case NH_COLUMN_REACTION: return "reaction";
    case NH_COLUMN_MULTIPLIER: return "multiplier";
    case NH_COLUMN_ENERGY: return "energy";
    case NH_COLUMN_INTEGRAL: return "integral";
    default: return "hidden";
    }
}

static void columns(nh_text *out, const nh_trace *t)
{
    nh_text_str(out, "\"columns\": [");
    for (size_t i = 0; i < t->n_columns; i++) {
        nh_text_str(out, i ? ", {\"name\": " : "{\"name\": ");
        json_word(out, t->names[i]);
        nh_text_format(out, ", \"kind\": \"%s\"}", kind_of(t->columns[i]));
    }
    nh_text_str(out, "]");
}

/* Three bytes are four letters. */
static void base64(nh_text *out, const unsigned char *bytes, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        unsigned three = (unsigned)bytes[i] << 16, left = (unsigned)(count - i);
        three |= (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        char four[4] = {letters[three >> 18 & 63], letters[three >> 12 & 63], letters[three >> 6 & 63],
                        letters[three & 63]};
        if (left < 3)
            four[3] = '=';
        if (left < 2)
            four[2] = '=';
        nh_text_add(out, four, 4);
    }
}

/* Doubles, the least significant byte first, column after column. */
static void values(nh_text *out, const nh_trace *t)
{
    unsigned char *bytes = nh_arena_array(t->arena, 8 * t->n_columns * t->rows + 1, 1);
    size_t at = 0;
    for (size_t c = 0; c < t->n_columns; c++)
        for (size_t r = 0; r < t->rows; r++) {
            uint64_t bits;
            memcpy(&bits, &t->values[r * t->n_columns + c], sizeof bits);
            for (int k = 0; k < 8; k++)
                bytes[at++] = (unsigned char)(bits >> 8 * k & 255);
        }
    nh_text_str(out, "\"values\": \"");
    base64(out, bytes, at);
    nh_text_char(out, '"');
}

static void download(nh_text *out, const nh_page_parts *p, const char *ending, const nh_string *text,
                     bool first)
{
    nh_text name;
    nh_text_init(&name, out->arena);
    nh_text_format(&name, "%s.%s", p->name, ending);
    nh_text_str(out, first ? "{\"name\": " : ", {\"name\": ");
    json_word(out, nh_text_get(&name));
    if (text) {
        nh_text_str(out, ", \"text\": ");
        json_string(out, text->data ? text->data : "", text->length);
    }
    nh_text_char(out, '}');
}

void nh_report_data(nh_text *out, const nh_page_parts *p)
{
    nh_text_str(out, "{ \"title\": ");
    json_word(out, *p->model->title ? p->model->title : p->name);
    nh_text_format(out, ", \"program\": \"nonholo %s\", \"name\": ", nh_version());
    json_word(out, p->name);
    nh_text_str(out, ",\n\"model\": ");
    json_string(out, p->source->text, p->source->length);
    nh_text_str(out, ",\n");
    columns(out, &p->trace);
    nh_text_format(out, ",\n\"rows\": %zu,\n", p->trace.rows);
    values(out, &p->trace);
    nh_text_str(out, ",\n\"picture\": ");
    nh_report_picture(out, p);
    nh_text_str(out, ",\n\"downloads\": [");
    if (!p->no_motion)
        download(out, p, "csv", NULL, true);
    download(out, p, "tex", &p->latex, p->no_motion != NULL);
    download(out, p, "c", &p->code, false);
    nh_text_str(out, "] }\n");
}
