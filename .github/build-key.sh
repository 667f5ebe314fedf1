#!/usr/bin/env bash
# Outputs the cache key for a program built from this source, the directory it's in, and whether this run can write the cache.
# Outputs nothing if there is a prebuilt program. The runner's own hashFiles can't do this, because it only sees the workspace, and
# an action's source is elsewhere.
set -euo pipefail

action=${GITHUB_ACTION_PATH:?} temp=${RUNNER_TEMP:?}
if [[ ${RUNNER_OS:-} == Windows ]]; then action=${action//\\//} temp=${temp//\\//}; fi
cd "$action"
if [[ -f release.txt || -d bin ]]; then exit 0; fi

sums() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# Hash everything that goes into the build; the program includes action.yml and the docs of the games, too. The key also names the
# runner image, because another image can have older libraries.
hash=$(
  files=$(
    find . -type d \( -name target -o -name .git \) -prune -o -type f \( -name Cargo.toml -o -name build.rs -o -path ./Cargo.lock \
      -o -path '*/src/*' -o -path './docs/*' -o -path ./action.yml -o -path ./.github/action.sh \) -print | LC_ALL=C sort
  )
  list=()
  while IFS= read -r file; do list+=("$file"); done <<<"$files"
  sums "${list[@]}" | sums
) || exit 0 # Without these tools, the build runs uncached.
hash=${hash%% *}
image=${ImageOS:-own}
{
  echo "key=play-by-commit-${RUNNER_OS:-}-${RUNNER_ARCH:-}-${image//[!0-9A-Za-z]/}-$hash"
  echo "folder=$temp/play-by-commit-built"
  case ${GITHUB_EVENT_NAME:-} in push | schedule | workflow_dispatch | repository_dispatch) echo cache=write ;; esac
} >>"$GITHUB_OUTPUT"
