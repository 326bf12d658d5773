/* Long expressions by parts: what they have in common gets names, k1, k2, ... */
#include "present/writer.h"

/* By handle, in the scratch arena: of all that the expressions consist of. */
static const double *tree_sizes(const nh_pool *pool, nh_arena *scratch, const nh_expr *e, size_t count)
{
    double *size = nh_arena_array(scratch, (size_t)nh_largest(e, count) + 1, sizeof *size);
    nh_walk walk = nh_walk_of(pool, scratch, e, count);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        bool two = node.kind == NH_ADD || node.kind == NH_MUL || node.kind == NH_POW;
        bool call = node.kind == NH_CALL;
        size[walk.nodes[i]] =
            1 + (two || call ? size[node.a] : 0) + (two || (call && node.b) ? size[node.b] : 0);
    }
    return size;
}

double nh_tree_size(const nh_pool *pool, nh_arena *scratch, nh_expr e)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    double total = tree_sizes(pool, scratch, &e, 1)[e];
    nh_arena_release(scratch, mark);
    return total;
}

void nh_note_long(nh_writer *w, const nh_expr *e, size_t count, double longest)
{
    if (!e || !count)
        return;
    nh_arena_mark mark = nh_arena_here(w->scratch);
    const double *size = tree_sizes(&w->eq->pool, w->scratch, e, count);
    for (size_t i = 0; i < count; i++)
        if (size[e[i]] > longest)
            nh_push(&w->eq->arena, w->longs, w->n_longs, w->longs_capacity) = e[i];
    nh_arena_release(w->scratch, mark);
}

/* Each once, and where it stands among them. */
static void place_longs(nh_writer *w)
{
    size_t kept = 0;
    w->largest_long = nh_largest(w->longs, w->n_longs);
    w->place_of_long = nh_arena_array(&w->eq->arena, (size_t)w->largest_long + 1, sizeof *w->place_of_long);
    for (size_t i = 0; i < w->n_longs; i++) {
        size_t *place = &w->place_of_long[w->longs[i]];
        if (!*place)
            w->longs[kept++] = w->longs[i], *place = kept;
    }
    w->n_longs = kept;
}

/* Names of what is as short as a name are taken back, and the others numbered anew. */
static void keep_large(nh_writer *w, double smallest)
{
    nh_pool *pool = &w->eq->pool;
    nh_arena *arena = &w->eq->arena;
    size_t count = w->shared.count, kept = 0;
    nh_definition *all = w->shared.definitions;
    nh_expr *symbols = nh_arena_array(arena, count + 1, sizeof *symbols),
            *values = nh_arena_array(arena, count + 1, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        nh_expr value;
        symbols[i] = all[i].symbol;
        nh_substitute(pool, w->scratch, &all[i].value, 1, symbols, values, i, &value);
        bool large = nh_tree_size(pool, w->scratch, value) >= smallest;
        values[i] = large ? all[kept].symbol : value;
        if (large)
            all[kept++].value = value;
    }
    nh_substitute(pool, w->scratch, w->shared.roots, w->n_longs, symbols, values, count, w->shared.roots);
    w->shared.count = kept;
}

void nh_share_longs(nh_writer *w, double smallest)
{
    if (!w->n_longs)
        return;
    place_longs(w);
    w->shared = nh_share(&w->eq->pool, &w->eq->arena, w->longs, w->n_longs, "k", &w->eq->model->names);
    keep_large(w, smallest);
}

nh_expr nh_expr_shortened(const nh_writer *w, nh_expr e)
{
    size_t place = w->shared.roots && e <= w->largest_long ? w->place_of_long[e] : 0;
    return place ? w->shared.roots[place - 1] : e;
}

const char *nh_expr_written(nh_writer *w, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, &w->eq->arena);
    nh_expr_print(&text, &w->eq->pool, nh_expr_shortened(w, e), 0);
    return nh_text_get(&text);
}
