"""What can be wrong with a stored report."""


class RecordError(ValueError):
    """A stored run cannot be read. The message names the file, the field, what was expected and what stands there."""


class GraphError(ValueError):
    """A graph cannot be written to the place that was asked for. Name another one."""
