"""A mutant of code that is not ours: a function of a library, with some of its lines as they once were."""

import inspect
import textwrap
from types import FunctionType
from typing import Any

from tests.mutants.mutant import Mutant, Patch

Edit = tuple[str, str]
"""Text of the function, which stands there once, and what stands there instead."""


def edited(name: str, why: str, *edits: tuple[object, str, Edit]) -> Mutant:
    """Make a mutant of some methods, each compiled anew from the library's own source.

    Args: `edits` name an owner, its method, and what is changed in that; one for each method.

    Raises: `AssertionError` if the text does not stand in the method, or more than once.
    """
    return Mutant(name, why, tuple([_patch(*each) for each in edits]))


def _patch(owner: object, attribute: str, edit: Edit) -> Patch:
    return owner, attribute, _compiled(vars(owner)[attribute], *edit)


def _compiled(function: Any, old: str, new: str) -> Any:
    """A class method stays one; whatever the function's module has, the new one has."""
    if isinstance(function, classmethod):
        return classmethod(_compiled(function.__func__, old, new))
    assert isinstance(function, FunctionType)
    source = textwrap.dedent(inspect.getsource(function)).removeprefix("@classmethod\n")
    assert source.count(old) == 1, f"{function.__qualname__}: expected {old!r} once, got {source.count(old)}"
    owner = function.__qualname__.rpartition(".")[0]
    text = source.replace(old, new).replace("super()", f"super({owner}, self)")
    made: dict[str, Any] = {}
    code = compile("from __future__ import annotations\n" + text, f"<{function.__qualname__}>", "exec")
    exec(code, function.__globals__, made)  # the module's own names, which the simulator gives other meanings
    return made[function.__name__]
