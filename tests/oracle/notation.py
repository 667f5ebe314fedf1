"""Compares how plays of backgammon are written with what GNU Backgammon prints, in positions of random games.

    apt-get install gnubg
    cargo build --release --locked
    python3 tests/oracle/notation.py [POSITIONS] [SEED] [PROGRAM]

500 positions by default, with target/release/play-by-commit. For each position and throw the texts of all plays have to be
the same on both sides. It ends with exit code 1 after the first difference. No test and no other check needs this.
"""

import json
import random
import re
import shutil
import subprocess
import sys

POSITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 500
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"

SETUP = """set automatic roll off
set automatic game off
set automatic bearoff off
set automatic move off
set player 0 human
set player 1 human
set threads 1
set evaluation chequer evaluation plies 0
new game
"""
START = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]


def turned(after):
    """A resulting board from the side of the other player, who is white then."""
    swap = lambda both: {"white": both["black"], "black": both["white"]}
    return {"board": [-c for c in reversed(after["board"])], "bar": swap(after["bar"]), "borneOff": swap(after["borneOff"])}


def positions(rules):
    """White is always on turn. Of the plays a random one is made."""
    none = {"white": 0, "black": 0}
    while True:
        position = {"board": START, "bar": none, "borneOff": none}
        for _ in range(200):
            position = {**position, "activePlayer": "white", "dice": [random.randint(1, 6), random.randint(1, 6)]}
            rules.stdin.write(json.dumps({"game": "backgammon", "position": position, "results": True}) + "\n")
            rules.stdin.flush()
            answer = json.loads(rules.stdout.readline())
            if answer["status"] != "playing":
                break
            if answer["legalMoves"]:
                yield position, set(answer["legalMoves"])
            results = answer["results"] or [{name: position[name] for name in ("board", "bar", "borneOff")}]
            position = turned(random.choice(results))


def main():
    random.seed(SEED)
    rules = subprocess.Popen([PROGRAM, "rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    source = positions(rules)
    asked = [next(source) for _ in range(POSITIONS)]
    script = SETUP
    for position, _ in asked:
        board = [position["bar"]["white"], *position["board"], -position["bar"]["black"]]
        script += "set turn 1\nset board simple " + " ".join(map(str, board)) + "\n"
        script += "set dice {} {}\nhint 5000\n".format(*position["dice"])
    ran = subprocess.run([GNUBG, "-t", "-q"], input=script, capture_output=True, text=True, check=False)
    found = []
    for line in ran.stdout.splitlines():
        move = re.match(r"\s+(\d+)\. Cube\S+\s+0-ply\s+(\S.*?)\s+(Eq\.|MWC)", line)
        if move and move[1] == "1":
            found.append(set())
        if move:
            found[-1].add(move[2])
    if len(found) != len(asked):
        sys.exit(f"gnubg answered {len(found)} of {len(asked)} questions")
    texts = 0
    for (position, ours), theirs in zip(asked, found, strict=True):
        if ours != theirs:
            print("DIFFERENT:", json.dumps(position), f"only ours: {ours - theirs}", f"only gnubg: {theirs - ours}", sep="\n")
            sys.exit(1)
        texts += len(ours)
    print(f"{len(asked)} positions, {texts} plays, all written alike (seed {SEED})")


main()
