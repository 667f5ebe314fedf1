"""Plays games of chess by python-chess's rules and by ours, and compares them at every ply.

    pip install chess
    cargo build --release --locked
    python3 tests/oracle/chess_rules.py [POSITIONS] [SEED] [PROGRAM]

10,000 positions by default, with target/release/play-by-commit. It says what it has compared, and ends with exit code 1 at
the first difference. No test and no other check needs this.

Half of the games are asked about by their moves, half by their positions. Compared are the legal moves with the very letters of
their notation, the position as FEN with those before it, check, the end of the game and its reason, the draws that can be
claimed, the sides that could still win on time, and one move a position that is read from the squares alone. A third of the games are Chess960. Games are random; some
prefer captures, some go to and fro, and some begin with few pieces, so that every way to end a game is met.
"""

import json
import random
import subprocess
import sys
from collections import Counter

import chess

POSITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
BATCH = 1_000

# Few pieces, en passant and promotions near.
STARTS = [
    "8/8/8/3k4/8/3K4/8/R7 w - - 60 90",
    "8/8/4k3/8/8/3KB3/6P1/8 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/1k1n4/8/8/8/8/4N1K1/8 w - - 96 120",
    "3b4/8/1k6/8/8/5K2/8/2B5 w - - 0 60",
    "3qk3/3qq3/8/8/8/8/3QQ3/3QK3 w - - 0 1",
    "1n1n1n2/3k4/1n3n2/8/2N1N3/8/2N1N3/5K2 w - - 0 1",
]
ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient material",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold repetition",
    chess.Termination.SEVENTYFIVE_MOVES: "75 moves without a capture or a pawn move",
}


def claim(board):
    if board.is_repetition(3):
        return "threefold repetition"
    return "50 moves without a capture or a pawn move" if board.is_fifty_moves() else None


def expected(board, earlier):
    """What the program has to answer, by python-chess's rules."""
    outcome = board.outcome()
    going_on = outcome is None
    winner = None if going_on or outcome.winner is None else chess.COLOR_NAMES[outcome.winner]
    position = {"fen": board.fen()}
    if earlier:
        position["earlier"] = list(earlier)
    return {
        "status": "playing" if going_on else "won" if winner else "draw",
        "winner": winner,
        "currentPlayer": chess.COLOR_NAMES[board.turn],
        "legalMoves": sorted(board.san(move) for move in board.legal_moves) if going_on else [],
        "check": board.is_check(),
        "ending": None if going_on else ENDINGS[outcome.termination],
        "claimableDraw": claim(board) if going_on else None,
        "canWin": {name: not board.has_insufficient_material(color) for name, color in (("white", chess.WHITE), ("black", chess.BLACK))},
        "position": position,
    }


def chosen(board, manner, chance):
    moves = list(board.legal_moves)
    if manner == "to and fro" and len(board.move_stack) > 1 and chance.random() < 0.93:
        last = board.move_stack[-2]
        back = [move for move in moves if (move.from_square, move.to_square) == (last.to_square, last.from_square)]
        moves = back or moves
    if manner == "captures":
        moves = [move for move in moves if board.is_capture(move)] or moves
    if manner == "quiet":
        moves = [move for move in moves if not board.is_zeroing(move)] or moves
    return chance.choice(moves)


def playout(chance, by_position):
    """A game: the requests for each of its positions, and what has to be answered."""
    number = chance.randrange(960) if chance.random() < 0.33 else None
    config = {}
    if number is not None:
        board, config["chess960"] = chess.Board.from_chess960_pos(number), number
    elif chance.random() < 0.4:
        config["fen"] = chance.choice(STARTS)
        board = chess.Board(config["fen"])
    else:
        board = chess.Board()
    manner = chance.choice(["random", "captures", "to and fro", "quiet"])
    earlier, moves = [], []
    while True:
        wanted = expected(board, earlier)
        request = {"game": "chess", "config": config}
        if by_position:
            request["position"] = wanted["position"]
        else:
            request["moves"] = list(moves)
        move = None
        if wanted["status"] == "playing":
            move = chosen(board, manner, chance)
            # Castling is read by the square of the rook in Chess960, and by that of the king where it goes two squares.
            request["try"] = move.uci()
        yield request, wanted, board.san(move) if move else None
        if not move:
            return
        moves.append(board.san(move))
        rights, before = board.castling_rights, board.epd()
        board.push(move)
        earlier.append(before)
        if board.halfmove_clock == 0 or board.castling_rights != rights:
            earlier = []


def compare(asked):
    lines = "".join(json.dumps(request) + "\n" for request, _, _ in asked)
    answers = subprocess.run([PROGRAM, "rules"], input=lines, capture_output=True, text=True, check=True).stdout
    for (request, wanted, san), line in zip(asked, answers.splitlines(), strict=True):
        answer = json.loads(line)
        answer["legalMoves"] = sorted(answer.get("legalMoves", []))
        same = all(answer.get(field) == value for field, value in wanted.items())
        tried = answer.get("tried")
        if not same or (tried or {}).get("notation") != san:
            sys.exit(f"They differ.\nrequest:  {json.dumps(request)}\nanswer:   {line}\nexpected: {json.dumps(wanted)} {san}")


def main():
    chance = random.Random(SEED)
    seen = games = sans = claims = checks = 0
    ends, asked = Counter(), []
    while seen < POSITIONS:
        game = list(playout(chance, games % 2 == 1))
        games += 1
        seen += len(game)
        sans += sum(len(wanted["legalMoves"]) for _, wanted, _ in game)
        claims += sum(wanted["claimableDraw"] is not None for _, wanted, _ in game)
        checks += sum(wanted["check"] for _, wanted, _ in game)
        ends[game[-1][1]["ending"]] += 1
        asked += game
        if len(asked) >= BATCH or seen >= POSITIONS:
            compare(asked)
            asked = []
    ends = ", ".join(f"{count} {end}" for end, count in ends.most_common())
    print(f"{games} games, {seen} positions, {sans} moves written alike, {checks} checks, {claims} claims: {ends}. No difference.")


main()
