"""What most mutants are made of: one check that is left out, or that answers without looking."""

from typing import Any

from tests.mutants.mutant import Mutant


def nothing(*_: Any, **__: Any) -> None:
    """A check or an action that is left out."""


def never(*_: Any) -> bool:
    """An answer without looking."""
    return False


def left_out(name: str, owner: object, attribute: str, why: str) -> Mutant:
    """A mutant that lacks one check or action."""
    return Mutant(name, why, ((owner, attribute, nothing),))


def replaced(name: str, owner: object, attribute: str, by: object, why: str) -> Mutant:
    """A mutant that does one thing in another way."""
    return Mutant(name, why, ((owner, attribute, by),))
