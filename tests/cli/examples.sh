#!/usr/bin/env bash
# Every example is right, has nothing wrong but equations that are dropped, is laid out, and is in the gallery.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

count=0
while IFS= read -r -d '' file; do
    count=$((count + 1))
    if (($(wc -c <"$file") < 4000)); then # what is longer takes minutes where sanitizers slow it down
        run check --quiet "$file"
        ends_with 0
        no_err
        out_has coordinates freedom
    fi
    run fmt "$file"
    ends_with 0
    no_err
    out_is "$file"
    run examples "$(basename "$file" .nh)"
    ends_with 0
    no_err
    out_is "$file"
done < <(find "$examples" -name '*.nh' -print0)
run examples
ends_with 0
((count == $(wc -l <"$temp/out"))) || wrong "the gallery lists other examples"
run examples no-such-system
ends_with 2
((count > 0)) || wrong "no examples"
finish
