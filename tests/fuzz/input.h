/* What the fuzz targets share: an input taken apart, contexts with small limits, and what must be true of every answer.
 *
 * An input is a model and, behind it, sections: each begins at a line "%%NAME", and goes on to the next one.
 *
 *     coordinates x
 *     kinetic 1/2*m*x'^2
 *     %%set m=2
 *     %%start x=1
 */
#ifndef NH_FUZZ_INPUT_H
#define NH_FUZZ_INPUT_H

#include "nonholo.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>

enum { FUZZ_SECTIONS = 16 };

typedef struct fuzz_section {
    char *name; /* owns the text, too */
    const char *text;
    size_t length;
} fuzz_section;

typedef struct fuzz_input {
    nh_model_source
        source; /* the model, in a block of just its size, and the sections that are members of it */
    fuzz_section sections[FUZZ_SECTIONS];
    size_t count;
} fuzz_input;

void fuzz_take(fuzz_input *input, const uint8_t *data, size_t size);
void fuzz_free(fuzz_input *input);

const fuzz_section *fuzz_find(const fuzz_input *input, const char *name); /* NULL: there is none */
const char *fuzz_text(const fuzz_input *input, const char *name);         /* the same */
double fuzz_number(const fuzz_input *input, const char *name, double least, double most, double otherwise);

/* Which of `count` names a section is; 0, where it is none of them. */
int fuzz_choice(const fuzz_input *input, const char *name, const char *const *names, int count);

/* A context with little memory and half a second; never NULL. */
nh_context *fuzz_context(void);

/* Reads the model, asks the question of it, if it is one, and frees both. */
typedef void fuzz_question(nh_context *context, const nh_model *model, const fuzz_input *input);
void fuzz_ask(const uint8_t *data, size_t size, fuzz_question *question);

/* Messages are there where something is wrong, and can be asked for; and the status is one that the caller does not answer for. */
void fuzz_look_at_messages(const nh_context *context, nh_status status);

/* A text is there where the answer is: UTF-8, and of that form. Frees it. */
typedef enum fuzz_form { FUZZ_TEXT, FUZZ_JSON, FUZZ_MARKED_UP, FUZZ_BRACED } fuzz_form;
fuzz_form fuzz_form_of(nh_format format);
void fuzz_look_at_answer(nh_context *context, nh_status status, fuzz_form form, nh_string *text);

/* Says what is wrong, and ends. */
noreturn void fuzz_broken(const char *what);

bool fuzz_is_json(const char *text, size_t length); /* all of it is one value */
bool fuzz_is_marked_up(const char *text);           /* elements as in SVG are closed */
bool fuzz_is_braced(const char *text);              /* braces as in LaTeX are closed */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
