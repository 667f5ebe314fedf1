#!/bin/sh
# Makes the book of connect four again: training/connect_four.sh FOLDER
#
# FOLDER keeps the moves that were found, as text; what was interrupted goes on from there. Nothing is left to luck, so
# the same book comes out of an empty folder each time. It takes 130 MB of memory and about an hour of a busy core, most of it for
# the worths of the positions with eight discs. Then level 8 plays its own games, in the book and behind it, and the solver checks
# each move.
set -eu
cd "$(dirname "$0")/.."
cargo build --profile bench --locked --package training --target-dir target/training
target/training/release/training connect-four "$1" 11 src/games/connect_four/perfect
cargo build --profile bench --locked --package training --target-dir target/training
target/training/release/training connect-four-check 19 2000 1
