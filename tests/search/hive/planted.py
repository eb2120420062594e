"""What was planted in the metastore's cache, as rows of `tests.search.planted`: configurations, rules, property."""

from collections.abc import Iterator
from dataclasses import replace

from model.hive.rules import SHIPPED, SHIPPED_REFRESH
from model.hive.variants import VARIANTS
from sim.generation.draws import Draws
from sim.hive.generate import GENERATOR, SHIPPED_BY_DOCUMENT, Given
from sim.hive.known import ASTRAY, CLEANED, DELETED, MADE_AGAIN, NEVER_TOLD, OVERTAKEN, SLOW_OPENS, TWO_NAMES
from sim.hive.known import SHIPPED as FINDINGS
from sim.hive.promises import CACHED_STORE, DOCUMENT, REFRESHED
from sim.world.scenario import Scenario
from tests.mutants.hive import MUTANTS
from tests.mutants.hive_believed import BROKEN
from tests.mutants.hive_believed import MUTANTS as BELIEVED
from tests.mutants.hive_constraints import BROKEN as UNTOLD
from tests.mutants.hive_constraints import MUTANTS as CONSTRAINTS
from tests.mutants.hive_locks import KILLS as LOCKS
from tests.mutants.hive_races import KILLS as RACES
from tests.mutants.hive_refresh import KILLS
from tests.mutants.hive_restarts import ENDED
from tests.mutants.hive_restarts import MUTANTS as RESTARTS
from tests.mutants.hive_statistics import DELETIONS
from tests.mutants.hive_statistics import MUTANTS as STATISTICS
from tests.mutants.hive_truncates import KILLS as TRUNCATED
from tests.mutants.hive_truncates import MUTANTS as TRUNCATES
from tests.mutants.hive_updates import KILLS as UPDATES
from tests.mutants.mutant import Mutant
from tests.search.hive import planted_catalogd
from tests.search.planted import Planted, any_failure, explained_by

UNREAD = "HIVE-25796"
"""Events that are cleaned unread, and nobody looks."""
RENAMED = "hive/reference-without-atomic-rename"
CLEANED_ABORT = "hive/cleaned-abort-as-shipped"
READ_BEFORE, UNREACHED = "hive/truncate-read-before", "hive/refresh-truncate-partitions"
REFUSED_TRUNCATE = "hive/shipped-truncate-refused"
MENDED = "mended"
CHECKED = ("first-committer-wins", "conflicts-have-a-rival")
WHERE = (
    {
        "M11": ("external",),
        "M29": ("external", "both"),
        "M30": ("external", "both"),
        "M31": ("short-log",),
        "M36": ("old-clients",),
        "M37-reversed": ("conflicts-at-commit",),
        "no-conflict-event": ("conflicts-at-commit",),
        UNREAD: ("external", "both"),
        RENAMED: ("no-cache-conflicts-at-commit",),
        CLEANED_ABORT: ("no-cache",),
        SLOW_OPENS[0].scenario: ("no-cache",),
        READ_BEFORE: ("no-cache",),
        "hive/shipped-constraints": ("external", "both"),
        ENDED.name: ("external", "both"),
        DELETED[0].scenario: ("external",),
    }
    | {mutant.name: ("external",) for mutant in DELETIONS}
    | {name: ("no-cache",) for name, (_, _, broken) in LOCKS.items() if broken == "calls-answered"}
)
"""The configurations of what is not looked for in the default one."""
AGAIN = {known.scenario: known.property for known in MADE_AGAIN}
"""The findings of a client that makes calls again, with the property of each."""
WHERE |= dict.fromkeys(AGAIN, ("hives-own-client",))
WHERE |= {
    name: ("conflicts-at-commit", "no-cache-conflicts-at-commit") for name, row in UPDATES.items() if row[2] in CHECKED
}
WHERE |= {"changes-keep-the-old-name": ("conflicts-at-commit",)}
CHANGED = (
    "document-comparison", "document-prewarm", "document-outdated-list", "document-unless", "no-conflict-event",
    "no-atomic-rename", "no-drop-write-id",
)  # fmt: skip
"""The reference with one rule of the document, or of 4.0."""
BY_DOCUMENT = ("read-your-writes", "right-incarnation", "freshness", "all-or-nothing")
"""What the shipped cache does not keep of the document's promises."""

ROW = {race.mutant: race.broken for race in RACES}
"""The property that a mutant's row of hive/4.10 names, as its own race breaks it."""
INSTEAD = {
    "M13": ("no-dirty-reads", "content and tag are of different moments: what is new is served before it is committed"),
    "M25": (
        "convergence",
        "the other table's write id is in the tag: its own table is not served from the cache again",
    ),
    "M27": ("convergence", "the event that is passed over leaves the entry behind for ever"),
    "M32": ("no-dirty-reads", "the outdated entry comes with a tag that has what it lacks"),
    "M37-reversed": ("convergence", "what was readable too early is never readable if the commit is refused"),
    "P51-1": ("no-dirty-reads", "the tag counts ids as committed that are not"),
}
"""Mutants of which the generators show another property than the row's first, and why it is the same defect."""
LOCKED = {"monotonic-reads-per-replica": "locks-exclude"}
"""Reads do not go back where everybody locks, which the race of a mutant has; a drawn one has those who do not."""
OWN_WRITES = "read-your-writes"
"""What CachedStore promises to nobody without the event mode."""

SLOW = ("open-commits-unwatched", "open-older-than-its-id")
TWO_MOMENTS = (
    "more than 48 schedules of a scenario: two processes stand still, each at its one moment; sweeps of 384 find one "
    "that stands still at its commit in two of three scenarios drawn with it, and both have a scenario"
)
REFUSED = "a property of what is refused: nobody loses anything by it; a vector kills it"


def planted() -> Iterator[Planted]:
    """Every mutant, on its row's property; the reference with one rule changed; findings of shipped caches."""
    for mutant in MUTANTS:
        broken = INSTEAD[mutant.name][0] if mutant.name in INSTEAD else ROW[mutant.name]
        yield _row(mutant.name, Given(mutant.base, DOCUMENT), mutant, broken)
    for name in CHANGED:
        yield _row(name, Given(VARIANTS[name], DOCUMENT))
    for name in dict.fromkeys([known.scenario for known in FINDINGS]):
        one = _row(name, Given(SHIPPED, CACHED_STORE), None, _asked(name))
        yield replace(one, shows=explained_by(GENERATOR, name))
    renamed = _row(RENAMED, Given(SHIPPED, CACHED_STORE), None, "no-dirty-reads")
    yield replace(renamed, shows=explained_by(GENERATOR, RENAMED))
    for name in dict.fromkeys([known.scenario for known in (*CLEANED, *OVERTAKEN, *ASTRAY)]):
        row = _row(name, Given(SHIPPED, CACHED_STORE), None, _asked(name))
        yield replace(row, shows=explained_by(GENERATOR, name))
    yield replace(_row(UNREAD, Given(SHIPPED, DOCUMENT)), shows=explained_by(GENERATOR, UNREAD))
    for name in (TWO_NAMES[0].scenario, NEVER_TOLD[0].scenario, "hive/refresh-constraints"):
        row = _row(name, Given(SHIPPED_REFRESH, REFRESHED), None, _asked(name))
        yield replace(row, shows=explained_by(GENERATOR, name, "shipped-refresh"))
    yield _compared("hive/shipped-constraints", Given(SHIPPED, CACHED_STORE), "convergence", loads_constraints=True)
    yield _compared(READ_BEFORE, Given(SHIPPED_REFRESH, REFRESHED), _asked(READ_BEFORE), truncates_what_is_there=True)
    for name, asked in ((UNREACHED, _asked(UNREACHED)), (REFUSED_TRUNCATE, "truncates-as-told")):
        row = _row(name, Given(SHIPPED, DOCUMENT), None, asked)
        yield replace(row, shows=explained_by(GENERATOR, name, SHIPPED_BY_DOCUMENT))
    slow = _row(SLOW_OPENS[0].scenario, Given(SHIPPED, CACHED_STORE), None, SLOW_OPENS[0].property)
    yield replace(slow, missing=TWO_MOMENTS)
    for name, broken in AGAIN.items():
        row = _row(name, Given(SHIPPED, CACHED_STORE), None, broken)
        yield replace(row, shows=explained_by(GENERATOR, name))
    for mutant in STATISTICS:
        yield _row(mutant.name, Given(mutant.base, DOCUMENT), mutant, "no-dirty-reads")
    for mutant in CONSTRAINTS:
        yield _row(mutant.name, Given(mutant.base, DOCUMENT), mutant, UNTOLD)
    for mutant in TRUNCATES:
        yield _row(mutant.name, Given(mutant.base, DOCUMENT), mutant, TRUNCATED[mutant.name][1])
    for mutant in DELETIONS:
        yield _row(mutant.name, Given(mutant.base, DOCUMENT), mutant, "convergence")
    for broken in BY_DOCUMENT:
        yield _row(f"shipped: {broken}", Given(SHIPPED, DOCUMENT), None, broken)
    for mutant, scenario in KILLS.values():
        if scenario.properties == ("convergence",):
            yield _row(mutant.name, Given(mutant.base, REFRESHED), mutant)
        else:
            yield _asking(mutant, OWN_WRITES)
    for mutant in BELIEVED:
        row = _asking(mutant, BROKEN.get(mutant.name, OWN_WRITES))
        yield row if mutant.name in BROKEN else replace(row, missing=REFUSED)
    for mutant in RESTARTS:
        yield _row(mutant.name, Given(mutant.base, DOCUMENT), mutant)
    yield _row(ENDED.name, Given(ENDED.base, CACHED_STORE), ENDED, "convergence")
    for mutant, _, broken in LOCKS.values():
        yield _row(mutant.name, Given(mutant.base, DOCUMENT), mutant, LOCKED.get(broken, broken))
    for mutant, _, broken in UPDATES.values():
        missing = TWO_MOMENTS if mutant.name in SLOW else ""
        yield replace(_row(mutant.name, Given(mutant.base, DOCUMENT), mutant, broken), missing=missing)
    yield from planted_catalogd.planted()


def _compared(name: str, given: Given, broken: str, **mends: bool) -> Planted:
    """A finding that others look like: what fails under the rules that mend it is not its."""
    row = _row(name, given, None, broken)
    mended = given._replace(rules=replace(given.rules, **mends))  # type: ignore[arg-type]
    both = replace(row.generator, variants={"planted": given, MENDED: mended})
    return replace(row, generator=both, rules="planted", repaired=MENDED)


def _asked(name: str) -> str:
    """The one property that a finding breaks, or all that are promised (""): another finding's would be shown first."""
    broken = {known.property for known in GENERATOR.known if known.scenario == name}
    return broken.pop() if len(broken) == 1 else ""


def _asking(mutant: Mutant, asked: str) -> Planted:
    """A mutant of the default mode, on a property that this makes nobody: what fails without the mutant is not its."""

    def draw(draws: Draws, given: Given) -> Scenario:
        return replace(GENERATOR.draw(draws, given), properties=(asked,))

    drawn = replace(GENERATOR, variants={"planted": Given(mutant.base, REFRESHED)}, draw=draw)
    row = _row(mutant.name, Given(mutant.base, REFRESHED), mutant, asked)
    return replace(row, generator=drawn, configurations=("default", "external"))


def _row(name: str, given: Given, mutant: Mutant | None = None, broken: str = "") -> Planted:
    rules = replace(GENERATOR, variants={"planted": given})
    return Planted(name, rules, WHERE.get(name, ("default",)), None, mutant, broken, any_failure)
