"""What can be wrong with a stored report."""


class RecordError(ValueError):
    """A stored run cannot be read. The message names the file, the field, what was expected and what stands there."""
