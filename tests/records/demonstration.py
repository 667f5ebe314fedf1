"""Plays the demonstration anew: `state/0.json` and its finished rounds in `state/archive/`, a game of each kind.

    cargo build --release --locked
    python3 tests/records/demonstration.py

Round 1 is a game of two people and stays. Behind it alice plays each other game against level 6, in a terminal as anybody
would; level 4 tells her what to play. To be run when the computer plays another way than before: `verify --replies` proves the
replies of the present one only.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "strength"))
import table  # noqa: E402

# As behind `/new`; the last one is the game that the table shows.
ROUNDS = [
    "connect-four computer level=6 as=red",
    "hex size=7 computer level=6 as=red",
    "othello computer level=6 as=black",
    "checkers computer level=6 as=black",
    "ultimate-tic-tac-toe computer level=6 as=X",
    "backgammon computer level=6 as=white",
    "chess computer level=6 as=white",
]


def finished(program, repository, setup):
    """Plays a game at table 0 to its end."""
    record = repository / "state" / "0.json"
    command = [program, "play", "--table", "0", "--repo", str(repository)]
    line, rules, events = f"alice: /new {setup}", None, 0
    while True:
        played = subprocess.run(command, input=line + "\n", text=True, capture_output=True, check=True)
        game = json.loads(record.read_text())
        if game["status"] != "playing":
            return
        if len(game["history"]) != events + 1:
            raise SystemExit(f"{line!r} was not one event: {played.stdout}")
        rules, events = rules or table.Program(program, game["game"], game["config"]), events + 1
        answer = rules.ask(position=game["position"], choose={"level": 4, "seed": events})
        line = f"alice: /move {answer['chosen']['notation']}"


def main():
    program = str(ROOT / "target" / "release" / "play-by-commit")
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        (repository / "state").mkdir()
        shutil.copy(ROOT / "state" / "archive" / "0-1.json", repository / "state" / "0.json")
        for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "Round 1"]):
            git = ["git", "-C", folder, "-c", "user.name=alice", "-c", "user.email=alice@example.com"]
            subprocess.run([*git, *words], check=True)
        for setup in ROUNDS:
            finished(program, repository, setup)
            print(setup)
        for path in [Path("state/0.json"), *(Path(f"state/archive/0-{n}.json") for n in range(2, len(ROUNDS) + 1))]:
            shutil.copy(repository / path, ROOT / path)


if __name__ == "__main__":
    main()
