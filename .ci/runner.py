"""Runs steps as a runner of GitHub Actions would: the scripts, the expressions, and the files and commands of a step."""

import os
import re
import subprocess
import time


class Unknown(Exception):
    """A feature that a runner may know and this module doesn't."""


# A missing name in these contexts is empty, as on a runner. In the others it's a typo.
SPARSE = ("steps",)


def run_steps(steps, context, base, folder, cwd=None, use=None):
    """Runs the steps and returns the results that .ci/composite describes, without the outputs.

    Adds the steps' outputs to `context["steps"]`, and new variables to `context["env"]`. `base` is the environment, `folder`
    takes the scripts and files of the steps, and `use(action, inputs)` runs another action. It returns a log line and outputs.
    """
    result = {"exit": 0, "milliseconds": 0, "summary": "", "commands": [], "log": ""}
    more, paths = {}, []
    for number, step in enumerate(steps):
        for key in step:
            if key not in ("id", "name", "if", "shell", "env", "run", "uses", "with"):
                raise Unknown(f"a step has the key {key}")
        if not holds(step.get("if", "success()"), context, result["exit"] == 0):
            continue
        if "uses" in step:
            values = {name: evaluated(text(value), context) for name, value in step.get("with", {}).items()}
            said, outputs = use(step["uses"], values)
            result["log"] += said + "\n"
            if "id" in step:
                context["steps"][step["id"]] = {"outputs": outputs}
            continue
        files = {}
        for name in ("ENV", "OUTPUT", "PATH", "STEP_SUMMARY", "STATE"):
            files[name] = os.path.join(folder, f"{name.lower()}_{number}")
            open(files[name], "w", encoding="utf-8").close()
        variables = {**base, **more}
        variables.update({f"GITHUB_{name}": path for name, path in files.items()})
        variables.update({name: evaluated(text(value), context) for name, value in (step.get("env") or {}).items()})
        variables["PATH"] = os.pathsep.join([*reversed(paths), variables.get("PATH", "")])
        script = os.path.join(folder, f"step_{number}.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(evaluated(step["run"], context) + "\n")
        began = time.monotonic()
        ran = subprocess.run(
            [*shell(step.get("shell")), script],
            env=variables, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        result["milliseconds"] += round((time.monotonic() - began) * 1000, 1)
        log = ran.stdout.decode("utf-8", "replace")
        result["log"] += log
        result["commands"] += commands(log)
        result["summary"] += read(files["STEP_SUMMARY"])
        more.update(assignments(read(files["ENV"])))
        context.setdefault("env", {}).update(more)
        paths += read(files["PATH"]).splitlines()
        if "id" in step:
            context["steps"][step["id"]] = {"outputs": assignments(read(files["OUTPUT"]))}
        result["exit"] = result["exit"] or ran.returncode
    return result


def shell(name):
    """Returns the command of a shell. Without a name, a runner uses bash, too, but doesn't stop at a failure in a pipe."""
    if name not in (None, "bash"):
        raise Unknown(f"the shell {name}")
    return ["bash", "--noprofile", "--norc", "-eo", "pipefail"] if name else ["bash", "-e"]


def evaluated(template, context):
    """Returns a text with its expressions replaced."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: text(value_of(match.group(1), context)), template)


def holds(condition, context, well):
    """Whether a step runs. `well` says whether all steps before it succeeded."""
    if "always()" not in condition and not well:
        return False
    return bool(value_of(condition, context, well))


def value_of(expression, context, well=True):
    """Returns the value of an expression. It knows names, texts, ==, !=, &&, and these four functions."""
    functions = {
        "always": lambda: True,
        "success": lambda: well,
        "endsWith": lambda words, end: words.lower().endswith(end.lower()),
        "format": lambda words, *values: re.sub(r"\{(\d+)\}", lambda match: values[int(match.group(1))], words),
    }
    tokens = re.findall(r"'(?:[^']|'')*'|[\w.-]+|==|!=|&&|\S", expression)

    def item():
        token = tokens.pop(0)
        if token[0] == "'":
            return token[1:-1].replace("''", "'")
        if tokens[:1] != ["("]:
            return named(token, context)
        tokens.pop(0)
        values = []
        while tokens[0] != ")":
            if values and tokens.pop(0) != ",":
                raise IndexError
            values.append(both())
        tokens.pop(0)
        return functions[token](*values)

    def compared():
        left = item()
        if tokens[:1] in (["=="], ["!="]):
            is_equal = tokens.pop(0) == "=="
            return (text(left).lower() == text(item()).lower()) == is_equal
        return left

    def both():
        left = compared()
        while tokens[:1] == ["&&"]:
            tokens.pop(0)
            right = compared()
            left = left and right
        return left

    try:
        value = both()
    except (IndexError, KeyError, TypeError) as error:
        raise Unknown(f"the expression {expression.strip()}") from error
    if tokens:
        raise Unknown(f"the expression {expression.strip()}")
    return value


def named(path, context):
    """Returns a text from a context, such as that of `inputs.token`."""
    if not re.fullmatch(r"[a-z]+(\.[A-Za-z_][\w-]*)+", path):
        raise Unknown(f"the expression {path}")
    at = context
    for name in path.split("."):
        if name not in at and (at is context or path.split(".")[0] not in SPARSE):
            raise Unknown(f"the name {path}")
        at = at.get(name, {})
    return at if isinstance(at, str) else ""


def text(value):
    """Returns a YAML value as an expression sees it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def assignments(lines):
    """Parses the contents of GITHUB_OUTPUT or GITHUB_ENV. Raises an error if a runner would reject them."""
    found, lines = {}, lines.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line:
            continue
        plain, heredoc = line.find("="), line.find("<<")
        if plain >= 0 and (heredoc < 0 or plain < heredoc):
            name, value = line.split("=", 1)
        elif heredoc >= 0:
            name, end = line.split("<<", 1)
            body = []
            while at < len(lines) and lines[at] != end:
                body.append(lines[at])
                at += 1
            if at == len(lines) or not end:
                raise Unknown(f"a value of {name} without an end")
            at += 1
            value = "\n".join(body)
        else:
            raise Unknown(f"the line {line!r} in a file of outputs")
        if not name:
            raise Unknown("a value without a name")
        found[name] = value
    return found


def commands(log):
    """Returns the workflow commands in a log."""
    found = []
    for line in re.split(r"[\r\n]", log):
        match = re.match(r"\s*::([\w-]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)", line)
        if not match:
            continue
        pairs = (pair.split("=", 1) for pair in (match.group(2) or "").split(",") if "=" in pair)
        properties = {name.strip(): unescaped(value) for name, value in pairs}
        found.append({"command": match.group(1), "properties": properties, "message": unescaped(match.group(3))})
    return found


def unescaped(value):
    for code, meant in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        value = value.replace(code, meant)
    return value


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()
