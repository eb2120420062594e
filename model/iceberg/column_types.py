"""Types of columns, and which may come in the place of which.

Source: `types/TypeUtil.java` (`isPromotionAllowed`) of 1.11.0; Iceberg table specification, Schema Evolution.

Choices: numbers alone, by their names in metadata, as "decimal(9, 2)". What format 3 alone allows by the specification
(`unknown` to any type, `date` to a timestamp), 1.11.0 does not.
"""

INT = "int"
WIDER = {INT: "long", "float": "double"}
DECIMAL = "decimal("
ColumnType = tuple[str, str]
"""A column's name, and its type."""


def may_become(found: str, wanted: str) -> bool:
    """Whether a column of one type may have the other one from now on."""
    if wanted in (found, WIDER.get(found)):
        return True
    if not (found.startswith(DECIMAL) and wanted.startswith(DECIMAL)):
        return False
    (precision, scale), (wider, same) = _digits(found), _digits(wanted)
    return scale == same and precision <= wider


def _digits(decimal: str) -> tuple[int, int]:
    """Precision and scale."""
    precision, scale = decimal.removeprefix(DECIMAL).removesuffix(")").split(", ")
    return int(precision), int(scale)
