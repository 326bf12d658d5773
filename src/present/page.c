/* Pages, block by block. */
#include "present/page.h"

#include <string.h>

static nh_block *append(nh_page *page, nh_block_kind kind)
{
    nh_block *block = &nh_push(page->maker.arena, page->blocks, page->count, page->capacity);
    *block = (nh_block){.kind = kind};
    return block;
}

static void put_run(nh_page *page, nh_block *block, nh_run run)
{
    nh_push(page->maker.arena, block->runs, block->n_runs, block->runs_capacity) = run;
}

void nh_page_title(nh_page *page, const char *text)
{
    put_run(page, append(page, NH_BLOCK_TITLE), (nh_run){text, NULL});
}

void nh_page_heading(nh_page *page, const char *text)
{
    put_run(page, append(page, NH_BLOCK_HEADING), (nh_run){text, NULL});
}

void nh_page_say(nh_page *page, const char *text)
{
    nh_block *block = append(page, NH_BLOCK_SENTENCE);
    for (bool math = false; *text; math = !math) {
        size_t length = strcspn(text, "$");
        const char *part = nh_arena_copy(page->maker.arena, text, length);
        if (length && math)
            put_run(page, block, (nh_run){NULL, nh_notation(&page->maker, part)});
        else if (length)
            put_run(page, block, (nh_run){part, NULL});
        text += length;
        text += *text == '$';
    }
}

void nh_page_words(nh_page *page, const char *text)
{
    put_run(page, append(page, NH_BLOCK_SENTENCE), (nh_run){text, NULL});
}

void nh_page_more(nh_page *page, const char *words, const nh_math *math)
{
    put_run(page, &page->blocks[page->count - 1], (nh_run){words, math});
}

void nh_page_equation(nh_page *page, const nh_math *left, const nh_math *right)
{
    nh_block *last = page->count ? &page->blocks[page->count - 1] : NULL;
    if (!last || last->kind != NH_BLOCK_EQUATIONS)
        last = append(page, NH_BLOCK_EQUATIONS);
    nh_push(page->maker.arena, last->equations, last->n_equations, last->equations_capacity) =
        (nh_equation){left, right};
}

void nh_page_notation(nh_page *page, const char *text)
{
    nh_block *block = page->count ? &page->blocks[page->count - 1] : NULL;
    if (!block || block->kind != NH_BLOCK_EQUATIONS || block->n_equations)
        append(page, NH_BLOCK_EQUATIONS);
    nh_page_equation(page, NULL, nh_notation(&page->maker, text));
    append(page, NH_BLOCK_EQUATIONS); /* for what follows */
}

enum { LEAST_ROOM = 20 };

nh_math_lines nh_page_lines(nh_page *page, const nh_block *block, nh_equation equation)
{
    size_t left = 0;
    for (size_t i = 0; i < block->n_equations; i++) {
        const nh_math *m = block->equations[i].left;
        size_t width = m ? nh_math_width(&page->maker, m) + 3 : 0;
        left = width > left ? width : left;
    }
    return nh_math_break(&page->maker, equation.right,
                         page->width > left + LEAST_ROOM ? page->width - left : LEAST_ROOM);
}

void nh_page_table(nh_page *page, size_t columns) { append(page, NH_BLOCK_TABLE)->columns = columns; }

void nh_page_cell(nh_page *page, const char *text)
{
    put_run(page, &page->blocks[page->count - 1], (nh_run){text, NULL});
}
