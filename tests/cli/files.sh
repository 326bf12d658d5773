#!/usr/bin/env bash
# Where input comes from and output goes to.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
skate=$examples/paper/skate.nh
run fmt "$skate"
cp "$temp/out" "$temp/skate.fmt"
run check "$skate"
cp "$temp/out" "$temp/skate.txt"
sed 's/  */ /; s/ = /=/g' "$skate" >"$temp/rough.nh"

# standard input
run_with "$skate" check -
ends_with 0
no_err
out_is "$temp/skate.txt"
run_with "$temp/rough.nh" fmt -
ends_with 0
out_is "$temp/skate.fmt"
echo 'kinetik 1' >"$temp/wrong.nh"
run_with "$temp/wrong.nh" check -
ends_with 2
err_has "<stdin>:1:1: error: unknown statement 'kinetik'"
no_out
run check - # nothing in it
ends_with 2
err_has "the model is empty"

# a file of which the name begins with '-'
(cd "$temp" && cp "$skate" ./-model.nh)
cd "$temp" || exit 1
run check -- -model.nh
ends_with 0
run check -model.nh
ends_with 2
err_has "unknown option '-model.nh'"
cd "$here" || exit 1

# -o
run check "$skate" -o "$temp/a.txt"
ends_with 0
no_out
no_err
is_file "$temp/a.txt" "$temp/skate.txt"
run check --output="$temp/b.txt" "$skate"
ends_with 0
is_file "$temp/b.txt" "$temp/skate.txt"
run check --output "$temp/c.txt" "$skate"
ends_with 0
is_file "$temp/c.txt" "$temp/skate.txt"
run check -o - "$skate"
ends_with 0
out_is "$temp/skate.txt"
run check -o "$temp/a.txt" "$temp/wrong.nh" # nothing to write: the old file stays
ends_with 2
is_file "$temp/a.txt" "$temp/skate.txt"
run check -o "$temp/new.txt" "$temp/wrong.nh"
not_there "$temp/new.txt"

# -o onto the input, keeping permissions, and through a link
cp "$temp/rough.nh" "$temp/same.nh"
chmod 640 "$temp/same.nh"
run fmt "$temp/same.nh" -o "$temp/same.nh"
ends_with 0
no_out
is_file "$temp/same.nh" "$temp/skate.fmt"
[[ $(stat -c %a "$temp/same.nh") == 640 ]] || wrong "the permissions have changed"
cp "$temp/rough.nh" "$temp/target.nh"
ln -s target.nh "$temp/link.nh"
run fmt "$temp/link.nh" -o "$temp/link.nh"
ends_with 0
is_file "$temp/target.nh" "$temp/skate.fmt"
[[ -L $temp/link.nh ]] || wrong "the link was replaced"
cp "$temp/wrong.nh" "$temp/keep.nh"
run fmt "$temp/keep.nh" -o "$temp/keep.nh"
ends_with 2
is_file "$temp/keep.nh" "$temp/wrong.nh"

# what is read is not replaced, under whatever name, but by fmt
cp "$skate" "$temp/model.nh"
ln "$temp/model.nh" "$temp/hard.nh"
ln -s model.nh "$temp/soft.nh"
printf 'v\n1\n' >"$temp/starts.csv"
for command in derive check eval run integrals equilibria linearize lyapunov report "export --to c"; do
    for place in model.nh hard.nh soft.nh; do
        # shellcheck disable=SC2086
        run $command "$temp/model.nh" -o "$temp/$place"
        ends_with 2
        no_out
        err_has "nonholo: $temp/$place would be replaced by what is written: give another name"
    done
done
for options in "--plot $temp/model.nh" "--starts $temp/starts.csv -o $temp/starts.csv"; do
    # shellcheck disable=SC2086
    run run "$temp/model.nh" $options
    ends_with 2
    err_has "would be replaced"
done
run_with "$temp/model.nh" run - -o "$temp/model.nh"
ends_with 2
is_file "$temp/model.nh" "$skate"
[[ $(cat "$temp/starts.csv") == $'v\n1' ]] || wrong "the starts were replaced"

# a place that cannot be written is told before the work, and nothing is left there
for options in "-o $temp/missing/x.csv" "--plot $temp/missing/x.svg" "--plot $temp/x.svg -o $temp"; do
    # shellcheck disable=SC2086
    run run "$skate" --to 1e12 --every 1e11 --max-seconds 20 $options
    ends_with 1
    no_out
    err_has "nonholo: cannot write $temp"
    err_lacks "time"
    not_there "$temp/x.svg"
done

# what cannot be written
mkdir "$temp/folder"
for place in "$temp/missing/x" "$temp/wrong.nh/x" "$temp/folder"; do
    run check "$skate" -o "$place"
    ends_with 1
    no_out
    err_has "nonholo: cannot write $place: "
done
mkdir "$temp/closed"
chmod 500 "$temp/closed"
if [[ ! -w $temp/closed ]]; then # not for root
    run check "$skate" -o "$temp/closed/x"
    ends_with 1
    err_has "cannot write $temp/closed/x: Permission denied"
fi
run check "$skate" -o /dev/full
ends_with 1
err_has "nonholo: cannot write /dev/full: No space left on device"
run check "$skate" -o /dev/null
ends_with 0
[[ -c /dev/null ]] || wrong "/dev/null was replaced"
[[ -z $(find "$temp" -name '*.??????') ]] || wrong "files are left behind: $(find "$temp" -name '*.??????')"

# standard output that is full, or closed
for arguments in "check $skate" "check --format json $skate" "fmt $skate" "--help" "--version" "help" "check --help"; do
    # shellcheck disable=SC2086
    "$program" $arguments >/dev/full 2>"$temp/err"
    status=$? ran="nonholo $arguments >/dev/full"
    : >"$temp/out"
    ends_with 1
    err_has "nonholo: cannot write standard output: No space left on device"
    # shellcheck disable=SC2086
    "$program" $arguments >&- 2>"$temp/err"
    status=$? ran="nonholo $arguments >&-"
    ends_with 1
    err_has "nonholo: cannot write standard output: "
done

# what cannot be read
run check "$temp/nothing.nh"
ends_with 2
no_out
err_has "nonholo: cannot read $temp/nothing.nh: No such file or directory"
run check "$temp/folder"
ends_with 2
err_has "nonholo: cannot read $temp/folder: Is a directory"
run check ""
ends_with 2
err_has "cannot read : No such file or directory"
"$program" check - <&- >"$temp/out" 2>"$temp/err"
status=$? ran="nonholo check - <&-"
ends_with 2
err_has "nonholo: cannot read"
finish
