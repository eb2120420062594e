"""How many runs a command may make: the type of `--budget`."""

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


RUNS = Runs()
