"""The partitions of the file groups in generated Hudi races: drawn when all else of the table has been."""

from __future__ import annotations

from sim.generation.draws import Draws

PARTITIONS = (
    (), (), (), (), (), (), ("p_1", "p_2", "p_12"), ("p", "p_1", "q_1"), ("2026/1", "2026/11", "2026/1_1"),
)  # fmt: skip
"""Mostly none of their own; such that all are the same up to an underscore; such that one is the beginning of another,
in one level and in two."""


def draw_partitions(draws: Draws, groups: int) -> tuple[str, ...]:
    """The partition of each file group: one for each, or but two for all; to be drawn when all else has been."""
    names = draws.one_of("partitions", PARTITIONS)[:groups]
    return names if len(names) < 3 or not draws.flag("two in one partition") else (*names[:2], names[1])
