"""Mutants of the Hadoop catalog. Source: `model.iceberg.hadoop`."""

from collections.abc import Callable

from model.iceberg.errors import CommitFailed
from model.iceberg.hadoop import HadoopOperations
from model.iceberg.metadata import TableMetadata
from model.ports import NumberedVersion
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def numbers_from_the_newest(self: HadoopOperations, number: int, base: TableMetadata, updated: TableMetadata) -> None:
    """The next number after whatever is there, not after what the commit was built on."""
    found = self._world.folders.load(self._name, None) if number > 1 else None
    _take(self, number if found is None else found.number + 1, base, updated)


def unanswered_is_success(self: HadoopOperations, number: int, base: TableMetadata, updated: TableMetadata) -> None:
    """A rename that is not answered is taken for one that was made."""
    try:
        _take(self, number, base, updated)
    except CommitFailed as error:
        if error.__cause__ is None:
            raise
        self._seen = NumberedVersion(number, updated, 0)


def prunes_the_one_before(self: HadoopOperations, number: int) -> None:
    """The metadata file that the commit was built on goes, though the log keeps it."""
    self._world.folders.prune(self._name, max(number + 1, 1))


def hints_at_nothing(self: HadoopOperations, number: int) -> None:
    """The hint stays where it was when the table was made."""


def looks_for_nothing(self: HadoopOperations, number: int) -> None:
    """The rename is left to decide, where it decides nothing."""


def believes_its_own(self: HadoopOperations) -> TableMetadata:
    """What it has committed is there, as nobody is written over."""
    self._wrote = False
    return _refresh(self)


_refresh: Callable[[HadoopOperations], TableMetadata] = HadoopOperations.refresh
_take: Callable[..., None] = HadoopOperations._take

HADOOP: tuple[Mutant, ...] = (
    replaced("hadoop-next-number", HadoopOperations, "_take", numbers_from_the_newest, "lost updates"),
    replaced("hadoop-unanswered-believed", HadoopOperations, "_take", unanswered_is_success, "lost updates"),
    replaced("hadoop-prunes-early", HadoopOperations, "_prune", prunes_the_one_before, "a late hint goes astray"),
    replaced("hadoop-looks-for-nothing", HadoopOperations, "_look_for", looks_for_nothing, "lost updates"),
    replaced("hadoop-own-number-believed", HadoopOperations, "refresh", believes_its_own, "unused files are deleted"),
    replaced("hadoop-hints-at-nothing", HadoopOperations, "_hint_at", hints_at_nothing, "nobody finds the table"),
)  # fmt: skip
