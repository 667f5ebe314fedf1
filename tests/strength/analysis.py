"""Compares the analysis of games with that of a stronger program.

    apt-get install stockfish
    cargo build --release --locked --package play-by-commit-testkit --example analyses
    target/release/examples/analyses chess --games 36 --seed 43 --levels 33445566 >GAMES
    python3 tests/strength/analysis.py weak-games --games 24 --seed 43 >>GAMES
    target/release/examples/analyses chess --read GAMES --nodes 1000000 --per-ply 9000 >PLIES
    python3 tests/strength/analysis.py chess PLIES [--listed] [--cache FILE]
    python3 tests/strength/analysis.py backgammon PLIES [--cache FILE]

The 180 games of seed 31 are 110 of ours and 70 weak ones. Stockfish weakens its moves at random, so the same seed gives other games.
With `--listed`, only the listed moves are judged, which takes a tenth of the time.

`weak-games` lets Stockfish play itself at skills 0 to 7, and `demonstration` prints the games of a kind from `state/`. The
judges are Stockfish 15.1, always with an empty table, and GNU Backgammon's nets at 2-ply. Stockfish searches 10,000 nodes in
each position, and 80,000 in those with a listed move or near the limit of a blunder. The other games judge themselves: see
`crates/testkit/examples/analyses.rs`.

A listed move is wrong if the judge would have played it, or loses at most 30 centipawns (in backgammon 0.03 points) by it. A
blunder costs over 20 points of winning chances, by lichess's formula; it's found if it's listed or the chart falls by over 10
points.
"""

import argparse
import collections
import json
import math
import random
from pathlib import Path

import table

table.in_venv("chess==1.11.2", "gnubg-nn==1.1.0a11")

import chess  # noqa: E402
import chess.engine  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
STOCKFISH = "/usr/games/stockfish"
QUICK_NODES, NODES = 10_000, 80_000
# Between these losses, in points of winning chances, Stockfish looks deeper.
UNCLEAR = 12, 30
MATE = 10_000


def chance(centipawns):
    """Winning chances in percent."""
    return 100 / (1 + math.exp(-0.00368208 * max(-1_500, min(1_500, centipawns))))


class Cache:
    """Verdicts, kept in a file of lines."""

    def __init__(self, path):
        self.path, self.known = path, {}
        if path and Path(path).exists():
            for line in Path(path).read_text().splitlines():
                key, value = json.loads(line)
                self.known[key] = value

    def get(self, key, find):
        if key not in self.known:
            self.known[key] = find()
            if self.path:
                with open(self.path, "a") as out:
                    out.write(json.dumps([key, self.known[key]]) + "\n")
        return self.known[key]


class Stockfish:
    """Scores are centipawns for the side to move."""

    as_good = 30

    def __init__(self, cache):
        self.engine, self.cache = chess.engine.SimpleEngine.popen_uci(STOCKFISH), cache

    def search(self, board, nodes):
        """The first choice and its score, also after the end of a game."""
        if board.is_game_over():
            return None, -MATE if board.is_checkmate() else 0

        def find():
            info = self.engine.analyse(board, chess.engine.Limit(nodes=nodes), game=object())
            return [info["pv"][0].uci(), info["score"].relative.score(mate_score=MATE)]

        return self.cache.get(f"{board.fen()} {nodes}", find)

    def after(self, board, move, nodes):
        """The score after a move, for its side."""
        board = board.copy(stack=False)
        board.push(move)
        score = -self.search(board, nodes)[1]
        return score - (score > MATE - 1000) + (score < 1000 - MATE)

    def close(self):
        self.engine.quit()

    def judge(self, ply):
        """Whether the move was the first choice, the best score, the score after the move, and after the better one."""
        board = chess.Board(ply["position"]["fen"])
        played = board.parse_san(ply["played"])
        found = self.compare(board, played, None, QUICK_NODES)
        loss = self.chance(found[1]) - self.chance(found[2])
        if not ply["better"] and not UNCLEAR[0] < loss < UNCLEAR[1]:
            return found
        return self.compare(board, played, board.parse_san(ply["better"]) if ply["better"] else None, NODES)

    def compare(self, board, played, better, nodes):
        choice, best = self.search(board, nodes)
        own = self.after(board, played, nodes)
        other = self.after(board, better, nodes) if better else None
        is_choice = choice == played.uci()
        if is_choice:
            best = own
        return is_choice, max(best, own, other if better else own), own, other

    def chance(self, score):
        return chance(score)


class Gnubg:
    """Scores are points for the side to move, without the cube."""

    as_good = 0.03

    def __init__(self, cache):
        import gnubg_nn

        self.nn, self.cache = gnubg_nn, cache

    def sides(self, position, first):
        """Own and other checkers from the view of one side; the first is white and moves down."""
        white, black = [0] * 25, [0] * 25
        for point, count in enumerate(position["board"]):
            if count > 0:
                white[point] = count
            elif count < 0:
                black[23 - point] = -count
        white[24], black[24] = position["bar"]["white"], position["bar"]["black"]
        return (white, black) if first else (black, white)

    def points(self, own, other):
        """The points of the side that has just moved."""
        if not any(own):
            return 1 + (sum(other) == 15)

        def find():
            win, gammon, backgammon, lost, lost_more = self.nn.probabilities([own, other], 2)[:5]
            return -(2 * win - 1 + gammon + backgammon - lost - lost_more)

        return self.cache.get(f"{own} {other}", find)

    def best(self, own, other, dice):
        """The boards after the choice of the 1-ply search."""

        def find():
            key = self.nn.best_move([other, own], *dice, 1, b=1)[1]
            return [list(side) for side in self.nn.board_from_position_key(key)]

        return self.cache.get(f"{own} {other} {dice}", find)

    def close(self):
        pass

    def judge(self, ply):
        position = ply["position"]
        white = position["activePlayer"] == "white"
        own, other = self.sides(position, white)
        played = self.sides(ply["after"], white)
        choice = self.best(own, other, position["dice"][:2])
        better = self.points(*self.sides(ply["afterBetter"], white)) if ply["better"] else None
        after, best = self.points(*played), self.points(*choice)
        return list(map(list, played)) == choice, max(best, after, after if better is None else better), after, better

    def chance(self, score):
        """The same scale as our engine's."""
        return 100 / (1 + 3 ** (-score / 0.656))


def judge_plies(judge, options):
    seen = collections.Counter()
    for line in Path(options.plies).read_text().splitlines():
        ply = json.loads(line)
        if options.listed and ply["better"] is None:
            continue
        is_choice, best, own, better = judge.judge(ply)
        points = judge.chance(best) - judge.chance(own)
        seen["plies"] += 1
        seen["off"] += abs(judge.chance(best) - ply["chance"] / 10)
        is_listed = ply["better"] is not None
        if points > 20:
            seen["blunders"] += 1
            seen["listed blunders"] += is_listed
            seen["found"] += is_listed or ply["fall"] > 100
        if is_listed:
            wrong = is_choice or best - own <= judge.as_good
            seen["listed"] += 1
            seen["wrong"] += wrong
            seen["better"] += better > own
            if not options.quiet:
                note = "WRONG" if wrong else "" if better > own else "NOT BETTER"
                print(f"{ply['game']}/{ply['ply']}: {ply['played']} lost {ply['lost'] / 10}, judge {best} to {own} ({points:.0f}); {ply['better']} {better} {note}")
    listed, blunders = max(1, seen["listed"]), max(1, seen["blunders"])
    print(
        f"{seen['plies']} plies; {seen['listed']} listed, {seen['wrong']} wrong ({100 * seen['wrong'] / listed:.1f} %), "
        f"{seen['better']} with a better move ({100 * seen['better'] / listed:.1f} %); {seen['found']} of {seen['blunders']} "
        f"blunders found ({100 * seen['found'] / blunders:.1f} %), {seen['listed blunders']} listed; "
        f"off by {seen['off'] / max(1, seen['plies']):.1f} points"
    )


def weak_games(options):
    engine = chess.engine.SimpleEngine.popen_uci(STOCKFISH)
    for number in range(options.games):
        chances = random.Random(f"{options.seed} {number}")
        skills = [chances.randrange(8), chances.randrange(8)]
        board, moves = chess.Board(), []
        while not board.is_game_over(claim_draw=True) and len(moves) < 200:
            if len(moves) < 2:
                move = chances.choice(list(board.legal_moves))
            else:
                engine.configure({"Skill Level": skills[board.turn]})
                move = engine.play(board, chess.engine.Limit(nodes=chances.choice([200, 1_000, 5_000]))).move
            moves.append(board.san(move))
            board.push(move)
        print(json.dumps(moves), flush=True)
    engine.quit()


def demonstration(options):
    for path in sorted((ROOT / "state" / "archive").glob("*.json")):
        record = json.loads(path.read_text())
        if record["game"] == options.game:
            moves = []
            for event in record["history"]:
                if event["type"] == "move":
                    moves.append(event["notation"])
                moves += [then["reply"]["notation"] for then in event.get("then", []) if "reply" in then]
            print(json.dumps(moves))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["chess", "backgammon", "weak-games", "demonstration"])
    parser.add_argument("plies", nargs="?", help="the file to judge, or a game of the demonstration")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache")
    parser.add_argument("--listed", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    if options.what == "weak-games":
        weak_games(options)
    elif options.what == "demonstration":
        options.game = options.plies
        demonstration(options)
    else:
        cache = Cache(options.cache)
        judge = Stockfish(cache) if options.what == "chess" else Gnubg(cache)
        judge_plies(judge, options)
        judge.close()


if __name__ == "__main__":
    main()
