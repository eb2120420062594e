"""A choice among names that the table of protocols knows: it is asked when somebody has chosen, and not before."""

from collections.abc import Callable, Iterable
from typing import Any

import click


def one_of(names: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that lets only these names pass, alone or several; None stays None.

    Example: `callback=one_of(studies)`. What it makes raises `click.BadParameter` with all names.
    """

    def checked(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if value is None:
            return None
        known = click.Choice(tuple(names()))
        if isinstance(value, tuple):
            return tuple(known.convert(one, parameter, context) for one in value)
        return known.convert(value, parameter, context)

    return checked
