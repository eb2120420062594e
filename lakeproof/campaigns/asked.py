"""What a campaign is to search: a TOML file, or names of protocols.

    minutes = 15                       # or seeds = 2_000, of each configuration

    [[search]]
    protocol = "iceberg"
    configurations = ["default", "any"]  # names of the generator's, "all" of them (also without this line)

    [[search]]
    protocol = "hudi"
    name = "ours"
    rules = "shipped"
    settings = { "hoodie.write.lock.provider" = "..." }
    faults = ["crash", "pause"]          # only these may strike

Choices: options that a configuration does not name are at their defaults; "any" draws every option anew for each
scenario.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from checkers.text import quoted
from lakeproof.errors import BadInput, CommandError, UsageProblem, meant, one_line
from lakeproof.inputs import MAX_TEXT_BYTES, must_be_file
from lakeproof.protocols import generator_of, generators, with_generator
from lakeproof.settings import defaults, put, rules_of
from real_backend.pipeline.campaign import CampaignPlan, Configuration
from sim.generation.draws import seeded
from sim.generation.generator import Generator
from sim.generation.sweep import STRATEGIES, Plan

ANY, ALL = "any", "all"
TOP = ("minutes", "seeds", "first_seed", "live", "sweep", "search")
SWEEP = ("first", "most", "strategies")
SEARCH = ("protocol", "configurations", "name", "settings", "rules", "faults")
MOST_MINUTES, MOST_SEEDS, MOST_SCHEDULES, MOST_LIVE = 100_000, 10**9, 10**6, 10**6


@dataclass(frozen=True, slots=True)
class Asked:
    """A campaign as it was asked for: its plan, the time for it (None: until the seeds are over), and how many of its
    scenarios are to be replayed live. `name` is what its folder is called."""

    name: str
    plan: CampaignPlan
    seconds: float | None = None
    live: int = 0

    def within(self, seeds: int | None, minutes: float | None) -> Asked:
        """The same with other bounds; what is None stays as it is."""
        plan = self.plan if seeds is None else replace(self.plan, seeds=seeds)
        return replace(self, plan=plan, seconds=self.seconds if minutes is None else minutes * 60)


def of_protocols(
    names: Iterable[str], *, seeds: int | None = None, minutes: float | None = None,
    configurations: Iterable[str] = (ALL,), rules: str | None = None,
) -> Asked:  # fmt: skip
    """These configurations of these protocols. Raises: `UsageProblem` for one that there is not."""
    chosen = tuple(dict.fromkeys(names))
    found: list[Configuration] = []
    for name in chosen:
        generator = _generator(name, "campaign", UsageProblem)
        found += _named(generator, list(configurations), rules, "campaign", UsageProblem)
    plan = CampaignPlan(tuple(found), seeds=seeds)
    return Asked("-".join(chosen), plan, None if minutes is None else minutes * 60)


def of_file(path: Path) -> Asked:
    """What a file asks for. Raises: `UsageProblem` if there is none, `BadInput` that names the key."""
    must_be_file(path, "campaign")
    if path.stat().st_size > MAX_TEXT_BYTES:
        raise BadInput(f"campaign {path}: expected at most {MAX_TEXT_BYTES:,} bytes, got {path.stat().st_size:,}")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"campaign {path}: expected TOML, got {one_line(error)}") from None
    source = f"campaign {path}"
    _only(table, TOP, source)
    sweep = _table(table.get("sweep", {}), f"{source}: sweep")
    _only(sweep, SWEEP, f"{source}: sweep")
    searches = table.get("search")
    if not isinstance(searches, list) or not searches:
        raise BadInput(f"{source}: search: expected a table [[search]], got {_shown(searches)}")
    configurations = [one for number, each in enumerate(searches, 1) for one in _searched(each, number, source)]
    _each_once(configurations, source)
    strategies = _some(sweep, "strategies", f"{source}: sweep", STRATEGIES)
    plan = CampaignPlan(
        tuple(configurations),
        seeds=_whole(table, "seeds", source, MOST_SEEDS),
        first_seed=_whole(table, "first_seed", source, MOST_SEEDS, least=0) or 0,
        first=_whole(sweep, "first", f"{source}: sweep", MOST_SCHEDULES) or Plan().first,
        most=_whole(sweep, "most", f"{source}: sweep", MOST_SCHEDULES) or Plan().most,
        strategies=STRATEGIES if strategies is None else strategies,
    )
    minutes = _minutes(table, source)
    if plan.seeds is None and minutes is None:
        raise BadInput(f"{source}: expected minutes, or seeds, got neither")
    live = _whole(table, "live", source, MOST_LIVE, least=0) or 0
    return Asked(path.stem, plan, None if minutes is None else minutes * 60, live)


def _searched(each: Any, number: int, source: str) -> list[Configuration]:
    """What one table of a file asks for."""
    source = f"{source}: search {number}"
    table = _table(each, source)
    _only(table, SEARCH, source)
    name = table.get("protocol")
    if not isinstance(name, str):
        raise BadInput(f"{source}: protocol: expected the name of one, got {_shown(name)}")
    generator = _generator(name, f"{source}: protocol", BadInput)
    faults = _some(table, "faults", source, generator.faults)
    found = _configurations(table, generator, source)
    return found if faults is None else [_struck(one, generator, faults, source) for one in found]


def _struck(one: Configuration, generator: Generator, faults: tuple[str, ...], source: str) -> Configuration:
    """The configuration with these faults alone. Raises: `BadInput` if there is no such scenario."""
    words = f"faults {' '.join(faults)}" if faults else "no faults"
    if generator.with_faults(seeded(0), dict(one.settings), one.rules, faults) is None:
        raise BadInput(f"{source}: faults: expected some that strike under {quoted(one.name)} together, got {words}")
    return replace(one, name=f"{one.name}, {words}", faults=faults)


def _configurations(table: dict[str, Any], generator: Generator, source: str) -> list[Configuration]:
    """Those of the generator that a table names, or the one that it makes of settings."""
    rules = table.get("rules")
    if rules is not None and not isinstance(rules, str):
        raise BadInput(f"{source}: rules: expected the name of some, got {_shown(rules)}")
    if "settings" not in table:
        if "name" in table:
            raise BadInput(f"{source}: name: expected settings beside it, got none")
        wanted = table.get("configurations", [ALL])
        if not (isinstance(wanted, list) and wanted and all(isinstance(one, str) for one in wanted)):
            raise BadInput(f"{source}: configurations: expected a list of names, got {_shown(wanted)}")
        return _named(generator, wanted, rules, source, BadInput)
    if "configurations" in table:
        raise BadInput(f"{source}: expected configurations or settings, got both")
    called = table.get("name", "own")
    if not (isinstance(called, str) and called):
        raise BadInput(f"{source}: name: expected a text, got {_shown(called)}")
    settings: dict[str, str] = {}
    for key, value in _table(table["settings"], f"{source}: settings").items():
        if not isinstance(value, str):
            raise BadInput(f"{source}: settings: {key}: expected a text in quotes, got {_shown(value)}")
        put(settings, generator, key, value, f"{source}: settings", BadInput)
    return [_configuration(generator, called, defaults(generator) | settings, rules, source, BadInput)]


def _named(
    generator: Generator, wanted: list[str], rules: str | None, source: str, error: type[CommandError]
) -> list[Configuration]:
    """The generator's configurations of these names."""
    names = list(dict.fromkeys(name for one in wanted for name in (_every(generator) if one == ALL else [one])))
    found = []
    for name in names:
        if name not in _every(generator):
            close = difflib.get_close_matches(name, _every(generator), 1, 0.6)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(_every(generator))}"
            raise error(f"{source}: configurations: expected those of {generator.protocol}, got {quoted(name)}; {hint}")
        settings = {} if name == ANY else {**defaults(generator), **generator.configurations[name]}
        found.append(_configuration(generator, name, settings, rules, source, error))
    return found


def _every(generator: Generator) -> list[str]:
    return [*generator.configurations, *([] if ANY in generator.configurations else [ANY])]


def _configuration(
    generator: Generator, name: str, settings: Mapping[str, str], rules: str | None, source: str,
    error: type[CommandError],
) -> Configuration:  # fmt: skip
    variant = rules_of(generator, rules, f"{source}: rules", error)
    called = name if rules is None else f"{name}, rules {variant}"
    return Configuration(generators()[generator.protocol], generator.protocol, called, tuple(settings.items()), variant)


def _generator(name: str, source: str, error: type[CommandError]) -> Generator:
    generator = generator_of(name)
    if generator is None:
        known = with_generator()
        raise error(f"{source}: expected {' or '.join(known)}, got {quoted(name)}{meant(name, known)}")
    return generator


def _each_once(configurations: list[Configuration], source: str) -> None:
    seen: set[tuple[str, str]] = set()
    for one in configurations:
        if (one.protocol, one.name) in seen:
            raise BadInput(f"{source}: expected each configuration once, got {one.protocol} {quoted(one.name)} again")
        seen.add((one.protocol, one.name))


def _only(table: Mapping[str, Any], known: tuple[str, ...], source: str) -> None:
    for key in table:
        if key not in known:
            raise BadInput(f"{source}: expected {', '.join(known)}, got {quoted(key)}{meant(key, known)}")


def _table(value: Any, source: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(f"{source}: expected a table, got {_shown(value)}")
    return value


def _whole(table: Mapping[str, Any], key: str, source: str, most: int, least: int = 1) -> int | None:
    value = table.get(key)
    if value is not None and (type(value) is not int or not least <= value <= most):
        raise BadInput(f"{source}: {key}: expected a whole number from {least} to {most:,}, got {_shown(value)}")
    return value


def _some(table: Mapping[str, Any], key: str, source: str, known: Sequence[str]) -> tuple[str, ...] | None:
    """Some of the `known` words, each once; None if the table says nothing of them."""
    words = table.get(key)
    if words is None:
        return None
    if not isinstance(words, list):
        raise BadInput(f"{source}: {key}: expected a list, got {_shown(words)}")
    for word in words:
        if word not in known:
            hint = meant(word, known) if isinstance(word, str) else ""
            raise BadInput(f"{source}: {key}: expected {' or '.join(known)}, got {_shown(word)}{hint}")
    return tuple(dict.fromkeys(words))


def _minutes(table: Mapping[str, Any], source: str) -> float | None:
    value = table.get("minutes")
    if value is not None and (type(value) not in (int, float) or not 0 < value <= MOST_MINUTES):
        raise BadInput(f"{source}: minutes: expected more than 0, at most {MOST_MINUTES:,}, got {_shown(value)}")
    return None if value is None else float(value)


def _shown(value: Any) -> str:
    return "none" if value is None else quoted(value) if isinstance(value, str) else one_line(repr(value)[:120])
