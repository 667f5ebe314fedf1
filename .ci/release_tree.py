"""A copy of this tree with a remote on this machine, for tests of a release."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
MATRIX = [{"suffix": "", "features": "", **entry} for entry in WORKFLOW["jobs"]["build"]["strategy"]["matrix"]["include"]]
ASSETS = {f"{entry['program']}-{entry['target']}{entry['suffix']}": entry["program"] for entry in MATRIX}
# The action downloads one of these, and hosts of a server one of those.
PROGRAMS = sorted(asset for asset, program in ASSETS.items() if program == "play-by-commit")
SERVERS = sorted(asset for asset, program in ASSETS.items() if program == "play-by-commit-server")
# Nobody's own settings of git.
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def ran(*command, cwd=None, **more):
    """Runs a command and returns its exit code and its whole output."""
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, **GIT, **more}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def git(folder, *command):
    """Returns what git prints; fails if git does."""
    made = ran("git", "-c", "user.name=a", "-c", "user.email=a@example.org", *command, cwd=folder)
    assert made.returncode == 0, made
    return made.stdout.strip()


def copy_tree(folder):
    """Copies this tree, with changes that aren't committed yet, and commits it to a new remote. Returns both folders."""
    origin, work = folder / "origin", folder / "work"
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(origin))
    git(folder, "init", "--quiet", "--initial-branch=main", str(work))
    for name in filter(None, git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")):
        if (ROOT / name).is_file():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, work / name)
    git(work, "remote", "add", "origin", f"file://{origin}")
    commit(work, "Begin")
    return origin, work


def commit(work, message):
    """Commits everything and pushes it to main."""
    git(work, "add", "--all")
    git(work, "commit", "--quiet", f"--message={message}")
    git(work, "push", "--quiet", "origin", "HEAD:main")


def unpack_action(origin, commit, folder):
    """Unpacks the archive of a commit that a runner downloads, and returns the folder."""
    archive = folder.with_suffix(".tar")
    git(origin, "archive", f"--output={archive}", commit)
    shutil.unpack_archive(archive, folder)
    return folder


def set_version(work, version):
    """Raises the version as CONTRIBUTING.md says."""
    manifest = work / "Cargo.toml"
    text, times = re.subn(r'(?m)^version = "[\d.]+"$', f'version = "{version}"', manifest.read_text())
    assert times == 1, "Cargo.toml should have one line with a version"
    manifest.write_text(text)
    commands = re.findall(r"`(cargo [^`]+)`", re.search(r"\n1\. Raise `version`.*?\n2\. ", releases_page(), re.S).group())
    assert commands, "CONTRIBUTING.md should say how to update the lock files"
    for command in commands:
        made = ran(*command.split(), cwd=work)
        assert made.returncode == 0, made
    commit(work, f"Raise the version to {version}")


def releases_page():
    """Returns the section on releases in CONTRIBUTING.md."""
    return (ROOT / "CONTRIBUTING.md").read_text().split("\n## Releases\n")[1].split("\n## ")[0]


def stand_ins(folder, *names):
    """Returns a PATH that has .ci/release-stand-in under these names."""
    folder.mkdir()
    for name in names:
        (folder / name).symlink_to(ROOT / ".ci/release-stand-in")
    return f"{folder}{os.pathsep}{os.environ['PATH']}"
