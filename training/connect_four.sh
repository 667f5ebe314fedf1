#!/bin/sh
# Makes the book of connect four again: training/connect_four.sh FOLDER
#
# FOLDER keeps the moves that were found, as text; what was interrupted goes on from there. Nothing is left to luck, so
# the same book comes out of an empty folder each time. It takes 130 MB of memory and 25 minutes of a busy core, 20 of them for the
# positions with up to three discs that are not of its own games. Then
# level 8 plays its own games, in the book and behind it, and the solver looks after each move.
#
# The book has 5.8 KB: all 151 positions with up to three discs, and those of level 8's own games with up to ten discs as the
# first player (1,685) or eleven as the second (7,377). The last step checks up to 19 discs and 2,000 positions of each number
# (all up to eleven discs), and found no move that gives away a win or a draw; a reply took at most 0.14 s.
#
# Positions the solver searches after the book (a million take about 0.15 s): with 12 discs, 2,000 of 4,044 positions, median
# 2,100, nine of ten at most 52,000, most 1,402,000; with 13 discs, 2,000 of 16,843, 2,100, 26,000 and 803,000.
set -eu
cd "$(dirname "$0")/.."
cargo build --profile bench --locked --package training --target-dir target/training
target/training/release/training connect-four "$1" 11 src/games/connect_four/perfect
cargo build --profile bench --locked --package training --target-dir target/training
target/training/release/training connect-four-check 19 2000 1
