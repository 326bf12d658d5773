/* Inside lang/: characters to tokens, one statement at a time. */
#ifndef NH_LANG_LEXER_H
#define NH_LANG_LEXER_H

#include "lang/lang.h"

typedef enum nh_token_kind {
    NH_TOKEN_NAME,
    NH_TOKEN_NUMBER,
    NH_TOKEN_SIGN,    /* one character of + - * / ^ ( ) [ ] , = : ' */
    NH_TOKEN_TITLE,   /* the rest of a system line, trimmed */
    NH_TOKEN_BAD,     /* nothing of the language; message and hint say why */
    NH_TOKEN_COMMENT, /* # to the end of the line */
    NH_TOKEN_NEWLINE, /* the statement goes on in another line */
    NH_TOKEN_BLANK,   /* empty lines */
    NH_TOKEN_END,     /* behind the last token of a statement */
} nh_token_kind;

typedef struct nh_token {
    nh_token_kind kind;
    char sign;
    nh_span span;
    const char *message, *hint; /* BAD */
} nh_token;

typedef struct nh_tokens {
    nh_token *items;
    size_t count, capacity;
    bool bad; /* there is a BAD token; further ones are left out, since the first ends the statement */
} nh_tokens;

typedef struct nh_lexer {
    nh_arena *arena;
    const nh_source *source;
    uint32_t at;
} nh_lexer;

nh_lexer nh_lexer_of(nh_arena *arena, const nh_source *source);

/* The tokens of the next statement, comments and line breaks included, with END behind them; or the comments
 * and blank lines before it, without END. False at the end of the text. */
bool nh_lex_statement(nh_lexer *lexer, nh_tokens *tokens);

/* All tokens up to the end of the text as one statement, whatever its lines begin with. */
void nh_lex_all(nh_lexer *lexer, nh_tokens *tokens);

#endif
