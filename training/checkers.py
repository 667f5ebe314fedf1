#!/usr/bin/env python3
"""Fits what men and kings of checkers are worth to how games of the computer with itself have ended.

    cargo build --release --locked
    python3 training/checkers.py FOLDER [--level 5] [--games 3000] [--seed 1]

FOLDER keeps the games, one per line, as positions and a result. An interrupted run continues from there, and games of other levels
count too. Games begin with six random moves, and only positions without a capture count. The numbers are printed with a man as 100.

They are only a guide: material counts for less where a level makes mistakes. So the numbers in worth.rs, in
crates/games/src/checkers/computer/, were set by hand below them and judged by games. Their guide was 3,700 games, 3,000 at level 5 and
700 at level 6. The last fit, 2,000 games of level 5 in ten minutes of a busy core, gave: a king 158, the home row 31, the bridge
33, the edge 24, a backed man 30, a step 25, refuge 46.

Needs numpy, which is installed into an environment of its own below target/.
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/strength"))
import table  # noqa: E402

table.in_venv("numpy>=2,<3")

import numpy as np  # noqa: E402

RANDOM = 6
# How far the fit is held back, and its steps.
HELD, STEPS = 2.0, 12


def play(program, level, seed):
    """One game: its quiet positions as FEN, and 2, 1 or 0 for black's win, a draw, and white's win."""
    moves, positions = program.opening(table.chance(seed, "checkers"), RANDOM), []
    answer = program.ask(moves=moves)
    while answer["status"] == "playing":
        if not any("x" in move for move in answer["legalMoves"]):
            positions.append(answer["position"]["fen"])
        moves.append(program.ask(moves=moves, choose={"level": level, "seed": seed})["chosen"]["notation"])
        answer = program.ask(moves=moves)
    return {"positions": positions, "result": {"black": 2, None: 1, "white": 0}[answer["winner"]]}


def gather(options):
    """Plays what is missing and returns all games of the folder."""
    options.folder.mkdir(parents=True, exist_ok=True)
    file = options.folder / f"level-{options.level}.jsonl"
    done = len(file.read_text().splitlines()) if file.exists() else 0
    program = table.Program(options.program, "checkers")
    with file.open("a") as out:
        for seed in range(done, options.games):
            out.write(json.dumps(play(program, options.level, options.seed * 1_000_000 + seed)) + "\n")
            out.flush()
    lines = (line for file in sorted(options.folder.glob("level-*.jsonl")) for line in file.read_text().splitlines())
    return [json.loads(line) for line in lines]


def board(fen):
    """Men and kings of both sides, black first and seen from the side of each: squares 1 to 32 from its own home row on."""
    sides = {}
    for part in fen.split(":")[1:]:
        men, kings = np.zeros(33), np.zeros(33)
        for word in filter(None, part[1:].split(",")):
            (kings if word[0] == "K" else men)[int(word.lstrip("K"))] = 1
        sides[part[0]] = (men, kings)
    turned = [np.concatenate(([0], side[1:][::-1])) for side in sides["W"]]
    return sides["B"], turned


def steps(square):
    """The squares one row on from a square."""
    row, place = divmod(square - 1, 4)
    if row == 7:
        return []
    other = place + (1 if row % 2 == 0 else -1)
    return [row * 4 + 5 + at for at in (place, other) if 0 <= at < 4]


def features(own, other):
    """What one side has, as the program counts it."""
    (men, kings), theirs = own, [np.concatenate(([0], side[1:][::-1])) for side in other]
    free = 1 - (men + kings + theirs[0] + theirs[1])
    row = [men[4 * at + 1 : 4 * at + 5].sum() for at in range(8)]
    standing = [square for square in range(1, 33) if men[square]]
    everyone = men + kings
    behind = {to for square in range(1, 33) if everyone[square] for to in steps(square)}
    return {
        "man": men.sum(),
        "king": kings.sum(),
        "home row": row[0],
        "fifth row": row[4],
        "sixth row": row[5],
        "seventh row": row[6],
        "bridge": men[1] * men[3],
        "edge": sum(men[square] for square in (5, 12, 13, 20, 21, 28)),
        "backed": sum(square in behind for square in standing),
        "step": sum(free[to] for square in standing for to in steps(square)),
        "refuge": float(any(kings[square] for square in (1, 5, 28, 32))),
    }


def row_of(fen):
    """The features of a position as differences, black's first."""
    black, white = board(fen)
    ours, theirs = features(black, white), features(white, black)
    return {name: ours[name] - theirs[name] for name in ours}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--level", type=int, default=5)
    parser.add_argument("--games", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=str(ROOT / "target/release/play-by-commit"))
    options = parser.parse_args()
    games = gather(options)
    rows = [(row_of(fen), game["result"] / 2) for game in games for fen in game["positions"]]
    names = list(rows[0][0])
    counted, results = np.array([list(row.values()) for row, _ in rows]), np.array([result for _, result in rows])
    worth = np.zeros(len(names))
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-counted @ worth))
        slope = counted.T @ (results - expected) - HELD * worth
        bend = (counted * (expected * (1 - expected))[:, None]).T @ counted + HELD * np.eye(len(names))
        worth += np.linalg.solve(bend, slope)
    print(f"{len(games)} games, {len(rows)} positions")
    for name, value in zip(names, 100 * worth / worth[0]):
        print(f"{name:12} {value:6.0f}")


if __name__ == "__main__":
    main()
