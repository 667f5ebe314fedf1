"""Compares every way to play a throw of backgammon with OpenSpiel's, in positions of random games.

    pip install open_spiel
    cargo build --release --locked
    python3 tests/oracle/backgammon.py [POSITIONS] [SEED] [PROGRAM]

10,000 positions by default, with target/release/play-by-commit. It says what it has compared, and ends with exit code 1 at
the first difference. No test and no other check needs this.

For each position with a throw the set of boards that it can be played to has to be the same on both sides. OpenSpiel
plays a double in two halves of two dice, which are put together here. Games are random; to meet bear-offs as well as long
waits on the bar, two thirds of the games avoid hits where they can, and the others prefer them.
"""

import json
import random
import subprocess
import sys

import pyspiel

POSITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
PROGRAM = sys.argv[3] if len(sys.argv) > 3 else "target/release/play-by-commit"
BATCH = 500
BAR, OFF = 100, 15


def checkers(state):
    """The board as the program writes it. OpenSpiel's player 0 moves up, as our black does."""
    points = [state.board(1, index) - state.board(0, index) for index in range(24)]
    bar = {"white": state.board(1, BAR), "black": state.board(0, BAR)}
    on = {"white": sum(c for c in points if c > 0), "black": -sum(c for c in points if c < 0)}
    off = {side: OFF - on[side] - bar[side] for side in bar}
    return {"board": points, "bar": bar, "borneOff": off}


def key(board):
    return json.dumps(board, sort_keys=True)


def results(state, player):
    """Every board that the throw leads to: until the other side is on turn, dice are thrown, or the game is over."""
    found = set()
    seen = set()
    todo = [state]
    while todo:
        here = todo.pop()
        for action in here.legal_actions():
            after = here.child(action)
            going_on = not after.is_terminal() and not after.is_chance_node() and after.current_player() == player
            board = key(checkers(after))
            if not going_on:
                found.add(board)
            elif board not in seen:
                seen.add(board)
                todo.append(after)
    return found


def dice(state):
    text = next(line for line in str(state).splitlines() if line.startswith("Dice: "))
    return [int(die) for die in text[6:] if die.isdigit()]


def positions():
    game = pyspiel.load_game("backgammon")
    while True:
        state = game.new_initial_state()
        hitter = random.random() < 0.33
        fresh = True
        # OpenSpiel breaks a game off after a thousand moves, even between the halves of a double.
        while not state.is_terminal() and state.move_number() < 900:
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(random.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
                fresh = True
                continue
            if fresh:
                yield state.clone()
                fresh = False
            actions = state.legal_actions()
            wanted = [a for a in actions if ("*" in state.action_to_string(state.current_player(), a)) == hitter]
            choice = random.choice(wanted or actions)
            player = state.current_player()
            state.apply_action(choice)
            fresh = not state.is_terminal() and not state.is_chance_node() and state.current_player() != player


def main():
    random.seed(SEED)
    source = positions()
    compared = boards = stuck = doubles = entering = bearing = 0
    while compared < POSITIONS:
        batch = [next(source) for _ in range(min(BATCH, POSITIONS - compared))]
        requests = []
        for index, state in enumerate(batch):
            mover = "black" if state.current_player() == 0 else "white"
            position = {**checkers(state), "activePlayer": mover, "dice": dice(state)}
            requests.append({"id": index, "game": "backgammon", "position": position, "results": True})
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        ran = subprocess.run([PROGRAM, "rules"], input=lines, capture_output=True, text=True, check=True)
        for state, request, line in zip(batch, requests, ran.stdout.splitlines(), strict=True):
            answer = json.loads(line)
            theirs = results(state, state.current_player())
            before = key({name: request["position"][name] for name in ("board", "bar", "borneOff")})
            ours = {key(board) for board in answer["results"]} if "results" in answer else None
            # Where nothing can be moved OpenSpiel passes, and the board stays as it was.
            same = ours == theirs or (ours == set() and theirs == {before})
            if not same or len(answer["legalMoves"]) != len(ours):
                print("DIFFERENT:", state, json.dumps(request), f"only ours: {sorted(ours - theirs)}", f"only theirs: {sorted(theirs - ours)}", sep="\n")
                sys.exit(1)
            compared += 1
            boards += len(ours)
            mover = request["position"]["activePlayer"]
            stuck += ours == set()
            doubles += len(set(request["position"]["dice"])) == 1
            entering += request["position"]["bar"][mover] > 0
            bearing += request["position"]["borneOff"][mover] > 0
    print(
        f"{compared} positions, {boards} resulting boards, no difference "
        f"({doubles} doubles, {entering} from the bar, {bearing} bearing off, {stuck} without a move; seed {SEED})"
    )


main()
