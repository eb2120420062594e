"""A generator: from draws to a scenario of one protocol, with the options that a user sets and what they promise.

A generated scenario is named by what made it: `iceberg/generated/shipped/1a02` is the scenario that the protocol
"iceberg" makes under the rules "shipped" of the draws "1a02". So a name is enough to make it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from sim.generation.causes import Cause, Known, cause_of
from sim.generation.draws import Draws, PinError, Source, replayed
from sim.generation.focus import Focus, source_of
from sim.search.run import Run
from sim.world.scenario import Scenario
from sim.world.words import GENERATED

Settings = Mapping[str, str]
MOST_REDRAWS = 1_000
"""How often a scenario is drawn anew at most until it has the faults that are asked for."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a user sets.

    Args: `key` is its name as the user writes it ("write.delete.mode"); `values` are those that are modelled, the
    default first; `source` says where the original defines it; `also` are other names of its key, `called` other words
    for its values: those of a document, and a default that the original has where nothing is set.
    """

    key: str
    values: tuple[str, ...]
    source: str
    also: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)

    def meant(self, value: str) -> str:
        """The value that is meant by a word; a class may be given with its package: "org.a.Simple"."""
        package, _, of_class = value.rpartition(".")
        own = of_class if package and of_class[:1].isupper() else value
        return self.called.get(own, own)


@dataclass(frozen=True, slots=True)
class Promise:
    """One property that some configurations promise.

    Args: `property` is its name; `source` says who promises it (document, specification, class); `when` is told the
    settings and says whether they promise it; `words` say when, for people ("isolation is serializable").
    """

    property: str
    source: str
    when: Callable[[Settings], bool] = lambda _: True
    words: str = "always"


def has_faults(scenario: Scenario, kinds: tuple[str, ...]) -> bool:
    """Returns: whether all that may strike is of these kinds, and something may if there are any."""
    return set(scenario.faults.names) <= set(kinds) and bool(scenario.faults.names) == bool(kinds)


def rules_of(name: str) -> str:
    """Returns: the name of the rules that a generated scenario of this name was made under."""
    return name.split("/")[2]


def promised(promises: tuple[Promise, ...], settings: Settings) -> tuple[str, ...]:
    """Returns: the names of the properties that these settings promise, in the table's order."""
    return tuple(dict.fromkeys([one.property for one in promises if one.when(settings)]))


def carries_all(_: Scenario, __: Settings) -> None:
    """Every value that an option is pinned to is drawn."""


def as_fast_as_others(_: Settings) -> int:
    """Scenarios of all settings take about as long."""
    return 1


@dataclass(frozen=True, slots=True)
class Generator:
    """The generator of one protocol.

    Args: `protocol` is its name in the table of protocols; `options` are what a user sets, `variants` the rules by
    name, the shipped ones first; `promises` say which settings promise what; `draw` makes a scenario of draws and
    rules; it draws each option by its key, so that it can be pinned; `statements` and `faults` are the kinds that can
    be drawn; `cannot` says in sentences what it never makes; `configurations` are named settings, the default first;
    `known` are the findings that are no news; `slowness` says how many times longer scenarios of some settings take
    than others, whole; `focuses` are what its seeds may be about; `carried` raises `PinError` for a scenario that has
    not what its options were pinned to.
    """

    protocol: str
    options: tuple[Option, ...]
    variants: Mapping[str, Any]
    promises: tuple[Promise, ...]
    draw: Callable[[Draws, Any], Scenario]
    statements: tuple[str, ...]
    faults: tuple[str, ...]
    cannot: tuple[str, ...]
    configurations: Mapping[str, Settings]
    known: tuple[Known, ...] = ()
    slowness: Callable[[Settings], int] = as_fast_as_others
    focuses: tuple[Focus, ...] = ()
    carried: Callable[[Scenario, Settings], None] = carries_all

    def source(self, seed: int, settings: Settings | None = None) -> Source:
        """The source of a seed for a search under these settings; it may have a focus.

        Raises: `PinError` as `make`.
        """
        return source_of(seed, self.focuses, self.checked(settings or {}))

    def make(self, source: Source, settings: Settings | None = None, rules: str | None = None) -> Scenario:
        """Make a scenario.

        Args: `source` answers the draws; `settings` pin options by their keys; `rules` names a variant (None: shipped).

        Returns: the scenario, named by what made it.

        Raises: `PinError` for an unknown key, value or variant, or if what was drawn has not a value that is pinned.
        """
        return self.drawn(source, settings, rules)[0]

    def drawn(
        self, source: Source, settings: Settings | None = None, rules: str | None = None
    ) -> tuple[Scenario, Draws]:
        """As `make`. Returns: the scenario, and what was drawn for it."""
        variant = rules or next(iter(self.variants))
        if variant not in self.variants:
            raise PinError(f"rules: expected {' or '.join(self.variants)}, got {variant!r}")
        pinned = self.checked(settings or {})
        draws = Draws(source, pinned)
        scenario = self.draw(draws, self.variants[variant])
        self.carried(scenario, pinned)
        return replace(scenario, name=f"{self.protocol}/{GENERATED}/{variant}/{draws.text or '0'}"), draws

    def with_faults(
        self, source: Source, settings: Settings, rules: str, kinds: tuple[str, ...] | None
    ) -> Scenario | None:
        """As `make`, drawn again until the faults that may strike are of these `kinds`, and some of them if there are
        any (None: whatever is drawn first).

        Returns: the scenario; None if the draws do not fit together, or `MOST_REDRAWS` scenarios had other faults.
        """
        for _ in range(1 if kinds is None else MOST_REDRAWS):
            with suppress(ValueError):
                scenario = self.make(source, settings, rules)
                if kinds is None or has_faults(scenario, kinds):
                    return scenario
        return None

    def again(self, name: str) -> Scenario:
        """Make the scenario of this name again. Raises: `ValueError` if it is no name of a generated one."""
        parts = name.split("/")
        if len(parts) != 4 or parts[:2] != [self.protocol, GENERATED]:
            raise ValueError(f"scenario {name!r}: expected {self.protocol}/{GENERATED}/RULES/DRAWS")
        return self.make(replayed(parts[3]), rules=parts[2])

    def known_as(self, cause: Cause, rules: str, parameters: Iterable[tuple[str, str]] = ()) -> str:
        """Returns: the known finding that this cause is, under these `rules`, in a scenario with these `parameters`; ""
        if it is new."""
        told, shipped = tuple(parameters), (next(iter(self.variants)),)
        have_it = (one for one in self.known if rules in (one.rules or shipped))
        return next((one.scenario for one in have_it if one.explains(cause, told)), "")

    def known_of(self, run: Run) -> str:
        """Returns: the known finding that a failing run of a generated scenario is; "" if it is new."""
        return self.known_as(cause_of(run), rules_of(run.scenario.name), run.scenario.parameters)

    def checked(self, settings: Settings) -> Settings:
        """The settings, if they can be. Raises: `PinError` that names the key and what is allowed."""
        known = {option.key: option.values for option in self.options}
        for key, value in settings.items():
            if key not in known:
                raise PinError(f"{self.protocol}: expected an option of {', '.join(known)}, got {key!r}")
            if value not in known[key]:
                raise PinError(f"{key}: expected {' or '.join(known[key])}, got {value!r}")
        return settings
