"""The study of early detection says what its sentences say, and says it again in every run."""

from functools import cache

import pytest

from sim.hudi.study_early_detection import COLUMNS, STUDY, TRIES, row_of, scenario, settings, table_of
from sim.search.study import SEEDS, Cell, Estimate

pytestmark = pytest.mark.search

SOME = range(6)


@cache
def row(case: str, detection: str) -> dict[str, Cell]:
    """One setting over a few seeds, by column."""
    setting = next(one for one in settings() if (one.case, one.detection) == (case, detection))
    return dict(zip(COLUMNS, row_of(setting, SOME), strict=True))


def figure(case: str, detection: str, column: str) -> Estimate:
    """One estimate."""
    cell = row(case, detection)[column]
    assert isinstance(cell, Estimate)
    return cell


def test_without_detection_all_work_is_done_before_the_refusal() -> None:
    """RFC-56's motive: every file is written and thrown away."""
    assert figure("early, 100 % shared", "off", "files thrown away") == Estimate(50, 50, 50)


def test_detection_refuses_before_the_first_shared_file() -> None:
    """Nothing is thrown away in the first try, and the answer comes in a tenth of the time."""
    assert figure("early, 100 % shared", "direct, check commit", "files thrown away").high == 0
    off, direct = (
        figure("early, 100 % shared", name, "seconds to B's first answer") for name in ("off", "direct, check commit")
    )
    assert direct.high * 8 < off.low


def test_whether_work_is_thrown_away_depends_on_the_phase_and_the_study_draws_it() -> None:
    """Direct detection looks at markers only: a try that begins just before A commits does all its work in vain."""
    found = figure("early, 100 % shared", "direct", "files thrown away")
    assert 0 < found.mean < 50
    drawn = row("early, 100 % shared", "direct")
    assert isinstance(drawn["least"], float)
    assert isinstance(drawn["most"], float)
    assert drawn["most"] - drawn["least"] > 20
    setting = settings()[0]
    assert len({str(scenario(setting, seed).program) for seed in SOME}) == len(SOME)


def test_a_losers_own_markers_keep_it_out_until_its_heartbeat_expires() -> None:
    """F-12 makes detection slower than none: false alarms, and more seconds to the commit."""
    assert figure("early, 50 % shared", "direct", "false alarms").low > 5
    assert figure("early, 50 % shared", "direct, dead at once", "false alarms").high == 0
    off, direct = (figure("early, 50 % shared", name, "seconds to B's commit") for name in ("off", "direct"))
    assert direct.low > 2 * off.high


def test_files_written_side_by_side_make_tries_refuse_each_other() -> None:
    """What a refused try has marked differs from try to try, so that one of two mostly is in the way."""
    case, detection = "early, 50 % shared", "direct, all at once"
    cells = row(case, detection)
    never = cells["seeds without a commit"]
    assert isinstance(never, int)
    assert never > len(SOME) // 2
    assert (cells["seconds to B's commit"], cells["most"]) == (None, None)
    assert figure(case, detection, "refusals of B").mean > TRIES * 0.7
    assert figure("early, 0 % shared", detection, "refusals of B").mean == 0


def test_detection_costs_a_writer_that_conflicts_with_nobody() -> None:
    """Listing others' markers before each file: some, but less than a fifth."""
    off, direct = (figure("early, 0 % shared", name, "seconds to B's commit") for name in ("off", "direct"))
    assert off.high < direct.low
    assert direct.high < 1.2 * off.low


def test_bloom_files_cost_more_than_the_listings_that_they_spare() -> None:
    """Writing one costs two calls a marker, and asking one is a call as a listing is: slower where nobody conflicts."""
    column = "storage calls of B's first try"
    off, direct, bloom = (figure("early, 0 % shared", name, column) for name in ("off", "direct", "Bloom"))
    assert off.high < direct.low < direct.high < bloom.low
    served, both = (figure("early, 0 % shared", name, column) for name in ("asynchronous", "Bloom, asynchronous"))
    assert served.high < both.low
    direct, bloom = (figure("early, 0 % shared", name, "seconds to B's commit") for name in ("direct", "Bloom"))
    assert direct.high < bloom.low


def test_no_setting_is_vacuous() -> None:
    """In each of them the two writers are at work at the same time."""
    for setting in settings():
        least_s, most_s = (bound / 1000 for bound in setting.after_ms)
        assert least_s < most_s < figure(setting.case, setting.detection, "seconds of A").low


def test_the_notes_say_that_the_cost_of_a_check_is_a_lower_bound() -> None:
    """Hudi asks the storage more often for each of the others that have markers."""
    assert any("what detection costs is a lower bound" in note for note in table_of((), SOME).notes)


def test_equal_seeds_give_equal_rows() -> None:
    """All draws come from the seeds."""
    plan = settings()[:2]
    assert table_of(plan, SOME) == table_of(plan, SOME)
    assert STUDY.steps == len(settings())
    assert SEEDS >= 20
