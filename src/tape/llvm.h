/* Inside tape/: the compiler. The library is looked for when it is needed for the first time, and not at all by runs that are too
 * short for it; without it, or without its headers at build time, there is no compiler. */
#ifndef NH_TAPE_LLVM_H
#define NH_TAPE_LLVM_H

#ifdef NH_HAVE_LLVM
#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

/* The functions of its C interface that are used. */
#define NH_LLVM_FUNCTIONS(X)          \
    X(ContextCreate)                  \
    X(ContextDispose)                 \
    X(ModuleCreateWithNameInContext)  \
    X(CreateBuilderInContext)         \
    X(DisposeBuilder)                 \
    X(DisposeModule)                  \
    X(DisposeMessage)                 \
    X(VectorType)                     \
    X(ConstVector)                    \
    X(BuildInsertElement)             \
    X(BuildShuffleVector)             \
    X(GetUndef)                       \
    X(BuildAlloca)                    \
    X(SetAlignment)                   \
    X(ConstNull)                      \
    X(DoubleTypeInContext)            \
    X(Int32TypeInContext)             \
    X(Int64TypeInContext)             \
    X(VoidTypeInContext)              \
    X(PointerTypeInContext)           \
    X(FunctionType)                   \
    X(AddFunction)                    \
    X(GetParam)                       \
    X(AppendBasicBlockInContext)      \
    X(PositionBuilderAtEnd)           \
    X(BuildLoad2)                     \
    X(BuildStore)                     \
    X(BuildInBoundsGEP2)              \
    X(BuildFAdd)                      \
    X(BuildFSub)                      \
    X(BuildFMul)                      \
    X(BuildFDiv)                      \
    X(BuildFNeg)                      \
    X(BuildFCmp)                      \
    X(BuildICmp)                      \
    X(BuildSelect)                    \
    X(BuildCall2)                     \
    X(BuildCondBr)                    \
    X(GetInlineAsm)                   \
    X(BuildRet)                       \
    X(ConstInt)                       \
    X(ConstReal)                      \
    X(ConstIntToPtr)                  \
    X(LookupIntrinsicID)              \
    X(GetIntrinsicDeclaration)        \
    X(AddTargetDependentFunctionAttr) \
    X(GetHostCPUName)                 \
    X(GetHostCPUFeatures)             \
    X(LinkInMCJIT)                    \
    X(CreateMCJITCompilerForModule)   \
    X(InitializeMCJITCompilerOptions) \
    X(GetFunctionAddress)             \
    X(DisposeExecutionEngine)

#define NH_LLVM_MEMBER(name) __typeof__(&LLVM##name) name;
typedef struct nh_llvm {
    NH_LLVM_FUNCTIONS(NH_LLVM_MEMBER)
    char *cpu, *features; /* of this processor */
} nh_llvm;
#undef NH_LLVM_MEMBER

/* NULL: there is none. */
const nh_llvm *nh_llvm_get(void);
#endif

#endif
