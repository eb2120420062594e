"""File groups and their slices as a person reads them: `group:fg1` has the value `0-0-0_000001`, token and instant."""

import re

from checkers.words import Words

_GROUP, _FIRST_TOKEN = "group:", "0-0-0"
_SLICE = re.compile(r"'?([^_|']*)_(\d+)'?")


def group_in_words(key: str) -> str | None:
    """Example: "group:fg1" is "file group fg1"."""
    return f"file group {key.removeprefix(_GROUP)}" if key.startswith(_GROUP) else None


def slice_in_words(key: str, value: str) -> str | None:
    """Example: "0-0-0_000001", quoted or not, is "the slice of instant 000001"."""
    found = _slice(key, value)
    return f"the slice of instant {found}" if found else None


def group_and_slice(key: str, value: str) -> str | None:
    """Example: "fg1 of 000001"."""
    found = _slice(key, value)
    return f"{key.removeprefix(_GROUP)} of {found}" if found else None


def _slice(key: str, value: str) -> str | None:
    """The instant of a file group's value, with the write token if that is not the first one's."""
    found = _SLICE.fullmatch(value) if key.startswith(_GROUP) else None
    if found is None:
        return None
    return found[2] + ("" if found[1] == _FIRST_TOKEN else f" (written as {found[1]})")


WORDS = Words(key=group_in_words, value=slice_in_words, pair=group_and_slice)
