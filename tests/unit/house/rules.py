"""The rules of the house, as functions from source text to findings. `test_rules.py` applies them and shows each fail.

Rooms import downwards only; `model` and `checkers` know nothing of ours outside themselves (`structure.py` has the
rules about circles and protocols). In the rooms whose runs must repeat, nothing may depend on the wall clock, on global
randomness, on threads or on the order of a set.

Choices: a rule reads the syntax tree, so it sees an import inside a function too, and never runs the code it judges.
An exception to a rule is an entry of a table here with its reason, not a comment at the place.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[3]
MAY_IMPORT = {
    "model": frozenset[str](),
    "checkers": frozenset[str](),
    "sim": frozenset({"model", "checkers"}),
    "real_backend": frozenset({"sim", "model", "checkers"}),
    "reports": frozenset({"real_backend", "sim", "model", "checkers"}),
    "lakeproof": frozenset({"reports", "real_backend", "sim", "model", "checkers"}),
}
PROTOCOLS = frozenset({"iceberg", "hudi", "hive"})
REPEATABLE = frozenset({"model", "sim", "checkers"})
MAX_FUNCTION_LINES = 60
MAX_FILE_LINES = 300

BANNED_MODULES = frozenset(
    "time uuid secrets threading _thread concurrent multiprocessing asyncio socket selectors signal tempfile".split()
)
BANNED_CALLS = frozenset(
    "os.urandom os.getrandom os.getpid datetime.now datetime.utcnow datetime.today date.today hash id".split()
)
# (file, name): the reason why this file may use this name.
ALLOWED = {
    ("sim/kernel/escape.py", "*"): "replaces these names while code under test runs, so it has to name them",
    ("sim/world/substitutes.py", "*"): "stands in for these modules when foreign code under test asks for them",
}
# Directories that only a developer's machine has. A path below one of them works nowhere else.
MACHINE_PATH = re.compile(r"(?<![\w./:*-])/(?:home|root|Users|work|mnt|opt|srv|private)/[\w.-]+")

# A folder that everybody writes to. What one run leaves there, or has by that name, another run finds.
SHARED_PATH = re.compile(r"(?<![\w.}-])/(?:var/)?tmp/")


def room_of(path: str) -> str:
    """The room of a path relative to the checkout: "sim/kernel/kernel.py" -> "sim"."""
    return path.split("/", 1)[0]


def imported(tree: ast.AST, path: str) -> Iterator[tuple[int, str]]:
    """Every import of a file, anywhere in it: its line and the full dotted name."""
    package = path.removesuffix(".py").split("/")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{stem}.{alias.name}") for alias in node.names)


def import_findings(source: str, path: str) -> list[str]:
    """Imports that go upwards. `path` is relative to the checkout."""
    room = room_of(path)
    found = []
    for line, name in imported(ast.parse(source), path):
        parts = name.split(".")
        if parts[0] in MAY_IMPORT and parts[0] != room and parts[0] not in MAY_IMPORT[room]:
            found.append(f"{path}:{line}: {room} may not import {parts[0]} ({name})")
    return found


def _dotted(node: ast.expr, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """The dotted name of an expression; `names` says what a local name was imported as."""
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    return f"{_dotted(node.value, names)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"


def _local_names(tree: ast.AST) -> dict[str, str]:
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _is_set(node: ast.expr) -> bool:
    return isinstance(node, ast.Set | ast.SetComp) or (
        isinstance(node, ast.Call) and _dotted(node.func) in ("set", "frozenset")
    )


def _unrepeatable(tree: ast.AST, path: str) -> Iterator[tuple[int, str]]:
    for line, name in imported(tree, path):
        if name.split(".")[0] in BANNED_MODULES or (name.startswith("random.") and name != "random.Random"):
            yield line, name
    names = _local_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _dotted(node.func, names)
            tail = ".".join(name.split(".")[-2:])
            if tail in BANNED_CALLS or (name == "random.Random" and not node.args):
                yield node.lineno, tail
        if isinstance(node, ast.Attribute) and node.attr != "Random" and _dotted(node.value, names) == "random":
            yield node.lineno, _dotted(node, names)
        if isinstance(node, ast.For | ast.comprehension) and _is_set(node.iter):
            yield node.iter.lineno, "iteration over a set"


def repeatability_findings(source: str, path: str, allowed: Mapping[tuple[str, str], str] = ALLOWED) -> list[str]:
    """Uses of wall clock, global randomness, threads, identity or set order in a room whose runs must repeat."""
    if room_of(path) not in REPEATABLE or (path, "*") in allowed:
        return []
    return [
        f"{path}:{line}: {name} makes runs differ"
        for line, name in _unrepeatable(ast.parse(source), path)
        if (path, name) not in allowed
    ]


def length_findings(source: str, path: str) -> list[str]:
    """Files and functions that are too long to be read in one go."""
    lines = source.count("\n")
    found = [f"{path}: {lines} lines, limit {MAX_FILE_LINES}"] if lines > MAX_FILE_LINES else []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                found.append(f"{path}:{node.lineno}: {node.name} has {length} lines, limit {MAX_FUNCTION_LINES}")
    return found


def machine_path_findings(text: str, path: str) -> list[str]:
    """Absolute paths that exist on one machine only, in code, configuration or prose."""
    return [
        f"{path}:{number}: {match[0]} is a path of one machine"
        for number, line in enumerate(text.splitlines(), 1)
        for match in MACHINE_PATH.finditer(line)
    ]


def shared_path_findings(source: str, path: str) -> list[str]:
    """Code that puts something into the machine's own temporary folder, and not into one that was made for it."""
    return [
        f"{path}:{number}: {match[0]} is everybody's; use a folder that is made for the run"
        for number, line in enumerate(source.splitlines(), 1)
        for match in SHARED_PATH.finditer(line)
    ]


def python_files(*rooms: str) -> list[str]:
    """Our Python files below the named folders, as sorted paths relative to the checkout."""
    return sorted(
        str(file.relative_to(ROOT)) for room in rooms for file in (ROOT / room).rglob("*.py") if file.is_file()
    )


def text_files() -> list[str]:
    """Everything of ours that a person reads: code, configuration, documentation."""
    names = [*python_files(*MAY_IMPORT, "tests"), "Makefile", "pyproject.toml", ".ci/run", "requirements.lock"]
    more = [p for room in (".", "docs", "examples", *MAY_IMPORT) for p in sorted((ROOT / room).glob("*.*"))]
    prose = {str(p.relative_to(ROOT)) for p in more if p.suffix in (".md", ".toml", ".schedule", ".html", ".j2")}
    return sorted(prose.union(name for name in names if (ROOT / name).is_file()))
