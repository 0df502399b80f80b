#!/usr/bin/env bash
# Runs the suite for the action beside it, and tells GitHub the verdict. Settings come by the environment.
set -euo pipefail

suite=${SUITE:-$GITHUB_ACTION_PATH/../../..}
cts() { node "$suite/lib/cli/bin.js" "$@"; }

# An input that was not given is an empty variable; the suite takes none of those.
for name in TARGET_API_KEY TARGET_PROFILE CTS_STRICT CTS_CASES CTS_SEED; do
  [ -n "${!name:-}" ] || unset "$name"
done

report=${CTS_OUT:-reports}
arguments=(--out "$report")
[ -z "${SHARD:-}" ] || arguments+=(--shard "$SHARD")

code=0
cts run "${arguments[@]}" || code=$?

verdict=
if [ "$code" = 0 ] || [ "$code" = 1 ] || [ "$code" = 3 ]; then
  verdict=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).verdict' "$report/conformance.json")
  printf 'report=%s\n' "$report" >>"$GITHUB_OUTPUT"
fi
printf 'verdict=%s\n' "$verdict" >>"$GITHUB_OUTPUT"

# What broke since the baseline, this run has found as well: the comparison is told, the run decides.
if [ -n "${BASELINE:-}" ] && [ -n "$verdict" ]; then
  cts diff "$BASELINE" "$report" --format markdown >>"$GITHUB_STEP_SUMMARY" || [ $? = 1 ] ||
    echo '::warning::The reports could not be compared with the baseline.'
fi
exit "$code"
