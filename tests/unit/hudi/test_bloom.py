"""Bloom files of markers: what a filter says, when a file is written and asked, and what one says that is not there."""

from dataclasses import replace
from typing import Any

import pytest

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.bloom import BloomFiles, empty_filter
from model.hudi.config import HudiConfig
from model.hudi.early import EarlyDetection
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import BATCH_THREADS
from model.hudi.names import BaseFile, bloom_file, completed_path
from model.hudi.observer import UNOBSERVED
from model.hudi.options import parse_options
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage
from model.hudi.timeline import Timeline
from model.hudi.variants import AS_DOCUMENT, BLOOM_FIRST_OR_MARKERS, FIXED
from model.ports import Unanswered
from sim.hudi.build import SERVER_WRITES, TWO_GROUPS, race
from sim.hudi.built_in.bloom import ASYNC, CROWDED, DIRECT
from sim.hudi.statements import Upsert
from sim.search.run import Run, Runner
from sim.search.strategies import FirstCome
from tests.unit.hudi import vectors
from tests.unit.hudi.worlds import Lab, Refusing

OTHERS = [f"other{number}" for number in range(10_000)]
FOLDER = ".hoodie/.temp/000001/"


def files_of(lab: Lab, rules: Rules = AS_DOCUMENT, config: HudiConfig | None = None, **ports: Any) -> BloomFiles:
    """The Bloom files of a client."""
    world = lab.world("w1", **ports)
    config = config or parse_options(dict(DIRECT))
    return BloomFiles(TableStorage(world, config), config, rules, world.coverage)


@pytest.mark.parametrize(("entries", "rate", "size", "hashes"), [(1_000, 0.000001, 28_756, 20), (1, 0.7, 1, 1)])
def test_a_filter_has_the_size_that_hudi_gives_it(entries, rate, size, hashes):
    """As many bits and hashes as `BloomFilterUtils` says."""
    assert empty_filter(entries, rate)[:2] == (size, hashes)


@pytest.mark.parametrize("rate", [0.3, 0.01, 0.001])
def test_a_full_filter_errs_as_often_as_was_asked_for_and_forgets_no_member(rate):
    """Within a third of the rate, over ten thousand names that are none of its members."""
    members = [f"fg{number}" for number in range(500)]
    told = empty_filter(len(members), rate).adding(members)
    assert all(told.may_hold(name) for name in members)
    wrong = sum(told.may_hold(name) for name in OTHERS) / len(OTHERS)
    assert 0.66 * rate <= wrong <= 1.34 * rate


def test_a_filter_is_the_same_in_every_process():
    """Its hashes are of no seed: a stored one means the same to its reader."""
    assert empty_filter(2, 0.1).adding(["fg1"]).bits == 0b1010100010


def test_a_bloom_file_tells_of_every_marker_so_far():
    """Written over as a whole; what it tells of already is not written again."""
    lab = Lab()
    blooms = files_of(lab)
    for name in ("fg1", "fg2"):
        blooms.add(1, "p1", (name,))
    stored = lab.files.read(bloom_file(1, "p1"))
    blooms.add(1, "p1", ("fg1",))
    assert lab.files.read(bloom_file(1, "p1")) is stored
    assert [blooms.may_tell_of(1, "p1", (name,)) for name in ("fg1", "fg2", "fg3")] == [True, True, False]


@pytest.mark.parametrize("refused", ["read", ""])
@pytest.mark.parametrize(("rules", "says"), [(AS_DOCUMENT, False), (BLOOM_FIRST_OR_MARKERS, True)])
def test_a_bloom_file_that_is_not_there_or_unreadable_says_what_the_rules_say(rules, says, refused):
    """None of the names, or any."""
    lab = Lab()
    files = Refusing(lab.files, refused) if refused else lab.files
    assert files_of(lab, rules, files=files).may_tell_of(1, "p1", ("fg1",)) is says


def run(options, rules: Rules, upsert: Upsert, **writers: list[Upsert]) -> Run:
    """One writer of two file groups, and others."""
    scenario = race(
        "bloom", "", {"w1": [upsert], **writers}, groups=TWO_GROUPS, rules=rules, options=options,
        properties=("all-writes-commit", "clean-at-quiescence"), yield_points=SERVER_WRITES,
    )  # fmt: skip
    return Runner(scenario).run(FirstCome())


def made(found: Run) -> list[str]:
    """The marker files and the Bloom files that were written, in order."""
    return [row[3].removeprefix(FOLDER) for row in found.trace if row[2] in ("create", "close") and FOLDER in row[3]]


def test_the_order_of_marker_and_bloom_file_is_the_rules():
    """With direct markers."""
    one = Upsert(((1, "A"),))
    marker = "p1/fg1_0-0-0_000001.parquet.marker.MERGE"
    assert made(run(DIRECT, AS_DOCUMENT, one)) == [marker, "p1/BLOOM"]
    assert made(run(DIRECT, FIXED, one)) == ["p1/BLOOM", marker]


def test_a_second_attempt_is_told_of_already():
    """Its marker is made, its Bloom file stays as it is."""
    found = run(DIRECT, AS_DOCUMENT, Upsert(((1, "A"),), attempts=2))
    assert made(found).count("p1/BLOOM") == 1
    assert found.failure is None


def test_each_marker_file_of_a_timeline_server_has_a_bloom_file():
    """Written with it: one of all markers in it, whichever batch they are of."""
    both = Upsert(((1, "A"), (2, "B")))
    assert made(run(ASYNC, AS_DOCUMENT, both)) == ["MARKERS.type", "MARKERS0", "BLOOM0", "MARKERS1", "BLOOM1"]
    found = run((*ASYNC, (BATCH_THREADS, "1")), FIXED, both)
    assert made(found) == ["MARKERS.type", "BLOOM0", "MARKERS0", "BLOOM0", "MARKERS0"]
    stored = [row[4][1] for row in found.trace if row[3] == f"{FOLDER}BLOOM0" and row[2] == "close"][-1]
    assert [stored.may_hold(f"p1/fg{number}") for number in (1, 2, 3)] == [True, True, False]


@pytest.mark.parametrize("options", [DIRECT, ASYNC])
def test_a_filter_that_errs_refuses_nobody(options):
    """Markers are read in vain, whichever they are."""
    slow = replace(Upsert(((1, "A"),)), work_ms=40_000)
    found = run((*options, *CROWDED), AS_DOCUMENT, slow, w2=[Upsert(((2, "B"),), work_ms=35_000, attempts=2)])
    assert found.failure is None
    assert found.coverage[coverage.BLOOM_IN_VAIN] >= 1


def test_what_hudi_tests_of_the_simple_strategy_holds_with_bloom_files():
    """Its own test of two writers and a third one, with the same outcomes."""
    (simple,) = [vector for vector in vectors.VECTORS if vector.number == "28"]
    assert vectors.mismatches(simple._replace(given=simple.given.replace("direct", "bloom"))) == []


@pytest.mark.parametrize("rules", [AS_DOCUMENT, FIXED])
def test_a_commit_that_cannot_be_read_has_changed_nothing(rules):
    """Check of commits, by all direct strategies: as shipped, what is unreadable is passed over."""
    lab = Lab("bloom")
    files = Refusing(lab.files, "read", error=Unanswered, only=completed_path(2, 0, "commit", 0))
    config = replace(parse_options(dict(DIRECT)), check_commit_conflict=True)
    world = lab.world("w1", files=files)
    storage = TableStorage(world, config)
    timeline = ActiveTimeline(world, storage, 2)
    early = EarlyDetection(
        world, storage, Heartbeats(world, storage, config, rules), timeline, config, rules, UNOBSERVED
    )
    early.mark(5, "p1", BaseFile("fg1", "0-0-0", 5), "MERGE", Timeline(()))
    assert lab.files.read(bloom_file(5, "p1")).may_hold("fg1")
