#!/usr/bin/env bash
# Says under which key the program that is built from these very sources is kept, and in which folder of this job it lies:
# nothing where there is a program that need not be built. A runner's own hashFiles sees the workspace alone, and the sources of
# an action lie elsewhere.
set -euo pipefail

action=${GITHUB_ACTION_PATH:?} temp=${RUNNER_TEMP:?}
if [[ ${RUNNER_OS:-} == Windows ]]; then action=${action//\\//} temp=${temp//\\//}; fi
cd "$action"
if [[ -f release.txt || -d bin ]]; then exit 0; fi

sums() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# All that is compiled in, and how: action.yml is part of the program, too. A runner of another image can have libraries that are too old for what was built there.
hash=$(
  files=$(
    find . -type d \( -name target -o -name .git \) -prune -o -type f \( -name Cargo.toml -o -path ./Cargo.lock \
      -o -path '*/src/*' -o -path ./action.yml -o -path ./.github/action.sh \) -print | LC_ALL=C sort
  )
  list=()
  while IFS= read -r file; do list+=("$file"); done <<<"$files"
  sums "${list[@]}" | sums
) || exit 0 # Without the tools for it nothing is kept, and the build goes on as ever.
hash=${hash%% *}
image=${ImageOS:-own}
{
  echo "key=play-by-commit-${RUNNER_OS:-}-${RUNNER_ARCH:-}-${image//[!0-9A-Za-z]/}-$hash"
  echo "folder=$temp/play-by-commit-built"
} >>"$GITHUB_OUTPUT"
