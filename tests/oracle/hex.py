"""Plays random games of hex by OpenSpiel's rules and by ours, and compares them at every ply.

    pip install open_spiel
    cargo build --release --locked
    python3 tests/oracle/hex.py [GAMES] [SEED] [PROGRAM]

300 games by default, some 25,000 positions on boards of 3 to 13, with target/release/play-by-commit. It says what it has
compared, and ends with exit code 1 at the first difference. No test and no other check needs this.

Half of the games are asked about by their moves, half by their positions, and half are played with the swap, which is
OpenSpiel's last action and lays the stone on the mirrored cell, as ours does. Compared are the legal moves, the status, the
winner and the whole position.
"""

import json
import random
import subprocess
import sys

import pyspiel

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 300
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
BATCH = 50
SIDES = ["red", "blue"]


def name(action, size):
    return "swap" if action == size * size else "abcdefghijklm"[action % size] + str(action // size + 1)


def board(state):
    signs = {".": ".", "x": "R", "o": "B"}
    return ["".join(signs[sign] for sign in row.split()) for row in str(state).splitlines() if row.strip()]


def playout(chance, size, swap, by_position):
    """A random game: the requests for each of its positions, and what has to be answered."""
    rules = pyspiel.load_game(f"hex(board_size={size},swap={swap})")
    state, moves, game = rules.new_initial_state(), [], []
    config = {"boardSize": size, "swap": swap}
    while True:
        over = state.is_terminal()
        winner = SIDES[state.returns()[0] < 0] if over else None
        side = len(moves) % 2
        wanted = {
            "legalMoves": [] if over else sorted(name(action, size) for action in state.legal_actions()),
            "status": "won" if over else "playing",
            "winner": winner,
            "position": {"board": board(state), "currentPlayer": SIDES[side]},
        }
        told = {"position": wanted["position"]} if by_position else {"moves": list(moves)}
        game.append(({"game": "hex", "config": config} | told, wanted))
        if over:
            return game
        action = chance.choice(state.legal_actions())
        if action != size * size and swap and len(moves) == 1 and chance.random() < 0.5:
            action = size * size
        state.apply_action(action)
        written = name(action, size)
        moves.append(chance.choice([written, written.upper()] + [str(action)] * (action < size * size)))


def compare(asked):
    lines = "".join(json.dumps(request) + "\n" for request, _ in asked)
    answers = subprocess.run([PROGRAM, "rules"], input=lines, capture_output=True, text=True, check=True).stdout
    for (request, wanted), line in zip(asked, answers.splitlines(), strict=True):
        answer = json.loads(line)
        answer["legalMoves"] = sorted(answer.get("legalMoves", []))
        if any(answer.get(field) != value for field, value in wanted.items()):
            sys.exit(f"They differ.\nrequest:  {json.dumps(request)}\nanswer:   {line}\nexpected: {json.dumps(wanted)}")


def main():
    chance = random.Random(SEED)
    seen, swaps, ends, asked = 0, 0, {"red": 0, "blue": 0}, []
    for nth in range(GAMES):
        game = playout(chance, chance.randint(3, 13), nth % 2 == 0, nth % 4 > 1)
        seen += len(game)
        swaps += any("swap" in wanted["legalMoves"] for _, wanted in game)
        ends[game[-1][1]["winner"]] += 1
        asked += game
        if (nth + 1) % BATCH == 0 or nth + 1 == GAMES:
            compare(asked)
            asked = []
    print(f"{GAMES} games, {swaps} of them with the swap, {seen} positions: red won {ends['red']}, blue {ends['blue']}. No difference.")


main()
