"""Reads `tests/vectors/hudi_deletes.txt`, and plays a case on the model; the live test plays the same ones."""

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from model.hudi import HudiClient, Reader
from model.hudi.errors import StorageFailed
from model.hudi.jobs import Places
from model.hudi.keys import COMPACT_AFTER, LOG_COMPACT_AFTER, MERGE_ON_READ, PREPPED, TABLE_TYPE
from model.hudi.partitions import ONE_PARTITION, Partitions
from sim.hudi.build import OPTIMISTIC
from tests.unit.hudi.merging_vectors import VECTORS, Model, Player, lines_of

COW, INDEX = "cow", "index"


class DeleteCase(NamedTuple):
    """The table and its options, the calls, and the slices and rows that are there then, as in the file."""

    table: str
    calls: str
    slices: str
    rows: str
    where: Partitions = ONE_PARTITION

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What a user would set."""
        told = self.table.split(",")
        indexed = ((PREPPED, "false"),) if INDEX in told else ()
        if told[0] == COW:
            return (*OPTIMISTIC, *indexed)
        logs = ((TABLE_TYPE, MERGE_ON_READ), (COMPACT_AFTER, told[0]), (LOG_COMPACT_AFTER, told[1]))
        return (*OPTIMISTIC, *logs, *indexed)


DELETE_CASES = tuple([DeleteCase(*parts) for parts in lines_of(VECTORS.with_name("hudi_deletes.txt"))])


class DeletingPlayer(Player):
    """A player who knows reads, and what is made of what they have found."""

    def carry_out(self, calls: str) -> None:
        """Make the calls."""
        for call in calls.split():
            if "?" in call:
                name, _, keys = call.partition("?")
                self._look(name, keys.split(","))
            elif call[0].isalpha() and call[1] in "-=":
                self._change(call[0], call[2:] or None)
            else:
                super().carry_out(call)

    def _look(self, name: str, keys: Iterable[str]) -> None:
        raise NotImplementedError

    def _change(self, name: str, value: str | None) -> None:
        raise NotImplementedError


class DeletingModel(DeletingPlayer, Model):
    """A table of the model."""

    def __init__(self, case: DeleteCase) -> None:
        super().__init__(case)
        self._found: dict[str, Places] = {}

    def _look(self, name: str, keys: Iterable[str]) -> None:
        asked = list(keys)
        view = Reader(self._lab.world("r"), self._lab.config).read(self._where.names)
        self._found[name] = tuple([each for each in view.places if each[0] in asked])

    def _change(self, name: str, value: str | None) -> None:
        client, found = HudiClient(self._lab.world("w"), self._lab.config, owner="w"), self._found[name]
        instant = client.start_commit()
        self.instants.append(instant)
        rows = tuple([(key, value) for key in dict(found)])
        with suppress(StorageFailed):
            places = found if self._lab.config.prepped else None
            client.commit(instant, client.upsert(rows, instant, self._where, places=places))
        client.close()
