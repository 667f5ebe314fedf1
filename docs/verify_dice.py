#!/usr/bin/env python3
"""Proves the dice of a record of Play by Commit, as docs/DICE.md describes it: verify_dice.py state/42.json

The exit code is 0 when every throw is proved, 1 when one is false or can't be proved, 2 when there is no file to read.
It does not look at the moves, and it can't know whether a comment exists: compare the sources with the thread.
"""

import hashlib
import hmac
import json
import re
import struct
import sys

DOMAIN = b"play-by-commit/dice/throw/1"


def throw(key, round_, number, issue, comment):
    """The number-th throw of the round, caused by that comment."""
    dice, block = [], 0
    while True:
        message = DOMAIN + struct.pack(">IIQQI", round_, number, issue, comment, block)
        for byte in hmac.new(key, message, hashlib.sha256).digest():
            if byte < 252:
                dice.append(byte % 6 + 1)
            if len(dice) == 2:
                return dice
        block += 1


def digits(event, field):
    """The 32 bytes that a field holds, or nothing if it does not hold them."""
    text = event.get(field)
    return bytes.fromhex(text) if isinstance(text, str) and re.fullmatch("[0-9a-f]{64}", text) else None


def throws(event):
    """The throws that an event brought about, among what followed `then`."""
    return [what["throw"] for what in event.get("then", []) if "throw" in what.keys()]


def verify(record):
    """Prints a line a claim; returns how many are not true."""
    history = record["history"]
    commitment, key = digits(history[0], "commitment"), digits(history[-1], "key")
    if commitment is None:
        print("not proved: the first event has no commitment; the table was opened without a dice-secret")
        return 1
    if key is None:
        print("not proved: the last event has no key; the round goes on, or was aborted without it")
        return 1
    faults = 0 if hashlib.sha256(key).digest() == commitment else 1
    print("FALSE: the commitment is not the SHA-256 of the key" if faults else "proved: the key is the one of the commitment")
    number = 0
    for event in history:
        issue, comment = event["source"]["issue"], event["source"]["comment"]
        for dice in throws(event):
            number += 1
            right = throw(key, record["round"], number, issue, comment)
            # Compared as text, because Python takes true and 1.0 for 1.
            true = json.dumps(dice) == json.dumps(right)
            verdict = "proved" if true else "FALSE: it must be {}-{}".format(*right)
            print(f"throw {number}, issue {issue}, comment {comment}: {json.dumps(dice)} {verdict}")
            faults += not true
    print(f"{number} throws, {faults} faults")
    return faults


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            faults = verify(json.load(file))
    except OSError as error:
        sys.exit(print(error, file=sys.stderr) or 2)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError, struct.error) as error:
        faults = print(f"FALSE: this is no record: {error!r}") or 1
    sys.exit(1 if faults else 0)
