#include "cli/cli.h"

/* The options, and what became of the picture. */
typedef struct question {
    cli_options options;
    bool drawn;
} question;

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    question *q = (question *)options; /* its first member */
    cli_table table = {0};
    nh_linearize_options how = {.format = format, .project = options->project, .steady = options->steady};
    if (options->plot)
        how.row = cli_table_take, how.user = &table;
    nh_status status = nh_model_linearize(context, model, &how, text);
    if (status == NH_OK && options->plot)
        q->drawn = cli_table_draw(&table, options, context, model);
    cli_table_free(&table);
    return status;
}

static int run(const cli_options *options)
{
    question q = {*options, true};
    if (options->vary && !*options->vary)
        return cli_wrong("--vary needs a range, such as v=0:10:100");
    if (options->plot && !options->vary)
        return cli_wrong("--plot needs --vary: it draws the eigenvalues over what is varied");
    if (options->at && options->start)
        return cli_wrong("--at and --start are the same here: give one of them");
    q.options.start = options->at ? options->at : options->start;
    int result = cli_answer(&q.options, "linearize", ask);
    return result == EXIT_DONE && !q.drawn ? EXIT_UNFINISHED : result;
}

const cli_command cli_linearize = {
    "linearize",
    "the motion near a state: linear equations, eigenvalues, modes, stability",
    "usage: nonholo linearize FILE [options]\n"
    "\n"
    "Linearizes the equations of motion at the initial state, leaves out the coordinates that\n"
    "nothing else depends on, and prints the matrix, its eigenvalues with period, damping and\n"
    "mode, and whether the state, or the steady motion, is stable.\n"
    "\n"
    "  --at x=1,u=0          the state: these values instead of the model's; also --start\n"
    "  --steady              first move to the nearest steady motion; what --at gives is held\n"
    "  --vary v=0:10:100     also for v from 0 to 10 in 100 steps: a parameter, or a variable\n"
    "                        of the state; says where the verdict changes\n"
    "  --plot FILE.svg       draw the eigenvalues over what is varied\n"
    "  --set m=2,R=1/2       values of parameters\n"
    "  --project             move initial values onto the constraints, whatever their distance\n"
    "  --format text|json    form of the output (default: text)\n"
    "  -o FILE               write there instead of to standard output\n"
    "  --max-seconds S       end after so long, with what there is by then or with status 1\n"
    "  --max-memory B        end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet               no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
