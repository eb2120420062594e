"""The pages of losses: made from the records and from searches, they are what stands in docs, and nothing else does."""

import pytest

from lakeproof.losses import INDEX, Told, index, losses, page, tell, verdicts
from lakeproof.scenarios import built_in
from lakeproof.verdicts import defects
from sim.search.loss import Loss
from tests.unit.lakeproof.scenario_files import ROOT

pytestmark = pytest.mark.search
DOCS = ROOT / "docs"
FOLDER = DOCS / "losses"


@pytest.fixture(scope="module")
def told() -> list[Told]:
    """Every loss, searched anew."""
    return [tell(loss) for loss in losses()]


def test_each_page_is_what_its_record_and_a_search_give(told: list[Told]) -> None:
    """The smallest schedule, its sentences and what is known of it; and the index has a row for it."""
    live = verdicts(DOCS)
    for one in told:
        name = one.loss.file
        assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == one.schedule, f"{name}: another schedule"
        assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == page(one, live), f"{name}: make losses"
    assert (DOCS / INDEX).read_text(encoding="utf-8") == index(told, live)


def test_there_is_a_page_for_each_loss_and_none_besides() -> None:
    """One of a loss that is gone would go on being believed."""
    names = {loss.file for loss in losses()}
    assert {path.stem for path in FOLDER.glob("*.md")} == names
    assert {path.stem for path in FOLDER.glob("*.txt")} == names


def test_every_kept_replay_is_of_the_schedule_that_is_shown_and_agrees(told: list[Told]) -> None:
    """A schedule that has changed since is to be replayed again; a loss that can be replayed has been."""
    live = verdicts(DOCS)
    can = {one.loss.scenario: one.digest for one in told if one.found.scenario.live is not None}
    assert {name: kept["schedule"] for name, kept in live.items()} == can
    assert all(kept["agrees"] for kept in live.values())


@pytest.mark.parametrize("loss", losses(), ids=lambda loss: loss.scenario)
def test_a_loss_breaks_and_what_helps_holds(loss: Loss) -> None:
    """As their scenarios say, which tests of the page of verdicts confirm."""
    assert built_in()[loss.scenario].expect == "violated"
    assert {built_in()[name].expect for name in loss.defect.helps} <= {"holds"}


def test_every_defect_has_a_page() -> None:
    """With the same words."""
    assert set(defects()) <= {loss.defect for loss in losses()}
