"""Compares the analysis of the chess games on a site with Stockfish's, move by move.

    apt-get install stockfish; pip install chess
    play-by-commit site --out target/site --evaluate 60
    python3 tests/oracle/analysis.py target/site [STOCKFISH] [CACHE]

For each move that a page lists as a mistake, it prints how much Stockfish would lose by it, in centipawns, and how much by
the move that the page calls better. A listed move is wrong if it's Stockfish's first choice or at most 30 centipawns worse.
A blunder costs over 20 points of winning chances, by lichess's formula; it's found if the page lists it or its chart falls
by over 10 points. Stockfish searches 300,000 nodes, always with an empty table, so the numbers repeat. CACHE keeps them.
"""

import json
import math
import re
import sys
from pathlib import Path

import chess
import chess.engine
import chess.pgn

SITE = Path(sys.argv[1])
STOCKFISH = sys.argv[2] if len(sys.argv) > 2 else "/usr/games/stockfish"
CACHE = Path(sys.argv[3]) if len(sys.argv) > 3 else None
NODES = 300_000
MATE = 10_000
LISTED = re.compile(r'<a href="#p(\d+)">[^<]*</a> lost (\d+)% winning chances(?:; <b>([^<]*)</b> was better)?')


class Judge:
    """Stockfish, with the scores that it has already found."""

    def __init__(self):
        self.engine = chess.engine.SimpleEngine.popen_uci(STOCKFISH)
        self.known = json.loads(CACHE.read_text()) if CACHE and CACHE.exists() else {}

    def analysed(self, board, move=None):
        """Returns the best move, or `move`, and its score in centipawns for the side to move."""
        key = f"{board.fen()} {move or ''}"
        if key not in self.known:
            root = [move] if move else None
            info = self.engine.analyse(board, chess.engine.Limit(nodes=NODES), root_moves=root, game=object())
            self.known[key] = [info["pv"][0].uci(), info["score"].relative.score(mate_score=MATE)]
        return self.known[key]

    def lost(self, board, move):
        """Returns the centipawns and the points of winning chances that a move loses."""
        best, score = self.analysed(board)
        if move.uci() == best:
            return 0, 0.0
        own = self.analysed(board, move)[1]
        return max(0, score - own), max(0.0, chance(score) - chance(own))

    def close(self):
        self.engine.quit()
        if CACHE:
            CACHE.write_text(json.dumps(self.known))


def chance(centipawns):
    """Returns the winning chances in percent."""
    return 100 / (1 + math.exp(-0.00368208 * max(-1_500, min(1_500, centipawns))))


def judge_game(judge, name, seen):
    page = (SITE / "games" / f"{name}.html").read_text()
    values = json.loads((SITE / "games" / f"{name}.values.json").read_text())
    chances = [ply["chance"] / 10 for ply in values["plies"]] + [values["end"] / 10]
    listed = {int(number): (int(lost), better) for number, lost, better in LISTED.findall(page)}
    game = chess.pgn.read_game((SITE / "games" / f"{name}.pgn").open())
    board = game.board()
    for number, move in enumerate(game.mainline_moves(), 1):
        centipawns, points = judge.lost(board, move)
        white = chance(judge.analysed(board)[1]) if board.turn else 100 - chance(judge.analysed(board)[1])
        seen["off"] += abs(white - chances[number - 1])
        seen["positions"] += 1
        fall = (chances[number - 1] - chances[number]) * (1 if board.turn else -1)
        if points > 20:
            seen["blunders"] += 1
            seen["found"] += number in listed or fall > 10
        if number in listed:
            lost, better = listed[number]
            better_loses = judge.lost(board, board.parse_san(better))[0] if better else 0
            wrong = centipawns <= 30
            seen["listed"] += 1
            seen["wrong"] += wrong
            seen["better"] += better_loses < centipawns
            note = "WRONG" if wrong else "" if better_loses < centipawns else "NOT BETTER"
            dots = "." if board.turn else "..."
            print(f"{name}: {board.fullmove_number}{dots} {board.san(move)} lost {lost}%, Stockfish {centipawns} ({points:.0f}%); {better} loses {better_loses} {note}")
        board.push(move)


def main():
    judge = Judge()
    seen = dict.fromkeys(["games", "positions", "off", "listed", "wrong", "better", "blunders", "found"], 0)
    for path in sorted((SITE / "games").glob("*.pgn")):
        if (SITE / "games" / f"{path.stem}.values.json").exists():
            seen["games"] += 1
            judge_game(judge, path.stem, seen)
    judge.close()
    off = seen["off"] / max(1, seen["positions"])
    print(
        f"{seen['games']} games, {seen['listed']} moves listed, {seen['wrong']} of them wrong, "
        f"{seen['better']} with a move that is better; {seen['found']} of {seen['blunders']} blunders found; "
        f"the chart is off by {off:.1f} points on average"
    )


main()
