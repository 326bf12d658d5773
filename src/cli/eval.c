#include "cli/cli.h"

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    nh_eval_options asked = {.format = format, .method = cli_method(options), .project = options->project};
    return nh_model_eval_with(context, model, &asked, text);
}

static int run(const cli_options *options) { return cli_answer(options, "eval", ask); }

const cli_command cli_eval = {
    "eval",
    "every object, in numbers, at one state",
    "usage: nonholo eval FILE [options]\n"
    "\n"
    "Evaluates the objects of both recipes at the initial state: what is left out of it is 0, or\n"
    "follows from the constraints.\n"
    "\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the state and time\n"
    "  --project            move an initial state that violates the constraints onto them\n"
    "  --method first|second|both   (default: both)\n"
    "  --format text|json   form of the output (default: text)\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
