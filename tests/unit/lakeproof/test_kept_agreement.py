"""Pairs that were played on the real system: which are played again."""

from collections import Counter

import pytest

from tests.agreement import __main__ as tool
from tests.agreement.cells import SYSTEM, cells_of
from tests.agreement.kept import HEAD, PAGE, Kept, told
from tests.agreement.replaying import Differs, Replaying


class Player(Replaying):
    """Plays nothing, and says that the pairs differ whose numbers it is told."""

    def __init__(self, bad: tuple[int, ...] = ()) -> None:
        self.played: list[str] = []
        self.bad, self.broken = bad, Counter()

    def replay(self, chosen, tally):
        if len(self.played) in self.bad:
            tally.differing.append(Differs("outcomes", (), "lakeproof replay x --live"))
        self.played.append(chosen.scenario.name)


@pytest.fixture
def play(tmp_path):
    """Plays three pairs; returns the names of those that were."""

    def round_of(bad=(), file=tmp_path / "kept.txt"):
        player = Player(bad)
        kept = Kept(file)
        tool.Round("iceberg", cells_of("iceberg")[:1], {SYSTEM: 3}, kept).play(player, 0, float("inf"))
        kept.sort()
        return player.played, kept.count, file

    return round_of


def test_what_did_not_differ_is_not_played_again(play):
    """And counted as known."""
    first, known, file = play()
    assert (len(first), known) == (3, 0)
    assert file.read_text(encoding="utf-8").splitlines()[0] == HEAD
    assert play()[:2] == ([], 3)


def test_what_differed_is_played_again(play):
    """It was not kept."""
    first, _, _ = play(bad=(1,))
    assert play()[:2] == ([first[1]], 2)


def test_a_pair_of_which_the_simulation_says_something_else_is_played_again(play):
    """As of a changed model."""
    first, _, file = play()
    lines = file.read_text(encoding="utf-8").splitlines()
    changed = [line[:-1] + "x" if line.startswith(f"{first[0]}: ") else line for line in lines]
    file.write_text("\n".join([*changed, ""]), encoding="utf-8")
    assert play()[:2] == ([first[0]], 2)


def test_what_is_told_of_a_pair_hangs_on_each_schedule_and_on_what_came_of_it():
    """A schedule less, or another run of one, is something else."""
    pairs = cells_of("iceberg")[0].chosen({SYSTEM}, 0)
    pair = next(each for each in pairs if len({str(one.run.events) for one in each.played}) > 1)
    one = pair.played[0]
    other = next(each for each in pair.played if each.run.events != one.run.events)
    less = pair._replace(played=pair.played[1:])
    changed = pair._replace(played=(one._replace(run=other.run), *pair.played[1:]))
    assert told(pair) == told(pair._replace(played=tuple(pair.played)))
    assert len({told(pair), told(less), told(changed)}) == 3


def test_of_another_jar_nothing_is_known(play):
    """The file is begun anew."""
    _, _, file = play()
    file.write_text(file.read_text(encoding="utf-8").replace("sha256 ", "sha256 0"), encoding="utf-8")
    assert len(play()[0]) == 3
    assert play()[:2] == ([], 3)


def test_the_file_is_of_this_jar_in_order_and_has_each_pair_once():
    """So that a change of it can be read."""
    head, *lines = PAGE.read_text(encoding="utf-8").splitlines()
    names = [line.rsplit(": ", 1)[0] for line in lines]
    assert head == HEAD
    assert names == sorted({*names})
