"""Plays chess through UCI: with itself, level against level, or against another engine.

    cargo build --release --locked
    python3 tests/strength/chess_uci.py itself [--games 20] [--clock 2+0.02]
    python3 tests/strength/chess_uci.py levels [--levels 12345678] [--games 40]
    python3 tests/strength/chess_uci.py stockfish [--level 8] [--nodes 2000] [--games 40]

The first looks for crashes, illegal moves and lost time, and has no result. The last takes any engine that speaks UCI
(`--engine`, else Debian's Stockfish), limited by nodes, and ours with what its level has. An opening is random moves after which
our level 5 sees no more than a pawn and a half for either side; it is played twice, with sides exchanged. A game ends by the
rules, or as soon as a draw can be claimed. See docs/STRENGTH.md for results.
"""

import argparse
import shutil
import sys
import time
from contextlib import ExitStack

import table

table.in_venv("chess==1.11.2")

import chess  # noqa: E402
import chess.engine  # noqa: E402

# The value of an opening for either side, at most, in hundredths of a pawn.
EVEN = 150


class Ours:
    """Our engine at a level."""

    def __init__(self, stack, program, level, seed):
        self.engine = stack.enter_context(chess.engine.SimpleEngine.popen_uci([program, "uci"], timeout=600))
        self.engine.configure({"Level": level, "Seed": seed})
        self.count = self.total = self.most = 0

    def move(self, board, limit=None):
        begun = time.perf_counter()
        played = self.engine.play(board, limit or chess.engine.Limit(), game=id(board))
        spent = time.perf_counter() - begun
        self.count, self.total, self.most = self.count + 1, self.total + spent, max(self.most, spent)
        return played.move

    def row(self):
        return f"{1000 * self.total / max(self.count, 1):.0f}, {1000 * self.most:.0f}"


class Theirs:
    """Another engine, limited by nodes."""

    def __init__(self, stack, path, nodes):
        self.engine = stack.enter_context(chess.engine.SimpleEngine.popen_uci(path, timeout=600))
        self.limit = chess.engine.Limit(nodes=nodes)

    def move(self, board):
        return self.engine.play(board, self.limit, game=id(board)).move


def opening(judge, chance, plies):
    """A position after random moves that is not over, and even enough."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
        if board.is_game_over():
            continue
        score = judge.engine.analyse(board, chess.engine.Limit(nodes=5000))["score"].relative.score(mate_score=10_000)
        if abs(score) <= EVEN:
            return board


def play(start, white, black):
    """The points of white."""
    board = start.copy()
    while not board.is_game_over(claim_draw=True):
        player = white if board.turn else black
        # Raises what is illegal.
        board.push(player.move(board))
    return {"1-0": 1, "0-1": 0}.get(board.result(claim_draw=True), 0.5)


def match(judge, ours, theirs, options, show=None):
    """Pairs of games; the points of the first."""
    score = table.Score()
    for pair in range(options.games // 2):
        start = opening(judge, table.chance(options.seed, pair), options.plies)
        score.add(play(start, ours, theirs), 1 - play(start, theirs, ours))
        if show:
            print(f"{show}: {score.row()}", flush=True)
    return score


def itself(options, stack):
    """Fast games by the clock. Whoever runs out of time, stops or plays what is illegal ends the script."""
    base, more = (float(part) for part in options.clock.split("+"))
    engines = [Ours(stack, options.program, 8, seed) for seed in (1, 2)]
    for number in range(options.games):
        board = chess.Board.from_chess960_pos(number * 37 % 960) if number % 4 == 3 else chess.Board()
        left = [base, base]
        while not board.is_game_over(claim_draw=True):
            side = 0 if board.turn else 1
            limit = chess.engine.Limit(white_clock=left[0], black_clock=left[1], white_inc=more, black_inc=more)
            begun = time.perf_counter()
            move = engines[(side + number) % 2].move(board, limit)
            left[side] -= time.perf_counter() - begun
            if left[side] <= 0:
                sys.exit(f"time is up in game {number + 1}, after {len(board.move_stack)} plies: {board.fen()}")
            left[side] += more
            board.push(move)
        print(f"{number + 1}: {board.result(claim_draw=True)}, {len(board.move_stack)} plies, left {min(left):.2f} s", flush=True)
    print(f"ms a move, mean and most: {engines[0].row()}")


def levels(options, stack):
    """Each level against the one below."""
    judge = Ours(stack, options.program, 8, 1)
    print("| Levels | Games | Result | Score | ms a move, mean and most |\n| --- | --- | --- | --- | --- |", flush=True)
    for low, high in zip(options.levels, options.levels[1:]):
        ours, theirs = (Ours(stack, options.program, int(level), options.seed) for level in (high, low))
        score = match(judge, ours, theirs, options)
        print(f"| {high} against {low} | {score.row()} | {ours.row()} |", flush=True)


def stockfish(options, stack):
    """A level against another engine."""
    path = options.engine or shutil.which("stockfish") or "/usr/games/stockfish"
    ours, theirs = Ours(stack, options.program, options.level, options.seed), Theirs(stack, path, options.nodes)
    judge = Ours(stack, options.program, 8, 1)
    match(judge, ours, theirs, options, f"level {options.level} against {options.nodes} nodes")
    print(f"ms a move, mean and most: {ours.row()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["itself", "levels", "stockfish"])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--clock", default="2+0.02")
    parser.add_argument("--levels", default="12345678")
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--engine")
    parser.add_argument("--program", default=str(table.ROOT / "target/release/play-by-commit"))
    options = parser.parse_args()
    with ExitStack() as stack:
        {"itself": itself, "levels": levels, "stockfish": stockfish}[options.what](options, stack)


if __name__ == "__main__":
    main()
