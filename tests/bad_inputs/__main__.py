"""Try the bad inputs, each in a process of its own: no traceback, no internal error, no hang, no endless line.

`python -m tests.bad_inputs [--every N] [--named TEXT]` prints what is wrong, then a table of exit codes by group, and
exits 1 if anything is.

The processes are forked from one that has imported everything: four hundred starts would take as many seconds.
"""

import argparse
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import NoReturn

import click

from lakeproof.cli import cli
from lakeproof.scenarios import built_in
from tests.bad_inputs import folders, histories, options, scenario_files, schedules, tables
from tests.bad_inputs.case import Case
from tests.unit.lakeproof.scenario_files import SNAPSHOT

SEED = 10
CPU_S, WAIT_S, LINE_CHARACTERS = 10, 120, 500
HUNG = -1
OUTPUTS = ("stdout", "stderr")


def every_case(folder: dict[str, bytes]) -> list[tuple[str, Case]]:
    """(group, case), always the same ones. `folder` is a good run folder."""
    groups = {
        "histories": histories.cases(Random(SEED)),
        "schedules": schedules.cases(Random(SEED)),
        "scenario files": scenario_files.cases(Random(SEED)),
        "options": options.cases(Random(SEED)),
        "tables": tables.cases(Random(SEED)),
        "run folders": folders.cases(Random(SEED), folder),
    }
    return [(group, case) for group, cases in groups.items() for case in cases]


def attempt(case: Case, place: Path) -> tuple[int, str]:
    """Try a case in an empty folder. Returns: its exit code (HUNG: it was killed), and all that it printed."""
    work = place / "work"
    for name, content in case.files.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    work.mkdir(exist_ok=True)
    child = os.fork()
    if child == 0:
        _child(case.arguments, work, place)
    code = _wait(child)
    printed = "".join((place / name).read_text(errors="replace") for name in OUTPUTS)
    shutil.rmtree(work)
    return code, printed


def _child(arguments: tuple[str, ...], work: Path, place: Path) -> NoReturn:
    code = 70
    try:
        os.chdir(work)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
        for number, target in enumerate((os.devnull, *(str(place / name) for name in OUTPUTS))):
            os.dup2(os.open(target, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
        sys.argv = ["lakeproof", *arguments]
        cli.main(list(arguments), prog_name="lakeproof")
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 70
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _wait(child: int) -> int:
    ends = time.monotonic() + WAIT_S
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return HUNG if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
        if time.monotonic() > ends:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.005)


def wrong(case: Case, code: int, printed: str) -> list[str]:
    """What is wrong with the answer to a case."""
    longest = max(map(len, printed.split("\n")), default=0)
    found = [f"hung: killed after {CPU_S} s of CPU time"] if code == HUNG else []
    if code not in (*case.codes, HUNG):
        found.append(f"exit code {code}, expected one of {', '.join(map(str, case.codes))}")
    if "Traceback" in printed or "Warning:" in printed:
        found.append("a traceback or a warning")
    if longest > LINE_CHARACTERS:
        found.append(f"a line of {longest:,} characters")
    return found


def main() -> int:
    """Try what the command line asks for; 1 if anything is wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--named", default="")
    asked = parser.parse_args()
    os.environ |= {"COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1"}
    built_in()
    codes: dict[str, Counter[int]] = {}
    findings = 0
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        attempts = [one for one in every_case(_good_folder(place)) if asked.named in f"{one[0]}: {one[1].name}"]
        for group, case in attempts[:: asked.every]:
            code, printed = attempt(case, place)
            codes.setdefault(group, Counter())[code] += 1
            problems = wrong(case, code, printed)
            findings += bool(problems)
            if problems or asked.named:
                said = printed.strip().splitlines()[-1][:300] if printed.strip() else ""
                click.echo(f"{group}: {case.name[:100]!r}: {'; '.join(problems) or code}\n    {said!r}")
    for group, counted in codes.items():
        each = "  ".join(f"{code}: {counted[code]}" for code in sorted(counted))
        click.echo(f"{group:15} {counted.total():4}  {each}")
    click.echo(f"{sum(map(Counter.total, codes.values()))} bad inputs, {findings} with a wrong answer")
    return 1 if findings else 0


def _good_folder(place: Path) -> dict[str, bytes]:
    """The files of a run folder as it should be."""
    code, printed = attempt(Case("", ("run", SNAPSHOT, "--out", str(place / "good")), {}), place)
    assert code == 0, printed
    folder = next((place / "good" / SNAPSHOT).glob("2*"))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


if __name__ == "__main__":
    sys.exit(main())
