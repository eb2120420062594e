"""A consumer of a real Hudi table: incremental queries of Spark, from where the one before has ended.

How far he has come is the newest time that the timeline shows just before a query, which is its end: a completion time,
or in tables of version 6 a requested time, before the first hole where he waits for it to be filled, or the age of a
file of a completed instant, as Hudi has it.
"""

from model.hudi.config import HudiConfig
from model.hudi.keys import AS_OF, BLOCK_AT_HOLES, HOLES, METADATA
from model.hudi.names import INGESTION
from model.hudi.timeline import Instant, Timeline
from real_backend.hudi.table import LiveTable, Rows
from sim.hudi.statements import OfConsumers, ReadFirst, ReadNews

_QUERY, _READ = "hoodie.datasource.query.type", "hoodie.datasource.read"


class LiveConsumer:
    """Somebody who has read all that there is now."""

    def __init__(self, table: LiveTable, config: HudiConfig) -> None:
        self._table = table
        self._config = config
        self._listed = {METADATA: str(config.metadata).lower()}
        seen = table.timeline()
        self._since, self._first = self._until(seen), str(seen.completed[-1].requested)

    def read(self, statement: OfConsumers) -> tuple[Rows | None, str | None, str | None]:
        """The rows that have come since, or that were there at first or later; or None and why they cannot be read; and
        the commit as of which that is, or up to which he has come, if there is a hole."""
        if isinstance(statement, ReadNews):
            return self._read_news()
        if isinstance(statement, ReadFirst):
            return *self._read_as_of(self._first), None
        kept = [each for each in self._table.timeline().completed if str(each.requested) >= self._first]
        asked = kept[max(0, len(kept) - 1 - statement.back)]
        return *self._read_as_of(str(asked.requested)), asked.name

    def _read_as_of(self, instant: str) -> tuple[Rows | None, str | None]:
        return self._table.selected({**self._listed, AS_OF: instant})

    def _read_news(self) -> tuple[Rows | None, str | None, str | None]:
        seen = self._table.timeline()
        until = max(self._since, self._until(seen))
        options = {
            **self._listed, _QUERY: "incremental", HOLES: self._config.holes_policy,
            f"{_READ}.begin.instanttime": self._since, f"{_READ}.end.instanttime": until,
        }  # fmt: skip
        rows, refused = self._table.selected(options)
        if refused:
            return None, refused, None
        self._since = until
        kept = self._kept(seen)
        return rows, None, kept[-1].name if len(kept) < len(seen.completed) else None

    def _until(self, seen: Timeline) -> str:
        """The newest of the times that he goes by."""
        if self._config.reads_by_transition:
            return max(self._table.transitions())
        return str(max([each.visible_at for each in self._kept(seen)]))

    def _kept(self, seen: Timeline) -> tuple[Instant, ...]:
        """The completed writes; those before the first hole, where it is waited for."""
        blocks = self._config.layout == 1 and self._config.holes_policy == BLOCK_AT_HOLES
        holes = [each.requested for each in seen.pending if blocks and each.action in INGESTION]
        return tuple([each for each in seen.completed if not holes or each.requested < holes[0]])
