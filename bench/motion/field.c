/* field: nanoseconds for one call of the hand-written right-hand sides, as a JSON line for each system.
 * field SYSTEM: the right-hand side at each state of the standard input, as JSON lines. */
#include "fields.h"

enum { STATES = 64, ROUNDS = 2000, RUNS = 15 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* States about which a motion might pass: angles of a few turns, and nothing singular. */
static void make_states(int n, double (*states)[MOST])
{
    unsigned long long seed = 1;
    for (int k = 0; k < STATES; k++)
        for (int i = 0; i < n; i++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            states[k][i] = 0.25 + (double)(seed >> 40) / (1 << 24);
        }
}

/* Every call takes another state, and hands on a number of the result, so that none can be left out. */
static double nanoseconds(field_fn *volatile field, double (*states)[MOST])
{
    double d[MOST], sum = 0, begin = seconds_now();
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < STATES; k++) {
            field(states[k], d);
            sum += d[0];
        }
    double seconds = seconds_now() - begin;
    return isnan(sum) ? sum : 1e9 * seconds / (ROUNDS * STATES);
}

static int write_values(const field_system *system)
{
    static double states[MOST_STARTS][MOST];
    int count = read_starts(system->n, states);
    for (int k = 0; k < count; k++) {
        double d[MOST];
        system->field(states[k], d);
        for (int i = 0; i < system->n; i++)
            printf("%s%.17g", i ? ", " : "[", d[i]);
        printf("]\n");
    }
    return 0;
}

int main(int argc, char **argv)
{
    static double states[STATES][MOST];
    if (argc == 2)
        return write_values(system_named(argv[1]));
    for (int s = 0; s < SYSTEMS; s++) {
        double times[RUNS];
        make_states(systems[s].n, states);
        for (int run = 0; run < RUNS; run++)
            times[run] = nanoseconds(systems[s].field, states);
        qsort(times, RUNS, sizeof *times, by_size);
        printf("{\"system\": \"%s\", \"nanoseconds\": %.1f}\n", systems[s].name, times[RUNS / 2]);
    }
    return 0;
}
