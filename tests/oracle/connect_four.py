"""Plays random games of connect four by OpenSpiel's rules and by ours, and compares them at every ply.

    pip install open_spiel
    cargo build --release --locked
    python3 tests/oracle/connect_four.py [GAMES] [SEED] [PROGRAM]

2,000 games by default, some 40,000 positions, with target/release/play-by-commit. It says what it has compared, and ends with
exit code 1 at the first difference. No test and no other check needs this.

Half of the games are asked about by their moves, half by their positions. Compared are the legal moves, the status, the winner
and the whole position, which is counted here once more from the moves. Most games are on 7x6 with four in a row, the others on
boards of any size that OpenSpiel knows, too.
"""

import json
import random
import subprocess
import sys

import pyspiel

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
BATCH = 100
SIDES = ["red", "yellow"]


def playout(chance, by_position):
    """A random game: the requests for each of its positions, and what has to be answered."""
    columns, rows, k = 7, 6, 4
    if chance.random() < 0.4:
        columns, rows = chance.randint(4, 10), chance.randint(4, 10)
        k = chance.randint(3, min(6, max(columns, rows)))
    rules = pyspiel.load_game("connect_four", {"columns": columns, "rows": rows, "x_in_row": k})
    state, moves, board = rules.new_initial_state(), [], [["."] * columns for _ in range(rows)]
    while True:
        over = state.is_terminal()
        first = state.returns()[0] if over else 0
        wanted = {
            "legalMoves": [] if over else ["abcdefghij"[column] for column in state.legal_actions()],
            "status": "playing" if not over else "won" if first else "draw",
            "winner": None if not first else SIDES[first < 0],
            "position": {"board": ["".join(row) for row in board], "currentPlayer": SIDES[len(moves) % 2]},
        }
        request = {"game": "connect-four", "config": {"columns": columns, "rows": rows, "kInRow": k}}
        request |= {"position": wanted["position"]} if by_position else {"moves": list(moves)}
        yield request, wanted
        if over:
            return
        column = chance.choice(state.legal_actions())
        state.apply_action(column)
        row = max(row for row in range(rows) if board[row][column] == ".")
        board[row][column] = "RY"[len(moves) % 2]
        moves.append(chance.choice(["abcdefghij"[column], "ABCDEFGHIJ"[column], str(column + 1)]))


def compare(asked):
    lines = "".join(json.dumps(request) + "\n" for request, _ in asked)
    answers = subprocess.run([PROGRAM, "rules"], input=lines, capture_output=True, text=True, check=True).stdout
    for (request, wanted), line in zip(asked, answers.splitlines(), strict=True):
        answer = json.loads(line)
        if any(answer.get(field) != value for field, value in wanted.items()):
            sys.exit(f"They differ.\nrequest:  {json.dumps(request)}\nanswer:   {line}\nexpected: {json.dumps(wanted)}")


def main():
    chance = random.Random(SEED)
    seen, ends, asked = 0, {"red": 0, "yellow": 0, None: 0}, []
    for nth in range(GAMES):
        game = list(playout(chance, nth % 2 == 1))
        seen += len(game)
        ends[game[-1][1]["winner"]] += 1
        asked += game
        if (nth + 1) % BATCH == 0 or nth + 1 == GAMES:
            compare(asked)
            asked = []
    print(f"{GAMES} games, {seen} positions: red won {ends['red']}, yellow {ends['yellow']}, {ends[None]} draws. No difference.")


main()
