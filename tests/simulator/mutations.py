#!/usr/bin/env python3
"""Breaks the protocol on purpose, one way after the other, and says within how many stories the simulator notices.

    tests/simulator/mutations.py [--seeds N] [--check] [NAME ...]

Each file in `tests/simulator/mutations/` is one way to break it: a sentence, how that was noticed, then one or more replacements
in the sources. The replacements are made in a scratch copy below `target/mutations`, which is built and told stories until one ends
badly, or walks the small worlds if one of them noticed it. Those that stories don't notice are left out, unless they are named.
`--check` only says whether every replacement still fits the sources.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTATIONS = ROOT / "tests/simulator/mutations"
SCRATCH = ROOT / "target/mutations"
COPIED = ["Cargo.toml", "Cargo.lock", "action.yml", "clippy.toml", "src", "crates", "training", "tests", "benches", "fuzz/targets", "README.md", "ARCHITECTURE.md"]


def read(file):
    """The sentence of a mutation, how it was noticed, and its replacements: (path, old text, new text)."""
    parts = re.split(r"^=== (.*)\n", file.read_text(), flags=re.M)
    changes = []
    for path, text in zip(parts[1::2], parts[2::2]):
        old, new = text.split("\n---\n")
        changes.append((path.strip(), old.strip("\n"), new.strip("\n")))
    sentence, noticed = parts[0].splitlines()[:2]
    return sentence, noticed, changes


def misfit(changes):
    for path, old, _ in changes:
        count = (ROOT / path).read_text().count(old)
        if count != 1:
            return f"{path} holds this {count} times, not once:\n{old}"
    return None


def copy():
    SCRATCH.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        source, target = ROOT / name, SCRATCH / name
        if source.is_dir():
            # Files that have not changed keep their times, so that little has to be built anew.
            for file in source.rglob("*"):
                place = target / file.relative_to(source)
                if file.is_file() and (not place.exists() or place.read_bytes() != file.read_bytes()):
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(file, place)
        elif source.exists() and (not target.exists() or target.read_bytes() != source.read_bytes()):
            shutil.copyfile(source, target)


def build(changes):
    """Builds the simulator with these changes; `None` if that fails, else the folder of the programs."""
    copy()
    for path, old, new in changes:
        file = SCRATCH / path
        file.write_text(file.read_text().replace(old, new))
    # Builds of one mutation after the other differ by a few lines.
    environment = dict(os.environ, CARGO_INCREMENTAL="1", CARGO_TARGET_DIR=os.environ.get("MUTATIONS_TARGET", str(SCRATCH / "target")))
    command = ["cargo", "build", "--quiet", "--locked", "--profile", "test", "--package", "play-by-commit-testkit", "--example", "simulate", "--example", "small_worlds"]
    if subprocess.run(command, cwd=SCRATCH, env=environment).returncode:
        return None
    return pathlib.Path(environment["CARGO_TARGET_DIR"]) / "debug/examples"


def tell(programs, seeds):
    """The story in which the simulator noticed, and what was wrong; `None` if it didn't."""
    told = subprocess.run([programs / "simulate", "--until-bad", f"0..{seeds}"], capture_output=True, text=True)
    found = re.search(r"^seed (\d+): (.*)", told.stdout, flags=re.M)
    return found and f"story {int(found[1]) + 1}: {found[2][:100]}"


def walk(programs, noticed):
    """The first world with a violation, the steps of the shortest trace, and the violation; `None` if there is no such world. Walks
    only the world that noticed it, if the file names it."""
    named = re.search(r"small world of (.*), after", noticed)
    worlds = [named[1], f"{named[1]}, faults"] if named else ["--long"]
    told = subprocess.run([programs / "small_worlds", "--states", "400000", *worlds], capture_output=True, text=True)
    found = re.search(r"^after (\d+) steps: (.*)", told.stdout, flags=re.M | re.S)
    if not found:
        return None if told.returncode == 0 else "a panic"
    world = re.findall(r"^(.*): \d+ states", told.stdout, flags=re.M)[-1]
    return f"{world}, {found[1]} steps: {found[2][:100]}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seeds", type=int, default=12000, help="give up after so many stories")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("names", nargs="*")
    arguments = arguments.parse_args()
    missed = 0
    for file in sorted(MUTATIONS.glob("*.txt")):
        if arguments.names and file.stem not in arguments.names:
            continue
        sentence, noticed, changes = read(file)
        wrong = misfit(changes)
        if wrong:
            print(f"{file.stem}: does not fit. {wrong}")
            missed += 1
        elif not arguments.check and (arguments.names or not noticed.startswith("Not noticed")):
            programs = build(changes)
            if programs:
                what = walk(programs, noticed) if "small world" in noticed else tell(programs, arguments.seeds)
            else:
                what = "does not build"
            missed += what is None or programs is None
            print(f"| {file.stem} | {sentence} | {what or 'not noticed'}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
