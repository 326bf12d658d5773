/* The context behind the public calls: memory, and the messages of the last call. */
#ifndef NH_BASE_CONTEXT_H
#define NH_BASE_CONTEXT_H

#include "base/rational.h"
#include "base/source.h"

struct nh_context {
    nh_heap heap;
    double deadline; /* of all calls */
    nh_arena arena; /* of the last call: sources, messages, syntax trees */
    nh_numbers numbers;
    nh_diagnostics diagnostics;
    const char **texts; /* the messages in full, made with the call */
    size_t n_texts;
};

/* A public call: forgets the last one's messages, runs body(arg) behind a barrier, and keeps the messages of
 * this one. The body reports errors in a model as messages; then the status is NH_ERROR_MODEL. */
nh_status nh_context_call(nh_context *context, void (*body)(void *), void *arg);

/* A text for the caller of the library, who frees it with nh_string_free. */
void nh_string_make(nh_context *context, const nh_text *text, nh_string *string);

/* Of a clock that is never set back; and of one that runs while this thread works. */
double nh_seconds(void);
double nh_thread_seconds(void);

#endif
