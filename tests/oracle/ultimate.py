"""Plays random games of ultimate tic-tac-toe by OpenSpiel's rules and by ours, and compares them at every ply.

    pip install open_spiel
    cargo build --release --locked
    python3 tests/oracle/ultimate.py [GAMES] [SEED] [PROGRAM]

10,000 games by default, with target/release/play-by-commit. It says what it has compared, and ends with exit code 1 at
the first difference. No test and no other check needs this.

Half of the games are asked about by their moves, half by their positions. Compared are the legal moves, the status, the
winner and the whole position; how the boards stand is counted here once more, in the plainest way.

To choose a board is a move of its own in OpenSpiel: whoever may play anywhere first takes one of the open boards, then
one of its cells. Here both are one move, so what is compared are sets of a board and a cell.
"""

import json
import random
import subprocess
import sys

import pyspiel

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
BATCH = 200

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def coordinate(board, cell):
    row, column = board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3
    return "abcdefghi"[column] + str(9 - row)


def status(cells):
    for a, b, c in LINES:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            return "won-" + cells[a].lower()
    return "in-progress" if None in cells else "draw"


def chooses_board(state):
    return state.action_to_string(state.legal_actions()[0]).startswith("Choose")


def cells_of(state):
    """The legal cells of a state in which the board is settled, each with its board."""
    board = int(state.action_to_string(state.legal_actions()[0]).split()[2].rstrip(":"))
    return [(board, cell) for cell in state.legal_actions()]


def expected(state, boards, to_move):
    """What the program has to answer, by OpenSpiel's rules."""
    if state.is_terminal():
        active, legal = [], []
        first = state.returns()[0]
        ended, winner = ("draw", None) if first == 0 else ("won", "X" if first > 0 else "O")
    else:
        ended, winner = "playing", None
        if chooses_board(state):
            active, legal = "all", []
            for board in state.legal_actions():
                legal += cells_of(state.child(board))
        else:
            legal = cells_of(state)
            active = [legal[0][0]]
    position = {
        "boards": [list(cells) for cells in boards],
        "subBoardStatuses": [status(cells) for cells in boards],
        "activeBoards": active,
        "currentPlayer": to_move,
    }
    return {"legal": legal, "status": ended, "winner": winner, "position": position}


def playout(rules, chance, by_position):
    """A random game: the requests for each of its positions, and what has to be answered."""
    state, boards, moves, to_move = rules.new_initial_state(), [[None] * 9 for _ in range(9)], [], "X"
    while True:
        wanted = expected(state, boards, to_move)
        request = {"game": "ultimate-tic-tac-toe"}
        if by_position:
            request["position"] = wanted["position"]
        else:
            request["moves"] = list(moves)
        yield request, wanted
        if not wanted["legal"]:
            return
        board, cell = chance.choice(wanted["legal"])
        if chooses_board(state):
            state.apply_action(board)
        state.apply_action(cell)
        boards[board][cell] = to_move
        to_move = "O" if to_move == "X" else "X"
        moves.append(chance.choice([coordinate(board, cell), f"{board} {cell}", f"{board}/{cell}", f"{board}.{cell}"]))


def compare(asked):
    lines = "".join(json.dumps(request) + "\n" for request, _ in asked)
    answers = subprocess.run([PROGRAM, "rules"], input=lines, capture_output=True, text=True, check=True).stdout
    answers = answers.splitlines()
    assert len(answers) == len(asked), f"{len(asked)} requests, {len(answers)} answers"
    for (request, wanted), line in zip(asked, answers):
        answer = json.loads(line)
        legal = sorted(coordinate(board, cell) for board, cell in wanted["legal"])
        same = (
            sorted(answer.get("legalMoves", [None])) == legal
            and all(answer[field] == wanted[field] for field in ("status", "winner", "position"))
        )
        if not same:
            sys.exit(f"They differ.\nrequest:  {json.dumps(request)}\nanswer:   {line}\nexpected: {json.dumps(wanted)}")


def main():
    rules, chance = pyspiel.load_game("ultimate_tic_tac_toe"), random.Random(SEED)
    seen, ends, free, asked = 0, {"X": 0, "O": 0, None: 0}, 0, []
    for nth in range(GAMES):
        game = list(playout(rules, chance, nth % 2 == 1))
        seen += len(game)
        ends[game[-1][1]["winner"]] += 1
        free += sum(wanted["position"]["activeBoards"] == "all" for _, wanted in game[1:])
        asked += game
        if (nth + 1) % BATCH == 0 or nth + 1 == GAMES:
            compare(asked)
            asked = []
    print(
        f"{GAMES} games, {seen} positions, {free} free moves: X won {ends['X']}, O won {ends['O']}, "
        f"{ends[None]} draws. No difference."
    )


main()
