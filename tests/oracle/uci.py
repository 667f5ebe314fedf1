"""Plays fast games of the program against itself through UCI, driven by python-chess, and tries what a driver does besides.

    pip install chess
    cargo build --release --locked
    python3 tests/oracle/uci.py [GAMES] [SEED] [PROGRAM]

1,000 games by default, with target/release/play-by-commit, at any of the eight levels, by nodes, depth, time a move, or, one in
forty, by the clock; a quarter are Chess960. It ends with exit code 1 at an illegal move, a crash, or an answer that takes a
minute, and after all games if one was lost on time; so it wants a machine that is not busy with other things. Between the games it analyses, stops, sends what is no command, sends positions that are none, and quits
and starts again. No test and no other check needs this.
"""

import random
import subprocess
import sys
import time
from collections import Counter

import chess
import chess.engine

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
# The clock of each side and what a move adds, and what a move of a fixed time may take longer, in seconds.
CLOCK, MORE, LATE = 4.0, 0.1, 0.5

BAD = [
    "",
    "hello",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position startpos moves e2e5",
    "position fen nonsense",
    "joho debug on",
    "setoption name Level value 99",
    "setoption name Nothing value 1",
    "setoption",
    "x" * 100_000,
    "\u265e \u0000 \u202e",
    "stop",
    "ponderhit",
]


def started(level, seed):
    engine = chess.engine.SimpleEngine.popen_uci([PROGRAM, "uci"], timeout=60)
    engine.configure({"Level": level, "Seed": seed})
    return engine


def game(engines, board, manner, chance, seen):
    """Plays a game; the clock is ours."""
    key, clock = object(), {chess.WHITE: CLOCK, chess.BLACK: CLOCK}
    nodes = chance.choice([1, 20, 200, 1000])
    while not board.is_game_over(claim_draw=True):
        limit = {
            "nodes": chess.engine.Limit(nodes=nodes),
            "depth": chess.engine.Limit(depth=chance.choice([1, 2, 3])),
            "time": chess.engine.Limit(time=0.02),
            "clock": chess.engine.Limit(
                white_clock=clock[chess.WHITE], black_clock=clock[chess.BLACK], white_inc=MORE, black_inc=MORE
            ),
        }[manner]
        begun = time.perf_counter()
        # SimpleEngine raises what is illegal, and a process that has ended.
        move = engines[board.turn].play(board, limit, game=key).move
        spent = time.perf_counter() - begun
        if move not in board.legal_moves:
            raise SystemExit(f"{move} is not legal: {board.fen()}")
        if manner == "clock":
            clock[board.turn] -= spent
            clock[board.turn] += MORE
        if (manner == "clock" and clock[board.turn] <= MORE) or (manner == "time" and spent > 0.02 + LATE):
            seen["lost on time"] += 1
            print(f"late by {manner}: {spent:.2f} s for a move, after {len(board.move_stack)} plies", file=sys.stderr, flush=True)
            return
        board.push(move)
        seen["plies"] += 1
    seen[board.result(claim_draw=True)] += 1


def besides(engine, board, chance, seen):
    """What a driver does besides playing."""
    info = engine.analyse(board, chess.engine.Limit(nodes=2000))
    if info["pv"][0] not in board.legal_moves or "score" not in info:
        raise SystemExit(f"an analysis without a line: {info}")
    # Without a limit it thinks until it is stopped, or has thought enough and waits for that.
    with engine.analysis(board) as analysis:
        time.sleep(0.02)
        analysis.stop()
        best = analysis.wait()
    if best.move not in board.legal_moves:
        raise SystemExit(f"stopped, it plays {best.move}: {board.fen()}")
    # Only these moves, and with the expected reply a search in the opponent's time.
    roots = chance.sample(list(board.legal_moves), min(3, board.legal_moves.count()))
    played = engine.play(board, chess.engine.Limit(nodes=500), root_moves=roots, ponder=True)
    if played.move not in roots:
        raise SystemExit(f"{played.move} is none of {roots}: {board.fen()}")
    after = board.copy()
    after.push(played.move)
    if played.ponder and played.ponder not in after.legal_moves:
        raise SystemExit(f"it expects {played.ponder}: {after.fen()}")
    if played.ponder and chance.random() < 0.5:
        # The expected reply is a hit, and any other ends the search.
        after.push(played.ponder)
        seen["hits"] += 1
    elif list(after.legal_moves):
        after.push(chance.choice(list(after.legal_moves)))
    if list(after.legal_moves):
        move = engine.play(after, chess.engine.Limit(nodes=500)).move
        if move not in after.legal_moves:
            raise SystemExit(f"after pondering it plays {move}: {after.fen()}")
    engine.ping()
    seen["analyses"] += 2


def bad_input(seen):
    """Sends meaningless lines. Each gets at most one line in reply, and each `go` gets its move."""
    goes = ["go nodes many", "go searchmoves e2e5 nodes 5", "go movetime 20.5", "go wtime -5 btime -5.5", "go ponder nodes 5\nstop"]
    lines = "\n".join(["uci", *BAD, "isready", "position startpos", *goes, "then go nodes 100", "quit"]) + "\n"
    ran = subprocess.run([PROGRAM, "uci"], input=lines.encode(), capture_output=True, timeout=60)
    said = ran.stdout.decode()
    moves = [line for line in said.splitlines() if line.startswith("bestmove ")]
    if ran.returncode != 0 or ran.stderr or "readyok" not in said or len(moves) != len(goes) + 1:
        raise SystemExit(f"bad input: {ran}")
    seen["bad lines"] += len(BAD) + len(goes)


def spoiled(board, chance):
    """Returns a FEN of this position as a careless program writes it. python-chess still reads it correctly."""
    pieces, side, rights, passed, clock, number = board.fen(en_passant="fen").split()
    if not board.chess960 and board.king(chess.WHITE) == chess.E1 and board.king(chess.BLACK) == chess.E8:
        # `K` means the outermost rook, so only rights without any rook are dropped by every program.
        empty = [letter for letter, rank, corner in [("K", chess.BB_RANK_1, 7), ("k", chess.BB_RANK_8, 63)]
                 if not board.rooks & rank & board.occupied_co[letter == "K"]]
        rights = (rights.replace("-", "") + "".join(empty)) or "-"
    if number == "1":
        number = "0"
    fields = [pieces, side, rights, passed, clock, number]
    return " ".join(fields[: chance.choice([4, 5, 6])])


def imperfect(board, chance, seen):
    """Compares the moves of a carelessly written position with python-chess: a move is the answer if it's the only one allowed."""
    fen = spoiled(board, chance)
    if not chess.Board(fen, chess960=board.chess960).is_valid():
        return
    moves = list(chess.Board(fen, chess960=board.chess960).legal_moves)
    option = f"setoption name UCI_Chess960 value {str(board.chess960).lower()}"
    lines = [option, f"position fen {fen}"] + [f"go depth 1 searchmoves {move}" for move in moves]
    ran = subprocess.run([PROGRAM, "uci"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60)
    best = [line.split()[1] for line in ran.stdout.splitlines() if line.startswith("bestmove ")]
    if best != [str(move) for move in moves]:
        raise SystemExit(f"{fen}: {best}, not {moves}")
    seen["careless positions"] += 1


def main():
    chance, seen, begun = random.Random(SEED), Counter(), time.perf_counter()
    levels = [1, 2]
    engines = [started(level, SEED) for level in levels]
    for number in range(GAMES):
        if number % 25 == 0:
            for engine in engines:
                engine.quit()
                seen["quits"] += engine.returncode.result(60) == 0
            levels = [chance.randint(1, 8), chance.randint(1, 8)]
            engines = [started(level, chance.randrange(1 << 30)) for level in levels]
            bad_input(seen)
        board = chess.Board.from_chess960_pos(chance.randrange(960)) if number % 4 == 3 else chess.Board()
        for _ in range(chance.randrange(6)):
            board.push(chance.choice(list(board.legal_moves)))
        besides(engines[0], board, chance, seen)
        imperfect(board, chance, seen)
        manner = "clock" if number % 40 == 20 else ["nodes", "depth", "nodes", "time"][number // 4 % 4]
        seen[f"by {manner}"] += 1
        game(engines, board, manner, chance, seen)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} games, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    for engine in engines:
        engine.quit()
        seen["quits"] += engine.returncode.result(60) == 0
    if seen["quits"] != 2 * (2 + (GAMES - 1) // 25):
        raise SystemExit("a process has not ended by itself, and with 0")
    lost = seen.pop("lost on time", 0)
    told = ", ".join(f"{what} {count}" for what, count in sorted(seen.items()))
    print(f"{GAMES} games in {time.perf_counter() - begun:.0f} s, no illegal move, no crash, {lost} lost on time. {told}")
    sys.exit(lost > 0)


main()
