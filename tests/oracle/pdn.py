"""Plays random games of checkers in the program, exports them as PDN, and reads them with pydraughts.

    pip install pydraughts
    cargo build --release --locked
    python3 tests/oracle/pdn.py [GAMES] [SEED] [PROGRAM]

20 games by default, with target/release/play-by-commit; a game takes some seconds. It says what it has compared, and ends with
exit code 1 at the first difference. No test and no other check needs this.

pydraughts chooses the moves, says who has won, and reads the export; a third of the games end by resigning. It doesn't say who
has won by a result, so this does, as CheckerBoard does (`string_to_pdn_result`): in English draughts 1-0 is a win for Black, who
moves first. In CheckerBoard's file of Marion Tinsley's 724 games he wins 175 by that rule and loses 16.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import draughts
from draughts.PDN import PDNReader

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 20
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = str(Path(sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit").resolve())
PEOPLE = {draughts.BLACK: "ann", draughts.WHITE: "ben"}
WINS = {draughts.BLACK: "1-0", draughts.WHITE: "0-1"}


def played(chance):
    """A random game: what people type, the position after each move, and the result."""
    board, lines, positions = draughts.Board(variant="english"), [], []
    most = chance.choice([0, 1, 20, 60, 400])
    while not board.is_over() and len(board.move_stack) < most:
        move = chance.choice(board.legal_moves())
        lines.append(f"{PEOPLE[board.turn]}: {move.pdn_move}")
        board.push(move)
        positions.append(board.fen)
    if board.is_over():
        result = WINS.get(board.winner(), "1/2-1/2")
    elif chance.random() < 0.5:
        lines.append(f"{PEOPLE[board.turn]}: /resign")
        result = WINS[draughts.WHITE if board.turn == draughts.BLACK else draughts.BLACK]
    else:
        result = "*"
    return lines, positions, result


def exported(home, lines):
    """The export of a game in a fresh directory, and the record."""
    env = dict(os.environ, HOME=str(home), PLAY_BY_COMMIT_HOME=str(home))
    for who in ["AUTHOR", "COMMITTER"]:
        env |= {f"GIT_{who}_NAME": "Host", f"GIT_{who}_EMAIL": "host@example.org"}
    play = [PROGRAM, "play", "checkers", "--players", "ann,ben"]
    # Without a line no table is opened.
    text = "\n".join(["ann: /moves", *lines]) + "\n"
    subprocess.run(play, input=text, text=True, capture_output=True, env=env, check=True)
    show = ["git", "-C", str(home / "tables"), "show", "HEAD:state/1.json"]
    (home / "1.json").write_text(subprocess.run(show, capture_output=True, text=True, check=True).stdout)
    return subprocess.run([PROGRAM, "export", str(home / "1.json")], capture_output=True, text=True, check=True).stdout


def main():
    chance, seen, plies = random.Random(SEED), Counter(), 0
    for _ in range(GAMES):
        lines, positions, result = played(chance)
        with tempfile.TemporaryDirectory() as home:
            text = exported(Path(home), lines)
        game = PDNReader(pdn_text=text).games[0]
        board, read = draughts.Board(variant="english"), []
        for move in game.moves:
            board.push(draughts.Move(board, pdn_move=move))
            read.append(board.fen)
        # Our draws come sooner than in pydraughts: at the third repetition, and after 40 moves by each side.
        ours = game.tags["Result"]
        same = ours in (result, "1/2-1/2") and game.game_ending == ours and game.tags["GameType"] == "21"
        if not same or read != positions[: len(read)] or ours != "1/2-1/2" and len(read) != len(positions):
            raise SystemExit(f"They differ: {result}\n{text}\n{game.moves}")
        seen[ours] += 1
        plies += len(read)
    print(f"{GAMES} games, {plies} plies: {', '.join(f'{n} {what}' for what, n in seen.most_common())}. No difference.")


main()
