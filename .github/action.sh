#!/usr/bin/env bash
# Finds the program for this runner and becomes it: `play-by-commit run`, with the environment that action.yml made.
#
# The program is looked for in this order, so that the usual run installs nothing and no run needs anyone's help:
#   1. in the action's own tree:  bin/play-by-commit-TARGET
#   2. in the release that release.txt beside action.yml names, checked against the SHA-256 written there
#   3. built by cargo from the action's own source, which is what a branch or a fork does
#
# release.txt is made with each release and has a word and its value a line:
#   repository OWNER/NAME
#   version TAG
#   TARGET SHA256          (one line for each target)
set -euo pipefail

# The runner's own variable comes first: inside a container it is the one that is translated to the path in there.
action=${GITHUB_ACTION_PATH:-$PLAY_BY_COMMIT_ACTION_PATH}
export PLAY_BY_COMMIT_ACTION_PATH=$action

fail() {
  echo "::error title=Play by Commit::$1"
  exit 1
}

case "${RUNNER_OS:-}/${RUNNER_ARCH:-}" in
  Linux/X64) target=x86_64-unknown-linux-musl ;;
  Linux/ARM64) target=aarch64-unknown-linux-musl ;;
  macOS/X64) target=x86_64-apple-darwin ;;
  macOS/ARM64) target=aarch64-apple-darwin ;;
  Windows/X64) target=x86_64-pc-windows-msvc ;;
  *) target= ;; # Nothing is made for this machine, but it may have cargo.
esac
suffix=
if [[ ${RUNNER_OS:-} == Windows ]]; then suffix=.exe; fi
asset=play-by-commit-$target$suffix

# The value behind a word of release.txt; nothing when there is no such line or no such file.
released() {
  local word value
  [[ -f $action/release.txt ]] || return 0
  while read -r word value || [[ -n $word ]]; do
    if [[ $word == "$1" ]]; then
      printf '%s' "${value%$'\r'}"
      return
    fi
  done <"$action/release.txt"
}

sha256() {
  # Linux and Git for Windows have the first program, every macOS the second.
  # From standard input, because a backslash in a file's name changes what is printed.
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

run() {
  [[ -x $1 ]] || chmod +x "$1"
  exec "$1" run
}

if [[ -n $target && -f $action/bin/$asset ]]; then
  run "$action/bin/$asset"
fi

if [[ -n $target ]]; then wanted=$(released "$target"); else wanted=; fi
if [[ -n $wanted ]]; then
  repository=$(released repository)
  version=$(released version)
  # The checksum is part of the name, so that a tag that was moved never finds the program of its former self.
  kept=${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/play-by-commit/$version/$wanted/$asset
  if [[ ! -f $kept ]]; then
    mkdir -p "$(dirname "$kept")"
    # A name of its own, then a rename: two jobs on one machine never see half a file.
    arriving=$(mktemp "$kept.XXXXXX")
    if curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 3 --max-time 120 \
      --output "$arriving" "https://github.com/$repository/releases/download/$version/$asset"; then
      if [[ $(sha256 "$arriving") != "$wanted" ]]; then
        rm -f "$arriving"
        fail "The download of $asset $version does not have the SHA-256 that release.txt names. It was thrown away."
      fi
      mv -f "$arriving" "$kept"
    else
      rm -f "$arriving"
      echo "::warning title=Play by Commit::$asset $version could not be downloaded from $repository."
    fi
  fi
  if [[ -f $kept ]]; then
    # What was kept by an earlier run is checked again: it lay where other jobs may write.
    if [[ $(sha256 "$kept") != "$wanted" ]]; then
      fail "$kept does not have the SHA-256 that release.txt names. Delete that file and run again."
    fi
    run "$kept"
  fi
fi

machine="${RUNNER_OS:-unknown system} ${RUNNER_ARCH:-unknown processor}"
PATH=$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin
if ! command -v cargo >/dev/null; then
  fail "There is no ready-made program for $machine here, and no cargo to build one. Use a released version of the action, such as @v1, or a runner with Rust, such as ubuntu-latest."
fi
echo "::warning title=Play by Commit::No ready-made program for $machine, so it is built from source. That takes minutes; a released version of the action takes none."
# A folder of this job's own: cargo goes by file times, and a moved branch can bring new files with old times.
built=${RUNNER_TEMP:?}/play-by-commit-build
echo "::group::cargo build"
# What is built may run code of its own, which has no business with the secrets.
(
  unset PLAY_BY_COMMIT_TOKEN PLAY_BY_COMMIT_DICE_SECRET
  cargo build --release --locked --manifest-path "$action/Cargo.toml" --target-dir "$built"
) || fail "The program could not be built from source; the reason is in the log above."
echo "::endgroup::"
run "$built/release/play-by-commit$suffix"
