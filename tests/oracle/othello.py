"""Plays random games of Othello by OpenSpiel's rules and by ours, and compares them at every ply.

    pip install open_spiel
    cargo build --release --locked
    python3 tests/oracle/othello.py [GAMES] [SEED] [PROGRAM]

500 games by default, some 30,000 positions, with target/release/play-by-commit. It says what it has compared, and ends with
exit code 1 at the first difference. No test and no other check needs this.

Half of the games are asked about by their moves, half by their positions. Compared are the legal moves, the status, the winner
and the whole position. To pass is a move of its own in OpenSpiel; here it happens by itself, so it is made there at once.
"""

import json
import random
import subprocess
import sys

import pyspiel

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 500
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
BATCH = 100
SIDES = ["black", "white"]
PASS = 64


def coordinate(action):
    return "abcdefgh"[action % 8] + str(action // 8 + 1)


def board(state):
    rows = [line[2:17].split(" ") for line in str(state).splitlines() if line[:1].isdigit()]
    return ["".join({"-": ".", "x": "B", "o": "W"}[sign] for sign in row) for row in rows]


def playout(rules, chance, by_position):
    """A random game: the requests for each of its positions, and what has to be answered; and how often somebody passed."""
    state, moves, game, passes, mover = rules.new_initial_state(), [], [], 0, 0
    while True:
        over = state.is_terminal()
        first = state.returns()[0] if over else 0
        side = 1 - mover if over else state.current_player()
        wanted = {
            "legalMoves": [] if over else [coordinate(action) for action in state.legal_actions()],
            "status": "playing" if not over else "won" if first else "draw",
            "winner": None if not first else SIDES[first < 0],
            "position": {"board": board(state), "currentPlayer": SIDES[side if moves else 0]},
        }
        request = {"game": "othello"} | ({"position": wanted["position"]} if by_position else {"moves": list(moves)})
        game.append((request, wanted))
        if over:
            return game, passes
        action, mover = chance.choice(state.legal_actions()), state.current_player()
        state.apply_action(action)
        moves.append(chance.choice([coordinate(action), coordinate(action).upper(), str(action)]))
        while not state.is_terminal() and state.legal_actions() == [PASS]:
            state.apply_action(PASS)
            passes += not state.is_terminal()


def compare(asked):
    lines = "".join(json.dumps(request) + "\n" for request, _ in asked)
    answers = subprocess.run([PROGRAM, "rules"], input=lines, capture_output=True, text=True, check=True).stdout
    for (request, wanted), line in zip(asked, answers.splitlines(), strict=True):
        answer = json.loads(line)
        if any(answer.get(field) != value for field, value in wanted.items()):
            sys.exit(f"They differ.\nrequest:  {json.dumps(request)}\nanswer:   {line}\nexpected: {json.dumps(wanted)}")


def main():
    rules, chance = pyspiel.load_game("othello"), random.Random(SEED)
    seen, passed, ends, asked = 0, 0, {"black": 0, "white": 0, None: 0}, []
    for nth in range(GAMES):
        game, passes = playout(rules, chance, nth % 2 == 1)
        seen, passed = seen + len(game), passed + passes
        ends[game[-1][1]["winner"]] += 1
        asked += game
        if (nth + 1) % BATCH == 0 or nth + 1 == GAMES:
            compare(asked)
            asked = []
    print(
        f"{GAMES} games, {seen} positions, {passed} passes: black won {ends['black']}, white {ends['white']}, "
        f"{ends[None]} draws. No difference."
    )


main()
