"""Generated bad inputs: no traceback, no internal error, no hang, no endless line. `make bad-inputs` tries them all."""

import subprocess
import sys
from random import Random

from tests.bad_inputs import folders, histories, options, scenario_files, schedules, tables
from tests.bad_inputs.__main__ import HUNG, wrong
from tests.bad_inputs.case import REFUSED, Case
from tests.unit.lakeproof.scenario_files import ROOT

EVERY = 12


def test_every_twelfth_bad_input_is_refused_or_answered():
    """Each in a process of its own, which is killed after ten seconds of CPU time."""
    command = [sys.executable, "-m", "tests.bad_inputs", "--every", str(EVERY)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    tried = int(done.stdout.splitlines()[-1].split()[0])
    assert tried >= 33


def test_there_are_four_hundred_and_they_are_always_the_same():
    """By kind, seeded."""
    makers = [histories.cases, schedules.cases, scenario_files.cases, options.cases, tables.cases]
    folder = {"run.json": b'{"verdict": "holds", "steps": [1, 2]}', "history.parquet": b"PAR1" * 20}
    counts = [len(list(maker(Random(1)))) for maker in makers]
    assert sum(counts) + len(list(folders.cases(Random(1), folder))) >= 400
    for maker in makers:
        assert [case.arguments for case in maker(Random(1))] == [case.arguments for case in maker(Random(1))]


def test_every_kind_of_wrong_answer_is_told():
    """A judge that finds nothing wrong would let everything pass."""
    case = Case("x", ("run",), {}, REFUSED)
    assert wrong(case, 65, "lakeproof: short\n") == []
    assert wrong(case, 0, "") == ["exit code 0, expected one of 64, 65"]
    assert wrong(case, 70, "") == ["exit code 70, expected one of 64, 65"]
    assert wrong(case, HUNG, "") == ["hung: killed after 10 s of CPU time"]
    assert wrong(case, 64, "Traceback (most recent call last):\n") == ["a traceback or a warning"]
    assert wrong(case, 64, "x" * 501) == ["a line of 501 characters"]
