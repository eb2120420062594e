"""Impala's catalog daemon with one rule of its loads, or of how it follows the log, broken; and its options.

Source: hive/4.9; the rules are those of `model.hive.catalogd`, `model.hive.catalog_loads` and
`model.hive.catalogd_rules`. A mutant without a patch is the daemon with an option as it should not be; what mends it
is in `MENDED`.
"""

from functools import partial
from typing import Any

from model.hive.catalogd import Catalogd
from model.hive.impala_rules import IMPALA_REPAIRED
from model.hive.rules import Rules
from sim.hive.impala import daemon
from tests.mutants.hive_catalogd import FORGETS, LOADS, broken
from tests.mutants.mutant import Mutant

UNSEEN = daemon(IMPALA_REPAIRED, unseen_ids="unknown")
KEEPS = daemon(IMPALA_REPAIRED, answers="kept")
FAILS = daemon(IMPALA_REPAIRED, unknown_aborts="refused")


_broken = partial(broken, Catalogd)

LOADED = (
    _broken("late-load-kept", "a load is kept although events have passed that it may not have",
            "_keep", "self.position > as_of", "False", base=FORGETS),
    _broken("newer-replaced", "a load replaces what is there, however new that is",
            "_replace", "known is not before or known.version != version", "False", base=KEEPS),
    _broken("older-kept", "what is there stays, however old it is",
            "_replace", "compare(entry.tag, loaded.tag) >= 0", "True", base=KEEPS),
)  # fmt: skip
FOLLOWED = (
    _broken("gap-passed-over", "events are missing, and the daemon goes on behind them",
            "poll", "self.start()\n        return 1", "self.position = self._end\n        return 1"),
    _broken("position-first", "the position is beyond an event before its table is loaded",
            "_begin", "self._loading = self.apply_event(event)",
            "self._loading = self.apply_event(event)\n    self.position = max(self.position, event.id)"),
    _broken("load-not-repeated", "a change of its own during a load for an event is undone by it",
            "_finish", "known.version != version", "False", base=LOADS),
    _broken("content-without-list", "a load for an event leaves the list as it was",
            "install", "entry.table, entry.tag = loaded.table, loaded.tag", "entry.table = loaded.table"),
    _broken("list-without-content", "a load for an event brings the list alone",
            "install", "entry.table, entry.tag = loaded.table, loaded.tag", "entry.tag = loaded.tag"),
    _broken("load-for-old-entry", "what an event loads is put in the place of what came there meanwhile",
            "install", "if self.cache.entries.get(event.name) is not entry:",
            "self.cache.entries[event.name] = entry\n    if False:"),
    _broken("partitions-not-loaded", "a load for an event leaves the partitions as they were",
            "install", "entry.partitions = dict(loaded.parts)", "pass"),
)  # fmt: skip
MENDED: dict[str, Rules] = {}


def _option(name: str, why: str, base: Rules = IMPALA_REPAIRED, **options: Any) -> Mutant:
    MENDED[f"impala-{name}"] = base
    return Mutant(f"impala-{name}", why, (), daemon(base, **options))


OPTIONS = (
    _option("table-before-list", "a load reads the table, then the list", loads="table-first"),
    _option("answered-with-kept", "who asked for a load is answered with somebody else's", answers="kept"),
    _option("noted-after", "its own changes are noted as such when their events may have passed",
            LOADS, in_flight="after"),
    _option("older-events", "events that the table was loaded after are applied to it",
            LOADS, older_events="applied"),
    _option("new-partition-name-unknown", "a partition that gets another name stays there under the old one alone",
            renamed_partitions="passed-over"),
    _option("ids-unknown", "write ids whose allocation nobody has seen are never settled", unseen_ids="unknown"),
)  # fmt: skip
MUTANTS: tuple[Mutant, ...] = (*LOADED, *FOLLOWED, *OPTIONS)
