"""Settings of a configuration as users give them: KEY=VALUE, or a file of table properties.

Choices: a word that no option has is refused, with the one that was probably meant. In a file, which has properties of
many kinds, one that resembles no option is not refused but named: a verdict says what it did not look at.
"""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from checkers.text import quoted
from lakeproof.errors import BadInput, CommandError, UsageProblem, meant
from lakeproof.inputs import MAX_TEXT_BYTES, must_be_file
from sim.generation.generator import Generator, Option

CLOSE = 0.8


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is to be judged: `given` by the user, and all `settings`, with the defaults of the rest.

    Args: `ignored` are the properties of a file that nothing models, by name.
    """

    given: Mapping[str, str]
    settings: Mapping[str, str]
    ignored: tuple[str, ...] = field(default=())

    @property
    def words(self) -> str:
        """ "a=b, c=d; the rest at defaults"."""
        told = ", ".join(f"{key}={value}" for key, value in self.given.items())
        if not told:
            return "all settings at their defaults"
        return told + ("" if len(self.given) == len(self.settings) else "; the rest at defaults")


def configuration_of(generator: Generator, pairs: tuple[str, ...], file: Path | None = None) -> Configuration:
    """The configuration that the user means: the file's properties, and above them the pairs KEY=VALUE.

    Raises: `UsageProblem` for a pair that cannot be, `BadInput` for a line of the file.
    """
    given: dict[str, str] = {}
    ignored = []
    for line, key, value in _properties(file):
        source = f"properties {file}: line {line}"
        if _option_of(generator, key) is None:
            _refuse_close(generator, key, source)
            ignored.append(key)
            continue
        put(given, generator, key, value, source, BadInput)
    of_pairs: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageProblem(f"--set {quoted(pair)}: expected KEY=VALUE, got no '='")
        put(of_pairs, generator, key, value, f"--set {quoted(pair)}", UsageProblem)
    given |= of_pairs
    return Configuration(given, defaults(generator) | given, tuple(dict.fromkeys(ignored)))


def defaults(generator: Generator) -> dict[str, str]:
    """Every option at its default."""
    first = next(iter(generator.configurations.values()), {})
    return {option.key: first.get(option.key, option.values[0]) for option in generator.options}


def put(
    settings: dict[str, str], generator: Generator, key: str, value: str, source: str, error: type[CommandError]
) -> None:
    """Add an option's value to `settings`, by its own names, whichever these are.

    Raises: `error` if there is no such option, with what was probably meant, it cannot have the value, or has one.
    """
    option = _option_of(generator, key)
    if option is None:
        raise error(f"{source}: expected an option of {generator.protocol}, got {quoted(key)}; {_hint(generator, key)}")
    own = option.meant(value)
    if own not in option.values:
        named = key if key == option.key else f"{key} ({option.key})"
        values = " or ".join(option.values)
        raise error(f"{source}: {named}: expected {values}, got {quoted(value)}{meant(value, option.values)}")
    if option.key in settings:
        raise error(f"{source}: expected each key once, got {option.key} twice")
    settings[option.key] = own


def rules_of(generator: Generator, name: str | None, source: str, error: type[CommandError]) -> str:
    """The name of the rules; None are the shipped ones. Raises: `error` if there are none of that name."""
    if name is None:
        return next(iter(generator.variants))
    if name not in generator.variants:
        known = generator.variants
        raise error(f"{source}: expected {' or '.join(known)}, got {quoted(name)}{meant(name, known)}")
    return name


def _hint(generator: Generator, key: str) -> str:
    keys = [key for option in generator.options for key in (option.key, *option.also)]
    close = difflib.get_close_matches(key, keys, 1, 0.6)
    return f"did you mean {close[0]}?" if close else f"`lakeproof verdict {generator.protocol} --options` lists them"


def _option_of(generator: Generator, key: str) -> Option | None:
    """The option of this key, or that may go by it."""
    return next((option for option in generator.options if key in (option.key, *option.also)), None)


def _refuse_close(generator: Generator, key: str, source: str) -> None:
    close = difflib.get_close_matches(key, [option.key for option in generator.options], 1, CLOSE)
    if close:
        raise BadInput(f"{source}: expected a property's name, got {quoted(key)}; did you mean {close[0]}?")


def _properties(path: Path | None) -> Iterator[tuple[int, str, str]]:
    """The lines `key=value` or `key: value` of a file, with their numbers; those that begin with # or ! say nothing."""
    if path is None:
        return
    must_be_file(path, "properties")
    if path.stat().st_size > MAX_TEXT_BYTES:
        raise BadInput(f"properties {path}: expected at most {MAX_TEXT_BYTES:,} bytes, got {path.stat().st_size:,}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"properties {path}: expected text in UTF-8, got byte 0x{error.object[error.start]:02x}"
        ) from None
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped[0] in "#!":
            continue
        place = min((at for at in (stripped.find("="), stripped.find(":")) if at > 0), default=0)
        if not place:
            raise BadInput(f"properties {path}: line {number}: expected key=value, got {quoted(stripped)}")
        key, value = stripped[:place].strip(), stripped[place + 1 :].strip()
        if key in seen:
            raise BadInput(f"properties {path}: line {number}: expected each key once, got {quoted(key)} again")
        seen.add(key)
        yield number, key, value
