#!/usr/bin/env bash
# Runs the suite for action.yml, and outputs the verdict. Settings are environment variables.
set -euo pipefail

suite=${SUITE:-$GITHUB_ACTION_PATH/../../..}
cts() { node "$suite/lib/cli/bin.js" "$@"; }

# An input that is not set is an empty variable, which the suite would reject. Without a URL, it has to: it would check the
# embedded service.
for name in "${!TARGET_@}" "${!CTS_@}"; do
  [ -n "${!name}" ] || [ "$name" = TARGET_BASE_URL ] || unset "$name"
done

[ -z "${PROXY:-}" ] || export https_proxy="$PROXY" http_proxy="$PROXY"

report=${CTS_OUT:-reports}
code=0
cts run --out "$report" || code=$?

verdict=
if [ "$code" = 0 ] || [ "$code" = 1 ] || [ "$code" = 3 ]; then
  verdict=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).verdict' "$report/conformance.json")
  printf 'report=%s\n' "$report" >>"$GITHUB_OUTPUT"
fi
printf 'verdict=%s\n' "$verdict" >>"$GITHUB_OUTPUT"

# The comparison is only shown: whatever is broken now has already failed the run.
if [ -n "${COMPARE_WITH:-}" ] && [ -n "$verdict" ]; then
  cts diff "$COMPARE_WITH" "$report" --format markdown >>"$GITHUB_STEP_SUMMARY" || [[ $? = [13] ]] ||
    echo '::warning::The report could not be compared with the earlier one.'
fi
exit "$code"
