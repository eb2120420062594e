"""What the docstrings of the public names must say: arguments, what is returned, what is raised.

Public is what `lakeproof` exports, with the public methods of those classes. An argument counts as explained if the
docstring of its function, or for a class the class's, names it in backticks.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import lakeproof


def public_names() -> Iterator[tuple[str, Any]]:
    """Every public function and class, by its name."""
    for name in lakeproof.__all__:
        value = getattr(lakeproof, name)
        if inspect.isfunction(value) or inspect.isclass(value):
            yield name, value


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function and method, by its dotted name."""
    for name, value in public_names():
        if inspect.isfunction(value):
            yield name, value
            continue
        for member, found in vars(value).items():
            if inspect.isfunction(found) and not member.startswith("_"):
                yield f"{name}.{member}", found


def classes() -> Iterator[tuple[str, type]]:
    """Every public class that users make, by its name."""
    for name, value in public_names():
        if inspect.isclass(value) and not issubclass(value, Enum):
            yield name, value


def findings_of_function(name: str, function: Callable[..., Any]) -> list[str]:
    """What a function's docstring lacks."""
    text = inspect.getdoc(function) or ""
    found = [] if text else [f"{name}: no docstring"]
    signature = inspect.signature(function)
    own = list(signature.parameters)[1 if "." in name else 0 :]
    found += [f"{name}: `{parameter}` is not explained" for parameter in own if f"`{parameter}`" not in text]
    returned = signature.return_annotation
    if returned not in (None, "None", inspect.Signature.empty) and "Returns" not in text:
        found.append(f"{name}: no Returns")
    return found + [f"{name}: `{error}` is raised and not named" for error in _raised(function) if error not in text]


def _raised(function: Callable[..., Any]) -> list[str]:
    """The errors that a function's own body raises by name, assertions aside."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc is not None]
    calls = [error.func if isinstance(error, ast.Call) else error for error in raised]
    return sorted({call.id for call in calls if isinstance(call, ast.Name) and call.id[0].isupper()})


def findings_of_class(name: str, value: type) -> list[str]:
    """What a class's docstring lacks: the fields of a dataclass, or the arguments of `__init__`."""
    text = inspect.getdoc(value) or ""
    if is_dataclass(value):
        wanted = [field.name for field in fields(value) if not field.name.startswith("_")]
    elif "__init__" in vars(value) and not getattr(value, "_is_protocol", False):
        wanted = list(inspect.signature(value).parameters)
    else:
        wanted = []
    found = [] if text else [f"{name}: no docstring"]
    return found + [f"{name}: `{one}` is not explained" for one in wanted if f"`{one}`" not in text]
