#!/usr/bin/env bash
# Finds the program for this runner and runs `play-by-commit run` with the environment from action.yml.
#
# It looks in this order:
#   1. bin/play-by-commit-TARGET in the action's own directory
#   2. the release that release.txt names: checked against the SHA-256 there, and kept in the runner's tool cache
#   3. a build by cargo from the action's own source, for branches and forks, once for each state of the source
# If a release can't be downloaded, or its checksum is wrong, the step fails and runs nothing else instead.
#
# Only the commit of a release has a release.txt (.github/release/manifest writes it), so pinning the action to that commit
# pins the program too. Each line has a word and its value:
#   version TAG
#   repository OWNER/NAME
#   TARGET SHA256          (one line for each target)
#   TARGET-previews SHA256 (optional: the program that also renders PNGs, for websites)
#   url BASE               (optional: the assets are at BASE/TAG/ASSET; the default is the repository's releases)
#
# The backticks in the messages below are Markdown, so nothing should run in them:
# shellcheck disable=SC2016
set -euo pipefail

# Hide the secrets from the programs this script starts (curl, wget, cargo). A process's initial environment stays readable
# while it runs, so the script restarts itself without the secrets and reads them from a pipe.
if [[ ${1:-} != --secrets-on-3 ]]; then
  exec 3< <(printf '%s\0%s\0' "${PLAY_BY_COMMIT_TOKEN:-}" "${PLAY_BY_COMMIT_DICE_SECRET:-}")
  export -n PLAY_BY_COMMIT_TOKEN PLAY_BY_COMMIT_DICE_SECRET
  exec "$BASH" "${BASH_SOURCE[0]}" --secrets-on-3
fi
IFS= read -r -d '' -u 3 PLAY_BY_COMMIT_TOKEN
IFS= read -r -d '' -u 3 PLAY_BY_COMMIT_DICE_SECRET
exec 3<&-

# The size limit of a download, in KiB.
largest=65536

action=${GITHUB_ACTION_PATH:?} temp=${RUNNER_TEMP:?} tools=${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}
machine="${RUNNER_OS:-unknown system} ${RUNNER_ARCH:-unknown processor}"
suffix=
if [[ ${RUNNER_OS:-} == Windows ]]; then
  # Every program here also accepts D:\a\_temp with slashes.
  action=${action//\\//} temp=${temp//\\//} tools=${tools//\\//}
  suffix=.exe
fi

# say KIND SENTENCE: annotates the run and adds to its summary. A line break must not start another workflow command.
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
  *) target=none ;; # There is no release for this machine, but it may have cargo.
esac
asset=play-by-commit-$target$suffix

case ${PLAY_BY_COMMIT_VERIFY_ATTESTATION:-false} in
  [Tt]rue | TRUE) attest=yes ;;
  [Ff]alse | FALSE) attest=no ;;
  *) fail 'Set the input `verify-attestation` to `true` or `false`.' ;;
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
    fail 'The release.txt of this action is damaged: it lacks a version or a repository, or has a malformed SHA-256.'
  fi
fi

# is_sound FILE: succeeds if the file is the program of the release.
is_sound() {
  local sum
  # Linux and Git for Windows have sha256sum, every macOS has shasum.
  # They read standard input, because a backslash in a file's name would change their output.
  if command -v sha256sum >/dev/null; then sum=$(sha256sum <"$1"); else sum=$(shasum -a 256 <"$1"); fi
  found=${sum%% *}
  [[ $found == "$wanted" ]]
}

# verify FILE: asks GitHub who built the file, if the input `verify-attestation` is true.
verify() {
  if [[ $attest == no ]]; then return; fi
  if [[ -z $repository ]]; then
    fail 'The input `verify-attestation` needs a released version of the action, such as @v1. Without a release.txt, there is no repository to check the program against.'
  fi
  if [[ ${GITHUB_SERVER_URL:-https://github.com} != https://github.com ]]; then
    fail 'The input `verify-attestation` only works on github.com. The attestations are there, and github.com rejects the token of another server.'
  fi
  if ! command -v gh >/dev/null; then
    fail "The input \`verify-attestation\` needs the GitHub CLI (gh), which this runner doesn't have. Install it, use a runner that has it, such as ubuntu-latest, or leave the input out: the action checks the SHA-256 in any case."
  fi
  # Only gh gets the token, and only with this input.
  if ! GH_TOKEN=${PLAY_BY_COMMIT_TOKEN:-} gh attestation verify "$1" --repo "$repository" \
    --signer-workflow "$repository/.github/workflows/release.yml" --deny-self-hosted-runners >&2; then
    fail "GitHub has no attestation that the release workflow of $repository built $asset, or gh couldn't ask. The log has its reason. The program was not run."
  fi
}

# run FILE: replaces this script with the program.
run() {
  verify "$1"
  [[ -x $1 ]] || chmod +x "$1"
  export PLAY_BY_COMMIT_TOKEN PLAY_BY_COMMIT_DICE_SECRET
  exec "$1" run
}

# fetch ADDRESS FILE: downloads once. Sets $why to the error, $code to the HTTP status, and $distrust to what helps if the
# server's certificate isn't trusted.
fetch() {
  local scheme=${1%%:*} log done=0
  code='' distrust=''
  if command -v curl >/dev/null; then
    log=$(
      ulimit -f "$largest" 2>/dev/null || true
      curl --proto "=$scheme" --tlsv1.2 --fail --silent --show-error --location --max-redirs 5 --connect-timeout 20 \
        --max-time 120 --output "$2" --write-out '\nstatus %{http_code}\n' "$1" 2>&1
    ) || done=$?
    # The status comes before or after the error message of curl.
    if [[ $log =~ status\ ([0-9]{3}) ]]; then code=${BASH_REMATCH[1]} log=${log/${BASH_REMATCH[0]}/}; fi
    if [[ $done == 60 ]]; then
      distrust='install the certificate of its authority on the runner, or set the variable SSL_CERT_FILE to a file with it'
    fi
  elif [[ $(wget --version 2>/dev/null) == *'GNU Wget'* ]]; then
    log=$(
      ulimit -f "$largest" 2>/dev/null || true
      # Wget only reads the lowercase variables.
      https_proxy=${https_proxy:-${HTTPS_PROXY:-}} no_proxy=${no_proxy:-${NO_PROXY:-}} \
        wget --no-verbose --server-response --tries=1 --timeout=30 --max-redirect=5 --https-only \
        --output-document="$2" "$1" 2>&1
    ) || done=$?
    if [[ $log =~ .*HTTP/[0-9.]+\ +([0-9]{3}) ]]; then code=${BASH_REMATCH[1]}; fi
    # GNU Wget may be built without support for SSL_CERT_FILE.
    if [[ $done == 5 ]]; then distrust='install the certificate of its authority on the runner'; fi
    # Wget has no option against redirects away from TLS.
    if [[ $scheme == https && $log =~ [Ll]ocation:\ *http: ]]; then
      done=1 code=400 log='the server redirects to an address without TLS'
    fi
  else
    fail "To download $asset $version, this runner needs curl or GNU Wget. It has neither."
  fi
  # Keep the last line that has text.
  while [[ $log == *[[:space:].] ]]; do log=${log%?}; done
  why=${log##*$'\n'}
  return "$done"
}

# download FILE: downloads the program of the release, or fails the step.
download() {
  local own="https://github.com/$repository/releases/download" path='(:[0-9]+)?(/[0-9A-Za-z._~%-]+)*/?$' base pause hint
  base=${PLAY_BY_COMMIT_RELEASE_URL:-${url:-$own}}
  if [[ ! $base =~ ^https://[0-9A-Za-z.-]+$path ]]; then
    # Only a release.txt can name an address without TLS, and only one on this machine.
    if [[ -n ${PLAY_BY_COMMIT_RELEASE_URL:-} || ! $base =~ ^http://127\.0\.0\.1$path ]]; then
      fail 'Set the input `release-url` to an address such as https://mirror.example/play-by-commit. It has to use https, without a username, a password or a query.'
    fi
  fi
  base=${base%/}
  for pause in 1 4 0; do
    if fetch "$base/$version/$asset" "$1"; then return; fi
    rm -f "$1"
    if [[ $distrust ]]; then
      fail "The certificate of $base isn't trusted by this runner, so $asset $version wasn't downloaded. If you trust that server, $distrust. No move is lost: the next run handles it."
    fi
    # Don't retry what the server refuses for good.
    if [[ $code == 4?? && $code != 408 && $code != 429 ]]; then break; fi
    if ((pause)); then sleep "$pause"; fi
  done
  if [[ $code == 404 && $base == "$own" ]]; then
    fail "The release $version of $repository has no $asset (404). It was withdrawn, or its files are gone. Use another version of the action."
  elif [[ $code == 404 ]]; then
    fail "There is no $version/$asset at $base (404). Put the files of that release there, or leave the input \`release-url\` out."
  fi
  hint="If this runner can't reach that address, set the input \`release-url\` to a mirror it can reach, or the variable https_proxy to a proxy."
  if [[ -n ${https_proxy:-}${HTTPS_PROXY:-}${http_proxy:-}${all_proxy:-}${ALL_PROXY:-} ]]; then
    hint="A proxy is set in this runner's environment (https_proxy or similar). Check that it works."
  fi
  fail "Couldn't download $asset $version from $base: ${why:0:200}. $hint No move is lost: the next run handles it."
}

if [[ $target != none && -f $action/bin/$asset ]]; then
  run "$action/bin/$asset"
fi
# To build a website, use the program that also renders PNGs, if there is one.
if [[ -n ${PLAY_BY_COMMIT_SITE:-} && -n $painter ]]; then wanted=$painter asset=play-by-commit-$target-previews$suffix; fi

if [[ -n $wanted ]]; then
  # Check and run a copy in a new directory of this step, so no other job can replace the program after the check. The runner
  # cleans the directory up, even if the step is killed.
  private=$(mktemp -d "$temp/play-by-commit.XXXXXX")
  program=$private/$asset
  # The path has the checksum in it, so a tag that moved never finds its old program.
  kept=$tools/play-by-commit/$version/$wanted/$asset
  trap 'rm -rf "$private" "$kept.$$"' EXIT
  trap 'exit 1' INT TERM
  if [[ -f $kept ]] && cp "$kept" "$program" 2>/dev/null && is_sound "$program"; then run "$program"; fi
  if [[ -e $kept || -L $kept ]]; then
    say warning "$kept changed after it was downloaded. The action deletes it and downloads it again."
    rm -rf "$kept" 2>/dev/null || true
  fi
  rm -rf "$program"
  download "$program"
  if ! is_sound "$program"; then
    fail "The downloaded $asset $version has the SHA-256 $found, but release.txt says $wanted. The action deleted it and ran nothing."
  fi
  # Keep it for the next run, unless the tool cache is read-only. Rename within one directory, so other jobs never see half a
  # file.
  if [[ ! -d $kept ]] && mkdir -p "${kept%/*}" 2>/dev/null && cp "$program" "$kept.$$" 2>/dev/null; then
    mv -f "$kept.$$" "$kept" 2>/dev/null || true
  fi
  rm -f "$kept.$$"
  run "$program"
fi

if [[ -n $version ]]; then
  fail "The release $version has no program for $machine, and no source to build one. Use a runner such as ubuntu-latest, or the action from a branch, such as @main, which cargo builds."
fi
if [[ $attest == yes ]]; then
  fail 'The input `verify-attestation` needs a released version of the action, such as @v1. A program built from source here has no attestation.'
fi
# The build of an earlier run from the same source, or the one this run makes: action.yml restores and caches it.
kept=$temp/play-by-commit-built/play-by-commit$suffix
if [[ -x $kept ]] && "$kept" --version >/dev/null 2>&1; then run "$kept"; fi
if [[ $suffix == '' ]]; then PATH=$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin; fi
if ! command -v cargo >/dev/null; then
  fail "There is no prebuilt program for $machine, and this runner has no cargo to build it. Use a released version of the action, such as @v1, or a runner with Rust, such as ubuntu-latest."
fi
advice='A released version of the action, such as @v1, needs no build.'
if [[ ${GITHUB_EVENT_NAME:-} == issue* ]]; then
  # GitHub lets a run that anyone can start read the cache, but not write it.
  advice+=" To build it once and cache it, choose Actions, ${GITHUB_WORKFLOW:-this workflow}, Run workflow."
fi
say warning "There is no prebuilt program for $machine, so cargo builds it from source, which takes minutes. $advice"
# Use a new directory: cargo compares file times, and after a branch moves, new files can have old times.
built=$temp/play-by-commit-build
echo "::group::cargo build"
cargo build --release --package play-by-commit --locked --manifest-path "$action/Cargo.toml" --target-dir "$built" ||
  fail "The build from source failed. The log above has the reason."
echo "::endgroup::"
# Rename it, so the cache never gets half a program.
mkdir -p "${kept%/*}"
mv -f "$built/release/play-by-commit$suffix" "$kept"
run "$kept"
