"""How a history is read out: keys, values and arguments of operations, in the words of the protocol that made them.

A protocol learns its words in `__init__` of its package. What nobody knows is read out as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _unknown(*_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one protocol. Each function answers None for what is not the protocol's own.

    Args: `argument` reads an operation's argument, `key` a key, `value` a value of a key (key first), `pair` both, as
    short as a picture needs it.
    """

    argument: Callable[[str], str | None] = _unknown
    key: Callable[[str], str | None] = _unknown
    value: Callable[[str, str], str | None] = _unknown
    pair: Callable[[str, str], str | None] = _unknown


_LEARNT: list[Words] = []


def learn(words: Words) -> None:
    """Read histories out with these words, too. The second time nothing happens."""
    if words not in _LEARNT:
        _LEARNT.append(words)


def argument_words(text: str) -> str:
    """An operation's argument in a sentence."""
    return next((found for words in _LEARNT if (found := words.argument(text)) is not None), text)


def key_words(key: str) -> str:
    """A key in a sentence."""
    return next((found for words in _LEARNT if (found := words.key(key)) is not None), key)


def value_words(key: str, value: str) -> str:
    """A key's value in a sentence."""
    return next((found for words in _LEARNT if (found := words.value(key, value)) is not None), value)


def short_words(key: str, value: str) -> str:
    """A key and its value for a picture, as in "row:1 = A"."""
    return next((found for words in _LEARNT if (found := words.pair(key, value)) is not None), f"{key} = {value}")
