#!/usr/bin/env bash
# Runs the suite for action.yml, and outputs the verdict. Settings are environment variables.
set -euo pipefail

suite=${SUITE:-$GITHUB_ACTION_PATH/../../..}
cts() { node "$suite/lib/cli/bin.js" "$@"; }

# An input that is not set is an empty variable, which the suite would reject.
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

# The comparison is only shown: whatever broke since the baseline has already failed the run.
if [ -n "${BASELINE:-}" ] && [ -n "$verdict" ]; then
  cts diff "$BASELINE" "$report" --format markdown >>"$GITHUB_STEP_SUMMARY" || [ $? = 1 ] ||
    echo '::warning::The report could not be compared with the baseline.'
fi
exit "$code"
