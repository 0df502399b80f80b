#!/bin/sh
# A gate for any CI with a shell and Node.js 22.19 or later. The suite is checked out in the folder cts (or the one that
# SUITE names), and `npm ci --omit=dev --ignore-scripts --prefix cts` has installed its dependencies.
# Set TARGET_BASE_URL, and TARGET_API_KEY from a secret. Afterwards the reports are in reports/.
set -u
# Empty rather than unset: a run without a target then fails instead of testing the suite's own reference service. The
# target comes from the environment or --base-url, not from a .env.
export TARGET_BASE_URL="${TARGET_BASE_URL-}"

node "${SUITE:-cts}/lib/cli/bin.js" run "$@"
code=$?

case $code in
  0) echo 'The service conforms, nothing new fails, or what --only selects passes: deploy.' ;;
  1) echo 'The service does not conform: do not deploy. See reports/summary.md.' ;;
  3) echo 'Inconclusive: the service was unreachable, or too little could be tested. See the message above, then run it again.' ;;
  *) echo "There is no verdict (exit code $code). See the message above." ;;
esac
exit $code
