"""Plays random matches of backgammon in the program, and has GNU Backgammon load them with mat.sh.

    apt-get install gnubg
    cargo build --release --locked
    python3 tests/oracle/mat.py [MATCHES] [SEED] [PROGRAM]

20 matches by default, with target/release/play-by-commit; a match takes some seconds. It ends with exit code 1 if mat.sh finds
anything wrong. No test and no other check needs this.

The moves are from the program's own lists. Doubling, dropping and resigning keep the games short, so that a match has several;
a third of the matches stop in the middle.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MATCHES = int(sys.argv[1]) if len(sys.argv) > 1 else 20
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = str(Path(sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit").resolve())
RULES = [["match=1"], ["match=3"], ["match=7"], [], ["cube=on"], ["cube=on", "jacoby=on"]]


def environment(home):
    env = dict(os.environ, HOME=str(home), PLAY_BY_COMMIT_HOME=str(home))
    for who in ["AUTHOR", "COMMITTER"]:
        env |= {f"GIT_{who}_NAME": "Host", f"GIT_{who}_EMAIL": "host@example.org"}
    return env


def play(home, rules, chance):
    """Plays a match, and returns how many plies it has."""
    command = [PROGRAM, "play", "backgammon", *rules, "--players", "ann,ben"]
    env = environment(home) | {"PLAY_BY_COMMIT_DICE_SECRET": str(chance.random())}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True, "env": env}
    session = subprocess.Popen(command, **pipes)
    plies, most = 0, chance.choice([5, 40, 400])
    while plies < most:
        session.stdin.write("/moves\n")
        session.stdin.flush()
        line = next(line for line in session.stdout if "legal move" in line or " won." in line)
        if "legal move" not in line:
            break
        moves = re.findall("`([^`]*)`", line)
        move = chance.choice(moves)
        if moves[0] in ["roll", "take"]:
            move = moves[chance.random() < 0.2]
        elif chance.random() < 0.02:
            move = f"/resign {chance.choice(['gammon', 'backgammon'])}"
        session.stdin.write(move + "\n")
        plies += 1
    session.communicate("")
    return plies


def main():
    chance, records = random.Random(SEED), []
    with tempfile.TemporaryDirectory() as parent:
        for number in range(MATCHES):
            home = Path(parent) / str(number)
            home.mkdir()
            plies = play(home, chance.choice(RULES), chance)
            show = ["git", "-C", str(home / "tables"), "show", "HEAD:state/1.json"]
            record = home / "1.json"
            record.write_text(subprocess.run(show, capture_output=True, text=True, check=True).stdout)
            records.append(str(record))
            print(f"match {number + 1}: {plies} plies", file=sys.stderr, flush=True)
        script = Path(__file__).with_name("mat.sh")
        sys.exit(subprocess.run(["sh", str(script), PROGRAM, *records]).returncode)


main()
