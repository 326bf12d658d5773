/* Finding the compiler. */
#include "tape/llvm.h"

#ifdef NH_HAVE_LLVM
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* The library is the process's: it cannot be loaded twice, nor usefully be taken out. */
static nh_llvm functions;
static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(void)
{
    static const char *const names[] = {"libLLVM-" NH_LLVM_MAJOR ".so.1", "libLLVM-" NH_LLVM_MAJOR ".so",
                                        "libLLVM.so." NH_LLVM_MAJOR ".1"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    return library;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
/* LLVM_NATIVE_TARGET and the like are macros: names of the functions for the machine that LLVM was built on. */
static bool start_target(void *library)
{
    static const char *const names[] = {TEXT(LLVM_NATIVE_TARGETINFO), TEXT(LLVM_NATIVE_TARGET),
                                        TEXT(LLVM_NATIVE_TARGETMC), TEXT(LLVM_NATIVE_ASMPRINTER)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void (*start)(void);
        *(void **)&start = dlsym(library, names[i]);
        if (!start)
            return false;
        start();
    }
    return true;
}

static void find(void)
{
    void *library = open_library();
    bool all = library != NULL;
#define FIND(name)                                                    \
    if (all) {                                                        \
        *(void **)&functions.name = dlsym(library, TEXT(LLVM##name)); \
        all = functions.name != NULL;                                 \
    }
    NH_LLVM_FUNCTIONS(FIND)
    if (!all || !start_target(library))
        return;
    functions.LinkInMCJIT();
    functions.cpu = functions.GetHostCPUName(), functions.features = functions.GetHostCPUFeatures();
    is_there = true;
}

const nh_llvm *nh_llvm_get(void)
{
    pthread_once(&once, find);
    return is_there ? &functions : NULL;
}
#else
typedef int nh_no_compiler; /* a file is not empty */
#endif
