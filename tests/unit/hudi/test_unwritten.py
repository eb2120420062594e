"""Marker files that are not written, in drawn races, and what is promised of files of markers that something happens
to."""

from typing import Any

from model.hudi.keys import MARKERS, SERVER_MARKERS, USING_MARKERS
from sim.generation.draws import seeded
from sim.generation.generator import promised
from sim.hudi.build import MARKER_FILES, NO_FAULTS
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.draw.restores_archived import ARCHIVED
from sim.hudi.draw.said import said_of_faults
from sim.hudi.draw.unwritten import LOST, OTHERS, UNLIKE, UNWRITTEN
from sim.hudi.generate import GENERATOR
from sim.hudi.promises import CLEANED, FAULTS, VANISHED
from sim.hudi.promises import UNWRITTEN as SAID
from sim.hudi.statements import DamageMarkers
from sim.world.fault_spaces import wide
from tests.unit.hudi.drawn_last import OF_UPDATES, without

SEEDS = 120
SERVED = CONFIGURATIONS["server-markers"]
TIDY = "clean-at-quiescence"


def test_they_are_drawn_last_and_where_nothing_else_fails():
    """Without them a seed gives the same race without faults, but for what comes later; direct ones are all written."""
    changed = 0
    for seed in range(SEEDS):
        mine, usual = (
            GENERATOR.make(without(seeded(seed), ARCHIVED, *OF_UPDATES, *more), SERVED) for more in ((), (UNWRITTEN,))
        )
        work: Any = mine.program
        assert work.workload == usual.program.workload  # type: ignore[attr-defined]  # as all Hudi races
        changed += mine.faults != usual.faults
        if mine.faults != usual.faults:
            assert usual.faults == NO_FAULTS
            assert set(mine.faults.kinds) == set(MARKER_FILES.kinds)
            assert set(mine.faults.names) == set(LOST)
            assert not work.workload.has(*UNLIKE)
    assert SEEDS / 60 < changed < SEEDS / 5
    direct = [GENERATOR.make(seeded(seed), CONFIGURATIONS["prefer-writer"]) for seed in range(SEEDS)]
    assert not any(set(each.faults.kinds) & set(MARKER_FILES.kinds) for each in direct)


def test_nothing_is_left_where_who_asked_for_a_marker_is_told_or_files_are_listed():
    """Of one that vanished, a server's alone, and where nobody cleans just then; of other faults nothing is said."""
    listed = CONFIGURATIONS["server-markers-listed"]
    assert (listed[MARKERS], listed[USING_MARKERS]) == (SERVER_MARKERS, "false")

    def asked(settings, said, **world):
        return TIDY in promised(GENERATOR.promises, {**settings, FAULTS: said, **world})

    assert asked(SERVED, SAID)
    assert asked(listed, VANISHED)
    assert not asked(SERVED, VANISHED)
    assert not asked({**listed, MARKERS: "DIRECT"}, VANISHED)
    assert not asked(listed, VANISHED, **{CLEANED: "yes"})
    assert not asked(listed, f"drop-before {VANISHED}")


def test_what_is_said_of_them_is_said_of_nothing_else():
    """A fault of another call beside them is one as others are."""
    unwritten = wide(MARKER_FILES, without=OTHERS)
    assert said_of_faults(unwritten, []) == SAID
    assert said_of_faults(unwritten, [[DamageMarkers()]]) == f"{SAID} {VANISHED}"
    assert said_of_faults(NO_FAULTS, []) == ""
