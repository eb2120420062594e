"""Cleaning: what it leaves, as upstream does, and what holds it back."""

import pytest

from model.hudi import Cleaner, HudiClient, SavepointClient
from model.hudi.clean_policies import HOUR_MS, Policy, earliest_of_commits, earliest_to_retain
from model.hudi.errors import ConfigError
from model.hudi.keys import BY_HOURS, HOURS, LATEST_COMMITS, LATEST_VERSIONS, RETAINED, SLICES_POLICY, VERSIONS
from model.hudi.names import CLEANING, COMMIT, COMPLETED, LOCK
from model.hudi.options import parse_options
from model.hudi.partitions import Partitions
from model.hudi.timeline import Instant, Timeline, parse_timeline
from sim.hudi.build import FILE_LOCK, OPTIMISTIC
from tests.unit.hudi.cleaning_vectors import ARCHIVED, CASES, SAVEPOINTS, Model
from tests.unit.hudi.worlds import Lab

ONE = (*OPTIMISTIC, (RETAINED, "1"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_cleaning_leaves(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_cleaning.py` plays the same cases."""
    assert Model(case).play(case.calls) == case.left


@pytest.mark.parametrize("case", SAVEPOINTS, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_savepoints_keep(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_cleaning.py` plays the same cases."""
    model = Model(case)
    assert (model.play(case.calls), model.saved()) == (case.left, case.saved)


@pytest.mark.parametrize("case", ARCHIVED, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_archiving_leaves(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_cleaning.py` plays the same cases."""
    model = Model(case)
    model.play(case.calls)
    assert model.active() == case.left


@pytest.mark.parametrize(
    ("completed", "pending", "retained", "earliest"),
    [
        ("", "", 1, None),
        ("1", "", 1, None),
        ("1 2", "", 1, 2),
        ("1 2 3", "", 2, 2),
        ("1 2 3", "4", 1, 3),
        ("1 2 4", "3", 1, 2),
        ("2 3", "1", 1, None),
    ],
)
def test_the_earliest_instant_to_retain(completed, pending, retained, earliest):
    """`CleanerUtils.getEarliestCommitToRetain`: the last so many, and nothing from before a pending one."""
    names = [f"{int(each):06d}_{int(each) + 10:06d}.commit" for each in completed.split()]
    names += [f"{int(each):06d}.commit.requested" for each in pending.split()]
    assert earliest_of_commits(parse_timeline(tuple(names)), retained) == earliest


@pytest.mark.parametrize(("hour", "earliest"), [(1, 5), (2, 5), (3, HOUR_MS + 5), (4, 2 * HOUR_MS + 5), (5, None)])
def test_by_hours_the_earliest_one_began_within_them_whatever_is_pending(hour, earliest):
    """Two hours are retained; none did, and there is nothing to retain."""
    names = [f"{begun}_{begun + 10}.commit" for begun in (5, HOUR_MS + 5, 2 * HOUR_MS + 5)]
    seen = parse_timeline((*names, "4.commit.requested"))
    config = parse_options({SLICES_POLICY: BY_HOURS, HOURS: "2"})
    assert earliest_to_retain(seen, config, hour * HOUR_MS + 4) == earliest


def upserts(lab, values):
    """One upsert of row 1 after the other."""
    for value in values:
        client = HudiClient(lab.world("w"), lab.config, owner="w")
        instant = client.start_commit()
        client.commit(instant, client.upsert((("1", value),), instant))


def test_by_default_ten_commits_are_retained():
    """The initial one and ten more are the first of which one goes."""
    lab = Lab()
    upserts(lab, [f"v{number}" for number in range(9)])
    Cleaner(lab.world("c"), lab.config).clean()
    assert not any(f".{CLEANING}" in path for path in lab.files.files)
    upserts(lab, ["v9", "v10"])
    Cleaner(lab.world("c"), lab.config).clean()
    assert sum(path.endswith(".parquet") for path in lab.files.files) == 11


def test_a_clean_that_was_left_inflight_is_finished():
    """Nothing else is planned before; what it names may have gone."""
    lab = Lab(ONE)
    upserts(lab, "AB")
    first = Cleaner(lab.world("c"), lab.config)
    slices = first._slices
    assert slices.schedule(slices._timeline.load())
    (clean,) = slices._timeline.load().cleans
    slices._timeline.to_inflight(clean.requested, CLEANING)
    lab.files.delete(slices._timeline.read_requested(clean.requested, CLEANING).paths[0])
    Cleaner(lab.world("d"), lab.config).clean()
    assert [each.is_completed for each in slices._timeline.load().cleans] == [True]


def test_what_cannot_be_is_refused():
    """The key, its value, and what is allowed; the older name says the same."""
    assert parse_options({"hoodie.cleaner.commits.retained": "3"}).commits_retained == 3
    with pytest.raises(ConfigError, match=rf"{RETAINED}.*0"):
        parse_options({RETAINED: "0"})
    with pytest.raises(ConfigError, match=f"{SLICES_POLICY}: expected .*{BY_HOURS}, got 'KEEP_ALL'"):
        parse_options({SLICES_POLICY: "KEEP_ALL"})


@pytest.mark.parametrize(
    ("options", "policy"),
    [
        ({}, LATEST_COMMITS),
        ({RETAINED: "5"}, LATEST_COMMITS),
        ({VERSIONS: "2"}, LATEST_VERSIONS),
        ({HOURS: "2"}, BY_HOURS),
        ({"hoodie.cleaner.fileversions.retained": "2"}, LATEST_VERSIONS),
        ({"hoodie.cleaner.hours.retained": "2"}, BY_HOURS),
        ({VERSIONS: "2", RETAINED: "5"}, LATEST_COMMITS),
        ({VERSIONS: "2", HOURS: "5"}, LATEST_COMMITS),
        ({VERSIONS: "2", SLICES_POLICY: LATEST_COMMITS}, LATEST_COMMITS),
        ({"hoodie.cleaner.policy": LATEST_VERSIONS}, LATEST_VERSIONS),
    ],
)
def test_the_policy_follows_from_the_one_number_that_is_given(options, policy):
    """`HoodieCleanConfig` infers it; of several it infers none."""
    assert parse_options(options).slices_policy == policy


def test_the_second_of_two_cleaners_fails_unheard_and_deletes_whoever_has_the_lock_file():
    """It has not asked for the lock; nothing tells its client."""
    lab = Lab((*FILE_LOCK, (RETAINED, "1")))
    upserts(lab, "AB")
    slices = Cleaner(lab.world("c"), lab.config, owner="c")._slices
    assert slices.schedule(slices._timeline.load())
    seen = slices._timeline.load()
    slices._timeline.to_inflight(seen.cleans[0].requested, CLEANING)
    lab.files.create(LOCK, "w9")
    slices._execute(seen.cleans[0])
    assert LOCK not in lab.files.files
    assert not slices._timeline.load().cleans[0].is_completed


def test_partitions_of_two_levels_are_cleaned_and_saved_one_by_one():
    """Neither is their common folder a partition, nor is it empty."""
    lab = Lab(ONE, groups=(("fg1", ((1, "a"),)), ("fg2", ((2, "b"),))), partitions=("2026/1", "2026/11"))
    client = HudiClient(lab.world("w"), lab.config, owner="w")
    where = Partitions("2026/1", (("2", "2026/11"),))
    for value in "AB":
        instant = client.start_commit()
        client.commit(instant, client.upsert((("1", value),), instant, where))
    Cleaner(lab.world("c"), lab.config).clean()
    SavepointClient(lab.world("s"), lab.config).savepoint()
    left = sorted(path for path in lab.files.files if path.endswith(".parquet"))
    assert [path.rpartition("/")[0] for path in left] == ["2026/1", "2026/1", "2026/11"]
    (saved,) = [each[0] for path, each in lab.files.files.items() if path.endswith(".savepoint")]
    assert set(saved.paths) == {max(left[:2]), left[2]}


@pytest.mark.parametrize(("earliest", "versions"), [(None, 1), (5, 0)])
def test_two_files_of_one_instant_are_one_slice(earliest, versions):
    """A task that failed has left one, whose marker is gone: neither goes as long as the slice is the newest."""
    seen = Timeline(tuple([Instant(at, COMMIT, COMPLETED, done) for at, done in ((0, 0), (1, 2))]))
    twice = ("fg1_0-0-0_000001.parquet", "fg1_0-0-1_000001.parquet")
    assert Policy(seen, {}, earliest, versions).old(("fg1_0-0-0_000000.parquet", *twice)) == (
        "fg1_0-0-0_000000.parquet",
    )
