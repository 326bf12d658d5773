/* Machine code for a tape. Two functions: the values from the inputs,
 *     int value(double *r, nh_series_double *s)
 * and the coefficients k from those of the inputs and from the sums over lower ones, whose factors it puts where nh_sweep finds
 * them,
 *     int next(double *r, double *row, const double *sums, double *x, double *y, double k, double part, double ahead,
 *              nh_series_double *s)
 * with r the values, row the coefficients k, part = 1/k. Both: 0 if a linear system is singular. In the code of a motion, x' = outputs, next
 * also makes the coefficients k + 1 of x, which are outputs times ahead.
 *
 * For lanes the same with vectors; there the registers are `scale` apart, and nh_sweep is not used: sums are formed from the
 * registers themselves, in two ways (see lanes.c): next finds them ready, and complete does what is left to be done. x is 1/(k + 1)
 * there, for the motion x' = outputs. */
#define _GNU_SOURCE /* sincos */
#include "tape/inner.h"
#include "tape/llvm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The compiler's memory is not of the heap, and has to have room there all the same: bytes, measured once. */
static bool has_room(const nh_tape *tape)
{
    const nh_heap *heap = tape->arena->heap;
    double most = 4e7 + 2e4 * (double)tape->n_steps;
    return heap->used < heap->limit && (double)(heap->limit - heap->used) > most;
}

/* Nanoseconds, measured once: of loading the compiler, of compiling a step, and what a step is faster by. */
bool nh_native_pays(const nh_tape *tape, double steps, size_t order)
{
    double size = (double)tape->n_steps, cost = 3e7 + 6e4 * size, gain = 1.6 * size * (double)(order + 1);
    return steps * gain > 1.5 * cost && has_room(tape);
}

#ifdef NH_HAVE_LLVM

struct nh_native {
    const nh_llvm *llvm;
    LLVMContextRef context;
    LLVMExecutionEngineRef engine;
    nh_value_code *value;
    nh_next_code *next, *complete;
    bool flows;
};

typedef struct compiler {
    const nh_llvm *l;
    const nh_tape *tape;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef real, single, pointer, integer, wide; /* real: one number, or one in each lane */
    LLVMValueRef function;
    LLVMValueRef values, row, sums, x, y, order, series; /* parameters */
    LLVMValueRef k, part;                                /* order and 1/order, in all lanes */
    LLVMValueRef ahead;                                  /* of a motion, not in lanes: unit/(order + 1) */
    LLVMValueRef *at;                                    /* by register: its value, or its coefficient k */
    bool *kept;                                          /* by register: read later from memory */
    uint32_t *uses, *next_use; /* by register: its places among the factors of slots, a list */
    bool is_next;
    bool completes; /* sums that are prepared, see lanes.c */
    bool lanes, flows;
    unsigned width; /* how many lanes */
    size_t scale;   /* of register numbers in memory */
} compiler;

/* ---------------------------------------------------------------- small words */

static LLVMValueRef place_at(compiler *c, LLVMValueRef base, size_t index)
{
    LLVMValueRef i = c->l->ConstInt(c->wide, index, 0);
    return c->l->BuildInBoundsGEP2(c->builder, c->real, base, &i, 1, "");
}

/* Of a register. */
static LLVMValueRef place(compiler *c, LLVMValueRef base, size_t reg)
{
    return place_at(c, base, reg * c->scale);
}

/* Memory of numbers is aligned as numbers are, also for vectors of them. */
static LLVMValueRef load_from(compiler *c, LLVMValueRef address)
{
    LLVMValueRef value = c->l->BuildLoad2(c->builder, c->real, address, "");
    c->l->SetAlignment(value, sizeof(double));
    return value;
}

static void store_to(compiler *c, LLVMValueRef address, LLVMValueRef value)
{
    c->l->SetAlignment(c->l->BuildStore(c->builder, value, address), sizeof(double));
}

static LLVMValueRef load(compiler *c, LLVMValueRef base, size_t reg)
{
    return load_from(c, place(c, base, reg));
}

static void store(compiler *c, LLVMValueRef base, size_t reg, LLVMValueRef value)
{
    store_to(c, place(c, base, reg), value);
}

static LLVMValueRef add(compiler *c, LLVMValueRef a, LLVMValueRef b)
{
    return c->l->BuildFAdd(c->builder, a, b, "");
}

static LLVMValueRef sub(compiler *c, LLVMValueRef a, LLVMValueRef b)
{
    return c->l->BuildFSub(c->builder, a, b, "");
}

static LLVMValueRef mul(compiler *c, LLVMValueRef a, LLVMValueRef b)
{
    return c->l->BuildFMul(c->builder, a, b, "");
}

static LLVMValueRef over(compiler *c, LLVMValueRef a, LLVMValueRef b)
{
    return c->l->BuildFDiv(c->builder, a, b, "");
}

static LLVMValueRef minus(compiler *c, LLVMValueRef a) { return c->l->BuildFNeg(c->builder, a, ""); }

static LLVMValueRef number(compiler *c, double value)
{
    LLVMValueRef one = c->l->ConstReal(c->single, value), all[NH_LANES_AT_MOST];
    for (unsigned i = 0; i < c->width; i++)
        all[i] = one;
    return c->lanes ? c->l->ConstVector(all, c->width) : one;
}

/* A number of the caller in all lanes. */
static LLVMValueRef in_all_lanes(compiler *c, LLVMValueRef x)
{
    if (!c->lanes)
        return x;
    LLVMTypeRef indices = c->l->VectorType(c->integer, c->width);
    LLVMValueRef first = c->l->BuildInsertElement(c->builder, c->l->GetUndef(c->real), x,
                                                  c->l->ConstInt(c->integer, 0, 0), "");
    return c->l->BuildShuffleVector(c->builder, first, c->l->GetUndef(c->real), c->l->ConstNull(indices), "");
}

/* a < b ? yes : no */
static LLVMValueRef less(compiler *c, LLVMValueRef a, LLVMValueRef b, LLVMValueRef yes, LLVMValueRef no)
{
    return c->l->BuildSelect(c->builder, c->l->BuildFCmp(c->builder, LLVMRealOLT, a, b, ""), yes, no, "");
}

/* The value of a register, and within next also its coefficient k; what is not computed here is read. Within next values are read
 * each time: operands in memory cost nothing, and thousands of them kept in registers would cost the compiler seconds. */
static LLVMValueRef value_of(compiler *c, uint32_t reg)
{
    if (c->is_next)
        return load(c, c->values, reg);
    if (!c->at[reg])
        c->at[reg] = load(c, c->values, reg);
    return c->at[reg];
}

static LLVMValueRef coefficient(compiler *c, uint32_t reg)
{
    if (!c->at[reg])
        c->at[reg] = load(c, c->row, reg);
    return c->at[reg];
}

/* A coefficient to where the sums find it. */
static void spread(compiler *c, uint32_t reg)
{
    if (c->lanes && c->uses[reg])
        store(c, c->row, c->tape->n_registers + c->uses[reg] - 1, mul(c, c->k, coefficient(c, reg)));
    for (uint32_t use = c->lanes ? 0 : c->uses[reg]; use; use = c->next_use[use - 1]) {
        const nh_slot *slot = &c->tape->slots[(use - 1) / 2];
        bool is_y = (use - 1) % 2;
        LLVMValueRef value = coefficient(c, reg);
        store_to(c, place_at(c, is_y ? c->y : c->x, (use - 1) / 2),
                 slot->weighted && !is_y ? mul(c, c->k, value) : value);
    }
}

static void set(compiler *c, uint32_t reg, LLVMValueRef value)
{
    c->at[reg] = value;
    if (c->kept[reg])
        store(c, c->is_next ? c->row : c->values, reg, value);
    if (c->is_next)
        spread(c, reg);
}

/* ---------------------------------------------------------------- calls */

static LLVMValueRef address(compiler *c, void (*function)(void))
{
    uintptr_t where;
    memcpy(&where, &function, sizeof where);
    return c->l->ConstIntToPtr(c->l->ConstInt(c->wide, where, 0), c->pointer);
}

static LLVMValueRef call(compiler *c, void (*function)(void), LLVMTypeRef result, LLVMTypeRef *types,
                         LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef type = c->l->FunctionType(result, types, count, 0);
    return c->l->BuildCall2(c->builder, type, address(c, function), arguments, count, "");
}

typedef void any_function(void);

/* From memory to memory, all lanes at once; where the results are. */
static LLVMValueRef call_lanes(compiler *c, nh_lanes_function *f, LLVMValueRef a, LLVMValueRef b,
                               unsigned results)
{
    LLVMValueRef arguments[3];
    LLVMTypeRef types[] = {c->pointer, c->pointer, c->pointer}, nothing = c->l->VoidTypeInContext(c->context);
    LLVMTypeRef room = c->l->VectorType(c->single, c->width * results);
    arguments[0] = c->l->BuildAlloca(c->builder, c->real, ""),
    arguments[1] = c->l->BuildAlloca(c->builder, c->real, "");
    arguments[2] = c->l->BuildAlloca(c->builder, room, "");
    store_to(c, arguments[0], a), store_to(c, arguments[1], b);
    call(c, (any_function *)f, nothing, types, arguments, 3);
    return arguments[2];
}

static LLVMValueRef call_one(compiler *c, double (*f)(double), nh_lanes_function *g, LLVMValueRef a)
{
    if (c->lanes)
        return load_from(c, call_lanes(c, g, a, a, 1));
    return call(c, (any_function *)f, c->real, (LLVMTypeRef[]){c->real}, &a, 1);
}

static LLVMValueRef call_two(compiler *c, double (*f)(double, double), nh_lanes_function *g, LLVMValueRef a,
                             LLVMValueRef b)
{
    if (c->lanes)
        return load_from(c, call_lanes(c, g, a, b, 1));
    return call(c, (any_function *)f, c->real, (LLVMTypeRef[]){c->real, c->real}, (LLVMValueRef[]){a, b}, 2);
}

/* Of up to three arguments. */
static LLVMValueRef intrinsic(compiler *c, const char *name, LLVMValueRef *arguments, unsigned count)
{
    unsigned id = c->l->LookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = c->l->GetIntrinsicDeclaration(c->module, id, &c->real, 1);
    LLVMTypeRef types[] = {c->real, c->real, c->real}, type = c->l->FunctionType(c->real, types, count, 0);
    return c->l->BuildCall2(c->builder, type, f, arguments, count, "");
}

/* a b + c, rounded once where the interpreter does. */
static LLVMValueRef fused(compiler *c, LLVMValueRef a, LLVMValueRef b, LLVMValueRef sum)
{
    if (c->lanes && nh_processor_kind() != NH_PROCESSOR_PLAIN)
        return intrinsic(c, "llvm.fma", (LLVMValueRef[]){a, b, sum}, 3);
    return add(c, mul(c, a, b), sum);
}

/* Both at once, into the memory of the registers. */
static void call_pair(compiler *c, const nh_step *s)
{
    if (c->lanes) {
        LLVMValueRef a = value_of(c, s->a), both = call_lanes(c, nh_lanes_code_get()->sincos, a, a, 2);
        set(c, s->out, load_from(c, both)), set(c, s->out + 1, load_from(c, place_at(c, both, 1)));
        return;
    }
    LLVMValueRef arguments[] = {value_of(c, s->a), place(c, c->values, s->out),
                                place(c, c->values, s->out + 1)};
    LLVMTypeRef types[] = {c->real, c->pointer, c->pointer};
    LLVMTypeRef nothing = c->l->VoidTypeInContext(c->context);
    call(c, (any_function *)sincos, nothing, types, arguments, 3);
    c->at[s->out] = load(c, c->values, s->out), c->at[s->out + 1] = load(c, c->values, s->out + 1);
}

/* A linear system by the interpreter, from memory to memory; 0 ends the function. */
static void call_solve(compiler *c, const nh_step *s)
{
    const nh_linear *system = &c->tape->systems[s->a];
    LLVMValueRef step = c->l->ConstIntToPtr(c->l->ConstInt(c->wide, (uintptr_t)s, 0), c->pointer);
    LLVMValueRef arguments[] = {c->series, step, c->is_next ? c->order : c->l->ConstReal(c->single, 0)};
    LLVMTypeRef types[] = {c->pointer, c->pointer, c->single};
    any_function *solve = (any_function *)(c->lanes ? nh_lanes_code_get()->solve : nh_series_solve);
    LLVMValueRef done = call(c, solve, c->integer, types, arguments, 3);
    LLVMBasicBlockRef fail = c->l->AppendBasicBlockInContext(c->context, c->function, "");
    LLVMBasicBlockRef on = c->l->AppendBasicBlockInContext(c->context, c->function, "");
    LLVMValueRef none = c->l->ConstInt(c->integer, 0, 0);
    c->l->BuildCondBr(c->builder, c->l->BuildICmp(c->builder, LLVMIntNE, done, none, ""), on, fail);
    c->l->PositionBuilderAtEnd(c->builder, fail);
    c->l->BuildRet(c->builder, none);
    c->l->PositionBuilderAtEnd(c->builder, on);
    for (uint32_t i = 0; i < system->n; i++) {
        c->at[s->out + i] = load(c, c->is_next ? c->row : c->values, s->out + i);
        if (c->is_next)
            spread(c, s->out + i);
    }
}

/* ---------------------------------------------------------------- steps, as in series.inc */

/* The coefficient j or k - j of a row, in lanes. */
static LLVMValueRef row_at(compiler *c, uint32_t row, size_t j)
{
    return load_from(c, place_at(c, c->values, row * c->scale + j));
}

static LLVMValueRef row_before(compiler *c, uint32_t row, size_t j)
{
    return load_from(c, place_at(c, c->row, row * c->scale - j));
}

/* What is prepared lacks x_1 y_{k-1} + x_{k-1} y_1. */
static LLVMValueRef sum(compiler *c, uint32_t slot)
{
    const nh_slot *p = &c->tape->slots[slot];
    LLVMValueRef ready = load_from(c, place_at(c, c->sums, c->lanes ? p->place : slot));
    if (!c->completes)
        return ready;
    ready = fused(c, row_at(c, p->rows[0], 1), row_before(c, p->rows[1], 1), ready);
    return fused(c, row_before(c, p->rows[0], 1), row_at(c, p->rows[1], 1), ready);
}

static LLVMValueRef sign_of(compiler *c, LLVMValueRef a)
{
    LLVMValueRef zero = number(c, 0), positive = less(c, zero, a, number(c, 1), zero);
    return less(c, a, zero, number(c, -1), positive);
}

static LLVMValueRef arc(compiler *c, nh_function f, LLVMValueRef a)
{
    const nh_lanes_code *g = nh_lanes_code_get();
    return f == NH_FN_asin   ? call_one(c, asin, g->asin, a)
           : f == NH_FN_acos ? call_one(c, acos, g->acos, a)
                             : call_one(c, atan, g->atan, a);
}

/* a/b, and 0 where b is too large to be a number; see nh_step.fades */
static LLVMValueRef fading(compiler *c, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef inverse = over(c, number(c, 1), b);
    return less(c, number(c, 0), intrinsic(c, "llvm.fabs", &inverse, 1), over(c, a, b), inverse);
}

static void emit_value(compiler *c, const nh_step *s)
{
    LLVMValueRef one = number(c, 1), a = NULL, b = NULL, w = NULL;
    const nh_lanes_code *g = nh_lanes_code_get();
    if (s->op != NH_OP_SOLVE)
        a = value_of(c, s->a), b = value_of(c, s->b);
    switch ((nh_op)s->op) {
    case NH_OP_ADD: w = add(c, a, b); break;
    case NH_OP_SUB: w = sub(c, a, b); break;
    case NH_OP_MUL:
    case NH_OP_SCALE: w = mul(c, a, b); break;
    case NH_OP_DIV: w = s->fades ? fading(c, a, b) : over(c, a, b); break;
    case NH_OP_NEG: w = minus(c, a); break;
    case NH_OP_SQUARE: w = mul(c, a, a); break;
    case NH_OP_SQRT: w = intrinsic(c, "llvm.sqrt", &a, 1); break;
    case NH_OP_POWER: w = call_two(c, pow, g->pow, a, b); break;
    case NH_OP_EXP: w = call_one(c, exp, g->exp, a); break;
    case NH_OP_LOG: w = call_one(c, log, g->log, a); break;
    case NH_OP_SINCOS: call_pair(c, s); return;
    case NH_OP_SINHCOSH:
        w = call_one(c, sinh, g->sinh, a);
        set(c, s->out + 1, call_one(c, cosh, g->cosh, a));
        break;
    case NH_OP_TANH:
        w = call_one(c, tanh, g->tanh, a);
        set(c, s->out + 1, call_one(c, nh_inverse_square_of_cosh, g->inverse_square_of_cosh, a));
        break;
    case NH_OP_ARC: w = arc(c, (nh_function)s->function, a); break;
    case NH_OP_ATAN2: w = call_two(c, atan2, g->atan2, a, b); break;
    case NH_OP_ABS: w = intrinsic(c, "llvm.fabs", &a, 1); break;
    case NH_OP_SIGN: w = sign_of(c, a); break;
    case NH_OP_MIN: w = less(c, a, b, a, b); break;
    case NH_OP_MAX: w = less(c, a, b, b, a); break;
    case NH_OP_SOLVE: call_solve(c, s); return;
    }
    set(c, s->out, w);
    bool inverse = s->op == NH_OP_DIV || s->op == NH_OP_SQRT || s->op == NH_OP_POWER || s->op == NH_OP_LOG;
    if (inverse && c->kept[s->c])
        set(c, s->c,
            over(c, one,
                 s->op == NH_OP_DIV    ? b
                 : s->op == NH_OP_SQRT ? mul(c, number(c, 2), w)
                                       : a));
}

/* [u', v]/k + u_k v_0 */
static LLVMValueRef chained(compiler *c, uint32_t slot, uint32_t u, uint32_t v)
{
    return fused(c, coefficient(c, u), value_of(c, v), mul(c, sum(c, slot), c->part));
}

static LLVMValueRef raised(compiler *c, const nh_step *s)
{
    LLVMValueRef w = mul(c, mul(c, c->k, coefficient(c, s->a)), value_of(c, s->out));
    w = mul(c, value_of(c, s->b), add(c, w, sum(c, s->slot)));
    return mul(c, mul(c, sub(c, w, sum(c, s->slot + 1)), c->part), value_of(c, s->c));
}

static LLVMValueRef product(compiler *c, const nh_step *s)
{
    LLVMValueRef w = fused(c, value_of(c, s->a), coefficient(c, s->b), sum(c, s->slot));
    return fused(c, coefficient(c, s->a), value_of(c, s->b), w);
}

static LLVMValueRef quotient(compiler *c, const nh_step *s)
{
    LLVMValueRef w = fused(c, coefficient(c, s->b), value_of(c, s->out), sum(c, s->slot));
    w = mul(c, sub(c, coefficient(c, s->a), w), value_of(c, s->c));
    LLVMValueRef inverse = value_of(c, s->c), first = value_of(c, s->out);
    return s->large ? less(c, number(c, 0), intrinsic(c, "llvm.fabs", &inverse, 1), w, first) : w;
}

static LLVMValueRef branch(compiler *c, const nh_step *s, uint32_t yes, uint32_t no)
{
    return less(c, value_of(c, s->a), value_of(c, s->b), coefficient(c, yes), coefficient(c, no));
}

static void emit_next(compiler *c, const nh_step *s)
{
    LLVMValueRef w = NULL;
    switch ((nh_op)s->op) {
    case NH_OP_ADD: w = add(c, coefficient(c, s->a), coefficient(c, s->b)); break;
    case NH_OP_SUB: w = sub(c, coefficient(c, s->a), coefficient(c, s->b)); break;
    case NH_OP_MUL: w = product(c, s); break;
    case NH_OP_SCALE: w = mul(c, value_of(c, s->a), coefficient(c, s->b)); break;
    case NH_OP_DIV: w = quotient(c, s); break;
    case NH_OP_NEG: w = minus(c, coefficient(c, s->a)); break;
    case NH_OP_SQUARE:
        w = fused(c, mul(c, number(c, 2), value_of(c, s->a)), coefficient(c, s->a), sum(c, s->slot));
        break;
    case NH_OP_SQRT: w = mul(c, sub(c, coefficient(c, s->a), sum(c, s->slot)), value_of(c, s->c)); break;
    case NH_OP_POWER: w = raised(c, s); break;
    case NH_OP_EXP: w = chained(c, s->slot, s->a, s->out); break;
    case NH_OP_LOG:
        w = mul(c, sub(c, coefficient(c, s->a), mul(c, sum(c, s->slot), c->part)), value_of(c, s->c));
        break;
    case NH_OP_SINCOS:
        w = chained(c, s->slot, s->a, s->out + 1);
        set(c, s->out + 1, minus(c, chained(c, s->slot + 1, s->a, s->out)));
        break;
    case NH_OP_SINHCOSH:
        w = chained(c, s->slot, s->a, s->out + 1);
        set(c, s->out + 1, chained(c, s->slot + 1, s->a, s->out));
        break;
    case NH_OP_TANH:
        w = chained(c, s->slot, s->a, s->out + 1);
        set(c, s->out + 1,
            minus(c, fused(c, mul(c, number(c, 2), value_of(c, s->out)), w, sum(c, s->slot + 1))));
        break;
    case NH_OP_ARC: w = chained(c, s->slot, s->a, s->b); break;
    case NH_OP_ATAN2:
        w = add(c, chained(c, s->slot, s->a, s->c), chained(c, s->slot + 1, s->b, s->c + 1));
        break;
    case NH_OP_ABS:
        w = less(c, value_of(c, s->a), number(c, 0), minus(c, coefficient(c, s->a)), coefficient(c, s->a));
        break;
    case NH_OP_SIGN: w = number(c, 0); break;
    case NH_OP_MIN: w = branch(c, s, s->a, s->b); break;
    case NH_OP_MAX: w = branch(c, s, s->b, s->a); break;
    case NH_OP_SOLVE: call_solve(c, s); return;
    }
    set(c, s->out, w);
}

/* ---------------------------------------------------------------- order */

/* Steps that call a function, and what they need, come first: a call saves and brings back what is in registers. */
static void mark_needs(const nh_tape *t, bool *early, const uint32_t *maker, uint32_t step)
{
    uint32_t *stack = malloc((t->n_steps + 2) * sizeof *stack), n = 0;
    if (!stack)
        return;
    stack[n++] = step, early[step] = true;
    while (n) {
        const nh_step *s = &t->steps[stack[--n]];
        uint32_t needs[] = {maker[s->a], maker[s->b]};
        for (int i = 0; i < 2; i++)
            if (needs[i] && !early[needs[i] - 1])
                early[needs[i] - 1] = true, stack[n++] = needs[i] - 1;
    }
    free(stack);
}

static bool *early_steps(const nh_tape *t)
{
    bool *early = calloc(t->n_steps + 1, sizeof *early);
    uint32_t *maker = calloc(t->n_registers + 1, sizeof *maker); /* by register: step + 1 */
    bool any_system = t->n_systems > 0;
    for (uint32_t i = 0; early && maker && i < t->n_steps; i++) {
        const nh_step *s = &t->steps[i];
        maker[s->out] = maker[s->out + nh_op_is_pair(s->op)] = i + 1;
        if (s->op >= NH_OP_POWER && s->op <= NH_OP_ATAN2 && !any_system)
            mark_needs(t, early, maker, i);
    }
    free(maker);
    return early;
}

/* ---------------------------------------------------------------- functions */

/* What is read from memory: outputs, operands of linear systems, of corners, of roots, quotients and arcs, and within next the values of the operands of products. */
static void find_kept(compiler *c, bool series)
{
    const nh_tape *t = c->tape;
    bool reads_outputs = !c->flows || (!c->lanes && !c->is_next);
    for (size_t i = 0; i < t->n_outputs && reads_outputs; i++)
        c->kept[t->outputs[i]] = true;
    for (size_t i = 0; i < t->n_systems; i++) {
        const nh_linear *l = &t->systems[i];
        for (size_t e = 0; e < (size_t)l->n * l->n; e++)
            c->kept[l->matrix[e]] = true;
        for (size_t e = 0; e < l->n; e++)
            c->kept[l->right[e]] = true;
    }
    for (size_t i = 0; i < t->n_corners; i++)
        c->kept[t->steps[t->corners[i]].a] = c->kept[t->steps[t->corners[i]].b] = true;
    for (size_t i = 0; i < t->n_roots; i++)
        c->kept[t->steps[t->roots[i]].a] = true;
    for (size_t i = 0; i < t->n_steep; i++)
        c->kept[t->steep[i]] = true;
    for (size_t i = 0; i < t->n_steps && t->has_arcs; i++)
        if (t->steps[i].op == NH_OP_ARC || t->steps[i].op == NH_OP_ATAN2)
            c->kept[t->steps[i].a] = c->kept[t->steps[i].out] = true;
    for (size_t i = 0; i < t->n_steps && t->has_hidden; i++) {
        const nh_step *s = &t->steps[i];
        if (s->op != NH_OP_SOLVE && !(c->lanes && c->is_next))
            c->kept[s->out] = c->kept[s->out + nh_op_is_pair(s->op)] = c->kept[s->a] = c->kept[s->b] = true;
    }
    for (size_t p = 0; p < t->n_slots && c->is_next && c->lanes; p++)
        c->kept[t->slots[p].x] = c->kept[t->slots[p].y] = true;
    for (size_t i = 0; i < t->n_steps && series && !c->is_next; i++) {
        const nh_step *s = &t->steps[i];
        if (s->op == NH_OP_ADD || s->op == NH_OP_SUB || s->op == NH_OP_NEG || s->op == NH_OP_SOLVE)
            continue;
        c->kept[s->out] = c->kept[s->a] = c->kept[s->b] = true;
        if (nh_op_is_pair(s->op))
            c->kept[s->out + 1] = true;
        if (s->op == NH_OP_DIV || s->op == NH_OP_SQRT || s->op == NH_OP_POWER || s->op == NH_OP_LOG)
            c->kept[s->c] = true;
        if (s->op == NH_OP_ATAN2)
            c->kept[s->c] = c->kept[s->c + 1] = true;
    }
}

static void begin_function(compiler *c, const char *name)
{
    LLVMTypeRef p = c->pointer, d = c->single;
    LLVMTypeRef types[] = {p, p, p, p, p, d, d, d, p}, few[] = {p, p};
    LLVMTypeRef type =
        c->is_next ? c->l->FunctionType(c->integer, types, 9, 0) : c->l->FunctionType(c->integer, few, 2, 0);
    LLVMValueRef f = c->function = c->l->AddFunction(c->module, name, type);
    c->l->AddTargetDependentFunctionAttr(f, "target-cpu", c->l->cpu);
    c->l->AddTargetDependentFunctionAttr(f, "target-features", c->l->features);
    c->l->PositionBuilderAtEnd(c->builder, c->l->AppendBasicBlockInContext(c->context, f, ""));
    LLVMValueRef *all[] = {&c->values, &c->row, &c->sums, &c->x, &c->y, &c->order};
    for (unsigned i = 0; i < (c->is_next ? 6u : 1u); i++)
        *all[i] = c->l->GetParam(f, i);
    c->series = c->l->GetParam(f, c->is_next ? 8 : 1);
    if (c->is_next)
        c->k = in_all_lanes(c, c->order), c->part = in_all_lanes(c, c->l->GetParam(f, 6)),
        c->ahead = c->l->GetParam(f, 7);
}

/* The compiler compares each access to memory with all others before it finds an order for them: every so many steps something that
 * none may pass, and is nothing, keeps its time in bounds. */
enum { STEPS_BETWEEN_WALLS = 40 };

static void build_wall(compiler *c)
{
    LLVMTypeRef type = c->l->FunctionType(c->l->VoidTypeInContext(c->context), NULL, 0, 0);
    char *text = "", *effects = "~{memory}";
    LLVMValueRef wall =
        c->l->GetInlineAsm(type, text, 0, effects, strlen(effects), 1, 0, LLVMInlineAsmDialectATT, 0);
    c->l->BuildCall2(c->builder, type, wall, NULL, 0, "");
}

/* x' = outputs, x the inputs from 1 on: (k + 1) x_{k+1} = unit outputs_k, the unit of time being coefficient 1 of input 0. */
static void emit_flow(compiler *c)
{
    size_t next_row = c->tape->n_registers + 2;
    for (uint32_t i = 0; i < c->tape->n_outputs && c->is_next; i++)
        store(c, c->row, next_row + 1 + i, mul(c, coefficient(c, c->tape->outputs[i]), c->ahead));
}

static void emit_flow_in_lanes(compiler *c)
{
    LLVMValueRef base = c->is_next ? c->row : c->values, part = load_from(c, place_at(c, c->values, 1));
    if (c->is_next)
        part = mul(c, part, in_all_lanes(c, c->l->BuildLoad2(c->builder, c->single, c->x, "")));
    for (uint32_t i = 0; i < c->tape->n_outputs; i++) {
        LLVMValueRef rate =
            c->is_next ? coefficient(c, c->tape->outputs[i]) : value_of(c, c->tape->outputs[i]);
        store_to(c, place_at(c, base, (1 + i) * c->scale + 1), mul(c, rate, part));
    }
}

static void emit_steps(compiler *c)
{
    const nh_tape *t = c->tape;
    bool *early = c->is_next ? NULL : early_steps(t);
    size_t count = 0;
    for (uint32_t i = 0; i < t->n_inputs && c->is_next; i++)
        spread(c, i);
    for (int late = 0; late < 2; late++)
        for (size_t i = 0; i < t->n_steps; i++)
            if ((early && early[i]) == !late) {
                c->is_next ? emit_next(c, &t->steps[i]) : emit_value(c, &t->steps[i]);
                if (++count % STEPS_BETWEEN_WALLS == 0)
                    build_wall(c);
            }
    free(early);
    if (c->flows)
        c->lanes ? emit_flow_in_lanes(c) : emit_flow(c);
    c->l->BuildRet(c->builder, c->l->ConstInt(c->integer, 1, 0));
}

static void find_uses(compiler *c)
{
    const nh_tape *t = c->tape;
    for (uint32_t i = 0; i < t->n_weighted && c->lanes; i++)
        c->uses[t->weighted[i]] = i + 1;
    for (uint32_t p = 0; p < t->n_slots && !c->lanes; p++) {
        uint32_t x = t->slots[p].x, y = t->slots[p].y;
        c->next_use[2 * p] = c->uses[x], c->uses[x] = 2 * p + 1;
        c->next_use[2 * p + 1] = c->uses[y], c->uses[y] = 2 * p + 2;
    }
}

typedef enum code_part { VALUE, NEXT, COMPLETE } code_part;

static bool emit_function(compiler *c, const char *name, code_part part, bool series)
{
    size_t size = c->tape->n_registers + 2;
    c->is_next = part != VALUE, c->completes = part == COMPLETE;
    c->at = calloc(size, sizeof *c->at), c->kept = calloc(size, sizeof *c->kept);
    c->uses = calloc(size, sizeof *c->uses),
    c->next_use = calloc(2 * c->tape->n_slots + 1, sizeof *c->next_use);
    bool enough = c->at && c->kept && c->uses && c->next_use;
    if (enough) {
        find_kept(c, series);
        find_uses(c);
        begin_function(c, name);
        emit_steps(c);
    }
    free(c->at), free(c->kept), free(c->uses), free(c->next_use);
    return enough;
}

static bool make_code(nh_native *native, compiler *c, bool series)
{
    const nh_llvm *l = c->l;
    struct LLVMMCJITCompilerOptions options;
    char *message = NULL;
    bool completes = c->lanes && !c->tape->n_systems; /* systems take sums that are ready */
    if (!emit_function(c, "value", VALUE, series) || (series && !emit_function(c, "next", NEXT, series)) ||
        (completes && !emit_function(c, "complete", COMPLETE, series)))
        return false;
    l->InitializeMCJITCompilerOptions(&options, sizeof options);
    options.OptLevel = 1; /* at 2 a second scheduler takes most of the time, and gains nothing */
    LLVMModuleRef module = c->module;
    c->module = NULL; /* the engine's, also where it fails */
    if (l->CreateMCJITCompilerForModule(&native->engine, module, &options, sizeof options, &message)) {
        l->DisposeMessage(message);
        native->engine = NULL;
        return false;
    }
    uint64_t value = l->GetFunctionAddress(native->engine, "value");
    uint64_t next = series ? l->GetFunctionAddress(native->engine, "next") : 0;
    uint64_t complete = completes ? l->GetFunctionAddress(native->engine, "complete") : 0;
    memcpy(&native->value, &value, sizeof native->value);
    memcpy(&native->next, &next, sizeof native->next);
    memcpy(&native->complete, &complete, sizeof native->complete);
    return value && (next || !series) && (complete || !completes);
}

nh_native *nh_native_new(const nh_tape *tape, nh_native_kind kind, size_t order)
{
    const nh_llvm *l = nh_llvm_get();
    nh_native *native = l ? calloc(1, sizeof *native) : NULL;
    if (!native)
        return NULL;
    LLVMContextRef context = l->ContextCreate();
    *native = (nh_native){.llvm = l, .context = context};
    compiler c = {.l = l, .tape = tape, .context = context};
    c.module = l->ModuleCreateWithNameInContext("tape", context);
    c.builder = l->CreateBuilderInContext(context);
    c.lanes = kind == NH_NATIVE_LANES || kind == NH_NATIVE_FLOW_LANES;
    c.flows = native->flows = kind == NH_NATIVE_FLOW || kind == NH_NATIVE_FLOW_LANES;
    c.scale = c.lanes ? nh_lanes_stride(order) : 1;
    c.single = l->DoubleTypeInContext(context), c.integer = l->Int32TypeInContext(context);
    c.width = (unsigned)nh_lanes_count();
    c.real = c.lanes ? l->VectorType(c.single, c.width) : c.single;
    c.wide = l->Int64TypeInContext(context), c.pointer = l->PointerTypeInContext(context, 0);
    bool made = make_code(native, &c, kind != NH_NATIVE_VALUES);
    l->DisposeBuilder(c.builder);
    if (c.module)
        l->DisposeModule(c.module);
    if (made)
        return native;
    nh_native_free(native);
    return NULL;
}

void nh_native_free(nh_native *native)
{
    if (!native)
        return;
    if (native->engine)
        native->llvm->DisposeExecutionEngine(native->engine);
    native->llvm->ContextDispose(native->context);
    free(native);
}

void nh_series_use(nh_series_double *s, const nh_native *native)
{
    s->value_code = native ? native->value : NULL;
    s->next_code = native ? native->next : NULL;
    s->flows = native && native->flows;
}

void nh_series_use_lanes(nh_series_lanes *s, const nh_native *native)
{
    s->value_code = native ? native->value : NULL;
    s->next_code = native ? native->next : NULL;
    s->complete_code = native ? native->complete : NULL;
    s->flows = native && native->flows;
}

#else

nh_native *nh_native_new(const nh_tape *tape, nh_native_kind kind, size_t order)
{
    (void)tape, (void)kind, (void)order;
    return NULL;
}

void nh_native_free(nh_native *native) { (void)native; }

void nh_series_use(nh_series_double *s, const nh_native *native) { (void)s, (void)native; }

void nh_series_use_lanes(nh_series_lanes *s, const nh_native *native) { (void)s, (void)native; }

#endif
