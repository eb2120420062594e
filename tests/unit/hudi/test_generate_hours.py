"""What is drawn last of generated Hudi races: cleaning by hours, and marker files that end within a line, or vanish."""

from dataclasses import replace
from typing import Any

from model.hudi.keys import BY_HOURS, SLICES_POLICY, USING_MARKERS
from sim.generation.draws import Source, seeded
from sim.hudi.draw.clustering_logs import CLUSTERING_LOGS
from sim.hudi.draw.damage import DAMAGE
from sim.hudi.draw.damage import LISTS as LISTS_FILES
from sim.hudi.draw.hours import PASS
from sim.hudi.draw.metadata import LISTS
from sim.hudi.draw.restores import OF_LOGS, TRIES
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import DamageMarkers, Restore, Savepoint
from tests.unit.hudi.drawn_last import LAST, before_last, earlier
from tests.unit.hudi.test_generate import SEEDS


def test_hours_are_drawn_when_all_else_has_been():
    """Without them a seed gives the same race, but for who changes a row when one has passed, and cleans."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(before_last(seeded(seed), LISTS)).program.workload  # type: ignore[attr-defined]  # as all Hudi races
        theirs: Any = GENERATOR.make(before_last(seeded(seed), PASS, LISTS)).program.workload  # type: ignore[attr-defined]
        changed += dict(mine.options).get(SLICES_POLICY) == BY_HOURS
        assert replace(mine, writers=mine.writers[: len(theirs.writers)], options=theirs.options) == theirs
    assert 0 < changed < SEEDS / 20


def unlisted(source: Source) -> Source:
    """A source that draws no metadata table, nothing damaged and nothing of what comes after all else, as these come
    after marker files."""
    return lambda name, options: 0 if name in (LISTS, DAMAGE, LISTS_FILES, *LAST) else source(name, options)


def test_marker_files_that_end_within_a_line_are_drawn_last():
    """Without them a seed gives the same race, whose writers died when they had written."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(unlisted(seeded(seed))).program.workload  # type: ignore[attr-defined]  # as above
        theirs: Any = GENERATOR.make(before_last(seeded(seed), LISTS)).program.workload  # type: ignore[attr-defined]
        changed += mine != theirs
        whole = [replace(past, ending="written") if past.ending == "cut" else past for past in mine.history]
        assert replace(mine, history=tuple(whole)) == theirs
    assert 0 < changed < SEEDS / 10


def undamaged(source: Source) -> Source:
    """A source that draws nothing damaged, no rollbacks that list files, and nothing of what comes after all else."""
    return lambda name, options: 0 if name in (DAMAGE, LISTS_FILES, *LAST) else source(name, options)


def unserved(source: Source) -> Source:
    """A source that draws no more for services and overwrites to do, and replaces nothing on merge-on-read tables:
    that comes after all else."""
    return lambda name, options: 0 if name in LAST else source(name, options)


def test_damage_is_drawn_last():
    """Without it a seed gives the same race, but for who does it, and how rollbacks find files."""
    struck = []
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(unserved(seeded(seed))).program.workload  # type: ignore[attr-defined]  # as above
        theirs: Any = GENERATOR.make(undamaged(seeded(seed))).program.workload  # type: ignore[attr-defined]
        struck += [each.what for each in mine.statements if isinstance(each, DamageMarkers)]
        assert [each for each in mine.options if each[0] != USING_MARKERS] == list(theirs.options)
        assert replace(mine, writers=mine.writers[: len(theirs.writers)], options=theirs.options) == theirs
    assert set(struck) == {"vanished", "type vanished", "type cut"}
    assert 0 < len(struck) < SEEDS / 6


def test_restores_of_merge_on_read_tables_are_drawn_last():
    """Without them a seed gives the same race, but for who restores, or one more who does."""
    changed, merged = 0, GENERATOR.configurations["merge-on-read"]
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(unclustered(earlier(seeded(seed))), merged).program.workload  # type: ignore[attr-defined]
        theirs: Any = GENERATOR.make(unrestored(unclustered(earlier(seeded(seed)))), merged).program.workload  # type: ignore[attr-defined]
        changed += mine != theirs
        assert mine.has(Restore) == (mine != theirs)
        assert replace(mine, writers=theirs.writers) == theirs
        for (_, todo), (_, others) in zip(mine.writers, theirs.writers, strict=False):
            assert todo in (others, (Savepoint(), *others, Restore(TRIES)))
    assert 0 < changed < SEEDS / 4


def unrestored(source: Source) -> Source:
    """A source that draws no restores on merge-on-read tables."""
    return lambda name, options: 0 if name == OF_LOGS else source(name, options)


def unclustered(source: Source) -> Source:
    """A source that draws no clustering on merge-on-read tables, which comes after these."""
    return lambda name, options: 0 if name == CLUSTERING_LOGS else source(name, options)
