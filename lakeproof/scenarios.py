"""Scenarios by name or by file.

A name is looked up in the product's catalog. A text that ends in `.py` is a path: that file is code, it is executed,
and it is never found in any other way. It holds a module-level `scenario`, or several `scenarios`.

Choices: a file's folder is not put on the import path, so that what a scenario imports is installed and not found by
accident; its name in `sys.modules` is one that nothing imports.
"""

import ast
import difflib
import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

from checkers.text import quoted
from checkers.verdict import UnknownProperty, ordered
from lakeproof.absent import let_in
from lakeproof.errors import BadInput, UsageProblem, one_line
from lakeproof.protocols import PROTOCOLS, claims_of, known_properties, named, option_errors, scenarios, with_claims
from lakeproof.signals import Ended, by_user
from lakeproof.talk import say
from lakeproof.watchdog import Hung, watching
from sim.kernel.errors import NondeterminismError, SimulationError
from sim.kernel.schedule import Divergence, ScheduleError
from sim.world.scenario import Scenario
from sim.world.words import is_generated, is_of_a_matrix

CLOSE = 0.8  # how similar a name must be to be what was meant; most names share a prefix


@dataclass(frozen=True, slots=True)
class Found:
    """A scenario and the file that it came from (None: it comes with the product)."""

    scenario: Scenario
    file: Path | None = None


def built_in() -> Mapping[str, Scenario]:
    """The scenarios that come with the product, by name."""
    return scenarios()


def find(argument: str) -> tuple[Found, ...]:
    """The scenario of that name, or the scenarios in that file.

    Raises: `UsageProblem` if there is none, `BadInput` if the file is none that holds scenarios.
    """
    if argument.endswith(".py"):
        return tuple(Found(scenario, Path(argument)) for scenario in _in_file(Path(argument)))
    one = named(argument)
    if one is not None:
        return (Found(one),)
    close = difflib.get_close_matches(argument, built_in(), 1, CLOSE)
    hint = f"did you mean {close[0]}?" if close else "`lakeproof list` names them all"
    if Path(argument).exists():
        hint = "a file of scenarios is code and must be named with a path that ends in .py"
    elif any(name.startswith(f"{argument.rstrip('/')}/") for name in built_in()):
        hint = f"for all that begin so: '{argument.rstrip('/')}/*'"
    raise UsageProblem(f"scenario {quoted(argument)}: expected a built-in name or a path that ends in .py; {hint}")


def find_named(name: str, argument: str | None, source: str) -> Found:
    """The scenario that a schedule or a run names: built in, or in the file that the user named as `argument`.

    Raises: `UsageProblem`, `BadInput` as `find`, and if the scenario of that name is in neither.
    """
    if argument is not None:
        found = find(argument)
        for candidate in found:
            if candidate.scenario.name == name:
                return candidate
        names = ", ".join(candidate.scenario.name for candidate in found)
        raise BadInput(f"{source}: expected a scenario of {argument} ({names}), got {name!r}")
    known = built_in()
    if name not in known:
        known = _of_claims()
    drawn = named(name) if is_generated(name) or is_of_a_matrix(name) else None
    if drawn is not None:
        return Found(drawn)
    if name not in known:
        raise BadInput(
            f"{source}: expected a built-in scenario, got {name!r}; if it is yours, name its file: --scenario FILE.py"
        )
    return Found(known[name])


def _of_claims() -> Mapping[str, Scenario]:
    """The scenarios that stand for claims: those that no list has are named by the schedules that break them."""
    claims = [claim for name in with_claims() for claim in claims_of(name)]
    return {scenario.name: scenario for claim in claims for scenario in claim.scenarios}


def _in_file(path: Path) -> tuple[Scenario, ...]:
    if not path.is_file():
        kind = "a directory" if path.is_dir() else "no such file"
        raise UsageProblem(f"scenario file {path}: expected a Python file, got {kind}")
    say(f"running the code in {path}")
    module_name = f"lakeproof_scenario_file_{re.sub(r'[^a-zA-Z0-9]', '_', str(path))}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look their module up
    let_in()
    with blaming(path):
        exec(_compiled(spec.loader, module_name, path), vars(module))
    return _checked(vars(module), path)


def _compiled(loader: Any, module_name: str, path: Path) -> CodeType:
    """The code of the file. Raises: `BadInput` with its line if there is none to be had."""
    try:
        code: CodeType = loader.get_code(module_name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # also a NUL byte, or no UTF-8
        line, text = getattr(error, "lineno", None) or 1, getattr(error, "msg", None) or error
        raise BadInput(f"scenario file {path}: line {line}: {type(error).__name__}: {one_line(text)}") from error
    return code


def _checked(names: Mapping[str, object], path: Path) -> tuple[Scenario, ...]:
    one, several = names.get("scenario"), names.get("scenarios")
    offered = list(several) if isinstance(several, (list, tuple)) else [one] if one is not None else []
    if not offered:
        raise BadInput(f"scenario file {path}: expected a module-level `scenario` or a list `scenarios`, got neither")
    place = _assigned(path, "scenarios" if isinstance(several, (list, tuple)) else "scenario")
    checked: dict[str, Scenario] = {}
    known_properties()  # a file may name those of a protocol of which it imports nothing
    for scenario in offered:
        if not isinstance(scenario, Scenario):
            raise BadInput(f"{place}: expected a lakeproof.Scenario, got {type(scenario).__name__}")
        if scenario.name in checked:
            raise BadInput(f"{place}: expected names of their own, got {scenario.name!r} twice")
        if _is_taken(scenario.name):
            raise UsageProblem(f"{place}: expected a name of its own, got {scenario.name!r}, which is built in")
        try:
            ordered(scenario.properties)
        except UnknownProperty as error:
            raise BadInput(f"{place}: {scenario.name}: {error}") from None
        if scenario.protocol and scenario.protocol not in (known := [protocol.name for protocol in PROTOCOLS]):
            expected = f"expected one of {', '.join(known)}"
            raise BadInput(f"{place}: {scenario.name}: protocol: {expected}, got {scenario.protocol!r}")
        checked[scenario.name] = scenario
    return tuple(checked.values())


def _assigned(path: Path, name: str) -> str:
    """The file, and the line at whose end the module has this name."""
    lines = [
        node.lineno
        for node in ast.parse(path.read_bytes()).body
        for target in getattr(node, "targets", [getattr(node, "target", None)])
        if isinstance(target, ast.Name) and target.id == name
    ]
    return f"scenario file {path}" + (f": line {lines[-1]}" if lines else "")


def _is_taken(name: str) -> bool:
    """Whether a scenario of the product, listed or of a claim, has this name.

    They all stand below a protocol's name: other names do not make the product load them.
    """
    first = name.partition("/")[0]
    return any(protocol.name in first for protocol in PROTOCOLS) and (name in built_in() or name in _of_claims())


@contextmanager
def blaming(path: Path | None) -> Iterator[None]:
    """Turn an exception that came out of the user's own file into one line that names file, line and exception.

    So are the simulator's own complaints (a deadlock, an escape to the real world) about code in such a file.
    """
    try:
        with watching(path):
            yield
    except NondeterminismError:
        raise
    except (Divergence, ScheduleError, Hung) as error:  # a fault that its step cannot have; a loop
        if path is None:
            raise
        raise BadInput(f"scenario file {path}: {error}") from None
    except BaseException as error:
        by_signal = isinstance(error, Ended) or (isinstance(error, KeyboardInterrupt) and by_user(error))
        if path is None or by_signal:
            raise
        place = _line_in(error, path)
        where = f"scenario file {path}: " + (f"line {place}: " if place else "")
        if isinstance(error, option_errors()):  # as wrong as an option of the command
            raise UsageProblem(f"{where}{one_line(error)}") from error
        if place is None and not isinstance(error, SimulationError):
            raise
        raise BadInput(f"{where}{type(error).__name__}: {one_line(error)}") from error


def _line_in(error: BaseException, path: Path) -> int | None:
    """The innermost line of `path` that the error passed; None if it did not pass there."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.lineno and Path(frame.filename).resolve() == path.resolve()
    ]
    return lines[-1] if lines else None
