#include "cli/cli.h"

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    nh_equilibria_options how = {.format = format, .steady = options->steady};
    return nh_model_equilibria(context, model, &how, text);
}

static int run(const cli_options *options) { return cli_answer(options, "equilibria", ask); }

const cli_command cli_equilibria = {
    "equilibria",
    "states of rest and steady motions, and whether they are stable",
    "usage: nonholo equilibria FILE [options]\n"
    "\n"
    "Finds the states in which nothing changes, singular ones too, and the families that they\n"
    "belong to: what is free to have any value is named. Each is proved, where its values are\n"
    "found as formulas that solve the equations exactly, or tested to rounding.\n"
    "\n"
    "  --steady              steady motions: coordinates that nothing else depends on may change\n"
    "  --box x=-1:1,a=0:pi   where to search; otherwise angles a turn, everything else -10:10\n"
    "  --set m=2,R=1/2       values of parameters\n"
    "  --format text|json    form of the output (default: text)\n"
    "  -o FILE               write there instead of to standard output\n"
    "  --max-seconds S       end after so long, with what there is by then or with status 1\n"
    "  --max-memory B        end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet               no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
