#!/bin/sh
# Makes the nets of the computer's backgammon again: training/make.sh FOLDER [TEACHER]
#
# FOLDER keeps positions, labels and states of learning, 250 MB; what was interrupted goes on from there. TEACHER is a
# folder with contact.onnx and race.onnx, which are fetched unless it is given: nets of the open project wildbg, CC0-1.0.
# docs/STRENGTH.md says how long it takes.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
teacher=${2:-$folder/teacher}
source=https://raw.githubusercontent.com/carsten-wenderdel/wildbg-training/33d8fc8f149333e9b2053905b2662a33d00c26fb/data
weights=src/games/backgammon/engine/weights

if [ ! -e "$teacher/race.onnx" ]; then
    mkdir -p "$teacher"
    curl --fail --silent --show-error --location --output "$teacher/contact.onnx" "$source/0017/contact.onnx"
    curl --fail --silent --show-error --location --output "$teacher/race.new" "$source/0016/race.onnx"
    mv "$teacher/race.new" "$teacher/race.onnx"
fi
cargo build --release --locked --package training
training=target/release/training
learn() {
    $training train "$@"
}

# The first nets copy the teacher.
mkdir -p "$folder/0" "$folder/1" "$folder/2"
$training positions "$teacher" "$folder/positions_1" 700000 1
learn contact "$folder/0/contact.state" - 8 0.002 0.0002 "$folder/positions_1"
learn race "$folder/0/race.state" - 10 0.002 0.0002 "$folder/positions_1"
# The next ones learn what the teacher says a throw ahead.
$training label "$teacher" "$folder/0" "$folder/positions_1" "$folder/labels_1" 0 700000
learn contact "$folder/1/contact.state" - 14 0.002 0.0001 "$folder/labels_1"
learn race "$folder/1/race.state" - 20 0.002 0.0001 "$folder/labels_1"
