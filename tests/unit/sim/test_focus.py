"""Seeds that are about a few features: they draw what other seeds may draw, and nothing that they do not name."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import pytest

from sim.generation.draws import Draws, replayed, seeded
from sim.generation.focus import Focus, Focused, source_of
from sim.hudi.generate import GENERATOR as HUDI
from sim.iceberg.generate import GENERATOR as ICEBERG


class Noting(Focused):
    """Notes the texts of the options that draws had."""

    def __init__(self, seed: int, focus: Focus) -> None:
        super().__init__(seed, focus)
        self.chosen: defaultdict[str, list[str]] = defaultdict(list)

    def place(self, name: str, texts: Sequence[str]) -> int:
        """As is usual."""
        at = super().place(name, texts)
        self.chosen[name].append(texts[at])
        return at


RED = Focus("red", {"colour": ("red",), "shapes": ("round", "flat"), "another of things": ("0",)}, {"kind": ("paint",)})
BLUE = Focus("blue", {"colour": ("blue",)})
COLOURS, SHAPES = ("white", "red", "blue"), ("round", "flat", "long")


def test_a_draw_has_the_options_that_a_focus_says():
    """One of several, a subset, and whether a list goes on; other draws are free."""
    seen: Counter[object] = Counter()
    for seed in range(60):
        draws = Draws(Focused(seed, RED))
        seen.update([draws.one_of("colour", COLOURS), draws.one_of("size", COLOURS)])
        assert set(draws.some("shapes", SHAPES, 0)) <= {"round", "flat"}
        assert len(draws.list_of("things", 1, 3, lambda place: place)) == 1
        assert Draws(replayed(draws.text)).one_of("colour", COLOURS) == "red"
    assert min(seen[one] for one in COLOURS) > 5
    assert seen["red"] > 60


def test_a_draw_without_such_an_option_is_free():
    """A focus names what some races do not have."""
    assert {Draws(Focused(seed, RED)).one_of("colour", ("green", "grey")) for seed in range(20)} == {"green", "grey"}


def test_what_is_pinned_is_pinned_still():
    """Settings come first, and are written down as always."""
    draws = Draws(Focused(0, RED), {"colour": "blue"})
    assert draws.one_of("colour", COLOURS) == "blue"
    assert draws.text == "2"


def test_each_focus_has_its_turn_and_some_seeds_have_none():
    """Of those that fit the settings; a seed without one draws what it drew before there were any."""
    sources = [source_of(seed, (RED, BLUE), {"kind": "paint"}) for seed in range(300)]
    options = [source._options for source in sources if isinstance(source, Focused)]
    assert Counter(one["colour"] for one in options) == {("red",): 100, ("blue",): 100}
    assert not any(isinstance(source_of(seed, (RED,), {"kind": "wood"}), Focused) for seed in range(20))
    usual = next(seed for seed, source in enumerate(sources) if not isinstance(source, Focused))
    same = Draws(sources[usual]), Draws(seeded(usual))
    assert len({tuple(draws.one_of("a", range(9)) for _ in range(5)) for draws in same}) == 1


@pytest.mark.parametrize("generator", [ICEBERG, HUDI], ids=lambda each: each.protocol)
def test_focuses_name_draws_that_are_made(generator):
    """Each fits a configuration, and a name makes its scenarios again."""
    names: set[str] = set()
    for focus in generator.focuses:
        settings = next(one for one in generator.configurations.values() if focus.fits(one))
        rules = "idempotent" if "keys" in focus.options else None
        for seed in range(30):
            scenario, draws = generator.drawn(Focused(seed, focus), settings, rules)
            names |= {name for name, _, _ in draws.drawn} | {name.rpartition(" ")[0] for name, _, _ in draws.drawn}
        again = generator.again(scenario.name)
        assert (again.program, again.first_walk) == (scenario.program, scenario.first_walk)
    assert {name for focus in generator.focuses for name in focus.options} - names == set()


def test_what_has_a_focus_is_walked_in_ways_of_its_own():
    """Its scenarios are alike; the first walk of what has none is the first one of all, whatever is drawn."""
    focus = HUDI.focuses[0]
    settings = next(one for one in HUDI.configurations.values() if focus.fits(one))
    assert len({HUDI.make(Focused(seed, focus), settings).first_walk for seed in range(40)}) > 10
    assert {HUDI.make(seeded(seed), settings).first_walk for seed in range(40)} == {0}


def test_options_of_hudis_focuses_are_options_of_draws():
    """What a focus says is drawn, and not something else for want of it."""
    for focus in HUDI.focuses:
        settings = next(one for one in HUDI.configurations.values() if focus.fits(one))
        for name in ("who is beside who compacts", "who else is there", "a marker file is damaged", "every call"):
            if wanted := focus.options.get(name):
                sources = [Noting(seed, focus) for seed in range(10)]
                for source in sources:
                    HUDI.make(source, settings)
                assert {text for source in sources for text in source.chosen[name]} <= set(wanted)
