"""Plays matches of backgammon, with the cube, against GNU Backgammon.

    apt-get install gnubg
    cargo build --release --locked
    python3 tests/strength/backgammon_match.py [--level 8] [--length 5] [--matches 100] [--seed 1] [--from 0]

GNU Backgammon plays, doubles, takes and drops by its 0-ply, cube and score included, with its own table of matches. The
dice of each game of a match are the same in both matches of a pair, in which the sides are exchanged. --from leaves out so
many matches, where a series was broken off. See docs/STRENGTH.md for results.
"""

# The series in docs/STRENGTH.md: --matches 100, with seed 1 and GNU Backgammon 1.07.001

import argparse
import json
import os
import shutil
import subprocess
import tempfile

import table

# What GNU Backgammon's own Python does: an answer for each question. Its plays want a match that has begun, for the dice.
ANSWERS = """
import gnubg, json, os
look = {"cubeful": 1, "plies": 0, "deterministic": 1, "prune": 1, "noise": 0.0}
for player in 0, 1:
    gnubg.command(f"set player {player} human")
gnubg.command("new match 5")
questions, answers = os.fdopen(int(os.environ["QUESTIONS"])), os.fdopen(int(os.environ["ANSWERS"]), "w")
for line in questions:
    boards, cube, dice = json.loads(line)
    info = gnubg.cubeinfo(*cube[:4], tuple(cube[4]), cube[5])
    boards = tuple(map(tuple, boards))
    if dice:
        gnubg.command(f"set dice {dice[0]} {dice[1]}")
        answer = gnubg.findbestmove(boards, info, look)
    else:
        answer = gnubg.cfevaluate(boards, info, look)[1:4]
    print(json.dumps(answer), file=answers, flush=True)
"""


class Gnubg:
    """GNU Backgammon, asked for one decision after the other."""

    def __init__(self, length):
        self.length = length
        self.home = tempfile.TemporaryDirectory()
        script = os.path.join(self.home.name, "answers.py")
        with open(script, "w") as file:
            file.write(ANSWERS)
        (there, questions), (answers, back) = os.pipe(), os.pipe()
        self.process = subprocess.Popen(
            [shutil.which("gnubg") or "/usr/games/gnubg", "-t", "-q", "-r", "-p", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(there, back),
            env={**os.environ, "HOME": self.home.name, "QUESTIONS": str(there), "ANSWERS": str(back)},
        )
        os.close(there)
        os.close(back)
        self.questions, self.answers = os.fdopen(questions, "w"), os.fdopen(answers)

    def ask(self, position, mover, dice):
        """Its answer for a side on roll: steps from point to point, or what it is worth not to double, to be taken, to be
        dropped."""
        other = {"white": "black", "black": "white"}[mover]
        cube, match = position["cube"], position["match"]
        owner = {None: -1, mover: 0, other: 1}[cube["owner"]]
        score = [match["score"][side] for side in (mover, other)]
        crawford = int(match.get("crawford", False))
        # The side on roll is its player 0, and comes second among the boards.
        boards = [checkers(position, other), checkers(position, mover)]
        question = [boards, [cube["value"], owner, 0, self.length, score, crawford], dice]
        print(json.dumps(question), file=self.questions, flush=True)
        return json.loads(self.answers.readline())

    def choose(self, answer):
        """Its move where it is on turn."""
        position, mover, legal = answer["position"], answer["currentPlayer"], answer["legalMoves"]
        if "take" in legal:
            doubler = "black" if mover == "white" else "white"
            _, take, drop = self.ask(position, doubler, None)
            return "take" if take <= drop else "drop"
        if "double" in legal:
            wait, take, drop = self.ask(position, mover, None)
            return "double" if min(take, drop) > wait else "roll"
        steps = self.ask(position, mover, position["dice"])
        names = {25: "bar", 0: "off"}
        pairs = [pair for pair in zip(steps[::2], steps[1::2]) if pair[0]]
        return " ".join("/".join(str(names.get(point, point)) for point in pair) for pair in pairs)


def checkers(position, side):
    """The checkers of a side on its own points from the first on, then its bar."""
    board = position["board"] if side == "white" else [-count for count in reversed(position["board"])]
    return [max(count, 0) for count in board] + [position["bar"][side]]


def play(program, gnubg, level, ours, seed):
    """1 if our side wins the match."""
    moves, streams = [], {}
    answer = program.ask(moves=moves)
    while answer["status"] == "playing":
        legal, game = answer["legalMoves"], answer["position"]["match"]["game"]
        if not legal:
            dice = streams.setdefault(game, table.chance(seed, game))
            moves.append({"dice": [dice.randint(1, 6), dice.randint(1, 6)]})
        elif answer["currentPlayer"] == ours:
            chosen = program.ask(moves=moves, choose={"level": level, "seed": seed})["chosen"]
            moves.append(chosen["notation"])
        else:
            moves.append(gnubg.choose(answer))
        answer = program.ask(moves=moves)
    return int(answer["winner"] == ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--length", type=int, default=5)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--program", default=str(table.ROOT / "target/release/play-by-commit"))
    options = parser.parse_args()
    program = table.Program(options.program, "backgammon", {"match": options.length, "cube": True})
    gnubg, score = Gnubg(options.length), table.Score()
    for pair in range(options.first // 2, options.matches // 2):
        seed = options.seed * 100_000 + pair
        score.add(*(play(program, gnubg, options.level, ours, seed) for ours in ("white", "black")))
        print(f"level {options.level}, matches to {options.length}: {score.row()}", flush=True)


if __name__ == "__main__":
    main()
