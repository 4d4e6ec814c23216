#!/usr/bin/env bash
# What the GitHub action runs: the check, with its inputs as options. The command itself writes the step summary and the
# annotations. Ends with the exit code of the check.
set -euo pipefail

# An input that is empty by mistake, such as a variable that is not set, must not end in a green job.
refuse() {
  echo "::error::$1"
  exit 2
}
[ -n "${INPUT_BASE_URL:-}${INPUT_TARGET:-}" ] || refuse 'Neither base-url nor target is given: there is nothing to check.'
case "${INPUT_STRICT:-false}" in
  true | false) ;;
  *) refuse 'strict must be true or false.' ;;
esac

reports="${RUNNER_TEMP:?}/conformance-report"
mkdir -p "$reports"
echo "reports=$reports" >>"$GITHUB_OUTPUT"

arguments=()
[ -z "${INPUT_BASE_URL:-}" ] || arguments+=("$INPUT_BASE_URL")
[ -z "${INPUT_TARGET:-}" ] || arguments+=(--target "$INPUT_TARGET")
[ -z "${INPUT_ALLOW:-}" ] || arguments+=(--allow "$INPUT_ALLOW")
[ -z "${INPUT_BASELINE:-}" ] || arguments+=(--baseline "$INPUT_BASELINE")
[ "${INPUT_STRICT:-}" != true ] || arguments+=(--strict)

exit_code=0
"$GITHUB_ACTION_PATH/node_modules/.bin/tsx" "$GITHUB_ACTION_PATH/cli/main.ts" check "${arguments[@]}" \
  --report "json=$reports/report.json" --report "junit=$reports/junit.xml" \
  --report "html=$reports/report.html" --report "har=$reports/run.har" || exit_code=$?

if [ -s "$reports/report.json" ]; then
  echo "verdict=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).verdict' "$reports/report.json")" >>"$GITHUB_OUTPUT"
fi
exit "$exit_code"
