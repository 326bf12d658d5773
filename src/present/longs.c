/* Long expressions by parts: what they have in common gets names, k1, k2, ... */
#include "present/writer.h"

double nh_tree_size(const nh_pool *pool, nh_arena *scratch, nh_expr e)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, &e, 1);
    double *size = nh_arena_array(scratch, (size_t)e + 1, sizeof *size);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        bool two = node.kind == NH_ADD || node.kind == NH_MUL || node.kind == NH_POW;
        bool call = node.kind == NH_CALL;
        size[walk.nodes[i]] =
            1 + (two || call ? size[node.a] : 0) + (two || (call && node.b) ? size[node.b] : 0);
    }
    double total = size[e];
    nh_arena_release(scratch, mark);
    return total;
}

void nh_note_long(nh_writer *w, const nh_expr *e, size_t count, double longest)
{
    for (size_t i = 0; e && i < count; i++)
        if (nh_tree_size(&w->eq->pool, w->scratch, e[i]) > longest)
            nh_push(&w->eq->arena, w->longs, w->n_longs, w->longs_capacity) = e[i];
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
    w->shared = nh_share(&w->eq->pool, &w->eq->arena, w->longs, w->n_longs, "k");
    keep_large(w, smallest);
}

nh_expr nh_expr_shortened(const nh_writer *w, nh_expr e)
{
    for (size_t i = 0; i < w->n_longs && w->shared.roots; i++)
        if (w->longs[i] == e)
            return w->shared.roots[i];
    return e;
}

const char *nh_expr_written(nh_writer *w, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, &w->eq->arena);
    nh_expr_print(&text, &w->eq->pool, nh_expr_shortened(w, e), 0);
    return nh_text_get(&text);
}
