"""How many runs a command may make, and how long it may take: the types of `--budget`, `--timeout` and
`--minutes`."""

import re

import click


class Runs(click.ParamType[int]):
    """A number of runs, at least one."""

    name = "runs"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Says what is allowed if it is none: a time, say."""
        text = str(value).replace("_", "")
        if not (text.isascii() and text.isdigit() and int(text) >= 1):
            self.fail(f"expected a number of runs from 1, as in 20000 (no time), got {value!r}", param, ctx)
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


RUNS, SECONDS, MINUTES = Runs(), Seconds(), Minutes()
