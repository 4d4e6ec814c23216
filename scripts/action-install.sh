#!/usr/bin/env bash
# What the GitHub action installs: the packed package of its own release, and nothing that it was built with. Tells the
# command as an output.
set -euo pipefail

folder="${RUNNER_TEMP:?}/workflow-contract"
mkdir -p "$folder"
version=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).version' "$GITHUB_ACTION_PATH/package.json")
file="workflow-execution-contract-$version.tgz"

install() {
  local package="$1"
  # As it was given, from where the job runs: npm would look for it below the prefix.
  [ ! -f "$package" ] || package="$(cd "$(dirname "$package")" && pwd)/$(basename "$package")"
  npm install --prefix "$folder" --no-save --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error "$package"
}

# By its address and not by its name: whoever has that name in a registry is not asked.
release="${GITHUB_SERVER_URL:-https://github.com}/${ACTION_REPOSITORY:-}/releases/download/${ACTION_REF:-}/$file"
if [ -n "${INPUT_PACKAGE:-}" ]; then
  install "$INPUT_PACKAGE" || { echo "::error::${INPUT_PACKAGE} cannot be installed."; exit 2; }
elif [ -z "${ACTION_REPOSITORY:-}" ] || [ -z "${ACTION_REF:-}" ] || ! install "$release" 2>/dev/null; then
  echo "There is no release of this ref with $file: it is packed from the sources of the action."
  npm ci --prefix "$GITHUB_ACTION_PATH" --ignore-scripts --no-audit --no-fund --loglevel=error
  (cd "$GITHUB_ACTION_PATH" && npm pack --silent --pack-destination "$folder")
  install "$folder/$file"
fi
echo "command=$folder/node_modules/.bin/workflow-contract" >>"$GITHUB_OUTPUT"
