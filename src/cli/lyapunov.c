#include "cli/cli.h"

#include <math.h>

/* The options, and whether the run got to its end. */
typedef struct question {
    cli_options options;
    nh_lyapunov_options how;
    int finished;
} question;

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    question *q = (question *)options; /* its first member */
    cli_watch watch;
    if (!cli_time(model, NH_TIME_TO, "--to", options->to, &q->how.to))
        return NH_ERROR_MODEL;
    cli_watch_begin(&watch, options);
    q->how.format = format, q->how.project = options->project;
    q->how.stop = cli_is_interrupted, q->how.progress = cli_tell, q->how.user = &watch;
    nh_status status = nh_model_lyapunov(context, model, &q->how, &q->finished, text);
    cli_told(&watch);
    return status;
}

static int run(const cli_options *options)
{
    question q = {.options = *options, .how = {.to = NAN}};
    if (options->tol && !cli_tolerance(options->tol, &q.how.tolerance))
        return EXIT_WRONG;
    int result = cli_answer(&q.options, "lyapunov", ask);
    return result == EXIT_DONE && !q.finished ? EXIT_UNFINISHED : result;
}

const cli_command cli_lyapunov = {
    "lyapunov",
    "how fast neighbouring motions part: is the motion chaotic?",
    "usage: nonholo lyapunov FILE [options]\n"
    "\n"
    "Follows the motion from the initial state together with a neighbour, and prints the largest\n"
    "Lyapunov exponent with its error.\n"
    "\n"
    "  --to T               end of the run (default: 1000)\n"
    "  --tol E              relative error of a step (default: 1e-12)\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the state and time\n"
    "  --project            move an initial state that violates the constraints onto them\n"
    "  --format text|json   form of the output (default: text)\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 the motion could not be followed to its end, 2 the model or the command\n"
    "line is wrong.\n",
    run,
};
