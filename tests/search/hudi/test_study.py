"""The study of early detection says what its sentences say, and says it again in every run."""

from functools import cache

import pytest

from model.hudi.options import parse_options
from sim.hudi.build import ASYNC
from sim.hudi.study_early_calls import SERVER
from sim.hudi.study_early_detection import COLUMNS, STUDY, row_of, table_of
from sim.hudi.study_early_settings import DRAWN, EXAMPLE, FILES, LARGE_FILES, LARGE_MB, TRIES, scenario, settings
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
    never = cells["seeds without both commits"]
    assert isinstance(never, int)
    assert never > len(SOME) // 2
    assert (cells["seconds to B's commit"], cells["most"]) == (None, None)
    assert figure(case, detection, "refusals").mean > TRIES * 0.7
    assert figure("early, 0 % shared", detection, "refusals").mean == 0


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
        if setting.start == EXAMPLE:
            continue
        least_s, most_s = (bound / 1000 for bound in setting.after_ms)
        assert least_s < most_s < figure(setting.case, setting.detection, "seconds of A").low


def test_in_the_documents_example_100_gb_are_thrown_away_without_detection() -> None:
    """And with the default strategy, whose first pass is over when the other writer comes; all the time, too."""
    for detection in ("off", "asynchronous"):
        assert figure(EXAMPLE, detection, "MB thrown away") == Estimate(*[float(LARGE_FILES * LARGE_MB)] * 3)
        cost, wasted = (figure(EXAMPLE, detection, f"task seconds {what}") for what in ("of both", "thrown away"))
        assert wasted.low * 2 < cost.low < wasted.high * 2.1


def test_markers_spare_the_large_write_only_if_it_was_first_at_the_file_group() -> None:
    """The small one is over in seconds, so that nobody finds its marker; what it meets is the large one's."""
    found = figure(EXAMPLE, "direct", "MB thrown away")
    assert 0 < found.mean < LARGE_FILES * LARGE_MB
    commits = figure(EXAMPLE, "direct, check commit", "MB thrown away")
    assert commits.mean < found.mean


def test_the_transactional_strategy_costs_alike_as_shipped_and_as_the_document_says() -> None:
    """The lock is held for one call more: what is thrown away does not differ, nor when both have committed."""
    for case in ("early, 50 % shared", DRAWN):
        shipped, document = (
            figure(case, name, "task seconds of both") for name in ("transactional", "transactional, as the document")
        )
        assert abs(shipped.mean - document.mean) < 0.01 * document.mean


def test_what_two_share_is_drawn() -> None:
    """Each seed gives a race of its own; the spread of the median is wider than where all is fixed."""
    setting = next(one for one in settings() if one.case == DRAWN)
    assert len({str(scenario(setting, seed).program) for seed in SOME}) == len(SOME)
    drawn, fixed = row(DRAWN, "direct")["median"], row("early, 50 % shared", "direct")["median"]
    assert isinstance(drawn, Estimate)
    assert isinstance(fixed, Estimate)
    assert drawn.high - drawn.low > fixed.high - fixed.low


def test_hudi_asks_the_storage_more_often_than_the_model() -> None:
    """With nobody in the way; less often with markers of a timeline server, whose checker makes a pass or two."""
    ours, theirs = (
        figure("early, 0 % shared", "direct", name)
        for name in ("storage calls of B's first try", "storage calls of both, as Hudi makes them")
    )
    assert 2 * ours.high < theirs.low
    served = figure("early, 0 % shared", "asynchronous", "storage calls of both, as Hudi makes them")
    threads = parse_options(dict(ASYNC)).marker_batch_threads
    least = 2 * (SERVER.begun + SERVER.file * FILES + SERVER.committed + SERVER.marker_file * threads)
    assert least < served.low <= served.high < min(theirs.low, least + 100)
    assert row("early, 0 % shared", "Bloom")["storage calls of both, as Hudi makes them"] is None


def test_the_notes_say_that_the_cost_of_a_check_is_a_lower_bound() -> None:
    """Hudi asks the storage more often, and the times are those of what is asked here."""
    assert any("detection costs is a lower bound in seconds" in note for note in table_of((), SOME).notes)


def test_equal_seeds_give_equal_rows() -> None:
    """All draws come from the seeds."""
    plan = settings()[:2]
    assert table_of(plan, SOME) == table_of(plan, SOME)
    assert STUDY.steps == len(settings())
    assert SEEDS >= 20
