#!/usr/bin/env bash
# The output does not depend on the locale: decimal commas and other languages change nothing.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cat >"$temp/model.nh" <<'END'
system       Größe
coordinates  x, θ
parameters   m = 0.125, k = 1234567.5
kinetic      1/2*m*(x'^2 + θ'^2)
potential    k*x^2/3
END
# The German locale, made here where the system has the sources of it but not the locale.
if ! locale -a 2>/dev/null | grep -qiE '^de_DE\.utf-?8$' && command -v localedef >/dev/null; then
    mkdir "$temp/locales"
    localedef -f UTF-8 -i de_DE "$temp/locales/de_DE.UTF-8" 2>/dev/null && export LOCPATH=$temp/locales
fi
for arguments in "check $temp/model.nh" "check --format json $temp/model.nh" "fmt $temp/model.nh" \
    "check --set m=0.5 $temp/model.nh" "check $temp/nowhere.nh" "--help"; do
    environment=(LC_ALL=C)
    # shellcheck disable=SC2086
    run $arguments
    cp "$temp/out" "$temp/plain.out"
    cp "$temp/err" "$temp/plain.err"
    for name in de_DE.UTF-8 C.UTF-8 POSIX tr_TR.UTF-8 nonsense; do
        environment=("LC_ALL=$name" LANGUAGE=de)
        # shellcheck disable=SC2086
        run $arguments
        out_is "$temp/plain.out"
        is_file "$temp/err" "$temp/plain.err"
    done
done
finish
