# shellcheck shell=bash
# Sourced by the tests of the program, which get its path as their argument: `run` runs it, and the others say
# what is expected of that run.
set -uo pipefail
program=${1:?usage: $0 PROGRAM}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034
examples=$here/../../examples
temp=$(mktemp -d)
trap 'chmod -R u+w "$temp" && rm -rf "$temp"' EXIT
failures=0
status=0
ran=
environment=() # NAME=VALUE for the program

run() { # ARGUMENT...
    env "${environment[@]}" "$program" "$@" >"$temp/out" 2>"$temp/err" </dev/null
    status=$?
    ran="nonholo $*"
}

run_with() { # INPUT-FILE ARGUMENT...
    "$program" "${@:2}" >"$temp/out" 2>"$temp/err" <"$1"
    status=$?
    ran="nonholo ${*:2} <$1"
}

wrong() { # WHAT
    failures=$((failures + 1))
    printf 'FAILED: %s\n  %s\n' "$ran" "$1"
    sed 's/^/  out| /' "$temp/out" | head -20
    sed 's/^/  err| /' "$temp/err" | head -20
}

ends_with() { # STATUS
    [[ $status == "$1" ]] || wrong "status $status instead of $1"
}
out_has() { # TEXT...
    local text
    for text; do grep -qF -e "$text" "$temp/out" || wrong "no '$text' on standard output"; done
}
err_has() { # TEXT...
    local text
    for text; do grep -qF -e "$text" "$temp/err" || wrong "no '$text' on standard error"; done
}
out_lacks() { # TEXT
    ! grep -qF -e "$1" "$temp/out" || wrong "'$1' on standard output"
}
err_lacks() { # TEXT
    ! grep -qF -e "$1" "$temp/err" || wrong "'$1' on standard error"
}
out_is() { # FILE
    cmp -s "$1" "$temp/out" || wrong "standard output is not $1"
}
no_out() { [[ ! -s $temp/out ]] || wrong "something on standard output"; }
no_err() { [[ ! -s $temp/err ]] || wrong "something on standard error"; }

is_file() { # FILE CONTENTS-FILE
    cmp -s "$1" "$2" || wrong "$1 is not as $2"
}
not_there() { # FILE
    [[ ! -e $1 ]] || wrong "$1 is there"
}

finish() {
    ((failures == 0)) && echo "all as expected"
    exit $((failures > 0))
}
