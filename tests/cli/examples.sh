#!/usr/bin/env bash
# Every example is right, says nothing but its result, and is laid out.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

count=0
while IFS= read -r -d '' file; do
    count=$((count + 1))
    run check "$file"
    ends_with 0
    no_err
    out_has coordinates freedom
    run check --format json "$file"
    ends_with 0
    no_err
    run fmt "$file"
    ends_with 0
    no_err
    out_is "$file"
done < <(find "$examples" -name '*.nh' -print0)
((count > 0)) || wrong "no examples"
finish
