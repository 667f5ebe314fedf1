#!/bin/sh
# Shows what people see: takes screenshots of the golden files in crates/answers/tests/golden, of a README with boards in it, and of
# threads with answers, in a browser.
#
#     tests/look/look.sh [NAME]       all of them, those of the game whose name begins with NAME, or `visit`
#
# Each picture is by day on a light page and by night on a dark one, 1000 px and 320 px wide, as an image that the page
# embeds. Of each replay there are moments, side by side: images take their time from the real clock, so each moment is a
# copy that is already some seconds on; the last one is what it is where nothing may move. The screenshots are in
# target/look/. Needs Chromium; CHROMIUM names another program.
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/target/look
golden=$PWD/crates/answers/tests/golden
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
mkdir -p "$out"

# shot NAME WIDTH HEIGHT: a screenshot of target/look/NAME.html, for somebody who likes dark pages if its name says so
shot() {
    case "$1" in *-dark) scheme=0 ;; *) scheme=1 ;; esac
    "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
        --user-data-dir="$profile" --window-size="$2,$3" --virtual-time-budget=1000 \
        --blink-settings=preferredColorScheme=$scheme \
        --screenshot="$out/$1.png" "file://$out/$1.html" >/dev/null 2>&1
}

# page NAME BACKGROUND WIDTH FILE...: a page with images, none wider than WIDTH
page() {
    name=$1 background=$2 width=$3
    shift 3
    {
        echo "<!doctype html><meta charset=utf-8><title>$name</title>"
        echo "<style>body{margin:16px;background:$background}div{width:${width}px;display:flex;flex-wrap:wrap;gap:16px}"
        echo "img{max-width:100%;height:auto;align-self:flex-start}</style><div>"
        for file in "$@"; do echo "<img src=\"file://$file\">"; done
        echo "</div>"
    } >"$out/$name.html"
}

# later FILE SECONDS: a copy of a replay that is already so far
later() {
    awk -v by="$(($2 * 1000))" '
        /^\.a[0-9]+\{animation-delay:/ { split($0, part, /[:m}]+/); print ".a" substr($1, 3, index($1, "{") - 3) "{animation-delay:" part[3] - by "ms}"; next }
        /^\.[ep].*ms (linear )?2000ms/ { sub(/2000ms/, 2000 - by "ms") }
        { print }' "$1"
}

wanted=${1:-}
light='#ffffff' dark='#0d1117'
for replay in "$golden"/*-replay.svg; do
    game=${replay##*/}
    game=${game%-replay.svg}
    case "$game" in "$wanted"*) ;; *) continue ;; esac
    set --
    for file in "$golden/$game"-*.svg; do
        case "$file" in *-replay.svg) ;; *) set -- "$@" "$file" ;; esac
    done
    page "$game-light" "$light" 1000 "$@"
    page "$game-dark" "$dark" 1000 "$@"
    page "$game-narrow-light" "$light" 320 "$@"
    page "$game-narrow-dark" "$dark" 320 "$@"
    shot "$game-light" 1032 3000
    shot "$game-dark" 1032 3000
    shot "$game-narrow-light" 500 4200
    shot "$game-narrow-dark" 500 4200
    set --
    for seconds in 0 3 8 15 30; do
        later "$golden/$game-replay.svg" "$seconds" >"$out/$game-replay-$seconds.svg"
        set -- "$@" "$out/$game-replay-$seconds.svg"
    done
    sed 's/no-preference/nothing/' "$golden/$game-replay.svg" >"$out/$game-replay-still.svg"
    page "$game-replay" "$light" 1400 "$@" "$out/$game-replay-still.svg"
    shot "$game-replay" 1432 2000
done
case "${1:-visit}" in visit)
    cargo run --quiet --package play-by-commit-testkit --example visit -- "$out/visit" >/dev/null
    for page in "$out"/visit/*.html; do
        page=visit/$(basename "$page" .html)
        case "$page" in *-360) shot "$page" 500 5200 ;; *) shot "$page" 1032 3600 ;; esac
    done
    ;;
esac
find "$out" -name '*.png' | sort
