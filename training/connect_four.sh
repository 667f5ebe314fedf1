#!/bin/sh
# Makes the book of connect four again: training/connect_four.sh FOLDER
#
# FOLDER keeps the moves that were found, as text; what was interrupted goes on from there. Nothing is left to luck, so
# the same book comes out each time. It takes 1 GB of memory, and hours; docs/STRENGTH.md says how far the book is.
set -eu
cd "$(dirname "$0")/.."
cargo build --profile bench --locked --package training --target-dir target/training
target/training/release/training connect-four "$1" 10 9 src/games/connect_four/perfect/book.bin
