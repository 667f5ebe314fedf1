#!/usr/bin/env bash
# Fuzzes one target, or all of them in turn: fuzz/run.sh [TARGET|all] [SECONDS]
#
# Needs a stable Rust and a C++ compiler, nothing else: the coverage that libFuzzer steers by is asked of the compiler
# directly. With a nightly compiler `FUZZ_TARGET=TARGET cargo fuzz run fuzz` does the same.
#
# New inputs are gathered in fuzz/found/TARGET, which git ignores. `fuzz/run.sh keep [TARGET]` puts the smallest set of them
# that reaches as much into fuzz/corpus/TARGET, whose files `cargo test` runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

what=${1:-all}
seconds=${2:-60}
# No input may take longer than this.
timeout=5
# Kept inputs are no longer than this, in bytes, and no more than so many per target.
longest=2048
most=150

host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../target/fuzz}
bin=$CARGO_TARGET_DIR/$host/release

build() {
  RUSTC_BOOTSTRAP=1 RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares" \
    cargo build --quiet --release --locked --target "$host"
}

# run TARGET ARGUMENT...
run() { FUZZ_TARGET=$1 "$bin/fuzz" "${@:2}"; }

targets() {
  if [[ ${1:-all} == all ]]; then
    "$bin/fuzz" || true
  else
    echo "$1"
  fi
}

# How long the inputs of a target may get: those of the slow ones stay short.
length() {
  case $1 in
    record | event | standings) echo 8192 ;;
    page | rules | talk) echo 2048 ;;
    *) echo 600 ;;
  esac
}

fuzz() {
  local target=$1 log
  mkdir -p "found/$target" "artifacts/$target" "corpus/$target"
  log=$(mktemp)
  local dictionary=()
  if [[ -f dictionaries/$target.dict ]]; then dictionary=("-dict=dictionaries/$target.dict"); fi
  echo "$target: $seconds seconds"
  if ! run "$target" "found/$target" "corpus/$target" "${dictionary[@]}" -artifact_prefix="artifacts/$target/" \
    -timeout="$timeout" -rss_limit_mb=1024 -max_len="$(length "$target")" -max_total_time="$seconds" \
    -print_final_stats=1 >"$log" 2>&1; then
    grep -aE 'panicked|^==|ERROR|Test unit written' -A 3 "$log" || tail -n 20 "$log"
    echo "$target: FAILED, see $log"
    return 1
  fi
  awk -v target="$target" '/number_of_executed_units/ { all = $2 } /average_exec_per_sec/ { each = $2 }
    END { print target ": " all " executions, " each " a second" }' "$log"
  rm "$log"
}

# keep TARGET: the smallest set of the inputs found that reaches everything, without those that are long.
keep() {
  local target=$1 short
  short=$(mktemp -d)
  mkdir -p "corpus/$target" "found/$target"
  find "found/$target" -type f -size "-${longest}c" -exec cp -t "$short" {} +
  run "$target" -merge=1 -max_len="$longest" "corpus/$target" "$short" 2>&1 | grep -a '^MERGE-OUTER.*new files' || true
  # The rest is left out: what is kept is there to keep the targets alive, not to be complete.
  find "corpus/$target" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -printf '%s %p\n' | sort -n |
    tail -n "+$((most + 1))" | cut -d ' ' -f 2- | xargs -r rm
  rm -r "$short"
  echo "$target: $(find "corpus/$target" -type f | wc -l) files, $(cat "corpus/$target"/* | wc -c) bytes"
}

build
if [[ $what == keep ]]; then
  for target in $(targets "${2:-all}"); do keep "$target"; done
  exit
fi
failed=0
for target in $(targets "$what"); do fuzz "$target" || failed=1; done
exit "$failed"
