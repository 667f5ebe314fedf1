"""Plays the computer's backgammon against GNU Backgammon's nets, pubeval, a random player or another level.

    pip install gnubg-nn==1.1.0a11
    cargo build --release --locked --package training
    python3 tests/strength/backgammon.py WHO OPPONENT PAIRS SEED [--luck] [--program PROGRAM] [--nets FOLDER]

WHO is a level from 1 to 8, or 0 for the nets alone, which look at nothing but the boards after each play. OPPONENT is
`gnubg` (its 0-ply, in this process), `pubeval`, `random`, or a number like WHO. Games are without the cube; a gammon counts
two points, a backgammon three.

The dice of each game are played twice, with the sides exchanged; a pair is one observation. With --luck the points are also
given without the luck of the dice: what each throw was better than a throw in the mean, as our nets see it, is taken off.
That has the same mean, whatever the nets are worth, and less noise. An interval is 1.96 standard errors.
"""

# The series in docs/STRENGTH.md, with --luck:
#
#     8 gnubg 50 SEED      seeds 5000 to 5099: 10,000 games; 7,000 of them by a build for the machine's own processor,
#                          which chooses the same plays
#     0 gnubg 5000 2       the nets alone
#     0 pubeval 300 1
#     0 random 50 1
#     7 gnubg 60 1         and so on down to level 1
#     8 7 100 5            and so on down to 2 against 1, without --luck. The lower level loses 54.0, 60.5, 63.5, 55.5, 64.0,
#                          56.5 and 67.0 % of the games
#
# An earlier series, 8 gnubg 150 3, gave -0.090 +- 0.149, and +0.033 +- 0.030 with the luck removed.
#
# Nets made again by training/make.sh on another machine:
#
#     0 0 500 9 --luck --nets FOLDER/3 --their-nets crates/games/src/backgammon/computer/weights    +0.010 +- 0.015 in 1,000 games
#     8 gnubg 50 7100 --luck --nets FOLDER/3                                               +0.072 +- 0.053 in 100 games

import argparse
import math
import random
import statistics
import subprocess
import sys

ROOT = __file__.rsplit("/tests/", 1)[0]
START = [0] * 25
for point, count in ((6, 5), (8, 3), (13, 5), (24, 2)):
    START[point - 1] = count


class Ours:
    """The program, asked line by line."""

    def __init__(self, program, nets):
        command = [program, "serve"] + ([nets] if nets else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()

    def play(self, who, own, theirs, dice):
        numbers = list(map(int, self.ask("play", who, *dice, *own, *theirs)))
        return numbers[:25], numbers[25:]

    def luck(self, own, theirs, dice):
        return float(self.ask("luck", *dice, *own, *theirs)[0])


def moved(own, theirs, steps):
    """The board after steps of one checker each; points from 0, the bar is 24, the tray is below 0."""
    own, theirs = list(own), list(theirs)
    for source, target in steps:
        own[source] -= 1
        if target >= 0:
            own[target] += 1
            if target < 24 and theirs[23 - target] == 1:
                theirs[23 - target] = 0
                theirs[24] += 1
    return own, theirs


def gnubg(own, theirs, dice):
    import gnubg_nn

    key = gnubg_nn.best_move([theirs, own], *dice, 0, b=1)[1]
    after = gnubg_nn.board_from_position_key(key)
    return list(after[0]), list(after[1])


def pubeval(own, theirs, dice):
    import gnubg_nn

    steps = gnubg_nn.pub_best_move([theirs, own], *dice)
    return moved(own, theirs, zip(steps[::2], steps[1::2]))


def at_random(own, theirs, dice):
    import gnubg_nn

    keys = gnubg_nn.moves([theirs, own], *dice)
    if not keys:
        return own, theirs
    after = gnubg_nn.board_from_position_key(AT_RANDOM.choice(sorted(keys)))
    return list(after[1]), list(after[0])


AT_RANDOM = random.Random(0)


def worth(loser):
    """What a game costs its loser."""
    if sum(loser) < 15:
        return 1
    return 3 if any(loser[18:]) else 2


def game(players, first, throws, luck):
    """The points of player 0, and the same without luck."""
    boards = [list(START), list(START)]
    turn, points, lucky = first, 0, 0.0
    while True:
        dice = next(throws)
        own, theirs = boards[turn], boards[1 - turn]
        if luck:
            lucky += luck(own, theirs, dice) * (1 if turn == 0 else -1)
        boards[turn], boards[1 - turn] = players[turn](own, theirs, dice)
        if not any(boards[turn]):
            points = worth(boards[1 - turn]) * (1 if turn == 0 else -1)
            return points, points - lucky
        turn = 1 - turn


def throws(seed):
    dice = random.Random(seed)
    throw = [1, 1]
    while throw[0] == throw[1]:
        throw = [dice.randint(1, 6), dice.randint(1, 6)]
    while True:
        yield throw
        throw = [dice.randint(1, 6), dice.randint(1, 6)]


def told(what, values):
    mean = statistics.fmean(values)
    error = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{what} {mean:+.4f} ± {error:.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("who", type=int)
    parser.add_argument("opponent")
    parser.add_argument("pairs", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--luck", action="store_true")
    parser.add_argument("--program", default=f"{ROOT}/target/release/training")
    parser.add_argument("--nets", help="a folder with other nets")
    parser.add_argument("--their-nets", help="a folder with the opponent's nets, where it is a number")
    options = parser.parse_args()
    ours = Ours(options.program, options.nets)
    others = {"gnubg": gnubg, "pubeval": pubeval, "random": at_random}
    opponent = others.get(options.opponent)
    if not opponent:
        them = Ours(options.program, options.their_nets)
        opponent = lambda *at: them.play(options.opponent, *at)
    players = [lambda *at: ours.play(options.who, *at), opponent]
    luck = ours.luck if options.luck else None
    plain, fair, won = [], [], 0
    for number in range(options.pairs):
        seed = f"{options.seed}/{number}"
        results = [game(players, first, throws(seed), luck) for first in (0, 1)]
        plain.append(statistics.fmean(result[0] for result in results))
        fair.append(statistics.fmean(result[1] for result in results))
        won += sum(result[0] > 0 for result in results)
        if (number + 1) % max(5, options.pairs // 20) == 0 or number + 1 == options.pairs:
            line = f"{number + 1} pairs, {100 * won / (2 * number + 2):.1f} % won, {told('points a game', plain)}"
            print(line + (f", {told('without luck', fair)}" if luck else ""), flush=True)


if __name__ == "__main__":
    main()
