"""Plays random games of checkers by OpenSpiel's rules and by ours, and compares them at every ply.

    pip install open_spiel
    cargo build --release --locked
    python3 tests/oracle/checkers.py [GAMES] [SEED] [PROGRAM]

300 games by default, some 20,000 positions, with target/release/play-by-commit. It says what it has compared, and ends with
exit code 1 at the first difference. No test and no other check needs this.

Half of the games are asked about by their moves, half by their positions. Compared are the legal moves, the status, the winner
and the position. OpenSpiel shows the board from the side that begins, makes each jump a move of its own, ends a game after 40
plies without a capture as a draw and knows no repetition. So jumps are put together here, `drawAfter` is 20, and threefold
repetition is counted here.
"""

import collections
import json
import random
import subprocess
import sys

import pyspiel

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 300
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
BATCH = 50
SIDES = ["black", "white"]


def square(name):
    """Our number of a square, from the side that sits opposite."""
    row, column = int(name[1]) - 1, 7 - "abcdefgh".index(name[0])
    return row * 4 + column // 2 + 1


def ways(state, mover=None):
    """Every whole move: its squares, and the state after it."""
    mover = state.current_player() if mover is None else mover
    for action in state.legal_actions():
        text, after = state.action_to_string(action), state.clone()
        after.apply_action(action)
        if not after.is_terminal() and after.current_player() == mover:
            for path, end in ways(after, mover):
                if path[0] == square(text[2:4]):
                    yield [square(text[:2])] + path, end
        else:
            yield [square(text[:2]), square(text[2:4])], after


def written(path):
    step = len(path) == 2 and abs(path[0] - path[1]) < 6
    return ("-" if step else "x").join(map(str, path))


def fen(state, side):
    men = {"B": [], "W": []}
    for line in str(state).splitlines():
        if line[:1].isdigit():
            for column, sign in enumerate(line[1:9]):
                if sign != ".":
                    men["B" if sign in "o8" else "W"].append((square("abcdefgh"[column] + line[0]), sign in "8*"))
    texts = {letter: ",".join("K" * king + str(number) for number, king in sorted(all)) for letter, all in men.items()}
    return f"{'BW'[side]}:W{texts['W']}:B{texts['B']}"


def playout(rules, chance, by_position):
    """A random game: the requests for each of its positions, and what has to be answered."""
    state, moves, game, side = rules.new_initial_state(), [], [], 0
    times, captureless = collections.Counter(), 0
    while True:
        here = fen(state, side)
        times[here] += 1
        over = state.is_terminal()
        result = state.returns()[0] if over else 0
        repeated = times[here] > 2 and not by_position
        found = [] if over or repeated else list(ways(state))
        wanted = {
            "legalMoves": sorted(written(path) for path, _ in found),
            "status": "draw" if repeated or over and not result else "won" if over else "playing",
            "winner": SIDES[result < 0] if over and result else None,
            "fen": here,
            "captureless": captureless,
        }
        told = {"position": {"fen": here, "captureless": captureless}} if by_position else {"moves": list(moves)}
        game.append(({"game": "checkers", "config": {"drawAfter": 20}} | told, wanted))
        if not found:
            return game
        path, state = chance.choice(found)
        captureless = captureless + 1 if "-" in written(path) else 0
        moves.append(chance.choice([written(path), " ".join(map(str, path))]))
        side = 1 - side


def compare(asked):
    lines = "".join(json.dumps(request) + "\n" for request, _ in asked)
    answers = subprocess.run([PROGRAM, "rules"], input=lines, capture_output=True, text=True, check=True).stdout
    for (request, wanted), line in zip(asked, answers.splitlines(), strict=True):
        answer = json.loads(line)
        answer["legalMoves"] = sorted(answer.get("legalMoves", []))
        position = answer.get("position", {})
        answer["fen"], answer["captureless"] = position.get("fen"), position.get("captureless", 0)
        if any(answer.get(field) != value for field, value in wanted.items()):
            sys.exit(f"They differ.\nrequest:  {json.dumps(request)}\nanswer:   {line}\nexpected: {json.dumps(wanted)}")


def main():
    rules, chance = pyspiel.load_game("checkers"), random.Random(SEED)
    seen, long, ends, asked = 0, 0, collections.Counter(), []
    for nth in range(GAMES):
        game = playout(rules, chance, nth % 2 == 1)
        seen += len(game)
        long += sum(move.count("x") > 1 for _, wanted in game for move in wanted["legalMoves"])
        ends[game[-1][1]["winner"]] += 1
        asked += game
        if (nth + 1) % BATCH == 0 or nth + 1 == GAMES:
            compare(asked)
            asked = []
    print(
        f"{GAMES} games, {seen} positions, {long} captures of several men: black won {ends['black']}, "
        f"white {ends['white']}, {ends[None]} ended without a winner. No difference."
    )


main()
