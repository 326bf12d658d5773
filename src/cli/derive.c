#include "cli/cli.h"

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    nh_derive_options asked = {.format = format, .show = options->show, .method = cli_method(options)};
    return nh_model_derive_with(context, model, &asked, text);
}

static int run(const cli_options *options) { return cli_answer(options, "derive", ask); }

const cli_command cli_derive = {
    "derive",
    "the dynamical equations, by both methods",
    "usage: nonholo derive FILE [options]\n"
    "\n"
    "Derives the equations of motion of the first kind (on the constraint) and of the second kind\n"
    "(with multipliers and reactive forces), simplified. JSON has every object of both recipes.\n"
    "\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,x'=2     values of the initial state, which tells the branch of a constraint\n"
    "  --method first|second|both   (default: both)\n"
    "  --show LIST          more objects, by their names, separated by commas: gauss, gibbs-appell,\n"
    "                       virtual, christoffel, geodesic, newton\n"
    "  --format text|json   form of the output (default: text)\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
