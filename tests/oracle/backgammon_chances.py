"""Compares our winning chances in backgammon with those of GNU Backgammon's nets at 0-ply.

    apt-get install gnubg
    cargo build --locked -p play-by-commit -p play-by-commit-testkit --bins --example analyses
    python3 tests/oracle/backgammon_chances.py [--seed 1] [--positions 200] [--write tests/games/backgammon/chances.jsonl]

The positions come before a roll, in matches to five points and in money games between levels 4 to 6: the start of a game at every
score, and as many positions from matches, spread evenly over the scores, the Crawford game and the games after it. In a
match the chance is that of winning the match, with the cube; in a money game that of winning the game. On average the difference
may be at most 3 points, and in each position at most 8. The script prints the differences, and ends with exit code 1 if one is
larger. `--write` keeps every fifth position for a test that needs no other program.
"""

# GNU Backgammon 1.07.001, seeds 1 and 2.

import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "strength"))
import table  # noqa: E402

LENGTH = 5
MONEY = {"without cube": {}, "with cube": {"cube": True}, "Jacoby rule": {"cube": True, "jacoby": True}}

# What GNU Backgammon's own Python does: the chance for each position.
ANSWERS = """
import gnubg, json, os
look = {"cubeful": 1, "plies": 0, "deterministic": 1, "prune": 1, "noise": 0.0}
answers = open(os.environ["ANSWERS"], "w")
for line in open(os.environ["QUESTIONS"]):
    boards, cube = json.loads(line)
    boards = tuple(map(tuple, boards))
    info = gnubg.cubeinfo(*cube[:4], tuple(cube[4]), cube[5])
    if info["matchto"]:
        chance = gnubg.eq2mwc(gnubg.cfevaluate(boards, info, look)[0], info)
    else:
        chance = gnubg.evaluate(boards, info, look)[0]
    print(chance, file=answers, flush=True)
answers.close()
"""


def ask_gnubg(cases):
    """Its chances for the side on roll."""
    with tempfile.TemporaryDirectory() as home:
        paths = {name: os.path.join(home, name) for name in ("script.py", "questions", "answers")}
        Path(paths["script.py"]).write_text(ANSWERS)
        with open(paths["questions"], "w") as file:
            for case in cases:
                print(json.dumps(question(case)), file=file)
        command = [shutil.which("gnubg") or "/usr/games/gnubg", "-t", "-q", "-r", "-p", paths["script.py"]]
        env = {**os.environ, "HOME": home, "QUESTIONS": paths["questions"], "ANSWERS": paths["answers"]}
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(command, env=env, check=True, **quiet)
        return [float(line) for line in Path(paths["answers"]).read_text().split()]


def question(case):
    position = case["position"]
    mover = position["activePlayer"]
    other = {"white": "black", "black": "white"}[mover]
    # The side on roll is its player 0, and comes second among the boards.
    boards = [checkers(position, other), checkers(position, mover)]
    match = position.get("match")
    if not match:
        return [boards, [1, -1, 0, 0, [0, 0], 0]]
    cube = position["cube"]
    owner = {None: -1, mover: 0, other: 1}[cube["owner"]]
    score = [match["score"][side] for side in (mover, other)]
    return [boards, [cube["value"], owner, 0, LENGTH, score, int(match.get("crawford", False))]]


def checkers(position, side):
    """The checkers of a side on its own points from the first on, then its bar."""
    board = position["board"] if side == "white" else [-count for count in reversed(position["board"])]
    return [max(count, 0) for count in board] + [position["bar"][side]]


def positions(program, config, seed, games):
    """The positions before a roll, in games between our own levels."""
    rules = table.Program(program, "backgammon", config)
    for number in range(games):
        chance, moves = random.Random(f"{seed} {number} {config}"), []
        answer = rules.ask(moves=moves)
        while answer["status"] == "playing":
            position, legal = answer["position"], answer["legalMoves"]
            decides = "roll" in legal
            waits = not legal and not position.get("opening") and not (position.get("cube") or {}).get("rolling")
            if decides or waits:
                yield position
            if not legal:
                moves.append({"dice": [chance.randint(1, 6), chance.randint(1, 6)]})
            else:
                chosen = rules.ask(moves=moves, choose={"level": chance.choice([4, 5, 6]), "seed": seed})["chosen"]
                moves.append(chosen["notation"])
            answer = rules.ask(moves=moves)


def kind(position):
    """The score for the side on roll, and whether it's the Crawford game."""
    match, mover = position["match"], position["activePlayer"]
    other = {"white": "black", "black": "white"}[mover]
    crawford = " Crawford" if match.get("crawford") else ""
    return f"{match['score'][mover]}-{match['score'][other]}{crawford}"


def starts():
    """The start of a game at every score, with either side on roll by turns."""
    board = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]
    none = {"white": 0, "black": 0}
    for white in range(LENGTH):
        for black in range(LENGTH):
            one_away = LENGTH - 1 in (white, black) and white != black
            for crawford in (False, True) if one_away else (False,):
                score = {"game": 1 + white + black, "score": {"white": white, "black": black}, "crawford": crawford}
                mover = ["white", "black"][(white + black) % 2]
                cube = {"value": 1, "owner": None}
                yield {"board": board, "bar": none, "borneOff": none, "activePlayer": mover, "cube": cube, "match": score}


def spread(positions, count, chance):
    """So many positions, evenly from each kind."""
    kinds = collections.defaultdict(list)
    for position in positions:
        kinds[kind(position)].append(position)
    for known in kinds.values():
        chance.shuffle(known)
    found = []
    while len(found) < count and any(kinds.values()):
        found += [known.pop() for _, known in sorted(kinds.items()) if known]
    return found[:count]


def our_chances(analyses, config, cases, nodes):
    words = {"match": "length", "cube": "cube", "jacoby": "jacoby"}
    pairs = [f"{words[key]}={'on' if value is True else value}" for key, value in config.items()]
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("".join(json.dumps(case["position"]) + "\n" for case in cases))
        file.flush()
        command = [analyses, "backgammon", *pairs, "--positions", file.name, "--nodes", str(nodes)]
        return [int(line) / 1000 for line in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=3_000)
    parser.add_argument("--write")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--program", default=str(table.ROOT / "target/debug/play-by-commit"))
    parser.add_argument("--analyses", default=str(table.ROOT / "target/debug/examples/analyses"))
    options = parser.parse_args()
    chance = random.Random(options.seed)
    config = {"match": LENGTH, "cube": True}
    from_matches = spread(positions(options.program, config, options.seed, options.games), options.positions, chance)
    groups = {"starts": (config, list(starts())), "matches": (config, from_matches)}
    for name, config in MONEY.items():
        found = list(positions(options.program, config, options.seed, options.games // 8))
        groups[f"money, {name}"] = (config, chance.sample(found, min(len(found), options.positions // 4)))
    kept, is_good = [], True
    for name, (config, found) in groups.items():
        cases = [{"config": config, "position": position} for position in found]
        differences = []
        ours = our_chances(options.analyses, config, cases, options.nodes)
        for case, theirs, own in zip(cases, ask_gnubg(cases), ours, strict=True):
            case["chance"] = round(theirs, 4)
            differences.append(100 * abs(own - theirs))
            if options.verbose or differences[-1] > 8:
                print(f"{own:.3f}, GNU Backgammon {theirs:.3f}: {json.dumps(case)}")
        mean = sum(differences) / len(differences)
        is_good &= mean <= 3 and max(differences) <= 8
        print(f"{name}: {len(cases)} positions, off by {mean:.2f} points on average and {max(differences):.2f} at most", flush=True)
        kept += cases if name == "starts" else cases[::5]
    if options.write:
        Path(options.write).write_text("".join(json.dumps(case) + "\n" for case in kept))
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
