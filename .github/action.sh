#!/usr/bin/env bash
# Finds the program for this runner and becomes it: `play-by-commit run`, with the environment that action.yml made.
#
# The program is looked for in this order, so that the usual run installs nothing and no run needs anyone's help:
#   1. in the action's own tree:  bin/play-by-commit-TARGET
#   2. in the release that release.txt beside action.yml names, checked against the SHA-256 written there, and kept in
#      the runner's tool cache
#   3. built by cargo from the action's own source, which is what a branch or a fork does, once for each state of the source
# A release that cannot be had, or that is not the one it should be, ends the step: nothing else is run in its place.
#
# release.txt is in the commit of each release, and only there (.github/release/manifest writes it). Whoever pins the
# action by that commit pins the program. It has a word and its value a line:
#   version TAG
#   repository OWNER/NAME
#   TARGET SHA256          (one line for each target)
#   TARGET-previews SHA256 (where there is one: the program that also paints, for sites)
#   url BASE               (where the assets are, as BASE/TAG/ASSET; left out, it is the repository's releases)
#
# The backticks in the sentences below are for people, so nothing is meant to run in them:
# shellcheck disable=SC2016
set -euo pipefail

# The secrets are this script's alone: what it starts (curl, wget, cargo) does not find them. What a process was started with
# can be read for as long as it lives, so this one is started again without them and reads them from a pipe.
if [[ ${1:-} != --secrets-on-3 ]]; then
  exec 3< <(printf '%s\0%s\0' "${PLAY_BY_COMMIT_TOKEN:-}" "${PLAY_BY_COMMIT_DICE_SECRET:-}")
  export -n PLAY_BY_COMMIT_TOKEN PLAY_BY_COMMIT_DICE_SECRET
  exec "$BASH" "${BASH_SOURCE[0]}" --secrets-on-3
fi
IFS= read -r -d '' -u 3 PLAY_BY_COMMIT_TOKEN
IFS= read -r -d '' -u 3 PLAY_BY_COMMIT_DICE_SECRET
exec 3<&-

# How large a download may become, in KiB.
largest=65536

action=${GITHUB_ACTION_PATH:?} temp=${RUNNER_TEMP:?} tools=${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}
machine="${RUNNER_OS:-unknown system} ${RUNNER_ARCH:-unknown processor}"
suffix=
if [[ ${RUNNER_OS:-} == Windows ]]; then
  # D:\a\_temp means the same with slashes, to every program here.
  action=${action//\\//} temp=${temp//\\//} tools=${tools//\\//}
  suffix=.exe
fi

# A sentence on the page of the run, and in its summary. A line break in it must not begin another command.
say() {
  local text=${2//%/%25}
  text=${text//$'\r'/%0D}
  echo "::$1 title=Play by Commit::${text//$'\n'/%0A}"
  if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
    printf '**Play by Commit, %s:** %s\n\n' "$1" "${2//[$'\r\n<>']/ }" >>"$GITHUB_STEP_SUMMARY"
  fi
}

fail() {
  say error "$1"
  exit 1
}

case "${RUNNER_OS:-}/${RUNNER_ARCH:-}" in
  Linux/X64) target=x86_64-unknown-linux-musl ;;
  Linux/ARM64) target=aarch64-unknown-linux-musl ;;
  macOS/X64) target=x86_64-apple-darwin ;;
  macOS/ARM64) target=aarch64-apple-darwin ;;
  Windows/X64) target=x86_64-pc-windows-msvc ;;
  *) target=none ;; # Nothing is made for this machine, but it may have cargo.
esac
asset=play-by-commit-$target$suffix

case ${PLAY_BY_COMMIT_VERIFY_ATTESTATION:-false} in
  [Tt]rue | TRUE) attest=yes ;;
  [Ff]alse | FALSE) attest=no ;;
  *) fail 'The input `verify-attestation` is `true` or `false`.' ;;
esac

version='' repository='' url='' wanted='' painter=''
if [[ -f $action/release.txt ]]; then
  while read -r word value || [[ -n $word ]]; do
    value=${value%$'\r'}
    case $word in
      version) version=$value ;;
      repository) repository=$value ;;
      url) url=$value ;;
      "$target") wanted=$value ;;
      "$target-previews") painter=$value ;;
    esac
  done <"$action/release.txt"
  if [[ ! $version =~ ^v[0-9][0-9A-Za-z.+-]*$ || ! $repository =~ ^[0-9A-Za-z_.-]+/[0-9A-Za-z_.-]+$ ||
    ! $wanted =~ ^([0-9a-f]{64})?$ || ! $painter =~ ^([0-9a-f]{64})?$ ]]; then
    fail 'The release.txt of this action is damaged: it has no version, no repository, or something that is no SHA-256.'
  fi
fi

# is_sound FILE: whether it is the program of the release.
is_sound() {
  local sum
  # Linux and Git for Windows have the first program, every macOS the second.
  # From standard input, because a backslash in a file's name changes what is printed.
  if command -v sha256sum >/dev/null; then sum=$(sha256sum <"$1"); else sum=$(shasum -a 256 <"$1"); fi
  found=${sum%% *}
  [[ $found == "$wanted" ]]
}

# verify FILE: asks GitHub who has built it, if the host wants that to be asked.
verify() {
  if [[ $attest == no ]]; then return; fi
  if [[ -z $repository ]]; then
    fail 'The input `verify-attestation` is for a released version of the action, such as @v1: here is no release.txt that says whose program this has to be.'
  fi
  if [[ ${GITHUB_SERVER_URL:-https://github.com} != https://github.com ]]; then
    fail 'The input `verify-attestation` works on github.com alone: the attestations are there, and the token of another server is not known there.'
  fi
  if ! command -v gh >/dev/null; then
    fail 'The input `verify-attestation` needs the GitHub CLI (gh), which this runner does not have. Install it, take a runner that has it (such as ubuntu-latest), or leave the input out: the SHA-256 is checked in any case.'
  fi
  # The one program that is given the token, and only when it is asked for.
  if ! GH_TOKEN=${PLAY_BY_COMMIT_TOKEN:-} gh attestation verify "$1" --repo "$repository" \
    --signer-workflow "$repository/.github/workflows/release.yml" --deny-self-hosted-runners >&2; then
    fail "GitHub does not attest that $asset was built by the release workflow of $repository, or could not be asked; gh says more in the log. The program was not run."
  fi
}

# run FILE: becomes the program.
run() {
  verify "$1"
  [[ -x $1 ]] || chmod +x "$1"
  export PLAY_BY_COMMIT_TOKEN PLAY_BY_COMMIT_DICE_SECRET
  exec "$1" run
}

# fetch ADDRESS FILE: one try. What went wrong is in $why, and the status of the answer in $code.
fetch() {
  local scheme=${1%%:*} log done=0
  code=
  if command -v curl >/dev/null; then
    log=$(
      ulimit -f "$largest" 2>/dev/null || true
      curl --proto "=$scheme" --tlsv1.2 --fail --silent --show-error --location --max-redirs 5 --connect-timeout 20 \
        --max-time 120 --output "$2" --write-out '\nstatus %{http_code}\n' "$1" 2>&1
    ) || done=$?
    # Before what curl says of an error, or behind it.
    if [[ $log =~ status\ ([0-9]{3}) ]]; then code=${BASH_REMATCH[1]} log=${log/${BASH_REMATCH[0]}/}; fi
  elif [[ $(wget --version 2>/dev/null) == *'GNU Wget'* ]]; then
    log=$(
      ulimit -f "$largest" 2>/dev/null || true
      # Wget goes by the small letters alone.
      https_proxy=${https_proxy:-${HTTPS_PROXY:-}} no_proxy=${no_proxy:-${NO_PROXY:-}} \
        wget --no-verbose --server-response --tries=1 --timeout=30 --max-redirect=5 --https-only \
        --output-document="$2" "$1" 2>&1
    ) || done=$?
    if [[ $log =~ .*HTTP/[0-9.]+\ +([0-9]{3}) ]]; then code=${BASH_REMATCH[1]}; fi
    # It has no option that keeps it from following anyone away from TLS.
    if [[ $scheme == https && $log =~ [Ll]ocation:\ *http: ]]; then
      done=1 code=400 log='the server leads to an address without TLS'
    fi
  else
    fail "To fetch $asset $version this runner needs curl or GNU Wget, and it has neither."
  fi
  # The last line that says something.
  while [[ $log == *[[:space:].] ]]; do log=${log%?}; done
  why=${log##*$'\n'}
  return "$done"
}

# download FILE: the program of the release, or the end of the step.
download() {
  local own="https://github.com/$repository/releases/download" path='(:[0-9]+)?(/[0-9A-Za-z._~%-]+)*/?$' base pause hint
  base=${PLAY_BY_COMMIT_RELEASE_URL:-${url:-$own}}
  if [[ ! $base =~ ^https://[0-9A-Za-z.-]+$path ]]; then
    # Only a release.txt may name an address without TLS, and only one that does not leave this machine.
    if [[ -n ${PLAY_BY_COMMIT_RELEASE_URL:-} || ! $base =~ ^http://127\.0\.0\.1$path ]]; then
      fail 'The input `release-url` is an address such as https://mirror.example/play-by-commit: https alone, without a name, a password or a query.'
    fi
  fi
  base=${base%/}
  for pause in 1 4 0; do
    if fetch "$base/$version/$asset" "$1"; then return; fi
    rm -f "$1"
    # What the server refuses it will refuse again; all else may pass.
    if [[ $code == 4?? && $code != 408 && $code != 429 ]]; then break; fi
    if ((pause)); then sleep "$pause"; fi
  done
  if [[ $code == 404 && $base == "$own" ]]; then
    fail "The release $version of $repository has no $asset (404). It was taken back or its files are gone: pin another version of the action."
  elif [[ $code == 404 ]]; then
    fail "There is no $version/$asset below $base (404). Put the files of that release there, or leave the input \`release-url\` out."
  fi
  hint='If this runner does not reach that address at all, set the input `release-url` to a mirror that it reaches, or the variable https_proxy to a proxy.'
  if [[ -n ${https_proxy:-}${HTTPS_PROXY:-}${http_proxy:-}${all_proxy:-}${ALL_PROXY:-} ]]; then
    hint='A proxy is set in the environment of this runner (https_proxy or one of its like): look whether it answers.'
  fi
  fail "$asset $version could not be downloaded from $base: ${why:0:200}. $hint No move is lost: the next run settles what this one could not."
}

if [[ $target != none && -f $action/bin/$asset ]]; then
  run "$action/bin/$asset"
fi
# A site is built by the program that also paints, where there is one.
if [[ -n ${PLAY_BY_COMMIT_SITE:-} && -n $painter ]]; then wanted=$painter asset=play-by-commit-$target-previews$suffix; fi

if [[ -n $wanted ]]; then
  # The checksum is part of the name, so that a tag that was moved never finds the program of its former self.
  kept=$tools/play-by-commit/$version/$wanted/$asset
  if [[ -f $kept ]]; then
    # It lay where other jobs may write.
    if is_sound "$kept"; then run "$kept"; fi
    say warning "$kept was not the program that was kept there. It was thrown away and is fetched anew."
    rm -f "$kept"
  fi
  # It arrives in a folder of this step's own, which the runner empties whatever becomes of the step.
  arriving=$(mktemp -d "$temp/play-by-commit.XXXXXX")
  trap 'rm -rf "$arriving" "$kept.$$"' EXIT
  trap 'exit 1' INT TERM
  download "$arriving/$asset"
  if ! is_sound "$arriving/$asset"; then
    fail "The download of $asset $version has the SHA-256 $found, but release.txt names $wanted. It was thrown away, and nothing was run."
  fi
  chmod 755 "$arriving/$asset"
  # A rename within one folder: two jobs on one machine never see half a file. Where nothing can be kept it runs from here.
  if mkdir -p "${kept%/*}" 2>/dev/null && cp "$arriving/$asset" "$kept.$$" 2>/dev/null && mv -f "$kept.$$" "$kept"; then
    rm -rf "$arriving"
    run "$kept"
  fi
  rm -f "$kept.$$"
  run "$arriving/$asset"
fi

if [[ $attest == yes ]]; then
  fail 'The input `verify-attestation` is for a released version of the action, such as @v1: what is built from source here, nobody attests.'
fi
# What an earlier run has built of these very sources, and what this one leaves for the next: action.yml fetches and keeps it.
kept=$temp/play-by-commit-built/play-by-commit$suffix
if [[ -x $kept ]] && "$kept" --version >/dev/null 2>&1; then run "$kept"; fi
if [[ $suffix == '' ]]; then PATH=$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin; fi
if ! command -v cargo >/dev/null; then
  fail "There is no ready-made program for $machine here, and no cargo to build one. Use a released version of the action, such as @v1, or a runner with Rust, such as ubuntu-latest."
fi
say warning "No ready-made program for $machine, so it is built from source. That takes minutes; a released version of the action takes none."
# A folder of this job's own: cargo goes by file times, and a moved branch can bring new files with old times.
built=$temp/play-by-commit-build
echo "::group::cargo build"
cargo build --release --locked --manifest-path "$action/Cargo.toml" --target-dir "$built" ||
  fail "The program could not be built from source; the reason is in the log above."
echo "::endgroup::"
# A rename, so that what is kept is never half a program.
mkdir -p "${kept%/*}"
mv -f "$built/release/play-by-commit$suffix" "$kept"
run "$kept"
