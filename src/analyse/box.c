/* Where was searched, in text. */
#include "analyse/equilibria.h"

typedef struct box {
    const nh_flow *flow;
    const nh_equilibria *all;
    const bool *shown;
} box;

/* Variables with the same range as the one before it are one group. */
static bool begins_group(const box *b, size_t k)
{
    size_t before = k;
    while (before > 0 && !b->shown[before - 1])
        before--;
    return before == 0 || b->all->low[before - 1] != b->all->low[k] ||
           b->all->high[before - 1] != b->all->high[k];
}

static size_t next_shown(const box *b, size_t k)
{
    do
        k++;
    while (k < b->flow->size && !b->shown[k]);
    return k;
}

static bool ends_group(const box *b, size_t k)
{
    size_t next = next_shown(b, k);
    return next == b->flow->size || begins_group(b, next);
}

enum { SHOWN = 8 };

void nh_box_print(nh_text *out, const nh_flow *f, const nh_equilibria *all, const bool *shown)
{
    const box b = {f, all, shown};
    size_t count = 0;
    for (size_t k = 0; k < f->size; k++) {
        if (!shown[k])
            continue;
        count = begins_group(&b, k) ? 1 : count + 1;
        if (count <= SHOWN || ends_group(&b, k))
            nh_text_format(out, "%s%s", count > SHOWN + 1 ? ", ..., " : count > 1 ? ", " : "", f->names[k]);
        if (!ends_group(&b, k))
            continue;
        nh_text_str(out, " = ");
        nh_text_short(out, all->low[k], 6);
        nh_text_str(out, ":");
        nh_text_short(out, all->high[k], 6);
        nh_text_str(out, next_shown(&b, k) < f->size ? "; " : "");
    }
}
