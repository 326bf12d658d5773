/* The pieces of a text that have colours of their own: its tokens, with keywords told from names. */
#include "lang/lexer.h"

/* The first token of a statement, if it is one of the words that statements begin with. */
static bool is_keyword(const nh_source *source, const nh_token *t, bool first)
{
    nh_keyword keyword;
    return first && nh_keyword_find(nh_source_slice(source, t->span), &keyword);
}

static bool kind_of(const nh_source *source, const nh_token *t, bool first, nh_mark_kind *kind)
{
    switch (t->kind) {
    case NH_TOKEN_NAME:
        *kind = is_keyword(source, t, first) ? NH_MARKED_KEYWORD : NH_MARKED_NAME;
        return true;
    case NH_TOKEN_NUMBER: *kind = NH_MARKED_NUMBER; return true;
    case NH_TOKEN_TITLE: *kind = NH_MARKED_TITLE; return true;
    case NH_TOKEN_COMMENT: *kind = NH_MARKED_COMMENT; return true;
    default: return false;
    }
}

nh_marks nh_marks_of(nh_arena *arena, const nh_source *source)
{
    nh_lexer lexer = nh_lexer_of(arena, source);
    nh_tokens tokens = {0};
    nh_marks marks = {0};
    nh_mark_kind kind;
    while (nh_lex_statement(&lexer, &tokens))
        for (size_t i = 0; i < tokens.count; i++)
            if (kind_of(source, &tokens.items[i], i == 0, &kind))
                nh_push(arena, marks.items, marks.count, marks.capacity) =
                    (nh_mark){kind, tokens.items[i].span};
    return marks;
}
