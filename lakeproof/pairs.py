"""Pairs KEY=VALUE of the command line."""

from collections.abc import Iterable

from checkers.text import plain
from lakeproof.errors import UsageProblem


def values_of(pairs: Iterable[str], key: str) -> dict[str, str]:
    """What `--set` was given, by key. Args: `key` is what the option calls one ("name").

    Raises: `UsageProblem` for a pair without a key or "=", and for a key that comes twice.
    """
    given: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or name in given:
            raise UsageProblem(f"--set {plain(pair)}: expected {key.upper()}=VALUE, each {key} once")
        given[name] = value
    return given
