#!/bin/sh
# A gate for any CI that runs a shell and has Node.js 22.19 or later. TARGET_BASE_URL and TARGET_API_KEY come from
# where that CI keeps its settings and its secrets; the reports are in reports/ afterwards, whatever the end.
set -u

npx --yes cts-conformance@0.1 run "$@"
code=$?

case $code in
  0) echo 'The service conforms: deploy.' ;;
  1) echo 'The service does not conform: do not deploy. reports/summary.md says why.' ;;
  3) echo 'Inconclusive: the service was away, or too little of it could be tested. Look, and run it again.' ;;
  *) echo "Nothing was judged (exit code $code): the message above says what to do." ;;
esac
exit $code
