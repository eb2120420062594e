"""Words that bounds, verdicts and reports share."""

from collections.abc import Mapping

GENERATED = "generated"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Returns: a number with its noun: "1 schedule", "1,200 schedules".

    Args: `nouns` is the plural where it is not the noun with an s ("retries").
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def not_asked(left_out: Mapping[str, str]) -> str:
    """Returns: what bounds say of properties that a scenario leaves out: "not asked: no-leaks (clean-up may fail)".

    Args: `left_out` has the reason of each, in a few words; names that share one stand before it.
    """
    names: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        names.setdefault(reason, []).append(name)
    said = ", ".join([f"{', '.join(group)} ({reason})" for reason, group in names.items()])
    return f"not asked: {said}" if said else ""


def all_but(properties: tuple[str, ...], left_out: Mapping[str, str]) -> tuple[str, ...]:
    """Returns: the properties without those that are left out."""
    return tuple([name for name in properties if name not in left_out])


def is_of_a_matrix(name: str) -> bool:
    """Returns: whether this names a cell of a matrix, as "iceberg/matrix/2/one-file/none/append/rewrite" does."""
    return name.split("/")[1:2] == ["matrix"]


def is_generated(name: str) -> bool:
    """Returns: whether this is the name of a generated scenario, as "iceberg/generated/shipped/1a02" is."""
    return name.split("/")[1:2] == [GENERATED]
