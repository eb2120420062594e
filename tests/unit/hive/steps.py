"""Steps of a vector as text: `command`, or `command -> answer` where it is asked for what it tells."""

from collections.abc import Callable, Sequence


def answered(steps: Sequence[str], run: Callable[[str], object]) -> list[str]:
    """The steps with the answers that `run` gives to their commands."""
    told = []
    for step in steps:
        command, arrow, _ = step.partition(" -> ")
        answer = run(command)
        told.append(f"{command}{arrow}{answer}" if arrow else command)
    return told
