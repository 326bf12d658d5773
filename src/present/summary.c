/* The equations alone, ready to read; or the objects that are asked for. */
#include "present/objects.h"
#include "present/systems.h"

/* In the order of the recipes. */
static void chosen_objects(nh_writer *w)
{
    for (nh_choice k = NH_OBJECT_g; k < NH_CHOICES; k++)
        if (w->only >> k & 1)
            nh_object_page(w, k);
}

void nh_derive_summary(nh_writer *w)
{
    const uint64_t first = (uint64_t)1 << NH_PART_FIRST, second = (uint64_t)1 << NH_PART_SECOND;
    if (*w->eq->model->title)
        nh_page_title(&w->page, w->eq->model->title);
    if (!w->only || w->only & first)
        nh_first_system(w);
    if (!w->only || w->only & second)
        nh_second_system(w);
    if (w->only)
        chosen_objects(w);
    if (w->principles)
        nh_show_page(w);
    nh_abbreviations(w);
}
