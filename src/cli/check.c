#include "cli/cli.h"

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    (void)options;
    return nh_model_check(context, model, format, text);
}

static int run(const cli_options *options) { return cli_answer(options, "check", ask); }

const cli_command cli_check = {
    "check",
    "what was understood of a model, and what is true of it",
    "usage: nonholo check FILE [options]\n"
    "\n"
    "Reads a model and prints its coordinates, parameters, energies and constraints, each\n"
    "constraint with its kind (positional, linear, affine, homogeneous, non-linear), the\n"
    "degrees of freedom, and what is true of the system.\n"
    "\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the initial state and time\n"
    "  --format text|json   form of the output (default: text)\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
