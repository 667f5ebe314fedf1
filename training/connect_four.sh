#!/bin/sh
# Makes the book of connect four again: training/connect_four.sh FOLDER
#
# FOLDER keeps the moves that were found, as text; what was interrupted goes on from there. Nothing is left to luck, so
# the same book comes out of an empty folder each time. It takes 130 MB of memory and about an hour of a busy core, most of it for
# the worths of the positions with eight discs. Then level 8 plays its own games, in the book and after it, and the solver checks
# each move.
#
# The book has 21 KB: who wins each of the 77,179 positions with eight discs (15,437 bytes), and the moves of level 8's own games
# with up to ten discs as the first player (1,685 moves) or eleven as the second (7,377). The last step checks up to 19 discs and
# 2,000 positions of each number (all up to eleven discs), and found no move that gives away a win or a draw.
#
# Seats handed over in random positions where nobody can win at once (`training connect-four-handed 9 1500 2`), with positions
# searched and the longest time on a core; it gives up after 10 million:
#   8 discs: 1,000 of  77,179, gave up 3 times, median 194,000, 99 % 7.0 million, 1.3 s
#   9 discs: 1,500 of 233,047, once, 217,000, 4.5 million, 1.2 s
#  10 discs: 1,000 of 621,212, once, 158,000, 2.8 million, 1.1 s
#  11 discs: 1,000 of 1,688,208, never, 131,000, 1.6 million, 0.5 s
#  12 discs: 1,000 of 4,030,847, never, 111,000, 0.9 million, 0.3 s
set -eu
cd "$(dirname "$0")/.."
cargo build --profile bench --locked --package training --target-dir target/training
target/training/release/training connect-four "$1" 11 crates/games/src/connect_four/computer/perfect
cargo build --profile bench --locked --package training --target-dir target/training
target/training/release/training connect-four-check 19 2000 1
