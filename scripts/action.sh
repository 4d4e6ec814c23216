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
for input in strict="${INPUT_STRICT:-false}" require-all="${INPUT_REQUIRE_ALL:-false}"; do
  case "${input#*=}" in
    true | false) ;;
    *) refuse "${input%%=*} must be true or false." ;;
  esac
done

reports="${RUNNER_TEMP:?}/conformance-report"
# Of an earlier run nothing may pass for this one's.
rm -rf "$reports"
mkdir -p "$reports"
echo "reports=$reports" >>"$GITHUB_OUTPUT"

arguments=()
[ -z "${INPUT_TARGET:-}" ] || arguments+=("--target=$INPUT_TARGET")
[ -z "${INPUT_ALLOW:-}" ] || arguments+=("--allow=$INPUT_ALLOW")
[ -z "${INPUT_BASELINE:-}" ] || arguments+=("--baseline=$INPUT_BASELINE")
[ "${INPUT_STRICT:-}" != true ] || arguments+=(--strict)
[ "${INPUT_REQUIRE_ALL:-}" != true ] || arguments+=(--require-all)
[ -z "${INPUT_MIN_JUDGED:-}" ] || arguments+=("--min-judged=$INPUT_MIN_JUDGED")
[ -z "${INPUT_ONLY:-}" ] || arguments+=("--only=$INPUT_ONLY")
[ -z "${INPUT_SKIP:-}" ] || arguments+=("--skip=$INPUT_SKIP")
[ -z "${INPUT_AGAINST:-}" ] || arguments+=("--against=$INPUT_AGAINST")
[ -z "${INPUT_SEED:-}" ] || arguments+=("--seed=$INPUT_SEED")
[ -z "${INPUT_MAX_TIME:-}" ] || arguments+=("--max-time=$INPUT_MAX_TIME")
[ -z "${INPUT_MAX_EXECUTIONS:-}" ] || arguments+=("--max-executions=$INPUT_MAX_EXECUTIONS")
[ -z "${INPUT_PLACES:-}" ] || arguments+=("--places=$INPUT_PLACES")
[ -z "${INPUT_STATE:-}" ] || arguments+=("--state=$INPUT_STATE")
[ -z "${INPUT_PIN:-}" ] || arguments+=("--pin=$INPUT_PIN")
while IFS= read -r file; do
  [ -z "$file" ] || arguments+=("--compare=$file")
done <<<"${INPUT_COMPARE:-}"
arguments+=(--report "json=$reports/report.json" --report "junit=$reports/junit.xml")
arguments+=(--report "html=$reports/report.html" --report "har=$reports/run.har")
# After this nothing is an option, whatever it looks like.
[ -z "${INPUT_BASE_URL:-}" ] || arguments+=(-- "$INPUT_BASE_URL")

exit_code=0
"${WORKFLOW_CONTRACT:?}" check "${arguments[@]}" || exit_code=$?

if [ -s "$reports/report.json" ]; then
  node -e '
    const { verdict, headline, changes } = JSON.parse(require("fs").readFileSync(process.argv[1]));
    process.stdout.write(`verdict=${verdict}\nsummary=${headline}\nchanged=${changes?.changed ?? ""}\n`);
  ' "$reports/report.json" >>"$GITHUB_OUTPUT"
fi
exit "$exit_code"
