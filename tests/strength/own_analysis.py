"""Compares the analysis of games with longer searches of our own.

    cargo build --release --locked --package play-by-commit-testkit --example analyses
    python3 tests/strength/own_analysis.py [GAME ...]

The games are between random levels from 3 to 6, with seed 1. Solvers judge tic-tac-toe, connect four and the endings of
Othello. Level 8 with twenty times its nodes judges hex, checkers and ultimate tic-tac-toe: the positions with a listed move,
or near the limit of a blunder. The others get fewer nodes. In docs/STRENGTH.md, the rows "on the site" have `--nodes 1000000`;
these and ultimate tic-tac-toe "before" have `--judge 8000000 --quick 250000`. All games take about an hour and a half on one
core.

A listed move is wrong if the judge would have played it, or rates it at most 2.8 points lower. See `analysis.py` for the rest.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "target" / "release" / "examples" / "analyses"
# The number of games, and the nodes of the judge's searches.
GAMES = {
    "tic-tac-toe": (40, 2_000_000, 80_000),
    "connect-four": (8, 10_000_000, 400_000),
    "othello": (6, 10_000_000, 400_000),
    "hex": (6, 4_500_000, 200_000),
    "checkers": (12, 48_000_000, 1_000_000),
    "ultimate-tic-tac-toe": (12, 40_000_000, 1_000_000),
}


def main():
    for game in sys.argv[1:] or GAMES:
        games, nodes, quick = GAMES[game]
        with tempfile.NamedTemporaryFile() as played:
            play = [PROGRAM, game, "--games", str(games), "--seed", "1", "--levels", "3456"]
            subprocess.run(play, stdout=played, check=True)
            judge = [PROGRAM, game, "--read", played.name, "--judge", str(nodes), "--quick", str(quick)]
            print(game, flush=True)
            subprocess.run(judge, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
