#!/bin/sh
# Makes the nets of the computer's backgammon again: training/make.sh FOLDER [TEACHER]
#
# FOLDER keeps positions, labels and states of learning, 500 MB; what was interrupted goes on from there. TEACHER is a
# folder with contact.onnx and race.onnx, which are fetched unless it is given: nets of the open project wildbg, CC0-1.0.
# It takes about 35 minutes on one core. Seeds are fixed, but floating point differs between processors, so another machine makes
# nets of the same strength with other bytes; tests/strength/backgammon.py has the results of such nets.
# The nets have 680 inputs (contact) and 463 (race), each a yes or a no, and take 287,144 bytes. They learn from wildbg's nets:
# first what those say of a position, then the mean of what they say after the best play of every roll.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
teacher=${2:-$folder/teacher}
source=https://raw.githubusercontent.com/carsten-wenderdel/wildbg-training/33d8fc8f149333e9b2053905b2662a33d00c26fb/data
weights=crates/games/src/backgammon/computer/weights

if [ ! -e "$teacher/race.onnx" ]; then
    mkdir -p "$teacher"
    curl --fail --silent --show-error --location --output "$teacher/contact.onnx" "$source/0017/contact.onnx"
    curl --fail --silent --show-error --location --output "$teacher/race.new" "$source/0016/race.onnx"
    mv "$teacher/race.new" "$teacher/race.onnx"
fi
# Floating point is several times as fast with the vector instructions of this processor, which `bench` makes use of.
RUSTFLAGS="-C target-cpu=native" cargo build --profile bench --locked --package training --target-dir target/training
training=target/training/release/training
learn() {
    $training train "$@"
}

mkdir -p "$folder/0" "$folder/1" "$folder/2" "$folder/3"

# The first nets copy the teacher.
$training positions "$teacher" "$folder/positions_1" 700000 1
learn contact "$folder/0/contact.state" - 8 0.002 0.0002 "$folder/positions_1"
learn race "$folder/0/race.state" - 10 0.002 0.0002 "$folder/positions_1"

# The next ones learn what the teacher says a throw ahead. They play the games that the last ones learn from.
$training label "$teacher" "$folder/0" "$folder/positions_1" "$folder/labels_1" 0 700000
learn contact "$folder/1/contact.state" - 14 0.002 0.0001 "$folder/labels_1"
learn race "$folder/1/race.state" - 20 0.002 0.0001 "$folder/labels_1"
$training positions "$folder/1" "$folder/positions_2" 1500000 2
$training positions "$folder/1" "$folder/positions_3" 4000000 3
$training label "$teacher" "$folder/1" "$folder/positions_2" "$folder/labels_2" 0 343000
$training copy "$teacher" "$folder/positions_2" "$folder/copies_2"
$training copy "$teacher" "$folder/positions_3" "$folder/copies_3"

# Many positions with the teacher's own word first, then fewer with the better one.
learn contact "$folder/2/contact.state" - 5 0.002 0.0002 "$folder/copies_3" "$folder/copies_2" "$folder/positions_1"
learn race "$folder/2/race.state" - 6 0.002 0.0003 "$folder/copies_3" "$folder/positions_1"
learn contact "$folder/3/contact.state" "$folder/2/contact.state" 6 0.0008 0.00004 "$folder/labels_1" "$folder/labels_2"
learn race "$folder/3/race.state" "$folder/2/race.state" 10 0.0006 0.00005 "$folder/labels_1" "$folder/labels_2"
cp "$folder/3/contact.bin" "$folder/3/race.bin" "$weights/"
