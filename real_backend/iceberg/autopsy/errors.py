"""Why there is no table to read."""


class NothingThere(ValueError):
    """The name, the path or the catalog leads to nothing. Correct what was asked for; one line says what."""


class NoTable(ValueError):
    """Something is there, and it is no Iceberg table. Name its folder, or a metadata file; one line says what is."""
