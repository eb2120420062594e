"""The records of losses name what exists, and say what was searched for."""

import re
import subprocess
import sys

import pytest

from lakeproof.losses import losses
from sim.search.loss import Loss
from tests.unit.lakeproof.scenario_files import ROOT

TICKET = re.compile(r"[A-Z]+-\d+")
"""A ticket of Apache's JIRA."""
LEAST_LIVE = {"iceberg": 8, "hudi": 4, "hive": 5}
"""How many losses of each protocol have a test that puts shipped software through them."""


@pytest.mark.parametrize("protocol", LEAST_LIVE)
def test_losses_are_replayed_on_the_real_software(protocol: str) -> None:
    """Of Iceberg, PyIceberg and Iceberg on metastores counted together."""
    replayed = [loss for loss in losses() if _protocol(loss) == protocol and loss.live]
    assert len(replayed) >= LEAST_LIVE[protocol]


def _protocol(loss: Loss) -> str:
    name = loss.scenario.removeprefix("hive/iceberg").removeprefix("py").removeprefix("-")
    return name.split("/")[0] if "/" in name else "iceberg"


def test_every_test_that_a_page_names_exists() -> None:
    """One of its cases, or all of them: pytest collects it."""
    named = [name for loss in losses() for name in loss.live]
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *dict.fromkeys(named)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    cases = done.stdout.splitlines()
    assert set(named) <= {*cases, *[case.partition("[")[0] for case in cases]}


@pytest.mark.parametrize("loss", losses(), ids=lambda loss: loss.scenario)
def test_a_record_says_all_that_its_page_needs(loss: Loss) -> None:
    """Sentences where sentences are shown, the nearest issues by number, and what was searched for."""
    for text in (loss.title, loss.configuration, loss.likelihood, loss.advice):
        assert text
    for text in (loss.configuration, loss.likelihood, loss.advice):
        assert text.endswith(".")
    assert loss.upstream.words
    issues = [name for name, _ in loss.upstream.nearest] + ([loss.upstream.reported] if loss.upstream.reported else [])
    assert issues
    for issue in issues:
        repository, _, number = issue.partition("#")
        assert TICKET.fullmatch(issue) or (repository.count("/") == 1 and number.isdigit())


def test_what_is_simulated_only_says_so() -> None:
    """Of Impala nothing is replayed, and each page says that twice; what helps is said beside it."""
    found = [loss for loss in losses() if loss.scenario.startswith("hive/impala-")]
    assert len(found) == 9
    for loss in found:
        assert (loss.live, loss.defect.real) == ((), "simulated only: no Impala is run")
        assert "no Impala is run" in loss.scope
        assert loss.defect.helps == (f"{loss.scenario}-mended",)
