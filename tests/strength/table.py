"""What the matches of this folder share: the program that plays, openings, and the counting of points."""

import json
import math
import os
import random
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def in_venv(*packages):
    """Runs the script again in an environment that has these packages, made beside the build if it is not there yet."""
    home = ROOT / "target" / "strength"
    python = home / "bin" / "python"
    if Path(sys.prefix).resolve() == home.resolve():
        return
    if not python.exists():
        venv.create(home, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
    os.execv(python, [str(python), *sys.argv])


class Program:
    """`play-by-commit rules`, asked line by line."""

    def __init__(self, path, game, config=None):
        self.rules = subprocess.Popen([path, "rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.base = {"game": game, "config": config or {}}

    def ask(self, **fields):
        self.rules.stdin.write(json.dumps({**self.base, **fields}) + "\n")
        self.rules.stdin.flush()
        answer = json.loads(self.rules.stdout.readline())
        if "error" in answer:
            raise SystemExit(f"{answer['error']}\nfor {fields}")
        return answer

    def opening(self, chance, plies):
        """A game of so many random moves that is not over."""
        while True:
            moves = []
            for _ in range(plies):
                legal = self.ask(moves=moves)["legalMoves"]
                if not legal:
                    break
                moves.append(chance.choice(legal))
            if self.ask(moves=moves)["legalMoves"]:
                return moves


class Score:
    """Points of the first side, by pairs of games from one opening with sides exchanged."""

    def __init__(self):
        self.won = self.drawn = self.lost = 0
        self.pairs = []

    def add(self, *points):
        for point in points:
            self.won += point == 1
            self.drawn += point == 0.5
            self.lost += point == 0
        self.pairs.append(sum(points) / len(points))

    def games(self):
        return self.won + self.drawn + self.lost

    def percent(self):
        return 100 * sum(self.pairs) / len(self.pairs)

    def margin(self):
        """Half of the 95 % interval. Games of a pair depend on each other, pairs do not."""
        count, mean = len(self.pairs), sum(self.pairs) / len(self.pairs)
        # Two pairs more, one won and one lost: a series without a loss is no proof that there are none.
        spread = (sum((pair - mean) ** 2 for pair in self.pairs) + 0.5) / (count + 1)
        return 196 * math.sqrt(spread / count)

    def row(self):
        return f"{self.games()} | +{self.won} ={self.drawn} -{self.lost} | {self.percent():.1f} % ± {self.margin():.1f}"


def chance(seed, pair):
    return random.Random(f"{seed} {pair}")
