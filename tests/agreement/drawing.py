"""Generated scenarios that live systems can follow: of each configuration, and under each set of rules, in turn."""

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lakeproof.protocols import generator_of
from sim.generation.draws import PinError, seeded
from sim.generation.focus import Focus, Focused
from sim.generation.generator import Settings
from sim.search.at_gates import injectable, runs_at_gates
from sim.search.projection import Played
from sim.world.scenario import Scenario
from tests.agreement.focuses import FOCUSES

ANY = "any"
"""The configuration in which every option is drawn."""
BARREN = 400
"""After so many scenarios in a row of which none can be replayed, a configuration has no more."""
TRIES = 24
"""How many random runs are made to find one of each."""


class Chosen(NamedTuple):
    """A scenario, its live system, and the runs that are played there: one that fails, one that does not, and the same
    with a fault where the gates can inject one, if any."""

    way: "Way"
    system: str
    scenario: Scenario
    played: tuple[Played, ...]


@dataclass(eq=False)
class Way:
    """A configuration under one set of rules ("": as shipped).

    Args: `drawn` counts its scenarios; `unasked` those of systems of which no more is asked; `refused` those that no
    live system can replay, by reason; `hit`: of their runs those alone that a fault hits; `focus`: what they are about.
    """

    protocol: str
    configuration: str
    settings: Settings
    rules: str = ""
    hit: bool = False
    focus: Focus | None = None
    drawn: int = 0
    unasked: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """For the table."""
        if self.focus is not None:
            return self.focus.name
        return f"{self.configuration}, {self.rules}" if self.rules else self.configuration

    def chosen(self, asked: Container[str], first: int) -> Iterator[Chosen]:
        """Scenarios for the systems that are `asked` for now, from this seed on, as long as there are any."""
        generator = generator_of(self.protocol)
        assert generator is not None
        barren = 0
        while barren < BARREN:
            seed = first + self.drawn
            self.drawn += 1
            barren += 1
            try:
                source = seeded(seed) if self.focus is None else Focused(seed, self.focus)
                scenario = generator.make(source, self.settings, self.rules or None)
            except PinError:
                self.refused["options that cannot be together"] += 1
                continue
            if found := self._chosen(scenario, asked, seed):
                barren = 0
                yield found

    def _chosen(self, scenario: Scenario, asked: Container[str], seed: int) -> Chosen | None:
        live = scenario.live
        if live is None:
            self.refused[f"no live counterpart: {scenario.not_live.split(', got ')[0]}"] += 1
        elif live.timed:
            self.refused[f"it depends on real time: {live.timed}"] += 1
        elif live.system not in asked:
            self.unasked += 1
        elif not (played := [one for one in _one_of_each(scenario, seed) if one.run.injected or not self.hit]):
            self.refused["no random run that the gates can follow" + " and a fault hits" * self.hit] += 1
        else:
            return Chosen(self, live.system, scenario, tuple(played))
        return None


def _one_of_each(scenario: Scenario, seed: int) -> tuple[Played, ...]:
    """The first run that fails and the first one that does not; of those that a fault hits, too, if any can be hit."""
    live = scenario.live
    each = 4 if live is not None and scenario.faults.limit and injectable(scenario.faults, live) else 2
    found: dict[tuple[bool, bool], Played] = {}
    for played in runs_at_gates(scenario, seed, TRIES):
        found.setdefault((played.run.failure is None, bool(played.run.injected)), played)
        if len(found) == each:
            break
    return tuple(found[holds] for holds in sorted(found))


def ways_of(protocol: str, hit: bool = False) -> list[Way]:
    """The configurations of a protocol, its default one under other rules than the shipped, and what is drawn too
    rarely by any of them."""
    generator = generator_of(protocol)
    assert generator is not None
    _, *others = generator.variants
    configurations: dict[str, Settings] = {ANY: {}, **generator.configurations}
    default = next(iter(generator.configurations))
    return [
        *(Way(protocol, name, settings, hit=hit) for name, settings in configurations.items()),
        *(Way(protocol, default, generator.configurations[default], rules, hit) for rules in others),
        *(Way(protocol, ANY, {}, hit=hit, focus=focus) for focus in FOCUSES.get(protocol, ())),
    ]


def in_turn(ways: list[Way], asked: Container[str], first: int) -> Iterator[Chosen]:
    """A scenario of each of these in turn, as long as there are any for a system that is asked for."""
    sources = [way.chosen(asked, first) for way in ways]
    while sources:
        for source in tuple(sources):
            found = next(source, None)
            if found is None:
                sources.remove(source)
            else:
                yield found
