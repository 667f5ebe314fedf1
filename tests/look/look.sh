#!/bin/sh
# Shows what the pictures look like: takes screenshots of the golden files of tests/pictures in a browser.
#
#     tests/look/look.sh [NAME]       all of them, or those whose name begins with NAME
#
# Each is on a light page and a dark one, 1000 px and 320 px wide, as an image that the page embeds, and each replay after
# some seconds. The screenshots are in target/look/. Needs Chromium; CHROMIUM names another program.
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/target/look
golden=$PWD/tests/pictures/golden
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
mkdir -p "$out"

# shot NAME WIDTH HEIGHT MILLISECONDS: a screenshot of target/look/NAME.html
shot() {
    "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
        --user-data-dir="$profile" --window-size="$2,$3" --virtual-time-budget="$4" \
        --screenshot="$out/$1-$4.png" "file://$out/$1.html" >/dev/null 2>&1
}

# page NAME BACKGROUND INK WIDTH FILE...: a page with images, none wider than WIDTH
page() {
    name=$1 background=$2 ink=$3 width=$4
    shift 4
    {
        echo "<!doctype html><meta charset=utf-8><title>$name</title>"
        echo "<style>body{margin:16px;background:$background;color:$ink;font:16px system-ui,sans-serif}"
        echo "div{width:${width}px;display:flex;flex-wrap:wrap;gap:16px}img{max-width:100%;height:auto;align-self:flex-start}</style><div>"
        for file in "$@"; do echo "<img src=\"file://$file\">"; done
        echo "</div>"
    } >"$out/$name.html"
}

for game in tic-tac-toe ultimate backgammon; do
    case "$game" in "${1:-}"*) ;; *) continue ;; esac
    still=$(ls "$golden/$game"-*.svg | grep -v replay)
    # shellcheck disable=SC2086
    {
        page "$game-light" '#ffffff' '#1f2328' 1320 $still
        page "$game-dark" '#0d1117' '#e6edf3' 1320 $still
        page "$game-narrow-light" '#ffffff' '#1f2328' 320 $still
        page "$game-narrow-dark" '#0d1117' '#e6edf3' 320 $still
    }
    page "$game-replay" '#ffffff' '#1f2328' 660 "$golden/$game-replay.svg"
    shot "$game-light" 1360 2400 1000
    shot "$game-dark" 1360 2400 1000
    shot "$game-narrow-light" 500 3600 1000
    shot "$game-narrow-dark" 500 3600 1000
    for time in 1500 3500 9500; do shot "$game-replay" 700 700 "$time"; done
done
ls "$out"/*.png
