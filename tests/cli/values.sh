#!/usr/bin/env bash
# --set and --start: values, and errors that point into the text of the option.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
skate=$examples/paper/skate.nh

gives() { # EXPECTED ARGUMENT...
    run check "$skate" "${@:2}"
    ends_with 0
    no_err
    out_has "$1"
}
gives "parameters    m = 2, I = 1/2, A1 = 1, A2 = 0, A3 = 1/4"
gives "parameters    m = 3, I = 1/2," --set m=3
gives "parameters    m = 3, I = 1/2," --set=m=3
gives "parameters    m = 3, I = 1/3, A1 = 1, A2 = 0, A3 = 0" --set m=3,I=1/3,A3=0
gives "parameters    m = 3, I = 1/3," --set m=3 --set I=1/3
gives "parameters    m = 3, I = 1/2," --set m=4 --set m=3
gives "parameters    m = 1/10, I = 1/1000," --set ' m = 0.1 , I = 1e-3 '
gives "parameters    m = 2, I = 1/4*m," --set I=m/4
gives "parameters    m = 2, I = 1/2," --set ''
gives "parameters    m = 3, I = 1/2," --set '' --set m=3
gives "I = 1/2, A1 = pi" --set A1=pi
gives "A1 = sqrt(2)" --set 'A1=sqrt(2)'

gives "start         theta = 3/10, v = 1, w = 1/2"
gives "start         theta = 3/10, v = 2, w = 1/2" --start v=2
gives "start         theta = 1/2*pi, v = m, w = 0, x = -1" --start theta=pi/2,v=m,w=0,x=-1
gives "start         t = 5, theta = 3/10, v = 1, w = 1/2" --start t=5
gives "start         theta = 3/10, x' = 1, theta' = 2" --start "x'=1,dot(theta)=2" # replaces v and w
gives "start         theta = 3/10, v = 1, w = 3" --start v=1 --start w=3
gives "start         theta = 3/10, v = 1, w = 1/2" --start ''

# θ is theta, in the option as in the model
gives "start         theta = 1, v = 1" --start θ=1

fails() { # MESSAGE LINE CARET ARGUMENT...
    run check "$skate" "${@:4}"
    ends_with 2
    no_out
    err_has "$1" "    1 | $2" "      | $3"
}
fails "--set:1:1: error: unknown name 'mm'; did you mean 'm'?" "mm=2" "^~" --set mm=2
fails "--set:1:5: error: unknown name 'A6'; did you mean 'A" "m=2,A6=2" "    ^~" --set m=2,A6=2
fails "--set:1:5: error: unknown name 'A6'; did you mean 'A" "m=2,A6=2" "    ^~" --set m=2 --set A6=2
fails "--set:1:3: error: unknown name 'J'" "m=J" "  ^" --set m=J
fails "--set:1:5: error: expected a number, a name or '(' but found the end" "m=2*" "    ^" --set 'm=2*'
fails "--set:1:2: error: expected '=' but found the end" "m" " ^" --set m
fails "--set:1:4: error: unexpected character ';'; separate with ','" "m=2;I=3" "   ^" --set 'm=2;I=3'
fails "--set:1:1: error: 'theta' is a coordinate, not a parameter; the initial state is given by --start" "theta=1" \
    "^~~~~" --set theta=1
fails "--set:1:1: error: 'v' is a quasi-velocity, not a parameter" "v=1" "^" --set v=1
fails "--set:1:5: error: the value of 'I' depends on itself" "m=I,I=m" "    ^" --set m=I,I=m
fails "--set:1:1: error: the value of 'm' depends on itself" "m=m+1" "^" --set m=m+1
fails "--set:1:3: error: the value of a parameter cannot contain the coordinate 'x'" "m=x" "  ^" --set m=x
fails "--set:1:3: error: a scalar is needed here, not a vector" "m=(1,2)" "  ^~~~~" --set 'm=(1,2)'
fails "--set:1:5: error: division by zero" "m=1/0" "    ^" --set m=1/0
fails "--start:1:1: error: unknown name 'vv'; did you mean 'v'?" "vv=1" "^~" --start vv=1
fails "--start:1:1: error: unknown name 'thetta'; did you mean 'theta'?" "thetta=1" "^~~~~~" --start thetta=1
fails "--start:1:1: error: 'm' is a parameter, not part of the state" "m=1" "^" --start m=1
fails "--start:1:5: error: the initial value of 'x' is given twice" "x=1,x=2" "    ^" --start x=1,x=2
fails "--start:1:5: error: initial velocities are given as quasi-velocities or as x', not as both" "v=1,x'=1" \
    "    ^" --start "v=1,x'=1"
fails "--start:1:3: error: an initial value cannot contain the coordinate 'y'" "x=y" "  ^" --start x=y
fails "--start:1:5: error: missing '*' before 'm'" "x=2 m" "    ^" --start "x=2 m"

# several at once, and both options
run check "$skate" --set mm=1,II=2 --start vv=1
ends_with 2
err_has "--set:1:1: error: unknown name 'mm'" "--set:1:6: error: unknown name 'II'" "--start:1:1: error: unknown name 'vv'"

# bytes that are no text
run check "$skate" --set $'m=\xff'
ends_with 2
err_has "--set:1:3: error: invalid UTF-8"
run check "$skate" --start $'x=\x1b[1m'
ends_with 2
err_has "--start:1:3: error: unexpected character"
err_lacks $'\x1b'

# 1/m has no double, nor have C^1i, G^11 and what is made of them; the accelerations have, and neither inf nor nan is ever written
run eval "$skate" --set m=1e-310,A1=0 --format json
ends_with 0
out_has '"g_inverse": null' '"G_inverse": null' '"pi": null' '"R_upper": null' '"D": [' '"second.R_upper": "an entry is too large'
out_lacks inf
out_lacks nan
run eval "$skate" --set m=1e-310,A1=0
ends_with 0
out_has 'g_inverse     -'
out_lacks inf
out_lacks nan
finish
