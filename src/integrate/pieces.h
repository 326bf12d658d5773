/* Inside integrate/: many motions are cut into pieces (many.c), and a thread does one after the other (pieces.c). */
#ifndef NH_INTEGRATE_PIECES_H
#define NH_INTEGRATE_PIECES_H

#include "integrate/lanes.h"
#include "integrate/starts.h"

#include <pthread.h>
#include <stdatomic.h>

/* A piece of the starts, and what became of it. */
typedef struct nh_piece {
    size_t first, count;
    bool done;
    nh_arena arena;
    nh_text text;   /* CSV */
    double *values; /* or the numbers */
    size_t n_values, capacity;
    size_t failed, first_failure; /* motions that did not reach their end */
    nh_run_end reason;
    double t_failure;
    size_t met, first_met; /* motions that met another branch of a constraint */
    double t_met;
    size_t changed, first_changed; /* motions that went on in all velocities */
    double t_changed;
    size_t steps;
    bool swings;
    size_t looked;
    nh_kept kept;
} nh_piece;

typedef struct nh_many {
    nh_run_job *job;
    nh_run_job
        before; /* the same, as it was before the threads: rows and why it stops are not theirs to read */
    const nh_motion *motion;
    const nh_motion *
        second; /* the same in all velocities, where free ones may fail; NULL: they do not, or there is none */
    nh_starts starts;
    const nh_pack_code *lanes; /* NULL: one by one */
    double tolerance;          /* of a step in lanes */
    size_t order;              /* odd: the sums of two orders are formed at once */
    size_t width;              /* columns: start, t, those of the motion, event */
    size_t n_rows;             /* of a motion that reaches its end */
    nh_piece *pieces;
    size_t n_pieces;
    atomic_size_t next; /* the first piece that nobody has taken */
    atomic_bool stopped;
    size_t written, ahead; /* how many pieces may be waiting to be written */
    pthread_mutex_t lock;
    pthread_cond_t change;
    nh_status status;
    nh_native *native; /* code for lanes; NULL: interpreted */
} nh_many;

/* What a thread works with. */
typedef struct nh_worker {
    nh_many *m;
    pthread_t thread;
    nh_heap heap;
    nh_arena arena;
    nh_motion motion, second;
    nh_complete *complete;
    nh_volume *volume;
    nh_pack *pack;
    double *row, *x, *kept;
    nh_piece *now;
    size_t start; /* of the row that is taken */
    bool began;
    double seconds, writing; /* of its processor; of these, for the rows of lanes as text */
} nh_worker;

/* The code of lanes for this solver, and the processor that is here. */
const nh_pack_code *nh_piece_lanes(nh_integrator);

/* All motions of the piece w->now, and their rows; ARG: the nh_worker. */
void nh_piece_do(void *arg);

#endif
