"""Impala's catalog daemon with one rule of its catalog broken: names, events, partitions, write ids.

Source: hive/4.9; the rules are those of `model.hive.catalog`. The patches damage the daemon with its repairs, and where
the rule is about changes of its own, that daemon as it sees to them; without the patch each keeps the property that the
mutant breaks. `hive_catalogd_loads` has the rules of loads and of the log.
"""

from dataclasses import replace
from functools import partial

from model.hive.catalog import Catalog
from model.hive.catalogd_changes import ChangingCatalogd
from model.hive.impala_rules import IMPALA_REPAIRED
from model.hive.rules import Rules
from sim.hive.impala import daemon
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant

FORGETS = daemon(IMPALA_REPAIRED, own_changes="forgotten")
SYNCS = daemon(IMPALA_REPAIRED, own_changes="synced")
LOADS = daemon(IMPALA_REPAIRED, own_changes="loaded")
SHELL = daemon(LOADS, older_events="applied")
APPLIES = daemon(IMPALA_REPAIRED, older_events="applied")


def broken(
    owner: object, name: str, why: str, method: str, old: str, new: str, base: Rules = IMPALA_REPAIRED
) -> Mutant:  # fmt: skip
    """A rule that reads otherwise: the text that stands in a method of its owner, and what stands there instead."""
    return replace(edited(f"impala-{name}", why, (owner, method, (old, new))), base=base)


_broken, _own = partial(broken, Catalog), partial(broken, ChangingCatalogd)
"""A rule of the catalog, and one about changes of its own."""


NAMES = (
    _broken("gone-is-kept", "a table that was dropped stays loaded under its name",
            "remove", "self.cache.entries.pop(name, None)", "pass"),
    _broken("new-name-unknown", "nothing is known of a table that was made",
            "apply", "self.add(event.name, event.id)", "pass"),
    _broken("drop-passed-over", "the event of a drop changes nothing",
            "apply", 'case "DROP_TABLE":\n            self.remove(event.name, event.id)',
            'case "DROP_TABLE":\n            pass'),
    _broken("old-name-kept", "a rename leaves the old name as it was",
            "apply", "!= event.name:\n            self.remove(event.name, event.id)",
            "!= event.name:\n            pass"),
    _broken("renamed-unknown", "a rename makes no new name",
            "apply", "self.add(event.table.name, event.id)", "pass"),
    _broken("rebuilt-over-old", "the catalog is filled anew after a gap, over what it had",
            "clear", "self.cache.entries.clear()", "pass"),
)  # fmt: skip
CHANGES = (
    _broken("change-not-loaded", "the event of a change does not load its table",
            "needs_load", "return not (self._is_own(event) or self._is_older(event, known))", "return False"),
    _broken("mark-stays", "a mark is looked for again after its event was found",
            "_is_own", "if other != mark", "", LOADS),
    _broken("older-applied", "an older event is applied over what was loaded since",
            "_is_older", "event.id <= known.synced", "False", LOADS),
    _broken("newer-skipped", "the event after the last one that is in a load is skipped, too",
            "_is_older", "event.id <= known.synced", "event.id <= known.synced + 1"),
    _broken("added-over", "an event that adds a partition sets it back to what it was then",
            "_apply_partition", "entry.partitions.setdefault(name, value)", "entry.partitions[name] = value", SHELL),
    _broken("partition-not-added", "an added partition is passed over",
            "_apply_partition", "entry.partitions.setdefault(name, value)", "pass"),
    _broken("partition-not-dropped", "a dropped partition stays",
            "_apply_partition", "entry.partitions.pop(name, None)", "pass"),
    _broken("old-partition-kept", "a partition that gets another name stays there under the old one, too",
            "_apply_partition", "entry.partitions.pop(moves, None)", "pass"),
    _broken("partition-not-changed", "a changed partition stays as it was",
            "_apply_partition", "entry.partitions[name] = value", "pass"),
)  # fmt: skip
WRITE_IDS = (
    _broken("allocation-unheard", "an allocated write id is not open in the list",
            "apply", 'self._mark("opened", ((event.name, event.write_id),), event.id)', "pass"),
    _broken("allocation-committed", "an allocated write id counts as committed",
            "apply", 'self._mark("opened"', 'self._mark("committed"'),
    _broken("commit-unheard", "a commit leaves its write ids open",
            "end", 'self._mark("committed" if kind == "COMMIT_TXN" else "aborting", ids, event)',
            'self._mark("committed" if kind == "COMMIT_TXN" else "aborting", () if kind == "COMMIT_TXN" else ids, '
            "event)"),
    _broken("abort-unheard", "an abort leaves its write ids open",
            "end", 'self._mark("committed" if kind == "COMMIT_TXN" else "aborting", ids, event)',
            'self._mark("committed", ids if kind == "COMMIT_TXN" else (), event)'),
    _broken("abort-is-commit", "aborted write ids count as committed",
            "end", '"committed" if kind == "COMMIT_TXN" else "aborting"', '"committed"'),
    _broken("commit-is-abort", "committed write ids count as aborted",
            "end", '"committed" if kind == "COMMIT_TXN" else "aborting"', '"aborting"'),
    _broken("last-id-only", "of a transaction with several tables the last one's write id is remembered",
            "allocated", "(*found, (event.name, event.write_id))", "((event.name, event.write_id),)",
            daemon(IMPALA_REPAIRED, unseen_ids="unknown")),
    _broken("one-table-of-commit", "the write ids of a commit are marked in its first table alone",
            "_mark", "known.version += 1", "known.version += 1\n        return"),
)  # fmt: skip
OWN = (
    _own("own-drop-kept", "a table that it dropped itself stays until the event comes",
         "_drop", "self.catalog.remove(event.name, event.id)", "pass", FORGETS),
    _own("own-change-kept", "a table that it changed itself stays loaded until the event comes",
         "_forget_own", 'event.kind == "ALTER_TABLE" and', 'event.kind == "NONE" and', FORGETS),
    _own("own-partition-kept", "a table of which it changed a partition itself stays loaded until the event comes",
         "_forget_own", "self.catalog.forget(event.name)", "pass", FORGETS),
    _own("own-rename-unknown", "the new name of a table that it renamed itself is not known",
         "_forget_own", "self.catalog.known[event.table.name] = Known(known.created)", "pass", FORGETS),
    _own("sync-from-now", "it applies none of the events between a load and a change of its own",
         "_sync", "synced = known.synced", "synced = event.id", SYNCS),
    _own("sync-without-ends", "events that end transactions are left out when it catches up with its own change",
         "_sync", "if each.name == event.name or each.kind in ENDS:", "if each.name == event.name:", SYNCS),
    _own("sync-unmarked", "having caught up, it does not note how far",
         "_sync", "known.synced = max(known.synced, each.id)", "pass", SYNCS),
    _own("own-not-loaded", "a table that it changed itself is not loaded, and the event passed over",
         "_load_own", "elif entry is not None:", "elif False:", LOADS),
    _own("own-rename-kept", "what was loaded under the new name of its own rename stays",
         "_name_own", "self.cache.entries.pop(event.table.name, None)", "pass", LOADS),
    _own("own-name-kept", "a table that it dropped or renamed itself stays until the event comes",
         "_name_own", "self._drop(event)", "pass", LOADS),
)  # fmt: skip
MUTANTS: tuple[Mutant, ...] = (*NAMES, *CHANGES, *WRITE_IDS, *OWN)
