"""A copy of the action on a runner of its own, with stand-ins for every program, for .ci/action-test."""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import action_web as net
import yaml
from release_tree import PROGRAMS, ROOT

LOADER = SourceFileLoader("composite", str(ROOT / ".ci/composite"))
composite = module_from_spec(spec_from_loader("composite", LOADER))
LOADER.exec_module(composite)

SCRATCH = Path(tempfile.mkdtemp())
HARM = SCRATCH / "harm"
BASH = shutil.which("bash")
TAG, REPOSITORY = "v1.2.3", "play-by-commit/play-by-commit"
TARGETS = {
    ("Linux", "X64"): "play-by-commit-x86_64-unknown-linux-musl",
    ("Linux", "ARM64"): "play-by-commit-aarch64-unknown-linux-musl",
    ("macOS", "X64"): "play-by-commit-x86_64-apple-darwin",
    ("macOS", "ARM64"): "play-by-commit-aarch64-apple-darwin",
    ("Windows", "X64"): "play-by-commit-x86_64-pc-windows-msvc.exe",
}
ASSET = TARGETS["Linux", "X64"]
PAINTER = f"{ASSET}-previews"
assert {*TARGETS.values(), PAINTER} == {*PROGRAMS}, "the release workflow builds other programs"
TOKEN, SECRET = "ghs_NobodyMaySeeThis", "dice-NobodyMaySeeThis"
# Every input that only the program reads, with a value that would do harm if anything ran it or split it.
INPUTS = {
    name: f"{name} $(touch {HARM}) `touch {HARM}`; 'x' \"y\""
    for name in yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    if name not in ("token", "dice-secret", "release-url", "verify-attestation", "site")
}
OUTPUTS = {
    "game": "tic-tac-toe", "status": "won", "applied": "1", "refused": "2", "commit": "0" * 40,
    "result": "Tic-tac-toe: alice (X) won.", "winner": "alice", "players": "alice bob", "url": "https://github.com/octo/games/issues/1",
}

# The stand-in for the program. It starts no other program, because it has the secrets.
PROGRAM = f"""#!{BASH}
echo "PROGRAM ${{0##*/}} with: $*"
for name in $(compgen -e PLAY_BY_COMMIT_); do echo "$name=${{!name}}"; done
printf '%s\\n' {" ".join(shlex.quote(f"{name}={value}") for name, value in OUTPUTS.items())} >>"$GITHUB_OUTPUT"
# {"padding " * 500}
""".encode()
SUM = hashlib.sha256(PROGRAM).hexdigest()

CARGO = """while [[ $1 != --target-dir ]]; do shift; done
mkdir -p "$2/release"
cp "$PROGRAM" "$2/release/play-by-commit"
"""


class Case:
    """A new copy of the action on a new runner. `tools` are the runner's programs besides the usual ones."""

    def __init__(self, name, tools=("curl", "wget")):
        self.name, self.complaints, self.environ, self.inputs, self.path = name, [], {}, dict(INPUTS), None
        self.folder = Path(tempfile.mkdtemp(dir=SCRATCH))
        self.action, self.runner, self.bin = self.folder / "action", self.folder / "runner", self.folder / "bin"
        self.temp, self.cache = self.runner / "temp", self.runner / "tools"
        self.watched, self.event = self.folder / "watched", "schedule"
        (self.action / ".github").mkdir(parents=True)
        (self.action / "src").mkdir()
        for source in ("Cargo.toml", "Cargo.lock", "src/main.rs"):
            (self.action / source).write_text(f"# {source}\n")
        self.bin.mkdir()
        shutil.copy(ROOT / "action.yml", self.action)
        for script in ("action.sh", "build-key.sh"):
            shutil.copy(ROOT / ".github" / script, self.action / ".github")
        (self.folder / "program").write_bytes(PROGRAM)
        for tool in ("chmod", "cp", "find", "mkdir", "mktemp", "mv", "rm", "sha256sum", "shasum", "sort", *tools):
            if where := shutil.which(tool):
                self.stand_in(tool, f'exec {where} "$@"')
        self.stand_in("sleep", "")
        (self.bin / "bash").symlink_to(BASH)

    def stand_in(self, tool, script):
        """A program that logs its arguments and its environment."""
        path = self.bin / tool
        says = f'for name in $(compgen -e); do printf "%s\\n" "{tool} $name=${{!name}}"; done >>{self.watched}'
        # On Linux, the initial environment of the parent shell is readable, too.
        says += (
            f'\nif [[ -r /proc/$PPID/environ ]]; then while IFS= read -r -d "" line; do printf "%s\\n" "parent of {tool} $line"; '
            f"done </proc/$PPID/environ >>{self.watched}; fi"
        )
        path.write_text(f'#!{BASH}\n{says}\necho "{tool} $*" >>{self.watched}\n{script}\n')
        path.chmod(0o755)

    def bundle(self, asset=ASSET):
        (self.action / "bin").mkdir()
        (self.action / "bin" / asset).write_bytes(PROGRAM)  # Not executable, as if an archive had lost the mode.
        return self

    def release(self, url=None, change=lambda text: text):
        """Turns the action into a release. `url` is the address of the assets, if it isn't github.com."""
        source = (self.action / "action.yml").read_bytes()
        made = subprocess.run([ROOT / ".github/release/action"], check=True, input=source, stdout=subprocess.PIPE)
        (self.action / "action.yml").write_bytes(made.stdout)
        assets = self.folder / "assets"
        assets.mkdir(exist_ok=True)
        for asset in TARGETS.values():
            (assets / asset).write_bytes(PROGRAM)
        # With different bytes, so the test can tell them apart.
        (assets / PAINTER).write_bytes(PROGRAM + b"# It paints.\n")
        made = subprocess.run(
            [ROOT / ".github/release/manifest", REPOSITORY, TAG, assets], check=True, stdout=subprocess.PIPE, text=True
        )
        text = change(made.stdout + (f"url {url}\n" if url else ""))
        (self.action / "release.txt").write_bytes(text.encode())
        return self

    def serve(self, *answers, certificate=None, **release):
        """A release on a local server that gives these answers, one for each request."""
        self.web = net.Web(certificate)
        self.web.at[f"/{TAG}/{ASSET}"] = list(answers)
        return self.release(None if certificate else self.web.base, **release)

    def cargo(self, script=CARGO):
        self.environ["PROGRAM"] = str(self.folder / "program")
        self.stand_in("cargo", script)
        return self

    def kept(self):
        return self.cache / "play-by-commit" / TAG / SUM / ASSET

    def variables(self):
        return {"PATH": str(self.bin), "HOME": str(self.folder), **self.environ}

    def run(self, system="Linux", arch="X64"):
        inputs = {"token": TOKEN, "dice-secret": SECRET, **self.inputs}
        ran = composite.run(
            str(self.action), inputs, event_name=self.event, runner=str(self.runner), system=system, arch=arch,
            environ=self.variables(), cwd=self.folder, path=self.path,
        )
        self.time, self.log, self.exit, self.outputs = ran["milliseconds"], ran["log"], ran["exit"], ran["outputs"]
        self.errors = [said["message"] for said in ran["commands"] if said["command"] == "error"]
        self.warnings = [said["message"] for said in ran["commands"] if said["command"] == "warning"]
        for said in self.errors + self.warnings:
            line = re.sub(r"[\r\n<>]", " ", said)
            self.holds(f":** {line}\n" in ran["summary"], f"the summary lacks: {said}")
        self.started = self.watched.read_text() if self.watched.exists() else ""
        for line in self.started.splitlines():
            if SECRET in line or (TOKEN in line and line != f"gh GH_TOKEN={TOKEN}"):
                self.complain(f"a secret leaked: {line}")
        if TOKEN in self.log.split("PROGRAM")[0] or HARM.exists():
            self.complain("the step printed the token, or ran a value as a script")
        return self

    def complain(self, why):
        self.complaints.append(why)

    def holds(self, what, why):
        if not what:
            self.complain(why)
        return self

    def runs(self, name=ASSET, warnings=0):
        """Checks that the program ran with all its inputs, and that the action has its outputs."""
        self.holds(self.exit == 0 and f"PROGRAM {name} with: run\n" in self.log, f"{name} didn't run")
        for given, value in {**self.inputs, "token": TOKEN, "dice-secret": SECRET}.items():
            variable = "PLAY_BY_COMMIT_" + given.upper().replace("-", "_")
            self.holds(f"{variable}={value}\n" in self.log, f"the program didn't get the input {given}")
        self.holds(self.outputs == OUTPUTS, f"the outputs are {self.outputs}")
        self.holds((self.errors, len(self.warnings)) == ([], warnings), "it complained")
        return self

    def warns(self, words):
        return self.holds(words in "".join(self.warnings), f"no warning contains: {words}")

    def refused(self, *words):
        """Checks that the step failed with one error that contains these words, and ran and built nothing."""
        self.holds(self.exit == 1 and "PROGRAM" not in self.log and "cargo build" not in self.started, "it didn't stop")
        self.holds(len(self.errors) == 1, f"{len(self.errors)} errors")
        for word in words:
            self.holds(self.errors and word in self.errors[0], f"the error lacks: {word}")
        return self

    def fails(self, *words):
        """Checks the same, and that no part of a download remains."""
        self.refused(*words)
        left = [path for folder in (self.temp, self.cache) for path in folder.rglob("play-by-commit*") if path.is_file()]
        return self.holds(not left, f"these files remain: {left}")

    def asked(self, times):
        return self.holds(len(self.web.asked) == times, f"the server got {len(self.web.asked)} requests, not {times}")
