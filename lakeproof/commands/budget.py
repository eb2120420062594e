"""How much a command may do: the types of `--budget`, `--max-steps`, `--seeds` of a study, `--timeout`, `--minutes`."""

import re

import click

MOST_DIGITS = 19


class Count(click.ParamType[int]):
    """A number of things, at least one. Args: `name` is what is counted, `example` a number with what to know of it."""

    def __init__(self, name: str, example: str) -> None:
        self.name = name
        self._example = example

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Says what is allowed if it is none: a time, say."""
        text = str(value).replace("_", "")
        if not (text.isascii() and text.isdigit() and len(text) < MOST_DIGITS and int(text) >= 1):
            self.fail(f"expected a number of {self.name} from 1, as in {self._example}, got {value!r}", param, ctx)
        return int(text)


class Seconds(click.ParamType[float]):
    """A number of seconds, more than none."""

    name = "seconds"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Says what is allowed if it is none."""
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", str(value)) or not float(value):
            self.fail(f"expected seconds, more than 0, as in 600 or 0.5, got {value!r}", param, ctx)
        return float(value)


class Minutes(click.ParamType[float]):
    """A number of minutes, more than none."""

    name = "minutes"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Says what is allowed if it is none."""
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,9})?", str(value)) or not float(value):
            self.fail(f"expected minutes, more than 0, as in 10 or 0.5, got {value!r}", param, ctx)
        return float(value)


RUNS, STEPS, SEEDS = Count("runs", "20000 (no time)"), Count("steps", "50000"), Count("seeds", "20")
SECONDS, MINUTES = Seconds(), Minutes()
