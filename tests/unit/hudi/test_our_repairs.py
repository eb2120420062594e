"""Repairs that are ours: commits that are decided, lost answers that are looked up, looks that come in time."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from lakeproof.scenarios import built_in
from model.hudi import SHIPPED, HudiClient, Rules, coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.checker import AsyncChecker
from model.hudi.decided_commits import DecidedTimeline
from model.hudi.errors import EarlyConflict, OutcomeUnknown, StorageFailed, WriteConflict
from model.hudi.heartbeats import Heartbeats
from model.hudi.marker_files import Marker
from model.hudi.names import BaseFile, claim_path, decision_path, marker_file
from model.hudi.observer import UNOBSERVED
from model.hudi.options import parse_options
from model.hudi.storage import TableStorage
from model.hudi.variants import (
    COMMITS_DECIDED,
    COMMITS_SINCE_INSTANT,
    LOST_ANSWERS_LOOKED_UP,
    SERVER_LOOKS_FIRST,
)
from model.ports import CasLost, ConnectionLost
from sim.hudi.build import ASYNC
from sim.hudi.race import HudiRace
from sim.hudi.workload import Options
from sim.search.explore import by_deviations
from sim.search.result import Result
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant
from tests.unit.hudi.lock_vectors import Case
from tests.unit.hudi.worlds import Lab, Refusing

TAKEN_OVER = ("hudi/file-lock-expired", "hudi/storage-lock-expired", "hudi/metastore-lock-expired")
NOT_SETTLED = Mutant(
    "claims-not-settled", "who comes next goes on beside a claim",
    ((DecidedTimeline, "settle", lambda *_: None),), COMMITS_DECIDED,
)  # fmt: skip


def _upserting(lab: Lab, name: str, rules: Rules, **ports: Any) -> tuple[HudiClient, Callable[[], Any]]:
    """A client that has written, and what commits it."""
    client = HudiClient(lab.world(name, **ports), lab.config, rules, owner=name)
    instant = client.start_commit()
    written = client.upsert((("1", name),), instant)
    return client, lambda: client.commit(instant, written)


def _under(name: str, rules: Rules) -> Scenario:
    """A built-in scenario under other rules, asked what becomes of commits."""
    scenario = built_in()[name]
    assert isinstance(scenario.program, HudiRace)
    asked = tuple([each for each in scenario.properties if each not in ("one-lock-holder", "clean-at-quiescence")])
    return replace(scenario, program=replace(scenario.program, rules=rules), properties=asked, broken=None)


def _searched(name: str, rules: Rules, limit: int) -> Result:
    return by_deviations(_under(name, rules), 2, limit=limit)


@pytest.mark.parametrize("name", TAKEN_OVER)
def test_who_goes_on_without_its_lock_is_refused(name: str) -> None:
    """The shipped rules lose an update within as many schedules, and nobody is refused for it."""
    fenced = _searched(name, COMMITS_DECIDED, 600)
    assert fenced.verdict != "violated"
    assert fenced.coverage[coverage.COMMIT_FENCED]
    assert fenced.coverage[coverage.CLAIM_REFUSED]


def test_a_claim_that_nobody_settles_fences_nothing() -> None:
    """The mutant is killed where the rule holds."""
    with NOT_SETTLED.alive():
        assert _searched("hudi/late-completion-decided", COMMITS_DECIDED, 6_000).verdict == "violated"


def test_the_next_one_refuses_what_is_not_decided_and_completes_what_is() -> None:
    """A decision is made once."""
    lab = Lab("prefer-writer")
    world = lab.world("w1")
    client = HudiClient(world, lab.config, COMMITS_DECIDED)
    timeline, instant = client.timeline, client.start_commit()
    assert isinstance(timeline, DecidedTimeline)
    timeline.claim(instant)
    other = HudiClient(lab.world("w2"), lab.config, COMMITS_DECIDED).timeline
    other.claim(instant + 1)
    assert lab.files.read(decision_path(instant)).done is None
    timeline.to_inflight(instant)
    with pytest.raises(WriteConflict, match="was taken over"):
        timeline.complete(instant, lambda: instant + 5, None)
    assert timeline.load().is_pending(instant)


class _Cut:
    """A file system that does not answer, and does not make, the completed file of a commit."""

    def __init__(self, files: Any) -> None:
        self._files = files
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def create(self, path: str, body: Any) -> None:
        if path.endswith(".commit"):
            self.asked.append(path)
            raise ConnectionLost(path)
        self._files.create(path, body)


def test_a_decided_commit_is_completed_by_the_next_one() -> None:
    """Its writer has died in between; the next one is compared with it."""
    lab = Lab("prefer-writer")
    cut = _Cut(lab.files)
    _, commit = _upserting(lab, "w1", COMMITS_DECIDED, files=cut)
    _, second = _upserting(lab, "w2", COMMITS_DECIDED)
    with pytest.raises(OutcomeUnknown):
        commit()
    with pytest.raises(WriteConflict, match="was changed by"):
        second()
    assert lab.files.exists(cut.asked[0])


def test_as_shipped_nothing_is_claimed() -> None:
    """No file more than Hudi makes."""
    for rules, made in ((SHIPPED, False), (COMMITS_DECIDED, True)):
        lab = Lab("prefer-writer")
        _, commit = _upserting(lab, "w1", rules)
        done = commit()
        assert lab.files.exists(claim_path(done.requested)) is made


@pytest.mark.parametrize(("rules", "again"), [(SHIPPED, False), (LOST_ANSWERS_LOOKED_UP, True)])
def test_a_renewal_that_was_not_answered_is_found_to_be_ones_own(rules: Rules, again: bool) -> None:
    """As shipped the next one is refused, and its holder is told that the lock is another's (#14373)."""
    case = Case(rules)
    assert case.lock.try_lock()
    case.objects.after = [ConnectionLost("x")]
    assert case.lock._renew_once()
    assert case.lock._renew_once() is again
    assert case.hits(coverage.LOCK_FOUND_OURS) == again


def test_a_lock_that_is_anothers_is_not_found_to_be_ones_own() -> None:
    """Whoever looks goes by the owner."""
    case = Case(LOST_ANSWERS_LOOKED_UP)
    assert case.lock.try_lock()
    case.objects.becomes(case.object._replace(owner="w2-1"))
    with pytest.raises(CasLost):
        case.lock._swap(1, case.object)


def _options(name: str) -> Options:
    program = built_in()[name].program
    assert isinstance(program, HudiRace)
    return program.workload.options


@pytest.mark.parametrize(("rules", "refused"), [(SHIPPED, False), (COMMITS_SINCE_INSTANT, True)])
def test_a_commit_between_the_start_and_the_first_look_is_found_early(rules: Rules, refused: bool) -> None:
    """By the check of commits; what had completed before the start is no conflict under either rule."""
    lab = Lab(_options("hudi/check-commit-older"))
    client = HudiClient(lab.world("w1"), lab.config, rules, owner="w1")
    instant = client.start_commit()
    _, commit = _upserting(lab, "w2", rules)
    commit()
    assert (_early(lambda: client.upsert((("1", "x"),), instant)) is None) is not refused
    client.close()
    lab.wait(10 * lab.config.tolerance_ms)
    assert _early(lambda: _upserting(lab, "w3", rules)[1]()) is None


@pytest.mark.parametrize(("readable", "flag"), [(True, "p1/fg1 is being written by 000001"), (False, None)])
def test_a_batch_looks_for_what_it_asks_for_and_takes_no_file_for_empty(readable: bool, flag: str | None) -> None:
    """What cannot be read is looked at again, twice, a second apart; then there is no marker without a look."""
    lab, config, rules = Lab(), parse_options(dict(ASYNC)), SERVER_LOOKS_FIRST
    world = lab.world("w1", files=lab.files if readable else Refusing(lab.files, "read", only=marker_file(1, 0)))
    storage = TableStorage(world, config)
    beats, timeline = Heartbeats(world, storage, config, rules), ActiveTimeline(world, storage, 2)
    checker = AsyncChecker(world, storage, beats, timeline, config, rules, UNOBSERVED)
    beats.start(1)
    lab.files.create(marker_file(1, 0), (Marker("p1", BaseFile("fg1", "0-0-0", 1), "MERGE"),))
    checker.watch(2, frozenset(), lambda: (), lambda: ())
    with nullcontext() if readable else pytest.raises(StorageFailed):
        checker.look_for((Marker("p1", BaseFile("fg1", "0-0-0", 2), "MERGE"),))
    assert (checker.flag, lab.now_ms()) == (flag, 0 if readable else 2_000)


def _early(body: Callable[[], Any]) -> EarlyConflict | None:
    """The refusal of what is refused early."""
    try:
        body()
    except EarlyConflict as error:
        return error
    return None
