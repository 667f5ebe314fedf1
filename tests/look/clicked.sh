#!/bin/sh
# Looks at the boards that are clicked as GitHub shows them: a page of every game goes through GitHub's list of elements and
# attributes, is rendered with GitHub's style sheet, by day and by night, 900 px and 320 px wide, and is measured: no gap
# between two pictures of a board, nothing wider than the page. Then a link is clicked, and it is said where that leads.
#
#     tests/look/clicked.sh [NAME]     every page, or those whose name begins with NAME
#
# The screenshots are in target/look/clicked/. Needs Chromium (CHROMIUM names another program), Node and npm, which fetches
# the style sheet, the filter and the driver of the browser into target/look/node/.
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/target/look/clicked
node=$PWD/target/look/node
mkdir -p "$out" "$node"
[ -d "$node/node_modules/puppeteer-core" ] ||
    npm install --silent --no-audit --no-fund --prefix "$node" github-markdown-css@5.9.0 sanitize-html@2 puppeteer-core@25 >/dev/null
cargo run --quiet --locked --package play-by-commit-testkit --example clicked -- "$out"
cp tests/look/clicked.mjs "$node/clicked.mjs"
node "$node/clicked.mjs" "$out" "${1:-}"
