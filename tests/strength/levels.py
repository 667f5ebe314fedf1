"""Plays each level of the computer against the one below.

    cargo build --release --locked
    python3 tests/strength/levels.py GAME [--config '{"boardSize":15,"kInRow":5}'] [--games 200] [--seed 1] [--plies 4]

GAME is a name as `/new` knows it. Each opening of random moves is played twice, with sides exchanged; dice fall as the seed
says, and the same for both games of a pair. Prints a table in Markdown, with the time that a move has taken on average and at
most. See docs/STRENGTH.md for results.
"""

# The series in docs/STRENGTH.md, all with seed 1:
#
#     tic-tac-toe --plies 1
#     tic-tac-toe --plies 2 --config '{"boardSize":5}'
#     tic-tac-toe --plies 3 --config '{"boardSize":15,"kInRow":5}'
#     ultimate-tic-tac-toe --levels 1234567
#     ultimate-tic-tac-toe --levels 78 --games 100
#     connect-four --levels 123456
#     connect-four --levels 678 --games 100
#     othello --levels 12345
#     othello --levels 56 --games 100
#     othello --levels 67 --games 60
#     othello --levels 78 --games 30
#     hex --plies 2 --config '{"swap":false}' --games 60
#     checkers --levels 1234567
#     checkers --levels 78 --games 30
#
# `--levels 01` includes level 0, in the games that have it.
# Connect four at level 8 takes long, because it solves openings that are not in its book.
# chess_uci.py plays chess, and backgammon.py plays backgammon.

import argparse
import json
import time

import table


def play(program, opening, levels, seed, clock):
    """The points of the first of two levels, which is on turn after the opening."""
    chance = table.chance(seed, "dice")
    moves = list(opening)
    answer = program.ask(moves=moves)
    sides = {answer["currentPlayer"]: 0}
    while answer["status"] == "playing":
        if not answer["legalMoves"]:
            moves.append({"dice": [chance.randint(1, 6), chance.randint(1, 6)]})
            answer = program.ask(moves=moves)
            continue
        whose = sides.setdefault(answer["currentPlayer"], 1)
        begun = time.perf_counter()
        answer = program.ask(moves=moves, choose={"level": levels[whose], "seed": seed * 1000 + len(moves)})
        spent = time.perf_counter() - begun
        count, total, most = clock.get(levels[whose], (0, 0, 0))
        clock[levels[whose]] = (count + 1, total + spent, max(most, spent))
        moves.append(answer["chosen"]["notation"])
        answer = program.ask(moves=moves)
    if answer["winner"] is None:
        return 0.5
    return 1 - sides[answer["winner"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--config", type=json.loads, default={})
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=4)
    parser.add_argument("--levels", default="12345678")
    parser.add_argument("--program", default=str(table.ROOT / "target/release/play-by-commit"))
    options = parser.parse_args()
    program = table.Program(options.program, options.game, options.config)
    print("| levels | games | result | score | ms a move, mean and most |\n| --- | --- | --- | --- | --- |")
    for low, high in zip(options.levels, options.levels[1:]):
        score, clock = table.Score(), {}
        for pair in range(options.games // 2):
            opening = program.opening(table.chance(options.seed, pair), options.plies)
            seed = options.seed * 100_000 + pair
            first = play(program, opening, (int(high), int(low)), seed, clock)
            second = 1 - play(program, opening, (int(low), int(high)), seed, clock)
            score.add(first, second)
        count, total, most = clock[int(high)]
        print(f"| {high} against {low} | {score.row()} | {1000 * total / count:.1f}, {1000 * most:.0f} |", flush=True)


if __name__ == "__main__":
    main()
