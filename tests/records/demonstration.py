"""Plays the demonstration: the games of `state/0.json`, `state/archive/0-*.json` and `state/players/`.

    python3 tests/records/demonstration.py

It needs Rust and Python, and writes the same bytes each time. Run it when the computer's replies change, because
`verify --replies` and a test compare them with those of the current engine.

The players are characters of Lewis Carroll's. Their logins have a `_`, which a personal account on GitHub can't have, and
their ids are hashes above 2^32. They play at table 0, and no issue has that number. Their results count in the standings.

In a game between two people, every move is listed below: famous games of chess, and games that levels 5 to 8 of the computer
played against each other, some from random first moves. In a game against the computer, another level of the computer plays for
the person. If such a game gets dull after a change, try other values of `seed`, or of the minute in `start` for other dice.
"""

import datetime
import json
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "strength"))
import table  # noqa: E402

PEOPLE = RABBIT, HATTER, QUEEN, HARE = "white_rabbit", "mad_hatter", "red_queen", "march_hare"
# The dice can be verified, as with a host's secret. This one is public, because these games aren't played for anything.
DICE_SECRET = "twinkle, twinkle, little bat"
# The first comment of a round has this id times the number of the round, so that rounds don't depend on each other.
IDS_PER_ROUND = 1000
# More turns than a person has in any of these games. The hours of a game against the computer are for so many.
MAX_TURNS = 100


@dataclass
class Round:
    """A game: when it starts (in UTC), about how many hours it takes, the words after `/new`, and its players and moves."""

    start: str
    hours: float
    setup: str
    # The person who opens the table, and so has the first seat unless the setup says otherwise.
    opener: str
    # Another person, or the level of the computer.
    opponent: str | int
    # The moves of a game between people. Commas separate moves that have spaces.
    moves: str = ""
    # The level and the seed with which the computer plays for the person.
    level: int = 8
    seed: int = 1


def connect_four(start, hours, opener, opponent, moves, ending=""):
    return Round(start, hours, "connect-four", opener, opponent, f"{' '.join(moves)} {ending}")


ROUNDS = [
    # A fork: two lines at once.
    Round("2026-09-01 17:40", 2, "tic-tac-toe", RABBIT, HARE, "a1 c2 a3 a2 b2 c3 c1"),
    connect_four("2026-09-02 18:05", 9, RABBIT, QUEEN, "afddbcbfddcffccdaedfcggcaageee"),
    connect_four("2026-09-05 10:30", 3, RABBIT, HATTER, "bbbdcdddbaagffagbbfeee"),
    connect_four("2026-09-08 19:15", 5, HARE, RABBIT, "gbeeedgaccddeceedccf"),
    connect_four("2026-09-11 20:02", 14, HATTER, QUEEN, "gfddfffcfddddcccfccgggggaaaaaaee"),
    # Légal's mate: White gives the queen away. As in Légal - Saint Brie, Paris, about 1750.
    Round("2026-09-12 14:20", 6, "chess", HATTER, HARE, "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"),
    # The last disc completes three lines.
    connect_four("2026-09-15 07:45", 11, RABBIT, HARE, "abdddddbbbefbffffaaaaadbfeeeeecc"),
    connect_four("2026-09-19 16:10", 4, QUEEN, RABBIT, "acdddeddffeebbcebffeeggbccaaa"),
    Round("2026-09-21 19:30", 90, "othello", QUEEN, 6, level=7),
    connect_four("2026-09-23 18:50", 2, RABBIT, HARE, "feeccbddecfgffdceef"),
    connect_four("2026-09-27 11:25", 7, HATTER, RABBIT, "eccccebgbbcggbbeeeaadcaebgaadd"),
    # Réti - Tartakower, Vienna, 1910: a double check.
    Round(
        "2026-09-29 19:00",
        20,
        "chess",
        QUEEN,
        HATTER,
        "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5 O-O-O Nxe4 Qd8+ Kxd8 Bg5+ Kc7 Bd8#",
    ),
    connect_four("2026-10-01 06:40", 12, HARE, HATTER, "gdddbdgddeggecffcbcccbbbcbggffffaa"),
    # A jump over three men.
    Round(
        "2026-10-03 09:15",
        40,
        "checkers",
        HATTER,
        QUEEN,
        "11-15 22-18 15x22 26x17 12-16 17-13 16-20 23-18 8-11 25-22 10-14 27-23 20x27 31x24 11-16 24-20 14-17 20x11 17x26 "
        "18-15 7x16 23-18 9-14 30x23 6-9 13x6 1x10x19x26 18x9 5x14 32-27 16-20 27-23 26-30 23-19 4-8 29-25 30-26 21-17 "
        "14x21x30 19-15 2-7 28-24 20x27 15-11 7x16",
    ),
    connect_four("2026-10-05 18:20", 26, RABBIT, QUEEN, "bedaddddfeefbabbbbdcffffggggggaaaaceceeccc"),
    Round(
        "2026-10-07 19:30",
        30,
        "gomoku",
        HARE,
        HATTER,
        "a10 c8 a9 e8 a11 a12 a8 a7 c10 e10 d11 b9 e11 e6 f11 e7 e9 d7 f5 g11 e5 c6 b11 c11 b5 c7 b7 c5 c9 c4",
    ),
    connect_four("2026-10-09 17:55", 3, RABBIT, HATTER, "dcdeddccecgccaeegeggfff"),
    Round("2026-10-11 15:00", 120, "hex", RABBIT, 6, level=7, seed=3),
    connect_four("2026-10-14 20:45", 21, QUEEN, HARE, "adeeeedddffgddbbbbecfceaaggbbaaagggfffcc"),
    # The Evergreen Game: Anderssen - Dufresne, Berlin, 1852.
    Round(
        "2026-10-16 18:30",
        60,
        "chess",
        HATTER,
        HARE,
        "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 "
        "Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#",
    ),
    connect_four("2026-10-20 12:10", 8, HARE, RABBIT, "ebdfbddddffffdfbbbbaaaaaaeeeee", "/resign"),
    Round("2026-10-21 20:15", 80, "connect-four", QUEEN, 7, level=7, seed=2),
    Round("2026-10-24 10:00", 90, "ultimate-tic-tac-toe", HATTER, 6, level=7, seed=3),
    connect_four("2026-10-28 19:35", 10, QUEEN, RABBIT, "caeddcddccgdgcdaaaagceeggabfegeeff"),
    Round(
        "2026-10-30 16:45",
        50,
        "hex",
        HATTER,
        QUEEN,
        "i10 g7 e7 e8 d8 d9 c9 c10 b10 b11 a11 e6 f6 g4 f5 f4 h4 g5 e5 e4 c5 d3 e3 d4 b4 c2 c3 d2 h5 g6 i6 b2 h8 h3 i3 j1 i2 "
        "i1 h2 h1 g2 i7 h7 h6 i5 h9 g9 g1 e2 f2 f3 e1 f1 g10 f10 e11 f11",
    ),
    # White is hit, hits back in the end, and wins.
    Round("2026-11-02 18:22", 90, "backgammon", QUEEN, 7, level=7),
    connect_four("2026-11-04 08:20", 6, HATTER, RABBIT, "dfddddbcbbbgdbbggfgggffffccae"),
    # A fork: two boards, each of which would win.
    Round(
        "2026-11-05 19:10",
        34,
        "ultimate-tic-tac-toe",
        HARE,
        QUEEN,
        "i6 g9 b9 f8 h6 d8 a5 b6 e8 e5 f4 g2 a6 c8 g6 c9 i7 g1 c3 g7 c1 g3 b7 d1 b1 e1 f3 h7 d3 a8 b4 e3 e7 d2 a4 c2 e4 e2 d4",
    ),
    # White is 37 discs behind after 51 moves, and wins.
    Round(
        "2026-11-07 13:30",
        46,
        "othello",
        QUEEN,
        RABBIT,
        "f5 f4 c3 e6 f3 g5 d6 e3 d3 c7 g4 h3 g6 g3 h6 h5 f6 e7 f7 d7 e8 c4 b5 c5 b6 b4 c8 d8 a5 a6 a7 f8 c6 a3 g8 c2 e2 f2 h4 "
        "d1 c1 d2 h2 b3 e1 f1 g1 b2 a1 b1 a2 a4 b7 a8 b8 h8 g2 h7 g7 h1",
    ),
    # The Immortal Game: Anderssen - Kieseritzky, London, 1851.
    Round(
        "2026-11-10 17:05",
        52,
        "chess",
        HATTER,
        RABBIT,
        "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 "
        "Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#",
    ),
    Round("2026-11-13 09:40", 90, "checkers", HARE, 5, level=7, seed=2),
    # White hits when nearly home. Black hits back from the bar, and again, and wins by a single roll.
    Round(
        "2026-11-15 18:45",
        40,
        "backgammon",
        RABBIT,
        HATTER,
        "13/5, 13/11 13/10, 24/14*, bar/23 10/4, 24/13, 24/20* 8/4 6/2(2), bar/22 14/8, 24/20 13/11, 8/2*, bar/23* 11/5, "
        "bar/20* 13/10, bar/18, 13/7* 8/7, 20/10, bar/21 23/21, 13/7 6/2, 6/3*, bar/14, 20/11*, bar/22*/20, bar/23* "
        "21/20, bar/20 7/3, 20/14(2) 13/7(2), 6/1 3/1, 23/21 11/7, 20/8(2), 7/1 6/1, 8/3, 8/3 4/3, 13/3, 8/4 7/6, 13/10 "
        "8/7, 14/8 7/5, 8/2(2) 7/1(2), 14/10 8/6, 7/1, 10/2, 10/6 3/1, 21/16, 10/4* 6/1, bar/22* 5/3, bar/20 6/4, 22/15*, "
        "bar/20 2/1, 16/14 15/14, 20/8(2), 14/6(2), 8/5 6/2, 8/off 4/off(2), 3/off 1/off, 6/off 5/2, 6/1 3/off, 2/off "
        "1/off, 2/off 1/off, 4/off 3/off, 4/off 1/off, 2/off 1/off",
    ),
    # The last disc completes three lines.
    connect_four("2026-11-17 19:50", 13, RABBIT, QUEEN, "geddddedeefedbbbbebgbggaggaaaaacccc"),
    # The Opera Game: Morphy - the Duke of Brunswick and Count Isouard, Paris, 1858.
    Round(
        "2026-11-19 19:30",
        31,
        "chess",
        QUEEN,
        HARE,
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 "
        "Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
    ),
    # A game in progress, and a puzzle: Ed. Lasker - Thomas, London, 1912. White mates in eight, and gives the queen away first.
    Round(
        "2026-11-22 10:15",
        40,
        "chess",
        RABBIT,
        HATTER,
        "d4 e6 Nf3 f5 Nc3 Nf6 Bg5 Be7 Bxf6 Bxf6 e4 fxe4 Nxe4 b6 Ne5 O-O Bd3 Bb7 Qh5 Qe7",
    ),
]


class Bot:
    """The example `demonstration`, which plays at table 0."""

    def __init__(self, program, folder):
        command = [program, folder, DICE_SECRET]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def post(self, time, comment, login, text):
        """Posts a comment, which has to be one event, and returns the record."""
        line = {"time": time, "id": comment, "login": login, "text": text}
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        record = answer["record"]
        if record is None or record["history"][-1]["source"]["comment"] not in (comment, 0):
            raise SystemExit(f"{login}: {text!r} was not played: {answer['answer']}")
        return record

    def finish(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise SystemExit("the records could not be written")


def build():
    """Builds the programs, and returns their paths."""
    packages = ["-p", "play-by-commit", "--bin", "play-by-commit", "-p", "play-by-commit-testkit", "--example", "demonstration"]
    subprocess.run(["cargo", "build", "--locked", "--profile", "test", *packages], cwd=ROOT, check=True)
    target = ROOT / "target" / "debug"
    return str(target / "play-by-commit"), str(target / "examples" / "demonstration")


def milliseconds(start):
    at = datetime.datetime.strptime(start, "%Y-%m-%d %H:%M").replace(tzinfo=datetime.timezone.utc)
    return int(at.timestamp()) * 1000


def pauses(number, hours, events):
    """Returns the seconds before each event. People answer at once or hours later."""
    chance = random.Random(f"times of round {number}")
    shares = [chance.expovariate(1) ** 2 for _ in range(events)]
    return [2 + int(share / sum(shares) * hours * 3600) for share in shares]


def play(bot, program, number, game):
    """Plays a round, and returns its last record."""
    people = [game.opener, game.opponent]
    against = f"@{game.opponent}" if game.opponent in PEOPLE else f"computer level={game.opponent}"
    time, comment = milliseconds(game.start), number * IDS_PER_ROUND
    record = bot.post(time, comment, game.opener, f"/new {game.setup} {against}")
    rules = table.Program(program, record["game"], record["config"])
    moves = game.moves.split("," if "," in game.moves else None)
    for turn, pause in enumerate(pauses(number, game.hours, len(moves) or MAX_TURNS)):
        if record["status"] != "playing":
            break
        seat = list(record["seats"]).index(record["currentPlayer"])
        login = people[seat] if game.opponent in PEOPLE else game.opener
        if moves:
            text = moves[turn].strip()
        else:
            choose = {"level": game.level, "seed": game.seed * MAX_TURNS + turn}
            text = rules.ask(position=record["position"], choose=choose)["chosen"]["notation"]
        time, comment = time + pause * 1000, comment + 2
        record = bot.post(time, comment, login, text if text.startswith("/") else f"/move {text}")
    rules.rules.stdin.close()
    rules.rules.wait()
    return record


def main():
    program, bot_program = build()
    with tempfile.TemporaryDirectory() as folder:
        bot = Bot(bot_program, folder)
        for number, game in enumerate(ROUNDS, 1):
            if number > 1 and record["history"][-1]["timestamp"] >= milliseconds(game.start):
                raise SystemExit(f"round {number} starts before the last one ends")
            record = play(bot, program, number, game)
            print(f"{number}: {record['game']}, {game.opener} and {game.opponent}: {record['status']} {record['winner'] or ''}")
        bot.finish()
        replace(Path(folder) / "state", ROOT / "state")


def replace(new, state):
    """Replaces the demonstration. If there are other games, their results are in the standings too, so those stay."""
    others = [path for path in state.glob("*.json") if path.stem.isdigit() and path.stem != "0"]
    if others:
        shutil.rmtree(new / "players")
        print("There are other games, so the standings stay as they are. Run `play-by-commit verify --standings state/0.json`.")
    obsolete = [*state.glob("archive/0-*.json"), *([] if others else state.glob("players/*.json"))]
    for path in obsolete:
        path.unlink()
    shutil.copytree(new, state, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
