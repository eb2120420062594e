"""Words that bounds, verdicts and reports share."""


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Returns: a number with its noun: "1 schedule", "1,200 schedules".

    Args: `nouns` is the plural where it is not the noun with an s ("retries").
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


GENERATED = "generated"


def is_generated(name: str) -> bool:
    """Returns: whether this is the name of a generated scenario, as "iceberg/generated/shipped/1a02" is."""
    return name.split("/")[1:2] == [GENERATED]
