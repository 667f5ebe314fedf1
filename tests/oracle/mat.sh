#!/bin/sh
# Exports records of backgammon and has GNU Backgammon load them.
#
#   tests/oracle/mat.sh PROGRAM RECORD.json...
#
# PROGRAM is the binary play-by-commit. A match text is good when gnubg loads it without a complaint, comes to the score that
# is in the record after as many games as the text has, and writes the same match out again. Ends with 1 if anything is
# wrong. Needs gnubg and python3.
set -eu

[ $# -ge 2 ] || { echo "usage: $0 PROGRAM RECORD.json..." >&2; exit 2; }
gnubg=$(command -v gnubg || echo /usr/games/gnubg)
program=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0

# field RECORD PATH: a value of the record, the empty string where there is none.
field() {
    python3 -c '
import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("."):
    value = value.get(key) if isinstance(value, dict) else None
print("" if value is None else value)' "$1" "$2"
}

# words TEXT: all of a match text that both programs mean alike, a word a line. gnubg marks no hits and has names for 25
# and 0.
words() {
    sed -E '/^;/d; s/bar\//25\//g; s/\/off/\/0/g; s/\*//g; s/ and the match//' "$1" | tr -s ' \n' '\n\n' | sed '/^$/d'
}

for record in "$@"; do
    rm -f "$dir/again.mat"
    mat=$dir/match.mat
    if ! "$program" export "$record" >"$mat"; then
        echo "$record: cannot be exported"
        bad=$((bad + 1))
        continue
    fi
    # A text cannot say whether the Jacoby rule holds where there is no match.
    if [ "$(field "$record" config.jacoby)" = True ]; then jacoby=on; else jacoby=off; fi
    HOME=$dir "$gnubg" -t -q >"$dir/said" 2>&1 <<EOF || true
set jacoby $jacoby
import mat $mat
show score
export match mat $dir/again.mat
quit
y
EOF
    if words "$mat" >"$dir/ours" && words "$dir/again.mat" >"$dir/theirs" && cmp -s "$dir/ours" "$dir/theirs"; then
        same=yes
    else
        same=no
    fi
    complaint=$(grep -iE 'warning|invalid|unrecognised|illegal|errors|not a valid|garbage|follow a double' "$dir/said" || true)
    score=$(grep -oE 'The score \(after .*' "$dir/said" | tail -1 || true)
    [ "$(field "$record" config.match)" = "" ] && score=${score%%, money*}
    games=$(grep -c 'Wins ' "$mat" || true)
    white=$(field "$record" position.match.score.white)
    black=$(field "$record" position.match.score.black)
    # A single game keeps no score: its text says what was won.
    if [ -z "$white" ]; then
        white=$(sed -nE 's/^ {6}Wins ([0-9]+).*/\1/p' "$mat")
        black=$(sed -nE 's/^ {34}Wins ([0-9]+).*/\1/p' "$mat")
    fi
    names="$(field "$record" seats.white.login) ${white:-0}, $(field "$record" seats.black.login) ${black:-0}"
    case $score in
    "The score (after $games game"*"is: $names"*) ok=yes ;;
    *) ok=no ;;
    esac
    if [ -n "$complaint" ] || [ $ok = no ] || [ $same = no ]; then
        bad=$((bad + 1))
        echo "$record: WRONG. Expected $games games, $names. gnubg: $complaint $score (same again: $same)"; diff "$dir/ours" "$dir/theirs" | head -${SHOW:-5}
    else
        echo "$record: good. $score"
    fi
done
echo "$bad of $# are wrong"
[ $bad = 0 ]
