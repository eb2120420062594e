"""What Iceberg's port calls mean: annotations for whoever explains a run (`model.ports.Notes`).

Of files, they say of which kind the body is that a call reads or writes. Of calls to the catalog, they say what it is
for, or what came of it. A call without a meaning of its own belongs to the last one that has one.
"""

from typing import Literal, NamedTuple

from model.iceberg.metadata import TableMetadata


class Content(NamedTuple):
    """Reads or writes a file of this kind; the body is what the model has under that name."""

    kind: Literal["rows", "positions", "ids", "entries", "manifests", "metadata", "statistics"]


ROWS, POSITIONS, IDS, ENTRIES, MANIFESTS, METADATA = (
    Content("rows"), Content("positions"), Content("ids"), Content("entries"), Content("manifests"),
    Content("metadata"),
)  # fmt: skip
STATISTICS = Content("statistics")


class Loads(NamedTuple):
    """Loads the table: to plan a command, to scan it again for that plan, as base of an attempt to commit, after the
    commit to find left-overs, or because the outcome of the commit is unknown."""

    purpose: Literal["plan", "scan again", "attempt", "retry", "leftovers", "outcome"]


FOR_OUTCOME = Loads("outcome")


class Sees(NamedTuple):
    """The load has found this version of the table."""

    metadata: TableMetadata


class FindsOwnCommit(NamedTuple):
    """The client has looked for its own commit, and it is in the table, or is not."""

    found: bool


class ComparesLocation(NamedTuple):
    """Reads the metadata file that the pointer names, to compare it with the one that the commit is based on."""

    expected: str


class FindsLocation(NamedTuple):
    """The pointer names this metadata file."""

    location: str


class Commits(NamedTuple):
    """Sets the pointer from `base` to `updated`; `fenced`: only if it still is at `base`.

    `key`: the idempotency key of the request, under which a service may repeat its answer.
    """

    base: TableMetadata
    updated: TableMetadata
    fenced: bool
    key: str | None = None


class Renames(NamedTuple):
    """Gives a table another name; `puts_back`: with the metadata file that it had when it was looked at.

    `key`: the idempotency key of the request.
    """

    name: str
    to: str
    puts_back: bool = True
    key: str | None = None


class LostRace(NamedTuple):
    """The commit was refused because the pointer is not where its base was."""


class LooksForVersion(NamedTuple):
    """Asks whether a Hadoop table has a version of this number, before a rename that would replace it."""

    number: int


class HintsAt(NamedTuple):
    """Writes the number of a Hadoop table's version where readers begin to look."""

    number: int


class Prunes(NamedTuple):
    """Deletes the metadata file of a version that the table's log of them no longer has."""

    number: int


class DeletesLeftover(NamedTuple):
    """Deletes a file that nothing in the table refers to, as far as the client knows."""


DELETES_LEFTOVER = DeletesLeftover()
