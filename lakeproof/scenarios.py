"""Scenarios by name or by file.

A name is looked up in the product's catalog. A text that ends in `.py` is a path: that file is code, it is executed,
and it is never found in any other way. It holds a module-level `scenario`, or several `scenarios`.

Choices: a file's folder is not put on the import path, so that what a scenario imports is installed and not found by
accident; its name in `sys.modules` is one that nothing imports.
"""

import difflib
import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from checkers.verdict import UnknownProperty, ordered
from lakeproof.errors import BadInput, UsageProblem, one_line
from lakeproof.protocols import claims_of, known_properties, named, option_errors, scenarios, with_claims
from lakeproof.talk import say
from sim.kernel.errors import NondeterminismError, SimulationError
from sim.kernel.schedule import Divergence
from sim.world.scenario import Scenario

CLOSE = 0.8  # how similar a name must be to be what was meant; most names share a prefix
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)*")


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
    raise UsageProblem(f"scenario {argument!r}: expected a built-in name or a path that ends in .py; {hint}")


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
    with blaming(path):
        spec.loader.exec_module(module)
    return _checked(vars(module), path)


def _checked(names: Mapping[str, object], path: Path) -> tuple[Scenario, ...]:
    one, several = names.get("scenario"), names.get("scenarios")
    offered = list(several) if isinstance(several, (list, tuple)) else [one] if one is not None else []
    if not offered:
        raise BadInput(f"scenario file {path}: expected a module-level `scenario` or a list `scenarios`, got neither")
    checked: dict[str, Scenario] = {}
    known_properties()  # a file may name those of a protocol of which it imports nothing
    for scenario in offered:
        if not isinstance(scenario, Scenario):
            raise BadInput(f"scenario file {path}: expected a lakeproof.Scenario, got {type(scenario).__name__}")
        if not _NAME.fullmatch(str(scenario.name)):
            raise BadInput(f"scenario file {path}: expected a name like bank/transfer, got {scenario.name!r}")
        if scenario.name in checked:
            raise BadInput(f"scenario file {path}: expected names of their own, got {scenario.name!r} twice")
        try:
            ordered(scenario.properties)
        except UnknownProperty as error:
            raise BadInput(f"scenario file {path}: {scenario.name}: {error}") from None
        checked[scenario.name] = scenario
    return tuple(checked.values())


@contextmanager
def blaming(path: Path | None) -> Iterator[None]:
    """Turn an exception that came out of the user's own file into one line that names file, line and exception.

    So are the simulator's own complaints (a deadlock, an escape to the real world) about code in such a file.
    """
    try:
        yield
    except (NondeterminismError, Divergence):
        raise
    except SimulationError as error:
        if path is None:
            raise
        raise BadInput(f"scenario file {path}: {type(error).__name__}: {one_line(error)}") from error
    except (Exception, SystemExit, KeyboardInterrupt) as error:  # a Ctrl-C would be `signals.Ended`
        if path is not None and isinstance(error, option_errors()):  # as wrong as an option of the command
            raise UsageProblem(f"scenario file {path}: {one_line(error)}") from error
        place = None if path is None else _line_in(error, path)
        if place is None:
            raise
        text = error.msg if isinstance(error, SyntaxError) else one_line(error)
        raise BadInput(f"scenario file {path}: line {place}: {type(error).__name__}: {text}") from error


def _line_in(error: BaseException, path: Path) -> int | None:
    """The innermost line of `path` that the error passed; None if it did not pass there."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).resolve() == path.resolve():
        return error.lineno or 1
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.lineno and Path(frame.filename).resolve() == path.resolve()
    ]
    return lines[-1] if lines else None
