"""Rows that stand in the argument of an operation, as who read what is not current was told of them."""

Row = tuple[str, str]


def rows_in(words: str) -> tuple[Row, ...]:
    """Example: "3 = x, 1 = -a" is row:3 and row:1."""
    found = [text.partition(" = ") for text in words.split(", ") if " = " in text]
    return tuple([(f"row:{key}", value) for key, _, value in found])
