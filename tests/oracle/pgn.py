"""Writes games of chess as PGN and reads them back, by python-chess and by us, and compares them.

    pip install chess
    cargo build --release --locked
    python3 tests/oracle/pgn.py [GAMES] [SEED] [PROGRAM]

200 games by default, with target/release/play-by-commit. It says what it has compared, and ends with exit code 1 at the first
difference. No test and no other check needs this.

Games are random or the computer's (level 2, by `rules`); a third are Chess960, a sixth begin with a position of their own. They
end on the board, by resigning, by a draw, on time, or not at all. Each goes the whole way: python-chess writes it, with comments,
variations and marks by chance; `import` makes a record of it; `verify` finds it good; `export` writes it; python-chess reads
that, and finds the same start, moves and result, and nothing wrong. What is written is imported again and gives the same record.
"""

import io
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import chess
import chess.pgn

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 200
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = str(Path(sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit").resolve())

STARTS = [
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/7p/R3K2R b KQkq - 3 20",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 7",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
]
PEOPLE = ["--player", "Oak, Ann=ann:1", "--player", "ann=ann:1", "--player", "ben=ben:2"]


class Rules:
    """`play-by-commit rules`, asked line by line."""

    def __init__(self):
        self.rules = subprocess.Popen([PROGRAM, "rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def choose(self, board, config, seed):
        request = {"game": "chess", "config": config, "position": {"fen": board.fen()}, "choose": {"level": 2, "seed": seed}}
        self.rules.stdin.write(json.dumps(request) + "\n")
        self.rules.stdin.flush()
        return board.parse_san(json.loads(self.rules.stdout.readline())["chosen"]["notation"])


def run(*args):
    ran = subprocess.run([PROGRAM, *args], capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit(f"{args}: {ran.stderr}")
    return ran.stdout


def start(chance):
    if chance.random() < 0.34:
        number = chance.randrange(960)
        return chess.Board.from_chess960_pos(number), {"chess960": number}
    if chance.random() < 0.25:
        fen = chance.choice(STARTS)
        return chess.Board(fen), {"fen": fen}
    return chess.Board(), {}


def played(chance, rules):
    """A game as python-chess has it."""
    board, config = start(chance)
    game = chess.pgn.Game()
    game.setup(board)
    game.headers.update(White="Oak, Ann", Black="ben", Date="20{:02}.0{}.1{}".format(*(chance.randrange(1, 9) for _ in range(3))))
    node, by_computer, most = game, chance.random() < 0.5, chance.choice([0, 1, 30, 60, 400])
    while not board.is_game_over() and len(board.move_stack) < most:
        move = rules.choose(board, config, chance.randrange(1 << 30)) if by_computer else chance.choice(list(board.legal_moves))
        if chance.random() < 0.05:
            other = node.add_variation(chance.choice(list(board.legal_moves)), comment="{a try; (one of [many])".replace("{", ""))
            other.nags.add(chance.randrange(1, 140))
        # The main line stands first.
        node = node.add_main_variation(move, comment="so\nit went" if chance.random() < 0.05 else "")
        if chance.random() < 0.05:
            node.nags.add(chance.randrange(1, 140))
        board.push(move)
    result, ending = board.result(), "on the board"
    if result == "*":
        ending = chance.choice(["resigned", "agreed", "on time", "unfinished", "abandoned"])
        result = {"agreed": "1/2-1/2", "unfinished": "*", "abandoned": "*"}.get(ending) or chance.choice(["1-0", "0-1"])
        if ending == "on time":
            # The time of the side on turn has run out.
            result = "0-1" if board.turn else "1-0"
            game.headers.update(Termination="time forfeit", TimeControl="1/86400")
        if ending == "abandoned":
            game.headers["Termination"] = "abandoned"
    game.headers["Result"] = result
    return game, ending, "engine" if by_computer else "random"


def facts(game):
    moves = [move.uci() for move in game.mainline_moves()]
    return game.board().fen(), game.board().chess960, moves, game.headers["Result"], game.headers["Date"]


def main():
    chance, rules, seen, plies = random.Random(SEED), Rules(), Counter(), 0
    with tempfile.TemporaryDirectory() as home:
        home = Path(home)
        for number in range(1, GAMES + 1):
            game, ending, players = played(chance, rules)
            issue = ["--issue", str(number)]
            for state in ["state", "again"]:
                (home / state).mkdir(exist_ok=True)
            (home / "in.pgn").write_text(str(game) + "\n\n")
            run("import", f"{home}/in.pgn", *issue, *PEOPLE, "--state-dir", f"{home}/state")
            run("verify", f"{home}/state/{number}.json")
            text = run("export", f"{home}/state/{number}.json", "--repository", "octo/games")
            again = chess.pgn.read_game(io.StringIO(text))
            if again.errors or facts(again) != facts(game) or not again.end().comment and ending not in ["unfinished"]:
                raise SystemExit(f"They differ.\n{game}\n\n{text}\n{again.errors}\n{facts(game)}\n{facts(again)}")
            if any(len(line) > 79 for line in text.splitlines()):
                raise SystemExit(f"A line is too long:\n{text}")
            (home / "out.pgn").write_text(text)
            run("import", f"{home}/out.pgn", *issue, *PEOPLE, "--state-dir", f"{home}/again")
            records = [(home / state / f"{number}.json").read_text() for state in ["state", "again"]]
            if records[0] != records[1]:
                raise SystemExit(f"The record is another one after export and import:\n{text}")
            seen[ending] += 1
            seen[players] += 1
            seen["of Chess960"] += again.board().chess960
            seen["with a position of their own"] += "FEN" in again.headers and not again.board().chess960
            plies += len(facts(game)[2])
    seen = ", ".join(f"{count} {what}" for what, count in seen.most_common())
    print(f"{GAMES} games, {plies} plies: {seen}. No difference.")


main()
