"""Whether vectors tell a mutant: those that name it, in what they kill."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.mutants.mutant import Mutant


def spared(
    mutant: Mutant, vectors: Sequence[Mapping[str, Any]], run: Callable[[Any], Mapping[str, Any]]
) -> list[Any]:  # fmt: skip
    """Those of the vectors that name it which come to what they say all the same. Args: `run` plays one."""
    killing = [vector for vector in vectors if mutant.name in vector["kills"]]
    assert killing, f"{mutant.name}: expected a vector that kills it, got none"
    with mutant.alive():
        return [vector["name"] for vector in killing if run(vector) == vector["expect"]]
