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
Half of the files are spoiled first as old programs wrote them: signs, spellings, Ctrl-Z, castling rights that can't be. Some games
go on after a draw that ends games by itself today.
"""

import io
import json
import random
import re
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
    "8/4k3/8/8/8/3K4/8/R7 w - - 120 90",
    "8/4k3/8/8/8/3K4/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
]
SIGNS = ["+=", "=", "=/+", "+/-", "-+", "\u00b1", "\u2a72", "\u221e", "\u25a1", "N", "$14", "!?", "{so}", "; so\n"]
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


def spoiled(text, chance):
    """A file as old programs wrote it."""
    head, moves = text.split("\n\n", 1)
    # No tag but `FEN` has these fields.
    head = head.replace(' w - - 0 1"]', ' w KQkq e6 0 0"]').replace(' w Q - 0 1"]', ' w KQkq - 0 0"]')
    moves = re.sub(r"=([QRBN])", lambda piece: chance.choice(["({})", "{}", "={}", " ({})"]).format(piece[1]), moves)
    words, comment, all_words = [], False, moves.split()
    for word, following in zip(all_words, [*all_words[1:], ""]):
        comment = (comment or word.startswith("{")) and "}" not in word
        words.append(word)
        is_move = not comment and re.fullmatch(r"[a-hKQRBNO][^.]*[1-8O][+#]?", word)
        if is_move and not re.fullmatch(r"\([QRBN]\)[+#]?", following) and chance.random() < 0.2:
            words.append(chance.choice(SIGNS))
    return head + "\n\n" + " ".join(words) + chance.choice(["", "\n", "\r\n\x1a", "\0\0", "\n\x1a\0"])


def is_over(board, claimed):
    return board.is_checkmate() or board.is_stalemate() if claimed else board.is_game_over()


def played(chance, rules):
    """A game as python-chess has it."""
    board, config = start(chance)
    game = chess.pgn.Game()
    game.setup(board)
    game.headers.update(White="Oak, Ann", Black="ben", Date="20{:02}.0{}.1{}".format(*(chance.randrange(1, 9) for _ in range(3))))
    # After such a draw, only random moves can follow; the computer returns none.
    claimed = chance.random() < 0.3 or board.is_insufficient_material()
    node, by_computer, most = game, not claimed and chance.random() < 0.5, chance.choice([0, 1, 30, 60, 400])
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 5 if claimed and board.fen() == chess.STARTING_FEN else []
    while not is_over(board, claimed) and len(board.move_stack) < most:
        if len(board.move_stack) < len(shuffle):
            move = chess.Move.from_uci(shuffle[len(board.move_stack)])
        elif by_computer:
            move = rules.choose(board, config, chance.randrange(1 << 30))
        else:
            move = chance.choice(list(board.legal_moves))
        if chance.random() < 0.05:
            other = node.add_variation(chance.choice(list(board.legal_moves)), comment="{a try; (one of [many])".replace("{", ""))
            other.nags.add(chance.randrange(1, 140))
        # The main line stands first.
        node = node.add_main_variation(move, comment="so\nit went" if chance.random() < 0.05 else "")
        if chance.random() < 0.05:
            node.nags.add(chance.randrange(1, 140))
        board.push(move)
    result, ending = board.result(), "on the board"
    if not is_over(board, claimed):
        # A draw that nobody claims ends the game, unless moves or a result follow.
        ending = chance.choice(["resigned", "agreed", "on time"] + ["unfinished", "abandoned"] * (not board.is_game_over()))
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
            text = str(game) + "\n\n"
            if number % 2 == 0:
                text = spoiled(text, chance)
                seen["spoiled"] += 1
            (home / "in.pgn").write_text(text)
            run("import", f"{home}/in.pgn", *issue, *PEOPLE, "--state-dir", f"{home}/state")
            run("verify", f"{home}/state/{number}.json")
            text = run("export", f"{home}/state/{number}.json", "--repository", "octo/games")
            again = chess.pgn.read_game(io.StringIO(text))
            if again.errors or facts(again) != facts(game) or not again.end().comment and ending not in ["unfinished"]:
                raise SystemExit(f"They differ.\n{game}\n\n{text}\n{again.errors}\n{facts(game)}\n{facts(again)}")
            if any(len(line) > 79 for line in text.splitlines()):
                raise SystemExit(f"A line is too long:\n{text}")
            # A file that names the repository would give the record these tags.
            (home / "out.pgn").write_text(run("export", f"{home}/state/{number}.json"))
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
