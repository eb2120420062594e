"""Seeds that are about PyIceberg's branches: short races of what they name."""

from typing import Any

import pytest

from sim.generation.focus import Focused
from sim.iceberg.focuses_branches import MAKES_NO_ROW, OF_PYTHON_BRANCHES
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import CreateRef

CONFIGURATION = "PyIceberg, branches"
SETTINGS = GENERATOR.configurations[CONFIGURATION]
SEEDS = range(12)


class Noting(Focused):
    """Notes the texts of the options that draws had."""

    def __init__(self, seed, focus) -> None:
        super().__init__(seed, focus)
        self.chosen: dict[str, set[str]] = {}

    def place(self, name, texts):
        """As is usual."""
        at = super().place(name, texts)
        self.chosen.setdefault(name, set()).add(texts[at])
        return at


@pytest.mark.parametrize("focus", OF_PYTHON_BRANCHES, ids=lambda one: one.name)
def test_what_a_focus_says_is_drawn(focus):
    """Two writers, what they send, and in which order the parts of a transaction come; the branch is there."""
    sent = set()
    for seed in SEEDS:
        source = Noting(seed, focus)
        program: Any = GENERATOR.make(source, SETTINGS).program
        writers, _, _, history, *_ = program.arguments
        assert len(writers) == 2
        assert any(isinstance(one, CreateRef) for one in history) or "False" in focus.options["is there"]
        for name in ("theme", "in branch", "which part is first"):
            assert source.chosen.get(name, set()) <= set(focus.options.get(name, source.chosen.get(name, ())))
        sent |= source.chosen["kind"]
    assert sent - set(MAKES_NO_ROW) == set(focus.options["kind"]) - set(MAKES_NO_ROW)


def test_races_on_branches_have_focuses_of_their_own():
    """No other race of PyIceberg is about branches, and those are about nothing else."""
    fitting = {name: [focus.name for focus in GENERATOR.focuses if focus.fits(settings)]
               for name, settings in GENERATOR.configurations.items()}  # fmt: skip
    own = [focus.name for focus in OF_PYTHON_BRANCHES]
    assert fitting.pop(CONFIGURATION) == own
    assert not {name for names in fitting.values() for name in names} & set(own)
