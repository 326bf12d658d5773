#!/usr/bin/env bash
# The command line: commands, help, wrong options, and exit statuses.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
skate=$examples/paper/skate.nh

# help and version
run
ends_with 2
no_out
err_has "usage: nonholo COMMAND FILE"
for word in --help -h help; do
    run "$word"
    ends_with 0
    no_err
    out_has "usage: nonholo COMMAND FILE" "  check " "  fmt "
done
for command in check fmt integrals; do
    for arguments in "--help" "-h" "$skate --help" "--help nowhere.nh"; do
        # shellcheck disable=SC2086
        run $command $arguments
        ends_with 0
        no_err
        out_has "usage: nonholo $command FILE" "-o FILE"
    done
done
run --version
ends_with 0
no_err
grep -qxE 'nonholo [0-9]+\.[0-9]+\.[0-9]+' "$temp/out" || wrong "no version"

# wrong command lines
wrong_line() { # MESSAGE ARGUMENT...
    run "${@:2}"
    ends_with 2
    no_out
    err_has "nonholo: $1"
}
wrong_line "unknown command 'chek'; try nonholo --help" chek "$skate"
wrong_line "unknown command ''" ''
wrong_line "unknown command '--quiet'" --quiet
wrong_line "check needs a FILE; try nonholo check --help" check
wrong_line "fmt needs a FILE; try nonholo fmt --help" fmt --quiet
wrong_line "one FILE at a time: '$skate' and 'x.nh'" check "$skate" x.nh
wrong_line "unknown option '--sett'; try --help" check --sett m=1 "$skate"
wrong_line "unknown option '-x'" check -x "$skate"
wrong_line "unknown option '--quiet=1'" check --quiet=1 "$skate"
wrong_line "unknown option '--settle=1'" check --settle=1 "$skate"
for option in --set --start --format -o --output; do
    wrong_line "$option needs a value" check "$skate" $option
done
wrong_line "check takes no --show" check --show gauss "$skate"
wrong_line "eval takes no --show" eval --show=gauss "$skate"
wrong_line "fmt takes no --show" fmt --show gauss "$skate"
wrong_line "check writes the formats text and json, not 'xml'" check --format xml "$skate"
wrong_line "check writes the formats text and json, not ''" check --format= "$skate"
wrong_line "fmt takes no --set, --start or --format" fmt --set m=1 "$skate"
wrong_line "fmt takes no --set, --start or --format" fmt --start x=1 "$skate"
wrong_line "fmt takes no --set, --start or --format" fmt --format text "$skate"

# formats
run check --format text "$skate"
ends_with 0
cp "$temp/out" "$temp/text"
run check "$skate"
out_is "$temp/text"
run check --format=json "$skate"
ends_with 0
out_has '"system": "Skate"'

# what derive shows besides
run derive "$skate"
cp "$temp/out" "$temp/plain"
run derive --show= "$skate"
ends_with 0
out_is "$temp/plain"
run derive --show gauss --show 'newton, geodesic' "$skate"
ends_with 0
no_err
out_has "Gauss's function" "geodesic field" "no forces: there are no points with mass"
run derive --show virtual,gaus,gibbs "$skate"
ends_with 2
no_out
err_has "--show:1:9: error: unknown object 'gaus': there are gauss, gibbs-appell, virtual, christoffel, geodesic and newton; did you mean 'gauss'?" \
    "unknown object 'gibbs'" "did you mean 'gibbs-appell'?"
run derive --format json --show newton "$skate"
ends_with 0
out_has '"show": { "newton": null }' '"show.newton": "there are no points with mass"'

# the worksheet and its formats
run derive --steps --ascii "$skate"
ends_with 0
no_err
out_has "The kinetic energy is" "    K = 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2" "    [g_{i j}] = [ m  0  0 ]" \
    "lambda = -G^(-1)*(C^i*L_i + q'^i*d_i C + d_t C)" "methods-agree"
run derive --only lambda,G --ascii "$skate"
ends_with 0
out_has "lambda = A2*cos(theta)" "[G_{alpha beta}] = [ m  0 ]"
run derive --only lambda,lamda "$skate"
ends_with 2
no_out
err_has "--only:1:8: error: unknown object 'lamda'" "did you mean 'lambda'?"
run derive --only first --format json "$skate"
ends_with 0
out_has '"psi_alpha":' '"Z_upper":'
run derive --width 30 "$skate"
ends_with 2
err_has "--width is a number of columns from 40 to 10000, not '30'"
run derive --width 4x "$skate"
ends_with 2
for ending in tex html json mml txt; do
    run derive --steps -o "$temp/page.$ending" "$skate"
    ends_with 0
    no_out
    no_err
done
grep -q 'begin{document}' "$temp/page.tex" && grep -q '<!DOCTYPE html>' "$temp/page.html" && grep -q '"first": {' "$temp/page.json" &&
    grep -q '<math' "$temp/page.mml" && grep -q 'The kinetic energy' "$temp/page.txt" || exit 1
run derive --fragment --format latex "$skate"
ends_with 0
out_has 'begin{align*}'
grep -q 'documentclass' "$temp/out" && exit 1
run derive --format pdf "$skate"
ends_with 2
err_has "derive writes the formats text, json, model, latex, mathml and html, not 'pdf'"
run check --format latex "$skate"
ends_with 2
err_has "check writes the formats text and json, not 'latex'"
run eval --steps "$skate"
ends_with 2
err_has "eval takes no --steps"
LC_ALL=C.UTF-8 run derive "$skate"
cp "$temp/out" "$temp/unicode"
run derive --unicode "$skate"
out_is "$temp/unicode"
LC_ALL=C run derive "$skate"
cp "$temp/out" "$temp/ascii"
run derive --ascii "$skate"
out_is "$temp/ascii"

# conserved quantities
cat >"$temp/disc.nh" <<'END'
system Disc
coordinates x, y
angles theta, psi
parameters m, R, A, B
kinetic 1/2*m*(x'^2 + y'^2) + 1/2*A*theta'^2 + 1/2*B*psi'^2
constraint x' = R*theta'*cos(psi)
constraint y' = R*theta'*sin(psi)
END
run integrals "$temp/disc.nh"
ends_with 0
no_err
out_has "proved: energy" "F2 = A*theta'" "proved: momentum of psi" "searched: polynomials in " \
    "x (its momentum is not constant, by the constraints)"
run integrals --degree 1 --space constants --format json "$temp/disc.nh"
ends_with 0
no_err
out_has '"expression": "B*psi'"'"'", "verdict": "proved", "degree": 1, "meaning": "momentum of psi"' '"searched": "'
out_lacks '"meaning": "energy"'
printf "coordinates x\nkinetic 1/2*x'^2\nforce x = -x'*exp(x'^2)\n" >"$temp/damped.nh"
run integrals "$temp/damped.nh"
ends_with 0
out_has "none in the space searched"
run integrals --space trigonometric,polynomial "$temp/disc.nh"
ends_with 2
no_out
err_has "--space:1:15: error: unknown object 'polynomial': there are constants, polynomials, trigonometric and functions" \
    "did you mean 'polynomials'?"
wrong_line "--degree is a whole number from 1 to 6, not '0'" integrals --degree 0 "$skate"
wrong_line "--degree is a whole number from 1 to 6, not '7'" integrals --degree 7 "$skate"
wrong_line "--degree is a whole number from 1 to 6, not '1.5'" integrals --degree 1.5 "$skate"
wrong_line "--degree is a whole number from 1 to 6, not ''" integrals --degree= "$skate"
for command in integrals run check; do
    wrong_line "--max-seconds is a number of seconds, not 'soon'" $command --max-seconds soon "$skate"
done
wrong_line "integrals needs a FILE" integrals
wrong_line "integrals writes the formats text and json, not 'latex'" integrals --format latex "$skate"
wrong_line "check takes no --degree" check --degree 1 "$skate"
wrong_line "eval takes no --space" eval --space constants "$skate"
wrong_line "integrals takes no --steps" integrals --steps "$skate"

# the motion
run run --to 1 --every 0.25 "$skate"
ends_with 0
err_has "Taylor, first kind: " "energy changes by "
out_has "t,x,y,theta,x',y',theta',v,w"
[ "$(wc -l <"$temp/out")" -eq 6 ] || wrong "rows"
run run --quiet --to 1 --reactions "$skate"
ends_with 0
no_err
out_has "R_x,R_y,R_theta,lambda_1"
run run --to 1 --method both -o "$temp/rows.csv" "$skate"
ends_with 0
no_out
err_has "the two methods differ by at most "
[ "$(wc -l <"$temp/rows.csv")" -eq 102 ] || wrong "rows of the file"
run run --to 0 "$skate"
ends_with 2
err_has "the run has no length"
run run --to x "$skate"
ends_with 2
run run --to x "$skate"
ends_with 2
err_has "--to:1:1: error: a time cannot contain the coordinate 'x'"
run run --solver euler "$skate"
ends_with 2
err_has "--solver is auto, taylor, rk or cvode, not 'euler'"
run run --every -1 "$skate"
ends_with 2
err_has "--every is more than 0"

# warnings, and --quiet
cat >"$temp/warns.nh" <<'END'
coordinates x, y
kinetic 1/2*(x'^2 + y'^2)
constraint x' = 0
constraint 2*x' = 0
END
run check "$temp/warns.nh"
ends_with 0
err_has "$temp/warns.nh:4:1: warning: " "    4 | constraint 2*x' = 0" "      | ^~~~~~~~~~"
for option in --quiet -q; do
    run check $option "$temp/warns.nh"
    ends_with 0
    no_err
    out_has "n = 2 coordinates, r = 1 constraint, m = 1 degree of freedom"
done
echo 'kinetik 1' >"$temp/wrong.nh"
run check --quiet "$temp/wrong.nh"
ends_with 2
err_has "$temp/wrong.nh:1:1: error: unknown statement 'kinetik'; did you mean 'kinetic'?"
run fmt "$temp/wrong.nh"
ends_with 2
no_out
err_has "    1 | kinetik 1" "      | ^~~~~~~"

# limits of time and of memory
cat >"$temp/long.nh" <<'END'
coordinates x
kinetic 1/2*x'^2
potential x^4
initial x = 1
END
run run --max-seconds 0.3 --to 1e9 --every 1 "$temp/long.nh"
ends_with 1
out_has "t,x,x'" "0,1,0"
run lyapunov --max-seconds 0.3 --to 1e9 "$temp/long.nh"
ends_with 1
for command in check integrals; do
    run $command --max-seconds 0.001 "$examples/whipple-bicycle.nh"
    ends_with 1
    no_out
    err_has "more time than"
done
run derive --max-memory 1M --format json -o "$temp/none.json" "$examples/isokinetic-64.nh"
ends_with 1
err_has "out of memory, or of the memory that is allowed"
[[ ! -e $temp/none.json ]] || wrong "a file without a result"
run check --max-seconds=600 --max-memory=2G "$skate"
ends_with 0
for value in 0 -1 much 5X 1e30; do
    wrong_line "--max-memory is a number of bytes, as 500M, not '$value'" check --max-memory "$value" "$skate"
done

# times are expressions in parameters; export has a --to of its own
printf "coordinates x\nparameters w = 2, T\nkinetic 1/2*x'^2\npotential 1/2*w^2*x^2\ninitial x = 1\n" >"$temp/swing.nh"
run run "$temp/swing.nh" --to 8/w --every 2/w --quiet
ends_with 0
out_has "t,x,x'" "0,1,0" "1," "2," "3," "4,"
run run "$temp/swing.nh" --to T --set T=w/2 --every 1 --quiet
ends_with 0
out_has "1,"
run run "$temp/swing.nh" --to T
ends_with 2
no_out
err_has "--to:1:1: error: this time is not a number; give all parameters in it a value with --set"
run run "$temp/swing.nh" --to 2*x
ends_with 2
err_has "--to:1:3: error: a time cannot contain the coordinate 'x'"
run run "$temp/swing.nh" --every 1,2
ends_with 2
err_has "--every is one time; several of them are given by --at"
wrong_line "--to is a time, not ''" run "$temp/swing.nh" --to ""
wrong_line "--every is more than 0" run "$temp/swing.nh" --every 0*w
wrong_line "check takes no --to" check "$temp/swing.nh" --to 3
for value in 1e6 1 0 -1 1e-40; do
    wrong_line "--tol is between 1e-33 and 0.1" lyapunov "$temp/swing.nh" --tol "$value"
    wrong_line "--tol is between 1e-33 and 0.1" run "$temp/swing.nh" --tol "$value"
done
run lyapunov "$temp/swing.nh" --to 50*pi/w
ends_with 0
run export "$temp/swing.nh" --to c
ends_with 0

# only the syntax has to be right for fmt
printf 'let a=b\nlet a=c' >"$temp/meaning.nh"
run fmt "$temp/meaning.nh"
ends_with 0
no_err
out_has "let          a = b"
finish
