"""Plays Othello against the crate ai-othello, which looks a fixed number of plies ahead.

    cargo build --release --locked
    python3 tests/strength/ai_othello.py [--level 8] [--depth 10] [--games 40] [--seed 1] [--jobs 1]

The crate comes from crates.io, by way of the program in `tests/strength/othello`, which says how it is asked. It values positions
with all that its evaluation has, and sees the end from as many free cells as the depth. Each opening of four random moves is
played twice, with sides exchanged. `--jobs` says how many pairs are played at a time; a line is printed after each. `--check 500`
first compares so many choices with those of the crate's own search, five plies ahead. See docs/STRENGTH.md for results.
"""

# The series in docs/STRENGTH.md: --games 40 --seed 1 --jobs 2 --check 500
#
# The crate's own search takes 14 s a move on one core at depth 10; our faster copy in othello/ takes 0.7 s.
#
# How often the computer finds the exact margin, with 300 positions each (100 for 20 free cells), and the positions searched:
#
#     free cells    exact    median       nine of ten below    longest
#     14            300      7,300        17,000               0.02 s
#     16            300      36,000       94,000               0.13 s
#     18            300      180,000      518,000              0.42 s
#     20            93       1,087,000    2,591,000            0.81 s, with 2.8 million positions in place of 2.6
#
# In the positions with 20 free cells it knew the winner in 99. A whole reply took at most 0.92 s with 20 and 0.31 s with 18.

import argparse
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import table

MANIFEST = table.ROOT / "tests/strength/othello/Cargo.toml"
BUILT = table.ROOT / "target/strength/othello"


def build():
    """Builds the opponent and returns its program."""
    command = ["cargo", "build", "-q", "--release", "--locked", "--manifest-path", MANIFEST, "--target-dir", BUILT]
    # For this very machine: it takes long enough.
    subprocess.run(command, check=True, env={**os.environ, "RUSTFLAGS": "-C target-cpu=native"})
    return BUILT / "release/othello-opponent"


class Opponent:
    """The crate, asked line by line."""

    def __init__(self, depth):
        self.engine = subprocess.Popen(
            [BUILT / "release/othello-opponent", str(depth)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def choose(self, moves):
        self.engine.stdin.write(" ".join(moves) + "\n")
        self.engine.stdin.flush()
        return self.engine.stdout.readline().strip()


def play(options, opening, ours, seed):
    """The points of our side, which has black where `ours` is 0."""
    program, opponent = table.Program(options.program, "othello"), Opponent(options.depth)
    # To pass is a move of its own for the crate; here it happens by itself.
    moves, theirs = list(opening), list(opening)
    answer = program.ask(moves=moves)
    side = answer["currentPlayer"]
    while answer["status"] == "playing":
        if answer["currentPlayer"] != side:
            theirs.append("pass")
            side = answer["currentPlayer"]
        if side == ("black", "white")[ours]:
            choose = {"level": options.level, "seed": seed}
            moves.append(program.ask(moves=moves, choose=choose)["chosen"]["notation"])
        else:
            moves.append(opponent.choose(theirs))
        theirs.append(moves[-1])
        answer = program.ask(moves=moves)
        side = "white" if side == "black" else "black"
    program.rules.kill()
    opponent.engine.kill()
    if answer["winner"] is None:
        return 0.5
    return int(answer["winner"] == ("black", "white")[ours])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--check", type=int, default=0)
    parser.add_argument("--program", default=str(table.ROOT / "target/release/play-by-commit"))
    options = parser.parse_args()
    built = build()
    if options.check:
        subprocess.run([built, "check", "5", str(options.check)], check=True)
    program, score = table.Program(options.program, "othello"), table.Score()

    def pair(number):
        opening = program.opening(table.chance(options.seed, number), 4)
        return opening, options.seed * 1_000_000 + number

    def both(opening, seed):
        return [play(options, opening, ours, seed) for ours in (0, 1)]

    pairs = [pair(number) for number in range(options.games // 2)]
    with ThreadPoolExecutor(options.jobs) as pool:
        for points in pool.map(lambda given: both(*given), pairs):
            score.add(*points)
            print(f"level {options.level} against depth {options.depth}: {score.row()}", flush=True)


if __name__ == "__main__":
    main()
