"""A client's handle on one table: its ports, its catalog operations and the rules that it follows."""

from model.iceberg.catalog import TableOperations
from model.iceberg.metadata import TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.rules import SHIPPED, Rules
from model.iceberg.storage import TableFiles
from model.ports import World


class IcebergTable:
    """One table as one client knows it.

    Args: `location` is the path prefix of its files where it was made. `command` is what the client is about to commit,
    or has; None before it comes to that. Nobody but an observer reads it.
    """

    __slots__ = ("command", "files", "ops", "rules", "world")

    def __init__(self, world: World, ops: TableOperations, location: str, rules: Rules = SHIPPED) -> None:
        self.world = world
        self.ops = ops
        self.rules = rules
        self.command: CommandResult | None = None
        self.files = TableFiles(world, location)

    @property
    def location(self) -> str:
        """Below which files are written, by the metadata as the client last saw it. Source: `locationProvider`,
        `metadataFileLocation`."""
        return self.ops.location or self.files.location

    @property
    def metadata(self) -> TableMetadata:
        """The metadata as the client last saw it."""
        return self.ops.current
